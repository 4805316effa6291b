/*
 * Theory of operation.
 *
 * Without namespaces there is no other root and no process tree of its own. The files are the host's, behind
 * Landlock rules; what those do not cover is refused by a filter of system calls, or listed in the report as not
 * covered.
 *
 * init is a subreaper inside a Landlock domain that scopes signals and nothing else. Beside it in that domain
 * is the killer, and inside a second, inner domain COMMAND, which can signal neither. kill(-1) from init or
 * from the killer reaches what is in the outer domain: the sandbox, and nobody else. init ends everything when
 * COMMAND has ended, or at the supervisor's word; the killer when either init or the supervisor has died.
 *
 * Before Linux 6.12 there are no such domains: then the supervisor is asked for every fork (linux/gate.h), and
 * init kills what is left one by one once no more can come.
 */
#include "landlock/backend_landlock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <sys/wait.h>
#include <unistd.h>

#include "landlock/run.h"
#include "linux/procfs.h"
#include "linux/supervise.h"

/* How long the last processes may take to die when init could not see to it. */
static const uint64_t last_ns = UINT64_C(10000000000);

static void cannot(struct probe *probe, enum control control, const char *reason)
{
	probe->controls[control].can = false;
	probe->controls[control].elsewhere = true;
	probe->controls[control].reason = reason;
}

/* What no Landlock could make true; the rest is found by doing it. */
static int landlock_probe(struct probe *probe, struct err *err)
{
	static const enum control lacking[] = {
		CONTROL_APPCONTAINER, CONTROL_LPAC, CONTROL_FILESYSTEM, CONTROL_JOB, CONTROL_UI,
		CONTROL_HANDLES, CONTROL_MITIGATIONS, CONTROL_SCRATCH_QUOTA,
	};

	(void)err;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].can = true;
	for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++) {
		probe->controls[lacking[i]].can = false;
		probe->controls[lacking[i]].reason = "the landlock backend does not have it";
	}
	cannot(probe, CONTROL_USER_NAMESPACE, "ids are the host's; privilege is dropped instead");
	cannot(probe, CONTROL_MOUNT_NAMESPACE, "files are the host's, behind Landlock rules");
	cannot(probe, CONTROL_PID_NAMESPACE, "the host's processes can be seen; signals are confined instead");
	cannot(probe, CONTROL_NETWORK_NAMESPACE, "sockets are refused by a filter instead");
	cannot(probe, CONTROL_IPC_NAMESPACE, "IPC is refused by a filter instead");
	cannot(probe, CONTROL_UTS_NAMESPACE, "the host name is the host's");
	cannot(probe, CONTROL_CGROUP_NAMESPACE, "control groups of the host can be seen");
	cannot(probe, CONTROL_TIME_NAMESPACE, "clocks are the host's");
	cannot(probe, CONTROL_ROOT, "names of all the host's files can be seen; contents only of what was asked for");
	return 0;
}

static int landlock_prepare(const struct spec *spec, struct run **made, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	struct err undo = ERR_INIT;

	course_init(&run->course, spec);
	run->ruleset = run->scope = run->pipe[0] = run->pipe[1] = run->confirm.dir = -1;
	for (size_t i = 0; i < CANARY_SOCKETS; i++)
		run->canaries.sockets[i] = -1;
	run->disk = run->trial = (struct disk_scratch)DISK_SCRATCH_INIT;
	if (prepare_landlock(run, err) < 0) {
		prepare_landlock_undo(run, &undo);
		err_clear(&undo);
		prepare_landlock_free(run);
		return -1;
	}
	*made = run;
	return 0;
}

/* The two walls that this backend consists of: neither is done without. */
static void begin_report(const struct run *run, struct report *report)
{
	report->confinement = "landlock";
	report->network = run->course.spec->network == SPEC_NETWORK_HOST ? "host" : "none";
	free(report->scratch);
	report->scratch = xstrdup(run->scratch);
	report_require(report, CONTROL_LANDLOCK);
	report_require(report, CONTROL_SECCOMP);
}

/* The line for standard error: why it is weaker, and what helps. */
static void tell_weakness(struct report *report)
{
	const struct layer *layer = &report->layers[CONTROL_USER_NAMESPACE];

	if (layer->sys == 0)
		layer = &report->layers[CONTROL_MOUNT_NAMESPACE];
	free(report->weakness);
	if (layer->sys == 0)
		report->weakness = xasprintf("weaker sandbox: Landlock and filters instead of namespaces, as "
		    "asked for; %zu things are not covered (--report lists them)", report->not_covered.count);
	else
		report->weakness = xasprintf("weaker sandbox: Landlock and filters instead of namespaces (%s%s%s); "
		    "%zu things are not covered (--report lists them)", layer->reason,
		    layer->remedy != NULL ? "; " : "", layer->remedy != NULL ? layer->remedy : "",
		    report->not_covered.count);
}

static int landlock_start(struct run *run, struct report *report, struct err *err)
{
	struct course *course = &run->course;
	struct record probed, ready;
	int result;

	begin_report(run, report);
	result = course_start(course, 0, 0, err);
	if (result == 0)
		result = course_expect(course, RECORD_PROBED, &probed, report, err);
	if (result == 0)
		result = course_expect(course, RECORD_READY, &ready, report, err);
	if (result < 0)
		return -1;
	if (ready.head_length > 0) {
		free(report->resolved);
		report->resolved = xstrndup((const char *)ready.head, ready.head_length);
	}
	run->killer = ready.killer;
	if (confirm_landlock(run, report, &probed, &ready, err) < 0)
		return -1;
	not_covered_list(run, report);
	tell_weakness(report);
	return 0;
}

static int landlock_release(struct run *run, struct report *report, struct err *err)
{
	return course_release(&run->course, report, err);
}

static int landlock_wait(struct run *run, struct report *report, struct err *err)
{
	return course_wait(&run->course, report, err);
}

/* How many filters of system calls a process has (Linux 5.9); 0 where that cannot be read. */
static uint64_t count_filters(const struct run *run, pid_t pid)
{
	struct str text = STR_INIT;
	const char *field = NULL;
	uint64_t count = 0;
	int dir = procfs_open_process(run->course.proc, pid);

	if (dir >= 0 && procfs_read(dir, "status", &text) == 0)
		field = procfs_field(str_text(&text), "Seccomp_filters");
	if (field == NULL || procfs_number(field, 10, &count) == NULL)
		count = 0;
	str_free(&text);
	if (dir >= 0)
		close(dir);
	return count;
}

/*
 * Whether an orphan is the run's: it has the filters that COMMAND has, beyond this process's own. Others come here too,
 * since this process takes in orphans: those of children that it had before it was nsbox. They are left alone.
 */
static bool is_of_the_run(const struct run *run, pid_t pid)
{
	return pid == run->killer || (!family_has(&run->before, pid) &&
	    count_filters(run, pid) >= count_filters(run, getpid()) + PLAN_FILTERS);
}

/*
 * Kills what came to this process from a dead init, but for the killer, which ends by itself when it has killed the
 * others. How many there were.
 */
static size_t kill_orphans(const struct run *run)
{
	struct family now = { NULL, 0, 0 };
	size_t left = 0;

	if (family_add(&now, run->course.proc, getpid(), false) < 0)
		return 1;
	for (size_t i = 0; i < now.count; i++) {
		pid_t pid = now.pids[i];

		if (!is_of_the_run(run, pid)) {
			/* One that has ended has no filters to be counted any more. */
			if (!family_has(&run->before, pid))
				waitpid(pid, NULL, WNOHANG | __WALL);
			continue;
		}
		if (pid != run->killer)
			kill(pid, SIGKILL);
		while (waitpid(pid, NULL, WNOHANG | __WALL) < 0 && errno == EINTR)
			continue;
		left++;
	}
	family_free(&now);
	return left;
}

/* Whether nothing of the run is left: asked until it is so, or for a time. */
static bool is_gone(const struct run *run)
{
	const struct timespec pause = { 0, 1000000 };
	uint64_t end = supervise_clock() + last_ns;

	while (kill_orphans(run) > 0) {
		if (supervise_clock() >= end)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static int end_processes(struct run *run, struct report *report, struct err *err)
{
	struct process *process = &run->course.process;
	int status, result = 0;

	report->teardown.by = run_has_scope(run) ? "landlock-scope" : "seccomp-gate";
	/* Nobody is let through the gate any more, and init can do nothing that the rest of this cannot. */
	if (!run->course.has_ended)
		process_kill(process, SIGKILL);
	if (process->pid > 0 && process_reap(process, &status) < 0)
		result = err_sys(err, ERR_LOST, errno, "cannot reap the child");
	if (run->course.has_ended)
		report_set_figure(&report->teardown.survivors_killed, run->course.killed);
	if (!is_gone(run))
		result = err_set(err, ERR_LOST, "processes of the sandbox are left");
	return result;
}

static int landlock_teardown(struct run *run, struct report *report, struct err *err)
{
	bool is_kept = run->course.spec->keep_scratch || run->course.spec->scratch_use != NULL;
	int result = 0;

	if (run->course.process.pid > 0) {
		result = end_processes(run, report, err);
		report->teardown.has_scratch = !is_kept;
	}
	if (prepare_landlock_undo(run, err) < 0)
		result = -1;
	report->teardown.confirmed = result == 0;
	report->teardown.scratch_removed = result == 0 && !is_kept;
	prepare_landlock_free(run);
	return result;
}

const struct backend backend_landlock = {
	.name = "landlock",
	.is_fallback = true,
	.probe = landlock_probe,
	.prepare = landlock_prepare,
	.start = landlock_start,
	.release = landlock_release,
	.wait = landlock_wait,
	.teardown = landlock_teardown,
};
