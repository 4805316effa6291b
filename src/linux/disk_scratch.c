/*
 * A scratch on disk (disk_scratch.h): made, kept, removed.
 *
 * Theory of operation. A scratch is a folder PARENT/nsbox-ID of mode 0700 that belongs to
 * whoever runs nsbox. In it is a lock file that says so, locked by flock(2) as long as the
 * run lives. Dead is a scratch whose lock can be had: the kernel gives it back whatever ended
 * its holder. The process number in the file is for people to read; numbers are used again
 * and prove nothing.
 *
 * The lock belongs to the open file, so the child, which inherits the descriptor, holds it
 * as well until its descriptors are closed. That is right: where the supervisor is killed
 * while the child sets up, the scratch is in use until the child is dead too. The child's
 * copy ends before COMMAND runs, and with it COMMAND's only way to hold a dead run's lock.
 *
 * A folder that is being made, or is all but removed, has no lock file that proves anything.
 * It has mode 01700 then, which nobody gives to a folder by hand, is locked itself, and holds
 * nothing but empty folders and a lock file; a sweeper removes just these (disk_lock.c), so
 * that a run killed at any moment leaves nothing that would stay.
 */
#include "linux/disk_scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/disk_lock.h"
#include "linux/procfs.h"

/* A sweeper may take a folder for dead between its making and its locking. */
enum { TRIES_MAX = 16 };

static const struct {
	const char *name;
	mode_t mode;
} places[] = {
	{ "work", 0700 }, { "tmp", 01777 }, { "shm", 01777 },
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Closes and frees; errno stays. */
static void release(struct disk_scratch *scratch)
{
	int error = errno;

	close_fd(&scratch->lock);
	close_fd(&scratch->dir);
	close_fd(&scratch->parent);
	free(scratch->name);
	free(scratch->path);
	scratch->name = scratch->path = NULL;
	errno = error;
}

/* The line is for people: what is this, and whose was it? */
static int write_line(int lock, const char *name)
{
	struct str boot = STR_INIT, line = STR_INIT, status = STR_INIT;
	const char *field;
	uint64_t start = 0;
	ssize_t written;

	if (procfs_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", &boot) < 0 || boot.length < 36)
		str_add(&boot, "unknown");
	/* The 22nd field of stat is when the process started; the second, in brackets, may hold any byte. */
	if (procfs_read(AT_FDCWD, "/proc/self/stat", &status) == 0
	    && (field = strrchr(str_text(&status), ')')) != NULL) {
		for (unsigned i = 2; field != NULL && i < 22; i++)
			field = strchr(field + 1, ' ');
		if (field != NULL)
			procfs_number(field + 1, 10, &start);
	}
	str_addf(&line, DISK_LOCK_MAGIC "%s boot %.36s pid %ld start %llu\n", name, str_text(&boot),
	    (long)getpid(), (unsigned long long)start);
	written = write(lock, line.data, line.length);
	if (written >= 0 && (size_t)written != line.length) {
		errno = ENOSPC;
		written = -1;
	}
	str_free(&boot);
	str_free(&line);
	str_free(&status);
	return written < 0 ? -1 : 0;
}

static int make_places(int dir)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		/* The second call is for a parent that hands its group, or rights, down. */
		if (mkdirat(dir, places[i].name, 0700) < 0
		    || fchmodat(dir, places[i].name, places[i].mode, 0) < 0)
			return -1;
	}
	return 0;
}

/* Makes the folder and locks it. 1, 0 where a sweeper was quicker, -1 with errno. */
static int make_folder(struct disk_scratch *scratch)
{
	/* The owner's own rights must not depend on what the caller masks. */
	mode_t mask = umask(0);
	int result = mkdirat(scratch->parent, scratch->name, DISK_UNFINISHED);
	int error = errno;

	umask(mask);
	if (result < 0) {
		errno = error;
		return -1;
	}
	scratch->dir = openat(scratch->parent, scratch->name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (scratch->dir < 0)
		return errno == ENOENT ? 0 : -1;
	/* Only a sweeper can have locked it, which is done with it in no time. */
	while ((result = flock(scratch->dir, LOCK_EX)) < 0 && errno == EINTR)
		;
	if (result == 0 && disk_lock_is_at(scratch->dir, scratch->parent, scratch->name))
		return 1;
	error = errno;
	close_fd(&scratch->dir);
	/* Ours, and still empty; gone already where a sweeper was faster. */
	if (error != ENOENT)
		unlinkat(scratch->parent, scratch->name, AT_REMOVEDIR);
	errno = error;
	return error == ENOENT ? 0 : -1;
}

/* What is in the folder, and its real mode in the end. */
static int fill_folder(struct disk_scratch *scratch)
{
	mode_t mask = umask(0);
	int error;

	scratch->lock = openat(scratch->dir, DISK_LOCK_NAME,
	    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	error = errno;
	umask(mask);
	errno = error;
	if (scratch->lock < 0)
		return -1;
	if (flock(scratch->lock, LOCK_EX | LOCK_NB) < 0
	    || write_line(scratch->lock, scratch->name) < 0 || make_places(scratch->dir) < 0
	    || fchmod(scratch->dir, DISK_FINISHED) < 0)
		return -1;
	/*
	 * The folder stays locked as well: with the mode of an unfinished one, which the command may give it where it
	 * can reach its own parents, a sweeper would not ask the lock file.
	 */
	return 0;
}

static int open_parent(struct disk_scratch *scratch, const char *parent)
{
	char self[32], path[PATH_MAX];
	ssize_t length;

	scratch->parent = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (scratch->parent < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", scratch->parent);
	length = readlink(self, path, sizeof(path));
	if (length < 0)
		return -1;
	if ((size_t)length == sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	scratch->path = xasprintf("%.*s/%s", (int)length, length == 1 ? "" : path, scratch->name);
	return 0;
}

static int make(struct disk_scratch *scratch, const char *parent)
{
	int made = 0, error;

	if (open_parent(scratch, parent) < 0)
		return -1;
	for (unsigned i = 0; i < TRIES_MAX && made == 0; i++)
		made = make_folder(scratch);
	if (made == 0)
		errno = EBUSY;
	if (made <= 0)
		return -1;
	if (fill_folder(scratch) == 0)
		return 0;
	error = errno;
	remove_tree(scratch->parent, scratch->name);
	errno = error;
	return -1;
}

int disk_scratch_make(struct disk_scratch *scratch, const char *parent, const char *id,
    struct err *err)
{
	struct str shown = STR_INIT;
	int result, error;

	/* What cannot be swept is no reason not to run. */
	(void)disk_scratch_sweep(parent);
	*scratch = (struct disk_scratch)DISK_SCRATCH_INIT;
	scratch->name = xasprintf("%s%s", DISK_PREFIX, id);
	result = make(scratch, parent);
	if (result == 0)
		return 0;
	error = errno;
	str_add_printable(&shown, parent, 300);
	if (error == EEXIST) {
		str_add_char(&shown, '/');
		str_add_printable(&shown, scratch->name, 0);
	}
	release(scratch);
	err_sys(err, ERR_SETUP, error, "--scratch-dir %s", str_text(&shown));
	err->stage = "scratch";
	str_free(&shown);
	return -1;
}

int disk_scratch_remove(struct disk_scratch *scratch, struct err *err)
{
	int result = 0, error = 0;

	if (scratch->dir >= 0) {
		result = disk_lock_remove(scratch->parent, scratch->name, scratch->dir);
		error = errno;
	}
	if (result < 0) {
		struct str shown = STR_INIT;

		str_add_printable(&shown, scratch->path, 300);
		err_sys(err, ERR_LOST, error, "--scratch-dir: cannot remove %s", str_text(&shown));
		err->stage = "scratch";
		str_free(&shown);
	}
	release(scratch);
	return result;
}

void disk_scratch_keep(struct disk_scratch *scratch)
{
	/* Without it no sweeper ever takes the folder for nsbox's. */
	if (scratch->dir >= 0)
		unlinkat(scratch->dir, DISK_LOCK_NAME, 0);
	release(scratch);
}
