/*
 * Theory of operation.
 *
 * Mount points made on the host are to go when the sandbox has ended, and that may be after
 * the supervisor has: COMMAND's background processes live on, and a signal that kills the
 * supervisor does not reach the sandbox. So where there are such mount points, and only
 * then, a process of its own waits. It holds none of the caller's descriptors and is in a
 * session of its own. A byte through the pipe tells it that the supervisor has cleaned up;
 * the end of the pipe, that it is on its own: then it waits for the sandbox's process 1, or,
 * without one, until no process is left in the mount namespace.
 */
#include "ns/bwrap_run.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/procfs.h"
#include "linux/sys.h"

enum { LOOK_EVERY_MS = 500, HIDDEN_LOOKS = 10, HIDDEN_MS = 20 };

/* When the process was started, in clock ticks, proc_pid_stat(5); 0 where that cannot be read. */
static uint64_t start_time(int dir)
{
	enum { FIELDS_BEFORE = 20 };	/* behind the name, which may hold anything */
	struct str text = STR_INIT;
	const char *at = procfs_read(dir, "stat", &text) == 0 ? strrchr(str_text(&text), ')') : NULL;
	uint64_t ticks = 0;

	for (int i = 0; at != NULL && i < FIELDS_BEFORE; i++) {
		at = strchr(at, ' ');
		at = at == NULL ? NULL : at + 1;
	}
	if (at != NULL && procfs_number(at, 10, &ticks) == NULL)
		ticks = 0;
	str_free(&text);
	return ticks;
}

/*
 * Whether the process is ours, has memory, which kernel threads and the dead have not, and is no
 * older than the sandbox: then what hides its namespace may hide the sandbox's.
 */
static bool may_be_inside(const struct run *run, int dir)
{
	struct str status = STR_INIT;
	const char *text, *field;
	uint64_t uid = 0;
	bool is_ours = false;

	if (procfs_read(dir, "status", &status) == 0) {
		text = str_text(&status);
		field = procfs_field(text, "VmSize") == NULL ? NULL : procfs_field(text, "Uid");
		is_ours = field != NULL && procfs_number(field, 10, &uid) != NULL && uid == getuid();
	}
	str_free(&status);
	return is_ours && start_time(dir) >= run->start_time;
}

enum presence {
	PRESENCE_NONE,
	PRESENCE_HIDDEN,	/* some process does not let its namespace be seen */
	PRESENCE_SEEN
};

static enum presence look_at(const struct run *run, int number)
{
	int dir = procfs_open_process(run->proc, number);
	enum presence presence = PRESENCE_NONE;
	uint64_t inside;

	if (dir < 0)
		return PRESENCE_NONE;
	inside = procfs_namespace(dir, "ns/mnt");
	if (inside != 0 && inside == run->mount_namespace)
		presence = PRESENCE_SEEN;
	else if (inside == 0 && may_be_inside(run, dir))
		presence = PRESENCE_HIDDEN;
	close(dir);
	return presence;
}

/* Whether some process is, or may be, in the mount namespace. */
static enum presence look(const struct run *run)
{
	int list = openat(run->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = list < 0 ? NULL : fdopendir(list);
	enum presence presence = folder == NULL ? PRESENCE_HIDDEN : PRESENCE_NONE;
	struct dirent *entry;

	while (folder != NULL && presence != PRESENCE_SEEN && (entry = readdir(folder)) != NULL) {
		uint64_t number;
		const char *end = procfs_number(entry->d_name, 10, &number);
		enum presence found;

		if (end == NULL || *end != '\0' || number == (uint64_t)getpid())
			continue;
		found = look_at(run, (int)number);
		presence = found > presence ? found : presence;
	}
	if (folder != NULL)
		closedir(folder);
	return presence;
}

/* What is hidden is mostly a process that starts or ends, and a moment later it is not. */
static bool has_process(const struct run *run)
{
	enum presence presence = look(run);

	for (int i = 0; i < HIDDEN_LOOKS && presence == PRESENCE_HIDDEN; i++) {
		poll(NULL, 0, HIDDEN_MS);
		presence = look(run);
	}
	return presence != PRESENCE_NONE;
}

static void wait_for_end(const struct run *run, int child)
{
	struct pollfd polled = { .fd = child, .events = POLLIN };

	while (child >= 0 && polled.revents == 0) {
		if (poll(&polled, 1, -1) < 0 && errno != EINTR)
			break;
	}
	/* The end of process 1 is that of all others. */
	if (child >= 0 && (run->namespaces & CLONE_NEWPID))
		return;
	while (has_process(run))
		poll(NULL, 0, LOOK_EVERY_MS);
}

/* Closes everything but three descriptors. */
static void close_all_but(int a, int b, int c)
{
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (int fd = 3, last = a > b ? a : b; fd <= (last > c ? last : c); fd++) {
		if (fd != a && fd != b && fd != c)
			close(fd);
	}
}

static void clean(struct run *run, int pipe_end) __attribute__((noreturn));
static void clean(struct run *run, int pipe_end)
{
	int child = sys_pidfd_open(run->process.pid);
	char byte = '\0';

	setsid();
	signal(SIGHUP, SIG_IGN);
	close_all_but(pipe_end, child, run->proc);
	while (read(pipe_end, &byte, 1) < 0 && errno == EINTR)
		;
	if (byte != 'd') {
		wait_for_end(run, child);
		bwrap_made_remove(run);
	}
	_exit(0);
}

static void note_start(struct run *run)
{
	int dir = procfs_open_process(run->proc, (int)run->process.pid);

	if (dir < 0)
		return;
	run->start_time = start_time(dir);
	close(dir);
}

void bwrap_cleaner_start(struct run *run)
{
	int ends[2];
	pid_t pid;

	if (run->made_count == 0 || pipe2(ends, O_CLOEXEC) < 0)
		return;
	note_start(run);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		/* Nobody's child that the caller could find: of the supervisor there is to be one. */
		if (fork() == 0)
			clean(run, ends[0]);
		_exit(0);
	}
	close(ends[0]);
	run->cleaner = ends[1];
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void bwrap_cleaner_end(struct run *run)
{
	bool is_over;

	if (run->made_count == 0)
		return;
	/* A process 1 that was reaped took all others with it; else somebody may be left. */
	is_over = run->process.pid == 0 && ((run->namespaces & CLONE_NEWPID) || !run->has_executed ||
	    !has_process(run));
	if (is_over) {
		bwrap_made_remove(run);
		if (run->cleaner >= 0 && write(run->cleaner, "d", 1) < 0)
			return;
	}
}
