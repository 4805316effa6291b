/*
 * Starts, hears, kills and reaps the child (process.h).
 */
#include "linux/process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"

/*
 * Where clone3 is missing or filtered: the old call, which has no bit for time
 * namespaces.
 */
static long clone_old(uint64_t flags)
{
#if defined(__s390__) || defined(__s390x__)
	return syscall(SYS_clone, NULL, (unsigned long)flags | SIGCHLD, NULL, NULL, NULL);
#else
	return syscall(SYS_clone, (unsigned long)flags | SIGCHLD, NULL, NULL, NULL, NULL);
#endif
}

/* One attempt. The new process returns 0, as from fork. */
static long clone_with(struct process *process, uint64_t flags, int cgroup)
{
	struct sys_clone_args args = {
		.flags = flags,
		.exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD,	/* else it is the parent's own choice */
	};

	if (cgroup >= 0) {
		args.flags |= CLONE_INTO_CGROUP;
		args.cgroup = (uint64_t)cgroup;
	}
	process->flags = flags;	/* the new process reads its own copy */
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	/* Filters of old containers refuse clone3 whatever it is asked for. */
	if (pid < 0 && (errno == ENOSYS || (errno == EPERM && flags == 0)) && !(flags & CLONE_NEWTIME)) {
		process->fallbacks |= FALLBACK_CLONE;
		pid = clone_old(flags);
	}
	return pid;
}

/*
 * With all that is wanted; else without one of it (the time namespace first, which old kernels
 * do not have and clone(2) cannot make); else without any.
 */
static long clone_wanted(struct process *process, uint64_t required, uint64_t wanted, int cgroup)
{
	long pid = clone_with(process, required | wanted, cgroup);

	if (pid < 0 && (wanted & CLONE_NEWTIME)) {
		wanted &= ~(uint64_t)CLONE_NEWTIME;
		pid = clone_with(process, required | wanted, cgroup);
	}
	for (uint64_t left = wanted; pid < 0 && left != 0; left &= left - 1)
		pid = clone_with(process, required | (wanted & ~(left & -left)), cgroup);
	if (pid < 0 && wanted != 0)
		pid = clone_with(process, required, cgroup);
	return pid;
}

int process_start(struct process *process, struct plan *plan, uint64_t required, uint64_t wanted,
    const struct process_place *place, struct err *err)
{
	int ends[2];
	long pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot make a socket pair");
	plan->socket = ends[1];
	pid = clone_wanted(process, required, wanted, place->cgroup);
	if (pid == 0) {
		close(ends[0]);
		child_main(plan, place->proc, process->flags, process->fallbacks);
	}
	int error = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		err_sys(err, ERR_UNAVAILABLE, error, "cannot start a process in new namespaces");
		err->stage = "clone";
		return -1;
	}
	process->pid = (pid_t)pid;
	process->socket = ends[0];
	return 0;
}

/* Keeps the descriptor that came along, if one did. */
static void take_descriptor(struct process *process, struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
		return;
	if (process->received >= 0)
		close(process->received);
	memcpy(&process->received, CMSG_DATA(header), sizeof(int));
}

int process_receive(struct process *process, struct record *record)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { record, sizeof(*record) };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t got;

	do {
		got = recvmsg(process->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		take_descriptor(process, &message);
	if (got == 0 || (got < 0 && errno == ECONNRESET))
		return 0;
	if (got < 0)
		return -1;
	/* The other side is not trusted: a record has the size that it says. */
	if ((size_t)got < offsetof(struct record, head) || record->head_length > RECORD_HEAD_MAX ||
	    (size_t)got != offsetof(struct record, head) + record->head_length) {
		errno = EPROTO;
		return -1;
	}
	return 1;
}

void process_kill(const struct process *process, int signal)
{
	/* Not reaped yet, so the number cannot have become somebody else's. */
	if (process->pid > 0)
		kill(process->pid, signal);
}

int process_reap(struct process *process, int *status)
{
	pid_t pid;

	if (process->pid <= 0) {
		errno = ECHILD;
		return -1;
	}
	do {
		pid = waitpid(process->pid, status, __WALL);
	} while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return -1;
	process->pid = 0;
	return 0;
}

void process_close(struct process *process)
{
	if (process->socket >= 0)
		close(process->socket);
	if (process->received >= 0)
		close(process->received);
	process->socket = process->received = -1;
}
