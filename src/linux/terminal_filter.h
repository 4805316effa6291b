/*
 * The filter that COMMAND gets when it shares the caller's terminal.
 */
#ifndef NSBOX_LINUX_TERMINAL_FILTER_H
#define NSBOX_LINUX_TERMINAL_FILTER_H

#include <stddef.h>

#include <linux/filter.h>

enum { TERMINAL_FILTER_MAX = 64 };

/* Writes the program, returns how many instructions it has. */
size_t terminal_filter_build(struct sock_filter program[TERMINAL_FILTER_MAX]);

#endif
