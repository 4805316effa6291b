/*
 * Child code: finds and makes places inside the new root.
 *
 * Names are resolved with the new root as "/", whatever links say, and magic links of
 * procfs are refused. Something new is made on the sandbox's own tmpfs only, and in a
 * folder of the host where the command line allows that (bubblewrap's); then the
 * supervisor is told, who takes it away again.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"

enum { RESOLVE_TRIES = 16 };

int place_is_own(const struct child *child, int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	return status.st_dev == child->base_device;
}

int place_find(struct child *child, const char *path, int flags)
{
	const uint64_t resolve = SYS_RESOLVE_IN_ROOT | SYS_RESOLVE_NO_MAGICLINKS;
	int fd;

	if (!(child->fallbacks & FALLBACK_OPENAT2)) {
		/*
		 * EAGAIN: something was renamed meanwhile, and the kernel could not rule
		 * out an escape.
		 */
		for (int i = 0; i < RESOLVE_TRIES; i++) {
			fd = sys_openat2(child->root, path, (uint64_t)(O_PATH | flags), resolve);
			if (fd >= 0 || errno != EAGAIN)
				break;
		}
		if (fd >= 0 || errno != ENOSYS)
			return fd < 0 ? -errno : fd;
		child->fallbacks |= FALLBACK_OPENAT2;
	}
	return place_walk(child, path, flags);
}

/* Tells the supervisor what was made on the host: `path` inside, `name` in `parent`. */
static int tell_made(const struct child *child, int parent, const char *name, const char *path)
{
	struct record record = { .kind = RECORD_MADE, .step = (uint32_t)child->step };
	size_t length = strlen(path);
	struct stat status;

	if (!child->tells_made || length > RECORD_HEAD_MAX)
		return 0;
	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	record.device = status.st_dev;
	record.inode = status.st_ino;
	/* The supervisor may come to look when this process is no more. */
	if (fstatat(child->proc, "self/ns/mnt", &status, 0) < 0)
		return -errno;
	record.mount_namespace = status.st_ino;
	record.head_length = (uint32_t)length;
	memcpy(record.head, path, length);
	return child_send(child, &record);
}

/* Makes `name` in the folder `parent`, which is `path` inside, where it may be made there. */
static int make_entry(struct child *child, int parent, const char *name, enum place_kind kind,
    const char *path)
{
	int fd, own = place_is_own(child, parent);

	if (own < 0 || (own == 0 && !child->makes_on_host)) {
		child->detail = own == 0 ? DETAIL_ON_HOST : DETAIL_NONE;
		return own == 0 ? -ENOENT : own;
	}
	if (kind == PLACE_DIRECTORY) {
		if (mkdirat(parent, name, (mode_t)child->folder_mode) < 0)
			return errno == EEXIST ? 0 : -errno;
	} else {
		fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    (mode_t)child->file_mode);
		if (fd < 0)
			return -errno;
		close(fd);
	}
	return own == 0 ? tell_made(child, parent, name, path) : 0;
}

/*
 * Makes what is missing of the folders in child->path, from the top; each is looked up
 * from the root again.
 */
static int make_parents(struct child *child)
{
	char *path = child->path;
	int dir = place_find(child, "/", O_DIRECTORY);

	for (char *name = path + 1; dir >= 0;) {
		char *slash = strchr(name, '/');
		int next;

		if (slash != NULL)
			*slash = '\0';
		next = place_find(child, path, O_DIRECTORY);
		if (next == -ENOENT) {
			next = make_entry(child, dir, name, PLACE_DIRECTORY, path);
			if (next == 0)
				next = place_find(child, path, O_DIRECTORY);
		}
		close(dir);
		dir = next;
		if (slash == NULL)
			return dir;
		*slash = '/';
		name = slash + 1;
	}
	return dir;
}

int place_open_parent(struct child *child, const char *path, const char **leaf)
{
	const char *slash = strrchr(path, '/');
	size_t length = (size_t)(slash - path);
	int dir;

	*leaf = slash + 1;
	if (length == 0)
		return place_find(child, "/", O_DIRECTORY);
	if (length >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(child->path, path, length);
	child->path[length] = '\0';
	dir = place_find(child, child->path, O_DIRECTORY);
	if (dir == -ENOENT)
		dir = make_parents(child);
	if (dir < 0 && child->detail == DETAIL_NONE)
		child->detail = DETAIL_PARENTS;
	return dir;
}

static int check_kind(struct child *child, int fd, enum place_kind kind)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -errno;
	if (S_ISLNK(status.st_mode)) {
		child->detail = DETAIL_SYMLINK;
		return -ELOOP;
	}
	if (S_ISDIR(status.st_mode) != (kind == PLACE_DIRECTORY)) {
		child->detail = DETAIL_TYPE;
		return kind == PLACE_DIRECTORY ? -ENOTDIR : -EISDIR;
	}
	return 0;
}

int place_open(struct child *child, const char *path, enum place_kind kind)
{
	const char *leaf;
	int parent, fd, result;

	fd = place_find(child, path, O_NOFOLLOW);
	if (fd == -ENOENT) {
		parent = place_open_parent(child, path, &leaf);
		if (parent < 0)
			return parent;
		result = make_entry(child, parent, leaf, kind, path);
		if (result < 0 && child->detail == DETAIL_NONE)
			child->detail = DETAIL_MAKE;
		fd = result < 0 ? result : openat(parent, leaf, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd == -1)
			fd = -errno;
		close(parent);
	}
	if (fd < 0)
		return fd;
	result = check_kind(child, fd, kind);
	if (result < 0) {
		close(fd);
		return result;
	}
	return fd;
}
