/*
 * Refuses, and lets pass everything else:
 *
 * TIOCSTI (put characters into a terminal's input, CVE-2017-5226) and TIOCLINUX (paste the
 * console's selection, CVE-2023-28100), with EPERM: with either, a process that was given a
 * terminal types commands into the shell outside.
 *
 * AF_VSOCK, with EAFNOSUPPORT: these sockets reach the hypervisor and other virtual machines, and
 * network namespaces do not hold them before Linux 7.0. On i386 the family may be behind a
 * pointer (socketcall), so that way of making a socket is refused altogether. io_uring makes
 * sockets without the system call, and answers ENOSYS, for which its users are prepared.
 *
 * Where COMMAND stays in the caller's process group: signals to "my group" (kill with 0) and
 * priorities of it, with EPERM. A pid namespace does not hold them: they reach the caller's pipeline
 * and shell.
 *
 * Every ABI that the kernel may accept is named, each with its own numbers.
 */
#include "linux/guard.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "linux/sysfilter.h"

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425	/* the same everywhere but on alpha */
#endif

enum {
	VSOCK = 40,		/* AF_VSOCK */
	MAKE_SOCKET = 1,	/* SYS_SOCKET of socketcall(2) */
	X32 = 0x40000000,
	IOPRIO_GROUP = 2,	/* IOPRIO_WHO_PGRP */
	NO_ARGUMENT = -1
};

struct rule {
	unsigned arch;		/* 0: whatever the ABI */
	unsigned number;
	int argument;		/* which is compared, NO_ARGUMENT: none */
	unsigned value;
	int error;
	unsigned flags;		/* only with one of these; 0: always */
};

#define TERMINAL(arch, ioctl) \
	{ arch, ioctl, 1, TIOCSTI, EPERM, 0 }, { arch, ioctl, 1, TIOCLINUX, EPERM, 0 }
#define SOCKETS(arch, socket, uring) \
	{ arch, socket, 0, VSOCK, EAFNOSUPPORT, GUARD_NETWORK }, \
	{ arch, uring, NO_ARGUMENT, 0, ENOSYS, GUARD_NETWORK }
#define GROUPS(arch, kill, setpriority, ioprio_set) \
	{ arch, kill, 0, 0, EPERM, GUARD_GROUP }, \
	{ arch, setpriority, 0, PRIO_PGRP, EPERM, GUARD_GROUP }, \
	{ arch, ioprio_set, 0, IOPRIO_GROUP, EPERM, GUARD_GROUP }

/* Rows of one ABI stand together. */
static const struct rule rules[] = {
#if defined(__x86_64__)
	TERMINAL(AUDIT_ARCH_X86_64, 16),
	TERMINAL(AUDIT_ARCH_X86_64, X32 | 514),
	/* Before Linux 5.4 the numbers of one of the two also passed with the bit of the other. */
	TERMINAL(AUDIT_ARCH_X86_64, X32 | 16),
	TERMINAL(AUDIT_ARCH_X86_64, 514),
	SOCKETS(AUDIT_ARCH_X86_64, 41, 425),
	GROUPS(AUDIT_ARCH_X86_64, 62, 141, 251),
	GROUPS(AUDIT_ARCH_X86_64, X32 | 62, X32 | 141, X32 | 251),
	SOCKETS(AUDIT_ARCH_X86_64, X32 | 41, X32 | 425),
#endif
#if defined(__x86_64__) || defined(__i386__)
	TERMINAL(AUDIT_ARCH_I386, 54),
	SOCKETS(AUDIT_ARCH_I386, 359, 425),
	{ AUDIT_ARCH_I386, 102, 0, MAKE_SOCKET, EAFNOSUPPORT, GUARD_NETWORK },
	GROUPS(AUDIT_ARCH_I386, 37, 97, 289),
#elif defined(__aarch64__)
	TERMINAL(AUDIT_ARCH_AARCH64, 29),
	SOCKETS(AUDIT_ARCH_AARCH64, 198, 425),
	GROUPS(AUDIT_ARCH_AARCH64, 129, 140, 30),
	TERMINAL(AUDIT_ARCH_ARM, 54),
	SOCKETS(AUDIT_ARCH_ARM, 281, 425),
	GROUPS(AUDIT_ARCH_ARM, 37, 97, 314),
#elif defined(__riscv) && __riscv_xlen == 64
	TERMINAL(AUDIT_ARCH_RISCV64, 29),
	SOCKETS(AUDIT_ARCH_RISCV64, 198, 425),
	GROUPS(AUDIT_ARCH_RISCV64, 129, 140, 30),
#else
	TERMINAL(0, SYS_ioctl),
	GROUPS(0, SYS_kill, SYS_setpriority, SYS_ioprio_set),
#ifdef SYS_socket
	SOCKETS(0, SYS_socket, SYS_io_uring_setup),
#endif
#endif
};

static size_t add_rule(struct sock_filter *program, const struct rule *rule)
{
	const struct sysfilter_rule row = {
		.number = rule->number,
		.tests[0] = {
			.op = rule->argument == NO_ARGUMENT ? SYSFILTER_ALWAYS : SYSFILTER_EQUAL,
			.argument = (unsigned)rule->argument,
			.value = rule->value,
		},
		.action = SECCOMP_RET_ERRNO | (unsigned)rule->error,
	};

	return sysfilter_rule(program, &row);
}

/* All rules of one ABI behind one look at which it is. Moves *next behind them. */
static size_t add_abi(struct sock_filter *program, size_t *next, unsigned flags)
{
	const size_t count = sizeof(rules) / sizeof(rules[0]);
	unsigned arch = rules[*next].arch;
	size_t start = arch == 0 ? 0 : SYSFILTER_SKIP_ARCH_LENGTH;
	size_t at = start;

	for (; *next < count && rules[*next].arch == arch; ++*next) {
		if (rules[*next].flags == 0 || (rules[*next].flags & flags))
			at += add_rule(program + at, &rules[*next]);
	}
	if (arch != 0)
		sysfilter_skip_unless_arch(program, arch, at - start);
	return at;
}

size_t guard_build(struct sock_filter program[GUARD_MAX], unsigned flags)
{
	size_t at = 0, next = 0;

	while (next < sizeof(rules) / sizeof(rules[0]))
		at += add_abi(program + at, &next, flags);
	return at + sysfilter_return(program + at, SECCOMP_RET_ALLOW);
}
