/*
 * One run of the Landlock backend: shared by its files, opaque to everybody else.
 */
#ifndef NSBOX_LANDLOCK_RUN_H
#define NSBOX_LANDLOCK_RUN_H

#include "core/backend.h"
#include "linux/landlock_abi.h"
#include "landlock/express.h"
#include "landlock/filters.h"
#include "landlock/probes.h"
#include "linux/command.h"
#include "linux/confirm.h"
#include "linux/course.h"
#include "linux/disk_scratch.h"
#include "linux/environment.h"
#include "linux/family.h"
#include "linux/guard.h"
#include "linux/steps.h"
#include "linux/view.h"

enum { CANARY_SOCKETS = 3 };

/* What is tried, and by what name it is there. */
struct canaries {
	struct probe_setup setup;
	char *paths[6];		/* what the setup points to; owned */
	int sockets[CANARY_SOCKETS]; /* by path, for datagrams, by abstract name; -1: none */
};

struct run {
	struct course course;
	int abi;
	struct view view;
	struct allowances allowances;
	struct environment environment;
	struct command command;
	struct steps steps, inner;
	struct disk_scratch disk;
	struct disk_scratch trial; /* for what is tried, where the scratch lies in what is shown; else none */
	struct view_source used;	/* --scratch-use; no path: the scratch is a new folder */
	char *scratch;		/* path of what COMMAND gets to write */
	char *directory;	/* where it begins */
	bool allows_unix;	/* AF_UNIX sockets can be made */
	int ruleset, scope;	/* -1: none */
	int pipe[2];		/* that the killer waits at */
	pid_t killer;		/* 0: none, or not known yet */
	struct canaries canaries;
	struct sock_filter guard[GUARD_MAX];
	struct sock_filter filter[FILTERS_MAX], gate[FILTERS_MAX];
	struct family before;	/* children that this process had already */
	int was_subreaper;
	struct confirm confirm;
	bool is_ended;		/* init ended, and said by its status that nothing was left */
};

/* The folder in which what is tried lies. */
static inline const struct disk_scratch *run_own(const struct run *run)
{
	return run->trial.dir >= 0 ? &run->trial : &run->disk;
}

/* Whether signals are scoped, so that kill(-1) reaches the sandbox and nobody else. */
static inline bool run_has_scope(const struct run *run)
{
	return run->abi >= ABI_HAS_SCOPES;
}

/*
 * Whether the gate holds --pids: RLIMIT_NPROC counts what the user has elsewhere, and looking is too slow for what multiplies.
 */
static inline bool run_gates_pids(const struct run *run)
{
	return run->course.spec->limits.pids > 0 && !run->course.limits.cgroup.has_pids;
}

/* prepare_landlock.c: asks the host, makes scratch, rules and what is tried, and the plan. 0 or -1. */
int prepare_landlock(struct run *run, struct err *err);
/* Removes what it made on the host. 0 or -1 (ERR_LOST). Twice is harmless. */
int prepare_landlock_undo(struct run *run, struct err *err);
void prepare_landlock_free(struct run *run);

/* rules.c: makes run->ruleset and run->scope. 0 or -1. */
int rules_make(struct run *run, struct err *err);

/* canaries.c: makes the files and sockets that the probes are tried on. 0 or -1. */
int canaries_make(struct run *run, struct err *err);
void canaries_free(struct canaries *canaries);

/* plan_landlock.c. COMMAND gets so many filters at least, and with it whatever it starts. */
enum { PLAN_FILTERS = 2 };
void plan_landlock_build(struct run *run);

/*
 * confirm_landlock.c: looks at the held process and at what it tried, and fills in the report. -1
 * (ERR_REFUSED) where the kernel does not do what it claims.
 */
int confirm_landlock(struct run *run, struct report *report, const struct record *probed,
    const struct record *ready, struct err *err);

/* not_covered.c: lists in the report what stays open, as far as it was found by trying. */
void not_covered_list(const struct run *run, struct report *report);

#endif
