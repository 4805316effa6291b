/*
 * Composes COMMAND's environment (environment.h).
 */
#include "linux/environment.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"

static const char default_path[] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/* A change as it is collected: the last of a name wins. */
struct change {
	char *text;	/* owned; "NAME=VALUE" */
	size_t name_length;
	size_t order;
};

struct changes {
	struct change *items;
	size_t count;
};

static void add_text(struct changes *changes, char *text)
{
	const char *equals = strchr(text, '=');

	if (equals == NULL || equals == text) {
		free(text);
		return;
	}
	changes->items[changes->count] = (struct change){ text, (size_t)(equals - text), changes->count };
	changes->count++;
}

static void add(struct changes *changes, const char *name, const char *value)
{
	add_text(changes, xasprintf("%s=%s", name, value));
}

static const char *find(char *const *variables, const char *name)
{
	size_t length = strlen(name);

	for (; variables != NULL && *variables != NULL; variables++) {
		if (strncmp(*variables, name, length) == 0 && (*variables)[length] == '=')
			return *variables + length + 1;
	}
	return NULL;
}

static void add_passed(struct changes *changes, char *const *caller, const char *name)
{
	const char *value = find(caller, name);

	if (value != NULL)
		add(changes, name, value);
}

static int by_name_then_order(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	size_t shorter = a->name_length < b->name_length ? a->name_length : b->name_length;
	int order = memcmp(a->text, b->text, shorter);

	if (order == 0 && a->name_length != b->name_length)
		order = a->name_length < b->name_length ? -1 : 1;
	if (order == 0)
		order = a->order < b->order ? -1 : 1;
	return order;
}

static bool has_same_name(const struct change *a, const struct change *b)
{
	return a->name_length == b->name_length && memcmp(a->text, b->text, a->name_length) == 0;
}

/* Moves the last change of each name into one block. */
static void finish(struct changes *changes, struct environment *environment)
{
	struct str block = STR_INIT;
	size_t at = 0;

	qsort(changes->items, changes->count, sizeof(*changes->items), by_name_then_order);
	for (size_t i = 0; i < changes->count; i++) {
		if (i + 1 < changes->count && has_same_name(&changes->items[i], &changes->items[i + 1]))
			continue;
		str_add_bytes(&block, changes->items[i].text, strlen(changes->items[i].text) + 1);
		environment->count++;
	}
	environment->block_size = block.length;
	environment->block = str_take(&block);
	environment->variables = xcalloc(environment->count + 1, sizeof(char *));
	for (size_t i = 0; i < environment->count; i++) {
		environment->variables[i] = environment->block + at;
		at += strlen(environment->block + at) + 1;
	}
}

void environment_build(const struct spec *spec, char *const *caller, const char *scratch,
    struct environment *environment)
{
	static const char *const scratch_names[] = { "HOME", "TMPDIR", "TMP", "TEMP" };
	struct changes changes = { NULL, 0 };
	size_t inherited = 0;

	memset(environment, 0, sizeof(*environment));
	while (caller != NULL && caller[inherited] != NULL)
		inherited++;
	changes.items = xcalloc(inherited + spec->env_count + 8, sizeof(*changes.items));
	add(&changes, "PATH", default_path);
	for (size_t i = 0; spec->keep_env && i < inherited; i++)
		add_text(&changes, xstrdup(caller[i]));
	if (!spec->keep_env) {
		add_passed(&changes, caller, "PATH");
		add_passed(&changes, caller, "LANG");
		add_passed(&changes, caller, "LC_ALL");
	}
	for (size_t i = 0; i < sizeof(scratch_names) / sizeof(scratch_names[0]); i++)
		add(&changes, scratch_names[i], scratch);
	for (size_t i = 0; i < spec->env_count; i++) {
		const struct spec_env *env = &spec->env[i];

		if (env->kind == SPEC_ENV_SET)
			add(&changes, env->name, env->value);
		else
			add_passed(&changes, caller, env->name);
	}
	finish(&changes, environment);
	for (size_t i = 0; i < changes.count; i++)
		free(changes.items[i].text);
	free(changes.items);
}

const char *environment_get(const struct environment *environment, const char *name)
{
	return find(environment->variables, name);
}

void environment_free(struct environment *environment)
{
	if (environment->block != NULL)
		explicit_bzero(environment->block, environment->block_size);
	free(environment->block);
	free(environment->variables);
	memset(environment, 0, sizeof(*environment));
}
