/*
 * The environment that COMMAND gets: cleared, but for what is passed on
 * purpose.
 */
#ifndef NSBOX_LINUX_ENVIRONMENT_H
#define NSBOX_LINUX_ENVIRONMENT_H

#include <stddef.h>

#include "core/spec.h"

struct environment {
	char **variables;	/* NULL-terminated; points into block */
	size_t count;
	char *block;		/* all strings in one piece, so that it can be wiped in one */
	size_t block_size;
};

/*
 * Composes it: PATH, LANG and LC_ALL of the caller (all of the caller's with keep_env),
 * HOME and the variables for temporary files set to `scratch`, then the spec's changes in
 * order.
 */
void environment_build(const struct spec *spec, char *const *caller, const char *scratch,
    struct environment *environment);
/*
 * The caller's environment with the spec's changes done one after the other, in the caller's
 * order, and with a variable PWD that has `room` bytes behind "PWD=".
 */
void environment_replay(const struct spec *spec, char *const *caller, size_t room,
    struct environment *environment);
/* The value of `name`, or NULL. */
const char *environment_get(const struct environment *environment, const char *name);
void environment_free(struct environment *environment);

#endif
