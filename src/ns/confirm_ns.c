/*
 * Confirms what the namespace backend promises, from outside, on the held child.
 */
#include "ns/run.h"

#include <dirent.h>
#include <inttypes.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/confirm.h"
#include "linux/mountline.h"
#include "linux/procfs.h"
#include "linux/sys.h"
#include "ns/confirm_mounts.h"
#include "ns/mounts.h"

struct namespace_file {
	enum control control;
	const char *by;
	const char *file;
};

static const struct namespace_file files[NAMESPACE_COUNT] = {
	{ CONTROL_USER_NAMESPACE, "CLONE_NEWUSER", "ns/user" },
	{ CONTROL_MOUNT_NAMESPACE, "CLONE_NEWNS", "ns/mnt" },
	{ CONTROL_PID_NAMESPACE, "CLONE_NEWPID", "ns/pid" },
	{ CONTROL_NETWORK_NAMESPACE, "CLONE_NEWNET", "ns/net" },
	{ CONTROL_IPC_NAMESPACE, "CLONE_NEWIPC", "ns/ipc" },
	{ CONTROL_UTS_NAMESPACE, "CLONE_NEWUTS", "ns/uts" },
	{ CONTROL_CGROUP_NAMESPACE, "CLONE_NEWCGROUP", "ns/cgroup" },
	{ CONTROL_TIME_NAMESPACE, "CLONE_NEWTIME", "ns/time" },
};

/* The next number of an id map; *text moves behind it. */
static bool next_number(const char **text, uint64_t *number)
{
	*text += strspn(*text, " \n");
	*text = procfs_number(*text, 10, number);
	return *text != NULL;
}

/* The id map has to be the one line that was written, whatever the blanks. */
static bool has_map(const struct confirm *confirm, const char *file, const char *wanted)
{
	struct str text = STR_INIT;
	const char *found;
	uint64_t number, want;
	bool same = procfs_read(confirm->dir, file, &text) == 0;

	found = str_text(&text);
	for (int i = 0; i < 3 && same; i++)
		same = next_number(&found, &number) && next_number(&wanted, &want) && number == want;
	same = same && found[strspn(found, " \n")] == '\0';
	str_free(&text);
	return same;
}

/* Confirms one namespace by its number; whether it is another one than ours. */
static bool confirm_namespace(struct run *run, struct confirm *confirm, uint64_t outside,
    const struct namespace_file *file)
{
	uint64_t inside = procfs_namespace(confirm->dir, file->file);

	if (inside == 0 || outside == 0 || inside == outside) {
		report_missing(confirm->report, file->control, 0, NULL, inside == 0 ?
		    "this kernel has none, or it could not be read" : "it is the caller's own");
		return false;
	}
	if (file->control == CONTROL_USER_NAMESPACE) {
		if (has_map(confirm, "uid_map", run->uid_map) && has_map(confirm, "gid_map", run->gid_map))
			report_confirm(confirm->report, file->control, file->by, 0,
			    "user:[%" PRIu64 "], uid %u and gid %u and no other", inside, run->uid, run->gid);
		return true;
	}
	report_confirm(confirm->report, file->control, file->by, 0, "%s:[%" PRIu64 "], ours is [%" PRIu64 "]",
	    file->file + strlen("ns/"), inside, outside);
	return true;
}

/* Whether loopback is the only interface: the third line of net/dev and no fourth. */
static bool has_only_loopback(const struct confirm *confirm)
{
	struct str text = STR_INIT;
	size_t lines = 0, loopback = 0;

	if (procfs_read(confirm->dir, "net/dev", &text) == 0) {
		for (const char *line = str_text(&text); *line != '\0'; line++) {
			lines++;
			loopback += strncmp(line + strspn(line, " "), "lo:", 3) == 0;
			line = strchr(line, '\n');
			if (line == NULL)
				break;
		}
	}
	str_free(&text);
	return lines == 3 && loopback == 1;
}

static void confirm_network(struct confirm *confirm, bool has_network, bool has_ipc)
{
	if (has_network) {
		if (has_only_loopback(confirm))
			report_confirm(confirm->report, CONTROL_NETWORK, "network-namespace", 0,
			    "net/dev: loopback and no other interface");
		report_confirm(confirm->report, CONTROL_UNIX_SOCKETS, "network-namespace", 0,
		    "abstract sockets are the namespace's own; sockets with a path: only in what is shown");
	}
	if (has_ipc)
		report_confirm(confirm->report, CONTROL_IPC, "ipc-namespace", 0,
		    "System V IPC and POSIX message queues are the namespace's own");
}

/* Whether the spec itself puts something into the scratch. */
static bool is_scratch_used(const struct run *run)
{
	for (size_t i = 0; i < run->view.count; i++) {
		if (mountline_is_below(run->view.items[i].dest, "/work"))
			return true;
	}
	return false;
}

/* How many entries the folder has, -1 where it cannot be read. */
static int count_entries(int root, const char *path)
{
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int count = 0;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(folder)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}

static void confirm_scratch(struct run *run, struct confirm *confirm, int root)
{
	int entries = count_entries(root, "work");

	if (entries == 0)
		report_confirm(confirm->report, CONTROL_SCRATCH, "tmpfs", 0,
		    "/work, /tmp and /dev/shm are one new tmpfs; /work is empty");
	else if (entries > 0 && is_scratch_used(run))
		report_confirm(confirm->report, CONTROL_SCRATCH, "tmpfs", 0,
		    "/work, /tmp and /dev/shm are one new tmpfs; in /work only what was asked for");
}

void confirm_ns_look_at_self(struct run *run)
{
	int own = openat(run->proc, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (own < 0)
		return;
	for (size_t i = 0; i < NAMESPACE_COUNT; i++)
		run->own_namespaces[i] = procfs_namespace(own, files[i].file);
	close(own);
}

static void confirm_namespaces(struct run *run, struct confirm *confirm)
{
	bool has_network = false, has_ipc = false;

	for (size_t i = 0; i < NAMESPACE_COUNT; i++) {
		bool has;

		if (confirm->report->layers[files[i].control].asked == WANT_NO)
			continue;
		has = confirm_namespace(run, confirm, run->own_namespaces[i], &files[i]);
		has_network |= has && files[i].control == CONTROL_NETWORK_NAMESPACE;
		has_ipc |= has && files[i].control == CONTROL_IPC_NAMESPACE;
	}
	confirm_network(confirm, has_network, has_ipc);
}

/* The caller's terminal is shared: then the filter that guards it has to be there. */
static void confirm_terminal(struct confirm *confirm)
{
	const char *mode = procfs_field(str_text(&confirm->status), "Seccomp");

	if (mode != NULL && *mode == '2')
		report_missing(confirm->report, CONTROL_SESSION, 0, "use --new-session",
		    "the caller's terminal is shared; TIOCSTI and TIOCLINUX are refused by a filter");
	else
		report_missing(confirm->report, CONTROL_SESSION, 0, "use --new-session",
		    "the caller's terminal is shared, and whether TIOCSTI is refused could not be read");
}

void confirm_ns(struct run *run, struct report *report, const struct record *ready)
{
	struct confirm confirm;
	int root;

	if (confirm_open(&confirm, report, run->proc, run->process.pid) == 0) {
		confirm_namespaces(run, &confirm);
		root = openat(confirm.dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (root >= 0) {
			if (confirm_mounts(run, &confirm, root))
				confirm_scratch(run, &confirm, root);
			close(root);
		}
		confirm_environment(&confirm, run->environment.count);
		confirm_descriptors(&confirm, &run->plan);
		confirm_capabilities(&confirm, run->keep_caps);
		confirm_no_new_privs(&confirm);
		confirm_teardown(&confirm, ready);
		if (run->has_session)
			confirm_session(&confirm);
		else
			confirm_terminal(&confirm);
	}
	confirm_close(&confirm);
}
