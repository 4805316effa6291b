/*
 * The Windows backend: an AppContainer inside a job object.
 */
#ifndef NSBOX_WIN_BACKEND_WIN_H
#define NSBOX_WIN_BACKEND_WIN_H

#include "core/backend.h"

extern const struct backend backend_win;

#endif
