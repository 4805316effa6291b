/*
 * bubblewrap's command line: its option table, and the parser that fills a spec from it.
 * What is accepted, in which order it counts and what is said about it is bubblewrap
 * 0.13.1's; nsbox-bwrap(1) lists where this differs. It asks nothing of the host but what
 * the descriptors of --args and --add-seccomp-fd hold.
 */
#ifndef NSBOX_CLI_BWRAP_H
#define NSBOX_CLI_BWRAP_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/opt.h"
#include "core/err.h"
#include "core/spec.h"
#include "core/str.h"

/* The release whose options and messages these are. */
#define BWRAP_VERSION "0.13.1"

enum bwrap_verb {
	BWRAP_RUN,
	BWRAP_HELP,
	BWRAP_VERSION_VERB,
	BWRAP_KERNEL,		/* --debug-opt=print-assumed-kernel */
	BWRAP_USAGE		/* no command: the usage as an error */
};

struct bwrap_command {
	struct spec spec;	/* frozen where verb is BWRAP_RUN and parsing succeeded */
	enum bwrap_verb verb;
	struct str_list warnings; /* whole lines without a newline, to be printed first */
	bool has_level_prefix;	/* messages begin with <3> or <4> */
};

/* The option table; *count is the number of rows. Static storage. */
const struct opt *bwrap_options(size_t *count);

/*
 * Parses argv[1] and on. Returns 0, or -1 with *err filled in; either way the command is
 * initialised and has to be freed. Nothing in it points into argv.
 */
int bwrap_parse(int argc, char **argv, struct bwrap_command *command, struct err *err);
void bwrap_free(struct bwrap_command *command);

/* The usage and the options, as --help prints them; `name` is argv[0]. */
void bwrap_help(const char *name, struct str *text);

#endif
