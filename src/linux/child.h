/*
 * Child code: what runs between clone and the exec of COMMAND, whatever the
 * backend. System calls only (see step.h).
 */
#ifndef NSBOX_LINUX_CHILD_H
#define NSBOX_LINUX_CHILD_H

#include "linux/step.h"

/* Walks the plan; becomes init; does not return. */
void child_main(const struct plan *plan, int proc, uint64_t namespaces, uint32_t fallbacks) __attribute__((noreturn));

/* Sends a record to the supervisor. 0 or -errno. */
int child_send(const struct child *child, const struct record *record);

/* Says that the step failed, and ends the child. */
void child_fail(const struct child *child, size_t step, int error) __attribute__((noreturn));

/*
 * Writes all of `text` to the file `name` below /proc of the host (procfs of the caller).
 */
int child_write_proc(const struct child *child, const char *name, const char *text);

/*
 * Appends the decimal digits of `number` at `end`, returns the new end (no NUL is
 * written).
 */
char *child_number(char *end, uint64_t number);

/* "/proc/self/fd/N" in `path`, which has room for 32 bytes. */
const char *child_fd_path(char *path, int fd);

/* Puts the first bytes of a file that could not be executed into the record. */
void child_read_head(const char *path, struct record *record);

/* Steps that every backend uses; flags and texts as each says in its file. */
step_fn child_step_ids;		/* source: uid_map, dest: gid_map, flags: uid << 32 | gid inside */
step_fn child_step_session;
step_fn child_step_group;	/* a process group of its own, in the caller's session */
step_fn child_step_death;	/* the death of the supervisor ends init; flags: by this signal, 0: SIGKILL */
/* flags: whether a filter that follows refuses keyrings altogether, so that it may fail where one does so already. */
enum { CHILD_KEYRING_REFUSED_LATER = 1 };
step_fn child_step_keyring;
step_fn child_step_no_nesting;	/* no further user namespaces */
step_fn child_step_command;	/* finds which candidate COMMAND is, without capabilities */
/*
 * flags: the set that COMMAND keeps; device: whether the bounding set may stay where the process may not change it. No
 * capability comes back from it with no_new_privs.
 */
enum { CHILD_BOUNDING_MAY_STAY = 1 };
step_fn child_step_capabilities;
step_fn child_step_no_new_privs;
step_fn child_step_descriptors;
step_fn child_step_streams;	/* flags: descriptor for 1, and for 2 in the upper half */
step_fn child_step_view;	/* tells the supervisor that the view is built */
step_fn child_step_barrier;
step_fn child_step_start;	/* the last: what init does before COMMAND runs */
step_fn child_step_filter;	/* source: struct sock_filter array, flags: how many */

/* Closes all but 0 to 2, the socket and these. 0 or -errno. */
int child_close_others(struct child *child, const int *keep, size_t count);

/* start.c: starts COMMAND, or says why it could not and ends init. Its number for init. */
pid_t start_command(struct child *child);

/* reach.c: sends a signal to every process of the sandbox but init, as plan->reach says. */
void reach_signal(const struct child *child, int signal);
/* reach.c: kills all that is left and waits until nothing is; how many were killed. */
uint32_t reach_end(const struct child *child);

/*
 * Pid 1: starts COMMAND, reaps, forwards, ends everything when COMMAND has ended. Does
 * not return.
 */
void init_main(struct child *child) __attribute__((noreturn));

#endif
