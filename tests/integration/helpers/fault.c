/*
 * Runs nsbox with one system call of its set-up made to fail, once:
 *
 *	fault list -- NSBOX ARG ...		prints "call NUMBER COUNT" of each that the set-up makes
 *	fault NUMBER NTH ERRNO -- NSBOX ARG ...
 *
 * The set-up begins with the first uname, which is where nsbox has read its command line, and ends when
 * COMMAND is executed. Calls of all its processes count; those that cannot fail are left alone.
 * ERRNO is a name. Exits as nsbox does, or with
 *
 *	95	it ended, and processes of it were left
 *	96	the call was not made so often
 *	97	it did not end in time
 *	99	this program itself failed
 *
 * Theory of operation: a seccomp filter hands every call to us before it is made
 * (seccomp_unotify(2)); we let it go on or answer it ourselves. The filter is inherited, and its
 * listener hangs up when no process has it any more: so nothing that was left behind is missed.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	STATUS_LEFT = 95, STATUS_NOT_MADE = 96, STATUS_HANGS = 97, STATUS_FAILED = 99,
	CALLS_MAX = 1024, DEADLINE_MS = 5000, LEFT_MS = 1000
};

struct name {
	const char *name;
	int number;
};

static const struct name errors[] = {
	{ "EAGAIN", EAGAIN }, { "EMFILE", EMFILE }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "EPERM", EPERM },
};

/*
 * They never fail when called properly (close: the descriptor is gone in any case), have no way to say so
 * (brk), or are no calls of set-up.
 */
static const int unfailing[] = {
	SYS_brk, SYS_close, SYS_execve, SYS_exit, SYS_exit_group, SYS_getegid, SYS_geteuid, SYS_getgid,
	SYS_getpid, SYS_getppid, SYS_getuid, SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigprocmask,
	SYS_rt_sigreturn, SYS_umask,
};

struct fault {
	int listener;
	int call;		/* to fail; -1: only count */
	unsigned nth;
	int error;
	bool has_begun, is_over, is_done;
	unsigned execs;
	unsigned counts[CALLS_MAX];
	pid_t pid;
	int status;		/* of nsbox, once has_status */
	bool has_status;
	int64_t end_ms;
};

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(const char *what)
{
	fprintf(stderr, "fault: %s: %s\n", what, strerror(errno));
	return STATUS_FAILED;
}

/* In the new process, which shares our descriptors until it executes nsbox. */
static void become(char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
	};
	struct sock_fprog program = { .len = 1, .filter = code };

	/* Somebody without privilege needs it; nsbox sets it itself, later. */
	if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		_exit(STATUS_FAILED);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) < 0)
		_exit(STATUS_FAILED);
	execv(argv[0], argv);
	_exit(STATUS_FAILED);
}

/* The listener appears among our descriptors, at the lowest free number. */
static int start(struct fault *fault, char **argv)
{
	const struct timespec moment = { 0, 100000 };
	int number = dup(STDERR_FILENO);

	close(number);
	fault->end_ms = clock_ms() + DEADLINE_MS;
	fault->pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (fault->pid == 0)
		become(argv);
	if (fault->pid < 0)
		return -1;
	while (fcntl(number, F_GETFD) < 0) {
		if (waitpid(fault->pid, &fault->status, WNOHANG) > 0 || clock_ms() > fault->end_ms) {
			errno = EIO;
			return -1;
		}
		nanosleep(&moment, NULL);
	}
	fault->listener = number;
	return 0;
}

static bool can_fail(int call)
{
	for (size_t i = 0; i < sizeof(unfailing) / sizeof(unfailing[0]); i++) {
		if (unfailing[i] == call)
			return false;
	}
	return call >= 0 && call < CALLS_MAX;
}

/* Whether this call has to fail. */
static bool judge(struct fault *fault, int call)
{
	if (call == SYS_execve && ++fault->execs == 2)
		fault->is_over = true;
	if (call == SYS_uname)
		fault->has_begun = true;
	if (!fault->has_begun || fault->is_over || !can_fail(call))
		return false;
	fault->counts[call]++;
	if (call != fault->call || fault->counts[call] != fault->nth)
		return false;
	fault->is_done = true;
	return true;
}

static void answer(struct fault *fault)
{
	struct seccomp_notif asked;
	struct seccomp_notif_resp answered;

	memset(&asked, 0, sizeof(asked));
	memset(&answered, 0, sizeof(answered));
	if (ioctl(fault->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		return;		/* the process was killed meanwhile */
	answered.id = asked.id;
	if (judge(fault, asked.data.nr))
		answered.error = -fault->error;
	else
		answered.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	ioctl(fault->listener, SECCOMP_IOCTL_NOTIF_SEND, &answered);
}

/* Nobody answers a caller any more once the listener is closed, so what still waits ends. */
static int give_up(struct fault *fault, int status)
{
	if (!fault->has_status) {
		kill(fault->pid, SIGKILL);
		waitpid(fault->pid, &fault->status, 0);
	}
	return status;
}

/* Until no process has the filter. Returns the exit status. */
static int serve(struct fault *fault)
{
	struct pollfd polled = { .fd = fault->listener, .events = POLLIN };

	for (;;) {
		int got = poll(&polled, 1, 50);

		if (got > 0 && polled.revents & POLLIN)
			answer(fault);
		if (!fault->has_status && (got == 0 || polled.revents & POLLHUP) &&
		    waitpid(fault->pid, &fault->status, WNOHANG) > 0) {
			fault->has_status = true;
			fault->end_ms = clock_ms() + LEFT_MS;
		}
		if (fault->has_status && polled.revents & POLLHUP)
			break;
		if (clock_ms() > fault->end_ms)
			return give_up(fault, fault->has_status ? STATUS_LEFT : STATUS_HANGS);
	}
	if (fault->call >= 0 && !fault->is_done)
		return STATUS_NOT_MADE;
	return WIFEXITED(fault->status) ? WEXITSTATUS(fault->status) : 128 + WTERMSIG(fault->status);
}

static int find_error(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	}
	return 0;
}

static bool parse_number(const char *word, unsigned long max, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(word, &end, 10);
	return errno == 0 && *word != '\0' && *end == '\0' && *number <= max;
}

/* Returns the index of the word behind "--", 0 where the command line makes no sense. */
static int parse(struct fault *fault, int argc, char **argv)
{
	unsigned long call, nth;

	if (argc > 3 && strcmp(argv[1], "list") == 0 && strcmp(argv[2], "--") == 0)
		return 3;
	if (argc < 6 || strcmp(argv[4], "--") != 0)
		return 0;
	fault->error = find_error(argv[3]);
	if (fault->error == 0 || !parse_number(argv[1], CALLS_MAX - 1, &call) ||
	    !parse_number(argv[2], 1000000, &nth))
		return 0;
	fault->call = (int)call;
	fault->nth = (unsigned)nth;
	return 5;
}

int main(int argc, char **argv)
{
	struct fault fault = { .listener = -1, .call = -1 };
	int first = parse(&fault, argc, argv), status;

	if (first == 0) {
		fputs("usage: fault list|(NUMBER NTH ERRNO) -- NSBOX ARG ...\n", stderr);
		return STATUS_FAILED;
	}
	if (start(&fault, argv + first) < 0)
		return fail("cannot start it below a filter");
	status = serve(&fault);
	for (int i = 0; fault.call < 0 && i < CALLS_MAX; i++) {
		if (fault.counts[i] > 0)
			printf("call %d %u\n", i, fault.counts[i]);
	}
	return status;
}
