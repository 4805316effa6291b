/*
 * Setters of the environment, the network and the identity of COMMAND.
 */
#include "cli/apply.h"

#include <stdlib.h>
#include <string.h>

#include "core/host.h"
#include "core/value.h"

enum { ID_MAX = 0xfffffffeu };	/* the number above it means "no change" to the kernel */

/* Adds what one NAME=VALUE or NAME says; messages begin with `option`. */
static int add_env(struct apply *apply, const char *option, const char *word, struct err *err)
{
	size_t length = strcspn(word, "=");
	bool has_value = word[length] == '=';

	if (value_check_env_name(option, word, length, err) < 0)
		return -1;
	spec_add_env(apply->spec, has_value ? SPEC_ENV_SET : SPEC_ENV_PASS, word, length,
	    has_value ? word + length + 1 : NULL);
	return 0;
}

APPLY_SETTER(apply_env)
{
	return add_env(context, opt->name, values[0], err);
}

static int read_env_lines(struct apply *apply, struct str *text, struct err *err)
{
	char *at = text->data;
	char *end = at + text->length;

	for (size_t number = 1; at < end; number++) {
		char *line = at;
		char *newline = memchr(line, '\n', (size_t)(end - line));

		if (newline)
			*newline = '\0';
		at = newline ? newline + 1 : end;
		if (line[0] == '#' || line[strspn(line, " \t")] == '\0')
			continue;
		if (add_env(apply, "NAME", line, err) < 0)
			return err_wrap(err, "line %zu", number);
	}
	return 0;
}

static int read_env_text(struct apply *apply, struct str *text, struct err *err)
{
	if (text->length == 0)
		return 0;
	if (memchr(text->data, '\0', text->length))
		return err_set(err, ERR_USAGE, "holds a NUL byte");
	return read_env_lines(apply, text, err);
}

APPLY_SETTER(apply_env_file)
{
	struct str text = STR_INIT;
	char *shown = opt_show(values[0]);
	int result;

	result = host.read_input(opt->name, values[0], APPLY_INPUT_MAX, &text, err);
	if (result == 0) {
		result = read_env_text(context, &text, err);
		if (result < 0)
			err_wrap(err, "%s: %s", opt->name, shown);
	}
	str_free(&text);
	free(shown);
	return result;
}

APPLY_SETTER(apply_keep_env)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->spec->keep_env = true;
	return 0;
}

APPLY_SETTER(apply_net)
{
	struct apply *apply = context;

	if (strcmp(values[0], "none") == 0)
		apply->spec->network = SPEC_NETWORK_NONE;
	else if (strcmp(values[0], "host") == 0)
		apply->spec->network = SPEC_NETWORK_HOST;
	else
		return opt_refuse(err, opt->name, values[0], "is neither none nor host");
	return 0;
}

static int parse_id(const struct opt *opt, const char *word, uint32_t *id, bool *has_id,
    struct err *err)
{
	uint64_t number;

	if (value_parse_number(opt->name, word, 0, ID_MAX, &number, err) < 0)
		return -1;
	*id = (uint32_t)number;
	*has_id = true;
	return 0;
}

APPLY_SETTER(apply_uid)
{
	struct spec *spec = ((struct apply *)context)->spec;

	return parse_id(opt, values[0], &spec->uid, &spec->has_uid, err);
}

APPLY_SETTER(apply_gid)
{
	struct spec *spec = ((struct apply *)context)->spec;

	return parse_id(opt, values[0], &spec->gid, &spec->has_gid, err);
}

APPLY_SETTER(apply_hostname)
{
	struct apply *apply = context;

	if (value_check_hostname(opt->name, values[0], err) < 0)
		return -1;
	apply->spec->hostname = xstrdup(values[0]);
	return 0;
}

APPLY_SETTER(apply_chdir)
{
	struct apply *apply = context;

	return host.parse_path(opt->name, values[0], &apply->spec->chdir, err);
}

APPLY_SETTER(apply_cap_add)
{
	struct apply *apply = context;

	(void)opt;
	(void)err;
	str_list_add(&apply->spec->cap_add, values[0]);
	return 0;
}
