/*
 * Counts COMMAND's output and says how much of it may be handed on. The pumps
 * that carry it ask here.
 */
#ifndef NSBOX_WIN_RELAY_H
#define NSBOX_WIN_RELAY_H

#include <stddef.h>
#include <stdint.h>

#include "core/control.h"
#include "core/spec.h"

struct relay {
	uint64_t limit, each_limit;	/* UINT64_MAX: none */
	uint64_t carried[2];
	/*
	 * CONTROL_OUTPUT or CONTROL_OUTPUT_EACH once COMMAND has written more than it may,
	 * CONTROL_COUNT until then. A pump's thread writes it.
	 */
	volatile enum control hit;
};

void relay_init(struct relay *relay, const struct spec_limits *limits);
/* How many of `bytes` of stream 0 or 1 may be handed on. `context` is the relay. */
size_t relay_allow(void *context, size_t stream, size_t bytes);
uint64_t relay_carried(const struct relay *relay);

#endif
