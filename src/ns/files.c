/*
 * Child code: folders, links and files that the spec wants on the sandbox's own tmpfs. A
 * file of the host is never written, also where it lies in a writable bind.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

int file_step_directory(struct child *child, const struct step *step)
{
	int fd = place_open(child, step->dest, PLACE_DIRECTORY);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Whether the place holds a link with this text already. */
static bool is_same_link(int parent, const char *leaf, const char *text)
{
	char found[PATH_MAX];
	ssize_t length = readlinkat(parent, leaf, found, sizeof(found));

	return length >= 0 && (size_t)length == strlen(text) &&
	    memcmp(found, text, (size_t)length) == 0;
}

int file_step_symlink(struct child *child, const struct step *step)
{
	struct stat status;
	const char *leaf;
	int own, result = 0;
	int parent = place_open_parent(child, step->dest, &leaf);

	if (parent < 0)
		return parent;
	if (is_same_link(parent, leaf, step->source) ||
	    ((step->flags & MOUNT_OPTIONAL) &&
	    fstatat(parent, leaf, &status, AT_SYMLINK_NOFOLLOW) == 0)) {
		/* Nothing to do. */
	} else if ((own = place_is_own(child, parent)) <= 0) {
		child->detail = own == 0 ? DETAIL_ON_HOST : DETAIL_NONE;
		result = own == 0 ? -ENOENT : own;
	} else if (symlinkat(step->source, parent, leaf) < 0) {
		result = -errno;
	}
	close(parent);
	return result;
}

int file_copy(int from, int to)
{
	char buffer[16384];
	ssize_t got;

	while ((got = sendfile(to, from, NULL, 1 << 30)) > 0)
		;
	if (got == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* Pipes and sockets do not take sendfile as a source. */
	while ((got = read(from, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		for (ssize_t done = 0; done < got;) {
			ssize_t put = write(to, buffer + done, (size_t)(got - done));

			if (put < 0)
				return -errno;
			done += put;
		}
	}
	return 0;
}

int file_step_copy(struct child *child, const struct step *step)
{
	const char *leaf;
	int parent = place_open_parent(child, step->dest, &leaf);
	int file, result;

	if (parent < 0)
		return parent;
	result = place_is_own(child, parent);
	if (result <= 0) {
		child->detail = result == 0 ? DETAIL_ON_HOST : DETAIL_NONE;
		close(parent);
		return result == 0 ? -ENOENT : result;
	}
	file = openat(parent, leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	result = file < 0 ? -errno : 0;
	close(parent);
	if (result < 0)
		return result;
	result = file_copy(step->fd, file);
	if (close(file) < 0 && result == 0)
		result = -errno;
	return result;
}

/* By the sandbox's own resolution: a magic link of procfs would lead to a folder of the host. */
int file_step_enter(struct child *child, const struct step *step)
{
	int fd = place_find(child, step->dest, O_DIRECTORY);
	int result = 0;

	if (fd < 0)
		return fd;
	if (fchdir(fd) < 0)
		result = -errno;
	close(fd);
	return result;
}
