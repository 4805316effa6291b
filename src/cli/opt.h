/*
 * The option engine: takes the words of a command line one by one, finds each
 * option's row in a table, collects its values and calls its setter. It knows
 * no option by name; what an option means is in the table.
 *
 * The grammar: `--name VALUE...` or `--name=VALUE` (further values follow as
 * words). Names are never abbreviated. Options end at `--` or at the first word
 * that does not begin with `-`, which is the first word of the command.
 */
#ifndef NSBOX_CLI_OPT_H
#define NSBOX_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

enum {
	OPT_VALUES_MAX = 3,
	OPT_SHOWN_MAX = 200	/* bytes of a user's text that a message shows */
};

enum opt_repeat {
	OPT_ONCE,		/* a second one is refused */
	OPT_REPEAT
};

struct opt {
	const char *name;	/* "--ro-bind" */
	unsigned values;	/* how many, at most OPT_VALUES_MAX */
	const char *metavars;	/* "SRC DEST", one word a value; NULL: none */
	const char *group;	/* title in the help; rows of a group stand together */
	enum opt_repeat repeat;
	int detail;		/* for the setter alone, where one serves several rows */
	/*
	 * Carries the option out. The values are valid during the call only. Returns 0, -1
	 * with *err filled in, or 1: no further word is to be looked at.
	 */
	int (*set)(void *context, const struct opt *opt, const char *const *values,
	    struct err *err);
	const char *help;	/* one sentence without a full stop */
};

/* What all sources of words of one command line share. */
struct opt_parser {
	const struct opt *rows;
	size_t count;
	bool *seen;		/* owned, one for each row */
	void *context;		/* for setters and word */
	/* Takes a word of the command; `first`: the first one from this source. */
	int (*word)(void *context, const char *word, bool first, struct err *err);
};

/* One source of words: argv, or one argument file. */
struct opt_input {
	struct opt_parser *parser;
	const struct opt *open;	/* the option that still lacks values, NULL: none */
	const char *values[OPT_VALUES_MAX];
	unsigned values_count;
	bool in_command;
	bool has_word;		/* of the command */
};

/* `rows` must outlive the parser. Set context and word afterwards. */
void opt_parser_init(struct opt_parser *parser, const struct opt *rows, size_t count);
void opt_parser_free(struct opt_parser *parser);

void opt_input_init(struct opt_input *input, struct opt_parser *parser);

/*
 * Takes the next word, which must stay valid until the option it belongs to is complete.
 * Returns 0, -1 with ERR_USAGE or what a setter said, 1 where a setter ended it.
 */
int opt_word(struct opt_input *input, const char *word, struct err *err);

/* How many values the option that was begun last still lacks. */
unsigned opt_missing(const struct opt_input *input);

/* The source has ended: refuses an option that lacks a value. */
int opt_end(const struct opt_input *input, struct err *err);

/* A user's text in quotes as a message may show it; owned by the caller. */
char *opt_show(const char *text);

/* Fills in ERR_USAGE `OPTION: 'WORD' WHY` and returns -1. */
int opt_refuse(struct err *err, const char *option, const char *word, const char *why, ...)
    __attribute__((format(printf, 4, 5)));

#endif
