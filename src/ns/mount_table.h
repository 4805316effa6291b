/*
 * All mounts that a process has, as mountinfo lists them: found by point and by number, and
 * which of them can be reached.
 */
#ifndef NSBOX_NS_MOUNT_TABLE_H
#define NSBOX_NS_MOUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/procfs.h"

struct mount_table {
	struct procfs_mounts mounts;
	const struct procfs_mount **by_point; /* sorted by point, then as they are listed */
	const struct procfs_mount **by_id;
};

/* Reads mountinfo of the process behind `dir` (/proc/PID). 0 or -1. Free it in either case. */
int mount_table_load(struct mount_table *table, int dir);
void mount_table_free(struct mount_table *table);

/* The last mount at exactly this point, which is the one on top; NULL where there is none. */
const struct procfs_mount *mount_table_at(const struct mount_table *table, const char *point);

/* The mount that the open file lies on (fdinfo(5)); NULL where it is none of the table. */
const struct procfs_mount *mount_table_of(const struct mount_table *table, int fd);

/* Whether another mount lies on top of it, or of a folder on the way to it: no path leads there. */
bool mount_table_is_hidden(const struct mount_table *table, const struct procfs_mount *mount);

#endif
