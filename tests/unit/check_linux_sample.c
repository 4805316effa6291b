/*
 * Tests of linux/sample.c on a procfs that is made up: folders of numbers with the files that are read.
 */
#include "linux/sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/made_up_proc.h"
#include "unit/unit.h"

static uint64_t ticks(uint64_t count)
{
	return count * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
}

static uint64_t pages(uint64_t count)
{
	return count * (uint64_t)sysconf(_SC_PAGESIZE);
}

START_TEST(processes_are_added_up)
{
	static const struct made_up processes[] = {
		{ .pid = 2, .user = 10, .system = 20, .child_user = 3, .child_system = 4, .threads = 1,
		    .resident = 100, .shared = 70, .file = 40 },
		{ .pid = 37, .user = 100, .threads = 5, .resident = 50, .shared = 50, .file = 50 },
		{ .pid = 399, .child_system = 1000, .threads = 2, .resident = 7 },
	};
	struct world world;

	world_open(&world);
	for (size_t i = 0; i < UNIT_COUNT(processes); i++)
		world_add(&world, &processes[i]);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(1137));
	ck_assert_uint_eq(world.sample.pids, 8);
	ck_assert_uint_eq(world.sample.bytes, pages(67));
	ck_assert_uint_eq(world.sample.peak_pids, 8);
	ck_assert_uint_eq(world.sample.peak_bytes, pages(67));
	world_free(&world);
}
END_TEST

START_TEST(of_pid_1_only_its_children_count)
{
	static const struct made_up init = { .pid = 1, .user = 1000, .system = 2000, .child_user = 30,
	    .child_system = 40, .threads = 1, .resident = 500 };
	struct world world;

	world_open(&world);
	world_add(&world, &init);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(70));
	ck_assert_uint_eq(world.sample.pids, 0);
	ck_assert_uint_eq(world.sample.bytes, 0);
	world_free(&world);
}
END_TEST

START_TEST(a_name_can_hold_anything)
{
	static const char *const names[] = { "a b c", ") S 9 9", "((", "))", "1 2 3) R 7 7 7 7 7", "\n", "" };
	struct world world;

	for (size_t i = 0; i < UNIT_COUNT(names); i++) {
		struct made_up process = { .pid = 5, .name = names[i], .user = 6, .system = 7, .threads = 3 };

		world_open(&world);
		world_add(&world, &process);
		ck_assert_int_eq(sample_take(&world.sample, 0), 0);
		ck_assert_msg(world.sample.cpu_ns == ticks(13) && world.sample.pids == 3, "%s", names[i]);
		world_free(&world);
	}
}
END_TEST

START_TEST(time_of_processes_that_went_is_kept)
{
	struct made_up stays = { .pid = 2, .user = 10, .threads = 1 };
	struct made_up goes = { .pid = 3, .user = 500, .threads = 1 };
	struct world world;

	world_open(&world);
	world_add(&world, &stays);
	world_add(&world, &goes);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(510));
	world_remove(&world, 3);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(510));
	stays.user = 60;
	world_add(&world, &stays);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(560));
	world_free(&world);
}
END_TEST

/* One goes while another goes on: neither hides the other. */
START_TEST(time_of_others_does_not_hide_what_went)
{
	struct made_up stays = { .pid = 2, .user = 10, .threads = 1 };
	struct made_up goes = { .pid = 3, .user = 100, .threads = 1 };
	struct world world;

	world_open(&world);
	world_add(&world, &stays);
	world_add(&world, &goes);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	world_remove(&world, 3);
	stays.user = 90;
	world_add(&world, &stays);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(190));
	world_free(&world);
}
END_TEST

/* What a parent waited for moves into it and is counted once. */
START_TEST(time_that_moves_to_the_parent_counts_once)
{
	struct made_up parent = { .pid = 2, .user = 10, .threads = 1 };
	struct made_up child = { .pid = 3, .user = 100, .threads = 1 };
	struct world world;

	world_open(&world);
	world_add(&world, &parent);
	world_add(&world, &child);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	world_remove(&world, 3);
	parent.child_user = 105;
	world_add(&world, &parent);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.cpu_ns, ticks(115));
	world_free(&world);
}
END_TEST

START_TEST(the_peak_stays)
{
	struct made_up process = { .pid = 2, .threads = 9, .resident = 100 };
	struct world world;

	world_open(&world);
	world_add(&world, &process);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	process.threads = 1;
	process.resident = 10;
	world_add(&world, &process);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.pids, 1);
	ck_assert_uint_eq(world.sample.bytes, pages(10));
	ck_assert_uint_eq(world.sample.peak_pids, 9);
	ck_assert_uint_eq(world.sample.peak_bytes, pages(100));
	world_free(&world);
}
END_TEST

static const char rollup[] = "55d6-7ffd ---p 00000000 00:00 0    [rollup]\nRss:  4000 kB\nPss:  300 kB\n"
    "Pss_Dirty:  9 kB\nPss_Anon:  200 kB\nPss_File:  90 kB\nPss_Shmem:  10 kB\nShared_Clean: 3 kB\n";

START_TEST(what_is_shared_counts_once_where_the_limit_is_near)
{
	struct made_up process = { .threads = 1, .resident = 1000 };
	struct world world;

	world_open(&world);
	for (process.pid = 2; process.pid < 12; process.pid++) {
		world_add(&world, &process);
		world_put(&world, process.pid, "smaps_rollup", rollup);
	}
	/* Far below the limit the quick figure will do. */
	ck_assert_int_eq(sample_take(&world.sample, pages(20000)), 0);
	ck_assert_uint_le(world.sample.bytes, pages(10000));
	ck_assert_int_eq(sample_take(&world.sample, pages(5000)), 0);
	ck_assert_uint_ge(world.sample.bytes, 10 * 200 * 1024);
	ck_assert_uint_le(world.sample.bytes, 10 * 210 * 1024);
	world_free(&world);
}
END_TEST

/* A process that cannot be looked into (not dumpable) is counted by what everybody can see. */
START_TEST(without_the_exact_figure_the_quick_one_counts)
{
	static const char *const texts[] = { "", "nothing\n", "Pss_Anon:\n", "Pss_Anon: x kB\n" };
	struct made_up process = { .pid = 2, .threads = 1, .resident = 1000, .shared = 100, .file = 100 };
	struct world world;

	world_open(&world);
	world_add(&world, &process);
	ck_assert_int_eq(sample_take(&world.sample, pages(10)), 0);
	ck_assert_uint_eq(world.sample.bytes, pages(900));
	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		world_put(&world, 2, "smaps_rollup", texts[i]);
		ck_assert_int_eq(sample_take(&world.sample, pages(10)), 0);
		ck_assert_msg(world.sample.bytes == pages(900), "%s", texts[i]);
	}
	world_free(&world);
}
END_TEST

START_TEST(malformed_files_do_no_harm)
{
	static const char *const texts[] = {
		"", "\n", ")", "2 (x)", "2 (x) ", "2 (x) S", "2 (x) S 1 1 1", "x", "(((((", "2 (x S 1 1 1 0 -1",
		"2 (x) S 1 1 1 0 -1 0 0 0 0 0 a b c d 20 0 e\n", "2 (x) S 1 1 1 0 -1 0 0 0 0 0 -1 -1 -1 -1 20 0 -1\n",
		"2 (x) S 1 1 1 0 -1 0 0 0 0 0 99999999999999999999999999 1 1 1 20 0 1\n",
	};
	struct made_up good = { .pid = 3, .user = 10, .threads = 1, .resident = 5 };
	struct world world;

	world_open(&world);
	world_add(&world, &good);
	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		world_put(&world, 2, "stat", texts[i]);
		world_put(&world, 2, "status", texts[i]);
		ck_assert_int_eq(sample_take(&world.sample, pages(1)), 0);
		ck_assert_uint_ge(world.sample.cpu_ns, ticks(10));
		ck_assert_uint_le(world.sample.pids, 2);
	}
	world_free(&world);
}
END_TEST

START_TEST(what_is_no_process_is_not_looked_at)
{
	struct made_up process = { .pid = 2, .threads = 1 };
	struct world world;

	world_open(&world);
	world_add(&world, &process);
	ck_assert_int_eq(symlinkat("2", world.root, "proc/self"), 0);
	ck_assert_int_eq(mkdirat(world.root, "proc/9", 0700), 0);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.pids, 1);
	unlinkat(world.root, "proc/self", 0);
	world_free(&world);
}
END_TEST

START_TEST(without_proc_there_is_no_sample)
{
	struct world world;

	world_make(&world);
	ck_assert_int_eq(unlinkat(world.root, "proc", AT_REMOVEDIR), 0);
	errno = 0;
	ck_assert_int_eq(world_try(&world), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(symlinkat("/proc", world.root, "proc"), 0);
	ck_assert_int_eq(world_try(&world), -1);
	unlinkat(world.root, "proc", 0);
	world_free(&world);
}
END_TEST

/* /tmp may be a folder of the host: what its file system holds is not the sandbox's memory. */
START_TEST(a_scratch_on_disk_is_no_memory)
{
	struct made_up process = { .pid = 2, .threads = 1, .resident = 3 };
	struct world world;

	world_make(&world);
	ck_assert_int_eq(mkdirat(world.root, "tmp", 0700), 0);
	ck_assert_int_eq(world_try(&world), 0);
	world_add(&world, &process);
	ck_assert_int_eq(sample_take(&world.sample, 0), 0);
	ck_assert_uint_eq(world.sample.bytes, pages(3));
	unlinkat(world.root, "tmp", AT_REMOVEDIR);
	world_free(&world);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		processes_are_added_up,
		of_pid_1_only_its_children_count,
		a_name_can_hold_anything,
		time_of_processes_that_went_is_kept,
		time_of_others_does_not_hide_what_went,
		time_that_moves_to_the_parent_counts_once,
		the_peak_stays,
		what_is_shared_counts_once_where_the_limit_is_near,
		without_the_exact_figure_the_quick_one_counts,
		malformed_files_do_no_harm,
		what_is_no_process_is_not_looked_at,
		without_proc_there_is_no_sample,
		a_scratch_on_disk_is_no_memory,
	};

	return unit_run("linux/sample", tests, UNIT_COUNT(tests));
}
