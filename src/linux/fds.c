/*
 * Child code: closes every descriptor that COMMAND is not to have, also those
 * above the current limit and also on kernels without close_range.
 */
#include "linux/child.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/sys.h"

/* getdents64(2); the C library's readdir allocates. */
struct entry {
	uint64_t inode;
	int64_t offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

struct kept {
	int socket;
	const int *fds;
	size_t count;
};

static bool is_kept(const struct kept *kept, int fd)
{
	if (fd <= 2 || fd == kept->socket)
		return true;
	for (size_t i = 0; i < kept->count; i++) {
		if (kept->fds[i] == fd)
			return true;
	}
	return false;
}

/* The number a directory entry is, or -1. */
static int entry_number(const char *name)
{
	int number = 0;

	if (*name == '\0')
		return -1;
	for (; *name != '\0'; name++) {
		if (*name < '0' || *name > '9' || number > INT_MAX / 10 - 1)
			return -1;
		number = number * 10 + (*name - '0');
	}
	return number;
}

/*
 * One pass over /proc/self/fd. Closing while reading is safe here: the kernel's position
 * in this folder is a descriptor number, not a place in a list.
 */
static int close_by_listing(const struct child *child, const struct kept *kept)
{
	_Alignas(struct entry) char buffer[4096];
	int list = openat(child->proc, "self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long got;

	if (list < 0)
		return -errno;
	while ((got = syscall(SYS_getdents64, list, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < got;) {
			const struct entry *entry = (const struct entry *)(buffer + at);
			int fd = entry_number(entry->name);

			if (fd >= 0 && fd != list && fd != child->proc && !is_kept(kept, fd))
				close(fd);
			at += entry->length;
		}
	}
	long error = errno;
	close(list);
	if (got < 0)
		return (int)-error;
	if (!is_kept(kept, child->proc))
		close(child->proc);
	return 0;
}

/* Closes the gaps between the descriptors that stay. */
static int close_by_range(const struct kept *kept)
{
	unsigned first = 3;

	for (;;) {
		unsigned stop = UINT_MAX;

		if (kept->socket >= 0 && (unsigned)kept->socket >= first)
			stop = (unsigned)kept->socket;
		for (size_t i = 0; i < kept->count; i++) {
			unsigned fd = (unsigned)kept->fds[i];

			if (kept->fds[i] >= 0 && fd >= first && fd < stop)
				stop = fd;
		}
		if (stop > first && sys_close_range(first, stop == UINT_MAX ? stop : stop - 1) < 0)
			return -errno;
		if (stop == UINT_MAX)
			return 0;
		first = stop + 1;
	}
}

int child_close_others(struct child *child, const int *keep, size_t count)
{
	const struct kept kept = { child->socket, keep, count };
	int result = close_by_range(&kept);

	if (result != -ENOSYS)
		return result;
	child->fallbacks |= FALLBACK_CLOSE_RANGE;
	return close_by_listing(child, &kept);
}

int child_step_streams(struct child *child, const struct step *step)
{
	(void)child;
	if (dup2((int)(step->flags & UINT32_MAX), 1) < 0 || dup2((int)(step->flags >> 32), 2) < 0)
		return -errno;
	return 0;
}

int child_step_descriptors(struct child *child, const struct step *step)
{
	int result;

	(void)step;
	for (size_t i = 0; i < child->plan->keep_count; i++) {
		if (fcntl(child->plan->keep_fds[i], F_SETFD, 0) < 0)
			return -errno;
	}
	result = child_close_others(child, child->plan->keep_fds, child->plan->keep_count);
	child->proc = child->base = child->root = -1;
	return result;
}
