/*
 * What ordinary programs need of the host's shared runtime (--runtime).
 */
#ifndef NSBOX_LINUX_RUNTIME_H
#define NSBOX_LINUX_RUNTIME_H

#include "core/str.h"

/*
 * Adds the absolute paths to show, as far as they exist below `root` (O_PATH descriptor
 * of the folder that counts as "/", -1: the host's). Works on merged and split /usr,
 * NixOS and Guix alike, since it looks at what is there and not at the name of the
 * system.
 */
void runtime_paths(int root, struct str_list *paths);

#endif
