/*
 * Taking away what a run made: after its end, and for a run whose nsbox was
 * killed. One way for both, driven by the journal.
 */
#ifndef NSBOX_WIN_LEFTOVER_H
#define NSBOX_WIN_LEFTOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "win/journal.h"

/*
 * Revokes the grants, removes the scratch and deletes the profile, each confirmed by looking
 * afterwards. Goes on after a failure. True only where all of it is gone; else `remains` says what is
 * not, or could not be looked at. Works twice.
 */
bool leftover_remove(const struct journal *journal, struct str *remains);

/* Begins and ends what no two nsbox processes may do at a time. 0, or the error of Windows. */
uint32_t leftover_lock(void **lock);

enum { LEFTOVER_ALL = 0 };

/*
 * Removes what dead runs left, of at most `limit` of them (LEFTOVER_ALL: all). *removed counts them.
 * -1 with ERR_SETUP where something of them remains.
 */
int leftover_sweep(size_t limit, size_t *removed, struct err *err);

#endif
