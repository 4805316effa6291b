/*
 * Carries COMMAND's standard output and standard error to the caller's and
 * counts the bytes. Only there when a limit of output was asked for.
 */
#ifndef NSBOX_LINUX_RELAY_H
#define NSBOX_LINUX_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <poll.h>

#include "core/control.h"
#include "core/spec.h"

enum {
	RELAY_BUFFER = 65536,
	RELAY_POLLED = 4	/* each stream may wait at both ends */
};

struct relay_stream {
	int from;		/* our end of the pipe, -1: closed */
	int child;		/* the child's end, closed after the clone; -1: none */
	int to;			/* where it goes: 1, 2, or the same opened anew */
	uint64_t carried;	/* bytes handed on */
	size_t start, end;	/* what the buffer holds */
	char *buffer;		/* owned */
};

struct relay {
	struct relay_stream streams[2];
	size_t count;		/* 0: no relay; 1: both go the same way */
	uint64_t limit, each_limit;	/* UINT64_MAX: none */
	enum control hit;	/* CONTROL_OUTPUT or CONTROL_OUTPUT_EACH; CONTROL_COUNT: none */
};

/* An empty relay, which carries nothing. */
void relay_init(struct relay *relay);

/* Makes the pipes. 0, or -1 with errno. */
int relay_open(struct relay *relay, const struct spec_limits *limits);

/* After the clone: the child's ends are the child's alone. */
void relay_close_child_ends(struct relay *relay);

/* Fills in what to wait for, returns how many entries. */
size_t relay_poll(const struct relay *relay, struct pollfd polled[RELAY_POLLED]);

/* Carries what can be carried without waiting. */
void relay_move(struct relay *relay);

/* Whether anything may still come or is still held. */
bool relay_is_busy(const struct relay *relay);

/* All bytes that were handed on. */
uint64_t relay_carried(const struct relay *relay);

void relay_close(struct relay *relay);

#endif
