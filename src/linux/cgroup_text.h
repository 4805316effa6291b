/*
 * What the files of control groups say, and names and paths of groups: pure functions over texts.
 */
#ifndef NSBOX_LINUX_CGROUP_TEXT_H
#define NSBOX_LINUX_CGROUP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "core/spec.h"

/* The controllers that limits need; bits of a set. */
enum cgroup_controller {
	CGROUP_MEMORY = 1 << 0,
	CGROUP_PIDS = 1 << 1,
	CGROUP_CPU = 1 << 2,
	CGROUP_CONTROLLERS = CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU
};

/* Which controllers these limits need. */
unsigned cgroup_needed(const struct spec_limits *limits);
unsigned cgroup_count(unsigned set);
/* The set in a text of words as cgroup.controllers has it; what is not known is left out. */
unsigned cgroup_parse_set(const char *text);
/* "+memory +pids", as cgroup.subtree_control takes it; owned by the caller. */
char *cgroup_format_set(unsigned set, char sign);

/* The number behind KEY in lines "KEY NUMBER" (cpu.stat, cgroup.events, ...); false where there is none. */
bool cgroup_parse_key(const char *text, const char *key, uint64_t *number);
/* A file that is one number, with nothing but a newline behind it. */
bool cgroup_parse_number(const char *text, uint64_t *number);
/* Whether a text of numbers, one a line, has this one; *others: how many it has beside it. */
bool cgroup_parse_pids(const char *text, pid_t pid, size_t *others);

/* The path in the line "0::PATH" of /proc/PID/cgroup; NULL where there is none. Owned by the caller. */
char *cgroup_parse_own(const char *text);

/*
 * Where the group `own` is below a mount whose root is the group `root`. Both are paths as this process's
 * control group namespace shows them, in which "/.." leads out of it. False: it is not below. Else *rest is what to
 * walk from the mount, without a slash in front, "" for the mount itself; and *above is 0, or how many levels of unknown
 * names come first, since the mount begins above the namespace.
 */
bool cgroup_path_below(const char *root, const char *own, const char **rest, unsigned *above);

/*
 * "nsbox-ID.run", with a number above 0 "nsbox-ID.NUMBER.run"; what may not be in a name is
 * replaced. Owned by the caller.
 */
char *cgroup_name_run(const char *id, unsigned number);
/* The group into which a supervisor goes itself. */
#define CGROUP_NAME_LEAF "nsbox-supervisor.self"
/* Whether nsbox gives such names, and nobody else is likely to. */
bool cgroup_name_is_ours(const char *name);

/* cpu.max for thousandths of a processor, in microseconds. */
void cgroup_quota(uint64_t milli, uint64_t *quota, uint64_t *period);

#endif
