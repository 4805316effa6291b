/*
 * Reads files and descriptors that options name (struct host, read_input).
 */
#ifndef NSBOX_LINUX_INPUT_H
#define NSBOX_LINUX_INPUT_H

#include "core/host.h"

int input_read(const char *option, const char *name, size_t limit, struct str *text, struct err *err);

#endif
