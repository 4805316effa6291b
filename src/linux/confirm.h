/*
 * Looks at the held child from outside and writes down what holds. What could not be
 * read, or is not as asked, stays unconfirmed: whether COMMAND may run then is decided by
 * report_check_required.
 */
#ifndef NSBOX_LINUX_CONFIRM_H
#define NSBOX_LINUX_CONFIRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "core/report.h"
#include "core/str.h"
#include "linux/step.h"

struct confirm {
	struct report *report;
	pid_t pid;
	int dir;		/* /proc/PID (O_PATH) */
	uint32_t fallbacks;	/* the ways that the child had to take */
	struct str status;	/* its status file */
};

/* Opens /proc/PID. 0, or -1 with errno; close it in either case (twice is harmless). */
int confirm_open(struct confirm *confirm, struct report *report, int proc, pid_t pid);
/* Reads the status file, once the child is held. 0, or -1 with errno. */
int confirm_read_status(struct confirm *confirm);
void confirm_close(struct confirm *confirm);

/* Each confirms one control of the report, or leaves it. */
void confirm_environment(struct confirm *confirm, size_t variables);
void confirm_descriptors(struct confirm *confirm, const struct plan *plan);
/* With `bounding_may_stay` the bounding set counts only where no_new_privs is not set. */
void confirm_capabilities(struct confirm *confirm, uint64_t keep, bool bounding_may_stay);
void confirm_no_new_privs(struct confirm *confirm);
void confirm_session(struct confirm *confirm);
/* Refuses a limit that is required by name and was given no value: it holds nothing. */
void confirm_limits_given(struct report *report);
/*
 * `record` is the child's RECORD_READY: only the child itself can read its parent-death
 * signal.
 */
void confirm_teardown(struct confirm *confirm, const struct record *record);

#endif
