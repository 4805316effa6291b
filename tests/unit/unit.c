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

int unit_run(const char *name, const TTest *const *tests, size_t count)
{
	return unit_run_exits(name, tests, count, NULL, 0, 0);
}

int unit_run_exits(const char *name, const TTest *const *tests, size_t count,
    const TTest *const *exits, size_t exits_count, int status)
{
	Suite *suite = suite_create(name);
	TCase *group = tcase_create(name);
	SRunner *runner;
	size_t i;
	int failed;

	/* Sanitizers and busy machines are slow; nothing here waits for anything. */
	tcase_set_timeout(group, 60);
	for (i = 0; i < count; i++)
		tcase_add_test(group, tests[i]);
	for (i = 0; i < exits_count; i++)
		tcase_add_exit_test(group, exits[i], status);
	suite_add_tcase(suite, group);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
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
