/*
 * Child code: a new procfs, which shows the processes of the new pid namespace only.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/sys.h"

/*
 * What the owner of these files may write is the kernel of the whole host. Their owner is
 * the host's root, which COMMAND is when root started it: no namespace takes that away, a
 * read-only mount does.
 */
static const char *const covered[] = {
	"sys", "pressure", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr", "driver", "dynamic_debug",
};

/* What only the host's root may read, and COMMAND is not to. */
static const char *const hidden[] = {
	"kcore", "kpagecount", "kpageflags", "kpagecgroup", "slabinfo", "vmallocinfo", "timer_list",
	"pagetypeinfo", "kallsyms", "iomem", "ioports",
};

static int hide(struct child *child, int proc, const char *name)
{
	int place = openat(proc, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int result;

	if (place < 0)
		return errno == ENOENT ? 0 : -errno;
	result = mount_hide(child, place, PLACE_FILE);
	close(place);
	return result;
}

static int cover(struct child *child, int proc, const char *name)
{
	int place = openat(proc, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	int result;

	if (place < 0)
		return errno == ENOENT ? 0 : -errno;
	result = tree_bind(child, proc, name, MOUNT_READ_ONLY | MOUNT_NO_EXEC, NULL, place);
	close(place);
	return result;
}

/* Whether something is mounted below the host's /proc, from the list of mounts. */
static bool is_masked(const struct child *child)
{
	static const char below[] = " /proc/";
	char text[4096];
	size_t held = 0;
	ssize_t got;
	bool found = false;
	int list = openat(child->proc, "self/mountinfo", O_RDONLY | O_CLOEXEC);

	if (list < 0)
		return false;
	while (!found && (got = read(list, text + held, sizeof(text) - held)) > 0) {
		size_t length = held + (size_t)got;

		for (size_t i = 0; i + sizeof(below) - 1 <= length && !found; i++)
			found = memcmp(text + i, below, sizeof(below) - 1) == 0;
		/* It may lie across two pieces. */
		held = length < sizeof(below) ? length : sizeof(below);
		memmove(text, text + length - held, held);
	}
	close(list);
	return found;
}

int proc_step_create(struct child *child, const struct step *step)
{
	const unsigned attributes = SYS_ATTR_NOSUID | SYS_ATTR_NODEV | SYS_ATTR_NOEXEC;
	int place = place_open(child, "/proc", PLACE_DIRECTORY);
	int result, proc;

	if (place < 0)
		return place;
	result = tree_new(child, "proc", NULL, attributes, place);
	/* Beside a masked /proc, as in containers, one with nothing but processes may be had (Linux 7.2). */
	if (result == -EPERM && is_masked(child)) {
		result = tree_new(child, "proc", "subset=pid", attributes, place);
		child->fallbacks |= FALLBACK_PROC;
	}
	close(place);
	if (result < 0 || !(step->flags & MOUNT_READ_ONLY))
		return result;
	proc = place_find(child, "/proc", O_DIRECTORY);
	if (proc < 0)
		return proc;
	for (size_t i = 0; i < sizeof(covered) / sizeof(covered[0]) && result == 0; i++)
		result = cover(child, proc, covered[i]);
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]) && result == 0; i++)
		result = hide(child, proc, hidden[i]);
	close(proc);
	return result;
}
