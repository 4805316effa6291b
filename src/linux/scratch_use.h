/*
 * The caller's own folder as the scratch.
 */
#ifndef NSBOX_LINUX_SCRATCH_USE_H
#define NSBOX_LINUX_SCRATCH_USE_H

#include "core/err.h"
#include "linux/view.h"

/*
 * --scratch-use: `given` has to be an existing, empty folder of this user's. Fills in *source (its path is
 * the caller's to free). 0, or -1 (ERR_SETUP, stage "scratch").
 */
int scratch_use_take(const char *given, struct view_source *source, struct err *err);

#endif
