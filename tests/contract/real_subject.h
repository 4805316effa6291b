/*
 * The commands that the contract is tried with on a real host.
 */
#ifndef NSBOX_TESTS_CONTRACT_REAL_SUBJECT_H
#define NSBOX_TESTS_CONTRACT_REAL_SUBJECT_H

#include "core/backend.h"

/* Runs the contract for this backend; the exit status for main. */
int real_subject_main(int argc, char **argv, const struct backend *backend);

#endif
