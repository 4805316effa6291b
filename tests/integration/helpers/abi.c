/*
 * Prints the Landlock ABI of the kernel, 0 where it has none.
 */
#include "linux/landlock_abi.h"

#include <stdio.h>

int main(void)
{
	int abi = abi_ask();

	printf("%d\n", abi < 0 ? 0 : abi);
	return 0;
}
