/*
 * Child code: the file system requests of a spec that are mounts, one step each.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"

int mount_step_bind(struct child *child, const struct step *step)
{
	int place = place_open(child, step->dest,
	    step->flags & MOUNT_FILE ? PLACE_FILE : PLACE_DIRECTORY);
	int result;

	if (place < 0)
		return place;
	result = tree_bind(child, AT_FDCWD, step->source, step->flags, step, place);
	close(place);
	return result;
}

int mount_make_folder(struct child *child, char name[16], unsigned mode)
{
	name[0] = 'm';
	*child_number(name + 1, ++child->made) = '\0';
	return mkdirat(child->base, name, (mode_t)mode) < 0 ? -errno : 0;
}

int mount_step_tmpfs(struct child *child, const struct step *step)
{
	char name[16];
	int place, result;

	result = mount_make_folder(child, name, 0755);
	if (result < 0)
		return result;
	place = place_open(child, step->dest, PLACE_DIRECTORY);
	if (place < 0)
		return place;
	result = tree_bind(child, child->base, name, 0, NULL, place);
	close(place);
	return result;
}

/* The empty thing that hides something: made when first needed. */
static int make_empty(struct child *child, const char *name, enum place_kind kind)
{
	int fd;

	if (kind == PLACE_DIRECTORY)
		return mkdirat(child->base, name, 0555) < 0 && errno != EEXIST ? -errno : 0;
	fd = openat(child->base, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0444);
	if (fd < 0)
		return errno == EACCES ? 0 : -errno;	/* there already */
	close(fd);
	return 0;
}

int mount_hide(struct child *child, int place, enum place_kind kind)
{
	const char *name = kind == PLACE_DIRECTORY ? "empty-folder" : "empty-file";
	int result = make_empty(child, name, kind);

	if (result < 0)
		return result;
	return tree_bind(child, child->base, name, MOUNT_READ_ONLY | MOUNT_NO_EXEC, NULL, place);
}

/*
 * Hides what is there. What is not there needs no hiding, and nothing is made for it: a
 * mount point would stay behind on the host. A link is hidden where it leads.
 */
int mount_step_mask(struct child *child, const struct step *step)
{
	struct stat status;
	int place = place_find(child, step->dest, 0);
	int result;

	if (place == -ENOENT || place == -ENOTDIR)
		return 0;
	if (place < 0)
		return place;
	if (fstat(place, &status) < 0) {
		result = -errno;
		close(place);
		return result;
	}
	result = mount_hide(child, place, S_ISDIR(status.st_mode) ? PLACE_DIRECTORY : PLACE_FILE);
	close(place);
	return result;
}
