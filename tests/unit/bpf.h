/*
 * Judges system call filters by running them over made-up calls, without installing
 * them: a small simulator of classic BPF as seccomp(2) uses it.
 */
#ifndef NSBOX_TESTS_UNIT_BPF_H
#define NSBOX_TESTS_UNIT_BPF_H

#include <stddef.h>
#include <stdint.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

/*
 * What the program returns for this call (SECCOMP_RET_...). Fails the test where the program is
 * one that the kernel would refuse: a jump or a load out of bounds, an unknown instruction.
 */
uint32_t bpf_run(const struct sock_filter *program, size_t length, const struct seccomp_data *data);

#endif
