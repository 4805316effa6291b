/*
 * Theory of operation.
 *
 * The supervisor has one thread. From before the clone all signals that it handles are
 * blocked and read from a signalfd, so that none is lost and none interrupts. It hears
 * the child through the socket: READY, then EXECUTED or EXEC_FAILED, then ENDED, then
 * end-of-file. A child that says nothing more and closes is dead.
 *
 * A signal that asks for the end is handed on to COMMAND; if COMMAND is still there when
 * the grace period is over, SIGALRM, which init takes as "kill COMMAND", ends it in an
 * orderly way. Should that not help, init is killed, and the kernel ends the rest.
 */
#include "linux/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/gate.h"

/* The same where a limit was reached. */
static const uint64_t limit_grace_ns = UINT64_C(300000000);
/* How long init may take to end COMMAND before it is killed itself. */
static const uint64_t last_grace_ns = UINT64_C(2000000000);

static const int handled[] = {
	SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT,
};

uint64_t supervise_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* What the caller ignores (nohup) does not ask us for anything. */
static void add_unless_ignored(sigset_t *set, int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
		sigaddset(set, number);
}

int supervise_begin(struct supervisor *supervisor, uint64_t grace_ns)
{
	sigset_t set;

	*supervisor = (struct supervisor){ .signal_fd = -1, .grace_ns = grace_ns };
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++)
		add_unless_ignored(&set, handled[i]);
	/* A caller that ignores SIGCHLD would make the kernel reap our child for us. */
	signal(SIGCHLD, SIG_DFL);
	if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &supervisor->caller_mask,
	    sizeof(supervisor->caller_mask)) < 0 || sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -1;
	terminal_look(&supervisor->terminal);
	supervisor->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return supervisor->signal_fd < 0 ? -1 : 0;
}

void supervise_end(struct supervisor *supervisor)
{
	if (supervisor->signal_fd < 0)
		return;
	close(supervisor->signal_fd);
	supervisor->signal_fd = -1;
	terminal_give_back(&supervisor->terminal);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &supervisor->caller_mask, NULL,
	    sizeof(supervisor->caller_mask));
}

static bool asks_for_the_end(int signal)
{
	return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT;
}

/* The caller's shell goes on with us: in the foreground COMMAND gets the terminal again. */
static void go_on(const struct supervisor *supervisor, const struct process *process)
{
	terminal_hand_over(&supervisor->terminal, process->pid);
	process_kill(process, SIGCONT);
}

/*
 * COMMAND was stopped, and everything inside with it. We stop as well, so that the caller's shell sees a
 * stopped job and takes its terminal. Where there is no such shell the kernel does not stop us, and
 * COMMAND goes on.
 */
static void stop_too(struct supervisor *supervisor, const struct process *process)
{
	terminal_give_back(&supervisor->terminal);
	raise(SIGTSTP);
	go_on(supervisor, process);
}

/*
 * What the terminal sends to its foreground group (SI_KERNEL) reaches a COMMAND that
 * shares it by itself, and is COMMAND's to decide upon: an interactive program lives on
 * after Ctrl-C.
 */
static void handle_signal(struct supervisor *supervisor, const struct process *process,
    const struct signalfd_siginfo *info)
{
	int number = (int)info->ssi_signo;

	if (number == SIGCONT) {
		go_on(supervisor, process);
		return;
	}
	if (info->ssi_code == SI_KERNEL && supervisor->terminal.is_shared && number != SIGHUP)
		return;
	process_kill(process, number);
	if (!asks_for_the_end(number) || supervisor->cancelled_by != 0)
		return;
	supervisor->cancelled_by = number;
	supervisor->kill_at_ns = supervise_clock() + supervisor->grace_ns;
}

static void read_signals(struct supervisor *supervisor, const struct process *process)
{
	struct signalfd_siginfo info;

	while (read(supervisor->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		handle_signal(supervisor, process, &info);
}

/* Milliseconds until something has to be done by the clock, -1: nothing has. */
static int time_left(const struct supervisor *supervisor)
{
	uint64_t next = supervisor->kill_at_ns, look = limits_next(supervisor->limits);
	uint64_t now = supervise_clock();

	if (next == 0 || (look != 0 && look < next))
		next = look;
	if (next == 0)
		return -1;
	if (next <= now)
		return 0;
	uint64_t left = (next - now) / 1000000 + 1;
	return left > 60000 ? 60000 : (int)left;
}

static void keep_time(struct supervisor *supervisor, const struct process *process)
{
	if (supervisor->kill_at_ns == 0 || supervise_clock() < supervisor->kill_at_ns)
		return;
	if (!supervisor->killed) {
		process_kill(process, SIGALRM);
		supervisor->killed = true;
		supervisor->kill_at_ns = supervise_clock() + last_grace_ns;
	} else {
		process_kill(process, SIGKILL);
		supervisor->kill_at_ns = 0;
	}
}

/* A limit that was reached ends the run without grace. */
static void keep_limits(struct supervisor *supervisor, const struct process *process)
{
	bool was_hit = supervisor->limits->hit != CONTROL_COUNT;

	limits_check(supervisor->limits, supervise_clock());
	if (was_hit || supervisor->limits->hit == CONTROL_COUNT)
		return;
	process_kill(process, SIGALRM);
	supervisor->killed = true;
	supervisor->kill_at_ns = supervise_clock() + limit_grace_ns;
}

static bool may_fork(void *limits)
{
	return limits_may_fork(limits);
}

/* Lets those through that wait at the gate; nobody is asked any more where nobody is left behind it. */
static void keep_gate(struct supervisor *supervisor, struct process *process,
    const struct pollfd *polled)
{
	const struct gate_keeper keeper = { may_fork, supervisor->limits };

	if (polled->fd < 0 || process->is_shut)
		return;
	if (((polled->revents & POLLIN) && gate_answer(process->received, &keeper) < 0) ||
	    (polled->revents & (POLLHUP | POLLERR)))
		process->is_shut = true;
}

/*
 * init ends what is left: from now on no process can be made, and it is told so. Who asks waits, and is killed waiting:
 * were the gate gone, its fork would fail with a message on the caller's standard error.
 */
static void end_forks(struct process *process)
{
	const char answer = STEP_CLOSED;

	process->is_shut = true;
	send(process->socket, &answer, 1, MSG_NOSIGNAL);
}

/* Whether the record was for us alone. */
static bool take_record(struct supervisor *supervisor, struct process *process,
    const struct record *record)
{
	switch (record->kind) {
	case RECORD_STOPPED:
		stop_too(supervisor, process);
		return true;
	case RECORD_ENDING:
		end_forks(process);
		return true;
	case RECORD_GATE:
		return true;
	default:
		return false;
	}
}

int supervise_next(struct supervisor *supervisor, struct process *process, bool released,
    struct record *record)
{
	struct relay *relay = &supervisor->limits->relay;
	struct pollfd polled[3 + RELAY_POLLED];

	for (;;) {
		polled[0] = (struct pollfd){ .fd = process->socket, .events = POLLIN };
		polled[1] = (struct pollfd){ .fd = supervisor->signal_fd, .events = POLLIN };
		polled[2] = (struct pollfd){ .fd = process->is_shut ? -1 : process->received, .events = POLLIN };
		nfds_t count = 3 + relay_poll(relay, polled + 3);

		if (poll(polled, count, time_left(supervisor)) < 0 && errno != EINTR)
			return -1;
		read_signals(supervisor, process);
		if (!released && supervisor->cancelled_by != 0) {
			errno = EINTR;
			return -1;
		}
		relay_move(relay);
		keep_time(supervisor, process);
		keep_limits(supervisor, process);
		keep_gate(supervisor, process, &polled[2]);
		int result = process_receive(process, record);
		if (result == 1 && take_record(supervisor, process, record))
			continue;
		if (result >= 0 || errno != EAGAIN)
			return result;
	}
}

void supervise_drain(struct supervisor *supervisor, const struct process *process)
{
	struct limits *limits = supervisor->limits;
	struct relay *relay = &limits->relay;
	uint64_t grace_end = supervise_clock() + supervisor->grace_ns;
	struct pollfd polled[RELAY_POLLED + 1];

	relay_move(relay);
	while (relay_is_busy(relay)) {
		bool was_ended = limits->hit != CONTROL_COUNT || supervisor->cancelled_by != 0;
		nfds_t count = relay_poll(relay, polled);

		if (was_ended && supervise_clock() >= grace_end)
			break;
		polled[count++] = (struct pollfd){ .fd = supervisor->signal_fd, .events = POLLIN };
		if (poll(polled, count, was_ended ? 50 : -1) < 0 && errno != EINTR)
			break;
		read_signals(supervisor, process);
		relay_move(relay);
	}
	if (limits->hit == CONTROL_COUNT)
		limits->hit = relay->hit;
}
