/*
 * What was asked of a run and what was confirmed of it. A layer becomes
 * `applied` in one way only, report_confirm, which takes the evidence; every
 * other state says why it is not.
 */
#ifndef NSBOX_CORE_REPORT_H
#define NSBOX_CORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/control.h"
#include "core/err.h"
#include "core/spec.h"
#include "core/str.h"

enum layer_state {
	LAYER_UNCONFIRMED,	/* asked for, and nothing has proved it yet */
	LAYER_APPLIED,		/* confirmed by looking afterwards */
	LAYER_SKIPPED,		/* not asked for, or done without as the caller allowed */
	LAYER_REFUSED		/* asked for, and this host or backend cannot */
};

struct layer {
	enum want asked;
	enum layer_state state;
	size_t items;		/* how many confirmations it needs, 1 unless report_expect said more */
	size_t confirmed;
	unsigned char *seen;	/* owned, one byte an item */
	const char *by;		/* mechanism ("CLONE_NEWNET"); static storage, NULL: none */
	char *evidence;		/* owned; what was read back */
	int sys;		/* errno value of a refusal, 0: none */
	uint64_t limit;		/* of a limit: what was asked for, in report_limit_unit; 0: none */
	bool hit;		/* of a limit: it was reached */
	char *reason;		/* owned; a sentence, NULL: none */
	char *remedy;		/* owned; what the operator can do, NULL: nothing is known */
};

enum end_reason {
	END_NONE,		/* not ended yet */
	END_EXITED,
	END_SIGNALED,
	END_EXEC_FAILED,
	END_SETUP_FAILED,
	END_REFUSED,
	END_WALL_LIMIT,
	END_CPU_LIMIT,
	END_MEMORY_LIMIT,
	END_OUTPUT_LIMIT,
	END_CANCELLED,
	END_LAUNCHER_LOST
};

/* A figure that may be unknown: then it is null in the report, never 0. */
struct figure {
	bool known;
	uint64_t value;
};

struct report {
	const enum want *defaults; /* of the spec: which system this is about */
	char *request_id;
	char *platform;		/* owned; "linux 6.1.0 x86_64" */
	const char *backend;	/* NULL until one was picked */
	const char *confinement; /* "namespaces", ...; NULL until then */
	const char *network;	/* "none" or "host" */
	char *weakness;		/* owned; how this backend is weaker than the best, a sentence; NULL: it is the best */
	struct str_list not_covered; /* what stays open, as "name: sentence"; owned */
	char *scratch;		/* owned; where it is, as COMMAND sees it; NULL: none */
	struct layer layers[CONTROL_COUNT];
	bool has_applied;	/* COMMAND was released: all that is required was confirmed */

	char **argv;		/* borrowed from the spec */
	char *resolved;		/* owned; the file that was executed, as seen inside */

	struct {
		enum end_reason reason;
		int64_t code;	/* the command's exit status (32 bits on Windows), -1: it did not exit */
		int signal;	/* the signal that ended it, 0: none */
		char *stage;	/* owned; step that failed, NULL: none */
		int sys;
		char *message;	/* owned; NULL: none */
		int status;	/* exit status that an error calls for, 0: none did */
	} end;

	struct {
		struct figure wall_ms, cpu_ms, user_ms, system_ms, peak_bytes, pids_peak;
		struct figure voluntary_switches, involuntary_switches;
		struct figure output_bytes;
	} usage;

	struct {
		const char *by;	/* NULL: nothing had to be torn down */
		struct figure survivors_killed;
		bool has_scratch;
		bool scratch_removed;
		bool confirmed;
	} teardown;
};

/* The reason of a layer that nobody asked for. */
#define REPORT_NOT_ASKED "not asked for"

/* An empty report for this spec: every layer as asked, nothing confirmed. */
void report_init(struct report *report, const struct spec *spec);
void report_free(struct report *report);

/*
 * This control needs `items` confirmations, and those so far are forgotten. With 0 items there
 * is nothing that could be otherwise than asked, and it is applied; report_confirm may still
 * say by what. A layer that was refused or skipped stays what it is.
 */
void report_expect(struct report *report, enum control control, size_t items);

/*
 * Item number `item` (0 for a control with one) of this control was read back
 * and is as asked; `evidence` is what was read. The only way to "applied", which
 * is reached when every item was confirmed once. The evidence of the first item
 * is kept. A layer that was refused or skipped stays what it is.
 */
void report_confirm(struct report *report, enum control control, const char *by, size_t item,
    const char *evidence, ...) __attribute__((format(printf, 5, 6)));

/*
 * The control was not applied: skipped where asked is WANT_NO or WANT_TRY, refused where it is
 * WANT_YES, even if it was confirmed before. Of several reasons the first is kept.
 */
void report_missing(struct report *report, enum control control, int sys, const char *remedy,
    const char *reason, ...) __attribute__((format(printf, 5, 6)));

/* The backend consists of this: it is required whatever was asked, and nothing has confirmed it yet. */
void report_require(struct report *report, enum control control);

/* The control is wanted and not required: what the backend cannot do is skipped, not refused. */
void report_relax(struct report *report, enum control control);

/*
 * Begins again for another backend: everything that was confirmed or done is forgotten; what the host
 * refused stays, with its reason, in layers that were not applied.
 */
void report_restart(struct report *report, const struct spec *spec);

/*
 * 0 if each required control is applied, else -1 with ERR_REFUSED that names every one
 * that is not, why, and what would help. Run before COMMAND is released.
 */
int report_check_required(const struct report *report, struct err *err);

/* Records how an error ended the run (refused, setup-failed, exec-failed, launcher-lost), unless an end is known already. */
void report_end_error(struct report *report, const struct err *err);

/* The figure is known from now on. */
void report_set_figure(struct figure *figure, uint64_t value);

/* The figure is at least this: of two counts of the same the greater one is the truth. */
void report_raise_figure(struct figure *figure, uint64_t value);

/* The exit status that the end calls for: code, 128+signal, 124, 125, 126, 127. */
int report_exit_status(const struct report *report);

/* Names as the report has them; static storage. NULL for END_NONE. */
/* The unit of a limit's number ("ms", "bytes", ...); static storage. */
const char *report_limit_unit(enum control control);

const char *layer_state_name(enum layer_state state);
const char *end_reason_name(enum end_reason reason);

/* A JSON string, or null for NULL. */
void report_json_string(struct str *text, const char *string);
/* The members "layers" and "not_covered" of a report, behind other members. */
void report_json_layers(const struct report *report, struct str *text);

/*
 * The report as one JSON object without line breaks, in UTF-8 (bytes that are not
 * UTF-8 are replaced by U+FFFD), ended by a newline. `event` is NULL for a whole report
 * in a file, else "applied" or "ended", the two lines that a descriptor gets.
 */
void report_json(const struct report *report, const char *event, struct str *text);

#endif
