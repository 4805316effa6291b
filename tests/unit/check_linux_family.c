/*
 * Tests of linux/family.c: on real processes, and on lists that are made up.
 */
#include "linux/family.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/files.h"
#include "unit/unit.h"

/* A child that has a child; both wait to be killed. The number of the second, by the pipe. */
static pid_t start_two(pid_t *second)
{
	int ends[2];
	pid_t first;

	ck_assert_int_eq(pipe(ends), 0);
	first = unit_fork();
	if (first == 0) {
		pid_t pid = unit_fork();

		if (pid == 0)
			pause();
		ck_assert_int_eq(write(ends[1], &pid, sizeof(pid)), sizeof(pid));
		pause();
	}
	ck_assert_int_eq(read(ends[0], second, sizeof(*second)), sizeof(*second));
	close(ends[0]);
	close(ends[1]);
	return first;
}

START_TEST(children_and_their_children_are_listed)
{
	struct family near = { NULL, 0, 0 }, all = { NULL, 0, 0 };
	int proc = open("/proc", O_PATH | O_CLOEXEC);
	pid_t second, first = start_two(&second);

	ck_assert_int_eq(family_add(&near, proc, getpid(), false), 0);
	ck_assert(family_has(&near, first));
	ck_assert(!family_has(&near, second));
	ck_assert_int_eq(family_add(&all, proc, getpid(), true), 0);
	ck_assert(family_has(&all, first));
	ck_assert(family_has(&all, second));
	ck_assert(!family_has(&all, getpid()));
	kill(second, SIGKILL);
	kill(first, SIGKILL);
	ck_assert_int_eq(waitpid(first, NULL, 0), first);
	family_free(&near);
	family_free(&all);
	ck_assert_int_eq(family_add(&near, proc, first, true), -1);
	ck_assert_int_eq(errno, ENOENT);
	family_free(&near);
	close(proc);
}
END_TEST

static void put_list(const char *process, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/task/%s", process, process);
	files_make_dir(process);
	snprintf(path, sizeof(path), "%s/task", process);
	files_make_dir(path);
	snprintf(path, sizeof(path), "%s/task/%s", process, process);
	files_make_dir(path);
	snprintf(path, sizeof(path), "%s/task/%s/children", process, process);
	files_put(path, text);
}

START_TEST(lists_are_taken_as_far_as_they_make_sense)
{
	struct family family = { NULL, 0, 0 };
	int proc;

	files_enter_new_folder();
	put_list("10", "11 12 ");
	put_list("11", "13 99 ");
	put_list("12", "");
	put_list("13", "14 x 15 ");
	proc = open(".", O_PATH | O_CLOEXEC);
	ck_assert_int_eq(family_add(&family, proc, 10, true), 0);
	ck_assert_uint_eq(family.count, 5);
	for (pid_t pid = 11; pid <= 14; pid++)
		ck_assert(family_has(&family, pid));
	ck_assert(family_has(&family, 99));
	ck_assert(!family_has(&family, 15));
	family_free(&family);
	family_free(&family);
	close(proc);
}
END_TEST

START_TEST(a_circle_has_an_end)
{
	struct family family = { NULL, 0, 0 };
	int proc;

	/* No kernel shows one, but what is read at different times can look like it. */
	files_enter_new_folder();
	put_list("10", "11 ");
	put_list("11", "10 ");
	proc = open(".", O_PATH | O_CLOEXEC);
	ck_assert_int_eq(family_add(&family, proc, 10, true), 0);
	ck_assert_uint_gt(family.count, 1);
	family_free(&family);
	close(proc);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		children_and_their_children_are_listed,
		lists_are_taken_as_far_as_they_make_sense,
		a_circle_has_an_end,
	};

	return unit_run("linux/family", tests, UNIT_COUNT(tests));
}
