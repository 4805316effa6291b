/*
 * Child code: sets the flags of all mounts one by one, on kernels without mount_setattr
 * (before Linux 5.12). It runs after the pivot, when the mount points in mountinfo are
 * the paths inside. What it could not set, or a mount that it did not see, is found when
 * the supervisor confirms.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/mountline.h"

enum { LINE_MAX_BYTES = 16384 };

struct flag_name {
	const char *name;
	unsigned long flag;
};

/* A user namespace may not take these away from a mount of its parent: they are kept. */
static const struct flag_name flag_names[] = {
	{ "ro", MS_RDONLY }, { "nosuid", MS_NOSUID }, { "nodev", MS_NODEV }, { "noexec", MS_NOEXEC },
	{ "noatime", MS_NOATIME }, { "nodiratime", MS_NODIRATIME }, { "relatime", MS_RELATIME },
};

static unsigned long parse_flags(const char *options)
{
	unsigned long flags = 0;

	for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++) {
		if (mountline_has_option(options, flag_names[i].name))
			flags |= flag_names[i].flag;
	}
	return flags;
}

/* A mount that no row lies above came along unasked: it gets what is strictest. */
static uint64_t flags_for(const struct step *step, const char *point)
{
	uint64_t flags = MOUNT_READ_ONLY;

	for (size_t i = 0; i < step->flags; i++) {
		const struct step *row = &step->extra[i];

		if (!mountline_is_below(point, row->dest))
			continue;
		flags = row->flags;
		if ((flags & MOUNT_COVERS) && strcmp(point, row->dest) != 0)
			flags |= MOUNT_READ_ONLY;
	}
	return flags;
}

/* Where `only_below` is set, other mounts stay as they are. */
static int restrict_line(const struct step *step, bool only_below, char *line)
{
	char *field[6], *rest = line;
	unsigned long flags;
	uint64_t wanted;

	/* id parent device root point options */
	for (size_t i = 0; i < 6; i++) {
		field[i] = rest;
		rest = strchr(rest, ' ');
		if (rest == NULL)
			return -EINVAL;
		*rest++ = '\0';
	}
	mountline_unescape(field[4]);
	if (only_below && !mountline_is_below(field[4], step->extra->dest))
		return 0;
	wanted = flags_for(step, field[4]);
	flags = parse_flags(field[5]) | MS_NOSUID;
	flags |= wanted & MOUNT_READ_ONLY ? MS_RDONLY : 0;
	flags |= wanted & MOUNT_DEVICES ? 0 : MS_NODEV;
	flags |= wanted & MOUNT_NO_EXEC ? MS_NOEXEC : 0;
	if (mount(NULL, field[4], NULL, MS_REMOUNT | MS_BIND | flags, NULL) < 0)
		return -errno;
	return 0;
}

/*
 * Feeds whole lines to restrict_line; a line that is too long is an error, not a mount
 * left as it is.
 */
static int restrict_all(const struct step *step, bool only_below, int list)
{
	char buffer[LINE_MAX_BYTES];
	size_t held = 0;
	ssize_t got;

	while ((got = read(list, buffer + held, sizeof(buffer) - held)) > 0) {
		char *start = buffer, *end;

		held += (size_t)got;
		while ((end = memchr(start, '\n', held - (size_t)(start - buffer))) != NULL) {
			*end = '\0';
			int result = restrict_line(step, only_below, start);
			if (result < 0)
				return result;
			start = end + 1;
		}
		held -= (size_t)(start - buffer);
		memmove(buffer, start, held);
		if (held == sizeof(buffer))
			return -E2BIG;
	}
	return got < 0 ? -errno : 0;
}

int tree_step_restrict(struct child *child, const struct step *step)
{
	int list, result;

	if (!(child->fallbacks & FALLBACK_SETATTR))
		return 0;
	list = openat(child->proc, "self/mountinfo", O_RDONLY | O_CLOEXEC);
	if (list < 0)
		return -errno;
	result = restrict_all(step, false, list);
	close(list);
	return result;
}

int tree_restrict(struct child *child, int place, uint64_t flags)
{
	char name[48] = "self/fd/", path[PATH_MAX];
	struct step row = { .dest = path, .flags = flags };
	struct step step = { .extra = &row, .flags = 1 };
	ssize_t length;
	int list, result;

	if (!(child->fallbacks & FALLBACK_SETATTR))
		return 0;
	*child_number(name + strlen(name), (uint64_t)place) = '\0';
	length = readlinkat(child->proc, name, path, sizeof(path) - 1);
	if (length < 0)
		return -errno;
	path[length] = '\0';
	list = openat(child->proc, "self/mountinfo", O_RDONLY | O_CLOEXEC);
	if (list < 0)
		return -errno;
	result = restrict_all(&step, true, list);
	close(list);
	return result;
}
