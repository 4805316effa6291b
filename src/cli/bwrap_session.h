/*
 * A run by bubblewrap's command line, from argv to an exit status.
 */
#ifndef NSBOX_CLI_BWRAP_SESSION_H
#define NSBOX_CLI_BWRAP_SESSION_H

#include <stdbool.h>

/*
 * Whether this command line is bubblewrap's: the program is called bwrap, or its first word is
 * --bwrap, or NSBOX_BWRAP=1 is in the environment.
 */
bool bwrap_is_meant(int argc, char **argv);

/* Runs it; messages go to standard error. Returns the exit status: 1 for all failures of its own. */
int bwrap_session(int argc, char **argv);

#endif
