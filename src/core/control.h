/*
 * Controls: what a sandbox can enforce, by name (control.def).
 */
#ifndef NSBOX_CORE_CONTROL_H
#define NSBOX_CORE_CONTROL_H

#include <stdbool.h>

#include "core/err.h"

enum control {
#define CONTROL(name, text, title) CONTROL_##name,
#include "core/control.def"
#undef CONTROL
	CONTROL_COUNT
};

/* How much a control matters to the caller. */
enum want {
	WANT_NO,	/* not asked for: reported as skipped */
	WANT_TRY,	/* applied where the host can, and the report says whether */
	WANT_YES	/* required: without it COMMAND does not run */
};

/* Whether the control is a limit, which reports list apart. */
bool control_is_limit(enum control control);

/* "network-namespace" and the like; static storage. */
const char *control_name(enum control control);
const char *control_title(enum control control);

/*
 * Finds a control by its name of `length` bytes; returns CONTROL_COUNT where
 * there is none.
 */
enum control control_find(const char *name, unsigned long length);

#endif
