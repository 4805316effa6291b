/*
 * Samples all processes of a sandbox: where no control group counts, this does.
 */
#ifndef NSBOX_LINUX_SAMPLE_H
#define NSBOX_LINUX_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "linux/cpu_table.h"

/* Where the processes are found. */
struct sample_source {
	int root;		/* the child's root (O_PATH), in which /proc lists the sandbox alone; -1: there is none */
	int proc;		/* else the host's /proc, and everything that comes from init is the sandbox */
	pid_t init, killer;	/* by the numbers of that /proc; they do not count. 0: none */
};

struct sample {
	int proc;		/* procfs of the sandbox's own pid namespace, or the host's; -1: none */
	bool is_host;
	pid_t init, killer;
	int scratch;		/* a folder of its scratch in memory, whose use counts; -1: none */
	struct cpu_table cpu;
	uint64_t cpu_ns;	/* of all processes so far */
	uint64_t bytes;		/* memory now */
	uint64_t pids;		/* tasks now, pid 1 not counted */
	uint64_t peak_bytes, peak_pids;
};

/* Opens what has to stay open. 0, or -1 with errno. */
int sample_open(struct sample *sample, const struct sample_source *source);

/*
 * One pass over all processes. With a memory limit (0: none) the exact, slower figure is taken
 * where the quick one passes the limit. 0, or -1 with errno.
 */
int sample_take(struct sample *sample, uint64_t memory_limit);

void sample_close(struct sample *sample);

#endif
