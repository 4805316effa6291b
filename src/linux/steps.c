#include "linux/steps.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"

struct step *steps_add(struct steps *steps, step_fn *function, const char *name)
{
	struct step *step;

	if (steps->count == steps->size) {
		steps->size = steps->size * 2 + 64;
		steps->items = xreallocarray(steps->items, steps->size, sizeof(*steps->items));
	}
	step = &steps->items[steps->count++];
	memset(step, 0, sizeof(*step));
	step->run = function;
	step->name = name;
	step->fd = -1;
	step->item = STEP_NO_ITEM;
	return step;
}

void steps_free(struct steps *steps)
{
	free(steps->items);
	memset(steps, 0, sizeof(*steps));
}
