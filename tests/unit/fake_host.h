/*
 * A host in memory for tests of the command lines: files are what the test says
 * they are, and nothing of the real system is looked at.
 */
#ifndef NSBOX_TESTS_UNIT_FAKE_HOST_H
#define NSBOX_TESTS_UNIT_FAKE_HOST_H

#include <stddef.h>

/* Makes read_input find `length` bytes under this name (a path or digits). */
void fake_host_add_file(const char *name, const void *bytes, size_t length);
/* The same for a text. */
void fake_host_add_text(const char *name, const char *text);
/* How often read_input was called since the last reset. */
unsigned fake_host_reads(void);
/* Forgets all files. */
void fake_host_reset(void);

#endif
