/*
 * One run of a backend under observation: a recorder stands between backend_run
 * and the backend, writes down what is called in which order, and is otherwise
 * not there.
 */
#ifndef NSBOX_TESTS_CONTRACT_TRIAL_H
#define NSBOX_TESTS_CONTRACT_TRIAL_H

#include <stdbool.h>

#include "core/backend.h"

/* One run and all that it left behind. */
struct trial {
	struct spec spec;
	struct report report;
	struct err err;
	int result;		/* of backend_run */
	bool stops;		/* the caller refuses before COMMAND is released */
};

/* The first thing that was wrong, or why a case says nothing here. */
struct verdict {
	char *fault;
	const char *skip;
};

/* Makes a trial with an empty spec, to be completed before trial_run. */
void trial_init(struct trial *trial, const enum want *defaults);
void trial_run(struct trial *trial, const struct backend *backend);
void trial_free(struct trial *trial);

/* What was called in the last trial ("prepare prepared start"), and whether it was just that. */
const char *trial_calls(void);
bool trial_called(const char *calls);

/* Notes a fault where something does not hold. Only the first is kept: others follow from it. */
void trial_expect(struct verdict *verdict, bool holds, const struct trial *trial,
    const char *what);

#define EXPECT(condition) trial_expect(verdict, (condition), &trial, #condition)

#endif
