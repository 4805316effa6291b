/*
 * Child code: resolves a path inside the new root on kernels without openat2 (before
 * Linux 5.6), component by component and never by the kernel's own link following: each
 * component is opened without following, a link's text is put before what is left, an
 * absolute one starts again at the new root, and ".." stops there.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

enum { WALK_LINKS_MAX = 40, WALK_DEPTH_MAX = 256 };

struct walk {
	struct child *child;
	char rest[PATH_MAX];	/* what is still to be resolved */
	int dirs[WALK_DEPTH_MAX]; /* the folders from the root down to here; dirs[0] is a copy of the root */
	int depth;
	int links;
};

static void walk_up(struct walk *walk)
{
	if (walk->depth > 0)
		close(walk->dirs[walk->depth--]);
}

/* Puts the text of the link `name` before what is left. */
static int expand_link(struct walk *walk, int link, const char *rest)
{
	char text[PATH_MAX];
	size_t left = strlen(rest);
	struct statfs fs;
	ssize_t length;

	if (++walk->links > WALK_LINKS_MAX)
		return -ELOOP;
	/* Links of procfs may be magic: they do not lead where their text says. */
	if (fstatfs(link, &fs) < 0)
		return -errno;
	if (fs.f_type == PROC_SUPER_MAGIC)
		return -ELOOP;
	length = readlinkat(link, "", text, sizeof(text));
	if (length < 0)
		return -errno;
	if ((size_t)length + 1 + left >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	memmove(walk->rest + length + 1, rest, left + 1);
	memcpy(walk->rest, text, (size_t)length);
	walk->rest[length] = '/';
	if (text[0] == '/') {
		while (walk->depth > 0)
			walk_up(walk);
	}
	return 0;
}

/*
 * One component; `last` says that nothing follows it. Returns 1 with the descriptor on
 * top when it is the end.
 */
static int step_down(struct walk *walk, const char *name, const char *rest, bool follow)
{
	struct stat status;
	int fd = openat(walk->dirs[walk->depth], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int result = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0)
		result = -errno;
	else if (S_ISLNK(status.st_mode) && (follow || *rest != '\0'))
		result = expand_link(walk, fd, rest);
	else if (walk->depth + 1 >= WALK_DEPTH_MAX)
		result = -ENAMETOOLONG;
	else {
		walk->dirs[++walk->depth] = fd;
		memmove(walk->rest, rest, strlen(rest) + 1);
		return 0;
	}
	close(fd);
	return result;
}

static int walk_all(struct walk *walk, bool follow)
{
	char name[NAME_MAX + 1];
	int result = 0;

	while (result == 0) {
		const char *start = walk->rest + strspn(walk->rest, "/");
		size_t length = strcspn(start, "/");
		const char *rest = start + length + strspn(start + length, "/");

		if (length == 0)
			return 0;
		if (length > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, start, length);
		name[length] = '\0';
		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
			result = step_down(walk, name, rest, follow);
			continue;
		}
		if (name[1] == '.')
			walk_up(walk);
		memmove(walk->rest, rest, strlen(rest) + 1);
	}
	return result;
}

int place_walk(struct child *child, const char *path, int flags)
{
	struct walk walk = { .child = child };
	struct stat status;
	int result, fd = -1;

	if (strlen(path) >= sizeof(walk.rest))
		return -ENAMETOOLONG;
	memcpy(walk.rest, path, strlen(path) + 1);
	walk.dirs[0] = openat(child->root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (walk.dirs[0] < 0)
		return -errno;
	result = walk_all(&walk, !(flags & O_NOFOLLOW));
	if (result == 0) {
		fd = walk.dirs[walk.depth--];
		if (flags & O_DIRECTORY && fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode)) {
			close(fd);
			result = -ENOTDIR;
		}
	}
	for (; walk.depth >= 0; walk.depth--)
		close(walk.dirs[walk.depth]);
	return result < 0 ? result : fd;
}
