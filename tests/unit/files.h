/*
 * Files and folders for tests that need real ones. Each of these functions fails the test
 * where it cannot do what it says.
 */
#ifndef NSBOX_TESTS_UNIT_FILES_H
#define NSBOX_TESTS_UNIT_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A new folder below the current one, which becomes the current one. */
void files_enter_new_folder(void);
/* mkdir with mode 0755, whatever the umask. */
void files_make_dir(const char *path);
/* Creates the file or replaces what it holds. */
void files_put(const char *path, const char *text);
/* Whether there is something of this name; a link is not followed. */
bool files_exist(const char *path);
/* Permissions, the upper three bits included. */
unsigned files_mode(const char *path);
/* How many entries a folder has. */
size_t files_count(const char *path);
/* The number that the next descriptor will have. */
int files_next_descriptor(void);

#endif
