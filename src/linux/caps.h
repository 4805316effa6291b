/*
 * Names of capabilities, through libcap.
 */
#ifndef NSBOX_LINUX_CAPS_H
#define NSBOX_LINUX_CAPS_H

#include <stdint.h>

#include "core/err.h"
#include "core/str.h"

/*
 * The set that a list of names ("CAP_NET_RAW", "net_raw", "ALL") makes; ERR_USAGE for a
 * name that is none.
 */
int caps_parse(const struct str_list *names, uint64_t *set, struct err *err);

/* The number of a capability, by libcap's full name or by its number; -1 where there is none. */
int caps_find(const char *name);

#endif
