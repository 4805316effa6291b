/*
 * The cases, and the program that runs them.
 */
#include "contract/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/trial.h"

static void a_run_calls_everything_in_its_order(const struct contract_subject *subject,
    struct verdict *verdict)
{
	struct trial trial;

	trial_init(&trial, subject->defaults);
	subject->exits(&trial.spec, 0);
	trial_run(&trial, subject->backend);
	EXPECT(trial.result == 0);
	EXPECT(trial_called("prepare prepared start applied release wait teardown"));
	EXPECT(trial.err.kind == ERR_NONE);
	EXPECT(trial.report.has_applied);
	trial_free(&trial);
}

static void the_exit_status_of_the_command_is_passed_on(const struct contract_subject *subject,
    struct verdict *verdict)
{
	static const int codes[] = { 0, 1, 8, 124, 125, 126, 127, 137, 255 };
	size_t i;

	for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct trial trial;

		trial_init(&trial, subject->defaults);
		subject->exits(&trial.spec, codes[i]);
		trial_run(&trial, subject->backend);
		EXPECT(trial.result == 0);
		EXPECT(trial.report.end.reason == END_EXITED);
		EXPECT(trial.report.end.code == codes[i]);
		EXPECT(trial.report.end.signal == 0);
		EXPECT(report_exit_status(&trial.report) == codes[i]);
		trial_free(&trial);
	}
}

static void a_command_ended_by_a_signal_is_reported_so(const struct contract_subject *subject,
    struct verdict *verdict)
{
	struct trial trial;

	trial_init(&trial, subject->defaults);
	subject->kills_itself(&trial.spec);
	trial_run(&trial, subject->backend);
	EXPECT(trial.result == 0);
	EXPECT(trial.report.end.reason == END_SIGNALED);
	EXPECT(trial.report.end.signal == 9);
	EXPECT(trial.report.end.code == -1);
	EXPECT(report_exit_status(&trial.report) == 137);
	trial_free(&trial);
}

static void expect_not_executed(const struct contract_subject *subject, struct verdict *verdict,
    void (*complete)(struct spec *), enum err_kind kind, int status)
{
	struct trial trial;

	trial_init(&trial, subject->defaults);
	complete(&trial.spec);
	trial_run(&trial, subject->backend);
	EXPECT(trial.result == -1);
	EXPECT(trial.err.kind == kind);
	EXPECT(trial.err.sys != 0);
	EXPECT(trial.report.end.reason == END_EXEC_FAILED);
	EXPECT(trial.report.end.message != NULL);
	EXPECT(report_exit_status(&trial.report) == status);
	trial_free(&trial);
}

static void a_missing_command_is_not_found(const struct contract_subject *subject,
    struct verdict *verdict)
{
	expect_not_executed(subject, verdict, subject->is_missing, ERR_NOT_FOUND, 127);
}

static void a_file_that_is_no_program_is_not_executable(const struct contract_subject *subject,
    struct verdict *verdict)
{
	expect_not_executed(subject, verdict, subject->is_no_program, ERR_NOT_EXECUTABLE, 126);
}

static void what_is_in_force_has_its_evidence(const struct contract_subject *subject,
    struct verdict *verdict)
{
	struct trial trial;
	size_t i;

	trial_init(&trial, subject->defaults);
	subject->exits(&trial.spec, 0);
	trial_run(&trial, subject->backend);
	for (i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &trial.report.layers[i];

		EXPECT(layer->asked != WANT_YES || layer->state == LAYER_APPLIED);
		EXPECT(layer->asked == WANT_NO || layer->state != LAYER_UNCONFIRMED);
		EXPECT(layer->state != LAYER_APPLIED || layer->evidence);
		EXPECT(layer->state != LAYER_APPLIED || layer->items == 0 || layer->by);
		EXPECT(layer->state == LAYER_APPLIED || layer->reason);
	}
	trial_free(&trial);
}

static void the_command_does_not_run_where_its_caller_stops_it(
    const struct contract_subject *subject, struct verdict *verdict)
{
	struct trial trial;

	trial_init(&trial, subject->defaults);
	subject->exits(&trial.spec, 0);
	trial.stops = true;
	trial_run(&trial, subject->backend);
	EXPECT(trial.result == -1);
	EXPECT(trial_called("prepare prepared start applied teardown"));
	EXPECT(trial.report.end.reason == END_SETUP_FAILED);
	EXPECT(!trial.report.has_applied);
	EXPECT(report_exit_status(&trial.report) == 125);
	trial_free(&trial);
}

/* The probe's answer for this backend; false where there is none. */
static bool ask_probe(const struct contract_subject *subject, struct probe *probe)
{
	struct err err = ERR_INIT;
	int result;

	memset(probe, 0, sizeof(*probe));
	result = subject->backend->probe(probe, &err);
	err_clear(&err);
	return result == 0;
}

static void what_the_probe_cannot_do_has_a_reason(const struct contract_subject *subject,
    struct verdict *verdict)
{
	struct trial trial;
	struct probe probe;
	size_t i;

	trial_init(&trial, subject->defaults);
	EXPECT(ask_probe(subject, &probe));
	for (i = 0; i < CONTROL_COUNT; i++)
		EXPECT(probe.controls[i].can || probe.controls[i].reason);
	trial_free(&trial);
}

static void what_the_probe_cannot_do_is_never_run_without(const struct contract_subject *subject,
    struct verdict *verdict)
{
	struct probe probe;
	size_t i;

	if (!ask_probe(subject, &probe))
		return;		/* another case says so */
	verdict->skip = "the probe says that everything can be done";
	for (i = 0; i < CONTROL_COUNT; i++) {
		struct trial trial;

		if (probe.controls[i].can)
			continue;
		verdict->skip = NULL;
		trial_init(&trial, subject->defaults);
		subject->exits(&trial.spec, 0);
		trial.spec.policy[i].required = true;
		trial_run(&trial, subject->backend);
		EXPECT(trial.result == -1);
		EXPECT(trial.err.kind == ERR_REFUSED || trial.err.kind == ERR_SETUP);
		EXPECT(!strstr(trial_calls(), "release"));
		EXPECT(report_exit_status(&trial.report) == 125);
		trial_free(&trial);
	}
}

static void teardown_is_confirmed_also_after_a_failure(const struct contract_subject *subject,
    struct verdict *verdict)
{
	int stops;

	for (stops = 0; stops <= 1; stops++) {
		struct trial trial;

		trial_init(&trial, subject->defaults);
		subject->exits(&trial.spec, 0);
		trial.stops = stops;
		trial_run(&trial, subject->backend);
		EXPECT(trial.report.teardown.confirmed);
		EXPECT(trial.report.teardown.by != NULL);
		EXPECT(!trial.report.teardown.has_scratch || trial.report.teardown.scratch_removed);
		trial_free(&trial);
	}
}

static void a_run_leaves_nothing_to_the_next(const struct contract_subject *subject,
    struct verdict *verdict)
{
	void (*const failing[])(struct spec *) = { subject->is_missing, subject->is_no_program };
	size_t i;

	for (i = 0; i < 6; i++) {
		struct trial trial;

		trial_init(&trial, subject->defaults);
		if (i % 2)
			failing[i / 2 % 2](&trial.spec);
		else
			subject->exits(&trial.spec, (int)i);
		trial_run(&trial, subject->backend);
		EXPECT(trial.result == (i % 2 ? -1 : 0));
		EXPECT(i % 2 || report_exit_status(&trial.report) == (int)i);
		trial_free(&trial);
	}
}

static bool has_signals(const struct contract_subject *subject)
{
	return subject->kills_itself != NULL;
}

static const struct {
	const char *name;
	void (*run)(const struct contract_subject *, struct verdict *);
	bool (*applies)(const struct contract_subject *);	/* NULL: always */
} cases[] = {
#define CASE(name) { #name, name, NULL }
	CASE(a_run_calls_everything_in_its_order),
	CASE(the_exit_status_of_the_command_is_passed_on),
	{ "a_command_ended_by_a_signal_is_reported_so", a_command_ended_by_a_signal_is_reported_so,
	  has_signals },
	CASE(a_missing_command_is_not_found),
	CASE(a_file_that_is_no_program_is_not_executable),
	CASE(what_is_in_force_has_its_evidence),
	CASE(the_command_does_not_run_where_its_caller_stops_it),
	CASE(what_the_probe_cannot_do_has_a_reason),
	CASE(what_the_probe_cannot_do_is_never_run_without),
	CASE(teardown_is_confirmed_also_after_a_failure),
	CASE(a_run_leaves_nothing_to_the_next),
#undef CASE
};

enum { CASE_COUNT = sizeof(cases) / sizeof(cases[0]) };

/* Why the backend cannot run a plain command on this host; NULL: it can. Owned by the caller. */
static char *find_obstacle(const struct contract_subject *subject)
{
	const struct backend *const backends[] = { subject->backend, NULL };
	struct err err = ERR_INIT;
	struct report report;
	struct spec spec;
	char *obstacle = NULL;

	spec_init(&spec);
	spec.defaults = subject->defaults;
	subject->exits(&spec, 0);
	if (spec_check(&spec, &err) == 0) {
		report_init(&report, &spec);
		backend_pick(backends, &spec, &report, &err);
		report_free(&report);
	}
	if (err.message)
		obstacle = xstrdup(err.message);
	err_clear(&err);
	spec_free(&spec);
	return obstacle;
}

static bool is_case(const struct contract_subject *subject, size_t number)
{
	return !cases[number].applies || cases[number].applies(subject);
}

static size_t count_cases(const struct contract_subject *subject)
{
	size_t count = 0;

	for (size_t i = 0; i < CASE_COUNT; i++)
		count += is_case(subject, i);
	return count;
}

static void run_case(const struct contract_subject *subject, size_t number, bool print,
    struct contract_result *result)
{
	struct verdict verdict = { NULL, NULL };

	if (!is_case(subject, number))
		return;
	cases[number].run(subject, &verdict);
	if (verdict.fault)
		result->failed++;
	else if (verdict.skip)
		result->skipped++;
	else
		result->passed++;
	if (print) {
		printf("%sok %zu - %s: %s%s%s\n", verdict.fault ? "not " : "",
		    result->passed + result->failed + result->skipped,
		    subject->backend->name, cases[number].name,
		    !verdict.fault && verdict.skip ? " # SKIP " : "",
		    !verdict.fault && verdict.skip ? verdict.skip : "");
		if (verdict.fault)
			printf("# %s\n", verdict.fault);
	}
	free(verdict.fault);
}

struct contract_result contract_run(const struct contract_subject *subject, bool print)
{
	struct contract_result result = { 0, 0, 0 };
	char *obstacle = find_obstacle(subject);
	size_t i;

	if (obstacle) {
		result.skipped = count_cases(subject);
		if (print)
			printf("1..0 # SKIP %s\n", obstacle);
		free(obstacle);
		return result;
	}
	if (print)
		printf("1..%zu\n", count_cases(subject));
	for (i = 0; i < CASE_COUNT; i++) {
		if (print)
			fflush(stdout);	/* a backend may fork */
		run_case(subject, i, print, &result);
	}
	return result;
}

int contract_main(const struct contract_subject *subject)
{
	struct contract_result result = contract_run(subject, true);

	if (fflush(stdout) != 0 || result.failed > 0)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
