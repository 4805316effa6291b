/*
 * What stays open, as far as it was found by trying on this host in this run: each line comes from the result of a
 * probe, or from what this backend has no means for whatever the kernel.
 */
#include "landlock/run.h"

#include <errno.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	enum probe_kind probe;	/* open where it was not refused afterwards */
	const char *text;
} open_probes[] = {
	{ PROBE_STATUS, "names: existence, size, owner, times, links and extended attributes of all files of the host can be seen" },
	{ PROBE_MODE, "metadata: modes, times and extended attributes of files of this user's can be changed, also "
	    "of read-only ones" },
	{ PROBE_NAMES, "processes: the host's processes and their command lines can be seen" },
	{ PROBE_KERNEL, "kernel: what only root may read of the kernel in /proc can be read" },
	{ PROBE_UNIX_PATH, "unix-sockets: services of the host can be reached by path, the session bus among them, "
	    "and through it whatever the user may do" },
	{ PROBE_UNIX_ABSTRACT, "abstract-sockets: services of the host can be reached by abstract name" },
};

/* A socket that COMMAND is given is used as whoever made it could use it. */
static void list_streams(struct report *report)
{
	static const char *const names[] = { "input", "output", "error" };

	for (int fd = 0; fd <= 2; fd++) {
		struct stat status;
		char *text;

		if (fstat(fd, &status) < 0 || !S_ISSOCK(status.st_mode))
			continue;
		text = xasprintf("streams: standard %s is a socket of the caller's, and stays one", names[fd]);
		str_list_take(&report->not_covered, text);
	}
}

void not_covered_list(const struct run *run, struct report *report)
{
	struct str_list *list = &report->not_covered;

	for (size_t i = 0; i < sizeof(open_probes) / sizeof(open_probes[0]); i++) {
		if (run->canaries.setup.after[open_probes[i].probe] <= 0)
			str_list_add(list, open_probes[i].text);
	}
	/* The parent, on whom it is tried, may be somebody else's process: that proves nothing. */
	if (!run_has_scope(run) || run->canaries.setup.after[PROBE_SIGNAL_OTHER] == 0)
		str_list_add(list, "signals: other processes of this user's can be signalled (Landlock restricts it "
		    "from Linux 6.12 on)");
	str_list_add(list, "priorities: priority and processors of other processes of this user's can be set");
	str_list_add(list, "identity: host name, user and group ids are the host's");
	str_list_add(list, "places: /tmp and /dev/shm of the host are closed and nothing stands in for them; the "
	    "scratch is where TMPDIR says");
	str_list_add(list, "scratch: it is a folder of the host's, which other processes of this user's can see, and "
	    "without a quota");
	for (size_t i = 0; i < run->allowances.left_out.count; i++)
		str_list_take(list, xasprintf("left-out: %s", run->allowances.left_out.items[i]));
	list_streams(report);
}
