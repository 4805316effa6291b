/*
 * The text of --help, and what the table owes to it.
 */
#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

#include "core/control.h"
#include "unit/cli_words.h"

static char *make_help(void)
{
	struct str text = STR_INIT;
	size_t count;
	const struct opt *rows = native_options(&count);

	help_text(rows, count, &text);
	return str_take(&text);
}

START_TEST(no_line_is_wider_than_a_terminal)
{
	char *text = make_help();
	const char *line = text;

	while (*line != '\0') {
		size_t length = strcspn(line, "\n");

		ck_assert_msg(length < 80, "%.*s", (int)length, line);
		ck_assert_msg(length == 0 || line[length - 1] != ' ', "blank at end: %.*s", (int)length, line);
		line += length + 1;
	}
	free(text);
}
END_TEST

START_TEST(it_begins_with_the_usage_and_an_example)
{
	char *text = make_help();

	ck_assert(str_has_prefix(text, "Usage: nsbox [OPTION]... [--] COMMAND [ARG]...\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n  nsbox --ro /usr -- python3 -c 'print(\"hello\")'\n"));
	ck_assert_ptr_nonnull(strstr(text, "nsbox(1)"));
	free(text);
}
END_TEST

START_TEST(every_option_is_in_it_once)
{
	char *text = make_help();
	size_t count;
	const struct opt *rows = native_options(&count);

	for (size_t i = 0; i < count; i++) {
		char *start = xasprintf("\n  %s%s%s", rows[i].name, rows[i].metavars ? " " : "",
		    rows[i].metavars ? rows[i].metavars : "");
		const char *found = strstr(text, start);

		ck_assert_msg(found != NULL, "%s is missing", rows[i].name);
		ck_assert(strchr(" \n", found[strlen(start)]) != NULL);
		ck_assert_ptr_null(strstr(found + 1, start));
		free(start);
	}
	free(text);
}
END_TEST

START_TEST(every_control_is_in_it)
{
	char *text = make_help();

	for (int i = 0; i < CONTROL_COUNT; i++)
		ck_assert_ptr_nonnull(strstr(text, control_name((enum control)i)));
	free(text);
}
END_TEST

START_TEST(the_rows_are_sound)
{
	size_t count;
	const struct opt *rows = native_options(&count);

	for (size_t i = 0; i < count; i++) {
		const char *metavars = rows[i].metavars;
		unsigned words = metavars ? 1 : 0;

		for (; metavars && *metavars; metavars++)
			words += *metavars == ' ';
		ck_assert(str_has_prefix(rows[i].name, "--"));
		ck_assert_ptr_null(strchr(rows[i].name, '='));
		ck_assert_uint_le(rows[i].values, OPT_VALUES_MAX);
		ck_assert_msg(rows[i].values == words, "%s: metavars", rows[i].name);
		ck_assert_msg(rows[i].help[strlen(rows[i].help) - 1] != '.', "%s: full stop", rows[i].name);
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(rows[i].name, rows[j].name);
	}
}
END_TEST

START_TEST(rows_of_a_group_stand_together)
{
	size_t count;
	const struct opt *rows = native_options(&count);

	for (size_t i = 1; i < count; i++) {
		if (strcmp(rows[i].group, rows[i - 1].group) == 0)
			continue;
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(rows[i].group, rows[j].group);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		no_line_is_wider_than_a_terminal,
		it_begins_with_the_usage_and_an_example,
		every_option_is_in_it_once,
		every_control_is_in_it,
		the_rows_are_sound,
		rows_of_a_group_stand_together,
		NULL
	};

	return cli_run_tests("cli_help", tests);
}
