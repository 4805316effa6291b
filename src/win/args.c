/*
 * Composing a command line (args.h).
 *
 * The first word is parsed by other rules than the rest: quotes around it, and
 * nothing escapes. In the others a quote is escaped by a backslash, and
 * backslashes are doubled where a quote follows. `""` within quotes, on which
 * the parsers differ, is never written.
 */
#include "win/args.h"

#include <stdint.h>
#include <string.h>

enum {
	LINE_MAX_UNITS = 32766,		/* UTF-16, without the NUL */
	SHOWN_MAX = 200
};

/* How many UTF-16 units a valid UTF-8 text takes; SIZE_MAX where it is not valid. */
static size_t count_units(const char *text)
{
	size_t left = strlen(text);
	size_t units = 0;

	while (left > 0) {
		size_t length = str_utf8_length(text, left);

		if (length == 0)
			return SIZE_MAX;
		units += length == 4 ? 2 : 1;
		text += length;
		left -= length;
	}
	return units;
}

static int add_program(const char *word, struct str *line, struct err *err)
{
	if (strchr(word, '"'))
		return err_set(err, ERR_USAGE, "COMMAND has a '\"' in it, which no file name of Windows has");
	str_addf(line, "\"%s\"", word);
	return 0;
}

static void add_word(const char *word, struct str *line)
{
	size_t backslashes = 0;

	str_add_char(line, ' ');
	if (*word && !strpbrk(word, " \t\n\v\"")) {
		str_add(line, word);
		return;
	}
	str_add_char(line, '"');
	for (; *word; word++) {
		/* Those right before a quote are doubled, and one more makes the quote a plain one. */
		for (size_t i = 0; *word == '"' && i <= backslashes; i++)
			str_add_char(line, '\\');
		backslashes = *word == '\\' ? backslashes + 1 : 0;
		str_add_char(line, *word);
	}
	while (backslashes-- > 0)
		str_add_char(line, '\\');
	str_add_char(line, '"');
}

int args_join(char *const *words, struct str *line, struct err *err)
{
	for (char *const *word = words; *word; word++) {
		if (count_units(*word) == SIZE_MAX) {
			struct str shown = STR_INIT;

			str_add_printable(&shown, *word, SHOWN_MAX);
			err_set(err, ERR_USAGE, "the word '%s' of COMMAND is not valid UTF-8", str_text(&shown));
			str_free(&shown);
			return -1;
		}
		if (word == words) {
			if (add_program(*word, line, err) < 0)
				return -1;
		} else {
			add_word(*word, line);
		}
	}
	if (count_units(str_text(line)) > LINE_MAX_UNITS)
		return err_set(err, ERR_USAGE, "COMMAND and its arguments are longer than the %d "
		    "characters that Windows passes", LINE_MAX_UNITS);
	return 0;
}
