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
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/caps.h"
#include "linux/failure.h"
#include "linux/procfs.h"
#include "linux/sys.h"
#include "ns/run.h"

static const uint64_t default_grace_ns = UINT64_C(5000000000);

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
		CONTROL_ENVIRONMENT, CONTROL_DESCRIPTORS, CONTROL_CAPABILITIES, CONTROL_NO_NEW_PRIVS,
		CONTROL_NETWORK, CONTROL_UNIX_SOCKETS, CONTROL_IPC, CONTROL_SCRATCH, CONTROL_SESSION,
		CONTROL_TEARDOWN,
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

static int by_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

static int take_descriptors(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	run->keep_fds = xcalloc(spec->pass_fds_count + 1, sizeof(*run->keep_fds));
	for (size_t i = 0; i < spec->pass_fds_count; i++) {
		if (fcntl(spec->pass_fds[i], F_GETFD) < 0)
			return err_sys(err, ERR_USAGE, errno, "--pass-fd %d", spec->pass_fds[i]);
		run->keep_fds[i] = spec->pass_fds[i];
	}
	if (spec->pass_fds_count > 0)
		qsort(run->keep_fds, spec->pass_fds_count, sizeof(*run->keep_fds), by_number);
	return 0;
}

static void run_free(struct run *run)
{
	view_free(&run->view);
	environment_free(&run->environment);
	command_free(&run->command);
	free(run->steps.items);
	free(run->rows.items);
	free(run->layers.items);
	free(run->console);
	free(run->keep_fds);
	if (run->proc >= 0)
		close(run->proc);
	process_close(&run->process);
	supervise_end(&run->supervisor);
	free(run);
}

static int prepare(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	if (take_descriptors(run, err) < 0 || caps_parse(&spec->cap_add, &run->keep_caps, err) < 0)
		return -1;
	run->proc = procfs_open();
	if (run->proc < 0)
		return err_sys(err, ERR_REFUSED, errno, "/proc is not mounted; without it nothing can be "
		    "confirmed");
	if (supervise_begin(&run->supervisor,
	    spec->grace_ns > 0 ? spec->grace_ns : default_grace_ns) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot handle signals");
	run->uid = spec->has_uid ? spec->uid : geteuid();
	run->gid = spec->has_gid ? spec->gid : getegid();
	run->console = terminal_name();
	if (view_build(spec, &run->view, err) < 0)
		return -1;
	environment_build(spec, environ, "/work", &run->environment);
	command_find(spec->command[0], environment_get(&run->environment, "PATH"), &run->command);
	return plan_ns_build(run, err);
}

static int ns_prepare(const struct spec *spec, struct run **made, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->spec = spec;
	run->proc = -1;
	run->process = (struct process)PROCESS_INIT;
	run->supervisor.signal_fd = -1;
	if (prepare(run, err) < 0) {
		run_free(run);
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

/* The child's word before COMMAND runs; anything but `kind` is a failure. */
static int expect_record(struct run *run, uint32_t kind, struct record *record, struct report *report,
    struct err *err)
{
	int got = supervise_next(&run->supervisor, &run->process, false, record);

	if (got < 0 && errno == EINTR && run->supervisor.cancelled_by != 0) {
		report->end.reason = END_CANCELLED;
		report->end.signal = run->supervisor.cancelled_by;
		return err_set(err, ERR_SETUP, "cancelled by signal %d before the command ran",
		    run->supervisor.cancelled_by);
	}
	if (got < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot hear the child");
	if (got == 0)
		return err_set(err, ERR_SETUP, "the child ended without a word before the command ran");
	if (record->kind == kind)
		return 0;
	if (record->kind == RECORD_FAILED)
		return failure_of_step(&run->plan, record, err);
	if (record->kind == RECORD_EXEC_FAILED)
		return failure_of_exec(&run->plan, run->spec->command[0], record, err);
	return err_set(err, ERR_SETUP, "the child sent a record that makes no sense");
}

static int ns_start(struct run *run, struct report *report, struct err *err)
{
	struct record record;
	uint64_t required, wanted;
	int result;

	report->confinement = "namespaces";
	report->network = run->spec->network == SPEC_NETWORK_HOST ? "host" : "none";
	report->scratch = xstrdup("/work");
	/*
	 * Groups of the host's root mean nothing inside; an ordinary user may not drop
	 * his.
	 */
	if (geteuid() == 0)
		setgroups(0, NULL);
	sort_flags(run->spec, &required, &wanted);
	result = process_start(&run->process, &run->plan, required, wanted, run->proc, err);
	if (result == 0)
		confirm_ns_look_at_self(run);
	if (result == 0)
		result = expect_record(run, RECORD_READY, &record, report, err);
	if (result < 0) {
		if (err->kind == ERR_REFUSED)
			failure_explain_refusal(report, err);
		return -1;
	}
	if (record.candidate < run->plan.candidate_count)
		report->resolved = xstrdup(run->plan.candidates[record.candidate].path);
	confirm_ns(run, report, &record);
	return 0;
}

static int ns_release(struct run *run, struct report *report, struct err *err)
{
	const char answer = STEP_RELEASE;
	struct record record;

	run->released_ns = supervise_clock();
	if (send(run->process.socket, &answer, 1, MSG_NOSIGNAL) != 1)
		return err_sys(err, ERR_SETUP, errno, "cannot release the child");
	return expect_record(run, RECORD_EXECUTED, &record, report, err);
}

static void set_figure(struct figure *figure, uint64_t value)
{
	figure->known = true;
	figure->value = value;
}

static void fill_usage(struct run *run, struct report *report, const struct record *record)
{
	set_figure(&report->usage.wall_ms, (supervise_clock() - run->released_ns) / 1000000);
	set_figure(&report->usage.user_ms, record->user_us / 1000);
	set_figure(&report->usage.system_ms, record->system_us / 1000);
	set_figure(&report->usage.cpu_ms, (record->user_us + record->system_us) / 1000);
	set_figure(&report->usage.voluntary_switches, record->voluntary);
	set_figure(&report->usage.involuntary_switches, record->involuntary);
}

static int ns_wait(struct run *run, struct report *report, struct err *err)
{
	struct record record;
	int got;

	do {
		got = supervise_next(&run->supervisor, &run->process, true, &record);
	} while (got > 0 && record.kind != RECORD_ENDED);
	if (got < 0)
		return err_sys(err, ERR_LOST, errno, "cannot hear the child");
	if (got == 0) {
		if (run->supervisor.cancelled_by == 0)
			return err_set(err, ERR_LOST, "the sandbox was killed from outside; how the command "
			    "ended is not known");
		record.status = SIGKILL;
	} else {
		run->has_ended = true;
		run->killed = record.killed;
		fill_usage(run, report, &record);
	}
	report->end.reason = run->supervisor.cancelled_by != 0 ? END_CANCELLED :
	    WIFEXITED(record.status) ? END_EXITED : END_SIGNALED;
	report->end.code = WIFEXITED(record.status) ? WEXITSTATUS(record.status) : -1;
	report->end.signal = WIFSIGNALED(record.status) ? WTERMSIG(record.status) : 0;
	return 0;
}

static int ns_teardown(struct run *run, struct report *report, struct err *err)
{
	int status, result = 0;

	if (run->process.pid > 0) {
		report->teardown.by = "pid-namespace";
		if (!run->has_ended)
			process_kill(&run->process, SIGKILL);
		if (process_reap(&run->process, &status) < 0)
			result = err_sys(err, ERR_LOST, errno, "cannot reap the child");
		else
			report->teardown.confirmed = true;
		if (run->has_ended)
			set_figure(&report->teardown.survivors_killed, run->killed);
		/*
		 * The scratch was a tmpfs of the namespace that has gone with its last
		 * process.
		 */
		report->teardown.has_scratch = true;
		report->teardown.scratch_removed = report->teardown.confirmed;
	}
	run_free(run);
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
