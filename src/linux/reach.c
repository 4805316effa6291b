/*
 * Child code: reaching every process of the sandbox with a signal, and no other.
 *
 * kill(-1) walks all processes that may be signalled under one lock and aborts forks in flight, so
 * nothing escapes it. It is used only where something else confines it: a pid namespace, or a Landlock
 * domain that scopes signals, which the backend has tried before it said so. Anywhere else it
 * would end the caller's whole session.
 */
#include "linux/child.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIST_BYTES = 4096 };

/* The next number of a list that blanks separate, 0: none. */
static pid_t next_pid(const char **at)
{
	pid_t pid = 0;

	while (**at == ' ')
		++*at;
	while (**at >= '0' && **at <= '9')
		pid = pid * 10 + (*(*at)++ - '0');
	return pid;
}

/*
 * Each child of init's own (it has one thread). A list longer than the buffer is cut, maybe in the middle of a
 * number: its last word does not count. Whoever ends everything comes again.
 */
static void signal_children(const struct child *child, int signal)
{
	char name[64] = "self/task/", text[LIST_BYTES];
	char *end = child_number(name + strlen(name), (uint64_t)getpid());
	const char *at = text;
	ssize_t got;
	pid_t pid;
	int fd;

	memcpy(end, "/children", sizeof("/children"));
	fd = openat(child->proc, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	if (got == sizeof(text) - 1)
		*strrchr(text, ' ') = '\0';
	while ((pid = next_pid(&at)) > 0)
		kill(pid, signal);
}

void reach_signal(const struct child *child, int signal)
{
	switch (child->plan->reach) {
	case REACH_NAMESPACE:
	case REACH_SCOPE:
		kill(-1, signal);
		break;
	case REACH_CHILDREN:
		signal_children(child, signal);
		break;
	case REACH_NONE:
		break;
	}
}

/* From the supervisor's answer on no process can be made any more; it may also be dead. */
static void ask_for_end(const struct child *child)
{
	const struct record record = { .kind = RECORD_ENDING };
	char answer;

	if (!child->plan->asks_for_end || child_send(child, &record) < 0)
		return;
	while (recv(child->socket, &answer, 1, 0) < 0 && errno == EINTR)
		continue;
}

/*
 * Counts those that really died of it. One by one, each that is reaped may leave children to init, which come
 * next: without new forks that has an end.
 */
uint32_t reach_end(const struct child *child)
{
	uint32_t killed = 0;
	int status;

	ask_for_end(child);
	reach_signal(child, SIGKILL);
	for (;;) {
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 && errno != EINTR)
			return killed;
		if (pid > 0 && pid != child->killer)
			killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		if (child->plan->reach == REACH_CHILDREN)
			signal_children(child, SIGKILL);
	}
}
