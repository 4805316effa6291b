/*
 * The answer of --check: what each backend could enforce on this host, as it was
 * found by doing it.
 */
#ifndef NSBOX_CLI_CHECK_H
#define NSBOX_CLI_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/backend.h"
#include "core/str.h"

/* 0: the first backend is whole; 1: something would run, and weaker; 2: nothing would. */
int check_status(const struct backend_check *checks, size_t count);

/* A table for people, in columns; with `colour` for a terminal that has it. */
void check_text(const struct backend_check *checks, size_t count, bool colour, struct str *text);

/* One JSON object, ended by a newline: nsbox-report(5). */
void check_json(const struct backend_check *checks, size_t count, const char *platform,
    struct str *text);

#endif
