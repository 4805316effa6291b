/*
 * Holds the limits (limiter.h).
 *
 * Best first: a control group of the run's own counts and enforces in the kernel. Where the caller has none, the
 * number of processes is held by RLIMIT_NPROC, which counts for each user namespace by itself since Linux 5.14 (the child
 * finds out by trying), and memory and CPU time by looking at all processes often enough. Time that has passed, and bytes of
 * output, are nobody's but the supervisor's.
 */
#include "linux/limiter.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <time.h>
#include <string.h>

#include <unistd.h>

/* How often processes are looked at. Each pass costs some 20 microseconds for each of them. */
static const uint64_t look_ns = UINT64_C(10000000);
/* CPU time alone is looked at when it could have been used up, but no more often than this. */
static const uint64_t cpu_look_ns = UINT64_C(5000000);
static const uint64_t cpu_look_max_ns = UINT64_C(50000000);

void limits_init(struct limits *limits, const struct spec_limits *asked)
{
	memset(limits, 0, sizeof(*limits));
	limits->asked = asked;
	limits->cgroup = (struct cgroup)CGROUP_INIT;
	limits->sample.proc = limits->sample.scratch = -1;
	limits->hit = CONTROL_COUNT;
	relay_init(&limits->relay);
}

int limits_prepare(struct limits *limits, const struct spec *spec, const char *id, struct err *err)
{
	const struct spec_limits *asked = limits->asked;

	if (spec->policy[CONTROL_CGROUP].want != WANT_NO &&
	    cgroup_make(&limits->cgroup, id, asked, err) < 0)
		return -1;
	if ((asked->output_bytes > 0 || asked->output_each_bytes > 0) &&
	    relay_open(&limits->relay, asked) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot make pipes for the output");
	return 0;
}

static void confirm_own(struct limits *limits, struct report *report)
{
	if (limits->asked->wall_ns > 0)
		report_confirm(report, CONTROL_WALL, "supervisor", 0, "the supervisor's monotonic clock");
	if (limits->asked->output_bytes > 0)
		report_confirm(report, CONTROL_OUTPUT, "pipe", 0,
		    "the supervisor carries the output and counts it");
	if (limits->asked->output_each_bytes > 0)
		report_confirm(report, CONTROL_OUTPUT_EACH, "pipe", 0,
		    "the supervisor carries each stream and counts it");
}

static void confirm_pids(struct limits *limits, struct report *report, const struct record *ready)
{
	if (limits->gates_pids) {
		report_confirm(report, CONTROL_PIDS, "seccomp-gate", 0,
		    "the supervisor is asked for each new process and thread, and counts; those that are being made at "
		    "that moment may come on top");
		limits->counted = limits->sample.pids;
		limits->samples_pids = false;	/* nothing has to be looked for */
		return;
	}
	if (ready->nproc_counts)
		report_confirm(report, CONTROL_PIDS, "rlimit", 0, "RLIMIT_NPROC %" PRIu64
		    " counts in the sandbox's user namespace alone: the child tried", limits->asked->pids + 1);
	else
		report_confirm(report, CONTROL_PIDS, "poll", 0,
		    "processes are counted every %" PRIu64 " ms; too many end the run", look_ns / 1000000);
	limits->samples_pids = true;
	limits->is_pids_polled = !ready->nproc_counts;
}

/* What the control group does not hold is held by looking, where a first look succeeds. */
static void confirm_sampled(struct limits *limits, struct report *report, const struct record *ready,
    const struct sample_source *source)
{
	const struct spec_limits *asked = limits->asked;
	const struct cgroup *cgroup = &limits->cgroup;

	limits->samples_mem = asked->mem_bytes > 0 && !cgroup->has_mem;
	limits->samples_cpu = asked->cpu_ns > 0 && !cgroup->has_cpu_time;
	limits->samples_pids = asked->pids > 0 && !cgroup->has_pids;
	limits->is_sampled = limits->samples_mem || limits->samples_cpu || limits->samples_pids;
	if (!limits->is_sampled)
		return;
	if (sample_open(&limits->sample, source) < 0 || sample_take(&limits->sample, 0) < 0) {
		limits->is_sampled = limits->samples_mem = limits->samples_cpu = limits->samples_pids = false;
		return;
	}
	if (limits->samples_mem)
		report_confirm(report, CONTROL_MEM, "poll", 0, "memory of all processes and of the scratch "
		    "is added up every %" PRIu64 " ms", look_ns / 1000000);
	if (limits->samples_cpu)
		report_confirm(report, CONTROL_CPU, "poll", 0, "CPU time of all processes is added up at "
		    "least every %" PRIu64 " ms", look_ns / 1000000);
	if (limits->samples_pids)
		confirm_pids(limits, report, ready);
}

/* Whether the group holds everything that only a group holds well. */
static bool holds_all(const struct limits *limits)
{
	const struct spec_limits *asked = limits->asked;
	const struct cgroup *cgroup = &limits->cgroup;

	return (asked->mem_bytes == 0 || cgroup->has_mem) && (asked->pids == 0 || cgroup->has_pids) &&
	    (asked->cpus_milli == 0 || cgroup->has_cpu_rate);
}

void limits_confirm(struct limits *limits, struct report *report, const struct record *ready,
    pid_t pid, const struct sample_source *source)
{
	const char *reason = limits->cgroup.reason;
	uint64_t used;

	confirm_own(limits, report);
	if (limits->cgroup.dir >= 0) {
		cgroup_confirm(&limits->cgroup, report, limits->asked, pid);
		if (!holds_all(limits) && report->layers[CONTROL_CGROUP].asked == WANT_YES)
			report_missing(report, CONTROL_CGROUP, 0, CGROUP_REMEDY,
			    "there is a group, but not with the controllers that the limits need");
		if (limits->asked->cpu_ns > 0 && cgroup_cpu_ns(&limits->cgroup, &used))
			report_confirm(report, CONTROL_CPU, "cgroup2", 0, "cpu.stat counts all processes");
	} else if (reason != NULL) {
		report_missing(report, CONTROL_CGROUP, 0, CGROUP_REMEDY, "%s", reason);
	}
	if (limits->asked->cpus_milli > 0 && !limits->cgroup.has_cpu_rate)
		report_missing(report, CONTROL_CPUS, 0, CGROUP_REMEDY, "only a control group can hold a rate: %s",
		    reason == NULL ? "this one has no cpu controller" : reason);
	confirm_sampled(limits, report, ready, source);
}

/* When CPU time has to be looked at again: no process can use more than all processors give. */
static uint64_t cpu_wait_ns(const struct limits *limits)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t used = limits->cpu_used_ns;
	uint64_t left = limits->asked->cpu_ns > used ? limits->asked->cpu_ns - used : 0;
	uint64_t wait = left / (uint64_t)(processors > 0 ? processors : 1);

	if (wait < cpu_look_ns)
		return cpu_look_ns;
	/* Looking is exact only for what is still there to be looked at. */
	if (limits->samples_cpu && wait > look_ns)
		return look_ns;
	return wait > cpu_look_max_ns ? cpu_look_max_ns : wait;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

static uint64_t wall_end(const struct limits *limits)
{
	return limits->asked->wall_ns > 0 ? limits->started_ns + limits->asked->wall_ns : 0;
}

/* When the next look is due. */
static void plan_next(struct limits *limits, uint64_t now_ns)
{
	uint64_t next = wall_end(limits);

	if (limits->samples_mem || limits->samples_pids)
		next = earlier(next, now_ns + look_ns);
	if (limits->asked->cpu_ns > 0)
		next = earlier(next, now_ns + cpu_wait_ns(limits));
	limits->next_ns = next;
}

/*
 * Where only looking holds the number of processes, whoever looks and whoever kills must not have to queue
 * with those that are too many: the lowest real-time priority, which a process that init makes does
 * not inherit. That is for the host's root to set, and only his processes are not held by the
 * kernel.
 */
static void go_first(const struct limits *limits, pid_t init)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	if (!limits->is_pids_polled)
		return;
	sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
	sched_setscheduler(init, SCHED_RR | SCHED_RESET_ON_FORK, &lowest);
}

void limits_start(struct limits *limits, pid_t init, uint64_t now_ns)
{
	go_first(limits, init);
	limits->started_ns = now_ns;
	plan_next(limits, now_ns);
}

uint64_t limits_next(const struct limits *limits)
{
	return limits->hit == CONTROL_COUNT ? limits->next_ns : 0;
}

static void look(struct limits *limits)
{
	const struct spec_limits *asked = limits->asked;
	uint64_t used = 0;

	if (limits->is_sampled && sample_take(&limits->sample, asked->mem_bytes) == 0) {
		used = limits->sample.cpu_ns;
		if (limits->samples_mem && limits->sample.bytes > asked->mem_bytes)
			limits->hit = CONTROL_MEM;
		else if (limits->samples_pids && limits->sample.pids > asked->pids)
			limits->hit = CONTROL_PIDS;
	}
	if (asked->cpu_ns > 0 && limits->cgroup.has_cpu_time)
		cgroup_cpu_ns(&limits->cgroup, &used);
	if (used > limits->cpu_used_ns)
		limits->cpu_used_ns = used;
	if (asked->cpu_ns > 0 && limits->cpu_used_ns >= asked->cpu_ns)
		limits->hit = CONTROL_CPU;
}

void limits_check(struct limits *limits, uint64_t now_ns)
{
	if (limits->hit != CONTROL_COUNT || limits->started_ns == 0)
		return;
	if (limits->relay.hit != CONTROL_COUNT) {
		limits->hit = limits->relay.hit;
		return;
	}
	if (limits->next_ns == 0 || now_ns < limits->next_ns)
		return;
	if (limits->is_sampled || limits->asked->cpu_ns > 0)
		look(limits);
	if (limits->hit == CONTROL_COUNT && wall_end(limits) != 0 && now_ns >= wall_end(limits))
		limits->hit = CONTROL_WALL;
	plan_next(limits, now_ns);
}

bool limits_may_fork(struct limits *limits)
{
	const struct timespec moment = { 0, 2000000 };

	if (!limits->gates_pids)
		return true;
	if (limits->counted + limits->granted >= limits->asked->pids) {
		nanosleep(&moment, NULL);
		if (sample_take(&limits->sample, 0) < 0)
			return false;
		limits->counted = limits->sample.pids;
		limits->granted = 0;
	}
	if (limits->counted >= limits->asked->pids) {
		limits->has_refused = true;
		return false;
	}
	limits->granted++;
	return true;
}

bool limits_was_oom(const struct limits *limits)
{
	uint64_t kills = 0;

	return limits->cgroup.has_mem && cgroup_oom_kills(&limits->cgroup, &kills) && kills > 0;
}

static enum end_reason reason_of(enum control hit)
{
	switch (hit) {
	case CONTROL_WALL:
		return END_WALL_LIMIT;
	case CONTROL_CPU:
		return END_CPU_LIMIT;
	case CONTROL_MEM:
		return END_MEMORY_LIMIT;
	case CONTROL_OUTPUT:
	case CONTROL_OUTPUT_EACH:
		return END_OUTPUT_LIMIT;
	default:
		return END_NONE;
	}
}

void limits_finish(struct limits *limits, struct report *report)
{
	uint64_t count = 0;

	if (limits->hit == CONTROL_COUNT && limits_was_oom(limits))
		limits->hit = CONTROL_MEM;
	if (limits->hit != CONTROL_COUNT) {
		report->layers[limits->hit].hit = true;
		if (reason_of(limits->hit) != END_NONE)
			report->end.reason = reason_of(limits->hit);
	}
	if (limits->cgroup.has_pids && cgroup_pids_refused(&limits->cgroup, &count) && count > 0)
		report->layers[CONTROL_PIDS].hit = true;
	if (limits->has_refused ||
	    (limits->samples_pids && limits->sample.peak_pids >= limits->asked->pids))
		report->layers[CONTROL_PIDS].hit = true;
	if (limits->is_sampled && limits->sample.peak_pids > 0) {
		report_set_figure(&report->usage.pids_peak, limits->sample.peak_pids);
		report_set_figure(&report->usage.peak_bytes, limits->sample.peak_bytes);
	}
	if (limits->cgroup.dir >= 0)
		cgroup_usage(&limits->cgroup, report);
	/* rusage leaves out whom nobody waited for, and rounds otherwise than what the limit was held by. */
	if (limits->cgroup.has_cpu_time && cgroup_cpu_ns(&limits->cgroup, &count) &&
	    count > limits->cpu_used_ns)
		limits->cpu_used_ns = count;
	if (limits->cpu_used_ns > 0)
		report_raise_figure(&report->usage.cpu_ms, limits->cpu_used_ns / 1000000);
	if (limits->relay.count > 0)
		report_set_figure(&report->usage.output_bytes, relay_carried(&limits->relay));
}

int limits_close(struct limits *limits)
{
	int result;

	relay_close(&limits->relay);
	sample_close(&limits->sample);
	result = cgroup_remove(&limits->cgroup);
	return result;
}
