/*
 * The setters behind bubblewrap's option table, and the state that they share.
 */
#ifndef NSBOX_CLI_BWRAP_APPLY_H
#define NSBOX_CLI_BWRAP_APPLY_H

#include "cli/bwrap.h"

/* What setters see: the context of the parser. */
struct bwrap_apply {
	struct spec *spec;
	struct bwrap_command *command;
	bool *seen;		/* owned, one for each row */
	bool in_args;		/* words come from the descriptor of --args */
	/* What waits for the option that follows. */
	bool has_mode, has_size;
	unsigned mode;
	uint64_t size;
	struct str_list layers;
};

#define BWRAP_SETTER(name) \
	int name(void *context, const struct opt *opt, const char *const *values, struct err *err)

/* bwrap_view.c: operations on the file system, in order. */
BWRAP_SETTER(bwrap_set_bind);	/* detail: BWRAP_READ_ONLY and the like */
BWRAP_SETTER(bwrap_set_bind_fd);
BWRAP_SETTER(bwrap_set_place);	/* detail: the enum spec_fs_kind, one that has a dest only */
BWRAP_SETTER(bwrap_set_data);	/* detail: BWRAP_READ_ONLY, or BWRAP_COPY for --file */
BWRAP_SETTER(bwrap_set_symlink);
BWRAP_SETTER(bwrap_set_chmod);
BWRAP_SETTER(bwrap_set_layer);
BWRAP_SETTER(bwrap_set_overlay);	/* detail: the enum spec_overlay */
BWRAP_SETTER(bwrap_set_mode);
BWRAP_SETTER(bwrap_set_size);

/* bwrap_process.c: everything else. */
BWRAP_SETTER(bwrap_set_unshare);	/* detail: bits of enum spec_unshare */
BWRAP_SETTER(bwrap_set_share_net);
BWRAP_SETTER(bwrap_set_fd);	/* detail: enum spec_bwrap_fd */
BWRAP_SETTER(bwrap_set_sync);
BWRAP_SETTER(bwrap_set_lock);
BWRAP_SETTER(bwrap_set_flag);	/* detail: enum bwrap_flag */
BWRAP_SETTER(bwrap_set_id);	/* detail: 'u' or 'g' */
BWRAP_SETTER(bwrap_set_hostname);
BWRAP_SETTER(bwrap_set_chdir);
BWRAP_SETTER(bwrap_set_argv0);
BWRAP_SETTER(bwrap_set_clearenv);
BWRAP_SETTER(bwrap_set_setenv);
BWRAP_SETTER(bwrap_set_unsetenv);
BWRAP_SETTER(bwrap_set_capability); /* detail: 1 adds, 0 drops */
BWRAP_SETTER(bwrap_set_program);
BWRAP_SETTER(bwrap_set_label);
BWRAP_SETTER(bwrap_set_debug);

/* bwrap.c */
BWRAP_SETTER(bwrap_set_args);
BWRAP_SETTER(bwrap_set_verb);	/* detail: enum bwrap_verb */

enum {
	BWRAP_READ_ONLY = 1,
	BWRAP_DEVICES = 2,
	BWRAP_OPTIONAL = 4,
	BWRAP_COPY = 8
};

enum bwrap_flag {
	BWRAP_NEW_SESSION,
	BWRAP_DIE_WITH_PARENT,
	BWRAP_AS_PID_1,
	BWRAP_DISABLE_USERNS,
	BWRAP_ASSERT_USERNS_DISABLED,
	BWRAP_LEVEL_PREFIX,
	BWRAP_NOT_A_BOUNDARY
};

/* A descriptor's number, or `Invalid fd: WORD`. Whether it is open is not asked. */
int bwrap_parse_fd(const char *word, int *fd, struct err *err);

/* bwrap_check.c: refuses what contradicts itself, completes the spec and freezes it. */
int bwrap_check(struct bwrap_apply *apply, struct err *err);

#endif
