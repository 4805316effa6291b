/*
 * Tests of linux/disk_lock.c: what a sweeper takes, and what it must not touch.
 */
#include "linux/disk_scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/files.h"
#include "unit/scratches.h"
#include "unit/unit.h"

START_TEST(the_dead_are_swept_and_the_living_are_not)
{
	struct disk_scratch scratch;
	struct err err = ERR_INIT;

	scratches_begin();
	scratch = scratches_make("living");
	files_put("p/nsbox-living/work/file", "x");
	scratches_make_dead("dead1");
	/* Each one that is made sweeps. */
	scratches_make_dead("dead2");
	ck_assert(!files_exist("p/nsbox-dead1"));
	files_put("p/nsbox-dead2/work/file", "x");
	ck_assert_int_eq(disk_scratch_sweep("p"), 1);
	ck_assert(!files_exist("p/nsbox-dead2"));
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert(files_exist("p/nsbox-living/work/file"));
	ck_assert_int_eq(disk_scratch_remove(&scratch, &err), 0);
	ck_assert_uint_eq(files_count("p"), 0);
	ck_assert_int_eq(disk_scratch_sweep("absent"), -1);
}
END_TEST

START_TEST(a_child_that_has_the_lock_keeps_it_alive)
{
	int ends[2];
	pid_t holder, maker;

	scratches_begin();
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	maker = unit_fork();
	if (maker == 0) {
		scratches_make("one");
		holder = unit_fork();
		if (holder == 0) {
			for (;;)
				pause();
		}
		ck_assert_int_eq(write(ends[1], &holder, sizeof(holder)), sizeof(holder));
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(maker, NULL, 0), maker);
	ck_assert_int_eq(read(ends[0], &holder, sizeof(holder)), sizeof(holder));
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	kill(holder, SIGKILL);
	for (unsigned i = 0; i < 500 && disk_scratch_sweep("p") == 0; i++)
		usleep(10000);
	ck_assert_uint_eq(files_count("p"), 0);
}
END_TEST

/* Each of these differs from a dead scratch in one thing. */
START_TEST(what_is_not_provably_a_scratch_is_not_touched)
{
	scratches_begin();
	scratches_make_dead("magic");
	files_put("p/nsbox-magic/" SCRATCHES_LOCK, "nsbox-scratch 2 x\n");
	scratches_make_dead("empty");
	files_put("p/nsbox-empty/" SCRATCHES_LOCK, "");
	scratches_make_dead("mode");
	ck_assert_int_eq(chmod("p/nsbox-mode", 0755), 0);
	scratches_make_dead("linked");
	ck_assert_int_eq(link("p/nsbox-linked/" SCRATCHES_LOCK, "other"), 0);
	scratches_make_dead("nolock");
	ck_assert_int_eq(unlink("p/nsbox-nolock/" SCRATCHES_LOCK), 0);
	scratches_make_dead("symlock");
	ck_assert_int_eq(rename("p/nsbox-symlock/" SCRATCHES_LOCK, "lock"), 0);
	ck_assert_int_eq(symlink("../../lock", "p/nsbox-symlock/" SCRATCHES_LOCK), 0);
	scratches_make_dead("fifo");
	ck_assert_int_eq(unlink("p/nsbox-fifo/" SCRATCHES_LOCK), 0);
	ck_assert_int_eq(mkfifo("p/nsbox-fifo/" SCRATCHES_LOCK, 0600), 0);
	scratches_make_dead("folder");
	ck_assert_int_eq(unlink("p/nsbox-folder/" SCRATCHES_LOCK), 0);
	ck_assert_int_eq(mkdir("p/nsbox-folder/" SCRATCHES_LOCK, 0700), 0);
	scratches_make_dead("renamed");
	ck_assert_int_eq(rename("p/nsbox-renamed", "p/renamed"), 0);
	scratches_make_dead("away");
	ck_assert_int_eq(rename("p/nsbox-away", "away"), 0);
	ck_assert_int_eq(symlink("../away", "p/nsbox-away"), 0);
	files_put("p/nsbox-file", "nsbox-scratch 1 ");
	ck_assert_int_eq(mkdir("p/nsbox-x", 0700), 0);
	ck_assert_int_eq(mkdir("p/nsbox-", 0700), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert_uint_eq(files_count("p"), 13);
	ck_assert_uint_eq(files_count("away"), 4);
	ck_assert_uint_eq(files_count("p/nsbox-fifo"), 4);
}
END_TEST

START_TEST(a_scratch_of_somebody_else_is_not_touched)
{
	if (geteuid() != 0)
		return;
	scratches_begin();
	scratches_make_dead("theirs");
	ck_assert_int_eq(chown("p/nsbox-theirs", 65534, 65534), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs", 0, 0), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs/" SCRATCHES_LOCK, 65534, 65534), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs/" SCRATCHES_LOCK, 0, 0), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 1);
}
END_TEST

START_TEST(what_was_half_made_is_swept_where_nothing_is_in_it)
{
	int fd;

	scratches_begin();
	ck_assert_int_eq(mkdir("p/nsbox-a", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-a", 01700), 0);
	ck_assert_int_eq(mkdir("p/nsbox-b", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-b", 01700), 0);
	files_put("p/nsbox-b/" SCRATCHES_LOCK, "");
	ck_assert_int_eq(mkdir("p/nsbox-b/work", 0700), 0);
	ck_assert_int_eq(mkdir("p/nsbox-c", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-c", 01700), 0);
	files_put("p/nsbox-c/file", "mine");
	ck_assert_int_eq(mkdir("p/nsbox-d", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-d", 01700), 0);
	fd = open("p/nsbox-d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 2);
	ck_assert(files_exist("p/nsbox-c/file"));
	ck_assert(files_exist("p/nsbox-d"));
	close(fd);
	ck_assert_int_eq(disk_scratch_sweep("p"), 1);
	ck_assert_uint_eq(files_count("p"), 1);
}
END_TEST

START_TEST(killed_at_any_moment_nothing_stays)
{
	scratches_begin();
	for (unsigned i = 0; i < 200; i++) {
		pid_t pid = unit_fork();

		ck_assert_int_ge(pid, 0);
		if (pid == 0) {
			scratches_make_and_remove(i, 1000);
			_exit(0);
		}
		usleep((i * 37) % 3000);
		kill(pid, SIGKILL);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
	disk_scratch_sweep("p");
	ck_assert_uint_eq(files_count("p"), 0);
}
END_TEST

START_TEST(two_sweepers_at_once_are_harmless)
{
	int statuses[2], total = 0;
	pid_t pids[2];

	scratches_begin();
	for (unsigned i = 0; i < 20; i++) {
		char id[32];

		snprintf(id, sizeof(id), "dead%u", i);
		scratches_make_dead(id);
		snprintf(id, sizeof(id), "p/nsbox-dead%u", i);
		/* So that the next one leaves it alone until all are there. */
		ck_assert_int_eq(chmod(id, 0750), 0);
	}
	for (unsigned i = 0; i < 20; i++) {
		char path[32];

		snprintf(path, sizeof(path), "p/nsbox-dead%u", i);
		ck_assert_int_eq(chmod(path, 0700), 0);
	}
	for (unsigned i = 0; i < 2; i++) {
		pids[i] = unit_fork();
		if (pids[i] == 0)
			_exit(disk_scratch_sweep("p"));
	}
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(waitpid(pids[i], &statuses[i], 0), pids[i]);
		total += WEXITSTATUS(statuses[i]);
	}
	ck_assert_int_eq(total, 20);
	ck_assert_uint_eq(files_count("p"), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_dead_are_swept_and_the_living_are_not,
		a_child_that_has_the_lock_keeps_it_alive,
		what_is_not_provably_a_scratch_is_not_touched,
		a_scratch_of_somebody_else_is_not_touched,
		what_was_half_made_is_swept_where_nothing_is_in_it,
		killed_at_any_moment_nothing_stays,
		two_sweepers_at_once_are_harmless,
	};

	return unit_run("linux/disk_lock", tests, UNIT_COUNT(tests));
}
