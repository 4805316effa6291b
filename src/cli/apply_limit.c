/*
 * Setters of limits and of the scratch.
 */
#include "cli/apply.h"

#include <stdlib.h>
#include <string.h>

#include "core/value.h"

enum {
	PIDS_MAX = 4194304,		/* PID_MAX_LIMIT of the kernel */
	CPUS_MILLI_MAX = 1000000	/* a thousand processors */
};

APPLY_SETTER(apply_wall)
{
	struct apply *apply = context;

	return value_parse_duration(opt->name, values[0], &apply->spec->limits.wall_ns, err);
}

APPLY_SETTER(apply_cpu)
{
	struct apply *apply = context;

	return value_parse_duration(opt->name, values[0], &apply->spec->limits.cpu_ns, err);
}

APPLY_SETTER(apply_mem)
{
	struct apply *apply = context;

	return value_parse_size(opt->name, values[0], &apply->spec->limits.mem_bytes, err);
}

APPLY_SETTER(apply_pids)
{
	struct apply *apply = context;

	return value_parse_number(opt->name, values[0], 1, PIDS_MAX, &apply->spec->limits.pids, err);
}

APPLY_SETTER(apply_cpus)
{
	struct apply *apply = context;

	return value_parse_milli(opt->name, values[0], CPUS_MILLI_MAX,
	    &apply->spec->limits.cpus_milli, err);
}

APPLY_SETTER(apply_out_max)
{
	struct apply *apply = context;

	return value_parse_size(opt->name, values[0], &apply->spec->limits.output_bytes, err);
}

APPLY_SETTER(apply_out_max_each)
{
	struct apply *apply = context;

	return value_parse_size(opt->name, values[0], &apply->spec->limits.output_each_bytes, err);
}

/* One value of --rlimit: "unlimited", 0, or a number with or without a unit of bytes. */
static int parse_rlimit_value(const char *option, const char *word, uint64_t *value,
    struct err *err)
{
	if (strcmp(word, "unlimited") == 0) {
		*value = UINT64_MAX;
		return 0;
	}
	if (strcmp(word, "0") == 0) {
		*value = 0;
		return 0;
	}
	return value_parse_size(option, word, value, err);
}

APPLY_SETTER(apply_rlimit)
{
	struct apply *apply = context;
	size_t length = strcspn(values[0], "=");
	uint64_t soft, hard;
	char *text, *colon;
	int result;

	if (length == 0 || values[0][length] == '\0')
		return opt_refuse(err, opt->name, values[0], "is not of the form NAME=SOFT[:HARD]");
	text = xstrdup(values[0] + length + 1);
	colon = strchr(text, ':');
	if (colon != NULL)
		*colon++ = '\0';
	result = parse_rlimit_value(opt->name, text, &soft, err);
	hard = soft;
	if (result == 0 && colon != NULL)
		result = parse_rlimit_value(opt->name, colon, &hard, err);
	if (result == 0 && soft > hard)
		result = opt_refuse(err, opt->name, values[0], "has a soft limit above the hard one");
	if (result == 0)
		spec_add_rlimit(apply->spec, values[0], length, soft, hard);
	free(text);
	return result;
}

APPLY_SETTER(apply_scratch_size)
{
	struct apply *apply = context;

	return value_parse_size(opt->name, values[0], &apply->spec->scratch_bytes, err);
}

APPLY_SETTER(apply_scratch_inodes)
{
	struct apply *apply = context;

	return value_parse_number(opt->name, values[0], 1, INT64_MAX, &apply->spec->scratch_inodes, err);
}

APPLY_SETTER(apply_scratch_dir)
{
	struct apply *apply = context;

	return value_parse_source(opt->name, values[0], &apply->spec->scratch_dir, err);
}

APPLY_SETTER(apply_scratch_use)
{
	struct apply *apply = context;

	return value_parse_source(opt->name, values[0], &apply->spec->scratch_use, err);
}

APPLY_SETTER(apply_keep_scratch)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->spec->keep_scratch = true;
	return 0;
}

APPLY_SETTER(apply_meta)
{
	struct apply *apply = context;

	/* Descriptors have to be kept from the command, and events to be told: --report. */
	if (str_has_prefix(values[0], "fd:"))
		return opt_refuse(err, opt->name, values[0],
		    "is a descriptor; only a file can be named (./%s)", values[0]);
	return value_parse_source(opt->name, values[0], &apply->spec->meta, err);
}
