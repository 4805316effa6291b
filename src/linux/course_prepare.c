/*
 * What every run asks of the host and opens before there is a child (course.h).
 */
#include "linux/course.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/input.h"
#include "linux/procfs.h"
#include "linux/rlimits.h"

static const uint64_t default_grace_ns = UINT64_C(5000000000);

static int by_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

static int take_descriptors(struct course *course, struct err *err)
{
	const struct spec *spec = course->spec;

	course->keep_fds = xcalloc(spec->pass_fds_count + 1, sizeof(*course->keep_fds));
	for (size_t i = 0; i < spec->pass_fds_count; i++) {
		char digits[16];

		snprintf(digits, sizeof(digits), "%d", spec->pass_fds[i]);
		if (input_inherited("--pass-fd", digits, &course->keep_fds[i], err) < 0)
			return -1;
	}
	if (spec->pass_fds_count > 0)
		qsort(course->keep_fds, spec->pass_fds_count, sizeof(*course->keep_fds), by_number);
	return 0;
}

static int take_rlimits(struct course *course, struct err *err)
{
	const struct spec *spec = course->spec;

	course->rlimits = xcalloc(spec->rlimit_count + 1, sizeof(*course->rlimits));
	for (size_t i = 0; i < spec->rlimit_count; i++) {
		if (rlimits_find(spec->rlimits[i].name, &course->rlimits[i], err) < 0)
			return -1;
	}
	return 0;
}

/* "self" in it has to be us: a procfs of another pid namespace gives us another number, or none. */
static int check_procfs(int proc, struct err *err)
{
	char text[16], own[16];
	ssize_t length = readlinkat(proc, "self", text, sizeof(text) - 1);

	if (length < 0 && errno != ENOENT)
		return err_sys(err, ERR_REFUSED, errno, "cannot use /proc, without which nothing can be "
		    "confirmed");
	text[length < 0 ? 0 : length] = '\0';
	snprintf(own, sizeof(own), "%ld", (long)getpid());
	if (strcmp(text, own) == 0)
		return 0;
	return err_set(err, ERR_REFUSED, "/proc here belongs to another pid namespace, and shows nothing "
	    "of ours; mount one for this namespace (unshare --mount-proc)");
}

void course_init(struct course *course, const struct spec *spec)
{
	memset(course, 0, sizeof(*course));
	course->spec = spec;
	course->proc = -1;
	course->process = (struct process)PROCESS_INIT;
	course->supervisor.signal_fd = -1;
	limits_init(&course->limits, &spec->limits);
}

int course_ask(struct course *course, struct err *err)
{
	if (take_descriptors(course, err) < 0 || take_rlimits(course, err) < 0)
		return -1;
	course->proc = procfs_open();
	if (course->proc < 0)
		return err_sys(err, ERR_REFUSED, errno, "cannot use /proc, without which nothing can be "
		    "confirmed");
	return check_procfs(course->proc, err);
}

int course_begin(struct course *course, const char *id, struct err *err)
{
	const struct spec *spec = course->spec;

	if (supervise_begin(&course->supervisor,
	    spec->grace_ns > 0 ? spec->grace_ns : default_grace_ns) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot handle signals");
	course->supervisor.limits = &course->limits;
	return limits_prepare(&course->limits, spec, id, err);
}

void course_add_streams(struct course *course, struct steps *steps)
{
	const struct relay *relay = &course->limits.relay;

	if (relay->count > 0)
		steps_add(steps, child_step_streams, "streams")->flags =
		    (uint64_t)relay->streams[relay->count - 1].child << 32 |
		    (uint64_t)relay->streams[0].child;
}

void course_add_rlimits(struct course *course, struct steps *steps)
{
	const struct spec *spec = course->spec;

	for (size_t i = 0; i < spec->rlimit_count; i++) {
		struct step *step = steps_add(steps, rlimits_step_set, "rlimit");

		step->option = "--rlimit";
		step->source = spec->rlimits[i].name;
		step->flags = (uint64_t)course->rlimits[i];
		step->device = spec->rlimits[i].soft;
		step->inode = spec->rlimits[i].hard;
	}
}

void course_plan(struct course *course, const struct command *command,
    const struct environment *environment)
{
	struct plan *plan = &course->plan;
	mode_t mask = umask(0);

	umask(mask);
	plan->candidates = command->candidates;
	plan->candidate_count = command->count;
	plan->argv = course->spec->command;
	plan->envp = environment->variables;
	plan->env_block = environment->block;
	plan->env_block_size = environment->block_size;
	plan->keep_fds = course->keep_fds;
	plan->keep_count = course->spec->pass_fds_count;
	plan->signal_mask = course->supervisor.caller_mask;
	plan->file_mask = mask;
	plan->socket = -1;
}

void course_end(struct course *course)
{
	free(course->keep_fds);
	free(course->rlimits);
	if (course->proc >= 0)
		close(course->proc);
	process_close(&course->process);
	supervise_end(&course->supervisor);
}
