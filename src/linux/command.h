/*
 * Which file COMMAND may be.
 */
#ifndef NSBOX_LINUX_COMMAND_H
#define NSBOX_LINUX_COMMAND_H

#include <stddef.h>

#include "linux/step.h"

struct command {
	struct candidate *candidates;	/* at least one */
	size_t count;
};

/*
 * Lists the files that `word` may be inside, in the order in which to try them: one for
 * each folder of `path` (a PATH value), and behind each the file that it really is on the
 * host, for the case that it is a link whose way is not visible inside (Debian's
 * /usr/bin/awk leads through /etc/alternatives).
 */
void command_find(const char *word, const char *path, struct command *command);
void command_free(struct command *command);

#endif
