/*
 * The system call filters of the Landlock backend: they close what Landlock
 * leaves open, and take the place of the namespaces that are not there.
 */
#ifndef NSBOX_LANDLOCK_FILTERS_H
#define NSBOX_LANDLOCK_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/filter.h>
#include <sys/types.h>

enum { FILTERS_MAX = 1024 };

enum filters_flag {
	FILTERS_NETWORK = 1 << 0,	/* no sockets but those of one machine */
	FILTERS_UNIX = 1 << 1,		/* nor those */
	FILTERS_TRUNCATE = 1 << 2,	/* nothing is truncated by name: ABI 1 and 2 do not restrict it */
	FILTERS_SIGNALS = 1 << 3,	/* no signals to the processes that hold the sandbox: ABI 1 to 5 */
	FILTERS_NESTING = 1 << 4	/* no namespaces */
};

/*
 * Writes COMMAND's filter for this program's own ABI; every other ABI is refused with ENOSYS. `supervisor` is this
 * process; numbers of the others are placeholders (landlock/steps.h). Returns how many instructions.
 */
size_t filters_build(struct sock_filter program[FILTERS_MAX], unsigned flags, pid_t supervisor,
    pid_t group);

/* The filter that asks for every call that makes a process, and with `threads` a thread. */
size_t filters_gate(struct sock_filter program[FILTERS_MAX], bool threads);

#endif
