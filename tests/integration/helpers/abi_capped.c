/*
 * In the place of src/linux/landlock_ask.c, for a program of the tests: NSBOX_TEST_LANDLOCK_ABI is the most that the kernel
 * is said to have. What is not handled is not restricted by it either, so this is as an older kernel is. A negative
 * number is an errno value, as of a kernel without Landlock.
 */
#include "linux/landlock_abi.h"

#include <errno.h>
#include <stdlib.h>

#include "linux/landlock_calls.h"

int abi_ask(void)
{
	int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, CALLS_VERSION);
	const char *most = getenv("NSBOX_TEST_LANDLOCK_ABI");
	int cap = most != NULL ? atoi(most) : abi;

	if (cap < 0) {
		errno = -cap;
		return -1;
	}
	return cap < abi ? cap : abi;
}
