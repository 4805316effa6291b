/*
 * The runner of unit test programs on Windows (unit/unit.h): one process, TAP. A
 * test that fails leaves its memory behind, and nothing else.
 */
#include "unit/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf failed;

_Noreturn void check_fail(const char *file, int line, const char *format, ...)
{
	va_list args;

	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	longjmp(failed, 1);
}

static void nothing(void)
{
}

int unit_run(const char *name, const TTest *const *tests, size_t count)
{
	return unit_run_between(name, tests, count, nothing);
}

int unit_run_between(const char *name, const TTest *const *tests, size_t count, void (*between)(void))
{
	volatile size_t failures = 0;

	for (volatile size_t i = 0; i < count; i++) {
		volatile int has_failed = 1;

		between();
		if (setjmp(failed) == 0) {
			tests[i]->run(0);
			has_failed = 0;
		}
		between();
		failures += (size_t)has_failed;
		printf("%sok %zu - %s: %s\n", has_failed ? "not " : "", (size_t)i + 1, name, tests[i]->name);
		fflush(stdout);
	}
	printf("1..%zu\n", count);
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
