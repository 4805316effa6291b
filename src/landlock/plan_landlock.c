/*
 * Composes the steps: what init does, and what the process does that becomes COMMAND.
 *
 * The order: no_new_privs before Landlock, which demands it; the scope before the killer, which may use kill(-1)
 * only in it; probes before and after everything that they judge.
 */
#include "landlock/run.h"

#include <signal.h>
#include <string.h>

#include <unistd.h>

#include "landlock/steps.h"
#include "linux/child.h"

static struct step *outer(struct run *run, step_fn *function, const char *name)
{
	return steps_add(&run->steps, function, name);
}

static struct step *inner(struct run *run, step_fn *function, const char *name)
{
	return steps_add(&run->inner, function, name);
}

/* Denials of the probes are not for the audit log. */
static uint64_t enforce_flags(const struct run *run)
{
	return run->abi >= ABI_HAS_LOG_FLAGS ? ABI_LOG_SAME_EXEC_OFF : 0;
}

static void add_scope(struct run *run)
{
	struct step *step;

	step = outer(run, landlock_step_scope, "scope");
	step->fd = run->scope;
	step->flags = (uint64_t)getpid();
	step->device = enforce_flags(run);
	step = outer(run, landlock_step_killer, "killer");
	step->fd = run->pipe[0];
	step->flags = (uint64_t)run->pipe[1];
}

static void add_init(struct run *run)
{
	const struct terminal *terminal = &run->course.supervisor.terminal;
	struct step *step;

	outer(run, child_step_death, "death-signal")->flags = SIGALRM;
	outer(run, landlock_step_subreaper, "subreaper");
	if (!run->course.has_session && terminal->takes_over)
		outer(run, child_step_group, "process-group");
	outer(run, child_step_keyring, "keyring")->flags = CHILD_KEYRING_REFUSED_LATER;
	outer(run, child_step_capabilities, "capabilities")->device = CHILD_BOUNDING_MAY_STAY;
	outer(run, child_step_no_new_privs, "no-new-privs");
	course_add_streams(&run->course, &run->steps);
	step = outer(run, landlock_step_directory, "directory");
	step->option = run->course.spec->chdir == NULL ? NULL : "--chdir";
	step->source = run->directory;
	/* What took capabilities makes the kernel forget it. */
	outer(run, child_step_death, "death-signal")->flags = SIGALRM;
	if (run_has_scope(run))
		add_scope(run);
	outer(run, child_step_start, "start");
}

static void add_filters(struct run *run)
{
	const struct spec *spec = run->course.spec;
	unsigned guard = spec->network == SPEC_NETWORK_NONE ? GUARD_NETWORK : 0, flags = 0;
	struct step *step;

	if (!run->course.has_session &&
	    (!run->course.supervisor.terminal.takes_over || !run_has_scope(run)))
		guard |= GUARD_GROUP;
	flags |= spec->network == SPEC_NETWORK_NONE ? FILTERS_NETWORK : 0;
	flags |= run->allows_unix ? 0 : FILTERS_UNIX;
	flags |= run->abi < ABI_HAS_TRUNCATE ? FILTERS_TRUNCATE : 0;
	flags |= run_has_scope(run) ? 0 : FILTERS_SIGNALS;
	flags |= spec->allow_userns ? 0 : FILTERS_NESTING;
	if (!run_has_scope(run) || run_gates_pids(run)) {
		step = inner(run, landlock_step_gate, "gate");
		step->source = (const char *)run->gate;
		step->flags = filters_gate(run->gate, run_gates_pids(run));
	}
	step = inner(run, child_step_filter, "filter");
	step->source = (const char *)run->guard;
	step->flags = guard_build(run->guard, guard);
	step = inner(run, landlock_step_filter, "filter");
	step->source = (const char *)run->filter;
	step->flags = filters_build(run->filter, flags, getpid(), getpgrp());
}

static void add_probe(struct run *run, bool after)
{
	struct step *step = inner(run, landlock_step_probe, "probe");

	step->source = (const char *)&run->canaries.setup;
	step->flags = after;
}

static void add_command(struct run *run)
{
	struct step *step;

	/* A second line: COMMAND can take it back, but none that means well does. */
	inner(run, child_step_death, "death-signal");
	if (run->course.has_session)
		inner(run, child_step_session, "session");
	add_probe(run, false);
	step = inner(run, landlock_step_enforce, "landlock");
	step->fd = run->ruleset;
	step->device = enforce_flags(run);
	add_filters(run);
	add_probe(run, true);
	inner(run, child_step_command, "command");
	inner(run, child_step_descriptors, "descriptors");
	course_add_rlimits(&run->course, &run->inner);
	inner(run, child_step_barrier, "barrier");
}

void plan_landlock_build(struct run *run)
{
	struct plan *plan = &run->course.plan;
	const struct spec *spec = run->course.spec;

	run->course.has_session = spec->new_session || !run->course.supervisor.terminal.is_shared;
	add_init(run);
	add_command(run);
	course_plan(&run->course, &run->command, &run->environment);
	plan->steps = run->steps.items;
	plan->step_count = run->steps.count;
	plan->inner = run->inner.items;
	plan->inner_count = run->inner.count;
	plan->reach = run_has_scope(run) ? REACH_SCOPE : REACH_CHILDREN;
	plan->asks_for_end = !run_has_scope(run);
	plan->outsider = getpid();
	plan->forbids_nesting = !spec->allow_userns;
	plan->stops_with_command = !run->course.has_session && run->course.supervisor.terminal.takes_over;
}
