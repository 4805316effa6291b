/*
 * Confirms the view: every mount that the child has, against what was asked.
 */
#ifndef NSBOX_NS_CONFIRM_MOUNTS_H
#define NSBOX_NS_CONFIRM_MOUNTS_H

#include "linux/confirm.h"
#include "ns/run.h"

/* Fills in CONTROL_ROOT and CONTROL_READ_ONLY. `root` is the child's root (O_PATH). */
void confirm_mounts(struct run *run, struct confirm *confirm, int root);

#endif
