/*
 * The supervisor: waits for what the child says, hands on signals, keeps the
 * grace period.
 */
#ifndef NSBOX_LINUX_SUPERVISE_H
#define NSBOX_LINUX_SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "linux/limiter.h"
#include "linux/process.h"
#include "linux/terminal.h"

struct supervisor {
	uint64_t caller_mask;	/* the signal mask that nsbox was started with: COMMAND's */
	int signal_fd;		/* -1: not open */
	int cancelled_by;	/* the signal that asked us to end, 0: none */
	uint64_t grace_ns;	/* from that signal to SIGKILL */
	uint64_t kill_at_ns;	/* monotonic; 0: no such time */
	bool killed;
	struct terminal terminal;
	struct limits *limits;	/* of the run; borrowed */
};

/* Blocks signals and opens the descriptor to read them from. 0, or -1 with errno. */
int supervise_begin(struct supervisor *supervisor, uint64_t grace_ns);

/* Restores the mask, gives the terminal back. Harmless twice. */
void supervise_end(struct supervisor *supervisor);

/*
 * Waits for the child's next record, handing on signals meanwhile. 1: *record is it; 0:
 * the child has gone; -1 with errno. Before COMMAND is released, a signal that asks for
 * the end returns -1 with EINTR.
 */
int supervise_next(struct supervisor *supervisor, struct process *process, bool released,
    struct record *record);

/*
 * After the end of all processes: hands on what is left of the output. A run that ended by itself waits for
 * its reader, as a program that writes would; one that was ended waits no longer than the grace
 * period, and a signal makes it so.
 */
void supervise_drain(struct supervisor *supervisor, const struct process *process);

/* Nanoseconds of the monotonic clock. */
uint64_t supervise_clock(void);

#endif
