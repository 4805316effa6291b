/*
 * Child code: Landlock rules on top of the mounts. What the mounts already say is said once more, by another part of the
 * kernel: everything may be read, and only what is writable be written. Mounting is refused altogether.
 */
#include "ns/mounts.h"

#include <errno.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/landlock_abi.h"
#include "linux/landlock_calls.h"

static const uint64_t device_rights = ABI_WRITE_FILE | ABI_TRUNCATE | ABI_IOCTL_DEV;

/* step->fd is the ruleset, step->inode the rights that it handles. */
static int allow(const struct step *step, int fd, uint64_t rights)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISDIR(status.st_mode))
		rights &= ABI_OF_FILES;
	return abi_allow(step->fd, fd, rights & step->inode) < 0 ? -errno : 0;
}

static int allow_path(const struct step *step, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	int result;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;	/* an optional one */
	result = allow(step, fd, rights);
	close(fd);
	return result;
}

static uint64_t rights_of(uint64_t flags)
{
	uint64_t devices = flags & MOUNT_DEVICES ? device_rights : 0;

	return ABI_SHOWN | devices | (flags & MOUNT_READ_ONLY ? 0 : ABI_WRITABLE);
}

/* The caller's streams stay what they are, also when they are opened again by /dev/stdout. Pipes need no rule. */
static void allow_streams(const struct child *child, const struct step *step)
{
	const struct plan *plan = child->plan;

	for (int fd = 0; fd <= 2; fd++)
		allow(step, fd, ABI_SHOWN | device_rights | ABI_WRITABLE);
	for (size_t i = 0; i < plan->keep_count; i++)
		allow(step, plan->keep_fds[i], ABI_SHOWN | device_rights | ABI_WRITABLE);
}

/* A file beside the root, on the hidden tmpfs, where no rule leads. */
static int try_outside(const struct child *child)
{
	static const char name[] = "landlock-trial";
	int fd = openat(child->base, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return unlinkat(child->base, name, 0) < 0 ? errno : 0;
}

int stack_step_landlock(struct child *child, const struct step *step)
{
	int result = allow_path(step, "/", ABI_SHOWN);

	for (size_t i = 0; i < step->flags && result == 0; i++) {
		const struct step *row = &step->extra[i];

		if (!(row->flags & MOUNT_READ_ONLY) || (row->flags & MOUNT_DEVICES))
			result = allow_path(step, row->dest, rights_of(row->flags));
	}
	if (result < 0)
		return result;
	allow_streams(child, step);
	/* The host's, by which descriptors are listed where close_range is missing; COMMAND never gets to it. */
	result = allow(step, child->proc, ABI_READ_FILE | ABI_READ_DIR);
	if (result < 0)
		return result;
	child->landlock_before = try_outside(child);
	if (syscall(SYS_landlock_restrict_self, step->fd, (unsigned)step->device) < 0)
		return -errno;
	child->landlock_after = try_outside(child);
	return 0;
}
