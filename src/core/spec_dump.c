/*
 * The canonical text of a spec, in the words of an --args file: one option a
 * line, a fixed order, nothing that was not asked for.
 */
#include "core/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Values of only these bytes are written bare; every other value is quoted. */
static const char bare_bytes[] = "abcdefghijklmnopqrstuvwxyz" "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "0123456789" "_./:=@%+,-";

static void add_quoted(struct str *text, const char *value)
{
	static const char plain[] = "\n\t\r\\\"";
	static const char letters[] = "ntr\\\"";
	const char *found;

	str_add_char(text, '"');
	for (; *value; value++) {
		unsigned byte = (unsigned char)*value;

		found = strchr(plain, *value);
		if (found)
			str_addf(text, "\\%c", letters[found - plain]);
		else if (byte < 0x20 || byte > 0x7e)
			str_addf(text, "\\x%02x", byte);
		else
			str_add_char(text, *value);
	}
	str_add_char(text, '"');
}

static void add_word(struct str *text, const char *word)
{
	if (*word && word[strspn(word, bare_bytes)] == '\0')
		str_add(text, word);
	else
		add_quoted(text, word);
}

static void add_value(struct str *text, const char *value)
{
	str_add_char(text, ' ');
	add_word(text, value);
}

static void add_option(struct str *text, const char *option, const char *value)
{
	str_add(text, option);
	add_value(text, value);
	str_add_char(text, '\n');
}

static void add_number(struct str *text, const char *option, uint32_t number)
{
	str_addf(text, "%s %" PRIu32 "\n", option, number);
}

/* Writes the values that are there, in the order in which every option takes them. */
static void dump_fs(const struct spec_fs *fs, struct str *text)
{
	const char *values[] = { fs->source, fs->work, fs->dest };
	size_t i;

	for (i = 0; i < fs->layers.count; i++)
		add_option(text, "--overlay-src", fs->layers.items[i]);
	if (fs->same_place)
		values[2] = NULL;
	str_add(text, fs->option);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (values[i])
			add_value(text, values[i]);
	str_add_char(text, '\n');
}

static void dump_env(const struct spec *spec, struct str *text)
{
	size_t i;

	if (spec->keep_env)
		str_add(text, "--keep-env\n");
	for (i = 0; i < spec->env_count; i++) {
		const struct spec_env *env = &spec->env[i];
		struct str pair = STR_INIT;

		str_add(&pair, env->name);
		if (env->kind == SPEC_ENV_SET) {
			str_add_char(&pair, '=');
			str_add(&pair, env->value ? env->value : "");
		}
		add_option(text, "--env", str_text(&pair));
		str_free(&pair);
	}
}

static void dump_identity(const struct spec *spec, struct str *text)
{
	size_t i;

	if (spec->network == SPEC_NETWORK_HOST)
		str_add(text, "--net host\n");
	if (spec->has_uid)
		add_number(text, "--uid", spec->uid);
	if (spec->has_gid)
		add_number(text, "--gid", spec->gid);
	if (spec->hostname)
		add_option(text, "--hostname", spec->hostname);
	if (spec->chdir)
		add_option(text, "--chdir", spec->chdir);
	for (i = 0; i < spec->cap_add.count; i++)
		add_option(text, "--cap-add", spec->cap_add.items[i]);
}

/* As seconds with as many decimals as it takes. */
static void add_duration(struct str *text, const char *option, uint64_t nanoseconds)
{
	char digits[32];
	size_t length;

	snprintf(digits, sizeof(digits), "%" PRIu64 ".%09" PRIu64, nanoseconds / 1000000000,
	    nanoseconds % 1000000000);
	length = strlen(digits);
	while (digits[length - 1] == '0')
		length--;
	if (digits[length - 1] == '.')
		length--;
	str_addf(text, "%s %.*s\n", option, (int)length, digits);
}

static void dump_rlimit(const struct spec_rlimit *rlimit, struct str *text)
{
	const uint64_t values[] = { rlimit->soft, rlimit->hard };
	struct str word = STR_INIT;

	str_add(&word, rlimit->name);
	for (size_t i = 0; i < 2; i++) {
		str_add_char(&word, "=:"[i]);
		if (values[i] == UINT64_MAX)
			str_add(&word, "unlimited");
		else
			str_addf(&word, "%" PRIu64, values[i]);
	}
	add_option(text, "--rlimit", str_text(&word));
	str_free(&word);
}

static void dump_limits(const struct spec *spec, struct str *text)
{
	const struct spec_limits *limits = &spec->limits;
	const struct {
		const char *option;
		uint64_t value;
	} numbers[] = {
		{ "--mem", limits->mem_bytes }, { "--pids", limits->pids },
		{ "--out-max", limits->output_bytes }, { "--out-max-each", limits->output_each_bytes },
		{ "--scratch-size", spec->scratch_bytes }, { "--scratch-inodes", spec->scratch_inodes },
	};
	size_t i;

	if (limits->wall_ns)
		add_duration(text, "--wall", limits->wall_ns);
	if (limits->cpu_ns)
		add_duration(text, "--cpu", limits->cpu_ns);
	if (limits->cpus_milli)
		add_duration(text, "--cpus", limits->cpus_milli * 1000000);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value)
			str_addf(text, "%s %" PRIu64 "\n", numbers[i].option, numbers[i].value);
	for (i = 0; i < spec->rlimit_count; i++)
		dump_rlimit(&spec->rlimits[i], text);
	if (spec->scratch_dir)
		add_option(text, "--scratch-dir", spec->scratch_dir);
	if (spec->scratch_use)
		add_option(text, "--scratch-use", spec->scratch_use);
	if (spec->keep_scratch)
		str_add(text, "--keep-scratch\n");
}

static bool is_required(const struct spec_policy *policy)
{
	return policy->required;
}

static bool is_missable(const struct spec_policy *policy)
{
	return policy->may_miss;
}

static void dump_controls(const struct spec *spec, const char *option,
    bool (*named)(const struct spec_policy *), struct str *text)
{
	const char *before = " ";
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		if (!named(&spec->policy[i]))
			continue;
		if (*before == ' ')
			str_add(text, option);
		str_addf(text, "%s%s", before, control_name((enum control)i));
		before = ",";
	}
	if (*before == ',')
		str_add_char(text, '\n');
}

static void dump_run(const struct spec *spec, struct str *text)
{
	size_t i;

	if (spec->backend)
		add_option(text, "--backend", spec->backend);
	dump_controls(spec, "--require", is_required, text);
	dump_controls(spec, "--allow-missing", is_missable, text);
	if (spec->allow_userns)
		str_add(text, "--allow-userns\n");
	if (spec->new_session)
		str_add(text, "--new-session\n");
	if (spec->grace_ns)
		add_duration(text, "--grace", spec->grace_ns);
	for (i = 0; i < spec->pass_fds_count; i++)
		str_addf(text, "--pass-fd %d\n", spec->pass_fds[i]);
	if (spec->report)
		add_option(text, "--report", spec->report);
	if (spec->meta)
		add_option(text, "--meta", spec->meta);
	if (spec->id)
		add_option(text, "--id", spec->id);
	if (spec->quiet)
		str_add(text, "--quiet\n");
}

void spec_dump(const struct spec *spec, struct str *text)
{
	size_t i;

	for (i = 0; i < spec->fs_count; i++)
		dump_fs(&spec->fs[i], text);
	dump_env(spec, text);
	dump_identity(spec, text);
	dump_limits(spec, text);
	dump_run(spec, text);
	str_add(text, "--\n");
	for (i = 0; i < spec->command_count; i++) {
		add_word(text, spec->command[i]);
		str_add_char(text, '\n');
	}
}
