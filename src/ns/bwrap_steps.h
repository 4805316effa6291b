/*
 * Child code of the drop-in for bubblewrap: the steps that differ from nsbox's own. Here
 * nothing is in a namespace of its own that was not asked for, operations on the file
 * system happen one after the other as written, and missing places are made where they
 * are missing, also in folders of the host.
 */
#ifndef NSBOX_NS_BWRAP_STEPS_H
#define NSBOX_NS_BWRAP_STEPS_H

#include "linux/step.h"

/* Of a step that makes something: its mode, and that of folders made above it. */
enum { BWRAP_MODE_SHIFT = 16, BWRAP_PARENT_SHIFT = 32, BWRAP_MODE_MASK = 07777 };

enum {
	BWRAP_EARLY_MAX = 8,
	BWRAP_PROGRAM_MAX = 4096 * 8,	/* bytes of a filter that the kernel takes */
	BWRAP_PWD_SIZE = 4096 + 8
};

/* A system call filter as prctl(2) takes it. */
struct bwrap_filter {
	const void *bytes;
	size_t length;
};

/* What only this process model needs; the child writes to its own copy. */
struct bwrap_plan {
	char *pwd;		/* "PWD=" in envp, with BWRAP_PWD_SIZE bytes of room */
	const char *chdir, *old_folder, *home; /* NULL: none */
	bool has_init;		/* a process that reaps stands between the supervisor and COMMAND */
	bool dies_with_parent;
	bool searches;		/* COMMAND is looked for in folders, execvp(3) */
	char **shell_argv;	/* for a text that no interpreter is named in; [1] is the file's place */
	struct bwrap_filter *filters;
	size_t filter_count;
	char *filter_room;	/* BWRAP_PROGRAM_MAX + 1 bytes for --seccomp, NULL: not given */
	int *keep_fds;		/* plan.keep_fds, with room for one descriptor a lock */
	size_t *keep_count;	/* plan.keep_count */
	char *caller_env;	/* the caller's strings as the kernel shows them */
	size_t caller_env_size;
	const char *cover;	/* the folder of the host over which the hidden tmpfs is mounted */
	int early[BWRAP_EARLY_MAX]; /* trees that were copied before the hidden tmpfs was mounted */
};

/* bwrap_mounts.c */
step_fn bwrap_step_old_ways;	/* flags: enum step_fallback to take from the start */
step_fn bwrap_step_early;	/* source; flags: index of bwrap_plan.early */
step_fn bwrap_step_find;	/* source, which has to be there */
step_fn bwrap_step_bind;	/* source dest flags device; inode: early index + 1, or to be checked */
step_fn bwrap_step_tmpfs;	/* source: options, dest */
step_fn bwrap_step_mqueue;	/* dest */
step_fn bwrap_step_proc;	/* dest; device: a new one */
step_fn bwrap_step_dev;		/* dest; source: terminal to show as console */
step_fn bwrap_step_overlay;	/* as mount_step_overlay */
step_fn bwrap_step_remount;	/* dest */
step_fn bwrap_step_data;	/* fd dest flags */

/* bwrap_files.c */
step_fn bwrap_step_directory;	/* dest flags */
step_fn bwrap_step_file;	/* fd dest flags */
step_fn bwrap_step_symlink;	/* source dest flags */
step_fn bwrap_step_chmod;	/* dest flags */

/* bwrap_child.c */
step_fn bwrap_step_hold;	/* waits for the supervisor's word */
step_fn bwrap_step_private;	/* the caller's mounts hear nothing of ours */
step_fn bwrap_step_user;	/* flags: uid << 32 | gid */
step_fn bwrap_step_bound;	/* flags: what the bounding set keeps */
step_fn bwrap_step_limit_users;	/* source, dest: id maps of the namespace below */
step_fn bwrap_step_join;	/* fd: a user namespace */
step_fn bwrap_step_assert_users;
step_fn bwrap_step_close;	/* what leads to the host; and fd, -1: none */
step_fn bwrap_step_block;	/* fd */
step_fn bwrap_step_program;	/* fd */
step_fn bwrap_step_folder;	/* where COMMAND starts */
step_fn bwrap_step_death;
step_fn bwrap_step_lock;	/* source */
step_fn bwrap_step_start;	/* the last; failures of what follows are its */

/* bwrap_init.c: what follows the steps. */
void bwrap_finish(struct child *child) __attribute__((noreturn));

/* Says how what is missing above the step's dest is made. */
void bwrap_set_modes(struct child *child, const struct step *step, bool is_mount_point);

#endif
