/*
 * Tests of core/backend.c's loop: whatever fails, alone or together with
 * teardown, COMMAND is not released too early, teardown is called exactly once,
 * and the end says what failed first.
 */
#include "core/backend.h"

#include <errno.h>
#include <string.h>

#include "contract/fake.h"
#include "contract/fake_subject.h"
#include "contract/trial.h"
#include "unit/unit.h"

static void run(struct fake *fake, struct trial *trial, int status)
{
	fake_use(fake);
	fake_subject.exits(&trial->spec, status);
	trial_run(trial, &fake_backend);
	ck_assert_int_eq(fake->live, 0);
}

static void assert_end(const struct trial *trial, enum end_reason reason, const char *stage,
    const char *message)
{
	ck_assert_int_eq(trial->result, -1);
	ck_assert_int_eq(trial->report.end.reason, reason);
	ck_assert_str_eq(trial->report.end.stage, stage);
	ck_assert_ptr_nonnull(strstr(trial->report.end.message, message));
	ck_assert_str_eq(trial->err.message, trial->report.end.message);
	ck_assert_int_eq(report_exit_status(&trial->report), 125);
}

static const struct {
	enum fake_step step;
	enum end_reason reason;
	enum err_kind kind;
	const char *name;
	const char *calls;
	bool has_applied;
} failures[] = {
	{ FAKE_PREPARE, END_SETUP_FAILED, ERR_SETUP, "prepare", "prepare", false },
	{ FAKE_START, END_SETUP_FAILED, ERR_SETUP, "start",
		"prepare prepared start teardown", false },
	{ FAKE_RELEASE, END_SETUP_FAILED, ERR_SETUP, "release",
		"prepare prepared start applied release teardown", true },
	{ FAKE_WAIT, END_LAUNCHER_LOST, ERR_LOST, "wait",
		"prepare prepared start applied release wait teardown", true },
	{ FAKE_TEARDOWN, END_LAUNCHER_LOST, ERR_LOST, "teardown",
		"prepare prepared start applied release wait teardown", true },
};

/* Each failure alone, together with a failing teardown, with and without a reason. */
START_TEST(whatever_fails_the_first_failure_is_the_end)
{
	size_t i;

	for (i = 0; i < UNIT_COUNT(failures) * 4; i++) {
		size_t row = i / 4;
		struct fake fake = { .silent = i & 1, .control = CONTROL_COUNT };
		struct trial trial;

		fake.fails[failures[row].step] = true;
		fake.fails[FAKE_TEARDOWN] |= (i & 2) != 0;
		trial_init(&trial, NULL);
		run(&fake, &trial, 0);
		assert_end(&trial, failures[row].reason, failures[row].name, failures[row].name);
		ck_assert_int_eq(trial.err.kind, failures[row].kind);
		ck_assert_int_eq(trial.report.end.sys, fake.silent ? 0 : EIO);
		ck_assert_str_eq(trial_calls(), failures[row].calls);
		ck_assert_int_eq(trial.report.has_applied, failures[row].has_applied);
		if (fake.fails[FAKE_TEARDOWN])
			ck_assert(!trial.report.teardown.confirmed);
		trial_free(&trial);
	}
}
END_TEST

START_TEST(without_each_required_confirmation_the_command_is_not_released)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT * 4; i++) {
		enum control control = (enum control)(i / 4);
		struct fake fake = { .withholds = !(i & 1), .refuses = i & 1, .control = control };
		struct trial trial;

		fake.fails[FAKE_TEARDOWN] = (i & 2) != 0;
		trial_init(&trial, NULL);
		trial.spec.policy[control].required = true;
		run(&fake, &trial, 0);
		assert_end(&trial, END_REFUSED, "confirm", control_name(control));
		ck_assert_int_eq(trial.err.kind, ERR_REFUSED);
		ck_assert_str_eq(trial_calls(), "prepare prepared start teardown");
		ck_assert(!trial.report.has_applied);
		trial_free(&trial);
	}
}
END_TEST

START_TEST(what_may_miss_may_be_withheld)
{
	struct fake fake = { .withholds = true, .control = CONTROL_IPC };
	struct trial trial;

	trial_init(&trial, NULL);
	trial.spec.policy[CONTROL_IPC].may_miss = true;
	run(&fake, &trial, 7);
	ck_assert_int_eq(trial.result, 0);
	ck_assert_int_eq(report_exit_status(&trial.report), 7);
	ck_assert_int_eq(trial.report.layers[CONTROL_IPC].state, LAYER_UNCONFIRMED);
	trial_free(&trial);
}
END_TEST

START_TEST(a_caller_that_stops_the_run_is_obeyed)
{
	int teardown_fails;

	for (teardown_fails = 0; teardown_fails <= 1; teardown_fails++) {
		struct fake fake = { .control = CONTROL_COUNT };
		struct trial trial;

		fake.fails[FAKE_TEARDOWN] = teardown_fails;
		trial_init(&trial, NULL);
		trial.stops = true;
		run(&fake, &trial, 0);
		assert_end(&trial, END_SETUP_FAILED, "report", "stopped by the caller");
		ck_assert_str_eq(trial_calls(), "prepare prepared start applied teardown");
		ck_assert(!trial.report.has_applied);
		trial_free(&trial);
	}
}
END_TEST

START_TEST(a_run_without_hooks_is_a_run)
{
	static const struct backend_hooks none = { NULL, NULL, NULL };
	const struct backend_hooks *const hooks[] = { NULL, &none };
	struct fake fake = { .control = CONTROL_COUNT };
	size_t i;

	fake_use(&fake);
	for (i = 0; i < UNIT_COUNT(hooks); i++) {
		struct trial trial;

		trial_init(&trial, NULL);
		fake_subject.exits(&trial.spec, 5);
		ck_assert_int_eq(spec_check(&trial.spec, &trial.err), 0);
		report_init(&trial.report, &trial.spec);
		ck_assert_int_eq(backend_run(&fake_backend, &trial.spec, &trial.report, hooks[i],
		    &trial.err), 0);
		ck_assert_int_eq(report_exit_status(&trial.report), 5);
		trial_free(&trial);
	}
}
END_TEST

START_TEST(a_run_whose_end_is_not_known_is_lost)
{
	struct fake fake = { .endless = true, .control = CONTROL_COUNT };
	struct trial trial;

	trial_init(&trial, NULL);
	run(&fake, &trial, 0);
	assert_end(&trial, END_LAUNCHER_LOST, "wait", "not known");
	ck_assert_str_eq(trial_calls(), "prepare prepared start applied release wait teardown");
	trial_free(&trial);
}
END_TEST

START_TEST(a_good_end_does_not_hide_a_later_failure)
{
	static const enum fake_step steps[] = { FAKE_WAIT, FAKE_TEARDOWN };
	size_t i;

	for (i = 0; i < UNIT_COUNT(steps); i++) {
		struct fake fake = { .late_end = true, .control = CONTROL_COUNT };
		struct trial trial;

		fake.fails[steps[i]] = true;
		trial_init(&trial, NULL);
		run(&fake, &trial, 0);
		ck_assert_int_eq(trial.report.end.reason, END_LAUNCHER_LOST);
		ck_assert_int_eq(report_exit_status(&trial.report), 125);
		/* What is known of the command stays known. */
		ck_assert_int_eq(trial.report.end.code, 0);
		trial_free(&trial);
	}
}
END_TEST

START_TEST(an_end_that_the_backend_knows_better_stays)
{
	struct fake fake = { .ends_early = true, .control = CONTROL_COUNT };
	struct trial trial;

	fake.fails[FAKE_START] = true;
	trial_init(&trial, NULL);
	run(&fake, &trial, 0);
	ck_assert_int_eq(trial.result, -1);
	ck_assert_int_eq(trial.report.end.reason, END_CANCELLED);
	ck_assert_int_eq(report_exit_status(&trial.report), 125);
	trial_free(&trial);
}
END_TEST

START_TEST(a_command_that_cannot_be_executed_keeps_its_status_when_teardown_fails)
{
	int teardown_fails;

	for (teardown_fails = 0; teardown_fails <= 1; teardown_fails++) {
		struct fake fake = { .control = CONTROL_COUNT };
		struct trial trial;

		fake.fails[FAKE_TEARDOWN] = teardown_fails;
		fake_use(&fake);
		trial_init(&trial, NULL);
		fake_subject.is_missing(&trial.spec);
		trial_run(&trial, &fake_backend);
		ck_assert_int_eq(trial.report.end.reason, END_EXEC_FAILED);
		ck_assert_int_eq(trial.report.end.sys, ENOENT);
		ck_assert_int_eq(report_exit_status(&trial.report), 127);
		ck_assert_int_eq(trial.report.teardown.confirmed, !teardown_fails);
		trial_free(&trial);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		whatever_fails_the_first_failure_is_the_end,
		without_each_required_confirmation_the_command_is_not_released,
		what_may_miss_may_be_withheld,
		a_caller_that_stops_the_run_is_obeyed,
		a_run_without_hooks_is_a_run,
		a_run_whose_end_is_not_known_is_lost,
		a_good_end_does_not_hide_a_later_failure,
		an_end_that_the_backend_knows_better_stays,
		a_command_that_cannot_be_executed_keeps_its_status_when_teardown_fails,
	};

	return unit_run("core/backend run", tests, UNIT_COUNT(tests));
}
