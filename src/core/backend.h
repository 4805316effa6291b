/*
 * The interface behind which the sandboxes of different systems stand, and the
 * loop that runs one. A backend is a row in the host's table; adding one
 * touches no other.
 */
#ifndef NSBOX_CORE_BACKEND_H
#define NSBOX_CORE_BACKEND_H

#include <stdbool.h>

#include "core/err.h"
#include "core/report.h"
#include "core/spec.h"

/* Each backend defines its own. */
struct run;

/* What probing found: per control, whether this host and backend can enforce it. */
struct probe {
	struct {
		bool can;
		bool elsewhere;		/* no means for it, but others for what it is there for: only --require insists */
		int sys;		/* errno value of the refusal, 0: none */
		const char *reason;	/* static storage; NULL: none */
		const char *remedy;	/* static storage; NULL: none is known */
	} controls[CONTROL_COUNT];
};

/*
 * All functions are mandatory. Each returns 0, or -1 with *err filled in.
 * Order: probe, prepare, start, release, wait, teardown; teardown is called
 * exactly once for each prepare that returned 0, after whatever failed, and
 * frees the run. COMMAND does not run before release.
 */
struct backend {
	const char *name;		/* as --backend takes it */
	bool is_fallback;		/* weaker: taken by itself only where the host refuses what stands before it */
	int (*probe)(struct probe *, struct err *);
	/* spec is frozen and outlives the run. */
	int (*prepare)(const struct spec *, struct run **, struct err *);
	/* Builds the sandbox, holds the child before COMMAND, confirms what holds. */
	int (*start)(struct run *, struct report *, struct err *);
	/* Lets COMMAND begin. ERR_NOT_FOUND, ERR_NOT_EXECUTABLE when it could not. */
	int (*release)(struct run *, struct report *, struct err *);
	/* Returns when COMMAND has ended; fills in report->end and usage. */
	int (*wait)(struct run *, struct report *, struct err *);
	/* Ends and removes what is left, looks that nothing is, frees the run. */
	int (*teardown)(struct run *, struct report *, struct err *);
};

/*
 * Picks the first of `backends` (ended by NULL) that can enforce all that the spec
 * requires, honouring --backend; a fallback only where it is named, or the first. NULL with ERR_REFUSED where none can, naming each control
 * and reason; ERR_USAGE where --backend names one that this system has not.
 */
const struct backend *backend_pick(const struct backend *const *backends,
    const struct spec *spec, struct report *report, struct err *err);

/* What the caller of backend_run does in between; each may be NULL. */
struct backend_hooks {
	void *context;
	/*
	 * After prepare: the arguments are not needed any more, the environment only by another backend. When it fails
	 * nothing is started.
	 */
	int (*prepared)(void *context, struct err *);
	/*
	 * After everything required was confirmed and before COMMAND runs. When it fails COMMAND
	 * does not run.
	 */
	int (*applied)(void *context, struct report *, struct err *);
};

/*
 * Runs the spec on one backend from prepare to teardown. Returns 0 where COMMAND ran and
 * its end is in the report; else -1, and report->end says what failed. Teardown has happened
 * either way; where only it failed, that is the error.
 */
int backend_run(const struct backend *backend, const struct spec *spec, struct report *report,
    const struct backend_hooks *hooks, struct err *err);

/* What a backend could do here: how it went, and the report that a run would have begun with. */
struct backend_check {
	const struct backend *backend;
	bool is_usable;		/* everything that is required by default was confirmed */
	struct report report;
	struct err err;		/* why not */
};

/*
 * Builds the sandbox of the spec, confirms it, and takes it down again; COMMAND is never run. To be freed
 * by backend_check_free.
 */
void backend_check(const struct backend *backend, const struct spec *spec,
    const struct backend_hooks *hooks, struct backend_check *check);
void backend_check_free(struct backend_check *check);

/*
 * Picks a backend and runs the spec on it; where that one turns out to be refused by the host
 * as a whole (ERR_UNAVAILABLE) and --backend leaves the choice, on the next that will do. What the host
 * refused and why stays in the report. The hook `prepared` is called for each. As backend_run.
 */
int backend_run_best(const struct backend *const *backends, const struct spec *spec,
    struct report *report, const struct backend_hooks *hooks, struct err *err);

#endif
