/*
 * A scratch on disk: a new folder below one that the caller names, removed
 * afterwards whatever is in it.
 */
#ifndef NSBOX_LINUX_DISK_SCRATCH_H
#define NSBOX_LINUX_DISK_SCRATCH_H

#include <stddef.h>

#include "core/err.h"

struct disk_scratch {
	int parent;		/* the caller's folder (O_PATH), -1: none */
	int dir;		/* the new folder, -1: none */
	int lock;		/* its lock file, held as long as the run lives, -1: none */
	char *name;		/* in parent; owned */
	char *path;		/* absolute path of the new folder on the host; owned */
};

#define DISK_SCRATCH_INIT { -1, -1, -1, 0, 0 }

/*
 * Makes PARENT/nsbox-ID (which must not exist), mode 0700, with the folders "work" (0700), "tmp" (01777) and "shm"
 * (01777) and a lock file in it that says whose it is. Sweeps what dead runs left in PARENT first. 0, or -1
 * (ERR_SETUP, naming --scratch-dir) with nothing left behind.
 */
int disk_scratch_make(struct disk_scratch *scratch, const char *parent, const char *id,
    struct err *err);

/* Removes the folder with all its content and looks that it is gone. 0, or -1 (ERR_LOST). Closes. */
int disk_scratch_remove(struct disk_scratch *scratch, struct err *err);

/* Closes and frees without removing (--keep-scratch: the lock file is removed, the rest stays). */
void disk_scratch_keep(struct disk_scratch *scratch);

/* Removes from PARENT what is provably the scratch of a dead run of this user. How many, or -1 with errno. */
int disk_scratch_sweep(const char *parent);

/*
 * remove.c: removes `name` below `dir`, a file or a whole tree, never following a link, with at most a handful of
 * descriptors and no recursion, whatever its depth, names and modes. 0, or -1 with errno when something is left.
 */
int remove_tree(int dir, const char *name);

#endif
