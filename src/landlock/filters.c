/*
 * The rows of the Landlock backend's filters (filters.h).
 *
 * ENOSYS only where callers have another way: clone3, openat2, io_uring, pidfd_send_signal. What a socket
 * gets is EAFNOSUPPORT, as on a kernel without that family.
 */
#include "landlock/filters.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "landlock/steps.h"
#include "linux/sys.h"
#include "linux/sysfilter.h"

#if defined(__x86_64__)
enum { OWN_ARCH = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { OWN_ARCH = AUDIT_ARCH_AARCH64 };
#elif defined(__riscv) && __riscv_xlen == 64
enum { OWN_ARCH = AUDIT_ARCH_RISCV64 };
#elif defined(__i386__)
enum { OWN_ARCH = AUDIT_ARCH_I386 };
#else
#error "say here which AUDIT_ARCH_* this is, and look through the rows: arguments may differ"
#endif

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_io_uring_register
#define SYS_io_uring_register 427
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

enum {
	X32 = 0x40000000,
	NAMESPACES = 0x7e020080,	/* every CLONE_NEW* bit; CLONE_NEWTIME is one of CSIGNAL's in clone */
	CLONE_NAMESPACES = 0x7e020000,
	IOPRIO_PROCESS = 1,
	SOCKET_TYPE = 0xf,	/* SOCK_CLOEXEC and SOCK_NONBLOCK are above it */
	GAIN = S_ISUID | S_ISGID,
	CLOSED = O_ACCMODE		/* access mode 3: opens a device that no rule allows, for ioctl */
};

struct row {
	unsigned flags;		/* only with one of these; 0: always */
	unsigned number;
	int error;
	struct sysfilter_test tests[2];
};

#define ALWAYS { { SYSFILTER_ALWAYS, 0, 0, 0 } }
#define NOTHING_ELSE { SYSFILTER_ALWAYS, 0, 0, 0 }
#define EQUALS(argument, value) { SYSFILTER_EQUAL, argument, 0, (uint32_t)(value) }
#define DIFFERS(argument, value) { SYSFILTER_DIFFERS, argument, 0, (uint32_t)(value) }
#define MASKED(argument, mask, value) { SYSFILTER_EQUAL, argument, mask, (uint32_t)(value) }
#define MASKED_OUT(argument, mask, value) { SYSFILTER_DIFFERS, argument, mask, (uint32_t)(value) }
#define ANY_BIT(argument, mask) { SYSFILTER_ANY_BIT, argument, (uint32_t)(mask), 0 }
#define NOT_NULL(argument) { SYSFILTER_NOT_NULL, argument, 0, 0 }

static const struct row rows[] = {
	/* Sockets: whatever family it is, one is made by these calls or received. */
	{ FILTERS_UNIX, SYS_socket, EAFNOSUPPORT, { EQUALS(0, AF_UNIX) } },
	{ FILTERS_NETWORK, SYS_socket, EAFNOSUPPORT, { DIFFERS(0, AF_UNIX) } },
	{ FILTERS_NETWORK, SYS_socketpair, EAFNOSUPPORT, { DIFFERS(0, AF_UNIX) } },
	/* One of a pair of datagram sockets can be led to any other; streams are connected for good. */
	{ FILTERS_UNIX, SYS_socketpair, EAFNOSUPPORT, { MASKED_OUT(1, SOCKET_TYPE, SOCK_STREAM),
	    MASKED_OUT(1, SOCKET_TYPE, SOCK_SEQPACKET) } },
#ifdef SYS_socketcall
	{ FILTERS_NETWORK, SYS_socketcall, EAFNOSUPPORT, ALWAYS },
#endif
	{ 0, SYS_io_uring_setup, ENOSYS, ALWAYS },
	{ 0, SYS_io_uring_enter, ENOSYS, ALWAYS },
	{ 0, SYS_io_uring_register, ENOSYS, ALWAYS },
	{ 0, SYS_pidfd_getfd, EPERM, ALWAYS },
	/* Files: what openat2 is asked for is behind a pointer. */
	{ 0, SYS_openat2, ENOSYS, ALWAYS },
	{ 0, SYS_openat, EACCES, { MASKED(2, O_ACCMODE, CLOSED) } },
#ifdef SYS_open
	{ 0, SYS_open, EACCES, { MASKED(1, O_ACCMODE, CLOSED) } },
	{ FILTERS_TRUNCATE, SYS_open, EACCES, { MASKED(1, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC) } },
#endif
	{ FILTERS_TRUNCATE, SYS_openat, EACCES, { MASKED(2, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC) } },
	{ FILTERS_TRUNCATE, SYS_truncate, EACCES, ALWAYS },
#ifdef SYS_truncate64
	{ FILTERS_TRUNCATE, SYS_truncate64, EACCES, ALWAYS },
#endif
	/* Modes that give whoever executes a file somebody else's rights: Landlock does not restrict modes. */
#ifdef SYS_chmod
	{ 0, SYS_chmod, EPERM, { ANY_BIT(1, GAIN) } },
	{ 0, SYS_open, EPERM, { ANY_BIT(1, O_CREAT), ANY_BIT(2, GAIN) } },
	{ 0, SYS_creat, EPERM, { ANY_BIT(1, GAIN) } },
	{ 0, SYS_mknod, EPERM, { ANY_BIT(1, GAIN) } },
	{ 0, SYS_mkdir, EPERM, { ANY_BIT(1, GAIN) } },
#endif
	{ 0, SYS_fchmod, EPERM, { ANY_BIT(1, GAIN) } },
	{ 0, SYS_fchmodat, EPERM, { ANY_BIT(2, GAIN) } },
	{ 0, SYS_fchmodat2, EPERM, { ANY_BIT(2, GAIN) } },
	{ 0, SYS_openat, EPERM, { ANY_BIT(2, O_CREAT), ANY_BIT(3, GAIN) } },
	{ 0, SYS_mknodat, EPERM, { ANY_BIT(2, GAIN) } },
	{ 0, SYS_mkdirat, EPERM, { ANY_BIT(2, GAIN) } },
	/* Limits and priorities of others: no rule of Landlock's is about them. */
	{ 0, SYS_prlimit64, EPERM, { DIFFERS(0, 0), NOT_NULL(2) } },
	{ 0, SYS_setpriority, EPERM, { DIFFERS(0, PRIO_PROCESS) } },
	{ 0, SYS_ioprio_set, EPERM, { DIFFERS(0, IOPRIO_PROCESS) } },
	/* IPC of the host, since there is no namespace for it; keyrings likewise. */
#ifdef SYS_ipc
	{ 0, SYS_ipc, EPERM, ALWAYS },
#endif
#ifdef SYS_shmget
	{ 0, SYS_shmget, EPERM, ALWAYS },
	{ 0, SYS_shmat, EPERM, ALWAYS },
	{ 0, SYS_shmctl, EPERM, ALWAYS },
	{ 0, SYS_semget, EPERM, ALWAYS },
	{ 0, SYS_semctl, EPERM, ALWAYS },
	{ 0, SYS_msgget, EPERM, ALWAYS },
	{ 0, SYS_msgsnd, EPERM, ALWAYS },
	{ 0, SYS_msgrcv, EPERM, ALWAYS },
	{ 0, SYS_msgctl, EPERM, ALWAYS },
#endif
#ifdef SYS_semop
	{ 0, SYS_semop, EPERM, ALWAYS },
#endif
#ifdef SYS_semtimedop
	{ 0, SYS_semtimedop, EPERM, ALWAYS },
#endif
	{ 0, SYS_mq_open, EPERM, ALWAYS },
	{ 0, SYS_mq_unlink, EPERM, ALWAYS },
	{ 0, SYS_add_key, EPERM, ALWAYS },
	{ 0, SYS_request_key, EPERM, ALWAYS },
	{ 0, SYS_keyctl, EPERM, ALWAYS },
	/* Namespaces: of no use here, and a way to kernel code that is not for everybody. */
	{ FILTERS_NESTING, SYS_unshare, EPERM, { ANY_BIT(0, NAMESPACES) } },
	{ FILTERS_NESTING, SYS_clone, EPERM, { ANY_BIT(0, CLONE_NAMESPACES) } },
	{ FILTERS_NESTING, SYS_setns, EPERM, ALWAYS },
	/* Its flags are behind a pointer. */
	{ 0, SYS_clone3, ENOSYS, ALWAYS },
	/* Signals below ABI 6: whoever gets them is told by F_SETOWN and the like as well. */
	{ FILTERS_SIGNALS, SYS_pidfd_send_signal, ENOSYS, ALWAYS },
	{ FILTERS_SIGNALS, SYS_fcntl, EPERM, { EQUALS(1, F_SETOWN_EX) } },
	{ FILTERS_SIGNALS, SYS_ioctl, EPERM, { EQUALS(1, 0x8901 /* FIOSETOWN */) } },
	{ FILTERS_SIGNALS, SYS_ioctl, EPERM, { EQUALS(1, 0x8902 /* SIOCSPGRP */) } },
};

/* Calls that take a process's number, of which some must not be named. */
static const struct {
	unsigned flags;
	unsigned number;
	unsigned argument;
	bool takes_groups;	/* a negative number is a process group */
	struct sysfilter_test also;
} targets[] = {
	{ FILTERS_SIGNALS, SYS_kill, 0, true, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_tkill, 0, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_tgkill, 0, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_tgkill, 1, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_rt_sigqueueinfo, 0, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_rt_tgsigqueueinfo, 0, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_rt_tgsigqueueinfo, 1, false, NOTHING_ELSE },
	{ FILTERS_SIGNALS, SYS_fcntl, 2, true, EQUALS(1, F_SETOWN) },
	{ 0, SYS_setpriority, 1, false, NOTHING_ELSE },
	{ 0, SYS_ioprio_set, 1, false, NOTHING_ELSE },
	{ 0, SYS_sched_setaffinity, 0, false, NOTHING_ELSE },
	{ 0, SYS_sched_setscheduler, 0, false, NOTHING_ELSE },
	{ 0, SYS_sched_setparam, 0, false, NOTHING_ELSE },
	{ 0, SYS_sched_setattr, 0, false, NOTHING_ELSE },
};

static size_t add_row(struct sock_filter *program, const struct row *row)
{
	const struct sysfilter_rule rule = {
		.number = row->number,
		.tests = { row->tests[0], row->tests[1] },
		.action = SECCOMP_RET_ERRNO | (unsigned)row->error,
	};

	return sysfilter_rule(program, &rule);
}

/*
 * For each number one comparison, behind one look at the call: numbers are 32 bits, and -1 as a target of kill is
 * everybody.
 */
static size_t add_targets(struct sock_filter *program, size_t index, pid_t supervisor, pid_t group)
{
	const uint32_t numbers[] = {
		(uint32_t)supervisor, STEPS_INIT, STEPS_KILLER, 0 - (uint32_t)supervisor,
		STEPS_INIT_NEGATIVE, STEPS_KILLER_NEGATIVE, 0 - (uint32_t)group, (uint32_t)-1,
	};
	size_t count = targets[index].takes_groups ? sizeof(numbers) / sizeof(numbers[0]) : 3;
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		const struct sysfilter_rule rule = {
			.number = targets[index].number,
			.tests = { EQUALS(targets[index].argument, numbers[i]), targets[index].also },
			.action = SECCOMP_RET_ERRNO | EPERM,
		};

		at += sysfilter_rule(program + at, &rule);
	}
	return at;
}

size_t filters_build(struct sock_filter program[FILTERS_MAX], unsigned flags, pid_t supervisor,
    pid_t group)
{
	size_t at = sysfilter_only_arch(program, OWN_ARCH, SECCOMP_RET_ERRNO | ENOSYS);

#if defined(__x86_64__)
	at += sysfilter_from_number(program + at, X32, SECCOMP_RET_ERRNO | ENOSYS);
#endif
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].flags == 0 || (rows[i].flags & flags))
			at += add_row(program + at, &rows[i]);
	}
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		if (targets[i].flags == 0 || (targets[i].flags & flags))
			at += add_targets(program + at, i, supervisor, group);
	}
	return at + sysfilter_return(program + at, SECCOMP_RET_ALLOW);
}

size_t filters_gate(struct sock_filter program[FILTERS_MAX], bool threads)
{
	const struct sysfilter_test is_process = { SYSFILTER_EQUAL, 0, CLONE_THREAD, 0 };
	const struct sysfilter_test always = NOTHING_ELSE;
	const struct sysfilter_rule asks[] = {
#ifdef SYS_fork
		{ .number = SYS_fork, .action = SECCOMP_RET_USER_NOTIF },
		{ .number = SYS_vfork, .action = SECCOMP_RET_USER_NOTIF },
#endif
		{ .number = SYS_clone, .tests = { threads ? always : is_process },
		    .action = SECCOMP_RET_USER_NOTIF },
	};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		at += sysfilter_rule(program + at, &asks[i]);
	return at + sysfilter_return(program + at, SECCOMP_RET_ALLOW);
}
