/*
 * Asks the host everything, refuses what Landlock cannot express, and makes what has to be
 * there before the child is.
 */
#include "landlock/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/host.h"
#include "linux/mountline.h"
#include "linux/resolve.h"
#include "linux/scratch_use.h"

/* Why there is no Landlock, by what the kernel answers. */
static int explain(int error, struct err *err)
{
	static const struct {
		int error;
		const char *reason, *remedy;
	} causes[] = {
		{ ENOSYS, "this kernel has no Landlock, or a system call filter hides it",
		    "use Linux 5.13 or later; in a container, allow the landlock calls in its seccomp profile" },
		{ EOPNOTSUPP, "Landlock is switched off on this host",
		    "add landlock to the lsm= parameter of the kernel" },
		{ EPERM, "a system call filter refuses it",
		    "allow the landlock calls in the container's seccomp profile" },
	};

	err_sys(err, ERR_UNAVAILABLE, error, "cannot use Landlock");
	err->stage = "landlock";
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (causes[i].error == error)
			return err_hint(err, "%s; %s", causes[i].reason, causes[i].remedy);
	}
	return -1;
}

/* Only files that a rule shows: another one of that name, earlier in PATH, could not be executed. */
static void keep_shown(struct run *run)
{
	struct command *command = &run->command;
	size_t kept = 0;

	for (size_t i = 0; i < command->count; i++) {
		struct resolved resolved;
		bool shown = true;	/* what is not there is told by exec */

		if (resolve_path(-1, command->candidates[i].path, &resolved) == 0) {
			shown = express_shows(&run->allowances, resolved.path) ||
			    mountline_is_below(resolved.path, run->scratch);
			resolved_free(&resolved);
		}
		if (shown || command->count == 1)
			command->candidates[kept++] = command->candidates[i];
		else
			free((char *)(uintptr_t)command->candidates[i].path);
	}
	command->count = kept;
}

/* COMMAND begins in its scratch, or in a folder that it is shown. */
static int find_directory(struct run *run, struct err *err)
{
	const char *given = run->course.spec->chdir;
	struct resolved resolved;
	bool shown;

	if (given == NULL) {
		run->directory = xstrdup(run->scratch);
		return 0;
	}
	if (resolve_path(-1, given, &resolved) < 0) {
		err_sys(err, ERR_SETUP, errno, "--chdir %s", given);
		err->stage = "directory";
		return -1;
	}
	shown = express_shows(&run->allowances, resolved.path);
	run->directory = xstrdup(resolved.path);
	resolved_free(&resolved);
	if (shown)
		return 0;
	err_set(err, ERR_SETUP, "--chdir %s: nothing shows it inside", given);
	err->stage = "directory";
	return -1;
}

/* What is only asked: nothing is made yet. */
static int ask(struct run *run, struct err *err)
{
	const struct spec *spec = run->course.spec;

	run->abi = abi_ask();
	if (run->abi < 1)
		return explain(errno, err);
	if (run->abi > ABI_NEWEST)
		run->abi = ABI_NEWEST;
	run->allows_unix = spec->policy[CONTROL_UNIX_SOCKETS].want != WANT_YES ||
	    (run->abi >= ABI_HAS_UNIX && run->abi >= ABI_HAS_SCOPES);
	if (express_check(spec, err) < 0 || course_ask(&run->course, err) < 0)
		return -1;
	if (view_build(spec, &run->view, err) < 0 ||
	    express_view(spec, &run->view, &run->allowances, err) < 0)
		return -1;
	return spec->scratch_use == NULL ? 0 : scratch_use_take(spec->scratch_use, &run->used, err);
}

/* A new folder below the first of the usual places that has one to give, and in which nothing is shown to COMMAND. */
static int make_hidden(const struct run *run, struct disk_scratch *disk, const char *id, struct err *err)
{
	const char *parents[] = { getenv("TMPDIR"), "/tmp", "/var/tmp", getenv("XDG_RUNTIME_DIR") };

	err_set(err, ERR_SETUP, "TMPDIR, /tmp and /var/tmp are shown to the command: there is no place for what it "
	    "must not see");
	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		struct resolved resolved;
		bool is_shown;

		if (parents[i] == NULL || parents[i][0] != '/' || resolve_path(-1, parents[i], &resolved) < 0)
			continue;
		is_shown = express_shows(&run->allowances, resolved.path);
		resolved_free(&resolved);
		if (is_shown)
			continue;
		err_clear(err);
		if (disk_scratch_make(disk, parents[i], id, err) == 0)
			return 0;
	}
	return -1;
}

/*
 * The folder for the scratch and for what is tried. It is on disk, or on whatever is mounted there: in memory there
 * is none that only this run would see. A scratch inside what is shown is no place for what must be refused.
 */
static int make_scratch(struct run *run, const char *id, struct err *err)
{
	const char *parent = run->course.spec->scratch_dir;

	if (parent == NULL) {
		if (make_hidden(run, &run->disk, id, err) < 0)
			return -1;
	} else if (disk_scratch_make(&run->disk, parent, id, err) < 0 ||
	    (express_shows(&run->allowances, run->disk.path) &&
	    make_hidden(run, &run->trial, id, err) < 0)) {
		return -1;
	}
	run->scratch = run->used.path != NULL ? xstrdup(run->used.path) :
	    xasprintf("%s/work", run->disk.path);
	return 0;
}

static int make(struct run *run, struct err *err)
{
	const struct spec *spec = run->course.spec;

	environment_build(spec, environ, run->scratch, &run->environment);
	command_find(spec->command[0], environment_get(&run->environment, "PATH"), &run->command);
	keep_shown(run);
	if (find_directory(run, err) < 0 || canaries_make(run, err) < 0 || rules_make(run, err) < 0)
		return -1;
	if (pipe2(run->pipe, O_CLOEXEC) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot make a pipe");
	/* Orphans that init leaves, should it be killed, come here. */
	if (prctl(PR_GET_CHILD_SUBREAPER, &run->was_subreaper, 0, 0, 0) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot take in orphans");
	if (family_add(&run->before, run->course.proc, getpid(), false) < 0)
		return err_sys(err, ERR_REFUSED, errno, "cannot list the children of a process, without which "
		    "nobody knows whether one is left");
	plan_landlock_build(run);
	return 0;
}

int prepare_landlock(struct run *run, struct err *err)
{
	char *id;
	int result;

	if (ask(run, err) < 0)
		return -1;
	/* The caller's --id may be that of many runs. */
	id = host.make_id();
	result = course_begin(&run->course, id, err);
	if (result == 0)
		result = make_scratch(run, id, err);
	free(id);
	return result < 0 ? -1 : make(run, err);
}

int prepare_landlock_undo(struct run *run, struct err *err)
{
	int result = 0;

	if (limits_close(&run->course.limits) < 0)
		result = err_sys(err, ERR_LOST, errno, "the control group could not be removed");
	if (run->disk.dir >= 0 && run->course.spec->keep_scratch && run->course.has_ended) {
		/* What was tried is not the caller's. */
		if (run->canaries.setup.outside != NULL) {
			unlink(run->canaries.setup.outside);
			unlink(run->canaries.setup.read_only);
			unlink(run->canaries.setup.by_path.sun_path);
			unlink(run->canaries.setup.datagram.sun_path);
		}
		disk_scratch_keep(&run->disk);
	} else if (run->disk.dir >= 0 && disk_scratch_remove(&run->disk, err) < 0) {
		result = -1;
	}
	if (run->trial.dir >= 0 && disk_scratch_remove(&run->trial, err) < 0)
		result = -1;
	prctl(PR_SET_CHILD_SUBREAPER, run->was_subreaper, 0, 0, 0);
	return result;
}

static void close_all(struct run *run)
{
	const int fds[] = { run->ruleset, run->scope, run->pipe[0], run->pipe[1] };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

void prepare_landlock_free(struct run *run)
{
	close_all(run);
	confirm_close(&run->confirm);
	canaries_free(&run->canaries);
	express_free(&run->allowances);
	view_free(&run->view);
	environment_free(&run->environment);
	command_free(&run->command);
	steps_free(&run->steps);
	steps_free(&run->inner);
	family_free(&run->before);
	free(run->used.path);
	free(run->scratch);
	free(run->directory);
	course_end(&run->course);
	free(run);
}
