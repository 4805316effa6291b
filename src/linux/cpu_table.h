/*
 * CPU time of a set of processes that come and go, from what is seen of each now and then.
 */
#ifndef NSBOX_LINUX_CPU_TABLE_H
#define NSBOX_LINUX_CPU_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* What was seen of one process. All times in the kernel's ticks. */
struct cpu_row {
	uint64_t pid;
	uint64_t own;		/* utime + stime */
	uint64_t children;	/* cutime + cstime: of the children it waited for */
};

struct cpu_rows {
	struct cpu_row *items;	/* owned */
	size_t count, size;
};

struct cpu_table {
	struct cpu_rows last, now;
	uint64_t lost;		/* of processes that went, and whose time is in nobody's children */
};

void cpu_table_add(struct cpu_table *table, const struct cpu_row *row);

/* All processes of this pass were added: the sum of all time so far. Begins the next pass. */
uint64_t cpu_table_finish(struct cpu_table *table);

void cpu_table_free(struct cpu_table *table);

#endif
