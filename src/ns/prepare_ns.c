/*
 * Asks the host everything that a run needs to know, checks it, and makes what has to be
 * there before the child is: last, so that a bad request leaves nothing behind.
 */
#include "ns/run.h"

#include <errno.h>
#include <stdlib.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/host.h"
#include "linux/caps.h"
#include "linux/scratch_use.h"

/* --scratch-dir: the places are folders of a new one on disk. */
static int make_scratch(struct run *run, const char *id, struct err *err)
{
	static const char *const names[SCRATCH_PLACES] = { "work", "tmp", "shm" };
	struct stat status;

	if (disk_scratch_make(&run->disk, run->course.spec->scratch_dir, id, err) < 0)
		return -1;
	for (size_t i = 0; i < SCRATCH_PLACES; i++) {
		if (fstatat(run->disk.dir, names[i], &status, AT_SYMLINK_NOFOLLOW) < 0)
			return err_sys(err, ERR_SETUP, errno, "--scratch-dir: %s", names[i]);
		run->host_scratch[i] = (struct view_source){
			xasprintf("%s/%s", run->disk.path, names[i]), status.st_dev, status.st_ino, true,
		};
	}
	return 0;
}

/* What is only asked: nothing is made yet. */
static int ask(struct run *run, struct err *err)
{
	const struct spec *spec = run->course.spec;

	if (course_ask(&run->course, err) < 0 || caps_parse(&spec->cap_add, &run->keep_caps, err) < 0)
		return -1;
	if (spec->scratch_use != NULL && scratch_use_take(spec->scratch_use, &run->host_scratch[0], err) < 0)
		return -1;
	run->uid = spec->has_uid ? spec->uid : geteuid();
	run->gid = spec->has_gid ? spec->gid : getegid();
	run->console = terminal_name();
	if (view_build(spec, &run->view, err) < 0)
		return -1;
	environment_build(spec, environ, "/work", &run->environment);
	command_find(spec->command[0], environment_get(&run->environment, "PATH"), &run->command);
	return 0;
}

/*
 * Landlock on top of the mounts, with whatever rights on files this kernel knows: one that claims more than it has is taken for
 * an older one. Networks, sockets and signals are the namespaces' own.
 */
static void make_ruleset(struct run *run)
{
	struct abi_ruleset rules = { .fs = 0 };
	int abi = abi_ask();

	run->landlock_error = errno;
	for (; abi > 0 && run->ruleset < 0; abi--) {
		rules.fs = abi_all(abi).fs & ~ABI_RESOLVE_UNIX;
		run->ruleset = abi_create(&rules);
		run->landlock_error = errno;
	}
	run->ruleset_rights = rules.fs;
	run->ruleset_flags = abi + 1 >= ABI_HAS_LOG_FLAGS ? ABI_LOG_SAME_EXEC_OFF : 0;
}

int prepare_ns(struct run *run, struct err *err)
{
	const struct spec *spec = run->course.spec;
	char *id;
	int result;

	if (ask(run, err) < 0)
		return -1;
	/* The caller's --id may be that of many runs. */
	id = host.make_id();
	result = course_begin(&run->course, id, err);
	if (result == 0 && spec->scratch_dir != NULL)
		result = make_scratch(run, id, err);
	free(id);
	if (result == 0 && spec->policy[CONTROL_LANDLOCK].want != WANT_NO)
		make_ruleset(run);
	return result < 0 ? -1 : plan_ns_build(run, err);
}

int prepare_ns_undo(struct run *run, struct err *err)
{
	int result = 0;

	if (limits_close(&run->course.limits) < 0)
		result = err_sys(err, ERR_LOST, errno, "the control group could not be removed");
	if (run->disk.dir >= 0 && run->course.spec->keep_scratch && run->course.has_ended)
		disk_scratch_keep(&run->disk);
	else if (run->disk.dir >= 0 && disk_scratch_remove(&run->disk, err) < 0)
		result = -1;
	return result;
}

void prepare_ns_free(struct run *run)
{
	view_free(&run->view);
	environment_free(&run->environment);
	command_free(&run->command);
	for (size_t i = 0; i < SCRATCH_PLACES; i++)
		free(run->host_scratch[i].path);
	steps_free(&run->steps);
	steps_free(&run->rows);
	steps_free(&run->layers);
	free(run->console);
	if (run->ruleset >= 0)
		close(run->ruleset);
	confirm_ns_end(run);
	course_end(&run->course);
	free(run);
}
