/*
 * A procfs that is made up, for what reads processes: folders of numbers with the files that are read. Each
 * of these functions fails the test where it cannot do what it says.
 */
#ifndef NSBOX_TESTS_UNIT_MADE_UP_PROC_H
#define NSBOX_TESTS_UNIT_MADE_UP_PROC_H

#include "linux/sample.h"

/* A root with /proc and /tmp in it, in a folder of its own. */
struct world {
	char *path;
	int root;
	struct sample sample;
};

struct made_up {
	int pid;
	const char *name;	/* NULL: "(x)" */
	unsigned user, system, child_user, child_system;	/* in ticks */
	unsigned threads;
	unsigned resident, shared, file; /* in pages; of shared, what is of files */
};

void world_make(struct world *world);
/* sample_open of what world_make made; its result. */
int world_try(struct world *world);
void world_open(struct world *world);
/* Writes a file of process `pid`; `file` may be below folders. */
void world_put(const struct world *world, int pid, const char *file, const char *text);
void world_add(const struct world *world, const struct made_up *process);
void world_remove(const struct world *world, int pid);
/* Removes all, with the pids that tests use. */
void world_free(struct world *world);

#endif
