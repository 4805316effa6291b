/*
 * What is wanted of each control where the user said nothing: a table for each
 * system, since what a sandbox is made of differs. A system's host row names
 * its table.
 */
#ifndef NSBOX_CORE_DEFAULTS_H
#define NSBOX_CORE_DEFAULTS_H

#include "core/control.h"

extern const enum want defaults_linux[CONTROL_COUNT];
extern const enum want defaults_windows[CONTROL_COUNT];

/* Whether the control means something on the system of this table (NULL: Linux). */
bool defaults_know(const enum want *defaults, enum control control);

#endif
