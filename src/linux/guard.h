/*
 * The small filter of system calls that every COMMAND gets: it closes what no namespace
 * closes.
 */
#ifndef NSBOX_LINUX_GUARD_H
#define NSBOX_LINUX_GUARD_H

#include <stddef.h>

#include <linux/filter.h>

enum { GUARD_MAX = 256 };

/* What is refused beside what always is. */
enum guard_flag {
	GUARD_NETWORK = 1 << 0,	/* what reaches a network without an interface */
	GUARD_GROUP = 1 << 1	/* signals and priorities for the caller's process group */
};

/* Writes the program, returns how many instructions it has. */
size_t guard_build(struct sock_filter program[GUARD_MAX], unsigned flags);

#endif
