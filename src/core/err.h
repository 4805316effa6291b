/*
 * Errors as values. A function that can fail takes a `struct err *` last,
 * fills it in once, and returns -1; callers add context with err_wrap and
 * never print. Only main turns an error into text on standard error.
 */
#ifndef NSBOX_CORE_ERR_H
#define NSBOX_CORE_ERR_H

/*
 * What went wrong, as far as the caller of nsbox has to know it: the kind
 * decides the exit status and the report's end.reason, nothing else does.
 */
enum err_kind {
	ERR_NONE,
	ERR_USAGE,	/* the command line is wrong; nothing was asked of the host: 125 */
	ERR_REFUSED,	/* something required cannot be enforced here: 125 */
	ERR_UNAVAILABLE, /* this host refuses the backend as a whole, another may do: 125 */
	ERR_SETUP,	/* building the sandbox failed; COMMAND never ran: 125 */
	ERR_NOT_FOUND,	/* COMMAND does not exist inside: 127 */
	ERR_NOT_EXECUTABLE, /* COMMAND exists and cannot be executed: 126 */
	ERR_LOST	/* the sandbox was lost after COMMAND had started: 125 */
};

struct err {
	enum err_kind kind;
	int sys;		/* the errno value behind it, 0 where there is none */
	const char *stage;	/* step that failed (a static string), NULL where none applies */
	char *message;		/* one sentence without a newline; owned */
};

/* A zeroed struct err means "no error". */
#define ERR_INIT { ERR_NONE, 0, 0, 0 }

/*
 * Both fill *err (freeing what was there) and return -1, so that a caller can
 * write `return err_set(err, ERR_USAGE, "--pids: ...")`. err_sys appends
 * ": ENOENT: No such file or directory" for errno value `sys`.
 */
int err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int err_sys(struct err *err, enum err_kind kind, int sys, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Puts "CONTEXT: " before the message; kind, sys and stage stay. Returns -1. */
int err_wrap(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds " (REMEDY)" behind the message. Returns -1. */
int err_hint(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Moves *from into *to (freeing what was there); *from is empty afterwards. */
void err_move(struct err *to, struct err *from);

/* Frees the message and empties the value. Twice is harmless. */
void err_clear(struct err *err);

/* 125, 126 or 127 for an error of this kind; 0 for ERR_NONE. */
int err_exit_status(enum err_kind kind);

/*
 * The symbolic name of an errno value ("ENOENT"), or NULL for a number this
 * system has no name for. The names come from the compiler's own <errno.h>,
 * collected at build time. Static storage.
 */
const char *errno_name(int sys);

#endif
