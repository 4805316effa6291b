/*
 * The text of --help: how it is called, one example that works as pasted, and
 * the table's rows by group. What it says of an option is the row's own text.
 */
#include "cli/help.h"

#include <string.h>

#include "core/control.h"

enum {
	HELP_WIDTH = 79,
	HELP_COLUMN = 30,	/* where the descriptions begin */
	HELP_GAP = 2
};

static void add_spaces(struct str *text, size_t count)
{
	while (count-- > 0)
		str_add_char(text, ' ');
}

/* Appends words, broken into lines that begin at column `indent`; *column is where the text is. */
static void add_wrapped(struct str *text, const char *words, size_t indent, size_t *column)
{
	while (*words != '\0') {
		size_t length = strcspn(words, " ");

		if (*column > indent && *column + 1 + length > HELP_WIDTH) {
			str_add_char(text, '\n');
			add_spaces(text, indent);
			*column = indent;
		} else if (*column > indent) {
			str_add_char(text, ' ');
			(*column)++;
		}
		str_add_bytes(text, words, length);
		*column += length;
		words += length;
		words += strspn(words, " ");
	}
}

static void add_row(struct str *text, const struct opt *row)
{
	size_t start = text->length;
	size_t column;

	str_addf(text, "  %s%s%s", row->name, row->metavars ? " " : "",
	    row->metavars ? row->metavars : "");
	column = text->length - start;
	if (column + HELP_GAP > HELP_COLUMN) {
		str_add_char(text, '\n');
		column = 0;
	}
	add_spaces(text, HELP_COLUMN - column);
	column = HELP_COLUMN;
	add_wrapped(text, row->help, HELP_COLUMN, &column);
	str_add_char(text, '\n');
}

static void add_controls(struct str *text)
{
	size_t column = 2;

	str_add(text, "\nControls, for --require and --allow-missing:\n  ");
	for (int i = 0; i < CONTROL_COUNT; i++)
		add_wrapped(text, control_name((enum control)i), 2, &column);
	str_add_char(text, '\n');
}

void help_text(const struct opt *rows, size_t count, struct str *text)
{
	const char *group = NULL;

	str_add(text, "Usage: nsbox [OPTION]... [--] COMMAND [ARG]...\n"
	    "Run COMMAND in a sandbox of its own that is gone afterwards. For example:\n"
	    "  nsbox --ro /usr -- python3 -c 'print(\"hello\")'\n");
	for (size_t i = 0; i < count; i++) {
		if (!group || strcmp(group, rows[i].group) != 0)
			str_addf(text, "\n%s:\n", rows[i].group);
		group = rows[i].group;
		add_row(text, &rows[i]);
	}
	add_controls(text);
	str_add(text, "\nThe exit status is the command's own, 128+N where signal N ended it, or of\n"
	    "nsbox: 124 time limit, 125 failed or refused, 126 cannot be executed, 127 not\n"
	    "found. More is in nsbox(1), and about the report in nsbox-report(5).\n");
}
