/*
 * The journal of one run: what it is about to make, written to disk before it
 * makes it, so that what a killed nsbox left can be found and taken away. It is
 * removed only after a teardown that was confirmed from end to end.
 */
#ifndef NSBOX_WIN_JOURNAL_H
#define NSBOX_WIN_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/str.h"

struct journal {
	char *file;		/* owned; where it is, NULL: not begun */
	char *name;		/* owned; of the run and its profile */
	uint32_t pid;		/* of the nsbox that owns the run */
	uint64_t created;	/* when that process was made */
	bool has_profile;
	char *scratch;		/* owned; a folder that is removed with all that is in it, NULL: none */
	struct str_list grants;	/* paths to which the run's SID was added */
};

/* The prefix of all names. A name is "nsbox.PID.RANDOM" in lower-case hexadecimal. */
#define JOURNAL_PREFIX "nsbox."
bool journal_is_name(const char *name);

/* A name that no other run has; owned by the caller. 0, or the error of Windows. */
uint32_t journal_make_name(uint32_t pid, char **name);

/* The folder of all journals; owned by the caller. 0, or the error of Windows. */
uint32_t journal_folder(char **folder);

/* Begins an empty journal for a new name of this process, and writes it. */
int journal_begin(struct journal *journal, struct err *err);
/* Writes what it holds now. To be called before what was added is made. */
int journal_write(const struct journal *journal, struct err *err);
/* Removes the file: nothing that it names is there any more. 0 or the error of Windows. */
uint32_t journal_end(struct journal *journal);
void journal_free(struct journal *journal);

/* The text of a journal, and back; false where it is none of ours in every detail. */
void journal_compose(const struct journal *journal, struct str *text);
bool journal_parse(const char *text, const char *name, struct journal *journal);

#endif
