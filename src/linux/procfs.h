/*
 * Reads /proc for confirmation: small files whole, and mountinfo line by line.
 */
#ifndef NSBOX_LINUX_PROCFS_H
#define NSBOX_LINUX_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* Opens "/proc" (O_PATH) and makes sure that it is procfs. Descriptor, or -1 with errno. */
int procfs_open(void);

/* Opens the folder of process `pid` below `proc`. Descriptor or -1 with errno. */
int procfs_open_process(int proc, int pid);

/* Appends the whole of the file `name` below `dir`. 0 or -1 with errno. */
int procfs_read(int dir, const char *name, struct str *text);

/* The inode number of a namespace ("ns/net") of the process, 0 where it cannot be read. */
uint64_t procfs_namespace(int dir, const char *name);

/*
 * Finds the line "KEY:\tVALUE" in the text of a status file and returns where VALUE
 * begins (it ends at the end of the line), or NULL.
 */
const char *procfs_field(const char *status, const char *key);

/*
 * The number that `text` begins with, in base 10 or 16 (small letters). Where it ends, or
 * NULL where there is none or it does not fit.
 */
const char *procfs_number(const char *text, unsigned base, uint64_t *number);

/*
 * One line of mountinfo, proc_pid_mountinfo(5). The texts point into memory that the list
 * owns.
 */
struct procfs_mount {
	uint32_t id, parent;
	const char *device;	/* "0:35" */
	const char *root;
	const char *point;	/* octal escapes undone */
	const char *options;	/* per mount: "ro,nosuid" */
	const char *type;
	bool read_only, nosuid, nodev, noexec, has_peer; /* has_peer: shared or slave of something */
};

struct procfs_mounts {
	struct procfs_mount *items;
	size_t count;
	char *text;
};

/*
 * Parses the text (which the list then owns). 0, or -1 with errno EPROTO for a line that
 * is none.
 */
int procfs_parse_mounts(char *text, struct procfs_mounts *mounts);
void procfs_mounts_free(struct procfs_mounts *mounts);

#endif
