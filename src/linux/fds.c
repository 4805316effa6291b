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

static bool is_kept(const struct child *child, int fd)
{
	if (fd <= 2 || fd == child->socket)
		return true;
	for (size_t i = 0; i < child->plan->keep_count; i++) {
		if (child->plan->keep_fds[i] == fd)
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
static int close_by_listing(const struct child *child)
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

			if (fd >= 0 && fd != list && fd != child->proc && !is_kept(child, fd))
				close(fd);
			at += entry->length;
		}
	}
	long error = errno;
	close(list);
	if (got < 0)
		return (int)-error;
	if (!is_kept(child, child->proc))
		close(child->proc);
	return 0;
}

/* Closes the gaps between the descriptors that stay. */
static int close_by_range(const struct child *child)
{
	const struct plan *plan = child->plan;
	unsigned first = 3;

	for (;;) {
		unsigned stop = UINT_MAX;

		if ((unsigned)child->socket >= first)
			stop = (unsigned)child->socket;
		for (size_t i = 0; i < plan->keep_count; i++) {
			unsigned kept = (unsigned)plan->keep_fds[i];

			if (kept >= first && kept < stop)
				stop = kept;
		}
		if (stop > first && sys_close_range(first, stop == UINT_MAX ? stop : stop - 1) < 0)
			return -errno;
		if (stop == UINT_MAX)
			return 0;
		first = stop + 1;
	}
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
	result = close_by_range(child);
	if (result == -ENOSYS) {
		child->fallbacks |= FALLBACK_CLOSE_RANGE;
		result = close_by_listing(child);
	}
	child->proc = child->base = child->root = -1;
	return result;
}
