/*
 * Small questions about folders.
 */
#ifndef NSBOX_LINUX_FOLDER_H
#define NSBOX_LINUX_FOLDER_H

/*
 * How many entries the folder `path` below `dir` has; its last component is not followed where it is a link. -1 with errno
 * where it cannot be read.
 */
int folder_count(int dir, const char *path);

#endif
