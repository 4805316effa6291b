/*
 * Argument files: both forms, quoting, and what is refused in them. They are
 * read through --args, so that its messages are seen too.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"
#include "unit/fake_host.h"

/* The dump of `--args f` where f holds this text. */
static void dumps(const char *expected, const char *text)
{
	fake_host_reset();
	fake_host_add_text("f", text);
	DUMPS(expected, "--args", "f");
}

static void dumps_bytes(const char *expected, const void *bytes, size_t length)
{
	fake_host_reset();
	fake_host_add_file("f", bytes, length);
	DUMPS(expected, "--args", "f");
}

static void refused(const char *message, const char *text)
{
	fake_host_reset();
	fake_host_add_text("f", text);
	REFUSED(message, "--args", "f", "--", "true");
}

static void refused_bytes(const char *message, const void *bytes, size_t length)
{
	fake_host_reset();
	fake_host_add_file("f", bytes, length);
	REFUSED(message, "--args", "f", "--", "true");
}

#define DUMPS_BYTES(expected, literal) dumps_bytes(expected, literal, sizeof(literal) - 1)
#define REFUSED_BYTES(message, literal) refused_bytes(message, literal, sizeof(literal) - 1)

START_TEST(a_line_holds_an_option_and_its_values)
{
	dumps("--ro /usr\n--ro-bind /a /b\n--keep-env\n--\ntrue\n",
	    "--ro /usr\n--ro-bind /a /b\n--keep-env\n--\ntrue\n");
	dumps("--ro /usr\n--\ntrue\n", "--ro=/usr\n--\ntrue");
	dumps("--ro /usr\n--ro-bind /a /b\n--\ntrue\n",
	    "--ro \t /usr\n--ro-bind\t/a \t /b \t\n--\t \ntrue\n");
}
END_TEST

START_TEST(empty_lines_and_comments_are_skipped_between_options)
{
	dumps("--ro /usr\n--ro /lib\n--\ntrue\n",
	    "\n# first\n--ro /usr\n \t\n#--ro /nowhere\n\n--ro /lib\n--\ntrue\n");
}
END_TEST

START_TEST(values_may_be_on_lines_of_their_own)
{
	dumps("--ro /usr\n--ro-bind /a /b\n--ro-bind /c /d\n--ro-bind /e /f\n--\ntrue\n",
	    "--ro\n/usr\n--ro-bind\n/a\n/b\n--ro-bind /c\n/d\n--ro-bind=/e\n/f\n--\ntrue\n");
	dumps("--overlay-src /l\n--overlay /u /w /d\n--\ntrue\n",
	    "--overlay-src /l\n--overlay /u \"/w\"\n\"/d\"\n--\ntrue\n");
}
END_TEST

START_TEST(a_value_on_a_line_of_its_own_is_verbatim)
{
	dumps("--ro-bind \"#a b\" /b\n--\ntrue\n", "--ro-bind\n#a b\n/b\n--\ntrue\n");
	dumps("--ro-bind \"--ro x\" /b\n--\ntrue\n", "--ro-bind\n--ro x\n/b\n--\ntrue\n");
}
END_TEST

START_TEST(one_value_is_the_rest_of_the_line_verbatim)
{
	dumps("--ro \"/a b  c \"\n--\ntrue\n", "--ro /a b  c \n--\ntrue\n");
	dumps("--env \"A=\\\"x\\\\n\"\n--\ntrue\n", "--env A=\"x\\n\n--\ntrue\n");
	dumps("--env \"A=1 # no comment\"\n--\ntrue\n", "--env A=1 # no comment\n--\ntrue\n");
	dumps("--env \"\\\"=1\"\n--\ntrue\n", "--env=\"=1\n--\ntrue\n");
}
END_TEST

START_TEST(a_quoted_word_may_hold_any_byte_but_nul)
{
	dumps("--ro-bind \"a b\\t\\n\\r\\\\\\\"\\x01\\xff\" \"/c d\"\n--\ntrue\n",
	    "--ro-bind \"a b\\t\\n\\r\\\\\\\"\\x01\\xFf\" \"/c d\"\n--\ntrue\n");
	dumps("--env \"A=\\nb\"\n--\ntrue\n", "--env \"A=\\nb\" \t\n--\ntrue\n");
	dumps("--env A=abc\n--\ntrue\n", "--env \"A=\\x61b\\x63\"\n--\ntrue\n");
	dumps("--ro-bind \"a\\\\b\" /c\n--\ntrue\n", "--ro-bind a\\b /c\n--\ntrue\n");
}
END_TEST

START_TEST(ill_formed_quotes_are_refused)
{
	refused("line 1: the closing quote is missing", "--ro \"/usr\n");
	refused("line 2: the closing quote is missing", "\n--ro \"/usr\\\"");
	refused("a backslash in quotes is followed by none of", "--ro \"/u\\sr\"");
	refused("a backslash in quotes is followed by none of", "--ro \"/u\\");
	refused("not followed by two hexadecimal digits", "--ro \"/u\\x\"");
	refused("not followed by two hexadecimal digits", "--ro \"/u\\x1\"");
	refused("not followed by two hexadecimal digits", "--ro \"/u\\x1g\"");
	refused("not followed by two hexadecimal digits", "--ro \"/u\\x");
	refused("\\x00 is in quotes", "--ro \"/u\\x00\"");
	refused("something follows the closing quote", "--ro \"/usr\"x");
	refused("something follows the closing quote", "--ro \"/usr\" /lib");
	refused("--ro-bind: something follows the closing quote", "--ro-bind \"/usr\"x /y");
	refused("line 2: something follows the closing quote", "--ro-bind /x\n\"/y\" z\n");
}
END_TEST

START_TEST(a_message_names_file_line_and_option)
{
	refused("--args: 'f': line 3: --ro: 'usr' is not an absolute path", "\n# x\n--ro usr\n");
	refused("--args: 'f': line 1: unknown option --rx", "--rx /usr\n");
	REFUSED_BYTES("--args: 'f': word 3: --net: 'x' is neither", "--quiet\0--net\0x");
}
END_TEST

START_TEST(too_many_or_too_few_values_are_refused)
{
	refused("--ro-bind: too many values", "--ro-bind /a /b /c");
	refused("--keep-env: takes no value", "--keep-env yes");
	refused("--keep-env: takes no value", "--keep-env=yes");
	refused("--ro: PATH is missing", "--ro");
	refused("--ro: PATH is missing", "--ro \t ");
	refused("--ro-bind: DEST is missing", "--ro-bind /a\n");
	refused("--ro-bind: DEST is empty", "--ro-bind /a\n\n/b\n");
	refused("--ro-bind: SRC is empty", "--ro-bind \"\" /b\n");
	refused("--ro: PATH is empty", "--ro=\n");
}
END_TEST

START_TEST(values_do_not_come_from_behind_the_file)
{
	fake_host_add_text("f", "--ro");
	REFUSED("--ro: PATH is missing", "--args", "f", "/usr", "--", "true");
}
END_TEST

START_TEST(a_line_that_is_no_option_is_refused)
{
	refused("option expected: 'true' is none", "true\n");
	refused("option expected: ' --ro /usr' is none", " --ro /usr\n");
	refused("option expected: '/c' is none", "--ro-bind\n/a\n/b\n/c\n");
	refused("-- does not stand alone", "-- true\n");
}
END_TEST

START_TEST(the_command_is_one_word_a_line)
{
	dumps("--\nsh\n-c\n\"a b\"\n\"#\"\n\"\"\n--\n--ro\n\"x\\ny\"\n",
	    "--\nsh\n-c\na b\n#\n\n--\n--ro\n\"x\\ny\"\n");
	fake_host_reset();
	fake_host_add_text("f", "--ro /usr\n--\n");
	DUMPS("--ro /usr\n--\ntrue\n", "--args", "f", "true");
}
END_TEST

START_TEST(words_may_end_in_nul)
{
	DUMPS_BYTES("--ro /usr\n--ro-bind \"a\\nb\" /c\n--\ntrue\n\"\"\n\"x y\"\n",
	    "--ro\0/usr\0--ro-bind=a\nb\0/c\0--\0true\0\0x y");
	DUMPS_BYTES("--\ntrue\n", "--\0true\0");
	DUMPS_BYTES("--\ntrue\n--ro\n", "true\0--ro\0");
	DUMPS_BYTES("--env \"\\\"A\\\"=#\"\n--\ntrue\n", "--env\0\"A\"=#\0true");
}
END_TEST

START_TEST(binary_garbage_is_refused)
{
	REFUSED_BYTES("word 1: an empty word", "\0");
	REFUSED_BYTES("word 2: an empty word", "--quiet\0\0");
	REFUSED_BYTES("unknown option --ro /usr\\x0a", "--ro /usr\n\0");
	REFUSED_BYTES("--ro: PATH is missing", "--quiet\0--ro");
	refused("option expected: '\\x7fELF\\x02\\x01' is none", "\x7f" "ELF\x02\x01\n\xff\xfe");
}
END_TEST

START_TEST(an_empty_file_is_no_option)
{
	fake_host_add_text("f", "");
	fake_host_add_text("g", "\n");
	DUMPS("--\ntrue\n", "--args", "f", "--args=g", "true");
}
END_TEST

START_TEST(options_from_files_and_words_keep_their_order)
{
	fake_host_add_text("f", "--ro /b\n");
	fake_host_add_file("3", "--ro\0/d", 7);
	DUMPS("--ro /a\n--ro /b\n--ro /c\n--ro /d\n--ro /e\n--\ntrue\n", "--ro", "/a", "--args", "f",
	    "--ro", "/c", "--args", "3", "--ro", "/e", "true");
	ck_assert_uint_eq(fake_host_reads(), 2);
}
END_TEST

START_TEST(what_may_be_given_once_counts_across_files)
{
	fake_host_add_text("f", "--net host\n");
	REFUSED("--args: 'f': line 1: --net: given more than once", "--net", "none", "--args", "f");
	REFUSED("--net: given more than once", "--args", "f", "--net=none");
}
END_TEST

START_TEST(a_second_command_is_refused)
{
	fake_host_add_text("f", "--\ntrue\n");
	fake_host_add_file("g", "false", 6);
	REFUSED("COMMAND: 'cmd' is a second command", "--args", "f", "--", "cmd");
	REFUSED("COMMAND: 'cmd' is a second command", "--args", "g", "cmd");
	REFUSED("'false' is a second command", "--args", "f", "--args", "g");
	DUMPS("--ro /x\n--\ntrue\n", "--args", "f", "--ro", "/x", "--");
}
END_TEST

START_TEST(argument_files_do_not_nest)
{
	fake_host_add_text("f", "--args f\n");
	REFUSED("line 1: --args: cannot be given in an argument file", "--args", "f", "true");
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
	REFUSED("--args: open g: ENOENT", "--args", "g", "true");
}
END_TEST

START_TEST(a_mebibyte_on_one_line_is_taken_whole)
{
	struct str text = STR_INIT;
	char *dump;

	str_add(&text, "--env A=");
	for (int i = 0; i < 1 << 20; i++)
		str_add_char(&text, 'x');
	str_add(&text, "\n--\ntrue\n");
	fake_host_add_text("f", str_text(&text));
	dump = cli_dump(WORDS("--args", "f"));
	ck_assert(strcmp(dump, str_text(&text)) == 0);
	free(dump);
	str_free(&text);
}
END_TEST

/* Pieces that the reader has rules about, and bytes that it has none about. */
static void add_piece(struct str *text, unsigned number)
{
	static const char *const pieces[] = { "\n", " ", "\t", "\"", "\\", "\\x", "\\n", "=", "#",
		"--", "-", "/", "/a", "0", "--ro", "--ro-bind", "--overlay-src", "--overlay", "--env",
		"--keep-env", "--uid", "--args f", "--\n", "\n--ro /a\n", "\xff\x80", "\x1b" };
	enum { PIECES = sizeof(pieces) / sizeof(pieces[0]) };

	if (number % (PIECES + 1) == PIECES)
		str_add_bytes(text, "", 1);
	else
		str_add(text, pieces[number % (PIECES + 1)]);
}

START_TEST(random_text_is_taken_or_refused_with_a_message)
{
	uint32_t state = 4711;
	unsigned taken = 0;

	for (int i = 0; i < 5000; i++) {
		struct str text = STR_INIT;
		struct parsed parsed;

		for (int pieces = 1 + i % 20; pieces > 0; pieces--) {
			state = state * 1664525u + 1013904223u;
			add_piece(&text, state >> 8);
		}
		fake_host_reset();
		fake_host_add_file("f", text.data, text.length);
		cli_parse(&parsed, WORDS("--args", "f"));
		taken += parsed.result == 0;
		if (parsed.result < 0) {
			ck_assert_int_eq(parsed.err.kind, ERR_USAGE);
			ck_assert(str_has_prefix(parsed.err.message, "--"));
			ck_assert_uint_eq(strcspn(parsed.err.message, "\n\t\x1b"), strlen(parsed.err.message));
		}
		cli_free(&parsed);
		str_free(&text);
	}
	ck_assert_uint_gt(taken, 100);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_line_holds_an_option_and_its_values,
		empty_lines_and_comments_are_skipped_between_options,
		values_may_be_on_lines_of_their_own,
		a_value_on_a_line_of_its_own_is_verbatim,
		one_value_is_the_rest_of_the_line_verbatim,
		a_quoted_word_may_hold_any_byte_but_nul,
		ill_formed_quotes_are_refused,
		a_message_names_file_line_and_option,
		too_many_or_too_few_values_are_refused,
		values_do_not_come_from_behind_the_file,
		a_line_that_is_no_option_is_refused,
		the_command_is_one_word_a_line,
		words_may_end_in_nul,
		binary_garbage_is_refused,
		an_empty_file_is_no_option,
		options_from_files_and_words_keep_their_order,
		what_may_be_given_once_counts_across_files,
		a_second_command_is_refused,
		argument_files_do_not_nest,
		a_file_that_cannot_be_read_is_named,
		a_mebibyte_on_one_line_is_taken_whole,
		random_text_is_taken_or_refused_with_a_message,
		NULL
	};

	return cli_run_tests("cli_args_text", tests);
}
