/*
 * Refuses TIOCSTI (put characters into the terminal's input, CVE-2017-5226) and TIOCLINUX
 * (paste the console's selection, CVE-2023-28100) with EPERM: with either a process that
 * shares a terminal types commands into the shell outside. Everything else passes.
 *
 * Only the lower half of the request is compared, which is what the kernel looks at: an
 * int in a 64-bit register may have anything above it. Every ABI that the kernel may
 * accept is named, each with its own number of ioctl.
 */
#include "linux/terminal_filter.h"

#include <errno.h>
#include <stddef.h>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

struct entry {
	unsigned arch;
	unsigned number;
};

static const struct entry entries[] = {
#if defined(__x86_64__)
	{ AUDIT_ARCH_X86_64, 16 },
	{ AUDIT_ARCH_X86_64, 0x40000000 | 514 },	/* x32 */
	{ AUDIT_ARCH_I386, 54 },
#elif defined(__i386__)
	{ AUDIT_ARCH_I386, 54 },
#elif defined(__aarch64__)
	{ AUDIT_ARCH_AARCH64, 29 },
	{ AUDIT_ARCH_ARM, 54 },
#elif defined(__riscv) && __riscv_xlen == 64
	{ AUDIT_ARCH_RISCV64, 29 },
#else
	{ 0, SYS_ioctl },	/* 0: whatever the ABI */
#endif
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { REQUEST_OFFSET = offsetof(struct seccomp_data, args[1]) };
#else
enum { REQUEST_OFFSET = offsetof(struct seccomp_data, args[1]) + 4 };
#endif

size_t terminal_filter_build(struct sock_filter program[TERMINAL_FILTER_MAX])
{
	size_t at = 0;

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		const struct sock_filter block[] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
			/* Not this ABI: on to the next block. */
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, entries[i].arch, 0, 6),
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, entries[i].number, 0, 4),
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, REQUEST_OFFSET),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1),
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		};
		size_t first = entries[i].arch == 0 ? 2 : 0;

		for (size_t j = first; j < sizeof(block) / sizeof(block[0]); j++)
			program[at++] = block[j];
	}
	program[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return at;
}
