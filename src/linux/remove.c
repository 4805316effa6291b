/*
 * Removes a whole tree (disk_scratch.h), whatever a hostile program left in it.
 *
 * Theory of operation. The tree is walked with one descriptor, that of the folder where the
 * walk is: down by opening an entry, up by opening "..", which is compared with what was
 * there on the way down. So neither the depth nor the length of a path matters, and nothing
 * recurses. What has to be remembered of a folder on the way is a `struct level`: its name,
 * which folder it is, and where in it the listing was.
 *
 * A folder is listed again as long as the listing before removed something. Some file systems
 * count positions, and skip entries when others before them go; and what appears meanwhile is
 * caught. An entry that cannot be removed is passed over, and the reason of the first one is
 * the result. Where nothing has to stay the time is linear in the number of entries.
 *
 * Not followed: links (every open is of one component, with O_NOFOLLOW) and mount points
 * (rmdir refuses them with EBUSY before anything is opened; openat2 and the number of the
 * device are the second look).
 */
#include "linux/disk_scratch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/sys.h"

enum {
	/*
	 * Bytes of one listing. What stands behind a folder that is entered is listed again
	 * afterwards, so more would be wasted.
	 */
	LISTING_SIZE = 2048,
	/* Where positions are counted, each round leaves half. */
	ROUNDS_MAX = 64,
	/* How often the walk begins again where a folder was moved away under it. */
	WALKS_MAX = 4
};

struct level {
	dev_t device;
	ino_t inode;
	off64_t next;		/* position behind the entry that was entered */
	size_t name;		/* where in the names its own begins */
	unsigned rounds;
	bool has_removed;	/* in this round */
};

struct walk {
	int top;		/* the folder in which the tree is; the caller's */
	int fd;			/* of the folder where the walk is, -1: none */
	struct level *levels;	/* from the tree's top to there */
	size_t depth, levels_size;
	char *names;
	size_t names_length, names_size;
	union {
		struct dirent64 first;
		char bytes[LISTING_SIZE];
	} listing;
	size_t at, end;		/* what of the listing is still to be looked at */
	int error;		/* why the first entry stayed, 0: none did */
};

static void note(struct walk *walk, int error)
{
	if (walk->error == 0)
		walk->error = error;
}

/* Grows an array by doubling. Lack of memory is an error here, since what was begun has to be ended. */
static void *grow(void *array, size_t *size, size_t needed, size_t item)
{
	size_t wanted = *size == 0 ? 64 : *size;
	void *grown;

	while (wanted < needed)
		wanted *= 2;
	if (wanted == *size)
		return array;
	grown = reallocarray(array, wanted, item);
	if (grown != NULL)
		*size = wanted;
	return grown;
}

/* 0: it is gone. Else the errno of why not; ENOTEMPTY is a folder with something in it. */
static int remove_entry(int dir, const char *name, bool is_folder)
{
	int error = EISDIR;

	if (!is_folder) {
		if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
			return 0;
		error = errno;
		if (error != EISDIR && error != EPERM)
			return error;
	}
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	/* A file that must not be removed: what unlink said. */
	if (errno == ENOTDIR)
		return error == EISDIR ? ENOTDIR : error;
	return errno == EEXIST ? ENOTEMPTY : errno;
}

/* Opens a folder of the same file system that is neither a link nor a mount point. */
static int open_folder(int dir, const char *name)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = sys_openat2(dir, name, (uint64_t)flags, SYS_RESOLVE_NO_XDEV);

	/* EPERM: the answer of a filter that does not know the call. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(dir, name, flags);
	return fd;
}

/* Gives the owner all rights. By the descriptor, for a name may be something else by now. */
static void unlock_folder(int folder, mode_t mode)
{
	char path[32];

	if ((mode & 0700) == 0700)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", folder);
	/* Where it fails the folder is somebody else's, and the next calls say so. */
	(void)!chmod(path, (mode & 07777) | 0700);
}

static int push_level(struct walk *walk, const char *name, const struct stat *status)
{
	size_t length = strlen(name) + 1;
	void *grown = grow(walk->levels, &walk->levels_size, walk->depth + 1, sizeof(*walk->levels));

	if (grown == NULL)
		return -1;
	walk->levels = grown;
	grown = grow(walk->names, &walk->names_size, walk->names_length + length, 1);
	if (grown == NULL)
		return -1;
	walk->names = grown;
	walk->levels[walk->depth++] = (struct level) {
		.device = status->st_dev, .inode = status->st_ino, .name = walk->names_length,
	};
	memcpy(walk->names + walk->names_length, name, length);
	walk->names_length += length;
	return 0;
}

static void stand_in(struct walk *walk, int fd)
{
	if (walk->fd >= 0)
		close(walk->fd);
	walk->fd = fd;
	walk->at = walk->end = 0;
}

/* Goes down into the folder `name` of `dir`, which is on `device`. 0, or the errno of why not. */
static int enter(struct walk *walk, int dir, dev_t device, const char *name)
{
	int folder = open_folder(dir, name);
	struct stat status;
	int error = 0, fd = -1;

	if (folder < 0)
		return errno;
	if (fstat(folder, &status) < 0) {
		error = errno;
	} else if (status.st_dev != device) {
		error = EXDEV;
	} else {
		unlock_folder(folder, status.st_mode);
		fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 || push_level(walk, name, &status) < 0)
			error = errno;
	}
	close(folder);
	if (error == 0)
		stand_in(walk, fd);
	else if (fd >= 0)
		close(fd);
	return error;
}

/* The next entry of the folder where the walk is, NULL behind the last. */
static const struct dirent64 *next_entry(struct walk *walk)
{
	const struct dirent64 *entry;

	do {
		if (walk->at >= walk->end) {
			ssize_t got = getdents64(walk->fd, walk->listing.bytes, LISTING_SIZE);

			if (got < 0)
				note(walk, errno);
			if (got <= 0)
				return NULL;
			walk->at = 0;
			walk->end = (size_t)got;
		}
		entry = (const struct dirent64 *)(walk->listing.bytes + walk->at);
		walk->at += entry->d_reclen;
	} while (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
	return entry;
}

/* Removes one entry, or goes down into it. */
static void take_entry(struct walk *walk, const struct dirent64 *entry)
{
	struct level *level = &walk->levels[walk->depth - 1];
	int error = remove_entry(walk->fd, entry->d_name, entry->d_type == DT_DIR);
	int inner;

	level->next = entry->d_off;
	if (error == 0) {
		level->has_removed = true;
		return;
	}
	/* Also a folder that cannot go may hold what can. */
	if (error == ENOTEMPTY || error == EPERM || error == EACCES) {
		inner = enter(walk, walk->fd, level->device, entry->d_name);
		if (inner == 0)
			return;
		if (error == ENOTEMPTY)
			error = inner;
	}
	note(walk, error);
}

/* Opens the folder above; -1 where it is not the one that the walk came from. */
static int open_above(const struct walk *walk)
{
	const struct level *level = &walk->levels[walk->depth - 2];
	int fd = openat(walk->fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && status.st_dev == level->device && status.st_ino == level->inode
	    && lseek64(fd, level->next, SEEK_SET) >= 0)
		return fd;
	close(fd);
	errno = EAGAIN;
	return -1;
}

/* Goes up, and removes the folder in which the walk was. -1: the way up is lost. */
static int leave(struct walk *walk)
{
	const struct level *level = &walk->levels[walk->depth - 1];
	int above = -1, error;

	if (walk->depth > 1 && (above = open_above(walk)) < 0) {
		note(walk, errno);
		return -1;
	}
	stand_in(walk, above);
	walk->depth--;
	walk->names_length = level->name;
	error = remove_entry(walk->depth == 0 ? walk->top : above, walk->names + level->name, true);
	if (error != 0)
		note(walk, error);
	else if (walk->depth > 0)
		walk->levels[walk->depth - 1].has_removed = true;
	return 0;
}

/* At the end of a listing: lists again, or goes up. -1: the way up is lost. */
static int end_listing(struct walk *walk)
{
	struct level *level = &walk->levels[walk->depth - 1];

	if (!level->has_removed || level->rounds == ROUNDS_MAX || lseek64(walk->fd, 0, SEEK_SET) < 0)
		return leave(walk);
	level->has_removed = false;
	level->rounds++;
	walk->at = walk->end = 0;
	return 0;
}

/* One walk over the tree. 0; -1: the way up was lost, or something appeared at the last moment. */
static int walk_tree(struct walk *walk, const char *name)
{
	struct stat status;
	int error, result = 0;

	walk->depth = walk->names_length = 0;
	walk->error = 0;
	/* The empty path is the folder itself, be it AT_FDCWD. */
	error = fstatat(walk->top, "", &status, AT_EMPTY_PATH) < 0 ? errno :
	    enter(walk, walk->top, status.st_dev, name);
	if (error != 0)
		note(walk, error);
	while (walk->depth > 0 && result == 0) {
		const struct dirent64 *entry = next_entry(walk);

		if (entry != NULL)
			take_entry(walk, entry);
		else
			result = end_listing(walk);
	}
	stand_in(walk, -1);
	return walk->error == ENOTEMPTY ? -1 : result;
}

int remove_tree(int dir, const char *name)
{
	int error = remove_entry(dir, name, false);
	struct walk *walk;
	int result = -1;

	if (error != ENOTEMPTY && error != EACCES && error != EPERM) {
		errno = error;
		return error == 0 ? 0 : -1;
	}
	walk = calloc(1, sizeof(*walk));
	if (walk == NULL)
		return -1;
	walk->top = dir;
	walk->fd = -1;
	for (unsigned i = 0; i < WALKS_MAX && result < 0; i++)
		result = walk_tree(walk, name);
	error = remove_entry(dir, name, false);
	if (error != 0 && walk->error != 0)
		error = walk->error;
	free(walk->levels);
	free(walk->names);
	free(walk);
	errno = error;
	return error == 0 ? 0 : -1;
}
