/*
 * The child process of a run: started with its namespaces, spoken to through a
 * socket.
 */
#ifndef NSBOX_LINUX_PROCESS_H
#define NSBOX_LINUX_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "core/err.h"
#include "linux/step.h"

struct process {
	pid_t pid;		/* 0: none, or reaped */
	int socket;		/* the supervisor's end, -1: closed */
	uint64_t flags;		/* the CLONE_NEW* that it was started with */
	uint32_t fallbacks;
	int received;		/* the descriptor that came with RECORD_GATE, -1: none */
	bool is_shut;		/* nobody is let through there any more */
};

#define PROCESS_INIT { 0, -1, 0, 0, -1, false }

/* Where the child begins. */
struct process_place {
	int proc;		/* the host's /proc (O_PATH) */
	int cgroup;		/* the control group it is born in, -1: the caller's (Linux 5.7) */
};

/*
 * Starts the child with the namespaces `required`, and with those of `wanted` that this kernel
 * gives. plan->socket is set. 0, or -1 with ERR_UNAVAILABLE and err->sys (stage "clone").
 */
int process_start(struct process *process, struct plan *plan, uint64_t required, uint64_t wanted,
    const struct process_place *place, struct err *err);

/* One record: 1; end-of-file: 0; -1 with errno (EAGAIN: none yet). */
int process_receive(struct process *process, struct record *record);

/* Kills the child and what depends on it. Harmless where there is none. */
void process_kill(const struct process *process, int signal);

/*
 * Waits for the child's end and reaps it; *status is its wait status. 0, or -1 with
 * errno.
 */
int process_reap(struct process *process, int *status);

void process_close(struct process *process);

#endif
