/*
 * What the hostile program tries with files.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "hostile.h"

static char path[4096];

long read_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return fd_result(open(path, O_RDONLY));
}

long write_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return fd_result(open(path, O_WRONLY));
}

long truncate_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return truncate(path, 0);
}

long link_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	if (link(path, "linked") < 0)
		return -1;
	return unlink("linked");
}

long rename_secret(void)
{
	char to[sizeof(path) + 8];

	snprintf(path, sizeof(path), "%s/secret", folder);
	if (rename(path, "taken") < 0)
		return -1;
	snprintf(to, sizeof(to), "%s", path);
	return rename("taken", to);
}

long by_handle(void)
{
	struct { struct file_handle handle; char space[128]; } h = { .handle.handle_bytes = 128 };
	int mount;

	snprintf(path, sizeof(path), "%s/secret", folder);
	if (name_to_handle_at(AT_FDCWD, path, &h.handle, &mount, 0) < 0)
		return -1;
	return fd_result(open_by_handle_at(AT_FDCWD, &h.handle, O_RDONLY));
}

long write_read_only(void)
{
	return fd_result(open(file, O_WRONLY));
}

long truncate_read_only(void)
{
	return truncate(file, 0);
}

long open_truncate(void)
{
	return fd_result(open(file, O_RDONLY | O_TRUNC));
}

long access_3(void)
{
	return fd_result(open(file, O_ACCMODE));
}

long reopen(void)
{
	char again[64];
	int fd = open(file, O_RDONLY);

	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	return fd < 0 ? -1 : fd_result(open(again, O_WRONLY));
}

long link_read_only(void)
{
	long result;

	if (link(file, "writable") < 0)
		return -1;
	result = fd_result(open("writable", O_WRONLY));
	unlink("writable");
	return result;
}

long mode(void)
{
	return chmod(file, 0644);
}

long unlink_read_only(void)
{
	return unlink(file);
}
