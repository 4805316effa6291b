/*
 * Errors of Windows as values of the core: the number as Windows writes it, the
 * system's sentence, and the errno value that comes nearest.
 */
#ifndef NSBOX_WIN_FAIL_H
#define NSBOX_WIN_FAIL_H

#include <stdint.h>

#include "core/err.h"
#include "core/report.h"

/* "MESSAGE: 0x80070005: Access is denied"; returns -1. */
int fail_set(struct err *err, enum err_kind kind, uint32_t error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "0x80070005: Access is denied"; owned by the caller. */
char *fail_text(uint32_t error);

/* The layer is missing because of this error; `what` says what was tried. */
void fail_layer(struct report *report, enum control control, const char *what, uint32_t error);

/* The errno value that comes nearest, EIO where none does. */
int fail_errno(uint32_t error);

#endif
