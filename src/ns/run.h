/*
 * One run of the namespace backend: shared by its files, opaque to everybody else.
 */
#ifndef NSBOX_NS_RUN_H
#define NSBOX_NS_RUN_H

#include <linux/filter.h>

#include "core/backend.h"
#include "linux/command.h"
#include "linux/confirm.h"
#include "linux/course.h"
#include "linux/disk_scratch.h"
#include "linux/environment.h"
#include "linux/guard.h"
#include "linux/landlock_abi.h"
#include "linux/steps.h"
#include "linux/view.h"

enum { NAMESPACE_COUNT = 8 };

enum { SCRATCH_PLACES = 3 };	/* /work, /tmp, /dev/shm */

struct run {
	struct course course;
	struct view view;
	struct environment environment;
	struct command command;
	struct steps steps;
	struct steps rows;	/* one for each mount that is to be there: dest, flags, item */
	struct steps layers;	/* of all overlays */
	char uid_map[64], gid_map[64];
	char lock_uid_map[64], lock_gid_map[64]; /* of the user namespace that locks the mounts */
	uint32_t uid, gid;	/* inside */
	uint64_t keep_caps;
	char *console;		/* terminal to show as /dev/console; NULL: none */
	struct sock_filter filter[GUARD_MAX];
	struct disk_scratch disk;
	struct view_source host_scratch[SCRATCH_PLACES]; /* where they are on the host; no path: in memory */
	int ruleset;		/* Landlock's, on top of the mounts; -1: none */
	uint64_t ruleset_rights, ruleset_flags;
	int landlock_error;	/* why there is none, 0: nobody asked for it */
	struct confirm confirm;
	int root;		/* the child's root while it is looked at, -1: not open */
	bool has_only_loopback;
	uint64_t own_namespaces[NAMESPACE_COUNT]; /* their numbers for the supervisor itself */
};

/* prepare_ns.c: asks the host, makes the control group and the scratch, and the plan. 0 or -1. */
int prepare_ns(struct run *run, struct err *err);
/* Removes what prepare_ns made on the host. 0 or -1 (ERR_LOST). Twice is harmless. */
int prepare_ns_undo(struct run *run, struct err *err);
void prepare_ns_free(struct run *run);

/* plan_ns.c: composes run->course.plan from the spec. 0 or -1. */
int plan_ns_build(struct run *run, struct err *err);

/*
 * confirm_ns.c: notes the supervisor's own namespaces, which can be done while the child is
 * still busy.
 */
void confirm_ns_look_at_self(struct run *run);

/*
 * confirm_ns.c: looks at the child and fills in the report: at its view once that is built, and at
 * the rest once it is held. `view` and `ready` are what it sent then. confirm_ns_end closes what is
 * open in between, and is harmless twice.
 */
void confirm_ns_view(struct run *run, struct report *report, const struct record *view);
void confirm_ns_process(struct run *run, struct report *report, const struct record *ready);
void confirm_ns_end(struct run *run);

#endif
