/*
 * The runner of all unit test programs.
 */
#include "unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

/* Runs the tests of the group, which is named as the file is. */
static int run_group(const char *name, TCase *group)
{
	Suite *suite = suite_create(name);
	SRunner *runner;
	int failed;

	/* Sanitizers and busy machines are slow; nothing here waits for anything. */
	tcase_set_timeout(group, 60);
	suite_add_tcase(suite, group);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static TCase *make_group(const char *name, const TTest *const *tests, size_t count)
{
	TCase *group = tcase_create(name);

	for (size_t i = 0; i < count; i++)
		tcase_add_test(group, tests[i]);
	return group;
}

int unit_run(const char *name, const TTest *const *tests, size_t count)
{
	return run_group(name, make_group(name, tests, count));
}

int unit_run_between(const char *name, const TTest *const *tests, size_t count, void (*between)(void))
{
	TCase *group = make_group(name, tests, count);

	tcase_add_checked_fixture(group, between, between);
	return run_group(name, group);
}

int unit_run_exits(const char *name, const TTest *const *tests, size_t count,
    const TTest *const *exits, size_t exits_count, int status)
{
	TCase *group = make_group(name, tests, count);

	for (size_t i = 0; i < exits_count; i++)
		tcase_add_exit_test(group, exits[i], status);
	return run_group(name, group);
}

/* Check keeps its messages in a file without a name that was called check_XXXXXX. */
static void leave_messages(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct dirent *entry;

	if (dir == NULL || null < 0)
		abort();
	while ((entry = readdir(dir)) != NULL) {
		char target[256];
		ssize_t length = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		target[length < 0 ? 0 : length] = '\0';
		if (strstr(target, "/check_") != NULL && strstr(target, "(deleted)") != NULL)
			dup2(null, atoi(entry->d_name));
	}
	closedir(dir);
	close(null);
}

pid_t unit_fork(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		leave_messages();
	return pid;
}
