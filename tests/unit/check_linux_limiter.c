/*
 * Tests of linux/limiter.c: when it looks, and which limit it says was reached. Nothing is sampled and
 * no control group is made; the clock is made up.
 */
#include "linux/limiter.h"

#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "unit/unit.h"

static const uint64_t ms = UINT64_C(1000000);
/* No procfs to be sampled. */
static const struct sample_source nowhere = { .root = -1, .proc = -1, .init = 1 };
static const uint64_t begin = UINT64_C(5000000000);

struct bench {
	struct spec spec;
	struct report report;
	struct limits limits;
};

static void bench_open(struct bench *bench, const struct spec_limits *asked)
{
	struct err err = ERR_INIT;

	memset(bench, 0, sizeof(*bench));
	spec_init(&bench->spec);
	spec_add_word(&bench->spec, "true");
	bench->spec.limits = *asked;
	ck_assert_int_eq(spec_check(&bench->spec, &err), 0);
	report_init(&bench->report, &bench->spec);
	limits_init(&bench->limits, &bench->spec.limits);
}

static void bench_close(struct bench *bench)
{
	ck_assert_int_eq(limits_close(&bench->limits), 0);
	ck_assert_int_eq(limits_close(&bench->limits), 0);
	report_free(&bench->report);
	spec_free(&bench->spec);
}

START_TEST(without_a_limit_nothing_is_due)
{
	const struct spec_limits none = { 0 };
	struct bench bench;

	bench_open(&bench, &none);
	limits_start(&bench.limits, getpid(), begin);
	ck_assert_uint_eq(limits_next(&bench.limits), 0);
	limits_check(&bench.limits, begin + 1000000 * ms);
	ck_assert_int_eq(bench.limits.hit, CONTROL_COUNT);
	bench.report.end.reason = END_EXITED;
	limits_finish(&bench.limits, &bench.report);
	ck_assert_int_eq(bench.report.end.reason, END_EXITED);
	ck_assert(!bench.report.usage.output_bytes.known && !bench.report.usage.pids_peak.known &&
	    !bench.report.usage.peak_bytes.known);
	bench_close(&bench);
}
END_TEST

START_TEST(the_deadline_is_looked_at_when_it_has_come)
{
	const struct spec_limits asked = { .wall_ns = 500 * ms };
	struct bench bench;

	bench_open(&bench, &asked);
	limits_check(&bench.limits, begin);	/* not started: no time has passed */
	ck_assert_int_eq(bench.limits.hit, CONTROL_COUNT);
	limits_start(&bench.limits, getpid(), begin);
	ck_assert_uint_eq(limits_next(&bench.limits), begin + 500 * ms);
	limits_check(&bench.limits, begin + 500 * ms - 1);
	ck_assert_int_eq(bench.limits.hit, CONTROL_COUNT);
	ck_assert_uint_eq(limits_next(&bench.limits), begin + 500 * ms);
	limits_check(&bench.limits, begin + 500 * ms);
	ck_assert_int_eq(bench.limits.hit, CONTROL_WALL);
	ck_assert_uint_eq(limits_next(&bench.limits), 0);
	bench.report.end.reason = END_SIGNALED;
	limits_finish(&bench.limits, &bench.report);
	ck_assert_int_eq(bench.report.end.reason, END_WALL_LIMIT);
	ck_assert(bench.report.layers[CONTROL_WALL].hit);
	bench_close(&bench);
}
END_TEST

START_TEST(the_first_limit_stays_the_reason)
{
	const struct spec_limits asked = { .wall_ns = 500 * ms, .output_bytes = 10 };
	struct bench bench;

	bench_open(&bench, &asked);
	limits_start(&bench.limits, getpid(), begin);
	bench.limits.relay.hit = CONTROL_OUTPUT;
	limits_check(&bench.limits, begin + 10 * ms);
	ck_assert_int_eq(bench.limits.hit, CONTROL_OUTPUT);
	limits_check(&bench.limits, begin + 900 * ms);
	ck_assert_int_eq(bench.limits.hit, CONTROL_OUTPUT);
	limits_finish(&bench.limits, &bench.report);
	ck_assert_int_eq(bench.report.end.reason, END_OUTPUT_LIMIT);
	ck_assert(!bench.report.layers[CONTROL_WALL].hit);
	bench_close(&bench);
}
END_TEST

START_TEST(each_limit_has_its_reason)
{
	static const struct {
		enum control hit;
		enum end_reason reason;
	} rows[] = {
		{ CONTROL_WALL, END_WALL_LIMIT }, { CONTROL_CPU, END_CPU_LIMIT },
		{ CONTROL_MEM, END_MEMORY_LIMIT }, { CONTROL_OUTPUT, END_OUTPUT_LIMIT },
		{ CONTROL_OUTPUT_EACH, END_OUTPUT_LIMIT }, { CONTROL_PIDS, END_SIGNALED },
		{ CONTROL_COUNT, END_SIGNALED },
	};
	const struct spec_limits none = { 0 };

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		struct bench bench;

		bench_open(&bench, &none);
		bench.report.end.reason = END_SIGNALED;
		bench.limits.hit = rows[i].hit;
		limits_finish(&bench.limits, &bench.report);
		ck_assert_int_eq(bench.report.end.reason, rows[i].reason);
		for (size_t control = 0; control < CONTROL_COUNT; control++)
			ck_assert_int_eq(bench.report.layers[control].hit, control == rows[i].hit);
		bench_close(&bench);
	}
}
END_TEST

/* What supervises elapsed time and output is the supervisor itself, and always there. */
START_TEST(what_needs_no_host_is_confirmed)
{
	const struct spec_limits asked = { .wall_ns = ms, .output_bytes = 1, .output_each_bytes = 1 };
	const struct record ready = { 0 };
	struct bench bench;

	bench_open(&bench, &asked);
	limits_confirm(&bench.limits, &bench.report, &ready, getpid(), &nowhere);
	ck_assert_int_eq(bench.report.layers[CONTROL_WALL].state, LAYER_APPLIED);
	ck_assert_int_eq(bench.report.layers[CONTROL_OUTPUT].state, LAYER_APPLIED);
	ck_assert_int_eq(bench.report.layers[CONTROL_OUTPUT_EACH].state, LAYER_APPLIED);
	bench_close(&bench);
}
END_TEST

START_TEST(what_cannot_be_sampled_is_not_confirmed)
{
	const struct spec_limits asked = { .cpu_ns = ms, .mem_bytes = 1, .pids = 1, .cpus_milli = 500 };
	const struct record ready = { .nproc_counts = true };
	struct bench bench;

	bench_open(&bench, &asked);
	limits_confirm(&bench.limits, &bench.report, &ready, getpid(), &nowhere);
	ck_assert_int_ne(bench.report.layers[CONTROL_CPU].state, LAYER_APPLIED);
	ck_assert_int_ne(bench.report.layers[CONTROL_MEM].state, LAYER_APPLIED);
	ck_assert_int_ne(bench.report.layers[CONTROL_PIDS].state, LAYER_APPLIED);
	ck_assert_int_ne(bench.report.layers[CONTROL_CPUS].state, LAYER_APPLIED);
	ck_assert_ptr_nonnull(bench.report.layers[CONTROL_CPUS].reason);
	bench_close(&bench);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		without_a_limit_nothing_is_due,
		the_deadline_is_looked_at_when_it_has_come,
		the_first_limit_stays_the_reason,
		each_limit_has_its_reason,
		what_needs_no_host_is_confirmed,
		what_cannot_be_sampled_is_not_confirmed,
	};

	return unit_run("linux/limiter", tests, UNIT_COUNT(tests));
}
