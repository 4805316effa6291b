/*
 * The setters behind the option tables: each puts one option into the spec, or
 * refuses it with a message that begins with the option.
 */
#ifndef NSBOX_CLI_APPLY_H
#define NSBOX_CLI_APPLY_H

#include <stdbool.h>

#include "cli/native.h"
#include "cli/opt.h"
#include "core/err.h"
#include "core/spec.h"
#include "core/str.h"

/* What setters see: the context of the parser. */
struct apply {
	struct spec *spec;
	struct opt_parser *parser;
	enum native_verb verb;
	bool json;
	struct str_list layers;	/* of --overlay-src, for the overlay that follows */
	bool in_args;		/* words come from an argument file */
};

/* Details of apply_bind and apply_same_place, in opt.detail. */
enum {
	APPLY_READ_ONLY = 1,
	APPLY_DEVICES = 2,
	APPLY_OPTIONAL = 4
};

/* A setter is `int f(void *context, const struct opt *, const char *const *, struct err *)`. */
#define APPLY_SETTER(name) \
	int name(void *context, const struct opt *opt, const char *const *values, struct err *err)

/* apply_view.c: the file system. */
APPLY_SETTER(apply_same_place);	/* detail: APPLY_READ_ONLY */
APPLY_SETTER(apply_bind);	/* detail: APPLY_READ_ONLY and the like */
APPLY_SETTER(apply_place);	/* detail: the enum spec_fs_kind, one that has a dest only */
APPLY_SETTER(apply_symlink);
APPLY_SETTER(apply_file);
APPLY_SETTER(apply_overlay_src);
APPLY_SETTER(apply_overlay);	/* detail: the enum spec_overlay */
APPLY_SETTER(apply_runtime);

/* apply_env.c: environment, network, identity. */
APPLY_SETTER(apply_env);
APPLY_SETTER(apply_env_file);
APPLY_SETTER(apply_keep_env);
APPLY_SETTER(apply_net);
APPLY_SETTER(apply_uid);
APPLY_SETTER(apply_gid);
APPLY_SETTER(apply_hostname);
APPLY_SETTER(apply_chdir);
APPLY_SETTER(apply_cap_add);

/* apply_limit.c: limits, the scratch, the key:value file. */
APPLY_SETTER(apply_wall);
APPLY_SETTER(apply_cpu);
APPLY_SETTER(apply_mem);
APPLY_SETTER(apply_pids);
APPLY_SETTER(apply_cpus);
APPLY_SETTER(apply_out_max);
APPLY_SETTER(apply_out_max_each);
APPLY_SETTER(apply_rlimit);
APPLY_SETTER(apply_scratch_size);
APPLY_SETTER(apply_scratch_inodes);
APPLY_SETTER(apply_scratch_dir);
APPLY_SETTER(apply_scratch_use);
APPLY_SETTER(apply_keep_scratch);
APPLY_SETTER(apply_meta);

/* apply_policy.c: policy, report, input, verbs. */
APPLY_SETTER(apply_backend);
APPLY_SETTER(apply_require);
APPLY_SETTER(apply_allow_missing);
APPLY_SETTER(apply_allow_userns);
APPLY_SETTER(apply_grace);
APPLY_SETTER(apply_new_session);
APPLY_SETTER(apply_pass_fd);
APPLY_SETTER(apply_report);
APPLY_SETTER(apply_id);
APPLY_SETTER(apply_quiet);
APPLY_SETTER(apply_json);
APPLY_SETTER(apply_args);
APPLY_SETTER(apply_verb);	/* detail: the enum native_verb */

/* All options were applied: refuses what still waits for another. */
int apply_end(const struct apply *apply, struct err *err);

/* Checks the number where `word` is "fd:N"; any other word is a path. */
int apply_check_fd(const struct opt *opt, const char *word, struct err *err);

/* Files that options name may hold as much as this. */
enum { APPLY_INPUT_MAX = 64 << 20 };

#endif
