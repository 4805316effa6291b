/*
 * Tests of core/str.c.
 */
#include "core/str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

START_TEST(an_empty_string_reads_as_empty_text)
{
	struct str str = STR_INIT;
	char *taken;

	ck_assert_str_eq(str_text(&str), "");
	taken = str_take(&str);
	ck_assert_str_eq(taken, "");
	free(taken);
	str_add(&str, "");
	ck_assert_ptr_nonnull(str.data);
	ck_assert_uint_eq(str.length, 0);
	str_free(&str);
	str_free(&str);
	ck_assert_ptr_null(str.data);
}
END_TEST

START_TEST(every_length_around_the_growth_steps_is_terminated)
{
	size_t length, i;

	for (length = 0; length < 300; length++) {
		struct str str = STR_INIT;

		for (i = 0; i < length; i++)
			str_add_char(&str, 'a');
		ck_assert_uint_eq(str.length, length);
		ck_assert_uint_eq(strlen(str_text(&str)), length);
		str_add_bytes(&str, str_text(&(struct str)STR_INIT), 0);
		ck_assert_uint_eq(str.length, length);
		str_free(&str);
	}
}
END_TEST

START_TEST(bytes_may_hold_nul)
{
	struct str str = STR_INIT;

	str_add_bytes(&str, "a\0b", 3);
	str_add_char(&str, '\0');
	ck_assert_uint_eq(str.length, 4);
	ck_assert_int_eq(memcmp(str.data, "a\0b\0", 5), 0);
	str_free(&str);
}
END_TEST

START_TEST(a_mebibyte_goes_in_at_once_and_by_format)
{
	size_t size = 1 << 20;
	char *word = xcalloc(size + 1, 1);
	struct str str = STR_INIT;
	char *taken;

	memset(word, 'x', size);
	str_add(&str, word);
	str_addf(&str, "%s%d", word, 7);
	ck_assert_uint_eq(str.length, 2 * size + 1);
	taken = str_take(&str);
	ck_assert_int_eq(taken[2 * size], '7');
	ck_assert_ptr_null(str.data);
	ck_assert_uint_eq(str.length, 0);
	free(taken);
	free(word);
}
END_TEST

START_TEST(a_copy_of_bytes_ends_at_nul_and_never_reads_further)
{
	char bytes[3] = { 'a', 'b', 'c' };
	char *copy = xstrndup(bytes, 3);

	ck_assert_str_eq(copy, "abc");
	free(copy);
	copy = xstrndup("ab\0c", 4);
	ck_assert_str_eq(copy, "ab");
	free(copy);
	copy = xstrndup("abc", 0);
	ck_assert_str_eq(copy, "");
	free(copy);
}
END_TEST

START_TEST(nothing_can_be_allocated_and_freed)
{
	void *memory = xcalloc(0, 8);

	ck_assert_ptr_nonnull(memory);
	memory = xreallocarray(memory, 0, 8);
	ck_assert_ptr_nonnull(memory);
	free(memory);
}
END_TEST

START_TEST(a_list_is_terminated_at_every_length)
{
	struct str_list list = STR_LIST_INIT;
	size_t i;

	str_list_free(&list);
	for (i = 0; i < 100; i++) {
		if (i % 2)
			str_list_add(&list, "x");
		else
			str_list_take(&list, xasprintf("%zu", i));
		ck_assert_uint_eq(list.count, i + 1);
		ck_assert_ptr_null(list.items[i + 1]);
	}
	ck_assert_str_eq(list.items[98], "98");
	str_list_free(&list);
	ck_assert_ptr_null(list.items);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(a_prefix_is_found_only_at_the_start)
{
	ck_assert(str_has_prefix("fd:3", "fd:"));
	ck_assert(str_has_prefix("fd:", "fd:"));
	ck_assert(str_has_prefix("x", ""));
	ck_assert(!str_has_prefix("fd", "fd:"));
	ck_assert(!str_has_prefix(" fd:", "fd:"));
	ck_assert(!str_has_prefix("", "f"));
}
END_TEST

static const struct {
	const char *text;
	size_t left;
	size_t length;
} utf8_table[] = {
	{ "", 0, 0 }, { "a", 1, 1 }, { "a", 0, 0 }, { "\0", 1, 1 }, { "\x7f", 1, 1 },
	{ "\x80", 1, 0 }, { "\xbf", 1, 0 },
	{ "\xc0\x80", 2, 0 }, { "\xc1\xbf", 2, 0 },		/* overlong */
	{ "\xc2\x80", 2, 2 }, { "\xdf\xbf", 2, 2 }, { "\xc2", 1, 0 },
	{ "\xc2\x7f", 2, 0 }, { "\xc2\xc0", 2, 0 }, { "\xc2\x80", 1, 0 },
	{ "\xe0\x80\x80", 3, 0 }, { "\xe0\x9f\xbf", 3, 0 },	/* overlong */
	{ "\xe0\xa0\x80", 3, 3 }, { "\xed\x9f\xbf", 3, 3 },
	{ "\xed\xa0\x80", 3, 0 }, { "\xed\xbf\xbf", 3, 0 },	/* surrogates */
	{ "\xee\x80\x80", 3, 3 }, { "\xef\xbf\xbf", 3, 3 },
	{ "\xe2\x82", 2, 0 }, { "\xe2\x82\xac", 2, 0 }, { "\xe2\x82\x41", 3, 0 },
	{ "\xf0\x80\x80\x80", 4, 0 }, { "\xf0\x8f\xbf\xbf", 4, 0 }, /* overlong */
	{ "\xf0\x90\x80\x80", 4, 4 }, { "\xf4\x8f\xbf\xbf", 4, 4 },
	{ "\xf4\x90\x80\x80", 4, 0 },				/* beyond U+10FFFF */
	{ "\xf5\x80\x80\x80", 4, 0 }, { "\xff\xbf\xbf\xbf", 4, 0 },
	{ "\xfe", 1, 0 }, { "\xf0\x90\x80", 3, 0 }, { "\xf0\x90\x80\xc0", 4, 0 },
};

START_TEST(utf8_is_judged_as_the_table_says)
{
	size_t i;

	for (i = 0; i < UNIT_COUNT(utf8_table); i++)
		ck_assert_msg(str_utf8_length(utf8_table[i].text, utf8_table[i].left) ==
		    utf8_table[i].length, "row %zu", i);
}
END_TEST

START_TEST(every_code_point_but_surrogates_is_valid)
{
	unsigned long point;

	for (point = 0x10000; point <= 0x10ffff; point += 0x3f7) {
		char text[4] = { (char)(0xf0 | point >> 18), (char)(0x80 | (point >> 12 & 0x3f)),
			(char)(0x80 | (point >> 6 & 0x3f)), (char)(0x80 | (point & 0x3f)) };

		ck_assert_uint_eq(str_utf8_length(text, 4), 4);
		ck_assert_uint_eq(str_utf8_length(text, 3), 0);
	}
	for (point = 0x800; point <= 0xffff; point++) {
		char text[3] = { (char)(0xe0 | point >> 12), (char)(0x80 | (point >> 6 & 0x3f)),
			(char)(0x80 | (point & 0x3f)) };
		bool surrogate = point >= 0xd800 && point <= 0xdfff;

		ck_assert_uint_eq(str_utf8_length(text, 3), surrogate ? 0 : 3);
	}
}
END_TEST

static const struct {
	const char *text;
	size_t limit;
	const char *shown;
} printable_table[] = {
	{ "", 0, "" }, { "abc", 0, "abc" }, { "a\\b\"'", 0, "a\\b\"'" },
	{ "a\nb\tc\r", 0, "a\\x0ab\\x09c\\x0d" }, { "\x1b[31m", 0, "\\x1b[31m" },
	{ "\x7f", 0, "\\x7f" }, { "\xc2\x9b" "31m", 0, "\\xc2\\x9b31m" },
	{ "\xc2\xa0", 0, "\xc2\xa0" }, { "\xe2\x82\xac", 0, "\xe2\x82\xac" },
	{ "\xe2\x82", 0, "\\xe2\\x82" }, { "\xff" "a", 0, "\\xffa" },
	{ "\xc0\xaf", 0, "\\xc0\\xaf" }, { "\xed\xa0\x80", 0, "\\xed\\xa0\\x80" },
	{ "abc", 3, "abc" }, { "abcd", 3, "abc..." }, { "abc", 1, "a..." },
	{ "\xe2\x82\xac", 3, "\xe2\x82\xac" }, { "\xe2\x82\xac", 2, "..." },
	{ "a\xe2\x82\xac", 3, "a..." }, { "\n\n", 1, "\\x0a..." },
};

START_TEST(a_terminal_is_shown_every_byte_and_obeys_none)
{
	size_t i;

	for (i = 0; i < UNIT_COUNT(printable_table); i++) {
		struct str str = STR_INIT;

		str_add_printable(&str, printable_table[i].text, printable_table[i].limit);
		ck_assert_str_eq(str_text(&str), printable_table[i].shown);
		str_free(&str);
	}
}
END_TEST

START_TEST(an_array_larger_than_memory_ends_the_program)
{
	xreallocarray(NULL, SIZE_MAX / 8 + 1, 16);
}
END_TEST

START_TEST(an_array_of_all_memory_ends_the_program)
{
	xreallocarray(NULL, SIZE_MAX, 2);
}
END_TEST

START_TEST(bytes_without_end_end_the_program)
{
	struct str str = STR_INIT;

	str_add(&str, "a");
	str_add_bytes(&str, "a", SIZE_MAX - 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_empty_string_reads_as_empty_text,
		every_length_around_the_growth_steps_is_terminated,
		bytes_may_hold_nul,
		a_mebibyte_goes_in_at_once_and_by_format,
		a_copy_of_bytes_ends_at_nul_and_never_reads_further,
		nothing_can_be_allocated_and_freed,
		a_list_is_terminated_at_every_length,
		a_prefix_is_found_only_at_the_start,
		utf8_is_judged_as_the_table_says,
		every_code_point_but_surrogates_is_valid,
		a_terminal_is_shown_every_byte_and_obeys_none,
	};
	const TTest *const exits[] = {
		an_array_larger_than_memory_ends_the_program,
		an_array_of_all_memory_ends_the_program,
		bytes_without_end_end_the_program,
	};

	return unit_run_exits("core/str", tests, UNIT_COUNT(tests), exits, UNIT_COUNT(exits), 125);
}
