/*
 * What is tried before and after enforcing, by the process that becomes COMMAND: a claim of the
 * report is never made from a version number alone.
 */
#ifndef NSBOX_LANDLOCK_PROBES_H
#define NSBOX_LANDLOCK_PROBES_H

#include <stdint.h>

#include <sys/types.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "linux/step.h"

enum probe_kind {
	PROBE_READ,		/* read a file outside all rules */
	PROBE_WRITE,		/* write it */
	PROBE_TRUNCATE,		/* truncate it by name */
	PROBE_OPEN_TRUNCATE,	/* open it for reading, with O_TRUNC */
	PROBE_ACCESS_3,		/* open it with access mode 3 */
	PROBE_LIST,		/* list its folder */
	PROBE_MAKE,		/* make a file beside it */
	PROBE_LINK,		/* link it into the scratch */
	PROBE_STATUS,		/* ask for its status */
	PROBE_MODE,		/* change its mode */
	PROBE_READ_ONLY_READ,	/* read a file that a read-only rule shows */
	PROBE_READ_ONLY_WRITE,	/* write it */
	PROBE_READ_ONLY_TRUNCATE,
	PROBE_READ_ONLY_MODE,	/* change its mode */
	PROBE_SCRATCH,		/* make, write, truncate and remove a file in the scratch */
	PROBE_INET,		/* make an internet socket */
	PROBE_NETLINK,
	PROBE_UNIX,		/* make an AF_UNIX socket */
	PROBE_UNIX_PATH,	/* connect to one that listens outside, by path */
	PROBE_UNIX_ABSTRACT,	/* and by abstract name */
	PROBE_UNIX_SEND,	/* send a datagram to one outside, by path, from one of a pair */
	PROBE_SOCKETPAIR,
	PROBE_GAIN,		/* make a file of the user's own setuid */
	PROBE_IO_URING,
	PROBE_SHARED_MEMORY,	/* make a System V segment */
	PROBE_QUEUE,		/* open a POSIX message queue */
	PROBE_KEYRING,
	PROBE_SIGNAL,		/* signal 0 to the supervisor */
	PROBE_SIGNAL_INIT,	/* to init */
	PROBE_SIGNAL_OTHER,	/* to the supervisor's parent, who stands for all others of this user */
	PROBE_TRACE,		/* read the supervisor's environment */
	PROBE_LIMIT,		/* set a resource limit of the supervisor (to what it is) */
	PROBE_NAMES,		/* read the supervisor's command line */
	PROBE_KERNEL,		/* read what only root may read in /proc */
	PROBE_COUNT
};

/* Not tried. */
enum { PROBE_SKIPPED = -1 };

/* What the probes need, made by the supervisor. Paths are absolute. */
struct probe_setup {
	const char *outside;		/* a file outside all rules, of the user's own */
	const char *outside_new;	/* a name beside it */
	const char *outside_folder;
	const char *outside_link;	/* a name in the scratch */
	const char *read_only;		/* a file that a read-only rule shows, writable by its owner */
	const char *scratch;		/* a name in the scratch */
	struct sockaddr_un by_path, by_name, datagram;
	socklen_t by_path_length, by_name_length, datagram_length;
	pid_t supervisor, other;
	char environ_name[32], names_name[32]; /* "PID/environ" and "PID/cmdline" below /proc */
	int16_t before[PROBE_COUNT], after[PROBE_COUNT]; /* errno value, 0: it worked */
};

/*
 * Child code. source: the setup; flags: 0 before enforcing, 1 after, which sends RECORD_PROBED with both lists
 * (before, then after, PROBE_COUNT of int16_t each) in head.
 */
step_fn landlock_step_probe;

#endif
