/*
 * Hears the child, from the barrier to the end of COMMAND (course.h).
 */
#include "linux/course.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/failure.h"

int course_start(struct course *course, uint64_t required, uint64_t wanted, struct err *err)
{
	struct process_place place = { course->proc, course->limits.cgroup.entry };
	int result;

	/*
	 * Groups of the host's root mean nothing inside; an ordinary user may not drop
	 * his.
	 */
	if (geteuid() == 0)
		setgroups(0, NULL);
	result = process_start(&course->process, &course->plan, required, wanted, &place, err);
	relay_close_child_ends(&course->limits.relay);
	/* Whoever reads the output may go; that is for COMMAND to notice. */
	signal(SIGPIPE, SIG_IGN);
	/* Without clone3 the child was born outside its control group. */
	if (result == 0 && place.cgroup >= 0 && (course->process.fallbacks & FALLBACK_CLONE) &&
	    cgroup_enter(&course->limits.cgroup, course->process.pid) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot enter the control group");
	return result;
}

int course_expect(struct course *course, uint32_t kind, struct record *record,
    struct report *report, struct err *err)
{
	int got = supervise_next(&course->supervisor, &course->process, course->released_ns > 0, record);

	if (got < 0 && errno == EINTR && course->supervisor.cancelled_by != 0) {
		report->end.reason = END_CANCELLED;
		report->end.signal = course->supervisor.cancelled_by;
		return err_set(err, ERR_SETUP, "cancelled by signal %d before the command ran",
		    course->supervisor.cancelled_by);
	}
	if (got < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot hear the child");
	if (got == 0)
		return err_set(err, ERR_SETUP, "the child ended without a word before the command ran");
	if (record->kind == kind)
		return 0;
	if (record->kind == RECORD_FAILED)
		return failure_of_step(&course->plan, record, err);
	if (record->kind == RECORD_EXEC_FAILED)
		return failure_of_exec(&course->plan, course->spec->command[0], record, err);
	return err_set(err, ERR_SETUP, "the child sent a record that makes no sense");
}

int course_release(struct course *course, struct report *report, struct err *err)
{
	const char answer = STEP_RELEASE;
	struct record record;

	/* From here on a signal is COMMAND's. */
	course->released_ns = supervise_clock();
	limits_start(&course->limits, course->process.pid, course->released_ns);
	if (!course->has_session)
		terminal_hand_over(&course->supervisor.terminal, course->process.pid);
	if (send(course->process.socket, &answer, 1, MSG_NOSIGNAL) != 1)
		return err_sys(err, ERR_SETUP, errno, "cannot release the child");
	return course_expect(course, RECORD_EXECUTED, &record, report, err);
}

static void fill_usage(struct course *course, struct report *report, const struct record *record)
{
	report_set_figure(&report->usage.wall_ms, (supervise_clock() - course->released_ns) / 1000000);
	report_set_figure(&report->usage.user_ms, record->user_us / 1000);
	report_set_figure(&report->usage.system_ms, record->system_us / 1000);
	report_set_figure(&report->usage.cpu_ms, (record->user_us + record->system_us) / 1000);
	report_set_figure(&report->usage.voluntary_switches, record->voluntary);
	report_set_figure(&report->usage.involuntary_switches, record->involuntary);
}

/* How COMMAND ended, from its wait status. */
static void fill_end(struct course *course, struct report *report, int status)
{
	report->end.reason = course->supervisor.cancelled_by != 0 ? END_CANCELLED :
	    WIFEXITED(status) ? END_EXITED : END_SIGNALED;
	report->end.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	report->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* init was killed before it could tell: by us, or by the kernel for want of memory in the group. */
static bool is_explained(const struct course *course)
{
	return course->supervisor.killed || course->supervisor.cancelled_by != 0 ||
	    limits_was_oom(&course->limits);
}

int course_wait(struct course *course, struct report *report, struct err *err)
{
	struct record record;
	int got;

	do {
		got = supervise_next(&course->supervisor, &course->process, true, &record);
	} while (got > 0 && record.kind != RECORD_ENDED);
	if (got < 0)
		return err_sys(err, ERR_LOST, errno, "cannot hear the child");
	if (got > 0) {
		course->has_ended = true;
		course->killed = record.killed;
		fill_usage(course, report, &record);
	} else if (is_explained(course)) {
		record.status = SIGKILL;
		report_set_figure(&report->usage.wall_ms, (supervise_clock() - course->released_ns) / 1000000);
	} else {
		return err_set(err, ERR_LOST, "the sandbox was killed from outside; how the command ended "
		    "is not known");
	}
	fill_end(course, report, record.status);
	supervise_drain(&course->supervisor, &course->process);
	limits_finish(&course->limits, report);
	return 0;
}
