/*
 * Finds this process's own control group in the file system.
 */
#ifndef NSBOX_LINUX_CGROUP_FIND_H
#define NSBOX_LINUX_CGROUP_FIND_H

#include <stdbool.h>

#include "core/str.h"

struct cgroup_home {
	int own;		/* the group that this process is in, -1: not found */
	int above;		/* the one above it; -1: there is none in sight */
	bool alone;		/* no other process is in own */
	char *reason;		/* why own is -1: a sentence, owned */
};

#define CGROUP_HOME_INIT { -1, -1, false, 0 }

/* True with home->own >= 0, else false with home->reason. Free it in either case. */
bool cgroup_find(struct cgroup_home *home);
void cgroup_home_free(struct cgroup_home *home);

/* Writes `text` to the file `name` below `dir` in one piece. 0, or -1 with errno. */
int cgroup_write(int dir, const char *name, const char *text);

/* The names of the folders below `dir`, but "." and "..". 0, or -1 with errno. */
int cgroup_list(int dir, struct str_list *names);

#endif
