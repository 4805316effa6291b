/*
 * Writes seccomp programs: a row for each refusal, judged one after the other.
 *
 * Only the lower half of an argument is compared, which is what the kernel looks at for an int:
 * a 64-bit register may have anything above it. SYSFILTER_NOT_NULL, for pointers, looks at both.
 */
#ifndef NSBOX_LINUX_SYSFILTER_H
#define NSBOX_LINUX_SYSFILTER_H

#include <stddef.h>
#include <stdint.h>

#include <linux/filter.h>

enum sysfilter_op {
	SYSFILTER_ALWAYS,		/* no test */
	SYSFILTER_EQUAL,		/* (argument & mask) == value; mask 0 stands for all bits */
	SYSFILTER_DIFFERS,		/* (argument & mask) != value */
	SYSFILTER_ANY_BIT,		/* (argument & mask) != 0 */
	SYSFILTER_NOT_NULL		/* argument != 0, all 64 bits */
};

struct sysfilter_test {
	enum sysfilter_op op;
	unsigned argument;
	uint32_t mask, value;
};

/* `action` (SECCOMP_RET_*) for the call where all tests hold. */
struct sysfilter_rule {
	uint32_t number;
	struct sysfilter_test tests[2];
	uint32_t action;
};

/* The longest that one rule becomes. */
enum { SYSFILTER_RULE_MAX = 12 };

/* Each writes instructions at `at` and returns how many. */
size_t sysfilter_rule(struct sock_filter *at, const struct sysfilter_rule *rule);
/* Jumps over the next `length` instructions (at most 255) unless the ABI is `arch`. */
size_t sysfilter_skip_unless_arch(struct sock_filter *at, uint32_t arch, size_t length);
/* `action` for every other ABI. */
size_t sysfilter_only_arch(struct sock_filter *at, uint32_t arch, uint32_t action);
/* `action` for numbers that are `from` or greater. */
size_t sysfilter_from_number(struct sock_filter *at, uint32_t from, uint32_t action);
size_t sysfilter_return(struct sock_filter *at, uint32_t action);

enum { SYSFILTER_SKIP_ARCH_LENGTH = 2 };

#endif
