/*
 * Child code: bubblewrap's operations that make folders, files and links, on the sandbox's
 * own tmpfs or through a writable bind on the host, as they were asked for.
 */
#include "ns/bwrap_steps.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "ns/mounts.h"

static mode_t mode_of(const struct step *step)
{
	return (mode_t)(step->flags >> BWRAP_MODE_SHIFT) & BWRAP_MODE_MASK;
}

static int open_parent(struct child *child, const struct step *step, const char **leaf)
{
	bwrap_set_modes(child, step, false);
	return place_open_parent(child, step->dest, leaf);
}

/* A folder that is there is fine as it is. */
static int check_folder(struct child *child, int fd)
{
	struct stat status;
	int result = fstat(fd, &status) < 0 ? -errno : 0;

	if (result == 0 && !S_ISDIR(status.st_mode)) {
		child->detail = DETAIL_TYPE;
		result = -ENOTDIR;
	}
	close(fd);
	return result;
}

int bwrap_step_directory(struct child *child, const struct step *step)
{
	const char *leaf;
	int parent, fd, result = 0;

	fd = place_find(child, step->dest, O_NOFOLLOW);
	if (fd >= 0)
		return check_folder(child, fd);
	parent = open_parent(child, step, &leaf);
	if (parent < 0)
		return parent;
	if (mkdirat(parent, leaf, mode_of(step)) < 0)
		result = -errno;
	close(parent);
	return result;
}

int bwrap_step_file(struct child *child, const struct step *step)
{
	const char *leaf;
	int parent = open_parent(child, step, &leaf);
	int file, result;

	if (parent < 0)
		return parent;
	file = openat(parent, leaf, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_of(step));
	result = file < 0 ? -errno : 0;
	close(parent);
	if (file < 0) {
		child->detail = DETAIL_MAKE;
		return result;
	}
	result = file_copy(step->fd, file);
	if (close(file) < 0 && result == 0)
		result = -errno;
	if (result < 0)
		child->detail = DETAIL_DATA;
	return result;
}

/* Notes what else is at the place: the text of a link, or nothing where it is none. */
static int note_existing(struct child *child, int parent, const char *leaf, const char *text)
{
	ssize_t length = readlinkat(parent, leaf, child->path, RECORD_HEAD_MAX);

	if (length >= 0 && (size_t)length == strlen(text) && memcmp(child->path, text, (size_t)length) == 0)
		return 0;
	child->path_length = length > 0 ? (uint32_t)length : 0;
	child->detail = DETAIL_EXISTS;
	return -EEXIST;
}

int bwrap_step_symlink(struct child *child, const struct step *step)
{
	const char *leaf;
	int parent = open_parent(child, step, &leaf);
	int result = 0;

	if (parent < 0)
		return parent;
	if (symlinkat(step->source, parent, leaf) < 0)
		result = errno == EEXIST ? note_existing(child, parent, leaf, step->source) : -errno;
	close(parent);
	return result;
}

int bwrap_step_chmod(struct child *child, const struct step *step)
{
	int fd = place_find(child, step->dest, O_NOFOLLOW);
	struct stat status;
	char path[32];
	int result = 0;

	if (fd < 0)
		return fd;
	/* Through the descriptor it would be what the link leads to, outside. */
	if (fstat(fd, &status) < 0)
		result = -errno;
	else if (S_ISLNK(status.st_mode))
		result = -EOPNOTSUPP;
	else if (chmod(child_fd_path(path, fd), mode_of(step)) < 0)
		result = -errno;
	close(fd);
	return result;
}
