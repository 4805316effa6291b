/*
 * Child code: how COMMAND begins.
 */
#include "linux/child.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COMMAND_STACK = 65536 };

struct start {
	struct child *child;
	int error;		/* written by COMMAND before it is COMMAND: they share memory until exec */
	bool has_failed;	/* in a step of its own, which the supervisor was told */
};

/* What concerns COMMAND alone and not init. */
static void walk_inner(struct start *start)
{
	const struct plan *plan = start->child->plan;

	for (size_t i = 0; i < plan->inner_count; i++) {
		int result = plan->inner[i].run(start->child, &plan->inner[i]);

		if (result < 0) {
			start->has_failed = true;
			child_fail(start->child, plan->step_count + i, -result);
		}
	}
}

/* Runs in the new process, on its own stack and in init's memory. */
static int become_command(void *argument)
{
	struct start *start = argument;
	const struct plan *plan = start->child->plan;

	walk_inner(start);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &plan->signal_mask, NULL, sizeof(plan->signal_mask));
	if (start->child->has_nproc && setrlimit(RLIMIT_NPROC, &start->child->nproc) < 0) {
		start->error = errno;
		_exit(126);
	}
	execve(plan->candidates[start->child->candidate].path, plan->argv, plan->envp);
	start->error = errno;
	_exit(127);
}

/* The first bytes of the file tell the supervisor which interpreter is missing. */
void child_read_head(const char *path, struct record *record)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	ssize_t got;

	if (fd < 0)
		return;
	got = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ?
	    read(fd, record->head, RECORD_HEAD_MAX) : 0;
	close(fd);
	if (got > 0)
		record->head_length = (uint32_t)got;
}

pid_t start_command(struct child *child)
{
	_Alignas(16) char stack[COMMAND_STACK];
	struct start start = { .child = child };
	struct record record = { .error = 0 };
	const int proc = child->proc;
	pid_t pid;

	/*
	 * Until exec the new process borrows this memory, and init waits: nothing is
	 * copied.
	 */
	pid = clone(become_command, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
	if (pid < 0)
		child_fail(child, child->plan->step_count - 1, errno);
	child->proc = proc;	/* the new process closed its own copy */
	if (start.has_failed)
		_exit(125);
	record.candidate = child->candidate;
	if (start.error != 0) {
		record.kind = RECORD_EXEC_FAILED;
		record.error = start.error;
		child_read_head(child->plan->candidates[child->candidate].path, &record);
		child_send(child, &record);
		_exit(127);
	}
	record.kind = RECORD_EXECUTED;
	child_send(child, &record);
	return pid;
}
