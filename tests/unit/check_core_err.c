/*
 * Tests of core/err.c.
 */
#include "core/err.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

START_TEST(a_zeroed_error_is_no_error)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err.kind, ERR_NONE);
	ck_assert_int_eq(err_exit_status(err.kind), 0);
	err_clear(&err);
	err_clear(&err);
	ck_assert_ptr_null(err.message);
}
END_TEST

START_TEST(setting_returns_minus_one_and_replaces_what_was_there)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_sys(&err, ERR_SETUP, EPERM, "first"), -1);
	err.stage = "stage";
	ck_assert_int_eq(err_set(&err, ERR_USAGE, "--pids: %d", 7), -1);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_int_eq(err.sys, 0);
	ck_assert_ptr_null(err.stage);
	ck_assert_str_eq(err.message, "--pids: 7");
	err_clear(&err);
}
END_TEST

START_TEST(a_message_can_be_made_from_the_one_it_replaces)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_SETUP, "inner");
	err_set(&err, ERR_LOST, "outer (%s)", err.message);
	ck_assert_str_eq(err.message, "outer (inner)");
	err_sys(&err, ERR_LOST, ENOENT, "%s", err.message);
	ck_assert_str_eq(err.message, "outer (inner): ENOENT: No such file or directory");
	err_wrap(&err, "%s", err.message);
	ck_assert_ptr_nonnull(strstr(err.message, "directory: outer (inner): ENOENT"));
	err_clear(&err);
}
END_TEST

START_TEST(a_system_error_names_its_number_and_says_its_sentence)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_sys(&err, ERR_SETUP, ENOENT, "--ro: open %s", "/x"), -1);
	ck_assert_str_eq(err.message, "--ro: open /x: ENOENT: No such file or directory");
	ck_assert_int_eq(err.sys, ENOENT);
	err_clear(&err);
}
END_TEST

START_TEST(a_number_without_a_name_is_shown_as_a_number)
{
	struct err err = ERR_INIT;

	err_sys(&err, ERR_SETUP, 99999, "open");
	ck_assert_int_eq(strncmp(err.message, "open: error 99999: ", 19), 0);
	err_clear(&err);
}
END_TEST

START_TEST(context_and_remedy_keep_kind_number_and_stage)
{
	struct err err = ERR_INIT;

	err_sys(&err, ERR_REFUSED, EPERM, "clone");
	err.stage = "start";
	ck_assert_int_eq(err_wrap(&err, "--require %s", "network"), -1);
	ck_assert_int_eq(err_hint(&err, "set %s", "x=1"), -1);
	ck_assert_str_eq(err.message,
	    "--require network: clone: EPERM: Operation not permitted (set x=1)");
	ck_assert_int_eq(err.kind, ERR_REFUSED);
	ck_assert_int_eq(err.sys, EPERM);
	ck_assert_str_eq(err.stage, "start");
	err_clear(&err);
}
END_TEST

START_TEST(context_on_an_empty_error_does_not_crash)
{
	struct err err = ERR_INIT;

	err_wrap(&err, "a");
	ck_assert_str_eq(err.message, "a: ");
	err_clear(&err);
	err_hint(&err, "b");
	ck_assert_str_eq(err.message, " (b)");
	err_clear(&err);
}
END_TEST

START_TEST(moving_leaves_nothing_behind)
{
	struct err from = ERR_INIT;
	struct err to = ERR_INIT;

	err_set(&to, ERR_SETUP, "old");
	err_sys(&from, ERR_LOST, EIO, "new");
	err_move(&to, &from);
	ck_assert_int_eq(from.kind, ERR_NONE);
	ck_assert_ptr_null(from.message);
	ck_assert_int_eq(to.kind, ERR_LOST);
	ck_assert_int_eq(to.sys, EIO);
	err_move(&to, &to);
	ck_assert_int_eq(strncmp(to.message, "new: EIO", 8), 0);
	err_clear(&to);
	err_clear(&from);
}
END_TEST

START_TEST(each_kind_has_its_exit_status)
{
	ck_assert_int_eq(err_exit_status(ERR_USAGE), 125);
	ck_assert_int_eq(err_exit_status(ERR_REFUSED), 125);
	ck_assert_int_eq(err_exit_status(ERR_SETUP), 125);
	ck_assert_int_eq(err_exit_status(ERR_LOST), 125);
	ck_assert_int_eq(err_exit_status(ERR_NOT_FOUND), 127);
	ck_assert_int_eq(err_exit_status(ERR_NOT_EXECUTABLE), 126);
}
END_TEST

START_TEST(errno_values_have_the_names_of_errno_h)
{
	ck_assert_str_eq(errno_name(ENOENT), "ENOENT");
	ck_assert_str_eq(errno_name(EPERM), "EPERM");
	ck_assert_str_eq(errno_name(E2BIG), "E2BIG");
	ck_assert_str_eq(errno_name(ENOSYS), "ENOSYS");
	ck_assert_str_eq(errno_name(EILSEQ), "EILSEQ");
	ck_assert_str_eq(errno_name(ENETUNREACH), "ENETUNREACH");
}
END_TEST

START_TEST(of_two_names_for_one_number_the_established_one_is_taken)
{
	ck_assert_str_eq(errno_name(EAGAIN), "EAGAIN");
	ck_assert_str_eq(errno_name(EOPNOTSUPP), "EOPNOTSUPP");
	ck_assert_str_eq(errno_name(EDEADLK), "EDEADLK");
}
END_TEST

START_TEST(what_is_no_errno_value_has_no_name)
{
	ck_assert_ptr_null(errno_name(0));
	ck_assert_ptr_null(errno_name(-1));
	ck_assert_ptr_null(errno_name(-ENOENT));
	ck_assert_ptr_null(errno_name(99999));
	ck_assert_ptr_null(errno_name(INT_MAX));
	ck_assert_ptr_null(errno_name(INT_MIN));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_zeroed_error_is_no_error,
		setting_returns_minus_one_and_replaces_what_was_there,
		a_message_can_be_made_from_the_one_it_replaces,
		a_system_error_names_its_number_and_says_its_sentence,
		a_number_without_a_name_is_shown_as_a_number,
		context_and_remedy_keep_kind_number_and_stage,
		context_on_an_empty_error_does_not_crash,
		moving_leaves_nothing_behind,
		each_kind_has_its_exit_status,
		errno_values_have_the_names_of_errno_h,
		of_two_names_for_one_number_the_established_one_is_taken,
		what_is_no_errno_value_has_no_name,
	};

	return unit_run("core/err", tests, UNIT_COUNT(tests));
}
