/*
 * The text of --help, made from an option table.
 */
#ifndef NSBOX_CLI_HELP_H
#define NSBOX_CLI_HELP_H

#include <stddef.h>

#include "cli/opt.h"
#include "core/str.h"

/* Appends the whole text, in lines of at most 79 characters. */
void help_text(const struct opt *rows, size_t count, struct str *text);

#endif
