/*
 * Child code: the root of the sandbox.
 *
 * One tmpfs, mounted over a folder of the host in the new mount namespace, holds
 * everything the sandbox owns: the folder "newroot", which becomes the new root, and one
 * folder for each writable place. Only copies of these folders are mounted inside, so
 * that all writable places share one quota and nobody inside can reach the tmpfs's own
 * top. The folder that it covers is one in which no source lies; where there is none it
 * is "/" itself: the host's paths resolve all the same, since a process's root does not
 * follow mounts on top of it.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"

/*
 * Finds out which calls this kernel has, by calling them with nothing to do. Without mount_setattr a
 * copied tree cannot be made private before it is visible, so everything is made private before
 * anything is copied; without the others one bind by mount(2) cannot take flags either.
 */
static int choose_ways(struct child *child)
{
	struct sys_mount_attr attr = { .propagation = MS_PRIVATE };

	if ((sys_open_tree(-1, "", AT_EMPTY_PATH) < 0 && errno == ENOSYS) ||
	    (sys_move_mount(-1, "", -1, "", SYS_MOVE_MOUNT_F_EMPTY_PATH) < 0 && errno == ENOSYS) ||
	    (sys_fsopen(NULL) < 0 && errno == ENOSYS))
		child->fallbacks |= FALLBACK_MOUNT | FALLBACK_SETATTR;
	if (sys_mount_setattr(-1, "", AT_EMPTY_PATH, &attr) < 0 && errno == ENOSYS)
		child->fallbacks |= FALLBACK_SETATTR;
	if (!(child->fallbacks & FALLBACK_SETATTR))
		return 0;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno : 0;
}

/*
 * Mounts the hidden tmpfs over the folder `at` of the host by the first way that this
 * kernel has.
 */
static int mount_base(struct child *child, const char *at, const char *options)
{
	unsigned attributes = SYS_ATTR_NOSUID | SYS_ATTR_NODEV;
	int place = open(at, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int result;

	if (place < 0)
		return -errno;
	result = tree_new(child, "tmpfs", options, attributes, place);
	close(place);
	if (result < 0)
		return result;
	/*
	 * What is mounted over "/" itself is reached by "/..": ".." stays at a process's
	 * root, and follows mounts there.
	 */
	child->base = open(at[1] == '\0' ? "/.." : at, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return child->base < 0 ? -errno : 0;
}

int root_step_create(struct child *child, const struct step *step)
{
	struct stat status;
	int place, result;

	result = choose_ways(child);
	if (result == 0)
		result = mount_base(child, step->dest, step->source);
	if (result < 0)
		return result;
	if (mkdirat(child->base, "newroot", 0755) < 0)
		return -errno;
	place = openat(child->base, "newroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (place < 0)
		return -errno;
	result = tree_bind(child, child->base, "newroot", 0, NULL, place);
	close(place);
	if (result < 0)
		return result;
	child->root = openat(child->base, "newroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (child->root < 0 || fstat(child->root, &status) < 0)
		return -errno;
	child->base_device = status.st_dev;
	return 0;
}

int root_step_scratch(struct child *child, const struct step *step)
{
	mode_t mode = (mode_t)(step->flags >> 16);
	int place, result;

	if (mkdirat(child->base, step->source, mode) < 0)
		return -errno;
	place = place_open(child, step->dest, PLACE_DIRECTORY);
	if (place < 0)
		return place;
	result = tree_bind(child, child->base, step->source, step->flags & 0xffff, NULL, place);
	close(place);
	return result;
}

/* Appends "KEY=NUMBER,". */
static char *add_option(char *end, const char *key, uint64_t number)
{
	memcpy(end, key, strlen(key));
	end = child_number(end + strlen(key), number);
	*end++ = ',';
	return end;
}

/*
 * The quota comes last, so that what the sandbox is made of is not counted: what is free afterwards is what was
 * asked for. All places on the hidden tmpfs share it.
 */
int root_step_quota(struct child *child, const struct step *step)
{
	char options[96], path[32], *end = options;
	struct statfs fs;

	if (fstatfs(child->base, &fs) < 0)
		return -errno;
	if (step->device > 0)
		end = add_option(end, "size=", step->device + (fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize);
	if (step->inode > 0)
		end = add_option(end, "nr_inodes=", step->inode + (fs.f_files - fs.f_ffree));
	end[-1] = '\0';
	if (mount(NULL, child_fd_path(path, child->base), NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV,
	    options) < 0)
		return -errno;
	return 0;
}

int root_step_read_only(struct child *child, const struct step *step)
{
	struct sys_mount_attr attr = { .set = SYS_ATTR_RDONLY };
	char path[32];

	(void)step;
	if (!(child->fallbacks & FALLBACK_SETATTR))
		return sys_mount_setattr(child->root, "", AT_EMPTY_PATH, &attr) < 0 ? -errno : 0;
	if (mount(NULL, child_fd_path(path, child->root), NULL,
	    MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
		return -errno;
	return 0;
}

/*
 * pivot_root(2) puts the old root on top of the new one; a lazy umount takes it away with
 * everything below it. Where the hidden tmpfs lies on top of the old root (flags: 2
 * umounts) it goes first. Each umount waits for all processors of the host (RCU), which
 * makes it the dearest call of all: hence the care to need only one.
 *
 * Before Linux 7.0 the call refuses when the old root is the initial ramfs: then the new
 * root is moved over it, which hides it for good from processes that have no
 * CAP_SYS_CHROOT.
 */
int root_step_pivot(struct child *child, const struct step *step)
{
	if (fchdir(child->root) < 0)
		return -errno;
	if (sys_pivot_root(".", ".") == 0) {
		for (uint64_t i = 0; i < step->flags; i++) {
			if (umount2(".", MNT_DETACH) < 0)
				return -errno;
		}
	} else if (errno == EINVAL) {
		child->fallbacks |= FALLBACK_CHROOT;
		if (mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0)
			return -errno;
	} else {
		return -errno;
	}
	return chdir("/") < 0 ? -errno : 0;
}

/*
 * With CAP_SYS_ADMIN in the user namespace that owns the mounts COMMAND could take read-only and covers away
 * again. In a user and a mount namespace below it the copies of all mounts are locked as they are.
 */
int root_step_lock(struct child *child, const struct step *step)
{
	int result;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	result = child_write_proc(child, "self/setgroups", "deny");
	if (result == 0)
		result = child_write_proc(child, "self/uid_map", step->source);
	if (result == 0)
		result = child_write_proc(child, "self/gid_map", step->dest);
	if (result < 0)
		return result;
	/* What is looked up from here on has to be found in the new copies. */
	close(child->root);
	child->root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return child->root < 0 ? -errno : 0;
}
