/*
 * The Windows backend when Windows fails, lies, or nsbox is killed: at every call
 * of a run, one after the other. Nothing may run that was not confirmed, and what is
 * left behind is either nothing or named in a journal, from which a sweep removes it.
 */
#include "win/win_trial.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"
#include "win/leftover.h"

static char *clean;	/* the machine as it is before a run */

static char *state(void)
{
	struct str text = STR_INIT;

	fake_win_state(&text);
	return str_take(&text);
}

static bool is_clean(void)
{
	char *now = state();
	bool result = strcmp(now, clean) == 0;

	free(now);
	return result;
}

static void boot(void)
{
	fake_win_boot();
	free(clean);
	clean = state();
}

/* The next nsbox finds what the one before left, and takes it away. */
static void assert_swept(const char *label, unsigned first, unsigned second)
{
	struct err err = ERR_INIT;
	size_t removed;
	char *now;

	fake_win_restart();
	leftover_sweep(LEFTOVER_ALL, &removed, &err);
	now = state();
	ck_assert_msg(err.kind == ERR_NONE, "%s %u %u: %s", label, first, second, err.message);
	ck_assert_msg(strcmp(now, clean) == 0, "%s %u %u left:\n%s", label, first, second, now);
	ck_assert_int_eq(fake.handles, 0);
	free(now);
}

static bool is_required_applied(const struct report *report)
{
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		if (report->layers[i].asked == WANT_YES && report->layers[i].state != LAYER_APPLIED)
			return false;
	return true;
}

/* What holds after every run, whatever failed in it. */
static void assert_honest(const struct trial *trial, const char *label, unsigned first,
    unsigned second)
{
	ck_assert_msg(!fake.resumed || is_required_applied(&trial->report),
	    "%s %u %u: ran without what was required", label, first, second);
	ck_assert_msg(fake.resumed <= 1, "%s %u %u: resumed twice", label, first, second);
	ck_assert_msg(fake.handles == 0, "%s %u %u: %d handles", label, first, second, fake.handles);
	ck_assert_msg(fake.running == 0 || trial->result < 0, "%s %u %u: a survivor", label, first, second);
	ck_assert_msg(is_clean() || !trial->report.teardown.confirmed,
	    "%s %u %u: says that it is clean, and it is not", label, first, second);
	ck_assert_msg(trial->result < 0 || trial->report.teardown.confirmed,
	    "%s %u %u: ended well without a teardown", label, first, second);
}

static unsigned calls_of(int what)
{
	struct trial trial;
	unsigned calls;

	boot();
	win_trial_run(&trial, what, 0);
	ck_assert_msg(trial.result == 0, "%s", trial.err.message);
	calls = fake.calls;
	trial_free(&trial);
	return calls;
}

static void run_with_faults(int what, unsigned first, unsigned second, uint32_t code)
{
	struct trial trial;

	boot();
	fake.fail_at[0] = first;
	fake.fail_at[1] = second;
	fake.fail_code = code;
	win_trial_run(&trial, what, 0);
	assert_honest(&trial, "faults", first, second);
	trial_free(&trial);
	assert_swept("faults", first, second);
}

START_TEST(each_call_fails_once)
{
	static const int whats[] = { WIN_ALL, 0, WIN_READ_ONLY | WIN_DEGRADED };
	static const uint32_t codes[] = { WAPI_ACCESS_DENIED, WAPI_PROC_NOT_FOUND };

	for (size_t i = 0; i < UNIT_COUNT(whats); i++) {
		unsigned calls = calls_of(whats[i]);

		ck_assert_uint_gt(calls, 40);
		for (unsigned call = 1; call <= calls + 2; call++)
			for (size_t j = 0; j < UNIT_COUNT(codes); j++)
				run_with_faults(whats[i], call, FAKE_NEVER, codes[j]);
	}
	fake_win_shutdown();
}
END_TEST

/* Each failure of the set-up together with each of what comes behind it, the teardown above all. */
START_TEST(each_two_calls_fail)
{
	unsigned calls = calls_of(WIN_ALL);

	for (unsigned first = 1; first <= calls; first++)
		for (unsigned second = first + 1; second <= calls; second++)
			run_with_faults(WIN_ALL, first, second, WAPI_ACCESS_DENIED);
	fake_win_shutdown();
}
END_TEST

/* A call that fails for good: what is required of it keeps the command from running. */
START_TEST(each_call_fails_always)
{
	static const char *const names[] = {
#define NAME(name) #name,
		FAKE_SYSTEM(NAME)
		FAKE_FILES(NAME)
		FAKE_PROCESSES(NAME)
#undef NAME
	};

	for (size_t i = 0; i < UNIT_COUNT(names); i++) {
		struct trial trial;

		boot();
		fake.fail_name = names[i];
		win_trial_run(&trial, WIN_ALL, 0);
		assert_honest(&trial, names[i], 0, 0);
		trial_free(&trial);
		assert_swept(names[i], 0, 0);
	}
	fake_win_shutdown();
}
END_TEST

/* Whoever cannot count the processes does not know that none is left. */
START_TEST(a_job_that_cannot_be_counted_is_not_empty)
{
	struct trial trial;

	boot();
	fake.fail_name = "job_usage";
	win_trial_run(&trial, 0, 0);
	ck_assert_uint_eq(fake.resumed, 0);
	ck_assert(!trial.report.teardown.confirmed);
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

/* What cannot be asked for is an error before there is a process, not something to find out afterwards. */
START_TEST(no_process_is_made_without_its_attributes)
{
	static const char *const names[] = { "attrs_create", "attrs_add", "inheritable", "pipe_create" };

	for (size_t i = 0; i < UNIT_COUNT(names); i++) {
		struct trial trial;

		boot();
		fake.fail_name = names[i];
		win_trial_run(&trial, 0, 0);
		ck_assert_int_eq(trial.err.kind, ERR_SETUP);
		ck_assert_msg(fake.created == 0, "%s", names[i]);
		trial_free(&trial);
	}
	fake_win_shutdown();
}
END_TEST

/* Of what may fail without harm there is only this. */
START_TEST(only_these_calls_may_fail_in_a_run_that_ends_well)
{
	static const char *const harmless[] = {
		/* The sweep of what dead runs left; --gc says what is wrong. */
		"folder", "profile_list", "folder_list",
		/* Counting, where another count or the job's own limit is left. */
		"job_usage", "job_terminate", "profile_delete", "pump_wait",
	};
	unsigned calls = calls_of(WIN_ALL);

	for (unsigned call = 1; call <= calls; call++) {
		struct trial trial;
		/* COMMAND is searched for: "cmd" is not there, "cmd.exe" is. */
		bool is_harmless = call == 1;
		const char *name;

		boot();
		fake.fail_at[0] = call;
		win_trial_run(&trial, WIN_ALL, 0);
		name = str_text(&fake.log);
		for (unsigned i = 1; i < call; i++)
			name = strchr(name, ' ') + 1;
		for (size_t i = 0; i < UNIT_COUNT(harmless); i++)
			is_harmless |= strncmp(name, harmless[i], strlen(harmless[i])) == 0;
		ck_assert_msg(trial.result < 0 || is_harmless, "call %u: %.30s", call, name);
		trial_free(&trial);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(a_kill_at_each_call_leaves_nothing_that_is_not_swept)
{
	unsigned calls = calls_of(WIN_ALL);

	for (unsigned call = 1; call <= calls; call++) {
		struct trial trial;

		boot();
		fake.die_at = call;
		win_trial_run(&trial, WIN_ALL, 0);
		ck_assert(fake.is_dead);
		ck_assert_msg(fake.running == 0, "kill %u: a process outlived nsbox", call);
		ck_assert_int_eq(fake.handles, 0);
		trial_free(&trial);
		assert_swept("kill", call, 0);
	}
	fake_win_shutdown();
}
END_TEST

/* And the sweep itself is killed, at each of its calls. */
START_TEST(a_kill_of_the_sweep_leaves_the_rest_to_the_next)
{
	unsigned calls = calls_of(WIN_ALL);

	for (unsigned call = 1; call <= calls; call += 3) {
		for (unsigned sweep_call = 1; sweep_call <= 40; sweep_call++) {
			struct err err = ERR_INIT;
			struct trial trial;
			size_t removed;

			boot();
			fake.die_at = call;
			win_trial_run(&trial, WIN_ALL, 0);
			trial_free(&trial);
			fake_win_restart();
			fake.die_at = sweep_call;
			leftover_sweep(LEFTOVER_ALL, &removed, &err);
			err_clear(&err);
			assert_swept("sweep", call, sweep_call);
		}
	}
	fake_win_shutdown();
}
END_TEST

/* What each lie takes away; CONTROL_COUNT: it is found before there is a child. */
static const struct {
	enum fake_lie lie;
	enum control control;
} lies[] = {
	{ LIE_NOT_A_CONTAINER, CONTROL_APPCONTAINER }, { LIE_OTHER_SID, CONTROL_APPCONTAINER },
	{ LIE_NO_SID, CONTROL_APPCONTAINER }, { LIE_HIGH_INTEGRITY, CONTROL_APPCONTAINER },
	{ LIE_CAPABILITY, CONTROL_CAPABILITIES }, { LIE_CAPABILITIES_UNREADABLE, CONTROL_CAPABILITIES },
	{ LIE_NOT_LPAC, CONTROL_LPAC }, { LIE_NOT_IN_JOB, CONTROL_JOB }, { LIE_TWO_IN_JOB, CONTROL_JOB },
	{ LIE_NO_FLAGS, CONTROL_TEARDOWN }, { LIE_PIDS, CONTROL_PIDS }, { LIE_MEM, CONTROL_MEM },
	{ LIE_CPU, CONTROL_CPU }, { LIE_RATE, CONTROL_CPUS }, { LIE_UI, CONTROL_UI },
	{ LIE_MITIGATION_UNTOUCHED, CONTROL_MITIGATIONS }, { LIE_MITIGATION_OFF, CONTROL_MITIGATIONS },
	{ LIE_GRANT_DROPPED, CONTROL_COUNT }, { LIE_GRANT_TOO_WIDE, CONTROL_COUNT },
	{ LIE_SCRATCH_UNPROTECTED, CONTROL_SCRATCH }, { LIE_SCRATCH_FOR_OTHERS, CONTROL_SCRATCH },
	{ LIE_SCRATCH_WITHOUT_ENTRY, CONTROL_SCRATCH }, { LIE_HOME_OPEN, CONTROL_FILESYSTEM },
	{ LIE_JOURNAL_OPEN, CONTROL_FILESYSTEM }, { LIE_SCRATCH_CLOSED, CONTROL_FILESYSTEM },
	{ LIE_READ_ONLY_WRITABLE, CONTROL_READ_ONLY }, { LIE_READ_ONLY_CLOSED, CONTROL_READ_ONLY },
	{ LIE_EXEMPT, CONTROL_NETWORK }, { LIE_NO_FIREWALL, CONTROL_NETWORK },
	{ LIE_DERIVED_SID, CONTROL_APPCONTAINER }, { LIE_CREATED_SID, CONTROL_APPCONTAINER },
};

START_TEST(nothing_runs_on_a_lie)
{
	for (size_t i = 0; i < UNIT_COUNT(lies); i++) {
		struct trial trial;

		boot();
		fake.lie = lies[i].lie;
		win_trial_run(&trial, WIN_ALL, 0);
		ck_assert_msg(trial.result < 0, "lie %d was believed", lies[i].lie);
		ck_assert_msg(fake.resumed == 0, "lie %d: the command ran", lies[i].lie);
		ck_assert_int_eq(report_exit_status(&trial.report), 125);
		ck_assert_msg(lies[i].control == CONTROL_COUNT || trial.report.layers[lies[i].control].state ==
		    LAYER_REFUSED, "lie %d: %s", lies[i].lie, trial.err.message);
		ck_assert_msg(lies[i].control == CONTROL_COUNT || strstr(trial.err.message,
		    control_name(lies[i].control)), "lie %d: %s", lies[i].lie, trial.err.message);
		fake.lie = LIE_NONE;
		assert_honest(&trial, "lie", lies[i].lie, 0);
		ck_assert_msg(is_clean(), "lie %d left something", lies[i].lie);
		trial_free(&trial);
	}
	fake_win_shutdown();
}
END_TEST

/* Without the lie the same runs: the twin that is allowed. */
START_TEST(the_same_without_a_lie_runs)
{
	struct trial trial;

	boot();
	win_trial_run(&trial, WIN_ALL, 0);
	ck_assert_int_eq(trial.result, 0);
	ck_assert_uint_eq(fake.resumed, 1);
	trial_free(&trial);
	fake_win_shutdown();
}
END_TEST

START_TEST(a_teardown_that_only_says_so_is_not_confirmed)
{
	static const enum fake_lie teardown_lies[] = {
		LIE_PROFILE_STAYS, LIE_REVOKE_IGNORED, LIE_TREE_STAYS, LIE_NEVER_EMPTY, LIE_RESUMED_TWICE,
	};

	for (size_t i = 0; i < UNIT_COUNT(teardown_lies); i++) {
		struct trial trial;
		bool is_lost = teardown_lies[i] != LIE_RESUMED_TWICE;

		boot();
		fake.lie = teardown_lies[i];
		win_trial_run(&trial, WIN_ALL, 0);
		ck_assert_msg(trial.result < 0, "lie %zu was believed", i);
		ck_assert_int_eq(report_exit_status(&trial.report), 125);
		ck_assert_msg(trial.report.teardown.confirmed == !is_lost, "lie %zu", i);
		trial_free(&trial);
		fake.lie = LIE_NONE;
		assert_swept("teardown lie", (unsigned)i, 0);
	}
	fake_win_shutdown();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		each_call_fails_once,
		each_two_calls_fail,
		each_call_fails_always,
		a_job_that_cannot_be_counted_is_not_empty,
		no_process_is_made_without_its_attributes,
		only_these_calls_may_fail_in_a_run_that_ends_well,
		a_kill_at_each_call_leaves_nothing_that_is_not_swept,
		a_kill_of_the_sweep_leaves_the_rest_to_the_next,
		nothing_runs_on_a_lie,
		the_same_without_a_lie_runs,
		a_teardown_that_only_says_so_is_not_confirmed,
	};

	return unit_run("win/faults", tests, UNIT_COUNT(tests));
}
