/*
 * Theory of operation.
 *
 * prepare looks at everything that was asked for and makes nothing. start writes a journal, makes the
 * AppContainer, the scratch, the grants and the job, and a child that is suspended; then it reads back from the child
 * and the job what holds. release resumes the child, wait watches it, and teardown takes all of it
 * away, in one order, whatever failed, and looks afterwards whether it is gone. The journal goes last, and
 * only then: what it still names, the next run or --gc takes away.
 *
 * Nothing asks which Windows this is, or whether it is one. A layer holds where it was read back.
 */
#include "win/backend_win.h"

#include <stdlib.h>
#include <string.h>

#include "win/args.h"
#include "win/fail.h"
#include "win/leftover.h"
#include "win/run.h"

enum { SWEEP_AT_START = 16 };

/* Whether a call is there is found by making it; here only what no Windows has is ruled out. */
static int win_probe(struct probe *probe, struct err *err)
{
	static const enum control own[] = {
		CONTROL_READ_ONLY, CONTROL_ENVIRONMENT, CONTROL_CAPABILITIES, CONTROL_NETWORK, CONTROL_SCRATCH,
		CONTROL_TEARDOWN, CONTROL_WALL, CONTROL_CPU, CONTROL_MEM, CONTROL_PIDS, CONTROL_CPUS,
		CONTROL_OUTPUT, CONTROL_OUTPUT_EACH, CONTROL_APPCONTAINER, CONTROL_LPAC, CONTROL_FILESYSTEM,
		CONTROL_JOB, CONTROL_UI, CONTROL_HANDLES, CONTROL_MITIGATIONS,
	};

	(void)err;
	for (size_t i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].reason = "Windows does not have it";
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		probe->controls[own[i]].can = true;
		probe->controls[own[i]].reason = NULL;
	}
	return 0;
}

static void run_free(struct run *run)
{
	str_list_free(&run->caller);
	free(run->program);
	str_free(&run->command_line);
	places_free(run);
	free(run->scratch_parent);
	journal_free(&run->journal);
	free(run->sid);
	free(run->scratch);
	env_free(&run->env);
	free(run);
}

static int check_folder(const char *option, const char *path, struct err *err)
{
	struct wapi_path found;
	uint32_t error = path ? wapi.path_look(path, &found) : 0;

	if (!path)
		return 0;
	if (error)
		return fail_set(err, ERR_USAGE, error, "%s %s", option, path);
	free(found.final);
	if (!found.is_folder)
		return err_set(err, ERR_USAGE, "%s %s: is not a folder", option, path);
	return 0;
}

static int prepare(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	if (refuse_check(spec, err) < 0)
		return -1;
	wapi.list_env(&run->caller);
	env_build(spec, run->caller.items, "", &run->env);
	if (command_find(spec->command[0], &run->env, &run->program, err) < 0)
		return -1;
	env_free(&run->env);
	if (args_join(spec->command, &run->command_line, err) < 0 || places_look(run, err) < 0 ||
	    check_folder("--chdir", spec->chdir, err) < 0)
		return -1;
	return scratch_find(run, err);
}

static int win_prepare(const struct spec *spec, struct run **made, struct err *err)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->spec = spec;
	if (prepare(run, err) < 0) {
		run_free(run);
		return -1;
	}
	*made = run;
	return 0;
}

/* What dead runs left is no reason not to run; --gc says what is wrong with it. */
static void sweep_some(void)
{
	struct err ignored = ERR_INIT;
	size_t removed;

	leftover_sweep(SWEEP_AT_START, &removed, &ignored);
	err_clear(&ignored);
}

static int make_all(struct run *run, struct report *report, struct err *err)
{
	sweep_some();
	if (profile_make(run, report, err) < 0 || scratch_make(run, report, err) < 0 ||
	    places_grant(run, err) < 0 || job_make(run, err) < 0 || streams_make(run, err) < 0)
		return -1;
	env_build(run->spec, run->caller.items, run->scratch, &run->env);
	return spawn_make(run, err);
}

/* What no layer of this backend is about. */
static void tell_open(struct report *report)
{
	static const char *const open[] = {
		"system-calls: no filter takes away what the kernel offers",
		"processes: those of the host can be listed, and not opened",
		"scratch-quota: a folder has no quota",
	};

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		str_list_add(&report->not_covered, open[i]);
}

static int win_start(struct run *run, struct report *report, struct err *err)
{
	report->resolved = xstrdup(run->program);
	tell_open(report);
	if (make_all(run, report, err) < 0)
		return -1;
	/* Without a container only the job is left, and the user's whole network and files. */
	report->confinement = run->sid ? "appcontainer" : "job";
	report->network = run->sid ? "none" : "host";
	if (!run->sid)
		report->weakness = xstrdup("no AppContainer, as --allow-missing allows: the command may do with "
		    "files and network whatever you may; see --report");
	streams_close_child(run);
	confirm_child(run, report);
	return 0;
}

static int win_release(struct run *run, struct report *report, struct err *err)
{
	uint32_t count_before = 0;
	uint32_t error;

	if (streams_start(run, err) < 0)
		return -1;
	if (wapi.cancelled() != WAPI_CANCEL_NONE) {
		report->end.reason = END_CANCELLED;
		return err_set(err, ERR_SETUP, "cancelled before the command ran");
	}
	run->released_ns = wapi.clock_ns();
	error = wapi.thread_resume(run->thread, &count_before);
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot let the command begin");
	run->is_released = true;
	/* Anything else means that it ran before, or does not run now. */
	if (count_before != 1)
		return err_set(err, ERR_SETUP, "the command was not suspended once as it has to be");
	return 0;
}

static int win_wait(struct run *run, struct report *report, struct err *err)
{
	return wait_for_end(run, report, err);
}

/* Closes the job, with which Windows ends whatever is left in it. */
static void close_job(struct run *run)
{
	if (run->job)
		wapi.close(run->job);
	run->job = NULL;
}

static int remove_made(struct run *run, struct report *report, struct err *err)
{
	bool is_scratch_kept = run->spec->keep_scratch || run->spec->scratch_use;
	struct str remains = STR_INIT;
	int result = 0;
	uint32_t error;

	if (!run->journal.file)
		return 0;
	report->teardown.has_scratch = run->scratch && !is_scratch_kept;
	if (!leftover_remove(&run->journal, &remains))
		result = err_set(err, ERR_LOST, "could not be removed, and is left to nsbox --gc: %s",
		    str_text(&remains));
	report->teardown.scratch_removed = result == 0 && report->teardown.has_scratch;
	str_free(&remains);
	error = result == 0 ? journal_end(&run->journal) : 0;
	if (error)
		result = fail_set(err, ERR_LOST, error, "the journal %s cannot be removed", run->journal.file);
	return result;
}

static int win_teardown(struct run *run, struct report *report, struct err *err)
{
	struct err failure = ERR_INIT;
	uint32_t error = job_empty(run);
	int result = 0;

	report->teardown.by = run->job ? "job" : "nothing was started";
	if (error)
		result = fail_set(err, ERR_LOST, error, "processes of the sandbox cannot be ended");
	report->teardown.survivors_killed = run->survivors;
	streams_end(run);
	spawn_end(run);
	close_job(run);
	if (remove_made(run, report, &failure) < 0) {
		if (result == 0)
			err_move(err, &failure);
		result = -1;
	}
	err_clear(&failure);
	report->teardown.confirmed = result == 0;
	run_free(run);
	return result;
}

const struct backend backend_win = {
	.name = "appcontainer",
	.probe = win_probe,
	.prepare = win_prepare,
	.start = win_start,
	.release = win_release,
	.wait = win_wait,
	.teardown = win_teardown,
};
