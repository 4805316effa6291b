/*
 * Child code: how COMMAND is started in bubblewrap's process model, and the process that
 * stands before it where one is needed.
 *
 * Without a process tree of its own the child becomes COMMAND: the socket closes itself
 * when that succeeds. With one, the child is process 1: it starts COMMAND, says how it
 * ended, and stays until the last process is gone; what COMMAND leaves in the background
 * lives on. It keeps none of the caller's streams, so that who reads them sees the end,
 * and no variable of the caller's environment.
 */
#include "ns/bwrap_steps.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/child.h"

enum { COMMAND_STACK = 65536, CLOSED_MAX = 4096 };

/* The other process shares this memory until it executes COMMAND. */
struct start {
	struct child *child;
	int error;
};

static int install_filters(const struct bwrap_plan *plan)
{
	for (size_t i = 0; i < plan->filter_count; i++) {
		struct sock_fprog program = {
			.len = (unsigned short)(plan->filters[i].length / sizeof(struct sock_filter)),
			.filter = (struct sock_filter *)(uintptr_t)plan->filters[i].bytes,
		};

		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0)
			return -errno;
	}
	return 0;
}

/* Whether the search goes on to the next folder after this. */
static bool goes_on(int error)
{
	static const int errors[] = { ENOENT, ENOTDIR, EACCES, ESTALE, ENODEV, ETIMEDOUT };

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i] == error)
			return true;
	}
	return false;
}

/* As execvp(3) does it. Returns the errno value of what went wrong. */
static int execute(struct child *child)
{
	const struct plan *plan = child->plan;
	const struct bwrap_plan *bwrap = plan->bwrap;
	int error = ENOENT;
	bool was_denied = false;

	for (size_t i = 0; i < plan->candidate_count; i++) {
		const char *path = plan->candidates[i].path;

		execve(path, plan->argv, plan->envp);
		error = errno;
		if (error == ENOEXEC) {
			bwrap->shell_argv[1] = (char *)(uintptr_t)path;
			execve("/bin/sh", bwrap->shell_argv, plan->envp);
			error = errno;
		}
		was_denied |= error == EACCES;
		if (error != ENOENT)
			child->candidate = (uint32_t)i;
		if (!goes_on(error))
			return error;
	}
	return was_denied ? EACCES : error;
}

/* The last of what COMMAND's process does before it is COMMAND. Returns an errno value. */
static int become_command(struct child *child)
{
	const struct plan *plan = child->plan;
	int result;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &plan->signal_mask, NULL, sizeof(plan->signal_mask));
	if (plan->bwrap->dies_with_parent && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return errno;
	result = install_filters(plan->bwrap);
	if (result < 0) {
		child->detail = DETAIL_DATA;
		return -result;
	}
	return execute(child);
}

static void send_failure(struct child *child, int error)
{
	struct record record = {
		.kind = RECORD_EXEC_FAILED, .error = error, .candidate = child->candidate,
	};

	if (child->detail == DETAIL_DATA)
		child_fail(child, child->step, error);
	if (error == ENOENT && child->candidate < child->plan->candidate_count)
		child_read_head(child->plan->candidates[child->candidate].path, &record);
	child_send(child, &record);
	_exit(1);
}

static int begin_command(void *argument)
{
	struct start *start = argument;

	start->error = become_command(start->child);
	_exit(1);
}

static pid_t spawn_command(struct child *child)
{
	_Alignas(16) char stack[COMMAND_STACK];
	struct start start = { .child = child };
	struct record record = { .kind = RECORD_EXECUTED };
	pid_t pid = clone(begin_command, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &start);

	if (pid < 0)
		child_fail(child, child->step, errno);
	if (start.error != 0)
		send_failure(child, start.error);
	child_send(child, &record);
	return pid;
}

/* Before Linux 5.9, and without a procfs to list them. */
static void close_one_by_one(const struct child *child)
{
	for (int fd = 3; fd < CLOSED_MAX; fd++) {
		bool is_kept = fd == child->socket;

		for (size_t i = 0; i < child->plan->keep_count; i++)
			is_kept |= child->plan->keep_fds[i] == fd;
		if (!is_kept)
			close(fd);
	}
}

/* Nothing of the caller's stays here that a process inside could read or be kept waiting by. */
static void forget_caller(struct child *child)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
	const struct bwrap_plan *plan = child->plan->bwrap;

	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	if (child_close_others(child, child->plan->keep_fds, child->plan->keep_count) < 0)
		close_one_by_one(child);
	syscall(SYS_capset, &header, data);	/* only ever fewer: it cannot fail */
	explicit_bzero(child->plan->env_block, child->plan->env_block_size);
	explicit_bzero(plan->caller_env, plan->caller_env_size);
}

static void tell_end(const struct child *child, int status)
{
	struct record record = { .kind = RECORD_ENDED, .status = status };
	siginfo_t info;

	record.is_last = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 &&
	    errno == ECHILD;
	child_send(child, &record);
}

static int exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void reap(struct child *child) __attribute__((noreturn));
static void reap(struct child *child)
{
	pid_t command = spawn_command(child);
	int result = 1, status;

	forget_caller(child);
	for (;;) {
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid == command) {
			result = exit_status(status);
			tell_end(child, status);
		} else if (pid < 0 && errno != EINTR) {
			_exit(result);
		}
	}
}

void bwrap_finish(struct child *child)
{
	const struct plan *plan = child->plan;
	uint64_t mask = plan->signal_mask | UINT64_C(1) << (SIGCHLD - 1);

	umask((mode_t)plan->file_mask);
	if (!plan->bwrap->has_init)
		send_failure(child, become_command(child));
	/* Whoever looks into it from outside goes by what belongs to the same user. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		child_fail(child, child->step, errno);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
	reap(child);
}
