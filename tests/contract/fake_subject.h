/*
 * The fake backend as a subject of the contract.
 */
#ifndef NSBOX_TESTS_CONTRACT_FAKE_SUBJECT_H
#define NSBOX_TESTS_CONTRACT_FAKE_SUBJECT_H

#include "contract/contract.h"

extern const struct contract_subject fake_subject;

#endif
