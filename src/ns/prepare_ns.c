/*
 * Asks the host everything that a run needs to know, checks it, and makes what has to be
 * there before the child is: last, so that a bad request leaves nothing behind.
 */
#include "ns/run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/host.h"
#include "linux/caps.h"
#include "linux/input.h"
#include "linux/procfs.h"
#include "linux/resolve.h"
#include "linux/rlimits.h"

static const uint64_t default_grace_ns = UINT64_C(5000000000);

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
		char digits[16];

		snprintf(digits, sizeof(digits), "%d", spec->pass_fds[i]);
		if (input_inherited("--pass-fd", digits, &run->keep_fds[i], err) < 0)
			return -1;
	}
	if (spec->pass_fds_count > 0)
		qsort(run->keep_fds, spec->pass_fds_count, sizeof(*run->keep_fds), by_number);
	return 0;
}

static int take_rlimits(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	run->rlimits = xcalloc(spec->rlimit_count + 1, sizeof(*run->rlimits));
	for (size_t i = 0; i < spec->rlimit_count; i++) {
		if (rlimits_find(spec->rlimits[i].name, &run->rlimits[i], err) < 0)
			return -1;
	}
	return 0;
}

/* How many entries the folder has; -1 with errno where it cannot be read. */
static int count_entries(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int count = 0;

	if (folder == NULL)
		return -1;
	while ((entry = readdir(folder)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

/* --scratch-use: an existing, empty folder of the caller's own. */
static int use_scratch(struct run *run, struct err *err)
{
	const char *given = run->spec->scratch_use;
	struct resolved resolved;
	struct str shown = STR_INIT;
	const char *problem = NULL;
	int result = resolve_path(-1, given, &resolved);
	int error = errno;

	str_add_printable(&shown, given, 300);
	if (result < 0) {
		err_sys(err, ERR_SETUP, error, "--scratch-use %s", str_text(&shown));
	} else {
		if (!S_ISDIR(resolved.status.st_mode))
			problem = "is not a folder";
		else if (resolved.status.st_uid != geteuid())
			problem = "belongs to somebody else";
		else if (count_entries(resolved.path) != 0)
			problem = "is not empty";
		if (problem != NULL)
			result = err_set(err, ERR_SETUP, "--scratch-use %s: it %s", str_text(&shown), problem);
		run->host_scratch[0] = (struct view_source){
			xstrdup(resolved.path), resolved.status.st_dev, resolved.status.st_ino, true,
		};
		resolved_free(&resolved);
	}
	if (result < 0)
		err->stage = "scratch";
	str_free(&shown);
	return result;
}

/* --scratch-dir: the places are folders of a new one on disk. */
static int make_scratch(struct run *run, const char *id, struct err *err)
{
	static const char *const names[SCRATCH_PLACES] = { "work", "tmp", "shm" };
	struct stat status;

	if (disk_scratch_make(&run->disk, run->spec->scratch_dir, id, err) < 0)
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

/* What is only asked: nothing is made yet. */
static int ask(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	if (take_descriptors(run, err) < 0 || take_rlimits(run, err) < 0 ||
	    caps_parse(&spec->cap_add, &run->keep_caps, err) < 0)
		return -1;
	run->proc = procfs_open();
	if (run->proc < 0)
		return err_sys(err, ERR_REFUSED, errno, "cannot use /proc, without which nothing can be "
		    "confirmed");
	if (spec->scratch_use != NULL && use_scratch(run, err) < 0)
		return -1;
	if (check_procfs(run->proc, err) < 0)
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

int prepare_ns(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;
	char *id;
	int result;

	if (ask(run, err) < 0)
		return -1;
	if (supervise_begin(&run->supervisor,
	    spec->grace_ns > 0 ? spec->grace_ns : default_grace_ns) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot handle signals");
	run->supervisor.limits = &run->limits;
	/* The caller's --id may be that of many runs. */
	id = host.make_id();
	result = limits_prepare(&run->limits, spec, id, err);
	if (result == 0 && spec->scratch_dir != NULL)
		result = make_scratch(run, id, err);
	free(id);
	return result < 0 ? -1 : plan_ns_build(run, err);
}

int prepare_ns_undo(struct run *run, struct err *err)
{
	int result = 0;

	if (limits_close(&run->limits) < 0)
		result = err_sys(err, ERR_LOST, errno, "the control group could not be removed");
	if (run->disk.dir >= 0 && run->spec->keep_scratch && run->has_ended)
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
	free(run->steps.items);
	free(run->rows.items);
	free(run->layers.items);
	free(run->console);
	free(run->keep_fds);
	free(run->rlimits);
	if (run->proc >= 0)
		close(run->proc);
	confirm_ns_end(run);
	process_close(&run->process);
	supervise_end(&run->supervisor);
	free(run);
}
