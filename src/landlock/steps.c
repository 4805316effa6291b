/*
 * Child code: the steps of the Landlock backend (steps.h).
 */
#include "landlock/steps.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "linux/landlock_calls.h"
#include "linux/child.h"

int landlock_step_subreaper(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0;
}

int landlock_step_directory(struct child *child, const struct step *step)
{
	(void)child;
	return chdir(step->source) < 0 ? -errno : 0;
}

int landlock_step_enforce(struct child *child, const struct step *step)
{
	(void)child;
	return syscall(SYS_landlock_restrict_self, step->fd, (unsigned)step->device) < 0 ? -errno : 0;
}

int landlock_step_scope(struct child *child, const struct step *step)
{
	int result = landlock_step_enforce(child, step);

	if (result < 0)
		return result;
	if (kill((pid_t)step->flags, 0) < 0 && errno == EPERM)
		return 0;
	child->detail = DETAIL_CLAIM;
	return -EPERM;
}

/*
 * Everything but the two pipes is closed here, so that neither the supervisor nor a reader of COMMAND's output waits
 * for this process. All signals are blocked already, and from the inner domain none can be sent.
 */
static _Noreturn void killer_main(struct child *child, const int pipes[2])
{
	struct pollfd polled[2] = { { .fd = pipes[0] }, { .fd = pipes[1] } };

	/* Another name: who kills all that is called nsbox has not killed this one. */
	prctl(PR_SET_NAME, "sandbox-killer", 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	setsid();
	child->socket = -1;
	child_close_others(child, pipes, 2);
	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	/* Nobody writes: what comes is the end of a process. */
	while (poll(polled, 2, -1) < 1)
		continue;
	kill(-1, SIGKILL);
	_exit(0);
}

int landlock_step_killer(struct child *child, const struct step *step)
{
	int ends[2], pipes[2];
	long pid;

	close((int)step->flags);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
#if defined(__s390__) || defined(__s390x__)
	pid = syscall(SYS_clone, NULL, (unsigned long)SIGCHLD, NULL, NULL, NULL);
#else
	pid = syscall(SYS_clone, (unsigned long)SIGCHLD, NULL, NULL, NULL, NULL);
#endif
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		close(ends[1]);
		pipes[0] = step->fd;
		pipes[1] = ends[0];
		killer_main(child, pipes);
	}
	close(ends[0]);
	close(step->fd);
	child->held[0] = ends[1];
	child->killer = (pid_t)pid;
	return 0;
}

static void fill_in(struct sock_filter *program, size_t count, const struct child *child)
{
	const uint32_t init = (uint32_t)getppid();
	/* Where there is no killer, init's number stands twice. */
	const uint32_t killer = child->killer > 0 ? (uint32_t)child->killer : init;

	for (size_t i = 0; i < count; i++) {
		switch (program[i].k) {
		case STEPS_INIT:
			program[i].k = init;
			break;
		case STEPS_KILLER:
			program[i].k = killer;
			break;
		case STEPS_INIT_NEGATIVE:
			program[i].k = 0 - init;
			break;
		case STEPS_KILLER_NEGATIVE:
			program[i].k = 0 - killer;
			break;
		default:
			break;
		}
	}
}

int landlock_step_filter(struct child *child, const struct step *step)
{
	/* The list is this run's own memory. */
	fill_in((struct sock_filter *)(uintptr_t)step->source, (size_t)step->flags, child);
	return child_step_filter(child, step);
}

/* Sends the record with the descriptor beside it. 0 or -errno. */
static int send_descriptor(const struct child *child, const struct record *record, int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec data = { (void *)(uintptr_t)record, offsetof(struct record, head) };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	memset(&control, 0, sizeof(control));
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return sendmsg(child->socket, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int landlock_step_gate(struct child *child, const struct step *step)
{
	const struct record record = { .kind = RECORD_GATE };
	struct sock_fprog program = {
		.len = (unsigned short)step->flags,
		.filter = (struct sock_filter *)(uintptr_t)step->source,
	};
	int result, fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);

	if (fd < 0)
		return -errno;
	result = send_descriptor(child, &record, fd);
	close(fd);
	return result;
}
