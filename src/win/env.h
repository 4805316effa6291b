/*
 * COMMAND's environment on Windows: a block of its own, never the caller's.
 */
#ifndef NSBOX_WIN_ENV_H
#define NSBOX_WIN_ENV_H

#include "core/spec.h"
#include "core/str.h"

struct env {
	struct str block;	/* "NAME=VALUE\0...\0", sorted as Windows wants it */
	size_t count;
};

/*
 * What the spec asks for. `caller` is the caller's environment ("NAME=VALUE"), ended by NULL;
 * `scratch` the folder that the command's own places point to.
 */
void env_build(const struct spec *spec, char *const *caller, const char *scratch, struct env *env);
/* NULL where there is no such variable; names have no case. */
const char *env_get(const struct env *env, const char *name);
void env_free(struct env *env);

#endif
