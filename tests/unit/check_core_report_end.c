/*
 * Tests of core/report.c: how a run ended, and every exit status.
 */
#include "core/report.h"

#include <errno.h>
#include <string.h>

#include "unit/unit.h"

static void make(struct report *report, struct spec *spec)
{
	spec_init(spec);
	report_init(report, spec);
}

static void done(struct report *report, struct spec *spec)
{
	report_free(report);
	spec_free(spec);
}

START_TEST(an_error_becomes_the_end_and_its_exit_status)
{
	static const struct {
		enum err_kind kind;
		enum end_reason reason;
		int status;
	} table[] = {
		{ ERR_USAGE, END_REFUSED, 125 }, { ERR_REFUSED, END_REFUSED, 125 },
		{ ERR_SETUP, END_SETUP_FAILED, 125 }, { ERR_NOT_FOUND, END_EXEC_FAILED, 127 },
		{ ERR_NOT_EXECUTABLE, END_EXEC_FAILED, 126 }, { ERR_LOST, END_LAUNCHER_LOST, 125 },
		{ ERR_NONE, END_SETUP_FAILED, 125 },
	};
	size_t i;

	for (i = 0; i < UNIT_COUNT(table); i++) {
		struct err err = ERR_INIT;
		struct report report;
		struct spec spec;

		make(&report, &spec);
		err_sys(&err, table[i].kind, EACCES, "what");
		err.stage = "exec";
		report_end_error(&report, &err);
		ck_assert_int_eq(report.end.reason, table[i].reason);
		ck_assert_int_eq(report_exit_status(&report), table[i].status);
		ck_assert_int_eq(report.end.code, -1);
		ck_assert_int_eq(report.end.sys, EACCES);
		ck_assert_str_eq(report.end.stage, "exec");
		ck_assert_str_eq(report.end.message, "what: EACCES: Permission denied");
		err_clear(&err);
		done(&report, &spec);
	}
}
END_TEST

START_TEST(an_end_that_is_known_is_not_replaced_by_an_error)
{
	struct err err = ERR_INIT;
	struct report report;
	struct spec spec;

	make(&report, &spec);
	report.end.reason = END_EXITED;
	report.end.code = 3;
	err_set(&err, ERR_LOST, "late");
	report_end_error(&report, &err);
	ck_assert_int_eq(report.end.reason, END_EXITED);
	ck_assert_int_eq(report_exit_status(&report), 3);
	ck_assert_ptr_null(report.end.message);
	err_clear(&err);
	done(&report, &spec);
}
END_TEST

static const struct {
	enum end_reason reason;
	int code, signal, sys;
	int status;
} status_table[] = {
	{ END_NONE, -1, 0, 0, 125 },
	{ END_EXITED, 0, 0, 0, 0 }, { END_EXITED, 1, 0, 0, 1 }, { END_EXITED, 255, 0, 0, 255 },
	{ END_EXITED, 124, 0, 0, 124 }, { END_EXITED, -1, 0, 0, 125 },
	{ END_SIGNALED, -1, 9, 0, 137 }, { END_SIGNALED, -1, 1, 0, 129 },
	{ END_SIGNALED, -1, 64, 0, 192 }, { END_SIGNALED, -1, 0, 0, 125 },
	{ END_WALL_LIMIT, -1, 9, 0, 124 }, { END_WALL_LIMIT, 0, 0, 0, 124 },
	{ END_CPU_LIMIT, -1, 9, 0, 124 }, { END_CPU_LIMIT, 3, 0, 0, 124 },
	{ END_MEMORY_LIMIT, -1, 9, 0, 137 }, { END_MEMORY_LIMIT, 0, 0, 0, 125 },
	{ END_MEMORY_LIMIT, 1, 0, 0, 1 }, { END_MEMORY_LIMIT, -1, 0, 0, 125 },
	{ END_OUTPUT_LIMIT, -1, 13, 0, 141 }, { END_OUTPUT_LIMIT, 0, 0, 0, 125 },
	{ END_OUTPUT_LIMIT, 7, 0, 0, 7 },
	{ END_CANCELLED, 9, 0, 0, 9 }, { END_CANCELLED, 0, 0, 0, 143 },
	{ END_CANCELLED, -1, 15, 0, 143 }, { END_CANCELLED, -1, 9, 0, 137 },
	{ END_CANCELLED, -1, 0, 0, 125 },
	{ END_EXEC_FAILED, -1, 0, ENOENT, 127 }, { END_EXEC_FAILED, -1, 0, EACCES, 126 },
	{ END_EXEC_FAILED, -1, 0, ENOEXEC, 126 },
	{ END_SETUP_FAILED, 0, 0, 0, 125 }, { END_REFUSED, 0, 0, 0, 125 },
	{ END_LAUNCHER_LOST, 0, 0, 0, 125 }, { END_LAUNCHER_LOST, -1, 9, 0, 125 },
};

START_TEST(each_end_calls_for_its_exit_status)
{
	size_t i;

	for (i = 0; i < UNIT_COUNT(status_table); i++) {
		struct report report = { .backend = NULL };

		report.end.reason = status_table[i].reason;
		report.end.code = status_table[i].code;
		report.end.signal = status_table[i].signal;
		report.end.sys = status_table[i].sys;
		ck_assert_msg(report_exit_status(&report) == status_table[i].status, "row %zu", i);
		if (report.end.reason != END_EXITED)
			ck_assert_int_ne(report_exit_status(&report), 0);
	}
}
END_TEST

START_TEST(every_state_and_reason_has_its_own_name)
{
	int i, j;

	ck_assert_ptr_null(end_reason_name(END_NONE));
	ck_assert_str_eq(end_reason_name(END_CANCELLED), "cancelled");
	ck_assert_str_eq(layer_state_name(LAYER_UNCONFIRMED), "unconfirmed");
	for (i = END_EXITED; i <= END_LAUNCHER_LOST; i++)
		for (j = END_EXITED; j < i; j++)
			ck_assert_str_ne(end_reason_name((enum end_reason)i),
			    end_reason_name((enum end_reason)j));
	for (i = 0; i <= LAYER_REFUSED; i++)
		for (j = 0; j < i; j++)
			ck_assert_str_ne(layer_state_name((enum layer_state)i),
			    layer_state_name((enum layer_state)j));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_error_becomes_the_end_and_its_exit_status,
		an_end_that_is_known_is_not_replaced_by_an_error,
		each_end_calls_for_its_exit_status,
		every_state_and_reason_has_its_own_name,
	};

	return unit_run("core/report end", tests, UNIT_COUNT(tests));
}
