/*
 * Tests of core/control.c.
 */
#include "core/control.h"

#include <string.h>

#include "unit/unit.h"

START_TEST(every_control_is_found_by_its_name)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		const char *name = control_name((enum control)i);

		ck_assert_int_eq(control_find(name, strlen(name)), (int)i);
		ck_assert_uint_gt(strlen(control_title((enum control)i)), 0);
	}
}
END_TEST

START_TEST(names_consist_of_small_letters_and_dashes)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		const char *name = control_name((enum control)i);

		ck_assert_uint_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
	}
}
END_TEST

START_TEST(a_name_counts_whole_and_exactly)
{
	ck_assert_int_eq(control_find("network", 7), CONTROL_NETWORK);
	ck_assert_int_eq(control_find("network-namespace", 7), CONTROL_NETWORK);
	ck_assert_int_eq(control_find("network,ipc", 7), CONTROL_NETWORK);
	ck_assert_int_eq(control_find("network", 6), CONTROL_COUNT);
	ck_assert_int_eq(control_find("Network", 7), CONTROL_COUNT);
	ck_assert_int_eq(control_find("network ", 8), CONTROL_COUNT);
	ck_assert_int_eq(control_find("network\0", 8), CONTROL_COUNT);
	ck_assert_int_eq(control_find("", 0), CONTROL_COUNT);
	ck_assert_int_eq(control_find("NETWORK", 7), CONTROL_COUNT);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		every_control_is_found_by_its_name,
		names_consist_of_small_letters_and_dashes,
		a_name_counts_whole_and_exactly,
	};

	return unit_run("core/control", tests, UNIT_COUNT(tests));
}
