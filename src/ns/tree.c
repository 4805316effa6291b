/*
 * Child code: copies trees of mounts and makes new file systems.
 *
 * The usual way is by descriptors (open_tree, mount_setattr, move_mount; fsopen,
 * fsmount): the tree is restricted while it is still mounted nowhere, so that there is no
 * moment at which it is visible and writable. A kernel or filter that answers ENOSYS gets
 * mount(2) on /proc/self/fd/N instead. The supervisor confirms the outcome from mountinfo
 * either way.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/sys.h"

static unsigned attributes_of(uint64_t flags)
{
	unsigned attributes = SYS_ATTR_NOSUID;

	if (flags & MOUNT_READ_ONLY)
		attributes |= SYS_ATTR_RDONLY;
	if (!(flags & MOUNT_DEVICES))
		attributes |= SYS_ATTR_NODEV;
	if (flags & MOUNT_NO_EXEC)
		attributes |= SYS_ATTR_NOEXEC;
	return attributes;
}

/* The same as flags of mount(2). */
static unsigned long mount_flags_of(unsigned attributes)
{
	unsigned long flags = 0;

	flags |= attributes & SYS_ATTR_RDONLY ? MS_RDONLY : 0;
	flags |= attributes & SYS_ATTR_NOSUID ? MS_NOSUID : 0;
	flags |= attributes & SYS_ATTR_NODEV ? MS_NODEV : 0;
	flags |= attributes & SYS_ATTR_NOEXEC ? MS_NOEXEC : 0;
	return flags;
}

/*
 * Whoever can rename on the host could have put another file in the place of the one that
 * was looked at.
 */
static int check_source(struct child *child, int fd, const struct step *step)
{
	struct stat status;

	if (step == NULL || (step->device == 0 && step->inode == 0))
		return 0;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (status.st_dev == step->device && status.st_ino == step->inode)
		return 0;
	child->detail = DETAIL_SOURCE_CHANGED;
	return -ESTALE;
}

static int bind_by_descriptor(struct child *child, int tree, uint64_t flags, int place)
{
	struct sys_mount_attr attr = { .set = attributes_of(flags), .propagation = MS_PRIVATE };

	if (child->fallbacks & FALLBACK_SETATTR) {
		/*
		 * Set by tree_step_restrict; root_step_create has made everything
		 * private.
		 */
	} else if (sys_mount_setattr(tree, "", AT_EMPTY_PATH | SYS_AT_RECURSIVE, &attr) < 0) {
		return -errno;
	}
	if (sys_move_mount(tree, "", place, "",
	    SYS_MOVE_MOUNT_F_EMPTY_PATH | SYS_MOVE_MOUNT_T_EMPTY_PATH) < 0)
		return -errno;
	return 0;
}

static int bind_by_mount(int source, int place)
{
	char from[32], to[32];

	if (mount(child_fd_path(from, source), child_fd_path(to, place), NULL, MS_BIND | MS_REC,
	    NULL) < 0)
		return -errno;
	return 0;
}

int tree_attach(struct child *child, int tree, uint64_t flags, int place)
{
	return child->fallbacks & FALLBACK_MOUNT ? bind_by_mount(tree, place) :
	    bind_by_descriptor(child, tree, flags, place);
}

static int open_source(struct child *child, int dir, const char *path)
{
	int fd;

	if (child->fallbacks & FALLBACK_MOUNT)
		fd = path == NULL ? fcntl(dir, F_DUPFD_CLOEXEC, 3) :
		    openat(dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	else
		fd = sys_open_tree(dir, path == NULL ? "" : path, SYS_OPEN_TREE_CLONE |
		    SYS_OPEN_TREE_CLOEXEC | SYS_AT_RECURSIVE | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT |
		    (path == NULL ? AT_EMPTY_PATH : 0));
	if (fd < 0) {
		child->detail = DETAIL_SOURCE;
		return -errno;
	}
	return fd;
}

int tree_bind(struct child *child, int dir, const char *path, uint64_t flags, const struct step *step,
    int place)
{
	int source = open_source(child, dir, path);
	int result;

	if (source < 0)
		return source;
	result = check_source(child, source, step);
	if (result == 0)
		result = tree_attach(child, source, flags, place);
	close(source);
	return result;
}

/* Hands "key=value,key=value" to fsconfig word by word. */
static int configure(int fs, const char *options)
{
	char word[128];

	while (options != NULL && *options != '\0') {
		size_t length = strcspn(options, ",");
		char *value;

		if (length >= sizeof(word))
			return -EINVAL;
		memcpy(word, options, length);
		word[length] = '\0';
		value = strchr(word, '=');
		if (value == NULL)
			return -EINVAL;
		*value++ = '\0';
		if (sys_fsconfig(fs, SYS_FSCONFIG_SET_STRING, word, value) < 0)
			return -errno;
		options += length + (options[length] == ',');
	}
	return sys_fsconfig(fs, SYS_FSCONFIG_CMD_CREATE, NULL, NULL) < 0 ? -errno : 0;
}

/* A mounted-nowhere instance of a file system: descriptor or negative errno value. */
static int make_detached(const char *type, const char *options, unsigned attributes, bool is_named)
{
	int fs = sys_fsopen(type);
	int tree, result;

	if (fs < 0)
		return -errno;
	/* The name that mountinfo shows as its source, which some read. */
	result = is_named && sys_fsconfig(fs, SYS_FSCONFIG_SET_STRING, "source", type) < 0 ? -errno :
	    configure(fs, options);
	if (result < 0) {
		close(fs);
		return result;
	}
	tree = sys_fsmount(fs, attributes);
	result = -errno;
	close(fs);
	return tree < 0 ? result : tree;
}

int tree_new(struct child *child, const char *type, const char *options, unsigned attributes, int place)
{
	char to[32];
	int tree, result;

	if (child->fallbacks & FALLBACK_MOUNT) {
		if (mount(type, child_fd_path(to, place), type, mount_flags_of(attributes), options) < 0)
			return -errno;
		return 0;
	}
	tree = make_detached(type, options, attributes, child->plan->bwrap != NULL);
	if (tree < 0)
		return tree;
	result = sys_move_mount(tree, "", place, "",
	    SYS_MOVE_MOUNT_F_EMPTY_PATH | SYS_MOVE_MOUNT_T_EMPTY_PATH) < 0 ? -errno : 0;
	close(tree);
	return result;
}
