/*
 * Makes the sentences that bubblewrap makes of a failure: clients look for some of these
 * words, and go another way then. What the errno value alone does not tell is added behind
 * them.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "linux/interpreter.h"

int bwrap_message(struct err *err, int error, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	err_set(err, ERR_SETUP, "%s: %s", text, strerror(error));
	err->sys = error;
	free(text);
	return -1;
}

/* What a request that mounts something says when the mount itself fails; %s: where. */
static const char *const mounts[SPEC_FS_KIND_COUNT] = {
	[SPEC_FS_TMPFS] = "Can't mount tmpfs on %s", [SPEC_FS_PROC] = "Can't mount proc on %s",
	[SPEC_FS_MQUEUE] = "Can't mount mqueue on %s", [SPEC_FS_DEV] = "Can't make a /dev on %s",
	[SPEC_FS_DIR] = "Can't mkdir %s", [SPEC_FS_OVERLAY] = "Can't make overlay mount on %s",
	[SPEC_FS_SYMLINK] = "Can't make symlink at %s", [SPEC_FS_FILE] = "Can't create file %s",
	[SPEC_FS_DATA] = "Can't bind mount a file on %s", [SPEC_FS_BIND] = "Can't bind mount on %s",
};

/* The step's names of things that no request asked for. */
static const struct {
	const char *name, *text;
} doings[] = {
	{ "ids", "setting up uid map" },
	{ "user", "unable to switch to the ids inside" },
	{ "private", "Failed to make / private" },
	{ "loopback", "loopback: Failed RTM_NEWADDR" },
	{ "early", "Can't copy the mounts of /" },
	{ "root", "Failed to mount tmpfs" },
	{ "hostname", "Can't set hostname" },
	{ "pivot-root", "pivot_root" },
	{ "limit-users", "cannot limit user namespaces" },
	{ "join-user", "Setting userns2 failed" },
	{ "no-new-privs", "prctl(PR_SET_NO_NEW_PRIVS) failed" },
	{ "capabilities", "can't set capabilities" },
	{ "session", "setsid" },
	{ "death-signal", "prctl(PR_SET_PDEATHSIG)" },
	{ "start", "Can't start the command" },
};

static char *show(const char *text)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, text == NULL ? "" : text, 1000);
	return str_take(&shown);
}

/* What errno says nothing about. 1: *err is filled in. */
static int message_of_link(const struct record *record, const char *dest, struct err *err)
{
	char *text = xstrndup((const char *)record->head, record->head_length);
	char *target = show(text);

	if (record->head_length > 0)
		err_set(err, ERR_SETUP, "Can't make symlink at %s: existing destination is %s", dest, target);
	else
		err_set(err, ERR_SETUP, "Can't make symlink at %s: existing destination is not a symlink", dest);
	free(text);
	free(target);
	return -1;
}

static int message_of_place(const struct spec_fs *fs, const struct record *record, const char *source,
    const char *dest, struct err *err)
{
	switch ((enum step_detail)record->detail) {
	case DETAIL_SOURCE:
		if (fs->kind == SPEC_FS_REMOUNT_RO)
			return bwrap_message(err, record->error, "Can't remount readonly on %s", dest);
		return bwrap_message(err, record->error, "Can't find source path %s", source);
	case DETAIL_SOURCE_CHANGED:
		return err_set(err, ERR_SETUP, "Can't bind %s on %s: it is not what the descriptor stands for",
		    source, dest);
	case DETAIL_PARENTS:
		return bwrap_message(err, record->error, "Can't mkdir parents for %s", dest);
	case DETAIL_MAKE:
		return bwrap_message(err, record->error, "Can't create file %s", dest);
	case DETAIL_SYMLINK:
		return err_set(err, ERR_SETUP, "Can't mount on symlink destination %s", dest);
	case DETAIL_TYPE:
		return err_set(err, ERR_SETUP, "Destination is not a %s %s",
		    record->error == ENOTDIR ? "directory" : "file", dest);
	case DETAIL_DATA:
		return bwrap_message(err, record->error, "Can't write data to file %s", dest);
	case DETAIL_EXISTS:
		return message_of_link(record, dest, err);
	default:
		return 0;
	}
}

static int message_of_request(const struct run *run, const struct step *step, const struct record *record,
    struct err *err)
{
	const struct spec_fs *fs = &run->spec->fs[step->item];
	char *source = show(fs->source != NULL ? fs->source : fs->layers.count > 0 ? fs->layers.items[0] :
	    step->source);
	char *dest = show(fs->dest);
	int result = message_of_place(fs, record, source, dest, err);

	if (result == 0 && fs->kind == SPEC_FS_BIND)
		result = bwrap_message(err, record->error, "Can't bind mount %s on %s", source, dest);
	else if (result == 0 && fs->kind == SPEC_FS_CHMOD)
		result = bwrap_message(err, record->error, "Can't chmod %#o %s", fs->mode, dest);
	else if (result == 0 && fs->kind == SPEC_FS_REMOUNT_RO)
		result = bwrap_message(err, record->error,
		    "Can't remount readonly on %s: mount_setattr() failed at \"/newroot%s\"", dest, step->dest);
	else if (result == 0) {
		/* The format is one of the table above, with one %s. */
		const char *format = mounts[fs->kind];
		size_t length = strcspn(format, "%");

		result = bwrap_message(err, record->error, "%.*s%s%s", (int)length, format, dest, format + length + 2);
	}
	free(source);
	free(dest);
	return result;
}

static int message_of_process(const struct run *run, const struct step *step, const struct record *record,
    struct err *err)
{
	char *shown = show(strcmp(step->name, "folder") == 0 ? run->spec->chdir : step->source);
	int result = 0;

	if (strcmp(step->name, "folder") == 0)
		result = bwrap_message(err, record->error, "Can't chdir to %s", shown);
	else if (strcmp(step->name, "lock") == 0 && record->detail == DETAIL_SOURCE)
		result = bwrap_message(err, record->error, "Unable to open lock file %s", shown);
	else if (strcmp(step->name, "lock") == 0)
		result = bwrap_message(err, record->error, "Unable to lock file %s", shown);
	else if (strcmp(step->name, "assert-users") == 0)
		result = err_set(err, ERR_SETUP, "creation of new user namespaces was not disabled as requested");
	else if (strcmp(step->name, "program") == 0 && record->detail == DETAIL_TYPE)
		result = err_set(err, ERR_SETUP, "Invalid seccomp data, must be multiple of 8");
	else if (strcmp(step->name, "program") == 0)
		result = bwrap_message(err, record->error, "Can't read seccomp data");
	else if (record->detail == DETAIL_DATA)
		result = bwrap_message(err, record->error, "prctl(PR_SET_SECCOMP)");
	free(shown);
	return result;
}

int bwrap_message_step(const struct run *run, const struct record *record, struct err *err)
{
	const struct step *step;

	if (record->step >= run->plan.step_count)
		return err_set(err, ERR_SETUP, "the child sent a record that makes no sense");
	step = &run->plan.steps[record->step];
	if (step->item != STEP_NO_ITEM)
		return message_of_request(run, step, record, err);
	if (message_of_process(run, step, record, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(doings) / sizeof(doings[0]); i++) {
		if (strcmp(doings[i].name, step->name) != 0)
			continue;
		bwrap_message(err, record->error, "%s", doings[i].text);
		/* Some hosts let the clone succeed, and refuse what it is for. */
		if ((record->error == EPERM || record->error == EACCES) && (run->namespaces & CLONE_NEWUSER))
			err->kind = ERR_REFUSED;
		err->stage = step->name;
		return -1;
	}
	return bwrap_message(err, record->error, "Can't set up the sandbox (%s)", step->name);
}

int bwrap_message_exec(const struct run *run, const struct record *record, struct err *err)
{
	char *word = show(run->spec->command[0]);
	struct str missing = STR_INIT;

	bwrap_message(err, record->error, "execvp %s", word);
	if (record->error == ENOENT && record->head_length > 0 &&
	    interpreter_of(record->head, record->head_length, &missing))
		err_hint(err, "it needs %s, which is not there inside", str_text(&missing));
	str_free(&missing);
	free(word);
	return -1;
}

int bwrap_message_clone(const struct run *run, int error, struct err *err)
{
	bool wants_user = run->namespaces & CLONE_NEWUSER;

	err->sys = error;
	if (error == EINVAL && wants_user)
		err_set(err, ERR_REFUSED, "Creating new namespace failed, likely because the kernel does not "
		    "support user namespaces.");
	else if ((error == EPERM || error == EACCES) && wants_user)
		err_set(err, ERR_REFUSED, "No permissions to create a new namespace, likely because the kernel "
		    "does not allow non-privileged user namespaces.");
	else if (error == ENOSPC)
		err_set(err, ERR_REFUSED, "Creating new namespace failed: nesting depth or "
		    "/proc/sys/user/max_*_namespaces exceeded (ENOSPC)");
	else
		bwrap_message(err, error, "Creating new namespace failed");
	err->sys = error;
	err->stage = "clone";
	return -1;
}
