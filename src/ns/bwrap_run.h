/*
 * One run of the drop-in for bubblewrap: shared by its files, opaque to everybody else.
 */
#ifndef NSBOX_NS_BWRAP_RUN_H
#define NSBOX_NS_BWRAP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/backend.h"
#include "core/spec_bwrap.h"
#include "linux/environment.h"
#include "linux/process.h"
#include "linux/step.h"
#include "linux/steps.h"
#include "linux/terminal.h"
#include "ns/bwrap_steps.h"

/* A mount point that had to be made in a folder of the host. */
struct bwrap_made {
	size_t step;
	char *path;		/* owned; as the child knows it, inside */
	uint64_t device, inode;
};

/* What the source of a request is without links, before anything is mounted. */
struct bwrap_source {
	char *path;		/* owned; NULL: it has none, or it cannot be had */
	int error;		/* why it cannot, 0: it has none or it can */
};

struct run {
	const struct spec *spec;
	const struct spec_bwrap *bwrap;
	uint64_t namespaces;	/* CLONE_NEW* */
	bool is_privileged;	/* uid 0 that may make mounts without a user namespace */
	bool keeps_caps;	/* the capability sets stay as they are */
	bool is_bounded;	/* and yet hold no more than `caps` */
	uint64_t caps;		/* else: what COMMAND keeps */
	uint32_t uid, gid;	/* inside */
	char uid_map[64], gid_map[64];
	char lower_uid_map[64], lower_gid_map[64]; /* of the namespace below, --disable-userns */

	struct plan plan;
	struct bwrap_plan own;
	struct steps steps;
	struct bwrap_source *sources; /* one for each request */
	struct step *layers;	/* of all overlays */
	size_t layer_count;
	struct str_list texts;	/* storage of composed strings */
	struct candidate *candidates;
	struct environment environment;
	size_t early_count;

	struct process process;
	struct terminal terminal;
	int proc;		/* the host's /proc, O_PATH */
	pid_t parent;		/* who started us */
	int parent_fd;		/* its pidfd, -1: none */
	bool is_held;		/* the child waits for a word before it does anything */
	bool has_executed;
	struct bwrap_made *made;
	size_t made_count;
	uint64_t mount_namespace, start_time; /* of the child, where mount points were made */
	int cleaner;		/* the pipe to the process that removes them, -1: none */
};

/* bwrap_prepare.c: asks the host what the plan needs. 0 or -1. */
int bwrap_prepare(struct run *run, struct err *err);
void bwrap_prepare_free(struct run *run);

/* bwrap_plan.c: composes run->plan. 0 or -1. */
int bwrap_plan_build(struct run *run, struct err *err);

/* bwrap_cover.c: looks at all sources; the folder of the host for the hidden tmpfs, static storage. */
void bwrap_find_sources(struct run *run);
const char *bwrap_choose_cover(const struct run *run);

/* bwrap_status.c: what --info-fd and --json-status-fd get, while the child is held, and at the end. */
int bwrap_status_start(const struct run *run, struct err *err);
void bwrap_status_end(const struct run *run, int status);
/* COMMAND never ran: a line that says why, which bubblewrap does not have. */
void bwrap_status_failure(const struct run *run, const struct err *err);

/* bwrap_message.c: sentences for what failed. All return -1. */
int bwrap_message_step(const struct run *run, const struct record *record, struct err *err);
int bwrap_message_exec(const struct run *run, const struct record *record, struct err *err);
int bwrap_message_clone(const struct run *run, int error, struct err *err);
/* "TEXT: ERROR" */
int bwrap_message(struct err *err, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* bwrap_join.c: starts the child in the process tree of --pidns. 0, or -1; err->stage "clone" is the kernel's no. */
int bwrap_join_start(struct run *run, struct err *err);

/* bwrap_made.c: mount points on the host. */
void bwrap_made_add(struct run *run, const struct record *record);
/* Removes those that are still there as they were made. */
void bwrap_made_remove(const struct run *run);
void bwrap_made_free(struct run *run);

/* bwrap_cleaner.c: called when COMMAND runs, and when the supervisor ends. */
void bwrap_cleaner_start(struct run *run);
void bwrap_cleaner_end(struct run *run);

#endif
