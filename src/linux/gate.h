/*
 * The gate on new processes: with neither a pid namespace nor a Landlock scope the
 * supervisor is asked for each fork, and answers no more when all have to end.
 * A loop of kills wins against processes that cannot multiply.
 */
#ifndef NSBOX_LINUX_GATE_H
#define NSBOX_LINUX_GATE_H

#include <stdbool.h>

struct gate_keeper {
	bool (*may_pass)(void *context);
	void *context;
};

/*
 * Lets one waiting process go on with its call (Linux 5.5), or has the call fail with EAGAIN where it may not pass. 0, or -1
 * with errno where nobody uses the gate any more.
 */
int gate_answer(int listener, const struct gate_keeper *keeper);

#endif
