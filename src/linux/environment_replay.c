/*
 * Composes an environment as setenv(3) and its kin would change the caller's, one change
 * after the other (environment.h).
 */
#include "linux/environment.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"

/* "NAME=" of a variable is `length` bytes. NULL: removed. */
struct variables {
	char **items;	/* owned */
	size_t count, size;
};

static size_t find(const struct variables *variables, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < variables->count; i++) {
		if (strncmp(variables->items[i], name, length) == 0 && variables->items[i][length] == '=')
			return i;
	}
	return variables->count;
}

static void take(struct variables *variables, char *text)
{
	if (variables->count == variables->size) {
		variables->size = variables->size * 2 + 64;
		variables->items = xreallocarray(variables->items, variables->size, sizeof(char *));
	}
	variables->items[variables->count++] = text;
}

static void set(struct variables *variables, const char *name, const char *value)
{
	size_t at = find(variables, name);
	char *text = xasprintf("%s=%s", name, value);

	if (at == variables->count) {
		take(variables, text);
	} else {
		free(variables->items[at]);
		variables->items[at] = text;
	}
}

static void unset(struct variables *variables, const char *name)
{
	size_t at = find(variables, name);

	if (at == variables->count)
		return;
	free(variables->items[at]);
	variables->count--;
	memmove(variables->items + at, variables->items + at + 1, (variables->count - at) * sizeof(char *));
}

static void clear(struct variables *variables)
{
	while (variables->count > 0)
		free(variables->items[--variables->count]);
}

static void change(struct variables *variables, const struct spec_env *env)
{
	switch (env->kind) {
	case SPEC_ENV_SET:
		set(variables, env->name, env->value);
		break;
	case SPEC_ENV_UNSET:
		unset(variables, env->name);
		break;
	case SPEC_ENV_CLEAR:
		clear(variables);
		break;
	case SPEC_ENV_PASS:	/* it is there */
		break;
	}
}

/* All in one block, so that it can be wiped in one. */
static void finish(const struct variables *variables, size_t room, struct environment *environment)
{
	size_t pwd = find(variables, "PWD"), size = 0, at = 0;

	for (size_t i = 0; i < variables->count; i++)
		size += i == pwd ? strlen("PWD=") + room : strlen(variables->items[i]) + 1;
	environment->count = variables->count;
	environment->block = xcalloc(size, 1);
	environment->block_size = size;
	environment->variables = xcalloc(variables->count + 1, sizeof(char *));
	for (size_t i = 0; i < variables->count; i++) {
		size_t length = i == pwd ? strlen("PWD=") : strlen(variables->items[i]);

		environment->variables[i] = environment->block + at;
		memcpy(environment->block + at, variables->items[i], length);
		at += i == pwd ? length + room : length + 1;
	}
}

void environment_replay(const struct spec *spec, char *const *caller, size_t room,
    struct environment *environment)
{
	struct variables variables = { NULL, 0, 0 };

	memset(environment, 0, sizeof(*environment));
	for (; caller != NULL && *caller != NULL; caller++) {
		if (strchr(*caller, '=') != NULL)
			take(&variables, xstrdup(*caller));
	}
	for (size_t i = 0; i < spec->env_count; i++)
		change(&variables, &spec->env[i]);
	set(&variables, "PWD", "/");
	finish(&variables, room, environment);
	clear(&variables);
	free(variables.items);
}
