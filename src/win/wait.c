/*
 * From the release of COMMAND to its end: deadlines, CPU time, output, and what
 * the user does at the console. A job's own limit of time counts user mode only
 * and is looked at now and then; therefore nsbox looks too.
 */
#include "win/run.h"

#include <stdlib.h>

#include "win/fail.h"

enum {
	CODE_OUT_OF_QUOTA = 1816,	/* what a job's limit of time ends with */
	SIGNAL_INTERRUPT = 2,		/* the numbers that C runtimes of Windows use */
	SIGNAL_TERMINATE = 15,
	END_WAIT_MS = 5000
};

uint64_t wait_cpu_ns(const struct wapi_usage *usage)
{
	return (usage->user_time + usage->kernel_time) * 100;
}

static uint64_t wall_deadline(const struct run *run)
{
	uint64_t wall = run->spec->limits.wall_ns;

	if (!wall)
		return 0;
	return wall > UINT64_MAX - run->released_ns ? UINT64_MAX : run->released_ns + wall;
}

static bool is_cpu_used_up(const struct run *run)
{
	struct wapi_usage usage = { 0, 0, 0, 0, 0 };

	if (!run->spec->limits.cpu_ns)
		return false;
	/* A count that cannot be had is no reason to go on for ever: the job's own limit holds too. */
	return wapi.job_usage(run->job, &usage) == 0 && wait_cpu_ns(&usage) >= run->spec->limits.cpu_ns;
}

static enum end_reason reason_to_end(const struct run *run, struct report *report, uint64_t now)
{
	uint64_t deadline = wall_deadline(run);
	enum wapi_cancel cancel = wapi.cancelled();

	if (cancel != WAPI_CANCEL_NONE) {
		report->end.signal = cancel == WAPI_CANCEL_INTERRUPT ? SIGNAL_INTERRUPT : SIGNAL_TERMINATE;
		return END_CANCELLED;
	}
	if (run->relay.hit != CONTROL_COUNT) {
		report->layers[run->relay.hit].hit = true;
		return END_OUTPUT_LIMIT;
	}
	if (is_cpu_used_up(run)) {
		report->layers[CONTROL_CPU].hit = true;
		return END_CPU_LIMIT;
	}
	if (deadline && now >= deadline) {
		report->layers[CONTROL_WALL].hit = true;
		return END_WALL_LIMIT;
	}
	return END_NONE;
}

/* How long there is nothing to look at. */
static uint64_t next_look(const struct run *run, uint64_t now)
{
	const struct spec_limits *limits = &run->spec->limits;
	uint64_t deadline = wall_deadline(run);
	uint64_t wait = limits->cpu_ns || limits->output_bytes || limits->output_each_bytes ?
	    (uint64_t)RUN_LOOK_NS : UINT64_MAX;

	if (deadline && deadline - now < wait)
		wait = deadline - now;
	return wait;
}

static void fill_usage(const struct run *run, struct report *report)
{
	struct wapi_usage usage = { 0, 0, 0, 0, 0 };

	report_set_figure(&report->usage.wall_ms, (wapi.clock_ns() - run->released_ns) / 1000000);
	report_set_figure(&report->usage.output_bytes, relay_carried(&run->relay));
	if (wapi.job_usage(run->job, &usage) != 0)
		return;
	/* A job that counts nothing answers 0, which is not a measurement. */
	if (usage.user_time + usage.kernel_time == 0 && usage.peak_memory == 0)
		return;
	report_set_figure(&report->usage.user_ms, usage.user_time / 10000);
	report_set_figure(&report->usage.system_ms, usage.kernel_time / 10000);
	report_set_figure(&report->usage.cpu_ms, (usage.user_time + usage.kernel_time) / 10000);
	report_set_figure(&report->usage.peak_bytes, usage.peak_memory);
}

/* Exceptions of the system and of runtimes; above them are what programs write as small negative numbers. */
static bool is_exception(uint32_t code)
{
	return code >= UINT32_C(0xc0000000) && code < UINT32_C(0xf0000000);
}

/* COMMAND has ended by itself. */
static int fill_exit(struct run *run, struct report *report, struct err *err)
{
	struct wapi_usage usage = { 0, 0, 0, 0, 0 };
	uint32_t code = 0;
	uint32_t error = wapi.process_exit_code(run->process, &code);

	if (error)
		return fail_set(err, ERR_LOST, error, "how the command ended cannot be read");
	if (wapi.job_usage(run->job, &usage) == 0)
		report_set_figure(&run->survivors, usage.active);
	report->end.reason = END_EXITED;
	report->end.code = code;
	if (code == CODE_OUT_OF_QUOTA && run->spec->limits.cpu_ns &&
	    usage.user_time >= run->limits.user_time) {
		report->end.reason = END_CPU_LIMIT;
		report->layers[CONTROL_CPU].hit = true;
	} else if (is_exception(code)) {
		char *text = fail_text(code);

		free(report->end.message);
		report->end.message = xasprintf("the command ended by an exception or could not begin: %s", text);
		free(text);
	}
	return 0;
}

static int end_by_force(struct run *run, struct report *report, enum end_reason reason,
    struct err *err)
{
	uint32_t error = job_empty(run);

	if (error)
		return fail_set(err, ERR_LOST, error, "the command cannot be ended");
	report->end.reason = reason;
	return 0;
}

int wait_for_end(struct run *run, struct report *report, struct err *err)
{
	enum end_reason reason = END_NONE;
	uint32_t error = WAPI_TIMEOUT;
	int result;

	while (error == WAPI_TIMEOUT && reason == END_NONE) {
		uint64_t now = wapi.clock_ns();

		reason = reason_to_end(run, report, now);
		if (reason == END_NONE)
			error = wapi.process_wait(run->process, next_look(run, now));
	}
	if (reason == END_NONE && error)
		return fail_set(err, ERR_LOST, error, "cannot wait for the command");
	result = reason == END_NONE ? fill_exit(run, report, err) :
	    end_by_force(run, report, reason, err);
	if (result < 0)
		return -1;
	run->has_ended = true;
	/* What is left of it would keep the pipes open. */
	error = job_empty(run);
	if (error)
		return fail_set(err, ERR_LOST, error, "what the command left behind cannot be ended");
	streams_drain(run, wall_deadline(run));
	fill_usage(run, report);
	if (report->end.reason == END_EXITED && run->relay.hit != CONTROL_COUNT) {
		report->end.reason = END_OUTPUT_LIMIT;
		report->layers[run->relay.hit].hit = true;
	}
	return 0;
}
