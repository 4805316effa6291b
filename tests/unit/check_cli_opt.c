/*
 * The option engine, with a table of its own.
 */
#include "cli/opt.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"

/* What the setters saw, as "option:value:value;" in order, and the command as "[word]". */
static struct str seen = STR_INIT;

static int record(void *context, const struct opt *opt, const char *const *values,
    struct err *err)
{
	ck_assert_ptr_eq(context, &seen);
	str_add(&seen, opt->name);
	for (unsigned i = 0; i < opt->values; i++)
		str_addf(&seen, ":%s", values[i]);
	str_add_char(&seen, ';');
	if (opt->detail < 0)
		return err_set(err, ERR_SETUP, "%s: said no", opt->name);
	return opt->detail;
}

static int record_word(void *context, const char *word, bool first, struct err *err)
{
	(void)err;
	ck_assert_ptr_eq(context, &seen);
	str_addf(&seen, first ? "[%s|" : "%s|", word);
	return 0;
}

static const struct opt table[] = {
	{ "--flag", 0, NULL, "A", OPT_ONCE, 0, record, "a flag" },
	{ "--one", 1, "X", "A", OPT_REPEAT, 0, record, "one value" },
	{ "--two", 2, "SRC DEST", "A", OPT_REPEAT, 0, record, "two values" },
	{ "--three", 3, "A B C", "B", OPT_ONCE, 0, record, "three values" },
	{ "--two-try", 2, "SRC DEST", "B", OPT_REPEAT, 0, record, "two values" },
	{ "--no", 0, NULL, "B", OPT_REPEAT, -1, record, "fails" },
	{ "--stop", 0, NULL, "B", OPT_REPEAT, 1, record, "ends it" },
};

static int feed(const char *const *words, struct err *err)
{
	struct opt_parser parser;
	struct opt_input input;
	int result = 0;

	str_free(&seen);
	opt_parser_init(&parser, table, sizeof(table) / sizeof(table[0]));
	parser.context = &seen;
	parser.word = record_word;
	opt_input_init(&input, &parser);
	for (; result == 0 && *words; words++)
		result = opt_word(&input, *words, err);
	if (result == 0)
		result = opt_end(&input, err);
	opt_parser_free(&parser);
	return result;
}

static void expect(const char *expected, const char *const *words)
{
	struct err err = ERR_INIT;
	int result = feed(words, &err);

	ck_assert_msg(result >= 0, "refused: %s", err.message);
	ck_assert_str_eq(str_text(&seen), expected);
	err_clear(&err);
	str_free(&seen);
}

static void refused(const char *message, const char *const *words)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(feed(words, &err), -1);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_str_eq(err.message, message);
	err_clear(&err);
	str_free(&seen);
}

START_TEST(an_option_takes_as_many_values_as_its_row_says)
{
	expect("--flag;--one:a;--two:b:c;--three:d:e:f;",
	    WORDS("--flag", "--one", "a", "--two", "b", "c", "--three", "d", "e", "f"));
	expect("", WORDS(NULL));
}
END_TEST

START_TEST(the_first_value_may_be_joined_to_the_name)
{
	expect("--one:a;--two:b:c;--one:d=e;", WORDS("--one=a", "--two=b", "c", "--one=d=e"));
}
END_TEST

START_TEST(a_value_may_look_like_an_option)
{
	expect("--one:--flag;--one:--;--one:-;", WORDS("--one", "--flag", "--one", "--", "--one=-"));
}
END_TEST

START_TEST(options_end_at_two_dashes)
{
	expect("--flag;[--one|a|--|", WORDS("--flag", "--", "--one", "a", "--"));
	expect("", WORDS("--"));
	expect("[||", WORDS("--", "", ""));
}
END_TEST

START_TEST(options_end_at_the_first_word_without_a_dash)
{
	expect("--flag;[cmd|--flag|--unknown|--|", WORDS("--flag", "cmd", "--flag", "--unknown", "--"));
}
END_TEST

START_TEST(an_empty_word_is_no_command)
{
	refused("an empty word stands where an option or the command is expected", WORDS(""));
}
END_TEST

START_TEST(an_unknown_option_is_refused_with_the_nearest_name)
{
	refused("unknown option --flog (did you mean --flag?)", WORDS("--flog"));
	refused("unknown option --fla (did you mean --flag?)", WORDS("--fla=x"));
	refused("unknown option -flag (did you mean --flag?)", WORDS("-flag"));
	refused("unknown option --two-tyr (did you mean --two-try?)", WORDS("--two-tyr", "a"));
	refused("unknown option --on (did you mean --one?)", WORDS("--on"));
}
END_TEST

START_TEST(an_unknown_option_that_is_near_to_none_gets_no_hint)
{
	refused("unknown option --elephant", WORDS("--elephant"));
	refused("unknown option -h", WORDS("-h"));
	refused("unknown option -", WORDS("-"));
	refused("unknown option --", WORDS("--=x"));
	refused("unknown option ---", WORDS("---"));
}
END_TEST

START_TEST(a_name_is_never_abbreviated)
{
	refused("unknown option --thr (did you mean --two?)", WORDS("--thr", "a", "b", "c"));
	refused("unknown option --two-t (did you mean --two?)", WORDS("--two-t", "a", "b"));
	refused("unknown option --Flag (did you mean --flag?)", WORDS("--Flag"));
	refused("unknown option --flag  (did you mean --flag?)", WORDS("--flag "));
}
END_TEST

START_TEST(a_missing_value_is_refused_by_its_name)
{
	refused("--one: X is missing", WORDS("--one"));
	refused("--two: SRC is missing", WORDS("--two"));
	refused("--two: DEST is missing", WORDS("--two", "a"));
	refused("--two: DEST is missing", WORDS("--two=a"));
	refused("--three: C is missing", WORDS("--three", "a", "b"));
}
END_TEST

START_TEST(an_empty_value_is_refused_by_its_name)
{
	refused("--one: X is empty", WORDS("--one", ""));
	refused("--one: X is empty", WORDS("--one="));
	refused("--two: DEST is empty", WORDS("--two", "a", ""));
	refused("--three: B is empty", WORDS("--three=a", "", "c"));
}
END_TEST

START_TEST(a_flag_takes_no_value)
{
	refused("--flag: takes no value", WORDS("--flag=x"));
	refused("--flag: takes no value", WORDS("--flag="));
}
END_TEST

START_TEST(what_may_be_given_once_is_refused_twice)
{
	refused("--flag: given more than once", WORDS("--flag", "--one", "a", "--flag"));
	refused("--three: given more than once", WORDS("--three", "a", "b", "c", "--three=d"));
	expect("--one:a;--one:a;", WORDS("--one", "a", "--one", "a"));
}
END_TEST

START_TEST(a_setter_that_fails_ends_it)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(feed(WORDS("--no", "--flag"), &err), -1);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	ck_assert_str_eq(str_text(&seen), "--no;");
	err_clear(&err);
	str_free(&seen);
}
END_TEST

START_TEST(a_setter_may_end_it_without_an_error)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(feed(WORDS("--stop", "--elephant"), &err), 1);
	ck_assert_str_eq(str_text(&seen), "--stop;");
	str_free(&seen);
}
END_TEST

START_TEST(a_message_shows_control_characters_and_obeys_none)
{
	refused("unknown option --\\x1b[31m\\x0a\\xff", WORDS("--\x1b[31m\n\xff"));
}
END_TEST

START_TEST(a_mebibyte_of_option_is_shown_in_part)
{
	char *word = xcalloc((1 << 20) + 1, 1);
	struct err err = ERR_INIT;

	memset(word, 'a', 1 << 20);
	memcpy(word, "--", 2);
	ck_assert_int_eq(feed(WORDS(word), &err), -1);
	ck_assert_uint_lt(strlen(err.message), 300);
	ck_assert_ptr_nonnull(strstr(err.message, "aaa..."));
	err_clear(&err);
	ck_assert_int_eq(opt_refuse(&err, "--x", word, "is %s", "long"), -1);
	ck_assert_uint_lt(strlen(err.message), 300);
	ck_assert_ptr_nonnull(strstr(err.message, "aaa...' is long"));
	err_clear(&err);
	free(word);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_option_takes_as_many_values_as_its_row_says,
		the_first_value_may_be_joined_to_the_name,
		a_value_may_look_like_an_option,
		options_end_at_two_dashes,
		options_end_at_the_first_word_without_a_dash,
		an_empty_word_is_no_command,
		an_unknown_option_is_refused_with_the_nearest_name,
		an_unknown_option_that_is_near_to_none_gets_no_hint,
		a_name_is_never_abbreviated,
		a_missing_value_is_refused_by_its_name,
		an_empty_value_is_refused_by_its_name,
		a_flag_takes_no_value,
		what_may_be_given_once_is_refused_twice,
		a_setter_that_fails_ends_it,
		a_setter_may_end_it_without_an_error,
		a_message_shows_control_characters_and_obeys_none,
		a_mebibyte_of_option_is_shown_in_part,
		NULL
	};

	return cli_run_tests("cli_opt", tests);
}
