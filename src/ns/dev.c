/*
 * Child code: a minimal /dev. The nodes are the host's own, bound one by one after a look
 * at their numbers (a user namespace cannot make any); pts is a new instance, so that no
 * terminal of the host is in reach.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <stddef.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"

struct node {
	const char *name;
	const char *source;
	unsigned major, minor;
};

/* Numbers: Documentation/admin-guide/devices.txt of the kernel. */
static const struct node nodes[] = {
	{ "null", "/dev/null", 1, 3 },
	{ "zero", "/dev/zero", 1, 5 },
	{ "full", "/dev/full", 1, 7 },
	{ "random", "/dev/random", 1, 8 },
	{ "urandom", "/dev/urandom", 1, 9 },
	{ "tty", "/dev/tty", 5, 0 },
};

struct link {
	const char *name;
	const char *text;
};

static const struct link links[] = {
	{ "fd", "/proc/self/fd" },
	{ "stdin", "/proc/self/fd/0" },
	{ "stdout", "/proc/self/fd/1" },
	{ "stderr", "/proc/self/fd/2" },
	{ "ptmx", "pts/ptmx" },
};

/* Shows a node of the host as `name` in the folder `dev`. */
static int bind_node(struct child *child, int dev, const char *name, const char *source,
    uint64_t flags)
{
	int place = openat(dev, name, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	int result;

	if (place < 0)
		return -errno;
	result = tree_bind(child, AT_FDCWD, source, flags, NULL, place);
	close(place);
	return result;
}

static int make_node(struct child *child, int dev, const struct node *node, uint64_t flags)
{
	struct stat status;

	if (lstat(node->source, &status) < 0) {
		child->detail = DETAIL_SOURCE;
		return -errno;
	}
	if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(node->major, node->minor)) {
		child->detail = DETAIL_SOURCE_CHANGED;
		return -ENODEV;
	}
	return bind_node(child, dev, node->name, node->source, flags);
}

static int make_terminals(struct child *child, int dev)
{
	int place, result;

	if (mkdirat(dev, "pts", 0755) < 0)
		return -errno;
	place = openat(dev, "pts", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (place < 0)
		return -errno;
	result = tree_new(child, "devpts", "ptmxmode=0666,mode=0620",
	    SYS_ATTR_NOSUID | SYS_ATTR_NOEXEC, place);
	close(place);
	return result;
}

int dev_fill(struct child *child, int dev, uint64_t flags, const char *console)
{
	int result = 0;

	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]) && result == 0; i++)
		result = make_node(child, dev, &nodes[i], flags);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]) && result == 0; i++)
		result = symlinkat(links[i].text, dev, links[i].name) < 0 ? -errno : 0;
	if (result == 0)
		result = make_terminals(child, dev);
	/*
	 * Programs find the name of the terminal they were given only if it has one in
	 * here.
	 */
	if (result == 0 && console != NULL)
		result = bind_node(child, dev, "console", console, flags);
	return result;
}

int dev_step_create(struct child *child, const struct step *step)
{
	int dev = place_open(child, "/dev", PLACE_DIRECTORY);
	int result;

	if (dev < 0)
		return dev;
	result = dev_fill(child, dev, MOUNT_DEVICES | MOUNT_READ_ONLY | MOUNT_NO_EXEC, step->source);
	close(dev);
	return result;
}
