/*
 * Theory of operation.
 *
 * bubblewrap's process model, for specs of its command line. The supervisor ("monitor") clones
 * a child with just the namespaces that were asked for, tells who wants to know, lets it set
 * up, and waits for COMMAND to end. It handles no signal: one that kills it does not reach
 * the sandbox, unless --die-with-parent ties the two together. What COMMAND leaves behind in
 * the background lives on. Nothing is confirmed, since nothing is reported; what was asked
 * for and cannot be done is still refused.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/failure.h"
#include "linux/sys.h"
#include "ns/backend_ns.h"

/* Descriptors above the standard ones that the supervisor keeps. */
enum { KEPT_MAX = 4 };

static int bwrap_probe(struct probe *probe, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].reason = "bubblewrap's command line promises no controls";
	return 0;
}

static int run_prepare(const struct spec *spec, struct run **made, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->spec = spec;
	run->bwrap = spec->bwrap;
	run->parent = getppid();
	run->parent_fd = run->cleaner = run->proc = -1;
	run->process = (struct process)PROCESS_INIT;
	/* A caller that ignores SIGCHLD would make the kernel reap our child for us. */
	signal(SIGCHLD, SIG_DFL);
	if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &run->plan.signal_mask,
	    sizeof(run->plan.signal_mask)) < 0)
		bwrap_message(err, errno, "sigprocmask");
	else if (bwrap_prepare(run, err) == 0) {
		*made = run;
		return 0;
	}
	bwrap_prepare_free(run);
	free(run);
	return -1;
}

/*
 * The death of the process that started us, and not of one of its threads, is what
 * --die-with-parent means; a pidfd tells (Linux 5.3). Who is not seen from here (another process
 * tree) is watched by the signal.
 */
static int watch_parent(struct run *run, struct err *err)
{
	if (!run->bwrap->die_with_parent)
		return 0;
	if (run->parent > 0)
		run->parent_fd = sys_pidfd_open(run->parent);
	if (run->parent_fd < 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return bwrap_message(err, errno, "prctl(PR_SET_PDEATHSIG)");
	if (getppid() != run->parent)
		return err_set(err, ERR_SETUP, "the process that started this one has gone");
	return 0;
}

static int join(const struct run *run, enum spec_bwrap_fd which, int type, const char *doing,
    struct err *err)
{
	int fd = run->bwrap->fds[which];

	if (fd < 0 || setns(fd, type) == 0)
		return 0;
	return bwrap_message(err, errno, "%s", doing);
}

static void wait_for_maps(const struct run *run)
{
	int fd = run->bwrap->fds[SPEC_FD_USERNS_BLOCK];
	char byte;

	while (fd >= 0 && read(fd, &byte, 1) < 0 && errno == EINTR)
		;
}

static int start_child(struct run *run, struct err *err)
{
	struct process_place place = { run->proc, -1 };

	if (join(run, SPEC_FD_USERNS, CLONE_NEWUSER, "Joining specified user namespace failed", err) < 0)
		return -1;
	if (run->bwrap->fds[SPEC_FD_PIDNS] >= 0 ? bwrap_join_start(run, err) < 0 :
	    process_start(&run->process, &run->plan, run->namespaces, 0, &place, err) < 0)
		return err->stage == NULL ? -1 : bwrap_message_clone(run, err->sys, err);
	return 0;
}

static int run_start(struct run *run, struct report *report, struct err *err)
{
	const char answer = STEP_RELEASE;

	terminal_look(&run->terminal);
	if (watch_parent(run, err) < 0)
		return -1;
	if (start_child(run, err) < 0) {
		if (err->kind == ERR_REFUSED)
			failure_explain_refusal(report, err);
		return -1;
	}
	if (!run->is_held)
		return 0;
	if (bwrap_status_start(run, err) < 0)
		return -1;
	wait_for_maps(run);
	if (send(run->process.socket, &answer, 1, MSG_NOSIGNAL) != 1)
		return bwrap_message(err, errno, "Can't release the child");
	return 0;
}

static int by_number(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* What the caller left open is COMMAND's alone: nobody waits for the end of it because of us. */
static void close_others(const struct run *run)
{
	int kept[KEPT_MAX] = {
		run->process.socket, run->parent_fd, run->bwrap->fds[SPEC_FD_STATUS], run->proc,
	};
	int first = 3;

	qsort(kept, KEPT_MAX, sizeof(kept[0]), by_number);
	for (size_t i = 0; i < KEPT_MAX; i++) {
		if (kept[i] > first)
			sys_close_range((unsigned)first, (unsigned)kept[i] - 1);
		first = kept[i] >= first ? kept[i] + 1 : first;
	}
	sys_close_range((unsigned)first, UINT32_MAX);
}

/* The parent is gone: so is everything else. */
static void die_with_parent(struct run *run)
{
	process_kill(&run->process, SIGKILL);
	raise(SIGKILL);
}

/* The child's next word: 1; the child has closed its end: 0. */
static int hear(struct run *run, struct record *record)
{
	struct pollfd polled[2] = {
		{ .fd = run->process.socket, .events = POLLIN },
		{ .fd = run->parent_fd, .events = POLLIN },
	};
	int result;

	for (;;) {
		if (poll(polled, run->parent_fd < 0 ? 1 : 2, -1) < 0 && errno != EINTR)
			return -1;
		if (run->parent_fd >= 0 && polled[1].revents != 0)
			die_with_parent(run);
		result = process_receive(&run->process, record);
		if (result < 0 && errno == EAGAIN)
			continue;
		if (result != 1 || record->kind != RECORD_MADE)
			return result;
		/* Once COMMAND runs it may have taken over process 1, and says what it likes. */
		if (!run->has_executed)
			bwrap_made_add(run, record);
	}
}

/*
 * Without a process 1 of its own the child is COMMAND as soon as its end of the socket closes by itself.
 * A child that died at set-up closes it too, and says so in its status.
 */
static int run_release(struct run *run, struct report *report, struct err *err)
{
	struct record record;
	int got;

	close_others(run);
	got = hear(run, &record);
	if (got < 0)
		return bwrap_message(err, errno, "Can't hear the child");
	if (got == 1 && record.kind == RECORD_FAILED)
		bwrap_message_step(run, &record, err);
	else if (got == 1 && record.kind == RECORD_EXEC_FAILED)
		bwrap_message_exec(run, &record, err);
	if (err->kind == ERR_REFUSED)
		failure_explain_refusal(report, err);
	if (err->kind != ERR_NONE) {
		bwrap_status_failure(run, err);
		return -1;
	}
	/* With one, a silent end is a death before COMMAND began; run_wait has its status. */
	run->has_executed = got == 1 ? record.kind == RECORD_EXECUTED : !run->own.has_init;
	bwrap_cleaner_start(run);
	return 0;
}

static void fill_end(struct report *report, int status)
{
	report->end.reason = WIFEXITED(status) ? END_EXITED : END_SIGNALED;
	report->end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	report->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Waits for the child itself, which is COMMAND, or a process 1 that was killed. */
static int wait_for_child(struct run *run, int *status)
{
	struct pollfd polled[2] = {
		{ .fd = run->parent_fd < 0 ? -1 : sys_pidfd_open(run->process.pid), .events = POLLIN },
		{ .fd = run->parent_fd, .events = POLLIN },
	};

	while (polled[0].fd >= 0 && polled[0].revents == 0) {
		if (poll(polled, 2, -1) < 0 && errno != EINTR)
			break;
		if (polled[1].revents != 0 && polled[0].revents == 0)
			die_with_parent(run);
	}
	if (polled[0].fd >= 0)
		close(polled[0].fd);
	return process_reap(&run->process, status);
}

static int run_wait(struct run *run, struct report *report, struct err *err)
{
	struct record record;
	int status;
	int got = run->own.has_init ? hear(run, &record) : 0;

	if (got == 1 && record.kind == RECORD_ENDED) {
		status = record.status;
		/* Process 1 is about to end: nothing is left to be waited for by anybody else. */
		if (record.is_last && process_reap(&run->process, &got) < 0)
			return bwrap_message(err, errno, "Can't reap the child");
	} else if (wait_for_child(run, &status) < 0) {
		return bwrap_message(err, errno, "Can't reap the child");
	}
	fill_end(report, status);
	bwrap_status_end(run, report_exit_status(report));
	return 0;
}

static int run_teardown(struct run *run, struct report *report, struct err *err)
{
	int status;

	(void)err;
	/* Set-up failed: the child ends by itself. */
	if (run->process.pid > 0 && report->end.reason == END_NONE) {
		process_kill(&run->process, SIGKILL);
		process_reap(&run->process, &status);
	}
	if (run->terminal.is_shared)
		terminal_give_back(&run->terminal);
	bwrap_cleaner_end(run);
	bwrap_made_free(run);
	process_close(&run->process);
	bwrap_prepare_free(run);
	free(run);
	return 0;
}

const struct backend backend_bwrap = {
	.name = "bwrap",
	.probe = bwrap_probe,
	.prepare = run_prepare,
	.start = run_start,
	.release = run_release,
	.wait = run_wait,
	.teardown = run_teardown,
};
