/*
 * Starts the child in the process tree of --pidns, which only a new process enters.
 *
 * A process that shares the supervisor's memory enters it, and makes the child as one of the
 * supervisor's own (CLONE_PARENT). With --unshare-pid as well a second one is needed, which is
 * in that tree itself, since a tree can only be made from the one that a process is in; what it
 * knows of the child's number is true in there only, and the child's first word tells the
 * supervisor its own.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child itself goes on on a copy of it. */
enum { HELPER_STACK = 524288 };

/* Shared by the supervisor and its helpers, of which only one runs at a time. */
struct join {
	struct run *run;
	struct err *err;
	int result;
	pid_t second;
	char *stacks;		/* of the two helpers, one behind the other; what grows down begins at an end */
};

/* Both end by returning: the C library's clone ends the process then, and no sanitizer has an opinion on the stack. */
static int start(void *argument)
{
	struct join *join = argument;
	struct process_place place = { join->run->proc, -1 };

	join->result = process_start(&join->run->process, &join->run->plan,
	    join->run->namespaces | CLONE_PARENT, 0, &place, join->err);
	return 0;
}

static int enter(void *argument)
{
	struct join *join = argument;

	if (setns(join->run->bwrap->fds[SPEC_FD_PIDNS], CLONE_NEWPID) < 0)
		join->result = bwrap_message(join->err, errno, "Setting pidns failed");
	else if (!(join->run->namespaces & CLONE_NEWPID))
		start(join);
	else
		join->second = clone(start, join->stacks + 2 * HELPER_STACK,
		    CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_PARENT, join);
	return 0;
}

static void reap(pid_t pid)
{
	while (pid > 0 && waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
}

/* The sender's number as the kernel translates it for the receiver, unix(7). */
static int hear_number(struct run *run, struct err *err)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred))];
	struct record record = { .kind = 0 };
	struct iovec part = { &record, sizeof(record) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};
	struct ucred sender;
	struct cmsghdr *header;

	while (recvmsg(run->process.socket, &message, 0) < 0) {
		if (errno != EINTR)
			return bwrap_message(err, errno, "Can't hear the child");
	}
	header = CMSG_FIRSTHDR(&message);
	if (record.kind != RECORD_VIEW || header == NULL || header->cmsg_type != SCM_CREDENTIALS)
		return err_set(err, ERR_SETUP, "the child ended before it was set up");
	memcpy(&sender, CMSG_DATA(header), sizeof(sender));
	run->process.pid = sender.pid;
	return 0;
}

int bwrap_join_start(struct run *run, struct err *err)
{
	struct join join = {
		.run = run, .err = err, .result = -1, .stacks = xcalloc(2, HELPER_STACK),
	};
	const char answer = STEP_RELEASE;
	int one = 1;
	pid_t first = clone(enter, join.stacks + HELPER_STACK,
	    CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &join);

	if (first < 0) {
		bwrap_message(err, errno, "Can't start a process");
		free(join.stacks);
		return -1;
	}
	reap(first);
	reap(join.second);
	free(join.stacks);
	if (join.result < 0)
		return -1;
	if (!(run->namespaces & CLONE_NEWPID))
		return 0;
	run->process.pid = 0;
	/* Only what is said from now on has a sender. */
	if (setsockopt(run->process.socket, SOL_SOCKET, SO_PASSCRED, &one, sizeof(one)) < 0 ||
	    send(run->process.socket, &answer, 1, MSG_NOSIGNAL) != 1)
		return bwrap_message(err, errno, "Can't ask the child");
	return hear_number(run, err);
}
