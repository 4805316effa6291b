/*
 * Child code: init, pid 1 of the sandbox where that has a pid namespace.
 *
 * It starts COMMAND, waits for whatever becomes its child, hands on the signals that the
 * supervisor sends, and ends the sandbox as soon as COMMAND has ended: a background
 * process may not hold the caller's pipe open. It keeps none of the caller's streams,
 * arguments or environment, and nobody inside can trace it: it is not dumpable from
 * before COMMAND exists.
 *
 * If init dies, the kernel kills the whole pid namespace; if the supervisor dies, the
 * kernel kills init. Without a pid namespace the supervisor's death is a signal to init, which ends
 * everything, and init's own is seen by a killer (the backend's) or by the supervisor.
 */
#include "linux/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REAP_AT_ONCE = 64 };

/* What init knows while it waits. */
struct wait {
	pid_t command;
	bool has_killed;	/* everything was killed at the supervisor's word */
	uint32_t killed;	/* how many were seen to have died of that */
};

/* Somebody outside killed the killer: without it nothing is certain any more. */
static void give_up(const struct child *child, const struct wait *wait)
{
	if (wait->has_killed)
		return;		/* we did it ourselves */
	reach_end(child);
	_exit(125);
}

/*
 * Reaps strangers, but not for ever: they may come faster than they can be reaped, and COMMAND
 * must not be kept waiting. True where there may be more.
 */
static bool reap_strangers(const struct child *child, struct wait *wait)
{
	for (int i = 0; i < REAP_AT_ONCE; i++) {
		siginfo_t info = { .si_pid = 0 };
		int status;

		/* COMMAND's own end is left to be found by its number. */
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) < 0 || info.si_pid == 0)
			return false;
		if (info.si_pid == wait->command)
			return true;
		if (waitpid(info.si_pid, &status, WNOHANG | __WALL) <= 0)
			continue;
		if (info.si_pid == child->killer)
			give_up(child, wait);
		else if (wait->has_killed)
			wait->killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	}
	return true;
}

/*
 * Only what comes from outside is handed on: in a pid namespace, a sender that has no pid in here. What the
 * terminal sends (SI_KERNEL) reaches COMMAND by itself. A process inside can forge such a
 * sender with rt_sigqueueinfo(2); all it gets is a signal to COMMAND, which it could send
 * itself.
 */
static void forward(const struct child *child, struct wait *wait, const siginfo_t *info)
{
	static const int forwarded[] = {
		SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH,
	};

	if (info->si_code > 0 || info->si_pid != child->plan->outsider)
		return;
	if (info->si_signo == SIGALRM) {
		/* A limit, or the end of the grace period: nobody is spared. */
		wait->has_killed = true;
		reach_signal(child, SIGKILL);
	}
	if (info->si_signo == SIGCONT)	/* the caller's shell goes on with the job */
		reach_signal(child, SIGCONT);
	for (size_t i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++) {
		if (forwarded[i] == info->si_signo)
			kill(wait->command, info->si_signo);
	}
}

/*
 * COMMAND was stopped, by Ctrl-Z say. Where a terminal is shared the supervisor stops as
 * well, so that the caller's shell gets its terminal back; then nobody keeps the limits, and
 * everything here has to stand still.
 */
static void stop_all(const struct child *child, int status)
{
	struct record record = { .kind = RECORD_STOPPED, .status = status };

	if (!child->plan->stops_with_command)
		return;
	reach_signal(child, SIGSTOP);
	child_send(child, &record);
}

static int wait_for_command(const struct child *child, struct wait *wait)
{
	const struct timespec at_once = { 0, 0 };
	uint64_t all = ~(uint64_t)0;
	siginfo_t info;
	bool has_more;
	int status;

	for (;;) {
		if (waitpid(wait->command, &status, WNOHANG | WUNTRACED | __WALL) == wait->command) {
			if (!WIFSTOPPED(status))
				return status;
			stop_all(child, status);
		}
		has_more = reap_strangers(child, wait);
		if (syscall(SYS_rt_sigtimedwait, &all, &info, has_more ? &at_once : NULL,
		    sizeof(all)) >= 0 &&
		    info.si_signo != SIGCHLD)
			forward(child, wait, &info);
	}
}

static void report_end(const struct child *child, int status, uint32_t killed)
{
	struct record record = { .kind = RECORD_ENDED, .status = status, .killed = killed };
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage) == 0) {
		record.user_us = (uint64_t)usage.ru_utime.tv_sec * 1000000 + (uint64_t)usage.ru_utime.tv_usec;
		record.system_us = (uint64_t)usage.ru_stime.tv_sec * 1000000 + (uint64_t)usage.ru_stime.tv_usec;
		record.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
		record.voluntary = (uint64_t)usage.ru_nvcsw;
		record.involuntary = (uint64_t)usage.ru_nivcsw;
	}
	child_send(child, &record);
}

/* None of the caller's streams and descriptors stays open here. */
static void close_streams(struct child *child)
{
	const struct plan *plan = child->plan;

	for (int fd = 0; fd <= 2; fd++)
		close(fd);
	for (size_t i = 0; i < plan->keep_count; i++)
		close(plan->keep_fds[i]);
	if (plan->reach == REACH_CHILDREN)
		child->held[1] = child->proc;
	if (plan->inner_count > 0)	/* else they were closed for both */
		child_close_others(child, child->held, sizeof(child->held) / sizeof(child->held[0]));
}

void init_main(struct child *child)
{
	const struct plan *plan = child->plan;
	struct wait wait = { .has_killed = false };
	int status;

	prctl(PR_SET_NAME, "nsbox-init", 0, 0, 0);
	/*
	 * From here on no process inside can trace, read or take over pid 1. A process that is held in init's
	 * memory has to be looked at first; what is in a Landlock domain of its own cannot trace init anyway.
	 */
	if (plan->inner_count == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		child_fail(child, plan->step_count - 1, errno);
	umask((mode_t)plan->file_mask);
	wait.command = start_command(child);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	close_streams(child);
	explicit_bzero(plan->env_block, plan->env_block_size);
	status = wait_for_command(child, &wait);
	report_end(child, status, wait.killed + reach_end(child));
	_exit(0);
}
