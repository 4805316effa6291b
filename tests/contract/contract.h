/*
 * What every backend has to keep, as a list of cases that are run through
 * backend_run. A backend's test is a small program: it fills in the table below
 * and returns contract_main of it.
 */
#ifndef NSBOX_TESTS_CONTRACT_CONTRACT_H
#define NSBOX_TESTS_CONTRACT_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/backend.h"

/*
 * The backend under test and the commands it is tried with. Each function completes an empty
 * spec, which is not frozen yet, with a command and what that needs to be seen.
 */
struct contract_subject {
	const struct backend *backend;
	const enum want *defaults;	/* of its system; NULL: defaults_linux */
	void (*exits)(struct spec *spec, int status);	/* ends with this exit status */
	void (*kills_itself)(struct spec *spec);	/* by signal 9; NULL: no signals here */
	void (*is_missing)(struct spec *spec);		/* does not exist */
	void (*is_no_program)(struct spec *spec);	/* is there and cannot be executed */
};

struct contract_result {
	size_t passed, failed, skipped;
};

/*
 * Runs all cases, in TAP on standard output if `print` is set. A host on which the backend
 * cannot run a plain command at all skips all of them.
 */
struct contract_result contract_run(const struct contract_subject *subject, bool print);

/* The same with `print`; returns the exit status. */
int contract_main(const struct contract_subject *subject);

#endif
