/*
 * Scratch folders on disk for tests: living ones, dead ones, and processes
 * that make them. Each of these functions fails the test where it cannot do
 * what it says.
 */
#ifndef NSBOX_TESTS_UNIT_SCRATCHES_H
#define NSBOX_TESTS_UNIT_SCRATCHES_H

#include "linux/disk_scratch.h"

#define SCRATCHES_LOCK ".nsbox-lock"

/* Enters a new folder; "p" in it is the parent of all scratch folders. */
void scratches_begin(void);
/* A new one below "p"; the caller's to remove or to keep. */
struct disk_scratch scratches_make(const char *id);
/* Makes one in a process that is killed before it could remove it. */
void scratches_make_dead(const char *id);
/* Makes one with a file in it and removes it, `rounds` times; `worker` tells apart who does it at once. */
void scratches_make_and_remove(unsigned worker, unsigned rounds);

#endif
