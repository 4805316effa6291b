/*
 * Child code: bubblewrap's operations that mount something, one step each, in the order in
 * which they were written.
 */
#include "ns/bwrap_steps.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"
#include "ns/mounts.h"

void bwrap_set_modes(struct child *child, const struct step *step, bool is_mount_point)
{
	child->makes_on_host = true;
	child->tells_made = is_mount_point;
	child->folder_mode = (unsigned)(step->flags >> BWRAP_PARENT_SHIFT) & BWRAP_MODE_MASK;
	child->file_mode = 0444;
}

static int open_place(struct child *child, const struct step *step, enum place_kind kind)
{
	bwrap_set_modes(child, step, true);
	return place_open(child, step->dest, kind);
}

/* Whether the path is the root, whatever it is written like. */
static bool is_root(const char *path)
{
	return path[strspn(path, "/.")] == '\0';
}

/* What was mounted over the root is the root from now on. */
static int reopen_root(struct child *child, const struct step *step)
{
	if (!is_root(step->dest))
		return 0;
	close(child->root);
	child->root = openat(child->base, "newroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return child->root < 0 ? -errno : 0;
}

/* What is mounted at a place now, with flags set mount by mount where that is how it is done. */
static int restrict_now(struct child *child, const struct step *step, uint64_t flags)
{
	int place, result;

	if (!(child->fallbacks & FALLBACK_SETATTR))
		return 0;
	place = place_find(child, step->dest, 0);
	if (place < 0)
		return place;
	result = tree_restrict(child, place, flags);
	close(place);
	return result;
}

int bwrap_step_old_ways(struct child *child, const struct step *step)
{
	child->fallbacks |= (uint32_t)step->flags;
	return 0;
}

/*
 * The tree holds the folder over which the hidden tmpfs is mounted next: a copy made later would
 * show that.
 */
int bwrap_step_early(struct child *child, const struct step *step)
{
	struct bwrap_plan *plan = (struct bwrap_plan *)(uintptr_t)child->plan->bwrap;
	int tree = sys_open_tree(AT_FDCWD, step->source, SYS_OPEN_TREE_CLONE | SYS_OPEN_TREE_CLOEXEC |
	    SYS_AT_RECURSIVE);

	/* Without open_tree the base is taken away again from the tree that was made later. */
	if (tree < 0 && errno != ENOSYS)
		return -errno;
	plan->early[step->flags] = tree;
	return 0;
}

int bwrap_step_find(struct child *child, const struct step *step)
{
	int source = open(step->source, O_PATH | O_CLOEXEC);

	if (source < 0) {
		child->detail = DETAIL_SOURCE;
		return -errno;
	}
	close(source);
	return 0;
}

static int check_same(struct child *child, const struct step *step, const struct stat *status)
{
	if (step->device == 0 || (status->st_dev == step->device && status->st_ino == step->inode))
		return 0;
	child->detail = DETAIL_SOURCE_CHANGED;
	return -ESTALE;
}

/* A tree that could not be copied early shows the hidden tmpfs at the folder that it covers. */
static int uncover(struct child *child, const struct step *step, const char *cover)
{
	char path[32];
	int place = place_find(child, cover, O_DIRECTORY);
	int result = 0;

	if (place < 0)
		return place;
	if (umount2(child_fd_path(path, place), MNT_DETACH) < 0)
		result = -errno;
	close(place);
	return result < 0 ? result : reopen_root(child, step);
}

/*
 * A magic link (/proc/self/fd/N) leads to a mount of the caller's, which cannot be copied from
 * here: the same file is looked for by its name.
 */
static int reopen_by_name(struct child *child, int source)
{
	char name[48] = "self/fd/";
	struct stat wanted, found;
	ssize_t length;
	int fd;

	*child_number(name + strlen(name), (uint64_t)source) = '\0';
	length = readlinkat(child->proc, name, child->path, PATH_MAX - 1);
	if (length < 0)
		return -errno;
	child->path[length] = '\0';
	fd = open(child->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(source, &wanted) == 0 && fstat(fd, &found) == 0 && wanted.st_dev == found.st_dev &&
	    wanted.st_ino == found.st_ino)
		return fd;
	close(fd);
	return -EINVAL;
}

static int bind_source(struct child *child, int source, uint64_t flags, int place)
{
	int again, result = tree_bind(child, source, NULL, flags, NULL, place);

	if (result != -EINVAL)
		return result;
	again = reopen_by_name(child, source);
	if (again < 0)
		return result;
	result = tree_bind(child, again, NULL, flags, NULL, place);
	close(again);
	return result;
}

/* Copies what is at `source` now, or what was copied early. */
static int attach(struct child *child, const struct step *step, int source, int place)
{
	struct bwrap_plan *plan = (struct bwrap_plan *)(uintptr_t)child->plan->bwrap;
	uint64_t flags = step->flags & 0xffff;
	bool is_early = step->device == 0 && step->inode > 0;
	int result, early = is_early ? plan->early[step->inode - 1] : -1;

	if (early >= 0) {
		result = tree_attach(child, early, flags, place);
		close(early);
		plan->early[step->inode - 1] = -1;
	} else {
		result = bind_source(child, source, flags, place);
	}
	/* The source was there: it is the mount that failed. */
	child->detail = DETAIL_NONE;
	if (result == 0)
		result = reopen_root(child, step);
	if (result == 0 && is_early && early < 0)
		result = uncover(child, step, plan->cover);
	return result < 0 ? result : restrict_now(child, step, flags);
}

int bwrap_step_bind(struct child *child, const struct step *step)
{
	int source = open(step->source, O_PATH | O_CLOEXEC);
	struct stat status;
	int place, result;

	if (source < 0 || fstat(source, &status) < 0) {
		if (errno == ENOENT && (step->flags & MOUNT_OPTIONAL))
			return 0;
		child->detail = DETAIL_SOURCE;
		return -errno;
	}
	result = check_same(child, step, &status);
	if (result == 0) {
		place = open_place(child, step, S_ISDIR(status.st_mode) ? PLACE_DIRECTORY : PLACE_FILE);
		result = place < 0 ? place : attach(child, step, source, place);
		if (place >= 0)
			close(place);
	}
	close(source);
	return result;
}

/* A new file system at the place. */
static int mount_new(struct child *child, const struct step *step, const char *type, unsigned attributes)
{
	int place = open_place(child, step, PLACE_DIRECTORY);
	int result;

	if (place < 0)
		return place;
	result = tree_new(child, type, step->source, attributes, place);
	close(place);
	return result < 0 ? result : reopen_root(child, step);
}

int bwrap_step_tmpfs(struct child *child, const struct step *step)
{
	return mount_new(child, step, "tmpfs", SYS_ATTR_NOSUID | SYS_ATTR_NODEV);
}

int bwrap_step_mqueue(struct child *child, const struct step *step)
{
	return mount_new(child, step, "mqueue", 0);
}

/* What can be written of the kernel's own files is covered, as far as the caller could write it. */
static int cover_proc(struct child *child, const struct step *step)
{
	static const char *const names[] = { "sys", "sysrq-trigger", "irq", "bus" };
	int proc = place_find(child, step->dest, O_DIRECTORY);
	int result = 0;

	if (proc < 0)
		return proc;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && result == 0; i++) {
		int place;

		if (faccessat(proc, names[i], W_OK, 0) < 0)
			continue;
		place = openat(proc, names[i], O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (place < 0)
			return -errno;
		result = tree_bind(child, place, NULL, MOUNT_READ_ONLY, NULL, place);
		close(place);
	}
	close(proc);
	return result;
}

int bwrap_step_proc(struct child *child, const struct step *step)
{
	int place, result;

	if (step->device != 0) {
		result = mount_new(child, step, "proc", SYS_ATTR_NOSUID | SYS_ATTR_NODEV | SYS_ATTR_NOEXEC);
	} else {
		place = open_place(child, step, PLACE_DIRECTORY);
		if (place < 0)
			return place;
		result = tree_bind(child, AT_FDCWD, "/proc", 0, NULL, place);
		close(place);
		if (result == 0)
			result = restrict_now(child, step, 0);
	}
	return result < 0 ? result : cover_proc(child, step);
}

int bwrap_step_dev(struct child *child, const struct step *step)
{
	struct step tmpfs = *step;
	int dev, result;

	tmpfs.source = "mode=0755";
	result = mount_new(child, &tmpfs, "tmpfs", SYS_ATTR_NOSUID | SYS_ATTR_NODEV);
	if (result < 0)
		return result;
	dev = place_find(child, step->dest, O_DIRECTORY);
	if (dev < 0)
		return dev;
	result = dev_fill(child, dev, MOUNT_DEVICES, step->source);
	if (result == 0 && (mkdirat(dev, "shm", 0755) < 0 || symlinkat("/proc/kcore", dev, "core") < 0))
		result = -errno;
	close(dev);
	return result;
}

int bwrap_step_overlay(struct child *child, const struct step *step)
{
	int result;

	child->makes_on_host = child->tells_made = true;
	child->folder_mode = 0755;
	result = mount_step_overlay(child, step);
	return result < 0 ? result : reopen_root(child, step);
}

/* The flags that a mount has, as mount(2) takes them: a remount has to repeat them. */
static unsigned long flags_of(int place)
{
	struct statfs fs;

	if (fstatfs(place, &fs) < 0)
		return 0;
	return (fs.f_flags & ST_NOEXEC ? MS_NOEXEC : 0) | (fs.f_flags & ST_NOATIME ? MS_NOATIME : 0) |
	    (fs.f_flags & ST_NODIRATIME ? MS_NODIRATIME : 0) |
	    (fs.f_flags & ST_RELATIME ? MS_RELATIME : 0);
}

/* This one mount, not those below it; and like every mount here without setuid and devices. */
int bwrap_step_remount(struct child *child, const struct step *step)
{
	struct sys_mount_attr attr = { .set = SYS_ATTR_RDONLY | SYS_ATTR_NOSUID | SYS_ATTR_NODEV };
	int place = place_find(child, step->dest, O_NOFOLLOW);
	char path[32];
	int result = 0;

	if (place < 0) {
		child->detail = DETAIL_SOURCE;
		return place;
	}
	if (!(child->fallbacks & FALLBACK_SETATTR))
		result = sys_mount_setattr(place, "", AT_EMPTY_PATH, &attr) < 0 ? -errno : 0;
	else if (mount(NULL, child_fd_path(path, place), NULL, MS_REMOUNT | MS_BIND | MS_RDONLY |
	    MS_NOSUID | MS_NODEV | flags_of(place), NULL) < 0)
		result = -errno;
	close(place);
	return result;
}

/* "bindfile" and six digits: a name by which such a file is known in mountinfo. */
static void name_data(struct child *child, char name[16])
{
	uint32_t number = ++child->made;

	memcpy(name, "bindfile", 8);
	for (int i = 13; i >= 8; i--, number /= 10)
		name[i] = (char)('0' + number % 10);
	name[14] = '\0';
}

int bwrap_step_data(struct child *child, const struct step *step)
{
	mode_t mode = (mode_t)(step->flags >> BWRAP_MODE_SHIFT) & BWRAP_MODE_MASK;
	char name[16];
	int place, file, result;

	name_data(child, name);
	file = openat(child->base, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (file < 0)
		return -errno;
	result = file_copy(step->fd, file);
	close(file);
	if (result < 0) {
		child->detail = DETAIL_DATA;
		return result;
	}
	place = open_place(child, step, PLACE_FILE);
	if (place < 0)
		return place;
	result = tree_bind(child, child->base, name, step->flags & 0xffff, NULL, place);
	close(place);
	if (result == 0)
		result = restrict_now(child, step, step->flags & 0xffff);
	if (unlinkat(child->base, name, 0) < 0 && result == 0)
		result = -errno;
	return result;
}
