/*
 * Asks the kernel for its Landlock ABI. In a file of its own, so that a test's program can have another answer.
 */
#include "linux/landlock_abi.h"

#include <stddef.h>

#include "linux/landlock_calls.h"

int abi_ask(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, CALLS_VERSION);
}
