/*
 * What only bubblewrap's command line can ask for: there nothing is unshared
 * that was not named, and the caller hands over descriptors for nearly
 * everything. Part of a spec (core/spec.h).
 */
#ifndef NSBOX_CORE_SPEC_BWRAP_H
#define NSBOX_CORE_SPEC_BWRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Bits of spec_bwrap.unshare. */
enum spec_unshare {
	SPEC_UNSHARE_USER = 1 << 0,
	SPEC_UNSHARE_USER_TRY = 1 << 1,	/* where the host has it */
	SPEC_UNSHARE_IPC = 1 << 2,
	SPEC_UNSHARE_PID = 1 << 3,
	SPEC_UNSHARE_NET = 1 << 4,
	SPEC_UNSHARE_UTS = 1 << 5,
	SPEC_UNSHARE_CGROUP = 1 << 6,
	SPEC_UNSHARE_CGROUP_TRY = 1 << 7
};

/* Descriptors of which the last one counts. */
enum spec_bwrap_fd {
	SPEC_FD_USERNS,		/* a user namespace to be in from the start */
	SPEC_FD_USERNS2,	/* one to go to when all is set up */
	SPEC_FD_PIDNS,
	SPEC_FD_USERNS_BLOCK,	/* waited for before set-up; the caller writes the id maps */
	SPEC_FD_BLOCK,		/* waited for after set-up */
	SPEC_FD_INFO,
	SPEC_FD_STATUS,
	SPEC_FD_SECCOMP,	/* a filter, read after BLOCK */
	SPEC_FD_COUNT
};

/* --cap-add, --cap-drop, in order. */
struct spec_capability {
	bool is_added;
	int number;		/* the system's, -1: all */
};

/* A filter of the caller's, as it was read. */
struct spec_program {
	char *bytes;
	size_t length;
};

struct spec_bwrap {
	unsigned unshare;
	bool disable_userns, assert_userns_disabled;
	bool as_pid_1, die_with_parent;
	bool old_open, old_attributes;	/* ways of older kernels, for tests */
	int fds[SPEC_FD_COUNT];		/* -1: not given */
	int *sync_fds;
	size_t sync_count;
	struct str_list lock_files;
	char *argv0;			/* NULL: COMMAND as written */
	struct spec_capability *capabilities;
	size_t capability_count;
	struct spec_program *programs;
	size_t program_count;
};

/* A new one in which nothing was asked for. */
struct spec_bwrap *spec_bwrap_new(void);
/* NULL is harmless. */
void spec_bwrap_free(struct spec_bwrap *bwrap);

void spec_bwrap_add_sync(struct spec_bwrap *bwrap, int fd);
void spec_bwrap_add_capability(struct spec_bwrap *bwrap, bool is_added, int number);
/* Takes the bytes over. */
void spec_bwrap_add_program(struct spec_bwrap *bwrap, char *bytes, size_t length);

#endif
