/*
 * What a scratch on disk looks like from outside, for those who make and sweep it
 * (disk_scratch.h; the theory is in disk_scratch.c).
 */
#ifndef NSBOX_LINUX_DISK_LOCK_H
#define NSBOX_LINUX_DISK_LOCK_H

#include <stdbool.h>

#define DISK_PREFIX "nsbox-"
#define DISK_LOCK_NAME ".nsbox-lock"
/* What the one line of a lock file begins with. */
#define DISK_LOCK_MAGIC "nsbox-scratch 1 "

/* Modes of the folder. */
enum {
	DISK_FINISHED = 0700,
	DISK_UNFINISHED = 01700	/* being made or all but removed: holds nothing of value */
};

/* Whether `name` in `parent` is the folder or file that is open as `fd`; else errno says why not. */
bool disk_lock_is_at(int fd, int parent, const char *name);

/*
 * Removes the scratch `name` of `parent`, open as `dir`, whose lock the caller holds, and looks that it is gone.
 * The lock file goes last, so that what a killed remover leaves can be swept. 0, or -1 with errno.
 */
int disk_lock_remove(int parent, const char *name, int dir);

#endif
