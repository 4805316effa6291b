/*
 * Removes scratches on disk: one's own, and those of dead runs (disk_scratch.h, disk_lock.h).
 *
 * A sweeper is careful, since the parent may be a folder in which everybody writes. It takes a
 * folder only if its name, its type, its owner and its mode are those of a scratch, and its
 * lock file is a regular file of the same owner, with one link, the right first words, and
 * nobody's lock. The lock is held until the folder is gone: of two sweepers one gets it, and
 * the other one, where it gets the lock of a file that is no more, sees that.
 */
#include "linux/disk_lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/disk_scratch.h"

bool disk_lock_is_at(int fd, int parent, const char *name)
{
	struct stat opened, found;

	if (fstat(fd, &opened) < 0 || fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	if (opened.st_dev == found.st_dev && opened.st_ino == found.st_ino)
		return true;
	errno = ENOENT;
	return false;
}

/* Opens the folder `dir` for reading a second time, from its beginning. */
static DIR *open_again(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (folder == NULL && fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return folder;
}

/* Removes everything but the lock file. 0, or -1 with the errno of what stayed first. */
static int remove_content(int dir)
{
	DIR *folder = open_again(dir);
	const struct dirent *entry;
	int error = 0;

	if (folder == NULL)
		return -1;
	while ((entry = readdir(folder)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0
		    || strcmp(entry->d_name, DISK_LOCK_NAME) == 0)
			continue;
		if (remove_tree(dir, entry->d_name) < 0 && error == 0)
			error = errno;
	}
	closedir(folder);
	errno = error;
	return error == 0 ? 0 : -1;
}

int disk_lock_remove(int parent, const char *name, int dir)
{
	struct stat status;

	/* Another one may have its name by now; and what was in it may have taken its mode away. */
	if (!disk_lock_is_at(dir, parent, name) || fchmod(dir, DISK_FINISHED) < 0 ||
	    remove_content(dir) < 0)
		return -1;
	/* Locked itself, for the lock file goes: no sweeper has to help with it. */
	if (flock(dir, LOCK_EX) < 0 || fchmod(dir, DISK_UNFINISHED) < 0
	    || remove_tree(parent, name) < 0)
		return -1;
	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = ENOTEMPTY;
		return -1;
	}
	return errno == ENOENT ? 0 : -1;
}

/* Whether the lock file is one, and nobody holds it. Its lock is held then until it is closed. */
static bool take_lock(int dir, int lock)
{
	char line[sizeof(DISK_LOCK_MAGIC)];
	struct stat status;

	if (fstat(lock, &status) < 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()
	    || status.st_nlink != 1)
		return false;
	if (pread(lock, line, sizeof(line) - 1, 0) != (ssize_t)sizeof(line) - 1
	    || memcmp(line, DISK_LOCK_MAGIC, sizeof(line) - 1) != 0)
		return false;
	/* Looked at again behind the lock: another sweeper may have had it before. */
	return flock(lock, LOCK_EX | LOCK_NB) == 0 && disk_lock_is_at(lock, dir, DISK_LOCK_NAME);
}

/* The mode, but for the group that a parent may hand down; 0 where it is not ours. */
static mode_t mode_of_own(int dir)
{
	struct stat status;

	if (fstat(dir, &status) < 0 || status.st_uid != geteuid())
		return 0;
	return status.st_mode & 07777 & ~(mode_t)S_ISGID;
}

static bool sweep_finished(int parent, const char *name, int dir)
{
	int lock = openat(dir, DISK_LOCK_NAME, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool is_swept;

	if (lock < 0)
		return false;
	is_swept = take_lock(dir, lock) && disk_lock_remove(parent, name, dir) == 0;
	close(lock);
	return is_swept;
}

/* Without recursion: where anything else than what belongs there is in it, it stays. */
static bool sweep_unfinished(int parent, const char *name, int dir)
{
	static const char *const places[] = { "work", "tmp", "shm" };

	if (flock(dir, LOCK_EX | LOCK_NB) < 0 || !disk_lock_is_at(dir, parent, name))
		return false;
	/* It may have been finished before it could be locked. */
	if (mode_of_own(dir) != DISK_UNFINISHED)
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		unlinkat(dir, places[i], AT_REMOVEDIR);
	unlinkat(dir, DISK_LOCK_NAME, 0);
	return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

static bool sweep_one(int parent, const char *name)
{
	int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool is_swept = false;

	if (dir < 0)
		return false;
	switch (mode_of_own(dir)) {
	case DISK_FINISHED:
		is_swept = sweep_finished(parent, name, dir);
		break;
	case DISK_UNFINISHED:
		is_swept = sweep_unfinished(parent, name, dir);
		break;
	default:
		break;
	}
	close(dir);
	return is_swept;
}

int disk_scratch_sweep(const char *parent)
{
	DIR *folder = opendir(parent);
	const struct dirent *entry;
	int count = 0;

	if (folder == NULL)
		return -1;
	while ((entry = readdir(folder)) != NULL) {
		if (strncmp(entry->d_name, DISK_PREFIX, sizeof(DISK_PREFIX) - 1) != 0)
			continue;
		if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
			continue;
		count += sweep_one(dirfd(folder), entry->d_name);
	}
	closedir(folder);
	return count;
}
