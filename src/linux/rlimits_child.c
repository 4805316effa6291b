/*
 * Child code: resource limits.
 */
#include "linux/rlimits.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static rlim_t value_of(uint64_t value)
{
	return value == UINT64_MAX ? RLIM_INFINITY : (rlim_t)value;
}

/*
 * A limit of less than two processes would keep init from making COMMAND. It has two until then, and
 * COMMAND sets what was asked for by itself, at the last moment.
 */
int rlimits_step_set(struct child *child, const struct step *step)
{
	struct rlimit limit = { value_of(step->device), value_of(step->inode) };

	if (step->flags == RLIMIT_NPROC) {
		child->has_nproc = true;
		child->nproc = limit;
		limit.rlim_cur = limit.rlim_cur < RLIMITS_NPROC_LEAST ? RLIMITS_NPROC_LEAST : limit.rlim_cur;
		limit.rlim_max = limit.rlim_max < RLIMITS_NPROC_LEAST ? RLIMITS_NPROC_LEAST : limit.rlim_max;
	}
	return setrlimit((__rlimit_resource_t)step->flags, &limit) < 0 ? -errno : 0;
}

static int end_at_once(void *unused)
{
	(void)unused;
	_exit(0);
}

/* Makes one more process when only `count` may be there. 0, or the errno value that stood against it. */
static int try_fork(rlim_t count, rlim_t hard)
{
	_Alignas(16) char stack[8192];
	struct rlimit limit = { count, hard };
	pid_t pid;

	if (setrlimit(RLIMIT_NPROC, &limit) < 0)
		return errno;
	pid = clone(end_at_once, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	if (pid < 0)
		return errno;
	waitpid(pid, NULL, __WALL);
	return 0;
}

/*
 * Since Linux 5.14 the kernel counts for each user namespace by itself: then init, the only process here, may have one child
 * where two processes may be, and none where one may be. Before, all processes of the user on the host count, which are
 * two already with the supervisor; and the host's root is not held at all.
 */
int rlimits_step_nproc(struct child *child, const struct step *step)
{
	struct rlimit old, limit;
	int alone, with_one;

	if (getrlimit(RLIMIT_NPROC, &old) < 0)
		return -errno;
	alone = try_fork(1, old.rlim_max);
	with_one = alone == EAGAIN ? try_fork(2, old.rlim_max) : 0;
	/* Any other answer is none to the question. */
	if ((alone != 0 && alone != EAGAIN) || (with_one != 0 && with_one != EAGAIN))
		return alone != EAGAIN ? -alone : -with_one;
	child->nproc_counts = alone == EAGAIN && with_one == 0;
	limit.rlim_cur = limit.rlim_max = (rlim_t)step->flags + 1;
	if (!child->nproc_counts || limit.rlim_max > old.rlim_max)
		limit = old;
	if (setrlimit(RLIMIT_NPROC, &limit) < 0)
		return -errno;
	child->nproc_counts &= limit.rlim_max == (rlim_t)step->flags + 1;
	return 0;
}
