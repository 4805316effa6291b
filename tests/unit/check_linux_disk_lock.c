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
#include "unit/unit.h"

#define LOCK ".nsbox-lock"

/* In a folder of its own; "p" in it is the parent. */
static void begin(void)
{
	files_enter_new_folder();
	files_make_dir("p");
}

static struct disk_scratch make(const char *id)
{
	struct disk_scratch scratch = DISK_SCRATCH_INIT;
	struct err err = ERR_INIT;

	ck_assert_msg(disk_scratch_make(&scratch, "p", id, &err) == 0, "%s", err.message);
	return scratch;
}

/* Makes a scratch in a process that is killed before it could remove it. */
static void make_dead(const char *id)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		make(id);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

START_TEST(the_dead_are_swept_and_the_living_are_not)
{
	struct disk_scratch scratch;
	struct err err = ERR_INIT;

	begin();
	scratch = make("living");
	files_put("p/nsbox-living/work/file", "x");
	make_dead("dead1");
	/* Each one that is made sweeps. */
	make_dead("dead2");
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

	begin();
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	maker = fork();
	if (maker == 0) {
		make("one");
		holder = fork();
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
	begin();
	make_dead("magic");
	files_put("p/nsbox-magic/" LOCK, "nsbox-scratch 2 x\n");
	make_dead("empty");
	files_put("p/nsbox-empty/" LOCK, "");
	make_dead("mode");
	ck_assert_int_eq(chmod("p/nsbox-mode", 0755), 0);
	make_dead("linked");
	ck_assert_int_eq(link("p/nsbox-linked/" LOCK, "other"), 0);
	make_dead("nolock");
	ck_assert_int_eq(unlink("p/nsbox-nolock/" LOCK), 0);
	make_dead("symlock");
	ck_assert_int_eq(rename("p/nsbox-symlock/" LOCK, "lock"), 0);
	ck_assert_int_eq(symlink("../../lock", "p/nsbox-symlock/" LOCK), 0);
	make_dead("fifo");
	ck_assert_int_eq(unlink("p/nsbox-fifo/" LOCK), 0);
	ck_assert_int_eq(mkfifo("p/nsbox-fifo/" LOCK, 0600), 0);
	make_dead("folder");
	ck_assert_int_eq(unlink("p/nsbox-folder/" LOCK), 0);
	ck_assert_int_eq(mkdir("p/nsbox-folder/" LOCK, 0700), 0);
	make_dead("renamed");
	ck_assert_int_eq(rename("p/nsbox-renamed", "p/renamed"), 0);
	make_dead("away");
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
	begin();
	make_dead("theirs");
	ck_assert_int_eq(chown("p/nsbox-theirs", 65534, 65534), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs", 0, 0), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs/" LOCK, 65534, 65534), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert_int_eq(chown("p/nsbox-theirs/" LOCK, 0, 0), 0);
	ck_assert_int_eq(disk_scratch_sweep("p"), 1);
}
END_TEST

START_TEST(what_was_half_made_is_swept_where_nothing_is_in_it)
{
	int fd;

	begin();
	ck_assert_int_eq(mkdir("p/nsbox-a", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-a", 01700), 0);
	ck_assert_int_eq(mkdir("p/nsbox-b", 0700), 0);
	ck_assert_int_eq(chmod("p/nsbox-b", 01700), 0);
	files_put("p/nsbox-b/" LOCK, "");
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

static void make_and_remove(unsigned worker, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		struct disk_scratch scratch;
		struct err err = ERR_INIT;
		char id[32];

		snprintf(id, sizeof(id), "%u-%u", worker, i);
		scratch = make(id);
		snprintf(id, sizeof(id), "p/nsbox-%u-%u/work/file", worker, i);
		files_put(id, "x");
		ck_assert_msg(disk_scratch_remove(&scratch, &err) == 0, "%s", err.message);
	}
}

START_TEST(killed_at_any_moment_nothing_stays)
{
	begin();
	for (unsigned i = 0; i < 200; i++) {
		pid_t pid = fork();

		ck_assert_int_ge(pid, 0);
		if (pid == 0) {
			make_and_remove(i, 1000);
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

	begin();
	for (unsigned i = 0; i < 20; i++) {
		char id[32];

		snprintf(id, sizeof(id), "dead%u", i);
		make_dead(id);
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
		pids[i] = fork();
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
