/*
 * The option engine: one state machine for words from wherever they come. It
 * refuses what it cannot place and never guesses; the nearest name is a hint
 * in the message, not something that is acted upon.
 */
#include "cli/opt.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

enum {
	NEAR_LENGTH_MAX = 32,	/* no option is nearly as long */
	NEAR_DISTANCE_MAX = 2
};

void opt_parser_init(struct opt_parser *parser, const struct opt *rows, size_t count)
{
	memset(parser, 0, sizeof(*parser));
	parser->rows = rows;
	parser->count = count;
	parser->seen = xcalloc(count, sizeof(*parser->seen));
}

void opt_parser_free(struct opt_parser *parser)
{
	free(parser->seen);
	parser->seen = NULL;
}

void opt_input_init(struct opt_input *input, struct opt_parser *parser)
{
	memset(input, 0, sizeof(*input));
	input->parser = parser;
}

char *opt_show(const char *text)
{
	struct str shown = STR_INIT;

	str_add_char(&shown, '\'');
	str_add_printable(&shown, text, OPT_SHOWN_MAX);
	str_add_char(&shown, '\'');
	return str_take(&shown);
}

int opt_refuse(struct err *err, const char *option, const char *word, const char *why, ...)
{
	char *shown = opt_show(word);
	va_list args;
	char *text;

	va_start(args, why);
	text = xvasprintf(why, args);
	va_end(args);
	err_set(err, ERR_USAGE, "%s: %s %s", option, shown, text);
	free(text);
	free(shown);
	return -1;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many bytes have to be inserted, removed or replaced; `length` <= NEAR_LENGTH_MAX. */
static size_t edit_distance(const char *word, size_t length, const char *name)
{
	size_t costs[NEAR_LENGTH_MAX + 1];

	for (size_t i = 0; i <= length; i++)
		costs[i] = i;
	for (size_t row = 1; name[row - 1] != '\0'; row++) {
		size_t diagonal = costs[0];

		costs[0] = row;
		for (size_t i = 1; i <= length; i++) {
			size_t above = costs[i];

			costs[i] = smallest(above + 1, costs[i - 1] + 1,
			    diagonal + (word[i - 1] != name[row - 1]));
			diagonal = above;
		}
	}
	return costs[length];
}

/* The option that a mistyped name most likely meant, NULL where none is close. */
static const char *nearest_name(const struct opt_parser *parser, const char *word, size_t length)
{
	const char *nearest = NULL;
	size_t least = NEAR_DISTANCE_MAX + 1;

	if (length > NEAR_LENGTH_MAX)
		return NULL;
	for (size_t i = 0; i < parser->count; i++) {
		size_t distance = edit_distance(word, length, parser->rows[i].name);

		/* Of a name of two letters nothing is left after two changes. */
		if (distance < least && distance + 2 < length) {
			least = distance;
			nearest = parser->rows[i].name;
		}
	}
	return nearest;
}

static int refuse_unknown(const struct opt_parser *parser, const char *word, size_t length,
    struct err *err)
{
	const char *nearest = nearest_name(parser, word, length);
	char *name = xstrndup(word, length);
	struct str shown = STR_INIT;

	str_add_printable(&shown, name, OPT_SHOWN_MAX);
	err_set(err, ERR_USAGE, "unknown option %s", str_text(&shown));
	str_free(&shown);
	free(name);
	if (nearest)
		err_hint(err, "did you mean %s?", nearest);
	return -1;
}

static const struct opt *find_row(const struct opt_parser *parser, const char *name,
    size_t length)
{
	for (size_t i = 0; i < parser->count; i++) {
		const struct opt *row = &parser->rows[i];

		if (strncmp(row->name, name, length) == 0 && row->name[length] == '\0')
			return row;
	}
	return NULL;
}

/* The metavariable of value number `number`; returns its length. */
static int find_metavar(const struct opt *row, unsigned number, const char **start)
{
	const char *at = row->metavars;

	while (number-- > 0)
		at += strcspn(at, " ") + 1;
	*start = at;
	return (int)strcspn(at, " ");
}

static int finish_option(struct opt_input *input, struct err *err)
{
	const struct opt *row = input->open;

	input->open = NULL;
	return row->set(input->parser->context, row, input->values, err);
}

static int take_value(struct opt_input *input, const char *word, struct err *err)
{
	const struct opt *row = input->open;
	const char *metavar;

	if (word[0] == '\0') {
		int length = find_metavar(row, input->values_count, &metavar);

		return err_set(err, ERR_USAGE, "%s: %.*s is empty", row->name, length, metavar);
	}
	input->values[input->values_count++] = word;
	return opt_missing(input) > 0 ? 0 : finish_option(input, err);
}

static int take_option(struct opt_input *input, const char *word, struct err *err)
{
	struct opt_parser *parser = input->parser;
	size_t length = strcspn(word, "=");
	const struct opt *row = find_row(parser, word, length);
	bool *seen;

	if (!row)
		return refuse_unknown(parser, word, length, err);
	seen = &parser->seen[row - parser->rows];
	if (*seen && row->repeat == OPT_ONCE)
		return err_set(err, ERR_USAGE, "%s: given more than once", row->name);
	*seen = true;
	input->open = row;
	input->values_count = 0;
	if (word[length] == '=') {
		if (row->values == 0)
			return err_set(err, ERR_USAGE, "%s: takes no value", row->name);
		return take_value(input, word + length + 1, err);
	}
	return row->values > 0 ? 0 : finish_option(input, err);
}

static int take_command_word(struct opt_input *input, const char *word, struct err *err)
{
	bool first = !input->has_word;

	input->has_word = true;
	return input->parser->word(input->parser->context, word, first, err);
}

int opt_word(struct opt_input *input, const char *word, struct err *err)
{
	if (input->open)
		return take_value(input, word, err);
	if (input->in_command)
		return take_command_word(input, word, err);
	if (word[0] == '\0')
		return err_set(err, ERR_USAGE,
		    "an empty word stands where an option or the command is expected");
	if (strcmp(word, "--") == 0) {
		input->in_command = true;
		return 0;
	}
	if (word[0] == '-')
		return take_option(input, word, err);
	input->in_command = true;
	return take_command_word(input, word, err);
}

unsigned opt_missing(const struct opt_input *input)
{
	return input->open ? input->open->values - input->values_count : 0;
}

int opt_end(const struct opt_input *input, struct err *err)
{
	const char *metavar;
	int length;

	if (!input->open)
		return 0;
	length = find_metavar(input->open, input->values_count, &metavar);
	return err_set(err, ERR_USAGE, "%s: %.*s is missing", input->open->name, length, metavar);
}
