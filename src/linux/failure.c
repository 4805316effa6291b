/*
 * Sentences for failures of the child (failure.h).
 */
#include "linux/failure.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "linux/interpreter.h"

/* What a step was doing, for those that no option asked for. */
struct doing {
	const char *name;
	const char *text;
};

static const struct doing doings[] = {
	{ "ids", "cannot map user and group ids" },
	{ "hostname", "cannot set the host name" },
	{ "loopback", "cannot set the loopback interface up" },
	{ "root", "cannot make the new root" },
	{ "proc", "cannot mount a new procfs at /proc" },
	{ "dev", "cannot make /dev" },
	{ "scratch", "cannot make the scratch" },
	{ "top-link", "cannot recreate a top-level link" },
	{ "scratch-quota", "cannot set the scratch's quota" },
	{ "rlimit", "cannot set a resource limit" },
	{ "streams", "cannot carry the output" },
	{ "root-read-only", "cannot make the root read-only" },
	{ "pivot-root", "cannot change the root" },
	{ "restrict", "cannot restrict the mounts" },
	{ "lock", "cannot lock the mounts in a namespace of their own" },
	{ "process-group", "cannot make a process group" },
	{ "keyring", "cannot leave the caller's keyrings" },
	{ "nested-namespaces", "cannot forbid further user namespaces" },
	{ "session", "cannot make a new session" },
	{ "capabilities", "cannot drop capabilities" },
	{ "no-new-privs", "cannot set no_new_privs" },
	{ "death-signal", "cannot tie the sandbox to the life of nsbox" },
	{ "descriptors", "cannot close descriptors" },
	{ "directory", "cannot enter the working folder" },
	{ "command", "cannot look for the command" },
	{ "filter", "cannot install the system call filter" },
	{ "start", "cannot start a process for the command" },
	{ "subreaper", "cannot take in orphans" },
	{ "scope", "cannot confine signals" },
	{ "killer", "cannot start the process that ends all others" },
	{ "gate", "cannot have the supervisor asked for new processes" },
	{ "landlock", "cannot enforce the Landlock rules" },
	{ "probe", "cannot try what is refused" },
	{ "view-built", "cannot report to the supervisor" },
	{ "barrier", "cannot report to the supervisor" },
};

static const char *doing(const char *name)
{
	for (size_t i = 0; i < sizeof(doings) / sizeof(doings[0]); i++) {
		if (strcmp(doings[i].name, name) == 0)
			return doings[i].text;
	}
	return "cannot build the sandbox";
}

static void add_path(struct str *text, const char *path)
{
	if (path != NULL) {
		str_add_char(text, ' ');
		str_add_printable(text, path, 300);
	}
}

/* "OPTION SOURCE DEST", as far as they are there. */
static void describe(const struct step *step, struct str *text)
{
	if (step->option == NULL) {
		str_add(text, doing(step->name));
		add_path(text, step->dest);
		return;
	}
	str_add(text, step->option);
	if (step->source == NULL || step->dest == NULL || strcmp(step->source, step->dest) != 0)
		add_path(text, step->source);
	add_path(text, step->dest);
}

static const char *remedy(enum step_detail detail)
{
	switch (detail) {
	case DETAIL_SOURCE_CHANGED:
		return "the source is not what it was when nsbox looked at it a moment ago";
	case DETAIL_ON_HOST:
		return "it would have to be made in a folder of the host, which nsbox does not do: make it first";
	case DETAIL_SYMLINK:
		return "the destination is a symbolic link; name what it leads to";
	case DETAIL_TYPE:
		return "a file cannot take the place of a folder, nor a folder that of a file";
	case DETAIL_LAUNCHER_GONE:
		return "the supervisor has gone";
	case DETAIL_CLAIM:
		return "the kernel says that it restricts this, and does not";
	case DETAIL_NONE:
	case DETAIL_SOURCE:
	case DETAIL_PARENTS:
	case DETAIL_MAKE:
	case DETAIL_DATA:
	case DETAIL_EXISTS:
	case DETAIL_COUNT:
		break;
	}
	return NULL;
}

/*
 * Steps at which a host that refuses namespaces is noticed (Ubuntu lets the clone
 * succeed).
 */
static bool is_refusal(const char *name, int error)
{
	return (error == EPERM || error == EACCES) &&
	    (strcmp(name, "ids") == 0 || strcmp(name, "root") == 0 || strcmp(name, "hostname") == 0 ||
	    strcmp(name, "loopback") == 0 || (strcmp(name, "proc") == 0 && error == EPERM));
}

int failure_of_step(const struct plan *plan, const struct record *record, struct err *err)
{
	struct str text = STR_INIT;
	const struct step *step;
	const char *hint;

	if (record->step >= plan->step_count + plan->inner_count)
		return err_set(err, ERR_SETUP, "the child sent a record that makes no sense");
	step = record->step < plan->step_count ? &plan->steps[record->step] :
	    &plan->inner[record->step - plan->step_count];
	describe(step, &text);
	err_sys(err, is_refusal(step->name, record->error) ? ERR_UNAVAILABLE : ERR_SETUP, record->error,
	    "%s", str_text(&text));
	str_free(&text);
	err->stage = step->name;
	hint = remedy((enum step_detail)record->detail);
	if (hint != NULL)
		err_hint(err, "%s", hint);
	return -1;
}

static bool is_not_found(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

int failure_of_exec(const struct plan *plan, const char *word, const struct record *record,
    struct err *err)
{
	struct str shown = STR_INIT, missing = STR_INIT;
	const char *path = record->candidate < plan->candidate_count ?
	    plan->candidates[record->candidate].path : word;

	if (record->error == ENOENT && record->head_length > 0) {
		str_add_printable(&shown, path, 300);
		if (interpreter_of(record->head, record->head_length, &missing))
			err_sys(err, ERR_NOT_FOUND, record->error,
			    "%s needs %s, which is not visible inside", str_text(&shown),
			    str_text(&missing));
	}
	if (err->kind != ERR_NONE) {
		err_hint(err, "--ro %s would show it", str_text(&missing));
	} else {
		str_add_printable(&shown, word, 300);
		err_sys(err, is_not_found(record->error) ? ERR_NOT_FOUND : ERR_NOT_EXECUTABLE,
		    record->error, "cannot execute %s", str_text(&shown));
	}
	err->stage = "exec";
	str_free(&shown);
	str_free(&missing);
	return -1;
}
