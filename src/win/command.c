/*
 * Finding the file of COMMAND: by its path, or by the PATH that it will see. The
 * current folder is never looked in, and what only a shell runs is refused:
 * a .bat or .cmd file is read by cmd.exe, whose quoting is not the one in which
 * arguments are passed.
 */
#include "win/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "win/fail.h"
#include "win/path.h"

enum { SHOWN_MAX = 200 };

static const char *const extensions[] = { "", ".exe", ".com" };
static const char *const scripts[] = { ".bat", ".cmd" };

static bool ends_with(const char *text, const char *ending)
{
	size_t length = strlen(text), ending_length = strlen(ending);

	return length >= ending_length && path_same(text + length - ending_length, ending);
}

static int refuse(struct err *err, enum err_kind kind, int sys, const char *command, const char *why)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, command, SHOWN_MAX);
	err_set(err, kind, "%s: %s", str_text(&shown), why);
	err->sys = sys;
	str_free(&shown);
	return -1;
}

static int not_found(struct err *err, const char *command)
{
	return refuse(err, ERR_NOT_FOUND, ENOENT, command, "no such command");
}

/* A file, or NULL; owned by the caller. A folder is none. */
static char *look(const char *path, bool *is_folder)
{
	struct wapi_path found;

	if (wapi.path_look(path, &found) != 0)
		return NULL;
	if (found.is_folder) {
		*is_folder = true;
		free(found.final);
		return NULL;
	}
	return found.final;
}

/* As named, and with the extensions of programs. */
static char *try_extensions(const char *path, bool *is_folder)
{
	char *program = NULL;

	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]) && !program; i++) {
		char *candidate = xasprintf("%s%s", path, extensions[i]);

		program = look(candidate, is_folder);
		free(candidate);
	}
	return program;
}

static char *search(const char *command, const struct env *env, bool *is_folder)
{
	const char *at = env_get(env, "PATH");
	char *program = NULL;

	while (at && *at && !program) {
		size_t length = strcspn(at, ";");
		char *folder = xstrndup(at, length);
		char *path = path_join(folder, command);

		/* An empty or relative folder would mean wherever the caller happens to be. */
		if (path_has_drive(folder) && folder[2] == '\\')
			program = try_extensions(path, is_folder);
		free(path);
		free(folder);
		at += length + (at[length] == ';');
	}
	return program;
}

int command_find(const char *command, const struct env *env, char **program, struct err *err)
{
	bool is_folder = false;
	char *path = NULL;

	*program = NULL;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (ends_with(command, scripts[i]))
			return refuse(err, ERR_NOT_EXECUTABLE, ENOEXEC, command, "is read by cmd.exe, to which "
			    "arguments cannot be passed safely (run cmd.exe /c yourself)");
	if (!strpbrk(command, "\\/:")) {
		*program = search(command, env, &is_folder);
	} else {
		if (path_parse("COMMAND", command, &path, err) < 0)
			return -1;
		if (path_has_drive(path))
			*program = try_extensions(path, &is_folder);
		free(path);
	}
	if (*program)
		return 0;
	if (is_folder)
		return refuse(err, ERR_NOT_EXECUTABLE, EACCES, command, "is a folder");
	return not_found(err, command);
}
