/*
 * Paths of Windows: one spelling for each, and which of them may be given to a
 * sandbox at all. Pure: what a path leads to is not asked here.
 */
#ifndef NSBOX_WIN_PATH_H
#define NSBOX_WIN_PATH_H

#include <stdbool.h>

#include "core/err.h"

/*
 * struct host's parse_path. "C:\dir\file" with either slash; the result has backslashes, a
 * capital drive and no trailing one but a root's. What Windows would read as something else than a
 * file of that name (streams, devices, names that end in a dot or blank, UNC and \\?\ forms) is refused.
 * A path that begins with a single slash names a place of other systems; it is kept, for the
 * backend to refuse by option.
 */
int path_parse(const char *option, const char *word, char **path, struct err *err);

/* Whether it is absolute with a drive and written exactly as path_parse leaves it. */
bool path_is_plain(const char *path);

/* Whether it begins with a drive. */
bool path_has_drive(const char *path);
/* Whether `path` is `folder` or lies in it. Both as path_parse leaves them; no case. */
bool path_is_in(const char *path, const char *folder);
bool path_is_root(const char *path);
/* `folder` and a name in it; owned by the caller. */
char *path_join(const char *folder, const char *name);
/* What comes before the last component, the root for one in it; owned by the caller. */
char *path_parent(const char *path);
/* The last component. */
const char *path_name(const char *path);
/* Whether two names are the same to Windows; ASCII only, others have to be equal. */
bool path_same(const char *a, const char *b);

#endif
