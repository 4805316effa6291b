/*
 * Writes seccomp programs (sysfilter.h).
 */
#include "linux/sysfilter.h"

#include <stddef.h>

#include <linux/seccomp.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { LOWER_HALF = 0, UPPER_HALF = 4 };
#else
enum { LOWER_HALF = 4, UPPER_HALF = 0 };
#endif

static size_t load(struct sock_filter *at, size_t offset)
{
	*at = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
	return 1;
}

static size_t jump(struct sock_filter *at, unsigned op, uint32_t value, size_t if_true, size_t if_false)
{
	*at = (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | op | BPF_K), value,
	    (unsigned char)if_true, (unsigned char)if_false);
	return 1;
}

size_t sysfilter_return(struct sock_filter *at, uint32_t action)
{
	*at = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	return 1;
}

/* How many instructions a test is. */
static size_t test_length(const struct sysfilter_test *test)
{
	switch (test->op) {
	case SYSFILTER_EQUAL:
	case SYSFILTER_DIFFERS:
		return test->mask != 0 ? 3 : 2;
	case SYSFILTER_ANY_BIT:
		return 2;
	case SYSFILTER_NOT_NULL:
		return 4;
	case SYSFILTER_ALWAYS:
		break;
	}
	return 0;
}

/* Goes on behind itself where the test holds, else jumps `otherwise` further. */
static size_t add_test(struct sock_filter *program, const struct sysfilter_test *test, size_t otherwise)
{
	size_t argument = offsetof(struct seccomp_data, args) + test->argument * sizeof(uint64_t);
	size_t at = 0;

	if (test->op == SYSFILTER_ALWAYS)
		return 0;
	if (test->op == SYSFILTER_NOT_NULL) {
		at += load(program + at, argument + UPPER_HALF);
		at += jump(program + at, BPF_JEQ, 0, 0, 2);
		at += load(program + at, argument + LOWER_HALF);
		return at + jump(program + at, BPF_JEQ, 0, otherwise, 0);
	}
	at += load(program + at, argument + LOWER_HALF);
	if (test->op == SYSFILTER_ANY_BIT)
		return at + jump(program + at, BPF_JSET, test->mask, 0, otherwise);
	if (test->mask != 0)
		program[at++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, test->mask);
	return at + (test->op == SYSFILTER_EQUAL ?
	    jump(program + at, BPF_JEQ, test->value, 0, otherwise) :
	    jump(program + at, BPF_JEQ, test->value, otherwise, 0));
}

size_t sysfilter_rule(struct sock_filter *program, const struct sysfilter_rule *rule)
{
	size_t first = test_length(&rule->tests[0]), second = test_length(&rule->tests[1]);
	size_t at = load(program, offsetof(struct seccomp_data, nr));

	at += jump(program + at, BPF_JEQ, rule->number, 0, first + second + 1);
	at += add_test(program + at, &rule->tests[0], second + 1);
	at += add_test(program + at, &rule->tests[1], 1);
	return at + sysfilter_return(program + at, rule->action);
}

size_t sysfilter_skip_unless_arch(struct sock_filter *program, uint32_t arch, size_t length)
{
	size_t at = load(program, offsetof(struct seccomp_data, arch));

	return at + jump(program + at, BPF_JEQ, arch, 0, length);
}

size_t sysfilter_only_arch(struct sock_filter *program, uint32_t arch, uint32_t action)
{
	size_t at = load(program, offsetof(struct seccomp_data, arch));

	at += jump(program + at, BPF_JEQ, arch, 1, 0);
	return at + sysfilter_return(program + at, action);
}

size_t sysfilter_from_number(struct sock_filter *program, uint32_t from, uint32_t action)
{
	size_t at = load(program, offsetof(struct seccomp_data, nr));

	at += jump(program + at, BPF_JGE, from, 0, 1);
	return at + sysfilter_return(program + at, action);
}
