/*
 * Parsing words for the tests of the command line.
 */
#include "unit/cli_words.h"

#include <stdlib.h>
#include <string.h>

#include "unit/fake_host.h"
#include "unit/unit.h"

void cli_parse(struct parsed *parsed, const char *const *words)
{
	size_t count = 0;
	char **argv;

	while (words[count])
		count++;
	argv = xcalloc(count + 2, sizeof(*argv));
	argv[0] = xstrdup("nsbox");
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = xstrdup(words[i]);
	memset(parsed, 0, sizeof(*parsed));
	parsed->result = native_parse((int)count + 1, argv, &parsed->command, &parsed->err);
	for (size_t i = 0; i <= count; i++)
		free(argv[i]);
	free(argv);
}

void cli_free(struct parsed *parsed)
{
	native_free(&parsed->command);
	err_clear(&parsed->err);
}

char *cli_dump(const char *const *words)
{
	struct str text = STR_INIT;
	struct parsed parsed;

	cli_parse(&parsed, words);
	ck_assert_msg(parsed.result == 0, "refused: %s", parsed.err.message);
	ck_assert_msg(spec_check(&parsed.command.spec, &parsed.err) == 0, "checked: %s",
	    parsed.err.message);
	spec_dump(&parsed.command.spec, &text);
	cli_free(&parsed);
	return str_take(&text);
}

void cli_expect_refusal(const char *const *words, const char *text)
{
	struct parsed parsed;

	cli_parse(&parsed, words);
	ck_assert_msg(parsed.result == -1, "not refused; expected: %s", text);
	ck_assert_int_eq(parsed.err.kind, ERR_USAGE);
	ck_assert_msg(strstr(parsed.err.message, text) != NULL, "\"%s\" does not hold \"%s\"",
	    parsed.err.message, text);
	ck_assert_msg(!strchr(parsed.err.message, '\n'), "a newline in the message");
	cli_free(&parsed);
}

int cli_run_tests(const char *name, const TTest *const *tests)
{
	size_t count = 0;

	while (tests[count])
		count++;
	return unit_run_between(name, tests, count, fake_host_reset);
}
