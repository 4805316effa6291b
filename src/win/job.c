/*
 * The job of a run: it holds every process, ends them all when it is closed, even
 * by the death of nsbox, and counts and limits them together. What it was told is read
 * back; a system that nods and forgets is found out.
 */
#include "win/run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "win/fail.h"

enum {
	EMPTY_WAIT_MS = 5000,
	RATE_WHOLE = 10000	/* hundredths of a percent */
};

static void ask_limits(struct run *run)
{
	const struct spec_limits *limits = &run->spec->limits;
	struct wapi_limits *asked = &run->limits;

	asked->flags = WAPI_LIMIT_KILL_ON_CLOSE | WAPI_LIMIT_DIE_ON_EXCEPTION;
	if (limits->pids) {
		asked->flags |= WAPI_LIMIT_PROCESSES;
		asked->processes = (uint32_t)limits->pids;
	}
	if (limits->mem_bytes) {
		asked->flags |= WAPI_LIMIT_JOB_MEMORY;
		asked->memory = limits->mem_bytes;
	}
	if (limits->cpu_ns) {
		asked->flags |= WAPI_LIMIT_JOB_TIME;
		asked->user_time = (limits->cpu_ns + 99) / 100;
	}
}

/* The rate is a share of the whole machine, at least the smallest that Windows takes. */
static uint32_t ask_rate(struct run *run)
{
	uint64_t milli = run->spec->limits.cpus_milli;
	uint32_t processors = 0;
	uint32_t error;
	uint64_t rate;

	if (!milli)
		return 0;
	error = wapi.processors(&processors);
	if (error || processors == 0)
		return error ? error : WAPI_NOT_SUPPORTED;
	rate = milli * RATE_WHOLE / 1000 / processors;
	run->rate = rate < 1 ? 1 : rate > RATE_WHOLE ? RATE_WHOLE : (uint32_t)rate;
	return wapi.job_set_rate(run->job, run->rate);
}

int job_make(struct run *run, struct err *err)
{
	uint32_t error = wapi.job_create(&run->job);

	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot make a job object");
	ask_limits(run);
	run->limits_error = wapi.job_set_limits(run->job, &run->limits);
	run->ui_error = wapi.job_set_ui(run->job, RUN_UI_MASK);
	run->rate_error = ask_rate(run);
	return 0;
}

/* One number that was asked for and one that was read back. */
static void compare(struct report *report, enum control control, bool has_flag, uint64_t asked,
    uint64_t found)
{
	if (has_flag && asked == found)
		report_confirm(report, control, "job", 0, "read back: %" PRIu64, found);
	else
		report_missing(report, control, 0, NULL,
		    "accepted and not confirmed: asked for %" PRIu64 ", read back %s%" PRIu64, asked,
		    has_flag ? "" : "without its flag ", found);
}

/* Limits that the job holds; the flag is the kernel's word that it looks at the number. */
static void confirm_limits(const struct run *run, struct report *report)
{
	const struct spec_limits *spec = &run->spec->limits;
	const struct wapi_limits *asked = &run->limits;
	struct wapi_limits found = { 0, 0, 0, 0 };
	uint32_t error = run->limits_error ? run->limits_error : wapi.job_get_limits(run->job, &found);
	const struct {
		enum control control;
		bool is_asked;
		uint32_t flag;
		uint64_t asked, found;
	} rows[] = {
		{ CONTROL_TEARDOWN, true, WAPI_LIMIT_KILL_ON_CLOSE, 0, 0 },
		{ CONTROL_PIDS, spec->pids > 0, WAPI_LIMIT_PROCESSES, asked->processes, found.processes },
		{ CONTROL_MEM, spec->mem_bytes > 0, WAPI_LIMIT_JOB_MEMORY, asked->memory, found.memory },
		{ CONTROL_CPU, spec->cpu_ns > 0, WAPI_LIMIT_JOB_TIME, asked->user_time, found.user_time },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].is_asked && error)
			fail_layer(report, rows[i].control, run->limits_error ?
			    "not applied: setting the limits of the job" :
			    "accepted and not confirmed: reading back the limits of the job", error);
		else if (rows[i].is_asked && rows[i].control != CONTROL_TEARDOWN)
			compare(report, rows[i].control, found.flags & rows[i].flag, rows[i].asked, rows[i].found);
		else if (rows[i].is_asked && (found.flags & rows[i].flag))
			report_confirm(report, rows[i].control, "job", 0,
			    "all end when the job is closed; limit flags read back: 0x%" PRIx32, found.flags);
		else if (rows[i].is_asked)
			report_missing(report, rows[i].control, 0, NULL,
			    "accepted and not confirmed: limit flags read back: 0x%" PRIx32, found.flags);
	}
}

static void confirm_ui(const struct run *run, struct report *report)
{
	uint32_t found = 0;
	uint32_t error = run->ui_error ? run->ui_error : wapi.job_get_ui(run->job, &found);

	if (error)
		fail_layer(report, CONTROL_UI, run->ui_error ? "not applied: setting the restrictions of the job" :
		    "accepted and not confirmed: reading back the restrictions of the job", error);
	else if (found != RUN_UI_MASK)
		report_missing(report, CONTROL_UI, 0, NULL,
		    "accepted and not confirmed: asked for 0x%x, read back 0x%" PRIx32, RUN_UI_MASK, found);
	else
		report_confirm(report, CONTROL_UI, "job", 0, "restrictions read back: 0x%" PRIx32, found);
}

static void confirm_rate(const struct run *run, struct report *report)
{
	uint32_t found = 0;
	uint32_t error = run->rate_error;

	if (run->spec->limits.cpus_milli == 0)
		return;
	if (!error)
		error = wapi.job_get_rate(run->job, &found);
	if (error)
		fail_layer(report, CONTROL_CPUS, "not applied: the CPU rate of the job", error);
	else
		compare(report, CONTROL_CPUS, true, run->rate, found);
}

static void confirm_membership(const struct run *run, struct report *report)
{
	struct wapi_usage usage = { 0, 0, 0, 0, 0 };
	bool contains = false;
	uint32_t error = wapi.job_contains(run->job, run->process, &contains);

	if (!error)
		error = wapi.job_usage(run->job, &usage);
	if (error)
		fail_layer(report, CONTROL_JOB, "not confirmed: looking for the process in the job", error);
	else if (!contains || usage.active != 1)
		report_missing(report, CONTROL_JOB, 0, NULL, "the process is %s the job, which holds %" PRIu32
		    " processes", contains ? "in" : "not in", usage.active);
	else
		report_confirm(report, CONTROL_JOB, "JOB_LIST", 0,
		    "the process is in the job, and it is the only one");
}

void job_confirm(const struct run *run, struct report *report)
{
	const struct spec_limits *limits = &run->spec->limits;

	confirm_membership(run, report);
	confirm_limits(run, report);
	confirm_ui(run, report);
	confirm_rate(run, report);
	if (limits->wall_ns)
		report_confirm(report, CONTROL_WALL, "nsbox", 0, "nsbox ends the job when the time is over");
	if (limits->output_bytes)
		report_confirm(report, CONTROL_OUTPUT, "nsbox", 0, "nsbox carries the output and counts it");
	if (limits->output_each_bytes)
		report_confirm(report, CONTROL_OUTPUT_EACH, "nsbox", 0, "nsbox carries the output and counts it");
}

/* A query that fails is tried again; what cannot be counted is not empty. */
uint32_t job_empty(const struct run *run)
{
	uint64_t end = wapi.clock_ns() + UINT64_C(1000000) * EMPTY_WAIT_MS;
	uint32_t error;

	if (!run->job)
		return 0;
	error = wapi.job_terminate(run->job, RUN_KILLED);
	for (;;) {
		struct wapi_usage usage = { 0, 0, 0, 0, 0 };
		uint32_t failure = wapi.job_usage(run->job, &usage);

		if (!failure && usage.active == 0)
			return 0;
		if (wapi.clock_ns() >= end)
			return failure ? failure : error ? error : WAPI_TIMEOUT;
		/* The first call may have come while a process was being made. */
		wapi.sleep_ns(UINT64_C(1000000));
		error = wapi.job_terminate(run->job, RUN_KILLED);
	}
}
