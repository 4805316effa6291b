/*
 * Locks, removes and sweeps groups.
 */
#ifndef NSBOX_LINUX_CGROUP_SWEEP_H
#define NSBOX_LINUX_CGROUP_SWEEP_H

#include <stddef.h>

/* Marks the group as that of a living supervisor, as long as the descriptor is open. 0, or -1 with errno. */
int cgroup_lock(int dir);

/*
 * Removes the group `name` (opened as `dir`) in `parent` with all groups in it, waiting at most `wait_ms`
 * for the kernel to let go of it. 0 also where it has gone already; -1 with errno.
 */
int cgroup_remove_tree(int parent, const char *name, int dir, unsigned wait_ms);

/* Removes the groups of dead runs that are right below `dir`; how many. */
size_t cgroup_sweep_below(int dir);

#endif
