/*
 * A growing list of steps, made before the clone.
 */
#ifndef NSBOX_LINUX_STEPS_H
#define NSBOX_LINUX_STEPS_H

#include <stddef.h>

#include "linux/step.h"

struct steps {
	struct step *items;	/* owned */
	size_t count, size;
};

/* Adds a step (fd -1, no item, the rest empty); valid until the next. `name` has static storage. */
struct step *steps_add(struct steps *steps, step_fn *function, const char *name);
void steps_free(struct steps *steps);

#endif
