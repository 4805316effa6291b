/*
 * The recorder and the run of one trial.
 */
#include "contract/trial.h"

#include <string.h>

/* The functions of a backend have no place for it, hence a variable. */
static struct {
	const struct backend *inner;
	struct str calls;
} recorder;

static void record(const char *call)
{
	str_addf(&recorder.calls, "%s%s", recorder.calls.length ? " " : "", call);
}

static int record_prepare(const struct spec *spec, struct run **run, struct err *err)
{
	record("prepare");
	return recorder.inner->prepare(spec, run, err);
}

static int record_start(struct run *run, struct report *report, struct err *err)
{
	record("start");
	return recorder.inner->start(run, report, err);
}

static int record_release(struct run *run, struct report *report, struct err *err)
{
	record("release");
	return recorder.inner->release(run, report, err);
}

static int record_wait(struct run *run, struct report *report, struct err *err)
{
	record("wait");
	return recorder.inner->wait(run, report, err);
}

static int record_teardown(struct run *run, struct report *report, struct err *err)
{
	record("teardown");
	return recorder.inner->teardown(run, report, err);
}

static int record_prepared(void *context, struct err *err)
{
	(void)context;
	(void)err;
	record("prepared");
	return 0;
}

static int record_applied(void *context, struct report *report, struct err *err)
{
	const struct trial *trial = context;

	(void)report;
	record("applied");
	return trial->stops ? err_set(err, ERR_SETUP, "stopped by the caller") : 0;
}

void trial_init(struct trial *trial, const enum want *defaults)
{
	memset(trial, 0, sizeof(*trial));
	spec_init(&trial->spec);
	trial->spec.defaults = defaults;
}

void trial_run(struct trial *trial, const struct backend *backend)
{
	const struct backend recording = {
		.name = backend->name, .probe = backend->probe,
		.prepare = record_prepare, .start = record_start, .release = record_release,
		.wait = record_wait, .teardown = record_teardown,
	};
	const struct backend *const only[] = { &recording, NULL };
	const struct backend_hooks hooks = { trial, record_prepared, record_applied };

	recorder.inner = backend;
	str_free(&recorder.calls);
	trial->result = spec_check(&trial->spec, &trial->err);
	report_init(&trial->report, &trial->spec);
	if (trial->result != 0)
		return;
	trial->report.backend = recording.name;
	/* Picking it says what it does by other means than those that are wanted by default. */
	backend_pick(only, &trial->spec, &trial->report, &trial->err);
	err_clear(&trial->err);
	trial->result = backend_run(&recording, &trial->spec, &trial->report, &hooks, &trial->err);
}

void trial_free(struct trial *trial)
{
	str_free(&recorder.calls);
	report_free(&trial->report);
	spec_free(&trial->spec);
	err_clear(&trial->err);
}

const char *trial_calls(void)
{
	return str_text(&recorder.calls);
}

bool trial_called(const char *calls)
{
	return strcmp(trial_calls(), calls) == 0;
}

void trial_expect(struct verdict *verdict, bool holds, const struct trial *trial,
    const char *what)
{
	if (holds || verdict->fault)
		return;
	verdict->fault = xasprintf("%s does not hold (called: %s; end: %s; error: %s)", what,
	    trial_calls(),
	    trial->report.end.reason ? end_reason_name(trial->report.end.reason) : "none",
	    trial->err.message ? trial->err.message : "none");
}
