/*
 * A command line as Windows passes it: one text, which the command's own C
 * runtime takes apart again. What is composed here comes apart to the words it
 * was made of.
 */
#ifndef NSBOX_WIN_ARGS_H
#define NSBOX_WIN_ARGS_H

#include "core/err.h"
#include "core/str.h"

/* Composes the line from words ended by NULL. ERR_USAGE where Windows cannot pass them. */
int args_join(char *const *words, struct str *line, struct err *err);

#endif
