/*
 * The one loop that runs a backend. It owns two promises that no backend can
 * break: COMMAND is not released before everything required was confirmed, and
 * what prepare made is torn down exactly once.
 */
#include "core/backend.h"

/* Completes an error: it always has a kind, a message and a stage. Returns -1. */
static int fail(struct err *err, const char *stage)
{
	if (err->kind == ERR_NONE)
		err_set(err, ERR_SETUP, "%s failed without a reason", stage);
	if (!err->stage)
		err->stage = stage;
	return -1;
}

/* From here on COMMAND has run: whatever fails, it is not the setup. */
static int fail_lost(struct err *err, const char *stage)
{
	fail(err, stage);
	err->kind = ERR_LOST;
	return -1;
}

static int call_applied(const struct backend_hooks *hooks, struct report *report,
    struct err *err)
{
	int result = 0;

	report->has_applied = true;
	if (hooks && hooks->applied)
		result = hooks->applied(hooks->context, report, err);
	if (result == 0)
		return 0;
	report->has_applied = false;
	return fail(err, "report");
}

static int call_prepared(const struct backend_hooks *hooks, struct err *err)
{
	if (!hooks || !hooks->prepared || hooks->prepared(hooks->context, err) == 0)
		return 0;
	return fail(err, "prepare");
}

/* start to release; COMMAND runs if and only if this returns 0. */
static int run_until_released(const struct backend *backend, struct run *run,
    struct report *report, const struct backend_hooks *hooks, struct err *err)
{
	if (backend->start(run, report, err) != 0)
		return fail(err, "start");
	if (report_check_required(report, err) != 0)
		return fail(err, "confirm");
	if (call_applied(hooks, report, err) != 0)
		return -1;
	if (backend->release(run, report, err) != 0)
		return fail(err, "release");
	return 0;
}

static int run_until_ended(const struct backend *backend, struct run *run,
    struct report *report, struct err *err)
{
	if (backend->wait(run, report, err) != 0)
		return fail_lost(err, "wait");
	if (report->end.reason == END_NONE) {
		err_set(err, ERR_LOST, "how COMMAND ended is not known");
		return fail_lost(err, "wait");
	}
	return 0;
}

/* The first error stays; one of teardown counts where there was none. */
static int tear_down(const struct backend *backend, struct run *run, struct report *report,
    int result, struct err *err)
{
	struct err failure = ERR_INIT;

	if (backend->teardown(run, report, &failure) == 0)
		return result;
	report->teardown.confirmed = false;
	if (result == 0)
		err_move(err, &failure);
	err_clear(&failure);
	return result == 0 ? fail_lost(err, "teardown") : -1;
}

int backend_run(const struct backend *backend, const struct spec *spec, struct report *report,
    const struct backend_hooks *hooks, struct err *err)
{
	struct run *run = NULL;
	bool released;
	int result;

	if (backend->prepare(spec, &run, err) != 0) {
		fail(err, "prepare");
		report_end_error(report, err);
		return -1;
	}
	result = call_prepared(hooks, err);
	if (result == 0)
		result = run_until_released(backend, run, report, hooks, err);
	released = result == 0;
	if (released)
		result = run_until_ended(backend, run, report, err);
	result = tear_down(backend, run, report, result, err);
	if (result == 0)
		return 0;
	/* A run that was lost must not look like one that ended well. */
	if (released)
		report->end.reason = END_NONE;
	report_end_error(report, err);
	return -1;
}

void backend_check(const struct backend *backend, const struct spec *spec,
    const struct backend_hooks *hooks, struct backend_check *check)
{
	const struct backend *const only[] = { backend, NULL };
	struct run *run = NULL;
	int result;

	*check = (struct backend_check){ .backend = backend, .err = ERR_INIT };
	report_init(&check->report, spec);
	if (!backend_pick(only, spec, &check->report, &check->err) ||
	    backend->prepare(spec, &run, &check->err) != 0)
		return;
	result = call_prepared(hooks, &check->err);
	if (result == 0)
		result = backend->start(run, &check->report, &check->err);
	if (result == 0)
		result = report_check_required(&check->report, &check->err);
	check->is_usable = tear_down(backend, run, &check->report, result, &check->err) == 0;
}

void backend_check_free(struct backend_check *check)
{
	report_free(&check->report);
	err_clear(&check->err);
}
