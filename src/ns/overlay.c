/*
 * Child code: overlays. Layers are handed to the kernel as /proc/self/fd/N, which needs
 * no escaping of ':' and ',' and cannot be swapped after they were looked at.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/spec.h"
#include "linux/child.h"

enum { OPTIONS_MAX = 4096 };

/* The option text for mount(2) as it grows, and the descriptors it names. */
struct overlay {
	char text[OPTIONS_MAX];
	size_t length;
	int fds[OVERLAY_LAYERS_MAX + 2];
	size_t fd_count;
};

static void add_text(struct overlay *overlay, const char *text)
{
	size_t length = strlen(text);

	/*
	 * Room for OVERLAY_LAYERS_MAX paths is given by OPTIONS_MAX; a longer text is
	 * cut, and refused by the kernel.
	 */
	if (overlay->length + length < OPTIONS_MAX) {
		memcpy(overlay->text + overlay->length, text, length + 1);
		overlay->length += length;
	}
}

/* Adds "KEY/proc/self/fd/N" and keeps the descriptor open. */
static void add_folder(struct overlay *overlay, const char *key, int fd)
{
	char path[32];

	add_text(overlay, key);
	add_text(overlay, child_fd_path(path, fd));
	overlay->fds[overlay->fd_count++] = fd;
}

static int open_layer(struct child *child, const struct step *layer)
{
	bool is_known = layer->device != 0 || layer->inode != 0;
	int fd = is_known ? open(layer->source, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) :
	    open(layer->source, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	child->detail = DETAIL_SOURCE;
	if (fd < 0)
		return -errno;
	if (is_known && (fstat(fd, &status) < 0 || status.st_dev != layer->device ||
	    status.st_ino != layer->inode)) {
		child->detail = DETAIL_SOURCE_CHANGED;
		close(fd);
		return -ESTALE;
	}
	child->detail = DETAIL_NONE;
	return fd;
}

static int add_host_folder(struct child *child, struct overlay *overlay, const char *key,
    const struct step *layer)
{
	int fd = open_layer(child, layer);

	if (fd < 0)
		return fd;
	add_folder(overlay, key, fd);
	return 0;
}

static int add_own_folder(struct child *child, struct overlay *overlay, const char *key)
{
	char name[16];
	int fd, result = mount_make_folder(child, name, 0755);

	if (result < 0)
		return result;
	fd = openat(child->base, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	add_folder(overlay, key, fd);
	return 0;
}

static int compose(struct child *child, const struct step *step, struct overlay *overlay)
{
	size_t layers = (size_t)(step->flags >> OVERLAY_LAYERS_SHIFT);
	enum spec_overlay kind = (enum spec_overlay)(step->flags & 0xff);
	int result = 0;

	/* The kernel wants the topmost layer first. */
	for (size_t i = layers; i-- > 0 && result == 0;)
		result = add_host_folder(child, overlay, i + 1 == layers ? "lowerdir=" : ":", &step->extra[i]);
	if (result == 0 && kind == SPEC_OVERLAY_RW) {
		result = add_host_folder(child, overlay, ",upperdir=", &step->extra[layers]);
		if (result == 0)
			result = add_host_folder(child, overlay, ",workdir=", &step->extra[layers + 1]);
	} else if (result == 0 && kind == SPEC_OVERLAY_TMP) {
		result = add_own_folder(child, overlay, ",upperdir=");
		if (result == 0)
			result = add_own_folder(child, overlay, ",workdir=");
	}
	/* Trusted attributes need privilege on the host (Linux 5.11). */
	add_text(overlay, ",userxattr");
	return result;
}

int mount_step_overlay(struct child *child, const struct step *step)
{
	struct overlay overlay = { .length = 0 };
	unsigned long flags = MS_NOSUID | MS_NODEV;
	char to[32];
	int result, place = place_open(child, step->dest, PLACE_DIRECTORY);

	if (place < 0)
		return place;
	if ((step->flags & 0xff) == SPEC_OVERLAY_RO)
		flags |= MS_RDONLY;
	result = compose(child, step, &overlay);
	if (result == 0 && mount("overlay", child_fd_path(to, place), "overlay", flags,
	    overlay.text) < 0)
		result = -errno;
	for (size_t i = 0; i < overlay.fd_count; i++)
		close(overlay.fds[i]);
	close(place);
	return result;
}
