/*
 * CPU time of processes that come and go (cpu_table.h).
 *
 * A process that has ended and was waited for leaves its time with whoever waited. One whose parent
 * ignores SIGCHLD leaves it nowhere. So what the vanished had is compared with what the waiting
 * have gained since: the difference is lost, and kept. What such a process used after it was last
 * seen stays unknown.
 */
#include "linux/cpu_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"

void cpu_table_add(struct cpu_table *table, const struct cpu_row *row)
{
	struct cpu_rows *rows = &table->now;

	if (rows->count == rows->size) {
		rows->size = rows->size * 2 + 16;
		rows->items = xreallocarray(rows->items, rows->size, sizeof(*rows->items));
	}
	rows->items[rows->count++] = *row;
}

static int by_pid(const void *left, const void *right)
{
	const struct cpu_row *a = left, *b = right;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* A number is used again only after it ended: then its times are smaller than they were. */
static int is_same(const struct cpu_row *last, const struct cpu_row *now)
{
	return last->pid == now->pid && now->own >= last->own && now->children >= last->children;
}

uint64_t cpu_table_finish(struct cpu_table *table)
{
	const struct cpu_rows *last = &table->last, *now = &table->now;
	uint64_t vanished = 0, gained = 0, sum = 0;
	struct cpu_rows swap;
	size_t at = 0;

	if (now->count > 0)
		qsort(table->now.items, now->count, sizeof(*now->items), by_pid);
	for (size_t i = 0; i < now->count; i++) {
		const struct cpu_row *row = &now->items[i];

		sum += row->own + row->children;
		for (; at < last->count && last->items[at].pid < row->pid; at++)
			vanished += last->items[at].own + last->items[at].children;
		if (at < last->count && is_same(&last->items[at], row)) {
			gained += row->children - last->items[at++].children;
		} else {
			gained += row->children;
		}
	}
	for (; at < last->count; at++)
		vanished += last->items[at].own + last->items[at].children;
	if (vanished > gained)
		table->lost += vanished - gained;
	swap = table->last;
	table->last = table->now;
	table->now = swap;
	table->now.count = 0;
	return sum + table->lost;
}

void cpu_table_free(struct cpu_table *table)
{
	free(table->last.items);
	free(table->now.items);
	memset(table, 0, sizeof(*table));
}
