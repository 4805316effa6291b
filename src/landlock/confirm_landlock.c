/*
 * Confirms what the Landlock backend promises: from outside on the held process, and from what that tried before and after
 * the rules were enforced.
 */
#include "landlock/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/folder.h"
#include "linux/procfs.h"
#include "linux/rlimits.h"

enum { ANY_REFUSAL = -2 };

/* One thing that has to come out as the control claims. */
struct claim {
	enum control control;
	enum probe_kind probe;
	int after;		/* errno value, 0: it works, ANY_REFUSAL */
	bool differs;		/* and it worked before, so that the rules are what refuses it */
	const char *what;
};

static const struct claim claims[] = {
	{ CONTROL_LANDLOCK, PROBE_READ, EACCES, true, "reading a file outside the rules" },
	{ CONTROL_LANDLOCK, PROBE_WRITE, EACCES, true, "writing it" },
	{ CONTROL_LANDLOCK, PROBE_TRUNCATE, EACCES, false, "truncating it" },
	{ CONTROL_LANDLOCK, PROBE_OPEN_TRUNCATE, EACCES, false, "opening it with O_TRUNC" },
	{ CONTROL_LANDLOCK, PROBE_ACCESS_3, EACCES, false, "opening it with access mode 3" },
	{ CONTROL_LANDLOCK, PROBE_LIST, EACCES, true, "listing its folder" },
	{ CONTROL_LANDLOCK, PROBE_MAKE, EACCES, true, "making a file beside it" },
	{ CONTROL_LANDLOCK, PROBE_LINK, ANY_REFUSAL, false, "linking it into the scratch" },
	{ CONTROL_LANDLOCK, PROBE_TRACE, ANY_REFUSAL, false, "reading the supervisor's environment" },
	{ CONTROL_READ_ONLY, PROBE_READ_ONLY_READ, 0, true, "reading a read-only file" },
	{ CONTROL_READ_ONLY, PROBE_READ_ONLY_WRITE, EACCES, true, "writing it" },
	{ CONTROL_READ_ONLY, PROBE_READ_ONLY_TRUNCATE, EACCES, false, "truncating it" },
	{ CONTROL_SCRATCH, PROBE_SCRATCH, 0, true, "making a file in the scratch" },
	{ CONTROL_NETWORK, PROBE_INET, EAFNOSUPPORT, false, "an internet socket" },
	{ CONTROL_NETWORK, PROBE_NETLINK, EAFNOSUPPORT, false, "a netlink socket" },
	{ CONTROL_NETWORK, PROBE_IO_URING, ENOSYS, false, "io_uring" },
	{ CONTROL_IPC, PROBE_SHARED_MEMORY, EPERM, false, "System V shared memory" },
	{ CONTROL_IPC, PROBE_QUEUE, EPERM, false, "a POSIX message queue" },
	{ CONTROL_IPC, PROBE_KEYRING, EPERM, false, "a keyring" },
	{ CONTROL_SECCOMP, PROBE_GAIN, EPERM, false, "making a file setuid" },
	{ CONTROL_SECCOMP, PROBE_SOCKETPAIR, 0, false, "a socket pair" },
	{ CONTROL_SECCOMP, PROBE_LIMIT, EPERM, false, "setting a limit of the supervisor" },
	{ CONTROL_TEARDOWN, PROBE_SIGNAL, EPERM, false, "signalling the supervisor" },
	{ CONTROL_TEARDOWN, PROBE_SIGNAL_INIT, EPERM, false, "signalling init" },
};

struct results {
	int16_t before[PROBE_COUNT], after[PROBE_COUNT];
};

static bool is_as_claimed(const struct claim *claim, const struct results *results)
{
	int after = results->after[claim->probe];

	if (claim->differs && results->before[claim->probe] != 0)
		return false;
	return claim->after == ANY_REFUSAL ? after > 0 : after == claim->after;
}

static void add_name(struct str *text, int error)
{
	if (error == 0)
		str_add(text, "works");
	else if (error == PROBE_SKIPPED)
		str_add(text, "not tried");
	else
		str_add(text, errno_name(error) ? errno_name(error) : "refused");
}

/* The claims of one control, as text; false where one does not hold: then only those that do not are in it. */
static bool judge(enum control control, const struct results *results, struct str *text)
{
	struct str wrong = STR_INIT;

	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		const struct claim *claim = &claims[i];
		struct str *to = is_as_claimed(claim, results) ? text : &wrong;

		if (claim->control != control)
			continue;
		str_addf(to, "%s%s: ", to->length > 0 ? ", " : "", claim->what);
		add_name(to, results->after[claim->probe]);
		if (claim->differs) {
			str_add(to, " (before: ");
			add_name(to, results->before[claim->probe]);
			str_add(to, ")");
		}
	}
	if (wrong.length == 0)
		return true;
	str_free(text);
	*text = wrong;
	return false;
}

/* Confirms it where every claim holds. A contradiction is noted as the reason why it does not hold. */
static void confirm_claims(struct report *report, enum control control, const char *by,
    const struct results *results, struct str *contradictions)
{
	struct str text = STR_INIT;

	if (report->layers[control].asked == WANT_NO)
		return;
	if (judge(control, results, &text)) {
		report_confirm(report, control, by, 0, "%s", str_text(&text));
	} else {
		report_missing(report, control, 0, NULL, "it was tried, and is not so: %s", str_text(&text));
		str_addf(contradictions, "%s%s", contradictions->length > 0 ? "; " : "", str_text(&text));
	}
	str_free(&text);
}

static void confirm_unix(const struct run *run, struct report *report, const struct results *results,
    struct str *contradictions)
{
	int made = results->after[PROBE_UNIX], path = results->after[PROBE_UNIX_PATH];
	int name = results->after[PROBE_UNIX_ABSTRACT], sent = results->after[PROBE_UNIX_SEND];
	struct str text = STR_INIT;
	bool holds;

	if (report->layers[CONTROL_UNIX_SOCKETS].asked == WANT_NO)
		return;
	if (run->course.spec->policy[CONTROL_UNIX_SOCKETS].may_miss) {
		report_missing(report, CONTROL_UNIX_SOCKETS, 0, NULL,
		    "left open: every service of this user's can be reached, and through it what it may do");
		return;
	}
	str_add(&text, "making one: ");
	add_name(&text, made);
	if (made == 0) {
		str_add(&text, ", connecting to one outside by path: ");
		add_name(&text, path);
		str_add(&text, ", by abstract name: ");
		add_name(&text, name);
	}
	str_add(&text, ", sending a datagram from one of a pair: ");
	add_name(&text, sent);
	holds = run->allows_unix ? made == 0 && path > 0 && name > 0 && sent > 0 :
	    made == EAFNOSUPPORT && sent == EAFNOSUPPORT;
	if (holds)
		report_confirm(report, CONTROL_UNIX_SOCKETS, run->allows_unix ? "landlock" : "seccomp", 0,
		    "%s", str_text(&text));
	else
		str_addf(contradictions, "%sAF_UNIX sockets: %s", contradictions->length > 0 ? "; " : "",
		    str_text(&text));
	str_free(&text);
}

static void confirm_scratch_place(const struct run *run, struct report *report,
    const struct results *results)
{
	int entries = folder_count(AT_FDCWD, run->scratch);

	if (entries == 0 && results->before[PROBE_SCRATCH] == 0 && results->after[PROBE_SCRATCH] == 0)
		report_confirm(report, CONTROL_SCRATCH, run->used.path != NULL ? "landlock" : "disk", 0,
		    "%s: %s; it is empty and can be written", run->scratch,
		    run->used.path != NULL ? "the caller's folder" : "a new folder on disk");
}

/* The held process has to be a child of init, in the state that its status tells. */
static bool is_held(const struct run *run, const struct confirm *confirm)
{
	const char *parent = procfs_field(str_text(&confirm->status), "PPid");
	const char *mode = procfs_field(str_text(&confirm->status), "Seccomp");
	uint64_t pid;

	return parent != NULL && procfs_number(parent, 10, &pid) != NULL &&
	    pid == (uint64_t)run->course.process.pid && mode != NULL && *mode == '2';
}

static void confirm_ending(struct run *run, struct report *report, const struct results *results,
    const struct record *ready, struct str *contradictions)
{
	struct str text = STR_INIT;

	if (!judge(CONTROL_TEARDOWN, results, &text)) {
		str_addf(contradictions, "%s%s", contradictions->length > 0 ? "; " : "", str_text(&text));
	} else if (run_has_scope(run) && ready->killer > 0) {
		report_confirm(report, CONTROL_TEARDOWN, "landlock-scope", 0,
		    "kill(-1) reaches the scope alone: from inside it, signalling the supervisor is EPERM; process "
		    "%ld waits for the death of nsbox or init; %s", (long)ready->killer, str_text(&text));
	} else if (!run_has_scope(run) && run->course.process.received >= 0) {
		report_confirm(report, CONTROL_TEARDOWN, "seccomp-gate", 0,
		    "the supervisor is asked for every new process, and answers none when all are killed; %s",
		    str_text(&text));
	}
	str_free(&text);
}

/* What is done here as with namespaces, on the process that will be COMMAND. */
static void confirm_process(struct run *run, struct report *report, const struct record *ready)
{
	struct confirm *confirm = &run->confirm;
	const struct sample_source source = {
		.root = -1, .proc = run->course.proc, .init = run->course.process.pid,
		.killer = ready->killer,
	};

	confirm->fallbacks = ready->fallbacks;
	run->course.limits.gates_pids = run_gates_pids(run) && run->course.process.received >= 0;
	confirm_environment(confirm, run->environment.count);
	rlimits_confirm(report, run->course.spec, run->course.rlimits, ready->pid);
	limits_confirm(&run->course.limits, report, ready, ready->pid, &source);
	confirm_descriptors(confirm, &run->course.plan);
	confirm_capabilities(confirm, 0, true);
	confirm_no_new_privs(confirm);
	confirm_session(confirm);
	confirm_limits_given(report);
	if (ready->nesting_error != 0)
		report_confirm(report, CONTROL_NESTED_NAMESPACES, "seccomp", 0,
		    "the child tried to make one: %s", errno_name(ready->nesting_error));
}

int confirm_landlock(struct run *run, struct report *report, const struct record *probed,
    const struct record *ready, struct err *err)
{
	struct str contradictions = STR_INIT;
	struct results results;
	int result = 0;

	if (probed->head_length != sizeof(results))
		return err_set(err, ERR_SETUP, "the child sent a record that makes no sense");
	memcpy(&results, probed->head, sizeof(results));
	memcpy(run->canaries.setup.before, results.before, sizeof(results.before));
	memcpy(run->canaries.setup.after, results.after, sizeof(results.after));
	if (confirm_open(&run->confirm, report, run->course.proc, ready->pid) < 0 ||
	    confirm_read_status(&run->confirm) < 0 || !is_held(run, &run->confirm))
		return err_set(err, ERR_SETUP, "the held process cannot be looked at");
	confirm_claims(report, CONTROL_LANDLOCK, "landlock", &results, &contradictions);
	confirm_claims(report, CONTROL_READ_ONLY, "landlock", &results, &contradictions);
	confirm_claims(report, CONTROL_NETWORK, "seccomp", &results, &contradictions);
	confirm_claims(report, CONTROL_IPC, "seccomp", &results, &contradictions);
	confirm_claims(report, CONTROL_SECCOMP, "seccomp", &results, &contradictions);
	confirm_unix(run, report, &results, &contradictions);
	confirm_scratch_place(run, report, &results);
	confirm_ending(run, report, &results, ready, &contradictions);
	confirm_process(run, report, ready);
	if (contradictions.length > 0) {
		result = err_set(err, ERR_REFUSED, "this kernel does not do what it claims: %s",
		    str_text(&contradictions));
		err->stage = "confirm";
	}
	str_free(&contradictions);
	confirm_close(&run->confirm);
	return result;
}
