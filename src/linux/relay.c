/*
 * Carries COMMAND's output (relay.h).
 *
 * Where the caller's two streams are the same file, COMMAND gets one pipe for both, so that their order stays. A
 * reader that does not read must not keep the supervisor from its deadlines: it writes only after poll said that it can,
 * and to a pipe no more than fits for sure.
 */
#include "linux/relay.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"

void relay_init(struct relay *relay)
{
	memset(relay, 0, sizeof(*relay));
	relay->hit = CONTROL_COUNT;
	for (size_t i = 0; i < 2; i++)
		relay->streams[i].from = relay->streams[i].child = -1;
}

/* Whether standard output and standard error lead to the same place. */
static bool is_same_file(void)
{
	struct stat out, error;

	return fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &error) == 0 &&
	    out.st_dev == error.st_dev && out.st_ino == error.st_ino;
}

/*
 * Where the stream goes. A pipe or a terminal is opened anew, so that writing to it never waits, while
 * the caller's own descriptor stays as it is; a file is written through that, at its place.
 */
static int open_target(int number)
{
	struct stat status;
	char path[32];
	int fd = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", number);
	if (fstat(number, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
		fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd >= 0 ? fd : number;
}

int relay_open(struct relay *relay, const struct spec_limits *limits)
{
	relay->limit = limits->output_bytes > 0 ? limits->output_bytes : UINT64_MAX;
	relay->each_limit = limits->output_each_bytes > 0 ? limits->output_each_bytes : UINT64_MAX;
	relay->count = limits->output_each_bytes == 0 && is_same_file() ? 1 : 2;
	for (size_t i = 0; i < relay->count; i++) {
		struct relay_stream *stream = &relay->streams[i];
		int ends[2];

		if (pipe2(ends, O_CLOEXEC) < 0)
			return -1;
		stream->from = ends[0];
		stream->child = ends[1];
		stream->to = open_target((int)i + 1);
		stream->buffer = xcalloc(RELAY_BUFFER, 1);
		if (fcntl(stream->from, F_SETFL, O_NONBLOCK) < 0)
			return -1;
	}
	return 0;
}

void relay_close_child_ends(struct relay *relay)
{
	for (size_t i = 0; i < relay->count; i++) {
		if (relay->streams[i].child >= 0)
			close(relay->streams[i].child);
		relay->streams[i].child = -1;
	}
}

/*
 * Whether the stream has not come to its end: where one of two has reached a limit of its own, what was written to the other
 * before that is still handed on.
 */
static bool is_open(const struct relay *relay, const struct relay_stream *stream)
{
	return stream->from >= 0 && (relay->hit == CONTROL_COUNT ||
	    (relay->hit == CONTROL_OUTPUT_EACH && stream->carried < relay->each_limit));
}

/* Whether more may be taken from COMMAND now. */
static bool wants_more(const struct relay *relay, const struct relay_stream *stream)
{
	return is_open(relay, stream) && stream->end - stream->start < RELAY_BUFFER;
}

size_t relay_poll(const struct relay *relay, struct pollfd polled[RELAY_POLLED])
{
	size_t count = 0;

	for (size_t i = 0; i < relay->count; i++) {
		const struct relay_stream *stream = &relay->streams[i];

		if (stream->end > stream->start)
			polled[count++] = (struct pollfd){ .fd = stream->to, .events = POLLOUT };
		if (wants_more(relay, stream))
			polled[count++] = (struct pollfd){ .fd = stream->from, .events = POLLIN };
	}
	return count;
}

/* COMMAND's next write fails (EPIPE), as it would without us. */
static void stop(struct relay_stream *stream)
{
	if (stream->from >= 0)
		close(stream->from);
	stream->from = -1;
	stream->start = stream->end = 0;
}

/* How many of the bytes may still be handed on. */
static size_t allowed(const struct relay *relay, const struct relay_stream *stream, size_t bytes)
{
	uint64_t left = relay->limit - relay_carried(relay);
	uint64_t each_left = relay->each_limit - stream->carried;

	if (each_left < left)
		left = each_left;
	return bytes < left ? bytes : (size_t)left;
}

/* Hands on what is held. False where that has to wait, or nothing is left to do. */
static bool put(struct relay *relay, struct relay_stream *stream)
{
	struct pollfd polled = { .fd = stream->to, .events = POLLOUT };
	size_t held = stream->end - stream->start;
	size_t bytes = allowed(relay, stream, held < PIPE_BUF ? held : PIPE_BUF);
	ssize_t written;

	if (held == 0)
		return false;
	if (bytes == 0) {
		/*
		 * COMMAND wrote more than it may, and is killed for it. Its pipe stays: it is not to find
		 * that closed first.
		 */
		relay->hit = relay_carried(relay) >= relay->limit ? CONTROL_OUTPUT : CONTROL_OUTPUT_EACH;
		stream->start = stream->end = 0;
		return false;
	}
	if (poll(&polled, 1, 0) <= 0)
		return false;
	written = write(stream->to, stream->buffer + stream->start, bytes);
	if (written < 0) {
		if (errno != EAGAIN && errno != EINTR)
			stop(stream);
		return false;
	}
	stream->start += (size_t)written;
	stream->carried += (uint64_t)written;
	return true;
}

/* Takes what has come, as far as there is room for it. */
static void get(const struct relay *relay, struct relay_stream *stream)
{
	ssize_t got;

	if (!wants_more(relay, stream))
		return;
	memmove(stream->buffer, stream->buffer + stream->start, stream->end - stream->start);
	stream->end -= stream->start;
	stream->start = 0;
	got = read(stream->from, stream->buffer + stream->end, RELAY_BUFFER - stream->end);
	if (got > 0) {
		stream->end += (size_t)got;
	} else if (got == 0) {
		/* What is held is still handed on. */
		close(stream->from);
		stream->from = -1;
	}
}

void relay_move(struct relay *relay)
{
	for (size_t i = 0; i < relay->count; i++) {
		struct relay_stream *stream = &relay->streams[i];

		/* A buffer's worth at a time, so that signals and deadlines have their turn. */
		get(relay, stream);
		while (put(relay, stream))
			;
	}
}

bool relay_is_busy(const struct relay *relay)
{
	for (size_t i = 0; i < relay->count; i++) {
		if (is_open(relay, &relay->streams[i]) ||
		    relay->streams[i].end > relay->streams[i].start)
			return true;
	}
	return false;
}

uint64_t relay_carried(const struct relay *relay)
{
	return relay->streams[0].carried + relay->streams[1].carried;
}

void relay_close(struct relay *relay)
{
	relay_close_child_ends(relay);
	for (size_t i = 0; i < relay->count; i++) {
		stop(&relay->streams[i]);
		if (relay->streams[i].to > STDERR_FILENO)
			close(relay->streams[i].to);
		free(relay->streams[i].buffer);
	}
	relay_init(relay);
}
