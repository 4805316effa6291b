/*
 * What the contract of the Windows backend needs of the system that it runs on.
 */
#ifndef NSBOX_TESTS_WIN_CONTRACT_SYSTEM_H
#define NSBOX_TESTS_WIN_CONTRACT_SYSTEM_H

/* Makes a file that is no program. 0 or -1. */
int contract_system_begin(void);
const char *contract_system_junk(void);
void contract_system_end(void);

#endif
