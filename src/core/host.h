/*
 * What the portable part needs of the system: one table per system, linked in
 * by the build. main and the command lines reach the system only through it.
 */
#ifndef NSBOX_CORE_HOST_H
#define NSBOX_CORE_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/backend.h"
#include "core/err.h"
#include "core/report.h"
#include "core/str.h"

/* Where a report goes; made by report_open, opaque. */
struct report_sink;

struct host {
	const struct backend *const *backends;	/* best first, ended by NULL */
	/* What is wanted of each control where the user said nothing (core/defaults.h). */
	const enum want *defaults;
	const char *idle_command; /* that every host of the system has; --check names it and never runs it */
	const char *leftover;	/* what sweep(NULL) removes, in the singular: "control group" */
	const struct backend *bwrap;	/* runs specs of bubblewrap's command line; NULL: none here does */

	/*
	 * Refuses to go on where the program itself was installed in a way that it must not
	 * run in (setuid, setgid, file capabilities), and makes standard descriptors safe:
	 * 0, 1 and 2 are open afterwards. It may execute the program again. Called first.
	 */
	int (*enter)(char **argv, struct err *);

	/*
	 * Reads a whole file into *text. `name` is a path, or decimal digits for an inherited
	 * descriptor, which is closed afterwards; /dev/fd/N and /proc/self/fd/N count as
	 * descriptors. Anything but a regular file (by path) is refused, and so is more than
	 * `limit` bytes. Messages begin with `option`.
	 */
	int (*read_input)(const char *option, const char *name, size_t limit, struct str *text,
	    struct err *);

	/*
	 * Checks and normalizes a path as it is inside: absolute, without a ".." component. *path is
	 * owned by the caller. Messages begin with `option`; ERR_USAGE.
	 */
	int (*parse_path)(const char *option, const char *word, char **path, struct err *err);

	/*
	 * The number of a capability by its full name in any case ("CAP_CHOWN"), or by its number; -1 where
	 * there is none.
	 */
	int (*find_capability)(const char *name);

	/* The caller's environment value, NULL where there is none. Valid until forget_environment. */
	const char *(*get_env)(const char *name);

	/*
	 * Overwrites the arguments and the environment that the process was started with, so
	 * that they can be read in no process any more; `title` is what the command line shows
	 * from then on. argv must not be used afterwards. The environment can still be asked, from
	 * memory that no child gets, until forget_environment. Twice is harmless. 0, or -1 where there is no
	 * such memory: nothing must be started then.
	 */
	int (*forget)(int argc, char **argv, const char *title, struct err *);
	void (*forget_environment)(void);

	/*
	 * Checks the destination ("fd:N" or a path) before anything is created. Messages begin
	 * with `option`, which has static storage.
	 */
	int (*report_open)(const char *option, const char *name, struct report_sink **, struct err *);
	/*
	 * Writes one whole report text. A descriptor gets each text as it comes; a file is replaced
	 * by rename, so that a reader sees a whole report or the one before. `last` ends it.
	 */
	int (*report_write)(struct report_sink *, const char *text, size_t length, bool last,
	    struct err *);
	/* Frees the sink; NULL is harmless. */
	void (*report_close)(struct report_sink *);

	/*
	 * Removes what killed runs left: below a parent of scratches, or, where it is NULL, of
	 * the system's own (`leftover`). *removed is how many. -1 only where the parent cannot be
	 * looked at.
	 */
	int (*sweep)(const char *scratch_parent, size_t *removed, struct err *);

	/* Whether standard output is a terminal. */
	bool (*is_terminal)(void);

	/* A new random identifier of 16 hexadecimal digits for a run; owned by the caller. */
	char *(*make_id)(void);
	/* "linux 6.1.0 x86_64"; owned by the caller. */
	char *(*platform)(void);
};

extern const struct host host;

#endif
