/*
 * Tests that need Windows itself: real.exe runs nsbox.exe and looks at what it
 * did, from inside by child.exe and from outside through the system. Each group is a function;
 * real.c has the table.
 */
#ifndef NSBOX_TESTS_WIN_REAL_H
#define NSBOX_TESTS_WIN_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* One line of TAP; `format` says what was found where it does not hold. Returns `holds`. */
bool real_check(bool holds, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line that is only written down, for what is not known beforehand. */
void real_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What one run of a program gave. */
struct outcome {
	uint32_t code;
	struct str out;		/* standard output and standard error */
	struct str report;	/* of nsbox; empty where there is none */
	uint64_t took_ms;
};

/*
 * Runs nsbox.exe with options and a command, ended by NULL, and a report. Free the outcome.
 * real_run_program runs any program; `job` (a HANDLE or NULL) is what it is put into.
 */
void real_nsbox(struct outcome *outcome, const char *const *words);
void real_run_program(struct outcome *outcome, const char *const *words, void *job);
void real_free(struct outcome *outcome);
/* Starts nsbox.exe and returns its process once it wrote `sign` to its output; NULL where it never did. */
void *real_start(const char *const *words, const char *sign);

/* Whether the report says that the layer or limit is applied. */
bool real_is_applied(const struct outcome *outcome, const char *layer);
/* The first number in the output, or -1. */
long real_number(const struct outcome *outcome);

/* Where this program, child.exe and nsbox.exe are, and a folder for this run of the tests. */
const char *real_child(void);
const char *real_nsbox_path(void);
const char *real_folder_of_tests(void);
/* Makes a file with this text below that folder and returns its path; owned by the caller. */
char *real_make_file(const char *name, const char *text);
char *real_make_folder(const char *name);

/* The groups. */
void real_profiles(void);
void real_tokens(void);
void real_files(void);
void real_network(void);
void real_limits(void);
void real_nested_jobs(void);
void real_handles(void);
void real_read_back(void);
void real_teardown(void);
void real_programs(void);
void real_large_trees(void);
void real_removal(void);
void real_environment(void);
void real_words(void);
void real_reports(void);

#endif
