/*
 * Theory of operation.
 *
 * prepare asks the host everything and composes the plan. start clones a child with all
 * namespaces at once; the child builds its own world step by step, from inside, and stops
 * at the barrier. The supervisor then looks at it through /proc and writes down what
 * holds. release lets it go on: it becomes pid 1 (init) and starts COMMAND. wait hears
 * how COMMAND ended. teardown kills pid 1, with which the kernel ends whatever is left,
 * and reaps it: a reaped pid 1 means that its namespace is empty.
 */
#include "ns/backend_ns.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/failure.h"
#include "linux/sys.h"
#include "ns/run.h"

/*
 * What namespaces can enforce is found by making them; here only what no kernel could
 * make true is ruled out.
 */
static int ns_probe(struct probe *probe, struct err *err)
{
	static const enum control own[] = {
		CONTROL_USER_NAMESPACE, CONTROL_MOUNT_NAMESPACE, CONTROL_PID_NAMESPACE,
		CONTROL_NETWORK_NAMESPACE, CONTROL_IPC_NAMESPACE, CONTROL_UTS_NAMESPACE,
		CONTROL_CGROUP_NAMESPACE, CONTROL_TIME_NAMESPACE, CONTROL_ROOT, CONTROL_READ_ONLY,
		CONTROL_NESTED_NAMESPACES,
		CONTROL_LANDLOCK, CONTROL_ENVIRONMENT, CONTROL_DESCRIPTORS, CONTROL_CAPABILITIES, CONTROL_NO_NEW_PRIVS,
		CONTROL_NETWORK, CONTROL_UNIX_SOCKETS, CONTROL_IPC, CONTROL_SCRATCH, CONTROL_SESSION,
		CONTROL_TEARDOWN, CONTROL_SCRATCH_QUOTA, CONTROL_CGROUP, CONTROL_WALL, CONTROL_CPU,
		CONTROL_MEM, CONTROL_PIDS, CONTROL_CPUS, CONTROL_OUTPUT, CONTROL_OUTPUT_EACH,
		CONTROL_RLIMIT,
	};

	(void)err;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].reason = "the namespaces backend does not have it";
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		probe->controls[own[i]].can = true;
		probe->controls[own[i]].reason = NULL;
	}
	return 0;
}

static int ns_prepare(const struct spec *spec, struct run **made, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	struct err undo = ERR_INIT;

	course_init(&run->course, spec);
	run->root = run->confirm.dir = run->ruleset = -1;
	run->disk = (struct disk_scratch)DISK_SCRATCH_INIT;
	if (prepare_ns(run, err) < 0) {
		prepare_ns_undo(run, &undo);
		err_clear(&undo);
		prepare_ns_free(run);
		return -1;
	}
	*made = run;
	return 0;
}

struct namespace_flag {
	enum control control;
	uint64_t flag;
};

static const struct namespace_flag namespace_flags[] = {
	{ CONTROL_USER_NAMESPACE, CLONE_NEWUSER }, { CONTROL_MOUNT_NAMESPACE, CLONE_NEWNS },
	{ CONTROL_PID_NAMESPACE, CLONE_NEWPID }, { CONTROL_NETWORK_NAMESPACE, CLONE_NEWNET },
	{ CONTROL_IPC_NAMESPACE, CLONE_NEWIPC }, { CONTROL_UTS_NAMESPACE, CLONE_NEWUTS },
	{ CONTROL_CGROUP_NAMESPACE, CLONE_NEWCGROUP }, { CONTROL_TIME_NAMESPACE, CLONE_NEWTIME },
};

/* What cannot be left out: without these the steps themselves have no meaning here. */
static const uint64_t indispensable = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID;

static void sort_flags(const struct spec *spec, uint64_t *required, uint64_t *wanted)
{
	*required = indispensable;
	*wanted = 0;
	for (size_t i = 0; i < sizeof(namespace_flags) / sizeof(namespace_flags[0]); i++) {
		enum want want = spec->policy[namespace_flags[i].control].want;

		if (want == WANT_YES)
			*required |= namespace_flags[i].flag;
		else if (want == WANT_TRY)
			*wanted |= namespace_flags[i].flag;
	}
	*wanted &= ~*required;
}

static int ns_start(struct run *run, struct report *report, struct err *err)
{
	struct record record;
	uint64_t required, wanted;
	int result;

	report->confinement = "namespaces";
	report->network = run->course.spec->network == SPEC_NETWORK_HOST ? "host" : "none";
	report->scratch = xstrdup(run->disk.path != NULL ? run->disk.path :
	    run->host_scratch[0].path != NULL ? run->host_scratch[0].path : "/work");
	sort_flags(run->course.spec, &required, &wanted);
	result = course_start(&run->course, required, wanted, err);
	if (result == 0)
		confirm_ns_look_at_self(run);
	if (result == 0)
		result = course_expect(&run->course, RECORD_VIEW, &record, report, err);
	if (result == 0) {
		confirm_ns_view(run, report, &record);
		result = course_expect(&run->course, RECORD_READY, &record, report, err);
	}
	if (result < 0) {
		if (err->kind == ERR_UNAVAILABLE)
			failure_explain_refusal(report, err);
		return -1;
	}
	if (record.head_length > 0)
		report->resolved = xstrndup((const char *)record.head, record.head_length);
	confirm_ns_process(run, report, &record);
	return 0;
}

static int ns_release(struct run *run, struct report *report, struct err *err)
{
	return course_release(&run->course, report, err);
}

static int ns_wait(struct run *run, struct report *report, struct err *err)
{
	return course_wait(&run->course, report, err);
}

static int ns_teardown(struct run *run, struct report *report, struct err *err)
{
	bool is_kept = run->course.spec->keep_scratch || run->course.spec->scratch_use != NULL;
	int status, result = 0;

	report->teardown.confirmed = true;
	if (run->course.process.pid > 0) {
		report->teardown.by = "pid-namespace";
		if (!run->course.has_ended)
			process_kill(&run->course.process, SIGKILL);
		if (process_reap(&run->course.process, &status) < 0)
			result = err_sys(err, ERR_LOST, errno, "cannot reap the child");
		if (run->course.has_ended)
			report_set_figure(&report->teardown.survivors_killed, run->course.killed);
		/* A scratch in memory was a tmpfs of the namespace that has gone with its last process. */
		report->teardown.has_scratch = !is_kept;
	}
	if (prepare_ns_undo(run, err) < 0)
		result = -1;
	report->teardown.confirmed = result == 0;
	report->teardown.scratch_removed = result == 0 && !is_kept;
	prepare_ns_free(run);
	return result;
}

const struct backend backend_ns = {
	.name = "namespaces",
	.probe = ns_probe,
	.prepare = ns_prepare,
	.start = ns_start,
	.release = ns_release,
	.wait = ns_wait,
	.teardown = ns_teardown,
};
