/*
 * The limits of a run: which mechanism holds each, and whether one was
 * reached.
 */
#ifndef NSBOX_LINUX_LIMITER_H
#define NSBOX_LINUX_LIMITER_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "core/report.h"
#include "core/spec.h"
#include "linux/cgroup.h"
#include "linux/relay.h"
#include "linux/sample.h"
#include "linux/step.h"

struct limits {
	const struct spec_limits *asked;
	struct cgroup cgroup;
	struct sample sample;
	struct relay relay;
	bool is_sampled;	/* something is held by sampling */
	bool samples_mem, samples_pids, samples_cpu;
	bool is_pids_polled;	/* nothing but looking holds the number of processes */
	bool gates_pids;	/* limits_may_fork is asked for each new one: set before limits_confirm */
	uint64_t counted, granted; /* processes at the last count, and let through since */
	bool has_refused;	/* one was not let through */
	uint64_t started_ns;	/* when COMMAND was released, 0: not yet */
	uint64_t next_ns;	/* when to look again, 0: never */
	uint64_t cpu_used_ns;	/* of all processes, as far as it was seen */
	enum control hit;	/* the first limit that was reached and ends the run; CONTROL_COUNT: none */
};

void limits_init(struct limits *limits, const struct spec_limits *asked);

/* Makes the control group and the pipes, as far as they are needed. `id` names the group. 0 or -1. */
int limits_prepare(struct limits *limits, const struct spec *spec, const char *id, struct err *err);

/*
 * After the child is held: confirms each limit that was asked for, or says in the report why it cannot be
 * held. `source` is where its processes are found, `ready` its record.
 */
void limits_confirm(struct limits *limits, struct report *report, const struct record *ready,
    pid_t pid, const struct sample_source *source);

/* COMMAND begins now, as a child of process `init`. */
void limits_start(struct limits *limits, pid_t init, uint64_t now_ns);

/* Looks whether a limit was reached, when the time has come; then limits->hit is set. */
void limits_check(struct limits *limits, uint64_t now_ns);

/* When the next look is due: nanoseconds of the monotonic clock, 0: never. */
uint64_t limits_next(const struct limits *limits);

/*
 * Whether one more process or thread may be made. Where there may be too many, those that were let through are given
 * a moment to be there, and all are counted again.
 */
bool limits_may_fork(struct limits *limits);

/* After COMMAND has ended: fills in usage, hit flags and the reason that a limit gives. */
void limits_finish(struct limits *limits, struct report *report);

/* The run was ended by the kernel for want of memory in its group. */
bool limits_was_oom(const struct limits *limits);

/* Removes what was made. 0, or -1 with errno where a control group is left. Twice is harmless. */
int limits_close(struct limits *limits);

#endif
