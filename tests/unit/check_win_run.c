/*
 * The Windows backend on a machine in memory: what one run does and in which
 * order, how it ends, and that nothing of it is left.
 */
#include "win/win_trial.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"
#include "win/backend_win.h"

static char *state(void)
{
	struct str text = STR_INIT;

	fake_win_state(&text);
	return str_take(&text);
}

static void assert_clean(const char *before)
{
	char *after = state();

	ck_assert_str_eq(after, before);
	ck_assert_int_eq(fake.handles, 0);
	ck_assert_uint_eq(fake.running, 0);
	free(after);
}

START_TEST(a_run_confirms_all_and_leaves_nothing)
{
	struct trial trial;
	char *before;

	fake_win_boot();
	before = state();
	win_trial_run(&trial, WIN_ALL, 7);
	ck_assert_msg(trial.result == 0, "%s", trial.err.message);
	ck_assert_int_eq(report_exit_status(&trial.report), 7);
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		ck_assert_msg(trial.report.layers[i].asked != WANT_YES ||
		    trial.report.layers[i].state == LAYER_APPLIED, "%s", control_name((enum control)i));
	ck_assert(trial.report.teardown.confirmed);
	ck_assert(trial.report.teardown.scratch_removed);
	ck_assert_str_eq(trial.report.confinement, "appcontainer");
	ck_assert_str_eq(fake.command_line, "\"cmd\" /c \"exit 7\"");
	assert_clean(before);
	trial_free(&trial);
	free(before);
	fake_win_shutdown();
}
END_TEST

/* Where `earlier` was called last, and `later` first: whatever is between them is not said. */
static void assert_before(const char *earlier, const char *later)
{
	char *first = xasprintf(" %s ", earlier), *second = xasprintf(" %s ", later);
	char *log = xasprintf(" %s", str_text(&fake.log));
	const char *a = strstr(log, first), *b = strstr(log, second);

	ck_assert_msg(a && b, "%s and %s in: %s", earlier, later, log);
	ck_assert_msg(a < b, "%s comes before %s in: %s", later, earlier, log);
	free(first);
	free(second);
	free(log);
}

START_TEST(the_order_is_the_one_that_survives_a_kill)
{
	static const char *const order[] = {
		"file_replace", "profile_create", "profile_derive", "folder_create", "acl_grant", "job_create",
		"job_set_limits", "pipe_create", "attrs_create", "attrs_add", "process_create", "job_contains",
		"token_open", "pump_start", "thread_resume", "process_wait", "job_terminate",
		"acl_revoke", "tree_remove", "profile_delete", "file_remove",
	};
	struct trial trial;

	fake_win_boot();
	win_trial_run(&trial, WIN_ALL, 0);
	for (size_t i = 1; i < UNIT_COUNT(order); i++)
		assert_before(order[i - 1], order[i]);
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

START_TEST(what_every_container_may_read_is_not_granted)
{
	struct trial trial;

	fake_win_boot();
	win_trial_run(&trial, WIN_OPEN, 0);
	ck_assert_int_eq(trial.result, 0);
	ck_assert(!strstr(str_text(&fake.log), "acl_grant"));
	trial_free(&trial);
	win_trial_run(&trial, WIN_READ_ONLY, 0);
	ck_assert_int_eq(trial.result, 0);
	ck_assert(strstr(str_text(&fake.log), "acl_grant"));
	trial_free(&trial);
	/* A less privileged one is not every container. */
	fake_win_restart();
	win_trial_run(&trial, WIN_OPEN | WIN_LPAC, 0);
	ck_assert_int_eq(trial.result, 0);
	ck_assert(strstr(str_text(&fake.log), "acl_grant"));
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

START_TEST(a_name_that_is_taken_is_never_adopted)
{
	for (unsigned taken = 1; taken <= 3; taken++) {
		struct trial trial;
		char *before;

		fake_win_boot();
		before = state();
		fake.taken_names = taken;
		win_trial_run(&trial, 0, 0);
		ck_assert_int_eq(trial.result, taken < 3 ? 0 : -1);
		ck_assert_uint_eq(fake.resumed, taken < 3 ? 1 : 0);
		ck_assert(taken == 3 || trial.report.teardown.confirmed);
		ck_assert(taken < 3 || !strstr(str_text(&fake.log), "profile_delete"));
		assert_clean(before);
		trial_free(&trial);
		free(before);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(without_containers_nothing_runs_unless_each_layer_may_miss)
{
	struct trial trial;
	char *before;

	fake_win_boot();
	before = state();
	fake.has_no_containers = true;
	win_trial_run(&trial, WIN_READ_ONLY, 0);
	ck_assert_int_eq(trial.err.kind, ERR_REFUSED);
	ck_assert_ptr_nonnull(strstr(trial.err.message, "appcontainer"));
	ck_assert_ptr_nonnull(strstr(trial.err.message, "0x80004001"));
	ck_assert_ptr_nonnull(strstr(trial.report.layers[CONTROL_APPCONTAINER].reason, "not applied"));
	ck_assert_uint_eq(fake.created, 0);
	ck_assert_int_eq(report_exit_status(&trial.report), 125);
	assert_clean(before);
	trial_free(&trial);

	fake_win_restart();
	fake.has_no_containers = true;
	win_trial_run(&trial, WIN_READ_ONLY | WIN_DEGRADED, 3);
	ck_assert_msg(trial.result == 0, "%s", trial.err.message);
	ck_assert_int_eq(report_exit_status(&trial.report), 3);
	ck_assert_str_eq(trial.report.confinement, "job");
	ck_assert_str_eq(trial.report.network, "host");
	ck_assert_int_eq(trial.report.layers[CONTROL_APPCONTAINER].state, LAYER_SKIPPED);
	ck_assert_int_eq(trial.report.layers[CONTROL_JOB].state, LAYER_APPLIED);
	/* Nothing is given to a container that is not there. */
	ck_assert(!strstr(str_text(&fake.log), "acl_grant"));
	assert_clean(before);
	trial_free(&trial);
	free(before);
	fake_win_shutdown();
}
END_TEST

/* Each layer that needs a container keeps a run from going on without one. */
START_TEST(one_layer_that_may_not_miss_is_enough)
{
	static const enum control controls[] = {
		CONTROL_APPCONTAINER, CONTROL_CAPABILITIES, CONTROL_FILESYSTEM, CONTROL_NETWORK,
		CONTROL_READ_ONLY,
	};

	for (size_t i = 0; i < UNIT_COUNT(controls); i++) {
		struct trial trial;

		fake_win_boot();
		fake.has_no_containers = true;
		win_trial_init(&trial);
		for (size_t j = 0; j < UNIT_COUNT(controls); j++)
			trial.spec.policy[controls[j]].may_miss = i != j;
		win_trial_command(&trial.spec, "cmd", "exit 0");
		trial_run(&trial, &backend_win);
		ck_assert_int_eq(trial.err.kind, ERR_REFUSED);
		ck_assert_uint_eq(fake.created, 0);
		ck_assert_ptr_nonnull(strstr(trial.err.message, control_name(controls[i])));
		trial_free(&trial);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(limits_and_the_user_end_a_run)
{
	const uint64_t second = 1000000000;
	const struct {
		struct fake_win asks;
		enum end_reason reason;
		int status;
		enum control hit;
	} rows[] = {
		{ { .runs_ns = 100 * second }, END_WALL_LIMIT, 124, CONTROL_WALL },
		{ { .runs_ns = second, .uses_user_ns = 61 * second }, END_CPU_LIMIT, 124, CONTROL_CPU },
		{ { .runs_ns = second, .uses_kernel_ns = 61 * second }, END_CPU_LIMIT, 124, CONTROL_CPU },
		{ { .writes = { 600, 401 } }, END_OUTPUT_LIMIT, 125, CONTROL_OUTPUT },
		{ { .writes = { 901, 0 } }, END_OUTPUT_LIMIT, 125, CONTROL_OUTPUT_EACH },
		{ { .writes = { 0, 901 } }, END_OUTPUT_LIMIT, 125, CONTROL_OUTPUT_EACH },
		{ { .writes = { 600, 400 } }, END_EXITED, 5, CONTROL_COUNT },
		{ { .writes = { 900, 100 } }, END_EXITED, 5, CONTROL_COUNT },
		{ { .runs_ns = 59 * second, .uses_user_ns = 59 * second }, END_EXITED, 5, CONTROL_COUNT },
		{ { .runs_ns = 30 * second, .cancel = WAPI_CANCEL_INTERRUPT, .cancel_ns = 10 * second },
		  END_CANCELLED, 130, CONTROL_COUNT },
		{ { .runs_ns = 30 * second, .cancel = WAPI_CANCEL_CLOSE, .cancel_ns = 10 * second },
		  END_CANCELLED, 143, CONTROL_COUNT },
		{ { .runs_ns = 5 * second, .survivors = 3 }, END_EXITED, 5, CONTROL_COUNT },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		struct trial trial;
		char *before;

		fake_win_boot();
		before = state();
		fake = rows[i].asks;
		win_trial_run(&trial, WIN_LIMITS, 5);
		ck_assert_msg(trial.result == 0, "%zu: %s", i, trial.err.message);
		ck_assert_msg(trial.report.end.reason == rows[i].reason, "%zu: %s", i,
		    end_reason_name(trial.report.end.reason));
		ck_assert_msg(report_exit_status(&trial.report) == rows[i].status, "%zu: %d", i,
		    report_exit_status(&trial.report));
		ck_assert(rows[i].hit == CONTROL_COUNT || trial.report.layers[rows[i].hit].hit);
		if (rows[i].asks.survivors)
			ck_assert_uint_eq(trial.report.teardown.survivors_killed.value, rows[i].asks.survivors);
		assert_clean(before);
		trial_free(&trial);
		free(before);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(a_check_builds_all_of_it_and_runs_nothing)
{
	for (int without = 0; without <= 1; without++) {
		struct backend_check check;
		struct trial trial;
		char *before;

		fake_win_boot();
		before = state();
		fake.has_no_containers = without;
		win_trial_init(&trial);
		win_trial_command(&trial.spec, "cmd", NULL);
		ck_assert_int_eq(spec_check(&trial.spec, &trial.err), 0);
		backend_check(&backend_win, &trial.spec, NULL, &check);
		ck_assert_int_eq(check.is_usable, !without);
		ck_assert_uint_eq(fake.created, !without);
		ck_assert_uint_eq(fake.resumed, 0);
		ck_assert(without || check.report.layers[CONTROL_NETWORK].state == LAYER_APPLIED);
		ck_assert(!without || check.report.layers[CONTROL_NETWORK].state == LAYER_REFUSED);
		assert_clean(before);
		backend_check_free(&check);
		trial_free(&trial);
		free(before);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(the_environment_and_streams_are_the_runs_own)
{
	struct trial trial;

	fake_win_boot();
	win_trial_run(&trial, 0, 0);
	ck_assert_int_eq(trial.report.layers[CONTROL_ENVIRONMENT].state, LAYER_APPLIED);
	ck_assert_int_eq(trial.report.layers[CONTROL_HANDLES].state, LAYER_APPLIED);
	trial_free(&trial);
	fake_win_boot();
	win_trial_init(&trial);
	trial.spec.keep_env = true;
	win_trial_command(&trial.spec, "cmd", "exit 0");
	trial_run(&trial, &backend_win);
	ck_assert_int_eq(trial.result, 0);
	ck_assert_int_eq(trial.report.layers[CONTROL_ENVIRONMENT].state, LAYER_SKIPPED);
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

START_TEST(only_the_desktop_is_given_up_in_a_job_that_allows_no_more)
{
	for (int may_miss = 0; may_miss <= 1; may_miss++) {
		struct trial trial;
		char *before;

		fake_win_boot();
		before = state();
		fake.is_in_strict_job = true;
		win_trial_init(&trial);
		trial.spec.policy[CONTROL_UI].may_miss = may_miss;
		win_trial_command(&trial.spec, "cmd", "exit 6");
		trial_run(&trial, &backend_win);
		ck_assert_int_eq(trial.result, may_miss ? 0 : -1);
		ck_assert_int_eq(report_exit_status(&trial.report), may_miss ? 6 : 126);
		ck_assert(may_miss || strstr(trial.err.message, "--allow-missing ui"));
		ck_assert_int_eq(trial.report.layers[CONTROL_UI].state, may_miss ? LAYER_SKIPPED : LAYER_UNCONFIRMED);
		ck_assert(!may_miss || trial.report.layers[CONTROL_APPCONTAINER].state == LAYER_APPLIED);
		assert_clean(before);
		trial_free(&trial);
		free(before);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(a_kept_scratch_stays_without_an_entry_for_the_container)
{
	struct trial trial;
	char *after;

	fake_win_boot();
	fake_win_add("C:\\keep", true, false);
	win_trial_init(&trial);
	trial.spec.scratch_dir = xstrdup("C:\\keep");
	trial.spec.keep_scratch = true;
	win_trial_command(&trial.spec, "cmd", "exit 0");
	trial_run(&trial, &backend_win);
	ck_assert_msg(trial.result == 0, "%s", trial.err.message);
	after = state();
	ck_assert_ptr_nonnull(strstr(after, trial.report.scratch));
	ck_assert_ptr_null(strstr(after, "S-1-15-2-1-"));
	ck_assert_ptr_null(strstr(after, "S-1-15-2-2"));
	ck_assert(!trial.report.teardown.has_scratch);
	free(after);
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

START_TEST(a_folder_of_the_callers_is_used_and_given_back)
{
	struct trial trial;
	char *before;

	fake_win_boot();
	before = state();
	win_trial_init(&trial);
	trial.spec.scratch_use = xstrdup("C:\\data");
	win_trial_command(&trial.spec, "cmd", "exit 0");
	trial_run(&trial, &backend_win);
	ck_assert_msg(trial.result == 0, "%s", trial.err.message);
	ck_assert_str_eq(trial.report.scratch, "C:\\data");
	ck_assert(strstr(str_text(&fake.log), "acl_grant"));
	assert_clean(before);
	trial_free(&trial);
	fake_win_add("C:\\data\\x", false, false);
	win_trial_init(&trial);
	trial.spec.scratch_use = xstrdup("C:\\data");
	win_trial_command(&trial.spec, "cmd", "exit 0");
	trial_run(&trial, &backend_win);
	ck_assert_int_eq(trial.err.kind, ERR_USAGE);
	ck_assert_str_eq(trial.err.message, "--scratch-use C:\\data: is not empty");
	trial_free(&trial);
	free(before);
	fake_win_shutdown();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_run_confirms_all_and_leaves_nothing,
		the_order_is_the_one_that_survives_a_kill,
		what_every_container_may_read_is_not_granted,
		a_name_that_is_taken_is_never_adopted,
		without_containers_nothing_runs_unless_each_layer_may_miss,
		one_layer_that_may_not_miss_is_enough,
		limits_and_the_user_end_a_run,
		a_check_builds_all_of_it_and_runs_nothing,
		the_environment_and_streams_are_the_runs_own,
		only_the_desktop_is_given_up_in_a_job_that_allows_no_more,
		a_kept_scratch_stays_without_an_entry_for_the_container,
		a_folder_of_the_callers_is_used_and_given_back,
	};

	return unit_run("win/run", tests, UNIT_COUNT(tests));
}
