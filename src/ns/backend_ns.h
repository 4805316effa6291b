/*
 * The namespace backend.
 */
#ifndef NSBOX_NS_BACKEND_NS_H
#define NSBOX_NS_BACKEND_NS_H

#include "core/backend.h"

extern const struct backend backend_ns;

#endif
