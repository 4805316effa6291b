/*
 * nsbox's own command line: its option table, and the parser that fills a spec
 * from it. It asks nothing of the host but the text of the files that --args
 * and --env-file name.
 */
#ifndef NSBOX_CLI_NATIVE_H
#define NSBOX_CLI_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/opt.h"
#include "core/err.h"
#include "core/spec.h"

enum native_verb {
	NATIVE_RUN,
	NATIVE_EXPLAIN,		/* --explain: show what was asked and stop */
	NATIVE_GC,		/* --gc: remove what killed runs left */
	NATIVE_CHECK,		/* --check: what this host can enforce */
	NATIVE_VERSION,		/* --version and --help: no later option was looked at */
	NATIVE_HELP
};

struct native_command {
	struct spec spec;	/* not checked yet */
	enum native_verb verb;
	bool json;		/* --json */
};

/* The option table; *count is the number of rows. Static storage. */
const struct opt *native_options(size_t *count);

/*
 * Parses argv[1] and on. Returns 0, or -1 with *err filled in; either way the command
 * is initialised and has to be freed. Nothing in it points into argv.
 */
int native_parse(int argc, char **argv, struct native_command *command, struct err *err);
void native_free(struct native_command *command);

#endif
