/*
 * Reads files and descriptors that options name (struct host, read_input).
 */
#ifndef NSBOX_LINUX_INPUT_H
#define NSBOX_LINUX_INPUT_H

#include "core/host.h"

int input_read(const char *option, const char *name, size_t limit, struct str *text, struct err *err);

/*
 * The descriptor that the digits name, if the caller handed it to us. What nsbox itself opened is
 * close-on-exec, and what was inherited never is: a number that the caller did not fill must not give
 * away a descriptor of ours. 0, or -1 with ERR_USAGE that names the option.
 */
int input_inherited(const char *option, const char *digits, int *fd, struct err *err);

#endif
