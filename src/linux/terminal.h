/*
 * The caller's terminal, when the sandbox shares it: what it was like, and
 * giving it back.
 */
#ifndef NSBOX_LINUX_TERMINAL_H
#define NSBOX_LINUX_TERMINAL_H

#include <stdbool.h>

#include <sys/types.h>
#include <termios.h>

struct terminal {
	bool is_shared;		/* standard input, output or error is our controlling terminal */
	bool takes_over;	/* all three are, and COMMAND gets the foreground for itself */
	bool was_foreground;	/* and we were its foreground process group */
	bool has_modes;
	int fd;			/* 0, 1 or 2; -1: none */
	pid_t group;		/* our process group */
	struct termios modes;
};

/* Looks at descriptors 0 to 2. */
void terminal_look(struct terminal *terminal);

/*
 * The name of the terminal on standard output ("/dev/pts/3"), allocated; NULL where there
 * is none.
 */
char *terminal_name(void);

/*
 * Makes `group` the foreground, where that is ours to give: COMMAND has a process group of its own
 * then. Not in a pipeline, whose other members would lose the terminal.
 */
void terminal_hand_over(const struct terminal *terminal, pid_t group);

/* Takes the foreground back and restores the modes, where that is ours to do. */
void terminal_give_back(const struct terminal *terminal);

#endif
