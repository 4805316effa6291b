/*
 * Reads what an option names (input.h). A path has to be a regular file: a FIFO would
 * block for ever, and a device has no end.
 */
#include "linux/input.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/value.h"

/* The descriptor that the name stands for, or NULL: "7", "/dev/fd/7", "/proc/self/fd/7". */
static const char *descriptor_digits(const char *name)
{
	static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/", "" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const char *digits = name + strlen(prefixes[i]);

		if (str_has_prefix(name, prefixes[i]) && *digits != '\0' &&
		    strspn(digits, "0123456789") == strlen(digits))
			return digits;
	}
	return NULL;
}

static int read_all(int fd, size_t limit, struct str *text)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(fd, buffer, sizeof(buffer))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (text->length + (size_t)got > limit) {
			errno = EFBIG;
			return -1;
		}
		str_add_bytes(text, buffer, (size_t)got);
	}
	return 0;
}

static int open_path(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

int input_inherited(const char *option, const char *digits, int *fd, struct err *err)
{
	uint64_t number;
	int flags;

	if (value_parse_number(option, digits, 0, INT32_MAX, &number, err) < 0)
		return -1;
	flags = fcntl((int)number, F_GETFD);
	if (flags < 0 || (flags & FD_CLOEXEC))
		return err_sys(err, ERR_USAGE, EBADF, "%s %d", option, (int)number);
	*fd = (int)number;
	return 0;
}

int input_read(const char *option, const char *name, size_t limit, struct str *text, struct err *err)
{
	const char *digits = descriptor_digits(name);
	struct str shown = STR_INIT;
	int fd, result;

	str_add_printable(&shown, name, 300);
	if (digits != NULL) {
		result = input_inherited(option, digits, &fd, err);
		if (result < 0)
			goto out;
	} else {
		fd = open_path(name);
	}
	result = fd < 0 ? -1 : read_all(fd, limit, text);
	if (result < 0 && fd < 0 && errno == EINVAL)
		err_set(err, ERR_USAGE, "%s %s: not a regular file; name a descriptor for a pipe", option,
		    str_text(&shown));
	else if (result < 0 && errno == EFBIG)
		err_set(err, ERR_USAGE, "%s %s: longer than %zu bytes", option, str_text(&shown), limit);
	else if (result < 0)
		err_sys(err, ERR_USAGE, errno, "%s %s", option, str_text(&shown));
	if (fd > 2)
		close(fd);
out:
	str_free(&shown);
	return result;
}
