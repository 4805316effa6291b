/*
 * Tests of core/value.c: each parser at each of its edges, from both sides.
 */
#include "core/value.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/unit.h"

#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)

/* What is refused is refused as usage, with the option first, on one short line. */
static void assert_refused(int result, struct err *err, const char *word)
{
	ck_assert_msg(result == -1, "'%.80s' was accepted", word);
	ck_assert_int_eq(err->kind, ERR_USAGE);
	ck_assert_msg(str_has_prefix(err->message, "--opt: "), "%s", err->message);
	ck_assert_uint_lt(strlen(err->message), 600);
	ck_assert_ptr_null(strpbrk(err->message, "\n\r\x1b"));
	err_clear(err);
}


struct accepted {
	const char *word;
	uint64_t value;
};

static void check_accepted(int (*parse)(const char *, const char *, uint64_t *,
    struct err *), const struct accepted *table, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct err err = ERR_INIT;
		uint64_t value = UNTOUCHED;

		ck_assert_msg(parse("--opt", table[i].word, &value, &err) == 0, "%s: %s",
		    table[i].word, err.message);
		ck_assert_msg(value == table[i].value, "%s", table[i].word);
		ck_assert_ptr_null(err.message);
	}
}

static void check_refused(int (*parse)(const char *, const char *, uint64_t *,
    struct err *), const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct err err = ERR_INIT;
		uint64_t value = UNTOUCHED;

		assert_refused(parse("--opt", words[i], &value, &err), &err, words[i]);
		ck_assert_uint_eq(value, UNTOUCHED);
	}
}

static int parse_any(const char *option, const char *word, uint64_t *value, struct err *err)
{
	return value_parse_number(option, word, 0, UINT64_MAX, value, err);
}

static int parse_small(const char *option, const char *word, uint64_t *value, struct err *err)
{
	return value_parse_number(option, word, 3, 10, value, err);
}

static int parse_mode(const char *option, const char *word, uint64_t *value, struct err *err)
{
	unsigned mode;

	if (value_parse_mode(option, word, &mode, err) != 0)
		return -1;
	*value = mode;
	return 0;
}

START_TEST(a_number_is_accepted_up_to_its_edges)
{
	static const struct accepted any[] = {
		{ "0", 0 }, { "1", 1 }, { "007", 7 }, { "18446744073709551615", UINT64_MAX },
		{ "0000000000000000000000000018446744073709551615", UINT64_MAX },
	};
	static const struct accepted small[] = { { "3", 3 }, { "10", 10 } };

	check_accepted(parse_any, any, UNIT_COUNT(any));
	check_accepted(parse_small, small, UNIT_COUNT(small));
}
END_TEST

START_TEST(a_number_beyond_its_edges_is_refused)
{
	static const char *const any[] = { "18446744073709551616", "18446744073709551620",
		"36893488147419103232", "99999999999999999999999999999999999999999" };
	static const char *const small[] = { "2", "11", "0", "18446744073709551619" };

	check_refused(parse_any, any, UNIT_COUNT(any));
	check_refused(parse_small, small, UNIT_COUNT(small));
}
END_TEST

START_TEST(a_number_with_anything_but_digits_is_refused)
{
	static const char *const words[] = { "", " ", " 1", "1 ", "\t1", "1\n", "+1", "-1", "-0",
		"1x", "x1", "0x10", "1.0", "1e3", "1,000", "1_000", "abc", "\xd9\xa1", "1\x1b[0m",
		"\xff", "1K", "nan", "inf" };

	check_refused(parse_any, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_mode_is_octal_and_at_most_07777)
{
	static const struct accepted good[] = { { "0", 0 }, { "755", 0755 }, { "0644", 0644 },
		{ "7777", 07777 }, { "0000000000000000000000000007777", 07777 } };
	static const char *const bad[] = { "", "8", "789", "10000", "0o755", "0x1ff", "-1", "+7",
		"7 ", "u+x", "777777777777777777777777777777" };

	check_accepted(parse_mode, good, UNIT_COUNT(good));
	check_refused(parse_mode, bad, UNIT_COUNT(bad));
}
END_TEST

START_TEST(a_duration_is_accepted_up_to_its_edges)
{
	static const struct accepted words[] = {
		{ "1", 1000000000 }, { "1s", 1000000000 }, { "1.5", 1500000000 },
		{ "0.25s", 250000000 }, { "200ms", 200000000 }, { "2m", UINT64_C(120000000000) },
		{ "0.5m", UINT64_C(30000000000) }, { "007", UINT64_C(7000000000) },
		{ "0.000000001", 1 }, { "0.999999999", 999999999 }, { "0.000001ms", 1 },
		{ "0.0000000001m", 6 }, { "3153600000", UINT64_C(3153600000000000000) },
		{ "3153600000.000000000s", UINT64_C(3153600000000000000) },
		{ "3153599999.999999999", UINT64_C(3153599999999999999) },
		{ "3153600000000ms", UINT64_C(3153600000000000000) },
		{ "52560000m", UINT64_C(3153600000000000000) },
	};

	check_accepted(value_parse_duration, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_duration_beyond_its_edges_is_refused)
{
	static const char *const words[] = { "0", "0.0", "0s", "0ms", "0.000000000",
		"3153600001", "3153600000.000000001", "3153600000000.000001ms", "52560001m",
		"52560000.0000000001m", "18446744073709551615", "18446744073709551616",
		"307445734561825861m", "99999999999999999999999999m",
		/* less than a nanosecond, also where it would be zeros */
		"0.0000000001", "1.0000000000", "0.0000001ms", "0.00000000001m" };

	check_refused(value_parse_duration, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_duration_of_another_shape_is_refused)
{
	static const char *const words[] = { "", ".", ".5", "5.", "5.s", "s", "ms", "m", "1..5",
		"1.5.5", "1,5", "1h", "1S", "1M", "1 s", " 1s", "1s ", "1sm", "1mss", "1us", "-1",
		"+1", "1e3", "0x1", "inf", "nan", "1m30s", "1.-5", "1. 5" };

	check_refused(value_parse_duration, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_size_is_accepted_up_to_its_edges)
{
	static const struct accepted words[] = {
		{ "1", 1 }, { "4096", 4096 }, { "1K", 1024 }, { "1KiB", 1024 },
		{ "64M", UINT64_C(64) << 20 }, { "64MiB", UINT64_C(64) << 20 },
		{ "2G", UINT64_C(2) << 30 }, { "2GiB", UINT64_C(2) << 30 },
		{ "3T", UINT64_C(3) << 40 }, { "3TiB", UINT64_C(3) << 40 }, { "01K", 1024 },
		{ "9223372036854775807", INT64_MAX },
		{ "9007199254740991K", UINT64_C(9007199254740991) << 10 },
		{ "8796093022207M", UINT64_C(8796093022207) << 20 },
		{ "8589934591G", UINT64_C(8589934591) << 30 },
		{ "8388607T", UINT64_C(8388607) << 40 },
	};

	check_accepted(value_parse_size, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_size_beyond_its_edges_is_refused)
{
	static const char *const words[] = { "0", "00", "0K", "0TiB", "9223372036854775808",
		"9007199254740992K", "8796093022208MiB", "8589934592G", "8388608T",
		"18446744073709551615", "18446744073709551616", "18446744073709551617K",
		"18014398509481985K", "99999999999999999999999999T" };

	check_refused(value_parse_size, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_size_of_another_shape_is_refused)
{
	static const char *const words[] = { "", "K", "KiB", "1k", "1m", "1KB", "1B", "1Ki",
		"1KiBx", "1iB", "1KK", "1 K", " 1K", "1K ", "-1", "+1", "1.5M", "1P", "1E", "0x10",
		"1e3", "1Kib", "1K\n", "lots" };

	check_refused(value_parse_size, words, UNIT_COUNT(words));
}
END_TEST

START_TEST(a_place_inside_is_normalized)
{
	static const char *const pairs[][2] = {
		{ "/", "/" }, { "//", "/" }, { "/.", "/" }, { "/./", "/" }, { "/.//./", "/" },
		{ "/a", "/a" }, { "/a/", "/a" }, { "//a///b//", "/a/b" }, { "/./a/./b/.", "/a/b" },
		{ "/...", "/..." }, { "/..a", "/..a" }, { "/a..", "/a.." }, { "/.a", "/.a" },
		{ "/a b\n", "/a b\n" }, { "/\xff", "/\xff" },
	};
	size_t i;

	for (i = 0; i < UNIT_COUNT(pairs); i++) {
		struct err err = ERR_INIT;
		char *path = NULL;

		ck_assert_int_eq(value_parse_dest("--opt", pairs[i][0], &path, &err), 0);
		ck_assert_str_eq(path, pairs[i][1]);
		free(path);
	}
}
END_TEST

START_TEST(a_place_inside_that_is_relative_empty_or_goes_up_is_refused)
{
	static const char *const words[] = { "", "a", "./a", ".", "..", "../a", " /a", "/..",
		"/../", "/a/..", "/a/../b", "/a/b/..", "//..", "/./..", "a/..", "\n/a" };
	size_t i;

	for (i = 0; i < UNIT_COUNT(words); i++) {
		struct err err = ERR_INIT;
		char *path = NULL;

		assert_refused(value_parse_dest("--opt", words[i], &path, &err), &err, words[i]);
		ck_assert_ptr_null(path);
	}
}
END_TEST

START_TEST(a_place_on_the_host_is_kept_as_written_and_not_empty)
{
	struct err err = ERR_INIT;
	char *path = NULL;

	assert_refused(value_parse_source("--opt", "", &path, &err), &err, "");
	ck_assert_ptr_null(path);
	ck_assert_int_eq(value_parse_source("--opt", "a//../b/", &path, &err), 0);
	ck_assert_str_eq(path, "a//../b/");
	free(path);
}
END_TEST

START_TEST(the_name_of_a_variable_is_not_empty_and_has_no_equals_sign_or_nul)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(value_check_env_name("--opt", "A=b", 1, &err), 0);
	ck_assert_int_eq(value_check_env_name("--opt", "a b\n", 4, &err), 0);
	assert_refused(value_check_env_name("--opt", "", 0, &err), &err, "");
	assert_refused(value_check_env_name("--opt", "=b", 0, &err), &err, "=b");
	assert_refused(value_check_env_name("--opt", "=b", 1, &err), &err, "=");
	assert_refused(value_check_env_name("--opt", "A=b", 2, &err), &err, "A=");
	assert_refused(value_check_env_name("--opt", "A\0B", 3, &err), &err, "A");
	assert_refused(value_check_env_name("--opt", "\x1b=\n", 3, &err), &err, "ESC");
}
END_TEST

START_TEST(a_host_name_has_1_to_64_letters_digits_dashes_and_dots)
{
	static const char *const bad[] = { "", "a b", "a_b", "a/b", "a\n", "\xc3\xa4", "a:b",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	struct err err = ERR_INIT;
	size_t i;

	ck_assert_int_eq(value_check_hostname("--opt", "a", &err), 0);
	ck_assert_int_eq(value_check_hostname("--opt", "Az09-.x", &err), 0);
	ck_assert_int_eq(value_check_hostname("--opt",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &err), 0);
	for (i = 0; i < UNIT_COUNT(bad); i++)
		assert_refused(value_check_hostname("--opt", bad[i], &err), &err, bad[i]);
}
END_TEST

/* A word of 1 MiB of `c`; the caller frees it. */
static char *large_word(char c)
{
	size_t size = 1 << 20;
	char *word = xcalloc(size + 1, 1);

	memset(word, c, size);
	return word;
}

START_TEST(a_mebibyte_of_nonsense_is_refused_with_a_short_message)
{
	static const char bytes[] = { '9', 'x', '\x1b', '\xff', '.', ' ' };
	size_t i;

	for (i = 0; i < UNIT_COUNT(bytes); i++) {
		char *word = large_word(bytes[i]);
		const char *words[] = { word };
		struct err err = ERR_INIT;
		char *path = NULL;

		check_refused(parse_any, words, 1);
		check_refused(parse_mode, words, 1);
		check_refused(value_parse_duration, words, 1);
		check_refused(value_parse_size, words, 1);
		assert_refused(value_parse_dest("--opt", word, &path, &err), &err, word);
		assert_refused(value_check_hostname("--opt", word, &err), &err, word);
		free(word);
	}
}
END_TEST

START_TEST(a_mebibyte_of_sense_is_accepted)
{
	size_t size = 1 << 20;
	char *word = large_word('0');
	struct err err = ERR_INIT;
	uint64_t number = 0;
	char *path = NULL;

	word[size - 1] = '7';
	ck_assert_int_eq(parse_any("--opt", word, &number, &err), 0);
	ck_assert_uint_eq(number, 7);
	ck_assert_int_eq(value_parse_size("--opt", word, &number, &err), 0);
	ck_assert_int_eq(value_parse_duration("--opt", word, &number, &err), 0);
	ck_assert_int_eq(value_check_env_name("--opt", word, size, &err), 0);
	word[0] = '/';
	ck_assert_int_eq(value_parse_dest("--opt", word, &path, &err), 0);
	ck_assert_str_eq(path, word);
	free(path);
	memset(word, '/', size);
	ck_assert_int_eq(value_parse_dest("--opt", word, &path, &err), 0);
	ck_assert_str_eq(path, "/");
	free(path);
	free(word);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_number_is_accepted_up_to_its_edges,
		a_number_beyond_its_edges_is_refused,
		a_number_with_anything_but_digits_is_refused,
		a_mode_is_octal_and_at_most_07777,
		a_duration_is_accepted_up_to_its_edges,
		a_duration_beyond_its_edges_is_refused,
		a_duration_of_another_shape_is_refused,
		a_size_is_accepted_up_to_its_edges,
		a_size_beyond_its_edges_is_refused,
		a_size_of_another_shape_is_refused,
		a_place_inside_is_normalized,
		a_place_inside_that_is_relative_empty_or_goes_up_is_refused,
		a_place_on_the_host_is_kept_as_written_and_not_empty,
		the_name_of_a_variable_is_not_empty_and_has_no_equals_sign_or_nul,
		a_host_name_has_1_to_64_letters_digits_dashes_and_dots,
		a_mebibyte_of_nonsense_is_refused_with_a_short_message,
		a_mebibyte_of_sense_is_accepted,
	};

	return unit_run("core/value", tests, UNIT_COUNT(tests));
}
