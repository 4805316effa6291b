/*
 * The runner of all unit test programs.
 */
#include "unit/unit.h"

#include <stdlib.h>

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
