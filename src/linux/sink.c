/*
 * Where a report goes (sink.h).
 *
 * The folder of the file is opened before anything runs, and the file is made in that
 * folder under another name and renamed: a reader sees a whole report or the one before,
 * and nothing that COMMAND does to names changes where it lands. What is not a regular
 * file (a terminal, a pipe, /dev/null) is written to directly.
 */
#include "linux/sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/input.h"

struct report_sink {
	int fd;			/* written to directly, -1: a file by rename */
	bool owns_fd;
	int dir;		/* the file's folder, -1: none */
	char *name;		/* the file's name in it */
	char *shown;		/* option and name as the user wrote them, printable */
};

static struct report_sink *new_sink(const char *option, const char *name)
{
	struct report_sink *sink = xcalloc(1, sizeof(*sink));
	struct str shown = STR_INIT;

	str_addf(&shown, "%s ", option);
	str_add_printable(&shown, name, 300);
	sink->shown = str_take(&shown);
	sink->fd = sink->dir = -1;
	return sink;
}

void sink_close(struct report_sink *sink)
{
	if (sink == NULL)
		return;
	if (sink->fd >= 0 && sink->owns_fd)
		close(sink->fd);
	if (sink->dir >= 0)
		close(sink->dir);
	free(sink->name);
	free(sink->shown);
	free(sink);
}

static int open_descriptor(struct report_sink *sink, const char *option, const char *digits,
    struct err *err)
{
	int flags;

	if (input_inherited(option, digits, &sink->fd, err) < 0)
		return -1;
	flags = fcntl(sink->fd, F_GETFL);
	if (flags < 0)
		return err_sys(err, ERR_USAGE, errno, "%s", sink->shown);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return err_set(err, ERR_USAGE, "%s: the descriptor is not open for writing",
		    sink->shown);
	return 0;
}

static int open_folder(struct report_sink *sink, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? xstrdup(".") : xstrndup(path, (size_t)(slash - path) + 1);

	sink->name = xstrdup(slash == NULL ? path : slash + 1);
	sink->dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (sink->dir < 0 || faccessat(sink->dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return err_sys(err, ERR_USAGE, errno, "%s: its folder", sink->shown);
	return 0;
}

/*
 * Only what has no content of its own is written to directly. It is looked at after it was opened: the
 * name may lead somewhere else by then.
 */
static int open_special(struct report_sink *sink, const char *path, struct err *err)
{
	struct stat status;

	/* A FIFO without a reader is an error and not a wait. */
	sink->fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	sink->owns_fd = true;
	if (sink->fd < 0 || fstat(sink->fd, &status) < 0)
		return err_sys(err, ERR_USAGE, errno, "%s", sink->shown);
	if (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode))
		return err_set(err, ERR_USAGE, "%s: neither a file nor a pipe or a terminal", sink->shown);
	return 0;
}

static int open_path(struct report_sink *sink, const char *path, struct err *err)
{
	struct stat status;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return open_special(sink, path, err);
	return open_folder(sink, path, err);
}

int sink_open(const char *option, const char *name, struct report_sink **sink, struct err *err)
{
	struct report_sink *made = new_sink(option, name);
	int result = str_has_prefix(name, "fd:") ? open_descriptor(made, option, name + 3, err) :
	    open_path(made, name, err);

	if (result < 0) {
		sink_close(made);
		return -1;
	}
	*sink = made;
	return 0;
}

/* Whether somebody wants us to end: the signals are blocked and waiting. */
static bool is_asked_to_end(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (sigismember(&pending, signals[i]) == 1)
			return true;
	}
	return false;
}

/* A reader that does not read is waited for, but not against the caller's will. */
static int write_all(int fd, const char *text, size_t length)
{
	while (length > 0) {
		struct pollfd polled = { .fd = fd, .events = POLLOUT };
		int ready = poll(&polled, 1, 100);
		/* What poll promises for a pipe is room for so much. */
		ssize_t written = ready > 0 ? write(fd, text, length < PIPE_BUF ? length : PIPE_BUF) : 0;

		if (written < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		if (written <= 0 && is_asked_to_end()) {
			errno = EINTR;
			return -1;
		}
		if (written > 0) {
			text += written;
			length -= (size_t)written;
		}
	}
	return 0;
}

/* Writes the file under another name and gives it its own when it is whole. */
static int write_file(const struct report_sink *sink, const char *text, size_t length)
{
	char *random = host.make_id();
	char *temporary = xasprintf(".nsbox-report-%s", random);
	int result = -1, error;
	int fd = openat(sink->dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0666);

	if (fd >= 0) {
		result = write_all(fd, text, length);
		error = errno;
		if (close(fd) < 0 && result == 0)
			result = -1;
		else
			errno = error;
		if (result == 0)
			result = renameat(sink->dir, temporary, sink->dir, sink->name);
		error = errno;
		if (result < 0)
			unlinkat(sink->dir, temporary, 0);
		errno = error;
	}
	error = errno;
	free(temporary);
	free(random);
	errno = error;
	return result;
}

int sink_write(struct report_sink *sink, const char *text, size_t length, bool last, struct err *err)
{
	int result = 0;

	/*
	 * The reader of a pipe may have gone; that is an error to report, not a reason to
	 * die.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (sink->fd >= 0)
		result = write_all(sink->fd, text, length);
	else if (last)
		result = write_file(sink, text, length);
	if (result < 0)
		return err_sys(err, ERR_LOST, errno, "cannot write the report to %s", sink->shown);
	return 0;
}
