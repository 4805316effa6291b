/*
 * The text of an argument file (--args), turned into words for the option
 * engine. Two forms: words that end in NUL, or lines; a text with a NUL byte
 * is the first. The text is cut up in place and each byte is looked at a
 * constant number of times, however many options there are.
 */
#ifndef NSBOX_CLI_ARGS_TEXT_H
#define NSBOX_CLI_ARGS_TEXT_H

#include "cli/opt.h"
#include "core/err.h"
#include "core/str.h"

/*
 * Reads all of `text`, which is changed and must not be used afterwards but to be freed.
 * Returns as opt_word does; messages begin with the number of the line or word.
 */
int args_text_read(struct opt_parser *parser, struct str *text, struct err *err);

#endif
