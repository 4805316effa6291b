/*
 * Child code: the steps of bubblewrap's process model that are not about the file system.
 */
#include "ns/bwrap_steps.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/child.h"

static struct bwrap_plan *plan_of(const struct child *child)
{
	return (struct bwrap_plan *)(uintptr_t)child->plan->bwrap;
}

int bwrap_step_hold(struct child *child, const struct step *step)
{
	char answer = 0;
	ssize_t got;

	(void)step;
	do {
		got = recv(child->socket, &answer, 1, 0);
	} while (got < 0 && errno == EINTR);
	if (got == 1 && answer == STEP_RELEASE)
		return 0;
	child->detail = DETAIL_LAUNCHER_GONE;
	return -EPIPE;
}

/*
 * Mounts of the caller's may be shared: without a user namespace of its own a new mount
 * namespace would hand on to the host what is mounted in it.
 */
int bwrap_step_private(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno : 0;
}

/* In a user namespace that somebody else made: the ids inside, keeping what set-up needs. */
int bwrap_step_user(struct child *child, const struct step *step)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	gid_t gid = (gid_t)(step->flags & UINT32_MAX);
	uid_t uid = (uid_t)(step->flags >> 32);

	(void)child;
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || syscall(SYS_setresgid, gid, gid, gid) < 0 ||
	    syscall(SYS_setresuid, uid, uid, uid) < 0 || syscall(SYS_capget, &header, data) < 0)
		return -errno;
	for (int word = 0; word < 2; word++)
		data[word].effective = data[word].permitted;
	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

/* What is not in the bounding set is gone with the exec of COMMAND, whoever it is. */
int bwrap_step_bound(struct child *child, const struct step *step)
{
	(void)child;
	for (int cap = 0; cap < 64; cap++) {
		if (step->flags >> cap & 1)
			continue;
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			return errno == EINVAL ? 0 : -errno;	/* past the kernel's last one */
	}
	return 0;
}

static int write_maps(const struct child *child, const struct step *step)
{
	int result = child_write_proc(child, "self/setgroups", "deny");

	if (result < 0 && result != -ENOENT && result != -EPERM)
		return result;
	result = child_write_proc(child, "self/uid_map", step->source);
	return result < 0 ? result : child_write_proc(child, "self/gid_map", step->dest);
}

/* One more is allowed, and taken at once: none is left for COMMAND. */
int bwrap_step_limit_users(struct child *child, const struct step *step)
{
	int result = child_write_proc(child, "sys/user/max_user_namespaces", "1");

	if (result < 0)
		return result;
	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	return write_maps(child, step);
}

int bwrap_step_join(struct child *child, const struct step *step)
{
	(void)child;
	return setns(step->fd, CLONE_NEWUSER) < 0 ? -errno : 0;
}

int bwrap_step_assert_users(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return unshare(CLONE_NEWUSER) == 0 ? -EEXIST : 0;
}

/*
 * From here on others of the same user may look into this process: it has no capability that they
 * lack, and in a process tree that it shares, or as process 1, they see it. Nothing that leads to
 * the host is open any more when they can.
 */
int bwrap_step_close(struct child *child, const struct step *step)
{
	int *const fds[] = { &child->proc, &child->base, &child->root };

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	if (step->fd >= 0)
		close(step->fd);
	return 0;
}

/* A byte or the end of the file: either lets COMMAND go on. */
int bwrap_step_block(struct child *child, const struct step *step)
{
	char byte;
	ssize_t got;

	(void)child;
	do {
		got = read(step->fd, &byte, 1);
	} while (got < 0 && errno == EINTR);
	return 0;
}

/* Reads the filter of --seccomp, which the caller may write as late as --block-fd lets it. */
int bwrap_step_program(struct child *child, const struct step *step)
{
	struct bwrap_plan *plan = plan_of(child);
	size_t length = 0;
	ssize_t got;

	while ((got = read(step->fd, plan->filter_room + length, BWRAP_PROGRAM_MAX + 1 - length)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		length += (size_t)got;
		if (length > BWRAP_PROGRAM_MAX)
			return -EFBIG;
	}
	if (length % 8 != 0) {
		child->detail = DETAIL_TYPE;
		return -EINVAL;
	}
	plan->filters[plan->filter_count++] = (struct bwrap_filter){ plan->filter_room, length };
	return 0;
}

static int enter(struct bwrap_plan *plan, const char *path)
{
	size_t length = strlen(path);

	if (chdir(path) < 0)
		return -errno;
	if (length + sizeof("PWD=") <= BWRAP_PWD_SIZE)
		memcpy(plan->pwd + 4, path, length + 1);
	return 0;
}

/* What was asked for; else where the caller was; else home; else the root. */
int bwrap_step_folder(struct child *child, const struct step *step)
{
	struct bwrap_plan *plan = plan_of(child);

	(void)step;
	if (plan->chdir != NULL)
		return enter(plan, plan->chdir);
	if (plan->old_folder != NULL && enter(plan, plan->old_folder) == 0)
		return 0;
	if (plan->home != NULL && enter(plan, plan->home) == 0)
		return 0;
	return enter(plan, "/");
}

/*
 * The supervisor has one thread, so that its death is the process's. Whether it died before is
 * seen by its end of the socket.
 */
int bwrap_step_death(struct child *child, const struct step *step)
{
	char byte;

	(void)step;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return -errno;
	if (recv(child->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
		child->detail = DETAIL_LAUNCHER_GONE;
		return -EPIPE;
	}
	return 0;
}

/* The lock is this process's, and gone with it. */
int bwrap_step_lock(struct child *child, const struct step *step)
{
	struct bwrap_plan *plan = plan_of(child);
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = open(step->source, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		child->detail = DETAIL_SOURCE;
		return -errno;
	}
	if (fcntl(fd, F_SETLK, &lock) < 0)
		return -errno;
	plan->keep_fds[(*plan->keep_count)++] = fd;
	return 0;
}

int bwrap_step_start(struct child *child, const struct step *step)
{
	(void)child;
	(void)step;
	return 0;
}
