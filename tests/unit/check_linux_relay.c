/*
 * Tests of linux/relay.c with pipes: its standard output and standard error are replaced by pipes that the
 * test reads. Check runs each test in a process of its own.
 */
#include "linux/relay.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

/* The caller's ends of the two streams: what the relay handed on can be read there. */
struct bench {
	struct relay relay;
	struct spec_limits limits;
	int reads[2];
};

static void new_pipe(int ends[2], int standard)
{
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_ge(dup2(ends[1], standard), 0);
	close(ends[1]);
	ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
}

static void bench_open(struct bench *bench, uint64_t limit, uint64_t each, bool is_same)
{
	int ends[2];

	memset(bench, 0, sizeof(*bench));
	bench->limits.output_bytes = limit;
	bench->limits.output_each_bytes = each;
	new_pipe(ends, STDOUT_FILENO);
	bench->reads[0] = bench->reads[1] = ends[0];
	if (is_same) {
		dup2(STDOUT_FILENO, STDERR_FILENO);
	} else {
		new_pipe(ends, STDERR_FILENO);
		bench->reads[1] = ends[0];
	}
	relay_init(&bench->relay);
	ck_assert_int_eq(relay_open(&bench->relay, &bench->limits), 0);
}

/* As COMMAND would. */
static void command_writes(struct bench *bench, size_t stream, const char *text, size_t length)
{
	ck_assert_int_eq(write(bench->relay.streams[stream].child, text, length), (ssize_t)length);
}

static size_t caller_reads(struct bench *bench, size_t stream, char *text, size_t size)
{
	ssize_t got = read(bench->reads[stream], text, size);

	return got < 0 ? 0 : (size_t)got;
}

static void expect_read(struct bench *bench, size_t stream, const char *wanted)
{
	char text[4096] = "";

	caller_reads(bench, stream, text, sizeof(text) - 1);
	ck_assert_str_eq(text, wanted);
}

START_TEST(an_empty_relay_carries_nothing)
{
	struct pollfd polled[RELAY_POLLED];
	struct relay relay;

	relay_init(&relay);
	ck_assert_uint_eq(relay.count, 0);
	ck_assert_uint_eq(relay_poll(&relay, polled), 0);
	relay_move(&relay);
	ck_assert(!relay_is_busy(&relay));
	ck_assert_uint_eq(relay_carried(&relay), 0);
	ck_assert_int_eq(relay.hit, CONTROL_COUNT);
	relay_close(&relay);
	relay_close(&relay);
}
END_TEST

START_TEST(each_stream_goes_where_it_belongs)
{
	struct bench bench;

	bench_open(&bench, 1000, 0, false);
	ck_assert_uint_eq(bench.relay.count, 2);
	command_writes(&bench, 0, "out", 3);
	command_writes(&bench, 1, "error", 5);
	relay_move(&bench.relay);
	expect_read(&bench, 0, "out");
	expect_read(&bench, 1, "error");
	ck_assert_uint_eq(relay_carried(&bench.relay), 8);
	ck_assert_int_eq(bench.relay.hit, CONTROL_COUNT);
	relay_close(&bench.relay);
}
END_TEST

START_TEST(one_pipe_serves_both_where_they_are_the_same)
{
	struct bench bench;

	bench_open(&bench, 1000, 0, true);
	ck_assert_uint_eq(bench.relay.count, 1);
	relay_close(&bench.relay);
	/* Each has to be counted by itself, so there have to be two. */
	bench_open(&bench, 1000, 10, true);
	ck_assert_uint_eq(bench.relay.count, 2);
	relay_close(&bench.relay);
}
END_TEST

START_TEST(exactly_the_limit_is_no_hit)
{
	struct bench bench;

	bench_open(&bench, 5, 0, false);
	command_writes(&bench, 0, "12", 2);
	command_writes(&bench, 1, "345", 3);
	relay_move(&bench.relay);
	relay_close_child_ends(&bench.relay);
	for (int i = 0; i < 3; i++)
		relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_COUNT);
	ck_assert_uint_eq(relay_carried(&bench.relay), 5);
	ck_assert(!relay_is_busy(&bench.relay));
	relay_close(&bench.relay);
}
END_TEST

START_TEST(one_byte_more_is)
{
	struct bench bench;

	bench_open(&bench, 5, 0, false);
	command_writes(&bench, 0, "123456", 6);
	relay_move(&bench.relay);
	expect_read(&bench, 0, "12345");
	ck_assert_int_eq(bench.relay.hit, CONTROL_OUTPUT);
	ck_assert_uint_eq(relay_carried(&bench.relay), 5);
	relay_close(&bench.relay);
	/* Also where it comes by the other stream, and later. */
	bench_open(&bench, 5, 0, false);
	command_writes(&bench, 0, "12345", 5);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_COUNT);
	command_writes(&bench, 1, "6", 1);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_OUTPUT);
	expect_read(&bench, 1, "");
	relay_close(&bench.relay);
}
END_TEST

START_TEST(the_limit_of_each_is_that_of_each)
{
	struct bench bench;

	bench_open(&bench, 0, 4, false);
	command_writes(&bench, 0, "1234", 4);
	command_writes(&bench, 1, "1234", 4);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_COUNT);
	command_writes(&bench, 1, "5", 1);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_OUTPUT_EACH);
	ck_assert_uint_eq(relay_carried(&bench.relay), 8);
	relay_close(&bench.relay);
	/* Of both, the one that was reached is named. */
	bench_open(&bench, 6, 4, false);
	command_writes(&bench, 0, "1234", 4);
	command_writes(&bench, 1, "123", 3);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_OUTPUT);
	ck_assert_uint_eq(relay_carried(&bench.relay), 6);
	relay_close(&bench.relay);
}
END_TEST

/* A reader that does not read: nothing blocks, nothing is lost, and what is waited for is the reader. */
START_TEST(what_the_other_stream_was_given_before_is_handed_on)
{
	struct bench bench;

	bench_open(&bench, 0, 4, false);
	command_writes(&bench, 1, "err", 3);
	command_writes(&bench, 0, "12345", 5);
	relay_move(&bench.relay);
	relay_move(&bench.relay);
	ck_assert_int_eq(bench.relay.hit, CONTROL_OUTPUT_EACH);
	expect_read(&bench, 0, "1234");
	expect_read(&bench, 1, "err");
	relay_close_child_ends(&bench.relay);
	relay_move(&bench.relay);
	relay_move(&bench.relay);
	ck_assert(!relay_is_busy(&bench.relay));
	relay_close(&bench.relay);
}
END_TEST

START_TEST(a_reader_that_does_not_read_holds_nothing_up)
{
	static char block[65536], got[65536];
	struct pollfd polled[RELAY_POLLED];
	struct bench bench;
	size_t sent = 0, seen = 0, count;

	memset(block, 'x', sizeof(block));
	bench_open(&bench, 100000000, 0, false);
	fcntl(bench.relay.streams[0].child, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 20; i++) {
		ssize_t written = write(bench.relay.streams[0].child, block, sizeof(block));

		sent += written > 0 ? (size_t)written : 0;
		alarm(2);
		relay_move(&bench.relay);
		alarm(0);
	}
	count = relay_poll(&bench.relay, polled);
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(polled[0].fd, bench.relay.streams[0].to);
	ck_assert_int_eq(polled[0].events, POLLOUT);
	ck_assert(relay_is_busy(&bench.relay));
	relay_close_child_ends(&bench.relay);
	for (int i = 0; i < 100; i++) {
		seen += caller_reads(&bench, 0, got, sizeof(got));
		relay_move(&bench.relay);
	}
	ck_assert_uint_eq(seen, sent);
	ck_assert_uint_eq(relay_carried(&bench.relay), sent);
	ck_assert(!relay_is_busy(&bench.relay));
	relay_close(&bench.relay);
}
END_TEST

/* The writer must be told (its pipe is closed). That SIGPIPE is ignored meanwhile is the supervisor's part. */
START_TEST(a_reader_that_closes_is_told_to_the_writer)
{
	struct bench bench;

	signal(SIGPIPE, SIG_IGN);
	bench_open(&bench, 1000, 0, false);
	close(bench.reads[0]);
	command_writes(&bench, 0, "out", 3);
	relay_move(&bench.relay);
	relay_move(&bench.relay);
	errno = 0;
	ck_assert_int_eq(write(bench.relay.streams[0].child, "x", 1), -1);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_int_eq(bench.relay.hit, CONTROL_COUNT);
	/* The other one goes on. */
	command_writes(&bench, 1, "error", 5);
	relay_move(&bench.relay);
	expect_read(&bench, 1, "error");
	relay_close(&bench.relay);
}
END_TEST

START_TEST(the_end_of_all_writers_is_the_end)
{
	struct bench bench;
	int second;

	bench_open(&bench, 1000, 0, true);
	second = dup(bench.relay.streams[0].child);
	command_writes(&bench, 0, "last", 4);
	relay_close_child_ends(&bench.relay);
	relay_move(&bench.relay);
	relay_move(&bench.relay);
	ck_assert(relay_is_busy(&bench.relay));
	close(second);
	relay_move(&bench.relay);
	ck_assert(!relay_is_busy(&bench.relay));
	expect_read(&bench, 0, "last");
	relay_close(&bench.relay);
}
END_TEST

START_TEST(nothing_is_inherited)
{
	struct bench bench;

	bench_open(&bench, 1000, 0, false);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(fcntl(bench.relay.streams[i].from, F_GETFD), FD_CLOEXEC);
		ck_assert_int_eq(fcntl(bench.relay.streams[i].child, F_GETFD), FD_CLOEXEC);
		/* The command's end must block as any pipe does. */
		ck_assert(!(fcntl(bench.relay.streams[i].child, F_GETFL) & O_NONBLOCK));
	}
	/* Nor is the caller's file changed, which others may have open. */
	ck_assert(!(fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK));
	relay_close(&bench.relay);
}
END_TEST

START_TEST(closing_twice_is_harmless)
{
	struct bench bench;

	bench_open(&bench, 1000, 0, false);
	relay_close(&bench.relay);
	relay_close(&bench.relay);
	ck_assert(!relay_is_busy(&bench.relay));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_empty_relay_carries_nothing,
		each_stream_goes_where_it_belongs,
		one_pipe_serves_both_where_they_are_the_same,
		exactly_the_limit_is_no_hit,
		one_byte_more_is,
		the_limit_of_each_is_that_of_each,
		what_the_other_stream_was_given_before_is_handed_on,
		a_reader_that_does_not_read_holds_nothing_up,
		a_reader_that_closes_is_told_to_the_writer,
		the_end_of_all_writers_is_the_end,
		nothing_is_inherited,
		closing_twice_is_harmless,
	};

	return unit_run("linux/relay", tests, UNIT_COUNT(tests));
}
