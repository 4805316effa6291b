/*
 * Keeps the program's own file out of reach of what runs inside.
 */
#ifndef NSBOX_LINUX_REEXEC_H
#define NSBOX_LINUX_REEXEC_H

#include "core/err.h"

/*
 * Where the program's file belongs to the user that runs it, executes a sealed copy of it in
 * memory instead, and does not return. Returns 0 where that is not needed or is done already, else
 * -1.
 */
int reexec_from_copy(char **argv, struct err *err);

#endif
