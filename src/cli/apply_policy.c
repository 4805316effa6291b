/*
 * Setters of policy, report and input, and of the options that ask for
 * something else than a run.
 */
#include "cli/apply.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args_text.h"
#include "core/control.h"
#include "core/host.h"
#include "core/value.h"

enum {
	PASS_FD_MIN = 3,	/* the three below are COMMAND's anyway */
	ID_LENGTH_MAX = 128
};

APPLY_SETTER(apply_backend)
{
	struct apply *apply = context;

	(void)opt;
	(void)err;
	if (strcmp(values[0], "auto") != 0)
		apply->spec->backend = xstrdup(values[0]);
	return 0;
}

static int refuse_control(const struct opt *opt, const char *name, size_t length,
    struct err *err)
{
	char *word = xstrndup(name, length);
	struct str known = STR_INIT;

	for (int i = 0; i < CONTROL_COUNT; i++) {
		str_add_char(&known, ' ');
		str_add(&known, control_name((enum control)i));
	}
	opt_refuse(err, opt->name, word, "is no control; the controls are%s", str_text(&known));
	str_free(&known);
	free(word);
	return -1;
}

/* Finds the control that begins at *at, and moves *at to the next one, NULL behind the last. */
static int next_control(const struct opt *opt, const char **at, enum control *control,
    struct err *err)
{
	const char *name = *at;
	size_t length = strcspn(name, ",");

	*control = control_find(name, length);
	if (*control == CONTROL_COUNT)
		return refuse_control(opt, name, length, err);
	*at = name[length] == ',' ? name + length + 1 : NULL;
	return 0;
}

APPLY_SETTER(apply_require)
{
	struct apply *apply = context;
	const char *at = values[0];
	enum control control;

	while (at) {
		if (next_control(opt, &at, &control, err) < 0)
			return -1;
		apply->spec->policy[control].required = true;
	}
	return 0;
}

APPLY_SETTER(apply_allow_missing)
{
	struct apply *apply = context;
	const char *at = values[0];
	enum control control;

	while (at) {
		if (next_control(opt, &at, &control, err) < 0)
			return -1;
		apply->spec->policy[control].may_miss = true;
	}
	return 0;
}

APPLY_SETTER(apply_allow_userns)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->spec->allow_userns = true;
	return 0;
}

APPLY_SETTER(apply_grace)
{
	struct apply *apply = context;

	return value_parse_duration(opt->name, values[0], &apply->spec->grace_ns, err);
}

APPLY_SETTER(apply_new_session)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->spec->new_session = true;
	return 0;
}

APPLY_SETTER(apply_pass_fd)
{
	struct apply *apply = context;
	uint64_t number;

	if (value_parse_number(opt->name, values[0], PASS_FD_MIN, INT_MAX, &number, err) < 0)
		return -1;
	spec_add_pass_fd(apply->spec, (int)number);
	return 0;
}

APPLY_SETTER(apply_report)
{
	struct apply *apply = context;

	if (apply_check_fd(opt, values[0], err) < 0)
		return -1;
	apply->spec->report = xstrdup(values[0]);
	return 0;
}

APPLY_SETTER(apply_id)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
	struct apply *apply = context;
	size_t length = strlen(values[0]);

	if (length > ID_LENGTH_MAX || strspn(values[0], allowed) != length)
		return opt_refuse(err, opt->name, values[0],
		    "is not 1 to %d letters, digits and . _ : -", ID_LENGTH_MAX);
	apply->spec->id = xstrdup(values[0]);
	return 0;
}

APPLY_SETTER(apply_quiet)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->spec->quiet = true;
	return 0;
}

APPLY_SETTER(apply_args)
{
	struct apply *apply = context;
	struct str text = STR_INIT;
	char *shown;
	int result;

	if (apply->in_args)
		return err_set(err, ERR_USAGE, "%s: cannot be given in an argument file", opt->name);
	shown = opt_show(values[0]);
	apply->in_args = true;
	result = host.read_input(opt->name, values[0], APPLY_INPUT_MAX, &text, err);
	if (result == 0) {
		result = args_text_read(apply->parser, &text, err);
		if (result < 0)
			err_wrap(err, "%s: %s", opt->name, shown);
	}
	apply->in_args = false;
	str_free(&text);
	free(shown);
	return result;
}

APPLY_SETTER(apply_json)
{
	struct apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	apply->json = true;
	return 0;
}

APPLY_SETTER(apply_verb)
{
	struct apply *apply = context;

	(void)values;
	(void)err;
	apply->verb = (enum native_verb)opt->detail;
	/* What asks for a text gets it, whatever else is on the command line. */
	return apply->verb == NATIVE_VERSION || apply->verb == NATIVE_HELP ? 1 : 0;
}
