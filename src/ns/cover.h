/*
 * Where the hidden tmpfs is mounted while the root is built.
 */
#ifndef NSBOX_NS_COVER_H
#define NSBOX_NS_COVER_H

#include "linux/view.h"

/* A folder of the host that can be covered without hiding a source of the view; "/" where there is none. */
const char *cover_choose(const struct view *view);

#endif
