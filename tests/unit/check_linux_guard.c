/*
 * Tests of linux/guard.c: a table of calls, and the verdict on each.
 */
#include "linux/guard.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "unit/bpf.h"
#include "unit/unit.h"

enum {
	REFUSED = SECCOMP_RET_ERRNO | EPERM,
	X32 = 0x40000000,
	PASTE = 0x541C,		/* TIOCLINUX */
	MODES = 0x5401		/* TCGETS */
};

struct row {
	uint32_t arch;
	int nr;
	uint64_t request;
	bool refused;
};

static const uint64_t garbage = UINT64_C(0xdeadbeef00000000);
static const uint64_t all_ones = UINT64_C(0xffffffff00000000);

static uint32_t verdict(uint32_t arch, int nr, uint64_t request)
{
	struct sock_filter program[GUARD_MAX];
	/* The other arguments hold what must not matter. */
	struct seccomp_data data = {
		.nr = nr, .arch = arch, .instruction_pointer = TIOCSTI,
		.args = { 0, request, TIOCSTI, TIOCSTI, TIOCSTI, TIOCSTI },
	};

	return bpf_run(program, guard_build(program, GUARD_NETWORK | GUARD_GROUP), &data);
}

static void expect(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t got = verdict(rows[i].arch, rows[i].nr, rows[i].request);
		uint32_t wanted = rows[i].refused ? (uint32_t)REFUSED : SECCOMP_RET_ALLOW;

		ck_assert_msg(got == wanted, "row %zu: arch %#x nr %d request %#llx: %#x", i,
		    rows[i].arch, rows[i].nr, (unsigned long long)rows[i].request, got);
	}
}

/* The ABI that this program itself uses. */
#if defined(__x86_64__)
enum { OWN_ARCH = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { OWN_ARCH = AUDIT_ARCH_AARCH64 };
#elif defined(__i386__)
enum { OWN_ARCH = AUDIT_ARCH_I386 };
#elif defined(__riscv) && __riscv_xlen == 64
enum { OWN_ARCH = AUDIT_ARCH_RISCV64 };
#else
enum { OWN_ARCH = 0 };
#endif

START_TEST(typing_and_pasting_are_refused_and_nothing_else)
{
	const struct row rows[] = {
		{ OWN_ARCH, SYS_ioctl, TIOCSTI, true },
		{ OWN_ARCH, SYS_ioctl, PASTE, true },
		{ OWN_ARCH, SYS_ioctl, MODES, false },
		{ OWN_ARCH, SYS_ioctl, 0, false },
		{ OWN_ARCH, SYS_ioctl, TIOCSTI + 1, false },
		{ OWN_ARCH, SYS_ioctl, TIOCSTI - 1, false },
		{ OWN_ARCH, SYS_ioctl, PASTE + 1, false },
		{ OWN_ARCH, SYS_ioctl, PASTE - 1, false },
		{ OWN_ARCH, SYS_read, TIOCSTI, false },
		{ OWN_ARCH, SYS_write, PASTE, false },
		{ OWN_ARCH, -1, TIOCSTI, false },
	};

	expect(rows, UNIT_COUNT(rows));
}
END_TEST

START_TEST(what_stands_above_the_lower_half_does_not_matter)
{
	const struct row rows[] = {
		{ OWN_ARCH, SYS_ioctl, garbage | TIOCSTI, true },
		{ OWN_ARCH, SYS_ioctl, garbage | PASTE, true },
		{ OWN_ARCH, SYS_ioctl, all_ones | TIOCSTI, true },
		{ OWN_ARCH, SYS_ioctl, all_ones | PASTE, true },
		{ OWN_ARCH, SYS_ioctl, UINT64_C(1) << 32 | TIOCSTI, true },
		{ OWN_ARCH, SYS_ioctl, garbage | MODES, false },
		{ OWN_ARCH, SYS_ioctl, (uint64_t)TIOCSTI << 32, false },
	};

	if (sizeof(long) == 8)
		expect(rows, UNIT_COUNT(rows));
}
END_TEST

#if defined(__x86_64__)
START_TEST(the_other_abis_of_this_machine_are_no_way_round)
{
	const struct row rows[] = {
		{ AUDIT_ARCH_X86_64, X32 | 514, TIOCSTI, true },
		{ AUDIT_ARCH_X86_64, X32 | 514, PASTE, true },
		{ AUDIT_ARCH_X86_64, X32 | 514, garbage | TIOCSTI, true },
		{ AUDIT_ARCH_X86_64, X32 | 514, MODES, false },
		{ AUDIT_ARCH_X86_64, X32 | 16, MODES, false },
		{ AUDIT_ARCH_I386, 54, TIOCSTI, true },
		{ AUDIT_ARCH_I386, 54, PASTE, true },
		{ AUDIT_ARCH_I386, 54, MODES, false },
		/* The numbers of one ABI mean something else in another. */
		{ AUDIT_ARCH_I386, 16, TIOCSTI, false },
		{ AUDIT_ARCH_X86_64, 54, TIOCSTI, false },
		{ AUDIT_ARCH_X86_64, 514, MODES, false },
	};

	expect(rows, UNIT_COUNT(rows));
}
END_TEST

/* Kernels before 5.4 also took the number 16 with the bit of x32 for ioctl, and 514 without it. */
START_TEST(the_mixed_numbers_of_x32_are_no_way_round)
{
	const struct row rows[] = {
		{ AUDIT_ARCH_X86_64, X32 | 16, TIOCSTI, true },
		{ AUDIT_ARCH_X86_64, 514, TIOCSTI, true },
	};

	expect(rows, UNIT_COUNT(rows));
}
END_TEST
#endif

static uint32_t socket_verdict(uint32_t arch, int nr, uint64_t first, bool no_network)
{
	struct sock_filter program[GUARD_MAX];
	struct seccomp_data data = { .nr = nr, .arch = arch, .args = { first, 40, 40, 40, 40, 40 } };

	return bpf_run(program, guard_build(program, no_network ? GUARD_NETWORK : 0), &data);
}

START_TEST(sockets_of_the_hypervisor_are_refused_where_there_is_no_network)
{
	const uint32_t refused = SECCOMP_RET_ERRNO | EAFNOSUPPORT;

	ck_assert_uint_eq(socket_verdict(OWN_ARCH, SYS_socket, 40, true), refused);
	if (sizeof(long) == 8)
		ck_assert_uint_eq(socket_verdict(OWN_ARCH, SYS_socket, garbage | 40, true), refused);
	ck_assert_uint_eq(socket_verdict(OWN_ARCH, SYS_socket, 2, true), SECCOMP_RET_ALLOW);
	ck_assert_uint_eq(socket_verdict(OWN_ARCH, SYS_socket, 1, true), SECCOMP_RET_ALLOW);
	ck_assert_uint_eq(socket_verdict(OWN_ARCH, SYS_socket, 40, false), SECCOMP_RET_ALLOW);
	ck_assert_uint_eq(socket_verdict(OWN_ARCH, 425, 0, true),
	    (uint32_t)(SECCOMP_RET_ERRNO | ENOSYS));
	ck_assert_uint_eq(socket_verdict(OWN_ARCH, 425, 0, false), SECCOMP_RET_ALLOW);
#if defined(__x86_64__)
	ck_assert_uint_eq(socket_verdict(AUDIT_ARCH_X86_64, X32 | 41, 40, true), refused);
	ck_assert_uint_eq(socket_verdict(AUDIT_ARCH_I386, 359, 40, true), refused);
	ck_assert_uint_eq(socket_verdict(AUDIT_ARCH_I386, 359, 2, true), SECCOMP_RET_ALLOW);
	ck_assert_uint_eq(socket_verdict(AUDIT_ARCH_I386, 102, 1, true), refused);
	ck_assert_uint_eq(socket_verdict(AUDIT_ARCH_I386, 102, 3, true), SECCOMP_RET_ALLOW);
#endif
}
END_TEST

START_TEST(the_callers_process_group_is_out_of_reach_where_it_is_shared)
{
	struct sock_filter program[GUARD_MAX];
	size_t length = guard_build(program, GUARD_GROUP);
	struct seccomp_data data = { .nr = SYS_kill, .arch = OWN_ARCH, .args = { 0, 9 } };

	ck_assert_uint_eq(bpf_run(program, length, &data), (uint32_t)REFUSED);
	data.args[0] = 7;
	ck_assert_uint_eq(bpf_run(program, length, &data), SECCOMP_RET_ALLOW);
	data.args[0] = (uint32_t)-1;
	ck_assert_uint_eq(bpf_run(program, length, &data), SECCOMP_RET_ALLOW);
	data = (struct seccomp_data){ .nr = SYS_setpriority, .arch = OWN_ARCH, .args = { 1, 0, 5 } };
	ck_assert_uint_eq(bpf_run(program, length, &data), (uint32_t)REFUSED);
	data.args[0] = 0;
	ck_assert_uint_eq(bpf_run(program, length, &data), SECCOMP_RET_ALLOW);
	length = guard_build(program, 0);
	data = (struct seccomp_data){ .nr = SYS_kill, .arch = OWN_ARCH, .args = { 0, 9 } };
	ck_assert_uint_eq(bpf_run(program, length, &data), SECCOMP_RET_ALLOW);
}
END_TEST

START_TEST(the_program_fits_and_ends_in_a_verdict)
{
	struct sock_filter program[GUARD_MAX];
	size_t length = guard_build(program, GUARD_NETWORK | GUARD_GROUP);

	ck_assert_uint_gt(length, 0);
	ck_assert_uint_le(length, GUARD_MAX);
	ck_assert_uint_eq(BPF_CLASS(program[length - 1].code), BPF_RET);
	/* No jump leaves it. */
	for (size_t i = 0; i < length; i++) {
		if (BPF_CLASS(program[i].code) == BPF_JMP) {
			ck_assert_uint_lt(i + 1 + program[i].jt, length);
			ck_assert_uint_lt(i + 1 + program[i].jf, length);
		}
	}
}
END_TEST

/* A simulator that lets everything pass would find no fault. */
START_TEST(the_simulator_sees_what_a_program_does)
{
	const struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xff),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 7, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	struct seccomp_data data = { .nr = 7 };

	ck_assert_uint_eq(bpf_run(program, UNIT_COUNT(program), &data), SECCOMP_RET_ALLOW);
	data.nr = 0x106;
	ck_assert_uint_eq(bpf_run(program, UNIT_COUNT(program), &data), SECCOMP_RET_ERRNO | ENOSYS);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		typing_and_pasting_are_refused_and_nothing_else,
		what_stands_above_the_lower_half_does_not_matter,
#if defined(__x86_64__)
		the_other_abis_of_this_machine_are_no_way_round,
		the_mixed_numbers_of_x32_are_no_way_round,
#endif
		sockets_of_the_hypervisor_are_refused_where_there_is_no_network,
		the_callers_process_group_is_out_of_reach_where_it_is_shared,
		the_program_fits_and_ends_in_a_verdict,
		the_simulator_sees_what_a_program_does,
	};

	return unit_run("linux/guard", tests, UNIT_COUNT(tests));
}
