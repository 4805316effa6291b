/*
 * Child code: walks the plan between clone and the exec of COMMAND, and the steps that
 * every backend shares. It refuses to do anything that needs more than a system call: no
 * allocation, no stdio, no locks, no environment.
 *
 * A failing step ends the child at once. The step's number and errno go to the
 * supervisor; COMMAND has not run and cannot run any more.
 */
#include "linux/child.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/sys.h"

int child_send(const struct child *child, const struct record *record)
{
	size_t size = offsetof(struct record, head) + record->head_length;
	ssize_t sent;

	do {
		sent = send(child->socket, record, size, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

char *child_number(char *end, uint64_t number)
{
	char digits[20];
	size_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0)
		*end++ = digits[--count];
	return end;
}

const char *child_fd_path(char *path, int fd)
{
	static const char prefix[] = "/proc/self/fd/";

	memcpy(path, prefix, sizeof(prefix) - 1);
	*child_number(path + sizeof(prefix) - 1, (uint64_t)fd) = '\0';
	return path;
}

int child_write_proc(const struct child *child, const char *name, const char *text)
{
	int fd = openat(child->proc, name, O_WRONLY | O_CLOEXEC);
	ssize_t written;
	int error;

	if (fd < 0)
		return -errno;
	written = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	if (written < 0)
		return -error;
	/* The kernel takes an id map whole or not at all. */
	return written == (ssize_t)strlen(text) ? 0 : -EIO;
}

/*
 * The child maps its own ids: one line for its own effective ids is what the kernel
 * allows to anybody (user_namespaces(7)), once setgroups is given up for good.
 */
int child_step_ids(struct child *child, const struct step *step)
{
	int result = child_write_proc(child, "self/setgroups", "deny");

	if (result < 0 && result != -ENOENT)	/* absent before Linux 3.19 */
		return result;
	result = child_write_proc(child, "self/uid_map", step->source);
	if (result < 0)
		return result;
	result = child_write_proc(child, "self/gid_map", step->dest);
	if (result < 0)
		return result;
	/*
	 * Real and saved ids that differ from the effective ones are not mapped: leave
	 * them behind.
	 */
	gid_t gid = (gid_t)(step->flags & UINT32_MAX);
	uid_t uid = (uid_t)(step->flags >> 32);
	if (syscall(SYS_setresgid, gid, gid, gid) < 0 || syscall(SYS_setresuid, uid, uid, uid) < 0)
		return -errno;
	return 0;
}

int child_step_session(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return setsid() < 0 ? -errno : 0;
}

int child_step_group(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return setpgid(0, 0) < 0 ? -errno : 0;
}

/*
 * The kernel forgets the signal when ids or capabilities grow, so this comes after them.
 * The supervisor has one thread, so that "the thread that cloned us died" means that it
 * died. Whether it died before this call is seen at the barrier, where its end of the
 * socket would be closed.
 */
int child_step_death(struct child *child, const struct step *step)
{
	(void)child;
	return prctl(PR_SET_PDEATHSIG, step->flags != 0 ? step->flags : SIGKILL, 0, 0, 0) < 0 ? -errno : 0;
}

int child_step_no_new_privs(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

/* The bounding set goes first: dropping from it needs CAP_SETPCAP. */
int child_step_capabilities(struct child *child, const struct step *step)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t keep = step->flags;

	(void)child;
	for (int cap = 0; cap < 64; cap++) {
		if (keep >> cap & 1)
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0) {
			/* Past the kernel's last one; or not allowed to. */
			if (errno == EINVAL || (errno == EPERM && step->device == CHILD_BOUNDING_MAY_STAY))
				break;
			return -errno;
		}
	}
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return -errno;
	for (int word = 0; word < 2; word++) {
		uint32_t bits = (uint32_t)(keep >> (32 * word));

		data[word].effective = data[word].permitted = data[word].inheritable = bits;
	}
	if (syscall(SYS_capset, &header, data) < 0)
		return -errno;
	for (int cap = 0; cap < 64; cap++) {
		if ((keep >> cap & 1) && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0)
			return -errno;
	}
	return 0;
}

/* Whether COMMAND could be executed from here; errno tells what stands against it. */
static bool is_executable(const char *path, struct stat *status)
{
	if (stat(path, status) < 0)
		return false;
	if (!S_ISREG(status->st_mode)) {
		errno = EACCES;
		return false;
	}
	return faccessat(AT_FDCWD, path, X_OK, 0) == 0;
}

/* The file behind all links, as seen inside, for the report; empty where it is too long. */
static void note_real_path(struct child *child, const char *path)
{
	char name[48] = "self/fd/";
	int fd = open(path, O_PATH | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return;
	*child_number(name + strlen(name), (uint64_t)fd) = '\0';
	length = readlinkat(child->proc, name, child->path, RECORD_HEAD_MAX);
	close(fd);
	child->path_length = length > 0 && length < RECORD_HEAD_MAX ? (uint32_t)length : 0;
}

/*
 * Finds which candidate COMMAND is, in the finished view and without capabilities. It
 * does not fail: where no candidate will do, exec says why, for the one that came
 * nearest.
 */
int child_step_command(struct child *child, const struct step *step)
{
	const struct plan *plan = child->plan;
	bool dangling = false, has_near = false;
	struct stat status;

	(void)step;
	for (size_t i = 0; i < plan->candidate_count; i++) {
		const char *path = plan->candidates[i].path;

		if (plan->candidates[i].if_dangling && !dangling)
			continue;
		if (is_executable(path, &status)) {
			child->candidate = (uint32_t)i;
			note_real_path(child, path);
			return 0;
		}
		dangling = errno != EACCES && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
		if (!has_near && (errno == EACCES || dangling)) {
			child->candidate = (uint32_t)i;
			has_near = true;
		}
	}
	return 0;
}

/*
 * Keys of the caller are not COMMAND's: an empty session keyring of its own, keyctl(2). The
 * keyrings of the user belong to the user namespace.
 */
int child_step_keyring(struct child *child, const struct step *step)
{
	(void)child;
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 || errno == ENOSYS ||
	    errno == EOPNOTSUPP)
		return 0;
	/* A container's filter, say. */
	return errno == EPERM && step->flags == CHILD_KEYRING_REFUSED_LATER ? 0 : -errno;
}

/*
 * A process that can make a user namespace has all capabilities in it, and with them reach of
 * kernel code that was never meant for it: it mounts cgroup2 and kills who shares the
 * caller's group. user.max_user_namespaces counts for the namespace of whoever writes it.
 */
int child_step_no_nesting(struct child *child, const struct step *step)
{
	(void)step;
	return child_write_proc(child, "sys/user/max_user_namespaces", "0");
}

int child_step_filter(struct child *child, const struct step *step)
{
	struct sock_fprog program = {
		.len = (unsigned short)step->flags,
		.filter = (struct sock_filter *)(uintptr_t)step->source,
	};

	(void)child;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}

int child_step_view(struct child *child, const struct step *step)
{
	struct record record = { .kind = RECORD_VIEW, .fallbacks = child->fallbacks };

	(void)step;
	return child_send(child, &record);
}

/* End-of-file here means that the supervisor died before its death was a signal to us. */
int child_step_barrier(struct child *child, const struct step *step)
{
	struct record record = {
		.kind = RECORD_READY,
		.candidate = child->candidate,
		.fallbacks = child->fallbacks,
		.nproc_counts = child->nproc_counts,
		.pid = getpid(),
		.killer = child->killer,
		.landlock_before = child->landlock_before,
		.landlock_after = child->landlock_after,
	};
	char answer = 0;
	ssize_t got;
	int result;

	(void)step;
	record.head_length = child->path_length;
	memcpy(record.head, child->path, child->path_length);
	/* With no user namespace to be had this fails, and changes nothing. */
	if (child->plan->forbids_nesting && unshare(CLONE_NEWUSER) < 0)
		record.nesting_error = errno;
	if (prctl(PR_GET_PDEATHSIG, &record.death_signal, 0, 0, 0) < 0)
		return -errno;
	result = child_send(child, &record);
	if (result < 0)
		return result;
	do {
		got = recv(child->socket, &answer, 1, 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (got != 1 || answer != STEP_RELEASE) {
		child->detail = DETAIL_LAUNCHER_GONE;
		return -EPIPE;
	}
	return 0;
}

/* Nothing: failures of init before COMMAND runs are this step's. */
int child_step_start(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return 0;
}

void child_fail(const struct child *child, size_t step, int error)
{
	struct record record = {
		.kind = RECORD_FAILED, .step = (uint32_t)step, .error = error, .detail = child->detail,
	};

	if (child->detail == DETAIL_EXISTS) {
		record.head_length = child->path_length;
		memcpy(record.head, child->path, child->path_length);
	}

	child_send(child, &record);
	_exit(125);
}

void child_main(const struct plan *plan, int proc, uint64_t namespaces, uint32_t fallbacks)
{
	char path[PATH_MAX];
	struct child child = {
		.plan = plan, .proc = proc, .base = -1, .root = -1, .socket = plan->socket,
		.namespaces = namespaces, .fallbacks = fallbacks, .path = path, .held = { -1, -1 },
		.folder_mode = 0755, .file_mode = 0644,
	};

	uint64_t all = ~(uint64_t)0;

	/*
	 * Everything waits from here on: init takes signals one by one, and none may be
	 * lost.
	 */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	umask(0);
	for (size_t i = 0; i < plan->step_count; i++) {
		child.step = i;
		int result = plan->steps[i].run(&child, &plan->steps[i]);

		if (result < 0)
			child_fail(&child, i, -result);
	}
	if (plan->finish != NULL)
		plan->finish(&child);
	init_main(&child);
}
