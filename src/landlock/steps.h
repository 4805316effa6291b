/*
 * Child code of the Landlock backend.
 */
#ifndef NSBOX_LANDLOCK_STEPS_H
#define NSBOX_LANDLOCK_STEPS_H

#include "linux/step.h"

/*
 * Placeholders in filter programs, for numbers that are known only when the processes are there. No process has such a
 * number: PID_MAX_LIMIT is 2^22.
 */
enum {
	STEPS_INIT = 0x7ffffff1,
	STEPS_KILLER = 0x7ffffff2,
	STEPS_INIT_NEGATIVE = 0x7ffffff3,
	STEPS_KILLER_NEGATIVE = 0x7ffffff4
};

step_fn landlock_step_subreaper;	/* orphans come to this process */
step_fn landlock_step_directory;	/* source: the working folder */
/*
 * fd: a ruleset with nothing but scopes. Enters it, and looks that the supervisor (flags) is out of reach of
 * signals now: without that nobody may use kill(-1).
 */
step_fn landlock_step_scope;
/*
 * fd: the reading end of a pipe that the supervisor has the other end of (flags, closed here). Starts the
 * killer: it waits for the death of either init or the supervisor, and ends everything in the scope.
 */
step_fn landlock_step_killer;
step_fn landlock_step_enforce;		/* fd: the ruleset that COMMAND gets; device: flags */
step_fn landlock_step_filter;		/* child_step_filter, with placeholders filled in */
/* Asks the supervisor for each new process from here on. source, flags: a filter that says for which calls. */
step_fn landlock_step_gate;

#endif
