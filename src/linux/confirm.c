/*
 * Confirms the controls that do not depend on the backend (confirm.h).
 */
#include "linux/confirm.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/procfs.h"

int confirm_open(struct confirm *confirm, struct report *report, int proc, pid_t pid)
{
	memset(confirm, 0, sizeof(*confirm));
	confirm->report = report;
	confirm->pid = pid;
	confirm->dir = procfs_open_process(proc, pid);
	return confirm->dir < 0 ? -1 : 0;
}

int confirm_read_status(struct confirm *confirm)
{
	return procfs_read(confirm->dir, "status", &confirm->status);
}

void confirm_close(struct confirm *confirm)
{
	if (confirm->dir >= 0)
		close(confirm->dir);
	confirm->dir = -1;
	str_free(&confirm->status);
}

/*
 * The strings that a process was started with have been overwritten: nothing but NULs is
 * left of them.
 */
void confirm_environment(struct confirm *confirm, size_t variables)
{
	struct str text = STR_INIT;
	bool empty = true;

	if (procfs_read(confirm->dir, "environ", &text) == 0) {
		for (size_t i = 0; i < text.length; i++)
			empty &= text.data[i] == '\0';
		if (empty)
			report_confirm(confirm->report, CONTROL_ENVIRONMENT, "execve", 0,
			    "pid 1: nothing of the caller's; COMMAND: %zu variables", variables);
	}
	str_free(&text);
}

static bool is_expected(const struct plan *plan, int fd)
{
	if (fd <= 2 || fd == plan->socket)
		return true;
	for (size_t i = 0; i < plan->keep_count; i++) {
		if (plan->keep_fds[i] == fd)
			return true;
	}
	return false;
}

void confirm_descriptors(struct confirm *confirm, const struct plan *plan)
{
	int fd = openat(confirm->dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	size_t count = 0, strangers = 0;
	struct dirent *entry;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder)) != NULL) {
		uint64_t number;

		if (procfs_number(entry->d_name, 10, &number) == NULL)
			continue;	/* "." and ".." */
		count++;
		strangers += number > INT_MAX || !is_expected(plan, (int)number);
	}
	closedir(folder);
	if (count > 0 && strangers == 0)
		report_confirm(confirm->report, CONTROL_DESCRIPTORS,
		    confirm->fallbacks & FALLBACK_CLOSE_RANGE ? "close" : "close_range", 0,
		    "open in the child: 0-2, its socket (close-on-exec), %zu passed", plan->keep_count);
}

/* The hexadecimal value of a line of status; false where there is none. */
static bool hex_field(const struct confirm *confirm, const char *key, uint64_t *value)
{
	const char *text = procfs_field(str_text(&confirm->status), key);

	return text != NULL && procfs_number(text, 16, value) != NULL;
}

static bool has_no_new_privs(const struct confirm *confirm)
{
	const char *text = procfs_field(str_text(&confirm->status), "NoNewPrivs");

	return text != NULL && *text == '1';
}

void confirm_capabilities(struct confirm *confirm, uint64_t keep, bool bounding_may_stay)
{
	static const char *const keys[] = { "CapInh", "CapPrm", "CapEff", "CapAmb" };
	uint64_t value, bounding;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		/* The ambient set is younger than the others (Linux 4.3). */
		if (!hex_field(confirm, keys[i], &value)) {
			if (strcmp(keys[i], "CapAmb") == 0)
				continue;
			return;
		}
		if ((value & ~keep) != 0)
			return;
	}
	if (!hex_field(confirm, "CapBnd", &bounding))
		return;
	if ((bounding & ~keep) == 0)
		report_confirm(confirm->report, CONTROL_CAPABILITIES, "capset", 0,
		    "inheritable, permitted, effective, bounding, ambient: within %016" PRIx64, keep);
	else if (bounding_may_stay && has_no_new_privs(confirm))
		report_confirm(confirm->report, CONTROL_CAPABILITIES, "capset", 0,
		    "inheritable, permitted, effective, ambient: within %016" PRIx64 "; bounding: %016" PRIx64
		    ", from which nothing is gained with no_new_privs", keep, bounding);
}

void confirm_no_new_privs(struct confirm *confirm)
{
	if (has_no_new_privs(confirm))
		report_confirm(confirm->report, CONTROL_NO_NEW_PRIVS, "prctl", 0, "NoNewPrivs: 1");
}

void confirm_session(struct confirm *confirm)
{
	pid_t session = getsid(confirm->pid);

	if (session == confirm->pid)
		report_confirm(confirm->report, CONTROL_SESSION, "setsid", 0,
		    "leader of a session of its own");
	else
		report_missing(confirm->report, CONTROL_SESSION, 0, "use --new-session",
		    "the caller's terminal is shared, in a process group of its own; TIOCSTI and TIOCLINUX "
		    "are refused by a filter");
}

void confirm_teardown(struct confirm *confirm, const struct record *record)
{
	const char *text = procfs_field(str_text(&confirm->status), "NSpid");
	size_t length = text == NULL ? 0 : strcspn(text, "\n");

	/*
	 * "OUTSIDE\t...\t1": the child is pid 1 where it lives, so its end is the end of
	 * all.
	 */
	if (length < 3 || text[length - 1] != '1' || text[length - 2] != '\t' ||
	    record->death_signal != SIGKILL)
		return;
	report_confirm(confirm->report, CONTROL_TEARDOWN, "pid-namespace", 0,
	    "pid 1 of its namespace, killed when nsbox dies");
}

void confirm_limits_given(struct report *report)
{
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &report->layers[i];
		bool has_value = i == CONTROL_RLIMIT ? layer->items > 1 || layer->confirmed > 0 :
		    layer->limit > 0;

		if (control_is_limit((enum control)i) && layer->asked != WANT_NO && !has_value)
			report_missing(report, (enum control)i, 0, NULL, "no limit was given");
	}
}
