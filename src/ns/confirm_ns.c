/*
 * Confirms what the namespace backend promises, from outside, on the held child.
 */
#include "ns/run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "linux/confirm.h"
#include "linux/folder.h"
#include "linux/mountline.h"
#include "linux/procfs.h"
#include "linux/rlimits.h"
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

/*
 * The interfaces that a new network namespace may have: loopback, and what tunnel drivers add to
 * each, which is down and stays so without CAP_NET_ADMIN.
 */
static bool is_harmless_interface(const char *name)
{
	static const char *const names[] = {
		"lo", "tunl0", "sit0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6tnl0",
		"ip6gre0",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(name, names[i], strlen(names[i])) == 0 && name[strlen(names[i])] == ':')
			return true;
	}
	return false;
}

/* net/dev has two lines of headings and then one for each interface. */
static bool has_only_loopback(const struct confirm *confirm)
{
	struct str text = STR_INIT;
	size_t lines = 0, harmless = 0;

	if (procfs_read(confirm->dir, "net/dev", &text) == 0) {
		for (const char *line = str_text(&text); *line != '\0'; line++) {
			lines++;
			harmless += is_harmless_interface(line + strspn(line, " "));
			line = strchr(line, '\n');
			if (line == NULL)
				break;
		}
	}
	str_free(&text);
	return harmless > 0 && lines == harmless + 2;
}

/* Whether the filter that every COMMAND gets is there. */
static bool has_guard(const struct confirm *confirm)
{
	const char *mode = procfs_field(str_text(&confirm->status), "Seccomp");

	return mode != NULL && *mode == '2';
}

static void confirm_network(const struct run *run, struct confirm *confirm)
{
	if (run->has_only_loopback && has_guard(confirm))
		report_confirm(confirm->report, CONTROL_NETWORK, "network-namespace", 0,
		    "net/dev: no interface but loopback; AF_VSOCK is refused by a filter");
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

/* What is free is what was asked for; the kernel counts whole pages. */
static void confirm_quota(struct run *run, struct confirm *confirm, int root)
{
	uint64_t bytes = run->course.spec->scratch_bytes, inodes = run->course.spec->scratch_inodes;
	struct statvfs fs;

	/* The root is a folder of the same tmpfs. */
	if (fstatvfs(root, &fs) == 0 &&
	    (bytes == 0 || (uint64_t)fs.f_bfree * fs.f_frsize < bytes + fs.f_frsize) &&
	    (inodes == 0 || fs.f_ffree <= inodes))
		report_confirm(confirm->report, CONTROL_SCRATCH_QUOTA, "tmpfs", 0,
		    "size and nr_inodes: %" PRIu64 " bytes and %" PRIu64 " files are free, shared by all "
		    "writable places", (uint64_t)fs.f_bfree * fs.f_frsize, (uint64_t)fs.f_ffree);
}

/* Whether the place is the one that was made for it, and can be written. */
static bool is_own_scratch(const struct run *run, int root, const char *place, size_t index)
{
	const struct view_source *host = &run->host_scratch[index];
	int fd = openat(root, place, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat there, top;
	struct statvfs fs;
	bool is_own = false;

	if (fd < 0)
		return false;
	if (fstat(fd, &there) == 0 && fstat(root, &top) == 0 && fstatvfs(fd, &fs) == 0)
		is_own = !(fs.f_flag & ST_RDONLY) && (host->path != NULL ?
		    there.st_dev == host->device && there.st_ino == host->inode :
		    there.st_dev == top.st_dev);
	close(fd);
	return is_own;
}

/* The root and the places are folders of one tmpfs, so that their devices are the same. */
static void confirm_scratch(struct run *run, struct confirm *confirm, int root)
{
	static const char *const places[SCRATCH_PLACES] = { "work", "tmp", "dev/shm" };
	bool on_host = run->host_scratch[0].path != NULL;
	const char *what = run->disk.path != NULL ? "folders of a new one on disk" :
	    on_host ? "the caller's folder, and one new tmpfs" : "one new tmpfs";
	int entries = folder_count(root, "work");
	struct str own = STR_INIT;

	for (size_t i = 0; i < SCRATCH_PLACES; i++) {
		if (is_own_scratch(run, root, places[i], i))
			str_addf(&own, "%s/%s", own.length > 0 ? ", " : "", places[i]);
	}
	if (str_has_prefix(str_text(&own), "/work") &&
	    (entries == 0 || (entries > 0 && is_scratch_used(run))))
		report_confirm(confirm->report, CONTROL_SCRATCH, on_host ? "bind" : "tmpfs", 0, "%s: %s; %s",
		    str_text(&own), what,
		    entries == 0 ? "/work is empty" : "in /work only what was asked for");
	if (run->course.spec->scratch_bytes > 0 || run->course.spec->scratch_inodes > 0)
		confirm_quota(run, confirm, root);
	str_free(&own);
}

void confirm_ns_look_at_self(struct run *run)
{
	int own = openat(run->course.proc, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (own < 0)
		return;
	for (size_t i = 0; i < NAMESPACE_COUNT; i++)
		run->own_namespaces[i] = procfs_namespace(own, files[i].file);
	close(own);
}

static void confirm_namespaces(struct run *run, struct confirm *confirm)
{
	for (size_t i = 0; i < NAMESPACE_COUNT; i++) {
		enum control control = files[i].control;

		if (confirm->report->layers[control].asked == WANT_NO ||
		    !confirm_namespace(run, confirm, run->own_namespaces[i], &files[i]))
			continue;
		if (control == CONTROL_NETWORK_NAMESPACE) {
			run->has_only_loopback = has_only_loopback(confirm);
			report_confirm(confirm->report, CONTROL_UNIX_SOCKETS, "network-namespace", 0,
			    "abstract sockets are the namespace's own; sockets with a path: only in what is "
			    "shown");
		} else if (control == CONTROL_IPC_NAMESPACE) {
			report_confirm(confirm->report, CONTROL_IPC, "ipc-namespace", 0,
			    "System V IPC and POSIX message queues are the namespace's own");
		}
	}
}

static void confirm_nesting(struct confirm *confirm, const struct record *ready)
{
	if (ready->nesting_error != 0)
		report_confirm(confirm->report, CONTROL_NESTED_NAMESPACES, "max_user_namespaces", 0,
		    "the child tried to make one: %s", errno_name(ready->nesting_error));
}

/* The rules were tried by the child: a file that it could make before is refused to it. */
static void confirm_landlock(const struct run *run, struct report *report, const struct record *ready)
{
	if (report->layers[CONTROL_LANDLOCK].asked == WANT_NO)
		return;
	if (run->ruleset < 0)
		report_missing(report, CONTROL_LANDLOCK, run->landlock_error,
		    run->landlock_error == EOPNOTSUPP ? "add landlock to the lsm= parameter of the kernel" : NULL,
		    "this kernel has no Landlock, or does not let it be used");
	else if (ready->landlock_before == 0 && ready->landlock_after == EACCES)
		report_confirm(report, CONTROL_LANDLOCK, "landlock", 0,
		    "writing beside the root: EACCES (before: works); only what is writable can be written");
}

/*
 * What is finished when the view is: the child goes on meanwhile with what concerns the process
 * alone, and none of that changes a mount or a namespace.
 */
void confirm_ns_view(struct run *run, struct report *report, const struct record *view)
{
	struct confirm *confirm = &run->confirm;

	if (confirm_open(confirm, report, run->course.proc, run->course.process.pid) < 0)
		return;
	confirm->fallbacks = view->fallbacks;
	confirm_namespaces(run, confirm);
	confirm_environment(confirm, run->environment.count);
	run->root = openat(confirm->dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (run->root < 0)
		return;
	confirm_mounts(run, confirm, run->root);
	confirm_scratch(run, confirm, run->root);
}

void confirm_ns_process(struct run *run, struct report *report, const struct record *ready)
{
	const struct sample_source source = { .root = run->root, .proc = -1, .init = 1 };
	struct confirm *confirm = &run->confirm;

	confirm->fallbacks = ready->fallbacks;
	if (ready->fallbacks & FALLBACK_PROC)
		str_list_add(&report->not_covered, "proc: /proc shows processes and nothing else, since that of the "
		    "host is masked");
	if (run->root >= 0 && confirm_read_status(confirm) == 0) {
		confirm_network(run, confirm);
		rlimits_confirm(report, run->course.spec, run->course.rlimits, run->course.process.pid);
		limits_confirm(&run->course.limits, report, ready, run->course.process.pid, &source);
		confirm_descriptors(confirm, &run->course.plan);
		confirm_capabilities(confirm, run->keep_caps, false);
		confirm_no_new_privs(confirm);
		confirm_teardown(confirm, ready);
		confirm_limits_given(report);
		if (run->course.spec->scratch_bytes == 0 && run->course.spec->scratch_inodes == 0)
			report_missing(report, CONTROL_SCRATCH_QUOTA, 0, "use --scratch-size",
			    "no quota was given");
		confirm_session(confirm);
		confirm_nesting(confirm, ready);
		confirm_landlock(run, report, ready);
	}
	confirm_ns_end(run);
}

void confirm_ns_end(struct run *run)
{
	confirm_close(&run->confirm);
	if (run->root >= 0)
		close(run->root);
	run->root = -1;
}
