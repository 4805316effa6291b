/*
 * The backends of this system, best first, ended by NULL. The table itself is
 * in src/backends_win.c, the only file that knows them all.
 */
#ifndef NSBOX_WIN_BACKENDS_H
#define NSBOX_WIN_BACKENDS_H

#include "core/backend.h"

extern const struct backend *const win_backends[];

#endif
