/*
 * The backends of this system, best first, ended by NULL. The table itself is
 * in src/backends.c, the only file that knows them all.
 */
#ifndef NSBOX_LINUX_BACKENDS_H
#define NSBOX_LINUX_BACKENDS_H

#include "core/backend.h"

extern const struct backend *const linux_backends[];
/* For bubblewrap's command line, and not in the table. */
extern const struct backend backend_bwrap;

#endif
