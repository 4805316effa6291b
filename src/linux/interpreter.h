/*
 * Reads from the first bytes of a program which interpreter it needs.
 */
#ifndef NSBOX_LINUX_INTERPRETER_H
#define NSBOX_LINUX_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/*
 * The dynamic loader of an ELF file (PT_INTERP) or the interpreter of a script ("#!"),
 * printable, in *path. false where the bytes name none. The bytes come from inside the
 * sandbox and may be anything.
 */
bool interpreter_of(const unsigned char *bytes, size_t length, struct str *path);

#endif
