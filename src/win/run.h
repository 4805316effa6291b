/*
 * One run of the Windows backend: shared by its files, opaque to everybody else.
 */
#ifndef NSBOX_WIN_RUN_H
#define NSBOX_WIN_RUN_H

#include "core/backend.h"
#include "win/env.h"
#include "win/journal.h"
#include "win/relay.h"
#include "win/wapi.h"

/* A path of the host that COMMAND is given. */
struct place {
	const char *option;	/* as written; of the spec */
	char *path;		/* owned; without links, as the file system spells it */
	bool is_folder;
	bool read_only;
};

enum { RUN_STREAMS = 3, RUN_PUMPS = 2 };

struct run {
	const struct spec *spec;
	/* prepare */
	struct str_list caller;	/* its environment */
	char *program;		/* the file of COMMAND */
	struct str command_line;
	struct place *places;
	size_t places_count;
	char *scratch_parent;	/* NULL: the scratch is the caller's */
	/* start */
	struct journal journal;
	char *sid;		/* of the container, NULL: there is none */
	char *scratch;
	void *job;
	struct wapi_limits limits;	/* what the job was told */
	uint32_t rate;			/* likewise, 0: none */
	uint32_t limits_error, ui_error, rate_error;
	struct env env;
	void *attributes;
	struct wapi_attr attrs[WAPI_ATTR_COUNT];
	uint32_t mitigations_error;
	void *streams[RUN_STREAMS];	/* the child's ends */
	void *listed[RUN_STREAMS];	/* the same, each once */
	size_t listed_count;
	struct relay relay;
	struct wapi_pump pumps[RUN_PUMPS];
	void *pump_threads[RUN_PUMPS];
	void *process, *thread;
	/* release and wait */
	bool is_released;
	bool has_ended;
	uint64_t released_ns;
	struct figure survivors;
};

/* refuse.c: what was asked for and Windows cannot do, by the option as written. 0 or -1 (ERR_USAGE). */
int refuse_check(const struct spec *spec, struct err *err);

/* command.c: the file of COMMAND; owned by the caller. ERR_NOT_FOUND, ERR_NOT_EXECUTABLE. */
int command_find(const char *command, const struct env *env, char **program, struct err *err);

/* places.c: looks at all paths of the spec and refuses those that cannot be given away. */
int places_look(struct run *run, struct err *err);
/* Gives each to the container, as far as it is not readable already, and reads that back. */
int places_grant(struct run *run, struct err *err);
void places_free(struct run *run);

/* scratch.c: makes the scratch and reads back who may use it. */
int scratch_find(struct run *run, struct err *err);
int scratch_make(struct run *run, struct report *report, struct err *err);

/* profile.c: begins the journal and makes the AppContainer; without one only where the spec allows. */
int profile_make(struct run *run, struct report *report, struct err *err);

/* job.c: makes the job with its limits. */
int job_make(struct run *run, struct err *err);
/* Reads back what the job does, and says so for each limit that was asked for. */
void job_confirm(const struct run *run, struct report *report);
/* Ends all processes of the job and waits until there are none: 0, or the error of Windows. */
uint32_t job_empty(const struct run *run);

/* streams.c: the child's standard streams, and the pumps behind two of them. */
int streams_make(struct run *run, struct err *err);
int streams_start(struct run *run, struct err *err);
/* The child's ends are the child's alone. */
void streams_close_child(struct run *run);
/* Waits until all output was handed on, at most until `deadline_ns` (0: none) or the user wants the end. */
void streams_drain(struct run *run, uint64_t deadline_ns);
void streams_end(struct run *run);

/* spawn.c: the suspended child. */
int spawn_make(struct run *run, struct err *err);
void spawn_end(struct run *run);

/* confirm.c: what holds of the suspended child. */
void confirm_child(const struct run *run, struct report *report);

/* wait.c: until COMMAND has ended or was ended. */
int wait_for_end(struct run *run, struct report *report, struct err *err);

/* All CPU time of a job, in nanoseconds. */
uint64_t wait_cpu_ns(const struct wapi_usage *usage);

enum {
	RUN_KILLED = 1,				/* exit code of what nsbox ends */
	RUN_UI_MASK = 0xde,			/* all but user handles and global atoms */
	RUN_LOOK_NS = 10 * 1000 * 1000		/* how often nsbox looks */
};
#define RUN_MITIGATIONS \
	(UINT64_C(1) << 32 | UINT64_C(1) << 48 | UINT64_C(1) << 52)

#endif
