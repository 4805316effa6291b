/*
 * Composing the environment (env.h).
 *
 * Names have no case on Windows, and the block is sorted without it. Variables
 * whose name begins with '=' are the current folders of drives, which cmd.exe
 * keeps for itself; they are never passed on.
 */
#include "win/env.h"

#include <stdlib.h>
#include <string.h>

/* Without these sockets, cryptography and the loader's side-by-side lookup do not work. */
static const char *const passed[] = {
	"PATH", "LANG", "LC_ALL", "SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS",
	"NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "ProgramFiles", "ProgramFiles(x86)",
	"ProgramW6432", "CommonProgramFiles", "ProgramData",
};

/* What programs write to by name. */
static const char *const own[] = {
	"HOME", "TEMP", "TMP", "TMPDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
};

struct variable {
	char *text;		/* owned; "NAME=VALUE" */
	size_t name_length;
	size_t order;		/* the last of a name wins */
};

struct variables {
	struct variable *items;
	size_t count, size;
};

static unsigned char upper(char c)
{
	return (unsigned char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
	for (size_t i = 0; i < a_length && i < b_length; i++)
		if (upper(a[i]) != upper(b[i]))
			return upper(a[i]) < upper(b[i]) ? -1 : 1;
	return (a_length > b_length) - (a_length < b_length);
}

static int compare(const void *left, const void *right)
{
	const struct variable *a = left, *b = right;
	int order = compare_names(a->text, a->name_length, b->text, b->name_length);

	return order != 0 ? order : a->order < b->order ? -1 : 1;
}

static void take(struct variables *variables, char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text) {
		free(text);
		return;
	}
	if (variables->count == variables->size) {
		variables->size = variables->size * 2 + 16;
		variables->items = xreallocarray(variables->items, variables->size,
		    sizeof(*variables->items));
	}
	variables->items[variables->count] =
	    (struct variable){ text, (size_t)(equals - text), variables->count };
	variables->count++;
}

static const char *find(char *const *caller, const char *name)
{
	size_t length = strlen(name);

	for (; caller && *caller; caller++) {
		const char *equals = strchr(*caller, '=');

		if (equals && compare_names(*caller, (size_t)(equals - *caller), name, length) == 0)
			return equals + 1;
	}
	return NULL;
}

static void pass(struct variables *variables, char *const *caller, const char *name)
{
	const char *value = find(caller, name);

	if (value)
		take(variables, xasprintf("%s=%s", name, value));
}

static void finish(struct variables *variables, struct env *env)
{
	if (variables->count > 0)
		qsort(variables->items, variables->count, sizeof(*variables->items), compare);
	for (size_t i = 0; i < variables->count; i++) {
		struct variable *item = &variables->items[i];
		bool is_last = i + 1 == variables->count || compare_names(item->text,
		    item->name_length, item[1].text, item[1].name_length) != 0;

		if (is_last) {
			str_add_bytes(&env->block, item->text, strlen(item->text) + 1);
			env->count++;
		}
		free(item->text);
	}
	/* An empty block is two NULs. */
	str_add_bytes(&env->block, "\0", env->count == 0 ? 2 : 1);
	free(variables->items);
}

void env_build(const struct spec *spec, char *const *caller, const char *scratch, struct env *env)
{
	struct variables variables = { NULL, 0, 0 };

	*env = (struct env){ STR_INIT, 0 };
	for (char *const *variable = caller; spec->keep_env && variable && *variable; variable++)
		take(&variables, xstrdup(*variable));
	for (size_t i = 0; !spec->keep_env && i < sizeof(passed) / sizeof(passed[0]); i++)
		pass(&variables, caller, passed[i]);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		take(&variables, xasprintf("%s=%s", own[i], scratch));
	for (size_t i = 0; i < spec->env_count; i++) {
		if (spec->env[i].kind == SPEC_ENV_SET)
			take(&variables, xasprintf("%s=%s", spec->env[i].name, spec->env[i].value));
		else
			pass(&variables, caller, spec->env[i].name);
	}
	finish(&variables, env);
}

const char *env_get(const struct env *env, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = str_text(&env->block); *at; at += strlen(at) + 1) {
		const char *equals = strchr(at, '=');

		if (compare_names(at, (size_t)(equals - at), name, length) == 0)
			return equals + 1;
	}
	return NULL;
}

void env_free(struct env *env)
{
	if (env->block.data)
		memset(env->block.data, 0, env->block.length);
	str_free(&env->block);
	env->count = 0;
}
