/*
 * Landlock's system calls, which the C library does not wrap (Linux 5.13).
 */
#ifndef NSBOX_LINUX_LANDLOCK_CALLS_H
#define NSBOX_LINUX_LANDLOCK_CALLS_H

#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

enum {
	CALLS_VERSION = 1,	/* flag of landlock_create_ruleset: answer with the ABI */
	CALLS_PATH_BENEATH = 1	/* type of rule */
};

#endif
