/*
 * The children of a process, and all that come from it.
 */
#ifndef NSBOX_LINUX_FAMILY_H
#define NSBOX_LINUX_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

struct family {
	pid_t *pids;		/* owned */
	size_t count, size;
};

/*
 * Adds the children of `pid`, of all its threads; with `deep`, their children as well, and so on. `proc` is a
 * procfs (O_PATH). 0, or -1 with errno: ENOENT where the process has gone, or the kernel has no such lists
 * (CONFIG_PROC_CHILDREN). A process that changes parents meanwhile may be missing.
 */
int family_add(struct family *family, int proc, pid_t pid, bool deep);
bool family_has(const struct family *family, pid_t pid);
void family_free(struct family *family);

#endif
