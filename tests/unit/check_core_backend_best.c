/*
 * Tests of core/backend_pick.c's way from a backend that the host refuses to the next.
 */
#include "core/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

struct run {
	int unused;
};

struct trial {
	struct spec spec;
	struct report report;
	struct err err;
};

static struct run only_run;
static enum err_kind strong_fails;
static unsigned strong_runs, weak_runs, torn_down, prepared;

static int probe_strong(struct probe *probe, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].can = true;
	return 0;
}

static int probe_weak(struct probe *probe, struct err *err)
{
	probe_strong(probe, err);
	probe->controls[CONTROL_USER_NAMESPACE].can = false;
	probe->controls[CONTROL_USER_NAMESPACE].elsewhere = true;
	probe->controls[CONTROL_USER_NAMESPACE].reason = "done without";
	return 0;
}

static int prepare(const struct spec *spec, struct run **run, struct err *err)
{
	(void)spec;
	(void)err;
	*run = &only_run;
	return 0;
}

static int start_strong(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	strong_runs++;
	report_confirm(report, CONTROL_NETWORK, "strong", 0, "by the strong one");
	report_missing(report, CONTROL_USER_NAMESPACE, EPERM, "allow it", "the host forbids it");
	return err_set(err, strong_fails, "no namespaces here");
}

static int start_weak(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	(void)err;
	weak_runs++;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		report_confirm(report, (enum control)i, "weak", 0, "by the weak one");
	return 0;
}

static int start_refused(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	(void)report;
	weak_runs++;
	return err_set(err, ERR_UNAVAILABLE, "nor the other");
}

static int release(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	(void)report;
	(void)err;
	return 0;
}

static int wait_end(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	(void)err;
	report->end.reason = END_EXITED;
	report->end.code = 3;
	return 0;
}

static int teardown(struct run *run, struct report *report, struct err *err)
{
	(void)run;
	(void)err;
	torn_down++;
	report->teardown.confirmed = true;
	return 0;
}

#define BACKEND(label, probe_it, start_it) { .name = label, .probe = probe_it, .prepare = prepare, \
	.start = start_it, .release = release, .wait = wait_end, .teardown = teardown }

static const struct backend strong = BACKEND("strong", probe_strong, start_strong);
static const struct backend weak = BACKEND("weak", probe_weak, start_weak);
static const struct backend refused = BACKEND("weak", probe_weak, start_refused);

static int count_prepared(void *context, struct err *err)
{
	(void)context;
	(void)err;
	prepared++;
	return 0;
}

/* Runs the two, the first failing with `kind`. */
static int attempt(struct trial *trial, enum err_kind kind, const struct backend *second)
{
	const struct backend *const backends[] = { &strong, second, NULL };
	const struct backend_hooks hooks = { .prepared = count_prepared };

	strong_fails = kind;
	strong_runs = weak_runs = torn_down = prepared = 0;
	ck_assert_int_eq(spec_check(&trial->spec, &trial->err), 0);
	report_init(&trial->report, &trial->spec);
	trial->report.request_id = xstrdup("id");
	return backend_run_best(backends, &trial->spec, &trial->report, &hooks, &trial->err);
}

static void begin(struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	spec_init(&trial->spec);
	spec_add_word(&trial->spec, "true");
}

static void end(struct trial *trial)
{
	report_free(&trial->report);
	spec_free(&trial->spec);
	err_clear(&trial->err);
}

START_TEST(a_refused_backend_gives_way_to_the_next)
{
	struct trial trial;
	const struct layer *layer = &trial.report.layers[CONTROL_USER_NAMESPACE];

	begin(&trial);
	ck_assert_int_eq(attempt(&trial, ERR_UNAVAILABLE, &weak), 0);
	ck_assert_uint_eq(strong_runs, 1);
	ck_assert_uint_eq(weak_runs, 1);
	ck_assert_uint_eq(torn_down, 2);
	ck_assert_uint_eq(prepared, 2);
	ck_assert_str_eq(trial.report.backend, "weak");
	ck_assert_str_eq(trial.report.request_id, "id");
	ck_assert_int_eq(report_exit_status(&trial.report), 3);
	/* The host's own refusal says more than "the backend has none". */
	ck_assert_int_eq(layer->state, LAYER_SKIPPED);
	ck_assert_int_eq(layer->asked, WANT_TRY);
	ck_assert_int_eq(layer->sys, EPERM);
	ck_assert_str_eq(layer->reason, "the host forbids it");
	ck_assert_str_eq(layer->remedy, "allow it");
	/* What the first one confirmed is not the second one's. */
	ck_assert_str_eq(trial.report.layers[CONTROL_NETWORK].by, "weak");
	end(&trial);
}
END_TEST

START_TEST(other_failures_are_the_end)
{
	static const enum err_kind kinds[] = { ERR_SETUP, ERR_REFUSED, ERR_USAGE, ERR_NOT_FOUND };

	for (size_t i = 0; i < UNIT_COUNT(kinds); i++) {
		struct trial trial;

		begin(&trial);
		ck_assert_int_eq(attempt(&trial, kinds[i], &weak), -1);
		ck_assert_uint_eq(weak_runs, 0);
		ck_assert_int_eq(trial.err.kind, kinds[i]);
		end(&trial);
	}
}
END_TEST

START_TEST(a_backend_that_was_named_is_the_only_one)
{
	struct trial trial;

	begin(&trial);
	trial.spec.backend = xstrdup("strong");
	ck_assert_int_eq(attempt(&trial, ERR_UNAVAILABLE, &weak), -1);
	ck_assert_uint_eq(weak_runs, 0);
	ck_assert_int_eq(report_exit_status(&trial.report), 125);
	end(&trial);
}
END_TEST

START_TEST(what_is_required_by_name_is_not_done_without)
{
	struct trial trial;

	begin(&trial);
	trial.spec.policy[CONTROL_USER_NAMESPACE].required = true;
	ck_assert_int_eq(attempt(&trial, ERR_UNAVAILABLE, &weak), -1);
	ck_assert_uint_eq(weak_runs, 0);
	ck_assert_ptr_nonnull(strstr(trial.err.message, "no namespaces here"));
	ck_assert_ptr_nonnull(strstr(trial.err.message, "--require user-namespace"));
	end(&trial);
}
END_TEST

START_TEST(where_all_are_refused_all_reasons_are_told)
{
	struct trial trial;

	begin(&trial);
	ck_assert_int_eq(attempt(&trial, ERR_UNAVAILABLE, &refused), -1);
	ck_assert_uint_eq(weak_runs, 1);
	ck_assert_uint_eq(torn_down, 2);
	ck_assert_ptr_nonnull(strstr(trial.err.message, "no namespaces here"));
	ck_assert_ptr_nonnull(strstr(trial.err.message, "nor the other"));
	ck_assert_int_eq(trial.report.end.reason, END_REFUSED);
	end(&trial);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_refused_backend_gives_way_to_the_next,
		other_failures_are_the_end,
		a_backend_that_was_named_is_the_only_one,
		what_is_required_by_name_is_not_done_without,
		where_all_are_refused_all_reasons_are_told,
	};

	return unit_run("core/backend_best", tests, UNIT_COUNT(tests));
}
