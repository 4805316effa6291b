#ifndef NSBOX_LANDLOCK_BACKEND_LANDLOCK_H
#define NSBOX_LANDLOCK_BACKEND_LANDLOCK_H

#include "core/backend.h"

/* Landlock rules and system call filters, for hosts that refuse namespaces: weaker, and the report says how. */
extern const struct backend backend_landlock;

#endif
