/*
 * Lists the files that COMMAND may be (command.h). The choice is made inside, where the
 * view is known for sure.
 */
#include "linux/command.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "linux/resolve.h"

static void add(struct command *command, char *path, bool if_dangling)
{
	command->candidates = xreallocarray(command->candidates, command->count + 1,
	    sizeof(*command->candidates));
	command->candidates[command->count++] = (struct candidate){ path, if_dangling };
}

static void add_with_target(struct command *command, char *path)
{
	struct resolved resolved;

	add(command, path, false);
	if (path[0] != '/' || resolve_path(-1, path, &resolved) < 0)
		return;
	if (resolved.links.count > 0)
		add(command, xstrdup(resolved.path), true);
	resolved_free(&resolved);
}

void command_find(const char *word, const char *path, struct command *command)
{
	memset(command, 0, sizeof(*command));
	if (strchr(word, '/') != NULL || path == NULL || *path == '\0' || *word == '\0') {
		add_with_target(command, xstrdup(word));
		return;
	}
	for (;;) {
		size_t length = strcspn(path, ":");

		/* An empty entry is the current folder, as for execvp(3). */
		add_with_target(command, length == 0 ? xasprintf("./%s", word) :
		    xasprintf("%.*s/%s", (int)length, path, word));
		if (path[length] == '\0')
			return;
		path += length + 1;
	}
}

void command_free(struct command *command)
{
	for (size_t i = 0; i < command->count; i++)
		free((char *)(uintptr_t)command->candidates[i].path);
	free(command->candidates);
	memset(command, 0, sizeof(*command));
}
