/*
 * The usage and the options of bubblewrap's command line. Clients look here for the names
 * of options to learn what they may use, so that all have to be in it.
 */
#include "cli/bwrap.h"

#include <string.h>

enum { HELP_COLUMN = 33 };

void bwrap_help(const char *name, struct str *text)
{
	size_t count;
	const struct opt *rows = bwrap_options(&count);

	str_addf(text, "usage: %s [OPTIONS...] [--] COMMAND [ARGS...]\n\n", name);
	for (size_t i = 0; i < count; i++) {
		size_t start = text->length;

		str_addf(text, "    %s%s%s ", rows[i].name, rows[i].metavars ? " " : "",
		    rows[i].metavars ? rows[i].metavars : "");
		while (text->length - start < HELP_COLUMN)
			str_add_char(text, ' ');
		str_addf(text, "%s\n", rows[i].help);
	}
	str_add(text, "\nThis is nsbox, which understands the command line of bubblewrap " BWRAP_VERSION ".\n"
	    "nsbox-bwrap(1) says where it differs.\n");
}
