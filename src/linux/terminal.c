/*
 * The caller's terminal (terminal.h).
 */
#include "linux/terminal.h"

#include <signal.h>
#include <stddef.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"

void terminal_look(struct terminal *terminal)
{
	size_t count = 0;

	*terminal = (struct terminal){ .fd = -1, .group = getpgrp() };
	for (int fd = 0; fd <= 2; fd++) {
		/* tcgetpgrp answers for our own controlling terminal only. */
		pid_t foreground = tcgetpgrp(fd);

		if (foreground < 0)
			continue;
		if (count++ > 0)
			continue;
		terminal->is_shared = true;
		terminal->fd = fd;
		terminal->was_foreground = foreground == terminal->group;
		terminal->has_modes = terminal->was_foreground &&
		    tcgetattr(fd, &terminal->modes) == 0;
	}
	terminal->takes_over = count == 3 && terminal->was_foreground;
}

char *terminal_name(void)
{
	char name[64];

	if (!isatty(STDOUT_FILENO) || ttyname_r(STDOUT_FILENO, name, sizeof(name)) != 0)
		return NULL;
	return xstrdup(name);
}

/* Both calls would stop a background process (SIGTTOU), so that is blocked meanwhile. */
static void set_foreground(int fd, pid_t group)
{
	sigset_t stop, old;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	sigprocmask(SIG_BLOCK, &stop, &old);
	if (tcgetpgrp(fd) != group)
		tcsetpgrp(fd, group);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void terminal_hand_over(const struct terminal *terminal, pid_t group)
{
	if (terminal->takes_over && tcgetpgrp(terminal->fd) == terminal->group)
		set_foreground(terminal->fd, group);
}

/*
 * A shell that was killed inside leaves the terminal with its own, dead, process group and in
 * its own modes.
 */
void terminal_give_back(const struct terminal *terminal)
{
	if (!terminal->was_foreground)
		return;
	set_foreground(terminal->fd, terminal->group);
	if (terminal->has_modes)
		tcsetattr(terminal->fd, TCSANOW, &terminal->modes);
}
