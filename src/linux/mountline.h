/*
 * Pieces of a line of mountinfo, proc_pid_mountinfo(5). Child code may use
 * them too: they are pure.
 */
#ifndef NSBOX_LINUX_MOUNTLINE_H
#define NSBOX_LINUX_MOUNTLINE_H

#include <stdbool.h>

/* Undoes \ooo (blank, tab, newline, backslash) in place. */
void mountline_unescape(char *text);

/* Whether the comma-separated `options` hold the word `name`. */
bool mountline_has_option(const char *options, const char *name);

/* Whether `path` is `folder` or lies below it, by components. Both are absolute. */
bool mountline_is_below(const char *path, const char *folder);

#endif
