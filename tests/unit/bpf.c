/*
 * A simulator of classic BPF (bpf.h), with the checks that the kernel makes.
 */
#include "unit/bpf.h"

#include <stdbool.h>
#include <string.h>

#include <check.h>

struct machine {
	uint32_t a, x;
	uint32_t memory[BPF_MEMWORDS];
};

static uint32_t load(const struct seccomp_data *data, uint32_t offset)
{
	uint32_t word;

	ck_assert_msg(offset % 4 == 0 && offset + 4 <= sizeof(*data), "load of %u", offset);
	memcpy(&word, (const char *)data + offset, sizeof(word));
	return word;
}

static uint32_t calculate(uint16_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_AND: return a & b;
	case BPF_OR: return a | b;
	case BPF_XOR: return a ^ b;
	case BPF_LSH: return b < 32 ? a << b : 0;
	case BPF_RSH: return b < 32 ? a >> b : 0;
	case BPF_NEG: return -a;
	default: ck_abort_msg("calculation %#x", (unsigned)operation);
	}
	return 0;
}

static bool compare(uint16_t operation, uint32_t a, uint32_t b)
{
	switch (operation) {
	case BPF_JEQ: return a == b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JSET: return (a & b) != 0;
	default: ck_abort_msg("comparison %#x", (unsigned)operation);
	}
	return false;
}

/* Everything but jumps and returns. */
static void step(struct machine *machine, const struct sock_filter *at, const struct seccomp_data *data)
{
	switch (BPF_CLASS(at->code)) {
	case BPF_LD:
	case BPF_LDX:
		ck_assert(at->code == (BPF_LD | BPF_W | BPF_ABS) || BPF_MODE(at->code) == BPF_IMM ||
		    BPF_MODE(at->code) == BPF_MEM);
		ck_assert(BPF_MODE(at->code) != BPF_MEM || at->k < BPF_MEMWORDS);
		uint32_t value = BPF_MODE(at->code) == BPF_ABS ? load(data, at->k) :
		    BPF_MODE(at->code) == BPF_MEM ? machine->memory[at->k] : at->k;
		*(BPF_CLASS(at->code) == BPF_LD ? &machine->a : &machine->x) = value;
		break;
	case BPF_ST:
	case BPF_STX:
		ck_assert_uint_lt(at->k, BPF_MEMWORDS);
		machine->memory[at->k] = BPF_CLASS(at->code) == BPF_ST ? machine->a : machine->x;
		break;
	case BPF_ALU:
		machine->a = calculate(BPF_OP(at->code), machine->a,
		    BPF_SRC(at->code) == BPF_X ? machine->x : at->k);
		break;
	case BPF_MISC:
		if (BPF_MISCOP(at->code) == BPF_TAX)
			machine->x = machine->a;
		else
			machine->a = machine->x;
		break;
	default:
		ck_abort_msg("instruction %#x", (unsigned)at->code);
	}
}

uint32_t bpf_run(const struct sock_filter *program, size_t length, const struct seccomp_data *data)
{
	struct machine machine = { 0 };

	ck_assert(length > 0 && length <= BPF_MAXINSNS);
	/* Jumps only lead forward, so this ends. */
	for (size_t i = 0; i < length; i++) {
		const struct sock_filter *at = &program[i];

		if (BPF_CLASS(at->code) == BPF_RET)
			return BPF_RVAL(at->code) == BPF_A ? machine.a : at->k;
		if (BPF_CLASS(at->code) != BPF_JMP)
			step(&machine, at, data);
		else if (BPF_OP(at->code) == BPF_JA)
			i += at->k;
		else
			i += compare(BPF_OP(at->code), machine.a,
			    BPF_SRC(at->code) == BPF_X ? machine.x : at->k) ? at->jt : at->jf;
	}
	ck_abort_msg("the program runs over its end");
	return 0;
}
