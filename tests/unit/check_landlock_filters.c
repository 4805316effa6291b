/*
 * Tests of landlock/filters.c and linux/sysfilter.c: a table of calls, and the verdict on each, by a simulator of BPF.
 */
#include "landlock/filters.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "landlock/steps.h"
#include "linux/sys.h"
#include "unit/bpf.h"
#include "unit/unit.h"

#if defined(__x86_64__)
enum { OWN_ARCH = AUDIT_ARCH_X86_64, OTHER_ARCH = AUDIT_ARCH_I386 };
#elif defined(__aarch64__)
enum { OWN_ARCH = AUDIT_ARCH_AARCH64, OTHER_ARCH = AUDIT_ARCH_ARM };
#else
enum { OWN_ARCH = AUDIT_ARCH_RISCV64, OTHER_ARCH = AUDIT_ARCH_ARM };
#endif

enum {
	ALL = FILTERS_NETWORK | FILTERS_UNIX | FILTERS_TRUNCATE | FILTERS_SIGNALS | FILTERS_NESTING,
	SUPERVISOR = 1000, GROUP = 900, STRANGER = 77
};

struct row {
	int nr;
	uint64_t args[4];
	unsigned flags;
	int error;		/* 0: let through */
};

#define HIGH (UINT64_C(0xdeadbeef) << 32)	/* what an int's register may hold above it */

static const struct row rows[] = {
	{ SYS_socket, { AF_INET }, ALL, EAFNOSUPPORT },
	{ SYS_socket, { HIGH | AF_INET }, ALL, EAFNOSUPPORT },
	{ SYS_socket, { HIGH | AF_UNIX }, ALL, EAFNOSUPPORT },
	{ SYS_socket, { AF_NETLINK }, FILTERS_NETWORK, EAFNOSUPPORT },
	{ SYS_socket, { 0 }, FILTERS_NETWORK, EAFNOSUPPORT },
	{ SYS_socket, { AF_UNIX }, FILTERS_NETWORK, 0 },
	{ SYS_socket, { AF_UNIX }, FILTERS_UNIX, EAFNOSUPPORT },
	{ SYS_socket, { AF_INET }, FILTERS_UNIX, 0 },
	{ SYS_socket, { AF_INET }, 0, 0 },
	{ SYS_socketpair, { AF_UNIX, SOCK_STREAM }, ALL, 0 },
	{ SYS_socketpair, { AF_UNIX, HIGH | SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK }, ALL, 0 },
	{ SYS_socketpair, { AF_UNIX, SOCK_SEQPACKET }, ALL, 0 },
	{ SYS_socketpair, { AF_UNIX, SOCK_DGRAM }, ALL, EAFNOSUPPORT },
	{ SYS_socketpair, { AF_UNIX, SOCK_RAW | SOCK_CLOEXEC }, ALL, EAFNOSUPPORT },
	{ SYS_socketpair, { AF_UNIX, SOCK_DGRAM }, FILTERS_NETWORK, 0 },
	{ SYS_socketpair, { 30, SOCK_STREAM }, ALL, EAFNOSUPPORT },
	{ 425, { 8 }, ALL, ENOSYS },
	{ 425, { 8 }, 0, ENOSYS },
	{ 438, { 3 }, 0, EPERM },
	{ SYS_openat2, { 0 }, 0, ENOSYS },
	{ SYS_openat, { 0, 0, O_RDONLY }, ALL, 0 },
	{ SYS_openat, { 0, 0, O_RDWR | O_CREAT | O_TRUNC, 0644 }, ALL, 0 },
	{ SYS_openat, { 0, 0, O_WRONLY | O_TRUNC }, ALL, 0 },
	{ SYS_openat, { 0, 0, O_RDONLY | O_TRUNC }, ALL, EACCES },
	{ SYS_openat, { 0, 0, HIGH | O_RDONLY | O_TRUNC }, ALL, EACCES },
	{ SYS_openat, { 0, 0, O_RDONLY | O_TRUNC }, 0, 0 },
	{ SYS_openat, { 0, 0, O_ACCMODE }, 0, EACCES },
	{ SYS_openat, { 0, 0, HIGH | O_ACCMODE | O_CLOEXEC }, 0, EACCES },
	{ SYS_openat, { 0, 0, O_WRONLY | O_CREAT, 04755 }, 0, EPERM },
	{ SYS_openat, { 0, 0, O_RDONLY, 04755 }, 0, 0 },
	{ SYS_truncate, { 0 }, ALL, EACCES },
	{ SYS_truncate, { 0 }, 0, 0 },
	{ SYS_fchmod, { 3, 0755 }, 0, 0 },
	{ SYS_fchmod, { 3, HIGH | 04755 }, 0, EPERM },
	{ SYS_fchmodat, { 0, 0, 02755 }, 0, EPERM },
	{ 452, { 0, 0, 06000 }, 0, EPERM },
	{ SYS_prlimit64, { 0, RLIMIT_CPU, 4096 }, 0, 0 },
	{ SYS_prlimit64, { HIGH, RLIMIT_CPU, 4096 }, 0, 0 },
	{ SYS_prlimit64, { STRANGER, RLIMIT_CPU, 0 }, 0, 0 },
	{ SYS_prlimit64, { STRANGER, RLIMIT_CPU, 4096 }, 0, EPERM },
	{ SYS_prlimit64, { STRANGER, RLIMIT_CPU, UINT64_C(1) << 40 }, 0, EPERM },
	{ SYS_setpriority, { PRIO_PROCESS, STRANGER }, 0, 0 },
	{ SYS_setpriority, { PRIO_PROCESS, SUPERVISOR }, 0, EPERM },
	{ SYS_setpriority, { PRIO_USER, 0 }, 0, EPERM },
	{ SYS_sched_setaffinity, { STEPS_INIT }, 0, EPERM },
	{ SYS_sched_setaffinity, { 0 }, 0, 0 },
#ifdef SYS_shmget
	{ SYS_shmget, { 0 }, 0, EPERM },
	{ SYS_msgget, { 0 }, 0, EPERM },
	{ SYS_semget, { 0 }, 0, EPERM },
#endif
	{ SYS_mq_open, { 0 }, 0, EPERM },
	{ SYS_keyctl, { 0 }, 0, EPERM },
	{ SYS_unshare, { CLONE_NEWUSER }, ALL, EPERM },
	{ SYS_unshare, { CLONE_NEWTIME }, ALL, EPERM },
	{ SYS_unshare, { CLONE_FILES }, ALL, 0 },
	{ SYS_unshare, { CLONE_NEWUSER }, 0, 0 },
	{ SYS_clone, { CLONE_NEWPID | 17 }, ALL, EPERM },
	{ SYS_clone, { CLONE_VM | CLONE_VFORK | 17 }, ALL, 0 },
	{ SYS_clone3, { 0 }, 0, ENOSYS },
	{ SYS_setns, { 3 }, ALL, EPERM },
	{ SYS_kill, { SUPERVISOR }, ALL, EPERM },
	{ SYS_kill, { HIGH | SUPERVISOR }, ALL, EPERM },
	{ SYS_kill, { STEPS_INIT }, ALL, EPERM },
	{ SYS_kill, { (uint32_t)-SUPERVISOR }, ALL, EPERM },
	{ SYS_kill, { (uint32_t)-GROUP }, ALL, EPERM },
	{ SYS_kill, { (uint32_t)-1 }, ALL, EPERM },
	{ SYS_kill, { STRANGER }, ALL, 0 },
	{ SYS_kill, { 0 }, ALL, 0 },
	{ SYS_kill, { SUPERVISOR }, 0, 0 },
	{ SYS_tgkill, { STRANGER, STEPS_KILLER }, ALL, EPERM },
	{ SYS_rt_sigqueueinfo, { SUPERVISOR }, ALL, EPERM },
	{ SYS_fcntl, { 3, F_SETOWN, SUPERVISOR }, ALL, EPERM },
	{ SYS_fcntl, { 3, F_SETOWN, STRANGER }, ALL, 0 },
	{ SYS_fcntl, { 3, F_GETOWN, SUPERVISOR }, ALL, 0 },
	{ SYS_fcntl, { 3, F_SETOWN_EX, 4096 }, ALL, EPERM },
	{ SYS_read, { 0 }, ALL, 0 },
	{ SYS_execve, { 0 }, ALL, 0 },
};

static uint32_t verdict(unsigned flags, uint32_t arch, int nr, const uint64_t args[4])
{
	struct sock_filter program[FILTERS_MAX];
	struct seccomp_data data = { .nr = nr, .arch = arch };
	size_t count = filters_build(program, flags, SUPERVISOR, GROUP);

	ck_assert_uint_le(count, FILTERS_MAX);
	for (int i = 0; i < 4; i++)
		data.args[i] = args[i];
	return bpf_run(program, count, &data);
}

START_TEST(each_call_has_its_verdict)
{
	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		uint32_t wanted = rows[i].error == 0 ? SECCOMP_RET_ALLOW :
		    SECCOMP_RET_ERRNO | (uint32_t)rows[i].error;
		uint32_t got = verdict(rows[i].flags, OWN_ARCH, rows[i].nr, rows[i].args);

		ck_assert_msg(got == wanted, "row %zu: call %d: %#x, wanted %#x", i, rows[i].nr, got, wanted);
	}
}
END_TEST

START_TEST(other_abis_have_no_calls)
{
	const uint64_t none[4] = { 0 };

	for (int nr = 0; nr < 500; nr++)
		ck_assert_uint_eq(verdict(0, OTHER_ARCH, nr, none), SECCOMP_RET_ERRNO | ENOSYS);
#if defined(__x86_64__)
	for (int nr = 0; nr < 600; nr++)
		ck_assert_uint_eq(verdict(0, OWN_ARCH, nr | 0x40000000, none), SECCOMP_RET_ERRNO | ENOSYS);
#endif
}
END_TEST

START_TEST(the_gate_asks_for_processes_and_where_it_has_to_for_threads)
{
	const struct {
		int nr;
		uint64_t flags;
		bool threads, asks;
	} cases[] = {
		{ SYS_clone, 17, false, true }, { SYS_clone, 17, true, true },
		{ SYS_clone, CLONE_VM | CLONE_VFORK | 17, false, true },
		{ SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, false, false },
		{ SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, true, true },
		{ SYS_execve, 0, true, false }, { SYS_read, 0, true, false },
#ifdef SYS_fork
		{ SYS_fork, 0, false, true }, { SYS_vfork, 0, false, true },
#endif
	};

	for (size_t i = 0; i < UNIT_COUNT(cases); i++) {
		struct sock_filter program[FILTERS_MAX];
		struct seccomp_data data = { .nr = cases[i].nr, .arch = OWN_ARCH, .args = { cases[i].flags } };
		size_t count = filters_gate(program, cases[i].threads);

		ck_assert_msg(bpf_run(program, count, &data) ==
		    (cases[i].asks ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW), "case %zu", i);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		each_call_has_its_verdict,
		other_abis_have_no_calls,
		the_gate_asks_for_processes_and_where_it_has_to_for_threads,
	};

	return unit_run("landlock/filters", tests, UNIT_COUNT(tests));
}
