/*
 * Names of resource limits, and the child code that sets them.
 */
#ifndef NSBOX_LINUX_RLIMITS_H
#define NSBOX_LINUX_RLIMITS_H

#include <sys/types.h>

#include "core/err.h"
#include "core/report.h"
#include "core/spec.h"
#include "linux/step.h"

/* Init and COMMAND: what --rlimit nproc leaves init at least. */
enum { RLIMITS_NPROC_LEAST = 2 };

/* The RLIMIT_* that the name ("nofile") stands for; ERR_USAGE, naming --rlimit, where there is none. */
int rlimits_find(const char *name, int *resource, struct err *err);

/* Confirms CONTROL_RLIMIT, item by item, by reading back the limits of process `pid`. */
void rlimits_confirm(struct report *report, const struct spec *spec, const int *resources,
    pid_t pid);

/* rlimits_child.c: sets one. flags: the resource; device: soft, inode: hard (UINT64_MAX: unlimited). */
step_fn rlimits_step_set;
/*
 * rlimits_child.c: finds out whether RLIMIT_NPROC counts in this user namespace alone, and sets it to `flags`
 * processes besides init if so: child->nproc_counts.
 */
step_fn rlimits_step_nproc;

#endif
