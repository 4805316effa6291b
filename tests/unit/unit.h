/*
 * Runs the tests of one file. Each file is one program, which fails where one
 * of its tests does.
 */
#ifndef NSBOX_TESTS_UNIT_UNIT_H
#define NSBOX_TESTS_UNIT_UNIT_H

#include <check.h>
#include <stddef.h>

#include <sys/types.h>

/* Returns the exit status for main. `name` is the file under test ("core/str"). */
int unit_run(const char *name, const TTest *const *tests, size_t count);

/* The same, with `between` called before and after each test. */
int unit_run_between(const char *name, const TTest *const *tests, size_t count, void (*between)(void));

/* The same as the first, and each of `exits` has to end its process with `status`. */
int unit_run_exits(const char *name, const TTest *const *tests, size_t count,
    const TTest *const *exits, size_t exits_count, int status);

/*
 * fork(2), which a test must use in its place: Check's assertions write to a file that the child would share
 * with the test, and half a message is the end of the whole program. In the child a failed assertion ends
 * the process with status 1, and nothing else. Never returns -1.
 */
pid_t unit_fork(void);

#define UNIT_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
