/*
 * For tests of the native command line: parses words and judges the outcome.
 * The words are copied and freed again before the outcome is looked at, so that
 * a sanitizer sees a spec that still points into them.
 */
#ifndef NSBOX_TESTS_UNIT_CLI_WORDS_H
#define NSBOX_TESTS_UNIT_CLI_WORDS_H

#include <check.h>

#include "cli/native.h"

struct parsed {
	struct native_command command;
	struct err err;
	int result;
};

/* `words` ends in NULL and lacks the program's name. */
void cli_parse(struct parsed *parsed, const char *const *words);
void cli_free(struct parsed *parsed);

/* The canonical text of what the words ask for; owned. Fails the test where they are refused. */
char *cli_dump(const char *const *words);

/* Fails the test unless the words are refused as wrong usage with a message that holds `text`. */
void cli_expect_refusal(const char *const *words, const char *text);

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define REFUSED(text, ...) cli_expect_refusal(WORDS(__VA_ARGS__), text)

/* Parses, fails the test where that is refused. */
#define ACCEPTED(parsed, ...) do { \
	cli_parse(parsed, WORDS(__VA_ARGS__)); \
	ck_assert_msg((parsed)->result == 0, "refused: %s", (parsed)->err.message); \
} while (0)

/* The dump of the words is this text. */
#define DUMPS(text, ...) do { \
	char *dump_ = cli_dump(WORDS(__VA_ARGS__)); \
	ck_assert_str_eq(dump_, text); \
	free(dump_); \
} while (0)

/* Runs the only suite of a test program; returns its exit status. */
int cli_run_tests(const char *name, const TTest *const *tests);

#endif
