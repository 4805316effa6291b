/*
 * A control group (cgroup v2) of one run, below what the caller has been given.
 *
 * It is two groups, one in the other. The outer one has the limits and counts; the processes are in
 * the inner one, `entry`, which has neither. What is inside can make itself a view of control groups that
 * begins with its own group, and its user owns the files there: in a single group it could lift its limits.
 */
#ifndef NSBOX_LINUX_CGROUP_H
#define NSBOX_LINUX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "core/err.h"
#include "core/report.h"
#include "core/spec.h"

struct cgroup {
	int dir;		/* the run's own group, with the limits; -1: none */
	int entry;		/* the group in it for the processes: clone3's args.cgroup; -1: none */
	int parent;		/* the group in which it was made; -1: none */
	char *name;		/* of the folder in parent, owned */
	char *reason;		/* why there is none: a sentence, owned; NULL: there is one */
	bool has_mem, has_pids, has_cpu_rate, has_cpu_time; /* what it enforces or counts */
	bool moved_self;	/* the supervisor had to leave its group, and goes back at the end */
};

#define CGROUP_INIT { -1, -1, -1, 0, 0, false, false, false, false, false }

/* What helps where there is no group to be had. */
#define CGROUP_REMEDY "run nsbox in a delegated group: systemd-run --user --scope -p Delegate=yes nsbox ..."

/*
 * Looks for a group below which this process may make one with the controllers that the limits need, by
 * trying; makes one named after `id` and writes the limits. 0 with cgroup->dir >= 0, or 0 with
 * cgroup->reason where there is none to be had; -1 (ERR_SETUP) where one was made and something then failed
 * (nothing is left behind). Sweeps what dead runs left there first.
 */
int cgroup_make(struct cgroup *cgroup, const char *id, const struct spec_limits *limits,
    struct err *err);

/*
 * Puts process `pid` into the group, where clone3 could not (before Linux 5.7, or a filter). It must have no
 * children yet. 0, or -1 with errno.
 */
int cgroup_enter(const struct cgroup *cgroup, pid_t pid);

/*
 * Confirms CONTROL_CGROUP, and of CONTROL_MEM, CONTROL_PIDS and CONTROL_CPUS what was asked for and the group
 * enforces, by reading back the group's files and that process `pid` is in it.
 */
void cgroup_confirm(const struct cgroup *cgroup, struct report *report,
    const struct spec_limits *limits, pid_t pid);

/* CPU time of all processes so far; false where it cannot be read. */
bool cgroup_cpu_ns(const struct cgroup *cgroup, uint64_t *nanoseconds);

/* How often the kernel killed for want of memory, and how often a fork was refused; false where not known. */
bool cgroup_oom_kills(const struct cgroup *cgroup, uint64_t *count);
bool cgroup_pids_refused(const struct cgroup *cgroup, uint64_t *count);

/* Fills in peak_bytes and pids_peak of the usage, where the kernel tells. */
void cgroup_usage(const struct cgroup *cgroup, struct report *report);

/* Kills everything in the group. Harmless where there is none. */
void cgroup_kill(const struct cgroup *cgroup);

/*
 * Removes the group (everything in it is dead by now), waiting a short time for the kernel to let go of it. 0, or -1
 * with errno when it is still there. Frees everything; twice is harmless.
 */
int cgroup_remove(struct cgroup *cgroup);

/* Removes groups of dead runs below the groups that this process may use: --gc. How many. */
size_t cgroup_sweep(void);

#endif
