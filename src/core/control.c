/*
 * The names of the controls, from control.def.
 */
#include "core/control.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	const char *title;
} controls[CONTROL_COUNT] = {
#define CONTROL(name, text, title) [CONTROL_##name] = { text, title },
#include "core/control.def"
#undef CONTROL
};

const char *control_name(enum control control)
{
	return controls[control].name;
}

bool control_is_limit(enum control control)
{
	return control >= CONTROL_WALL && control <= CONTROL_RLIMIT;
}

const char *control_title(enum control control)
{
	return controls[control].title;
}

enum control control_find(const char *name, unsigned long length)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++)
		if (strlen(controls[i].name) == length &&
		    memcmp(controls[i].name, name, length) == 0)
			break;
	return (enum control)i;
}
