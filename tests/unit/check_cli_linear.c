/*
 * Reading an argument file costs the same for each line, however many there
 * are. Nothing is timed: the reader is compiled here with functions that count
 * the bytes they look at in the place of those of the C library.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "core/str.h"
#include "unit/cli_words.h"

static size_t looked_at;

static void *counting_memchr(const void *bytes, int c, size_t length)
{
	void *found = memchr(bytes, c, length);

	looked_at += found ? (size_t)((char *)found - (const char *)bytes) + 1 : length;
	return found;
}

static size_t counting_strspn(const char *text, const char *set)
{
	size_t length = strspn(text, set);

	looked_at += length + 1;
	return length;
}

static size_t counting_strcspn(const char *text, const char *set)
{
	size_t length = strcspn(text, set);

	looked_at += length + 1;
	return length;
}

static size_t counting_strlen(const char *text)
{
	size_t length = strlen(text);

	looked_at += length + 1;
	return length;
}

#define args_text_read counted_args_text_read
#undef memchr
#define memchr counting_memchr
#undef strspn
#define strspn counting_strspn
#undef strcspn
#define strcspn counting_strcspn
#undef strlen
#define strlen counting_strlen

/* Not the one of the header: that one is the library's. */
int counted_args_text_read(struct opt_parser *parser, struct str *text, struct err *err);

#include "../../src/cli/args_text.c"

#undef strlen

enum { LINES = 20000 };

static size_t options;

static int count_option(void *context, const struct opt *opt, const char *const *values,
    struct err *err)
{
	(void)context;
	(void)opt;
	(void)err;
	ck_assert(values[0][0] == '/');
	options++;
	return 0;
}

static const struct opt table[] = {
	{ "--ro", 1, "PATH", "A", OPT_REPEAT, 0, count_option, "one value" },
	{ "--ro-bind", 2, "SRC DEST", "A", OPT_REPEAT, 0, count_option, "two values" },
};

/* The bytes looked at for each byte of a text that is this piece, many times. */
static size_t effort(const char *piece, size_t length, size_t count)
{
	struct opt_parser parser;
	struct err err = ERR_INIT;
	struct str text = STR_INIT;
	size_t total;

	for (size_t i = 0; i < count; i++)
		str_add_bytes(&text, piece, length);
	total = text.length;
	looked_at = 0;
	options = 0;
	opt_parser_init(&parser, table, sizeof(table) / sizeof(table[0]));
	ck_assert_msg(counted_args_text_read(&parser, &text, &err) == 0, "refused: %s", err.message);
	ck_assert_uint_eq(options, count);
	opt_parser_free(&parser);
	str_free(&text);
	return (looked_at + total - 1) / total;
}

/* In lines the text is searched once for a NUL and once for line ends, then cut up. */
START_TEST(lines_cost_the_same_however_many_there_are)
{
	static const char piece[] = "--ro /usr/share/some/folder\n";

	ck_assert_uint_le(effort(piece, sizeof(piece) - 1, 1), 4);
	ck_assert_uint_le(effort(piece, sizeof(piece) - 1, LINES), 4);
}
END_TEST

START_TEST(lines_with_several_values_do_too)
{
	static const char piece[] = "--ro-bind \"/usr/share\" /some/folder\n";

	ck_assert_uint_le(effort(piece, sizeof(piece) - 1, LINES), 4);
}
END_TEST

START_TEST(words_do_too)
{
	static const char piece[] = "--ro\0/usr/share/some/folder";

	ck_assert_uint_le(effort(piece, sizeof(piece), LINES), 4);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		lines_cost_the_same_however_many_there_are,
		lines_with_several_values_do_too,
		words_do_too,
		NULL
	};

	return cli_run_tests("cli_linear", tests);
}
