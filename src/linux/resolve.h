/*
 * Resolves a path of the host component by component, so that the symbolic links on the
 * way are known: they are recreated inside, and what they lead to is what is shown.
 */
#ifndef NSBOX_LINUX_RESOLVE_H
#define NSBOX_LINUX_RESOLVE_H

#include <stdbool.h>

#include <sys/stat.h>

#include "core/str.h"

struct resolved {
	char *path;		/* owned; absolute, without links, "." and ".." */
	struct stat status;	/* of what it is */
	struct str_list links;	/* link, text, link, text, ...: in the order in which they were met */
};

/*
 * `root` is an O_PATH descriptor of the folder that counts as "/" (-1: the process's own
 * "/"). A relative path is taken from the current folder and needs root -1. 0, or -1 with
 * errno; *resolved is to be freed only after 0.
 */
int resolve_path(int root, const char *path, struct resolved *resolved);

void resolved_free(struct resolved *resolved);

#endif
