/*
 * Completes a spec: refuses what contradicts itself, says what is wanted of
 * each control, freezes. Asks nothing of the host, so that the same command
 * line gets the same answer everywhere.
 */
#include "core/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/defaults.h"

/* Limits that were asked for are required. */
static void fill_limit_wants(const struct spec *spec, enum want want[CONTROL_COUNT])
{
	const struct spec_limits *limits = &spec->limits;
	const struct {
		enum control control;
		bool asked;
	} asked[] = {
		{ CONTROL_WALL, limits->wall_ns > 0 }, { CONTROL_CPU, limits->cpu_ns > 0 },
		{ CONTROL_MEM, limits->mem_bytes > 0 }, { CONTROL_PIDS, limits->pids > 0 },
		{ CONTROL_CPUS, limits->cpus_milli > 0 }, { CONTROL_OUTPUT, limits->output_bytes > 0 },
		{ CONTROL_OUTPUT_EACH, limits->output_each_bytes > 0 },
		{ CONTROL_RLIMIT, spec->rlimit_count > 0 },
		{ CONTROL_SCRATCH_QUOTA, spec->scratch_bytes > 0 || spec->scratch_inodes > 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (asked[i].asked)
			want[asked[i].control] = WANT_YES;
	/* These are done best by a control group, where the caller has been given one. */
	if (limits->mem_bytes || limits->pids || limits->cpu_ns || limits->cpus_milli)
		want[CONTROL_CGROUP] = WANT_TRY;
}

static int check_scratch(const struct spec *spec, struct err *err)
{
	if (spec->scratch_dir && spec->scratch_use)
		return err_set(err, ERR_USAGE, "--scratch-dir contradicts --scratch-use");
	if (spec->keep_scratch && !spec->scratch_dir)
		return err_set(err, ERR_USAGE, "--keep-scratch needs --scratch-dir: a scratch in "
		    "memory is gone with the sandbox, and one of --scratch-use stays anyway");
	if ((spec->scratch_dir || spec->scratch_use) && (spec->scratch_bytes || spec->scratch_inodes))
		return err_set(err, ERR_USAGE, "%s contradicts %s: only a scratch in memory has a quota",
		    spec->scratch_bytes ? "--scratch-size" : "--scratch-inodes",
		    spec->scratch_dir ? "--scratch-dir" : "--scratch-use");
	return 0;
}

/*
 * What an option does to a control. `excludes` says that the option gives away what the
 * control means, so that asking for both is a contradiction.
 */
struct effect {
	enum control control;
	enum want want;
	bool excludes;
};

static const struct effect net_host_effects[] = {
	{ CONTROL_NETWORK, WANT_NO, true },
	{ CONTROL_NETWORK_NAMESPACE, WANT_NO, true },
	/* Abstract sockets live in the network namespace; a filter can still deny them. */
	{ CONTROL_UNIX_SOCKETS, WANT_NO, false },
};

static const struct effect keep_env_effects[] = {
	{ CONTROL_ENVIRONMENT, WANT_NO, true },
};

static const struct effect new_session_effects[] = {
	{ CONTROL_SESSION, WANT_YES, false },
};

static const struct effect allow_userns_effects[] = {
	{ CONTROL_NESTED_NAMESPACES, WANT_NO, true },
	/* Inside a domain nothing can be mounted, which is what those namespaces are for. */
	{ CONTROL_LANDLOCK, WANT_NO, false },
};

static const struct effect cap_add_effects[] = {
	{ CONTROL_LANDLOCK, WANT_NO, false },
};

/* Something of the caller's own lies where the scratch would be. */
static const struct effect work_bind_effects[] = {
	{ CONTROL_SCRATCH, WANT_NO, true },
};

static bool is_allow_userns(const struct spec *spec)
{
	return spec->allow_userns;
}

static bool is_cap_add(const struct spec *spec)
{
	return spec->cap_add.count > 0;
}

static bool is_work_bind(const struct spec *spec)
{
	for (size_t i = 0; i < spec->fs_count; i++) {
		if (spec->fs[i].dest && strcmp(spec->fs[i].dest, "/work") == 0)
			return true;
	}
	return false;
}

static bool is_net_host(const struct spec *spec)
{
	return spec->network == SPEC_NETWORK_HOST;
}

static bool is_keep_env(const struct spec *spec)
{
	return spec->keep_env;
}

static bool is_new_session(const struct spec *spec)
{
	return spec->new_session;
}

static const struct {
	const char *option;
	bool (*given)(const struct spec *);
	const struct effect *effects;
	size_t count;
} rules[] = {
#define RULE(option, name) { option, is_##name, name##_effects, \
	sizeof(name##_effects) / sizeof(name##_effects[0]) }
	RULE("--net host", net_host),
	RULE("--keep-env", keep_env),
	RULE("--new-session", new_session),
	RULE("--allow-userns", allow_userns),
	RULE("--cap-add", cap_add),
	RULE("a bind over /work", work_bind),
#undef RULE
};

enum { RULE_COUNT = sizeof(rules) / sizeof(rules[0]) };

static int check_policy(const struct spec *spec, struct err *err)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		const char *name = control_name((enum control)i);

		if (spec->policy[i].required && spec->policy[i].may_miss)
			return err_set(err, ERR_USAGE, "--require %s contradicts --allow-missing %s",
			    name, name);
	}
	return 0;
}

static int check_rule(const struct spec *spec, size_t rule, struct err *err)
{
	size_t i;

	if (!rules[rule].given(spec))
		return 0;
	for (i = 0; i < rules[rule].count; i++) {
		const struct effect *effect = &rules[rule].effects[i];

		if (effect->excludes && spec->policy[effect->control].required)
			return err_set(err, ERR_USAGE, "%s contradicts --require %s",
			    rules[rule].option, control_name(effect->control));
	}
	return 0;
}

static int check_overlay(const struct spec_fs *fs, struct err *err)
{
	size_t needed = fs->overlay == SPEC_OVERLAY_RO ? 2 : 1;
	struct str dest = STR_INIT;

	if (fs->kind != SPEC_FS_OVERLAY || fs->layers.count >= needed)
		return 0;
	str_add_printable(&dest, fs->dest ? fs->dest : "", 0);
	err_set(err, ERR_USAGE, "%s %s: needs at least %s --overlay-src before it, has %zu",
	    fs->option, str_text(&dest), needed == 2 ? "two" : "one", fs->layers.count);
	str_free(&dest);
	return -1;
}

static int compare_fds(const void *left, const void *right)
{
	int a = *(const int *)left;
	int b = *(const int *)right;

	return (a > b) - (a < b);
}

/* Their order means nothing, so equal specs get equal lists. */
static int check_pass_fds(struct spec *spec, struct err *err)
{
	size_t i;

	if (spec->pass_fds_count > 1)
		qsort(spec->pass_fds, spec->pass_fds_count, sizeof(int), compare_fds);
	for (i = 1; i < spec->pass_fds_count; i++)
		if (spec->pass_fds[i] == spec->pass_fds[i - 1])
			return err_set(err, ERR_USAGE, "--pass-fd %d is given twice",
			    spec->pass_fds[i]);
	/* COMMAND could write a report of its own then. */
	for (i = 0; i < spec->pass_fds_count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "fd:%d", spec->pass_fds[i]);
		if (spec->report && strcmp(spec->report, name) == 0)
			return err_set(err, ERR_USAGE, "--report %s: --pass-fd %d would give the report's "
			    "descriptor to the command", name, spec->pass_fds[i]);
	}
	return 0;
}

/* The second one that is written would replace the first. */
static int check_files(const struct spec *spec, struct err *err)
{
	if (spec->report && spec->meta && strcmp(spec->report, spec->meta) == 0)
		return err_set(err, ERR_USAGE, "--report contradicts --meta: both name the same file");
	return 0;
}

static void fill_wants(struct spec *spec)
{
	const enum want *defaults = spec->defaults ? spec->defaults : defaults_linux;
	enum want want[CONTROL_COUNT];
	size_t i, j;

	for (i = 0; i < CONTROL_COUNT; i++)
		want[i] = defaults[i];
	fill_limit_wants(spec, want);
	for (i = 0; i < RULE_COUNT; i++)
		for (j = 0; rules[i].given(spec) && j < rules[i].count; j++)
			want[rules[i].effects[j].control] = rules[i].effects[j].want;
	for (i = 0; i < CONTROL_COUNT; i++) {
		if (spec->policy[i].required)
			want[i] = WANT_YES;
		else if (spec->policy[i].may_miss && want[i] == WANT_YES)
			want[i] = WANT_TRY;
		spec->policy[i].want = want[i];
	}
}

int spec_check(struct spec *spec, struct err *err)
{
	size_t i;

	if (spec->frozen)
		return 0;
	if (spec->command_count == 0)
		return err_set(err, ERR_USAGE,
		    "no command given; write it behind the options: -- COMMAND [ARG]...");
	if (spec->command[0][0] == '\0')
		return err_set(err, ERR_USAGE, "COMMAND is empty");
	if (check_policy(spec, err) != 0)
		return -1;
	for (i = 0; i < RULE_COUNT; i++)
		if (check_rule(spec, i, err) != 0)
			return -1;
	for (i = 0; i < spec->fs_count; i++)
		if (check_overlay(&spec->fs[i], err) != 0)
			return -1;
	if (check_scratch(spec, err) != 0)
		return -1;
	if (check_pass_fds(spec, err) != 0 || check_files(spec, err) != 0)
		return -1;
	fill_wants(spec);
	spec->frozen = true;
	return 0;
}
