/*
 * What every run on Linux goes through, whatever holds it: a child that is
 * heard, released, waited for.
 */
#ifndef NSBOX_LINUX_COURSE_H
#define NSBOX_LINUX_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/report.h"
#include "core/spec.h"
#include "linux/command.h"
#include "linux/environment.h"
#include "linux/limiter.h"
#include "linux/process.h"
#include "linux/step.h"
#include "linux/steps.h"
#include "linux/supervise.h"

struct course {
	const struct spec *spec;
	int proc;		/* the host's /proc (O_PATH), -1: not open */
	int *keep_fds;		/* that COMMAND gets, ascending; owned */
	int *rlimits;		/* the RLIMIT_* of the spec's rlimits; owned */
	struct plan plan;
	struct process process;
	struct limits limits;
	struct supervisor supervisor;
	bool has_session;	/* COMMAND gets a session of its own */
	uint64_t released_ns;	/* when COMMAND was let go, 0: not yet */
	bool has_ended;		/* the child said how COMMAND ended */
	uint32_t killed;	/* processes that had to be killed then */
};

/* Empty: nothing is asked or opened yet. */
void course_init(struct course *course, const struct spec *spec);

/* Checks what the spec names of the caller's descriptors and of resources, and opens /proc. Makes nothing. 0 or -1. */
int course_ask(struct course *course, struct err *err);

/* Takes over the signals, makes the control group and the pipes of the limits. `id` names the group. 0 or -1. */
int course_begin(struct course *course, const char *id, struct err *err);

/*
 * Fills in what of the plan does not depend on the backend: COMMAND, its environment, descriptors, masks. They have to
 * outlive the plan.
 */
void course_plan(struct course *course, const struct command *command,
    const struct environment *environment);

/* Adds the steps that lead the output into the relay, and those that set the spec's --rlimit. */
void course_add_streams(struct course *course, struct steps *steps);
void course_add_rlimits(struct course *course, struct steps *steps);

/* Closes and frees all, gives the signals and the terminal back. The limits are closed by limits_close. */
void course_end(struct course *course);

/*
 * Starts the child with these namespaces (process_start), in the control group of its limits. From then on a reader of the output
 * may go. 0, or -1 (ERR_UNAVAILABLE, ERR_SETUP).
 */
int course_start(struct course *course, uint64_t required, uint64_t wanted, struct err *err);

/*
 * Waits for the child's word `kind` before COMMAND runs; anything else is a failure, as the child or the
 * supervisor tells. 0 or -1.
 */
int course_expect(struct course *course, uint32_t kind, struct record *record, struct report *report,
    struct err *err);

/* Lets the held child go on; returns when COMMAND was executed, or with the error why not. */
int course_release(struct course *course, struct report *report, struct err *err);

/* Returns when COMMAND has ended; fills in the report's end and usage. 0 or -1 (ERR_LOST). */
int course_wait(struct course *course, struct report *report, struct err *err);

#endif
