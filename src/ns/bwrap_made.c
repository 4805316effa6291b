/*
 * Mount points that had to be made in folders of the host, and their end: an empty file that
 * masks something in the sandbox would otherwise stay behind for ever. Only what is still
 * the same, still empty and still as it was made is removed, and not before the last process
 * of the sandbox has gone: who is inside would see what was masked.
 */
#include "ns/bwrap_run.h"

#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/mountline.h"
#include "linux/sys.h"

/* The last request before the step that lies above the path; NULL: none mounts anything there. */
static const struct step *find_above(const struct run *run, size_t number, const char *path)
{
	const struct step *above = NULL;

	for (size_t i = 0; i < number && i < run->steps.count; i++) {
		const struct step *step = &run->steps.items[i];

		if (step->item == STEP_NO_ITEM || !mountline_is_below(path, step->dest))
			continue;
		switch (run->spec->fs[step->item].kind) {
		case SPEC_FS_DIR:
		case SPEC_FS_SYMLINK:
		case SPEC_FS_FILE:
		case SPEC_FS_CHMOD:
		case SPEC_FS_REMOUNT_RO:
			break;
		default:
			above = step;
		}
	}
	return above;
}

static bool is_bind(const struct run *run, const struct step *step)
{
	return step != NULL && step->source != NULL && run->spec->fs[step->item].kind == SPEC_FS_BIND;
}

void bwrap_made_add(struct run *run, const struct record *record)
{
	char *path = xstrndup((const char *)record->head, record->head_length);
	struct bwrap_made *made;

	/* Anything but a bind is the sandbox's own, and gone with it. */
	if (!is_bind(run, find_above(run, record->step, path))) {
		free(path);
		return;
	}
	run->made = xreallocarray(run->made, run->made_count + 1, sizeof(*run->made));
	made = &run->made[run->made_count++];
	made->step = record->step;
	made->path = path;
	made->device = record->device;
	made->inode = record->inode;
	run->mount_namespace = record->mount_namespace;
}

/*
 * Opens the folder on the host that holds the mount point; *leaf is its name in there. It is below the
 * source of the last bind that lies above it, and no link is followed on the way: who can write there
 * must not choose what is removed.
 */
static int open_parent(const struct run *run, const struct bwrap_made *made, const char **leaf)
{
	const struct step *above = find_above(run, made->step, made->path);
	char *source = is_bind(run, above) ? realpath(above->source, NULL) : NULL;
	int top = source == NULL ? -1 : open(source, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *rest = above == NULL ? "" : made->path + (above->dest[1] == '\0' ? 0 : strlen(above->dest));
	const char *slash = strrchr(rest, '/');
	int parent = -1;

	free(source);
	if (top >= 0 && slash != NULL) {
		/* "/a/b" is "./a" and "b" below the top. */
		char *folder = xasprintf(".%.*s", (int)(slash - rest), rest);

		*leaf = slash + 1;
		parent = sys_openat2(top, folder, O_PATH | O_DIRECTORY, SYS_RESOLVE_NO_SYMLINKS);
		free(folder);
	}
	if (top >= 0)
		close(top);
	return parent;
}

static void remove_one(const struct run *run, const struct bwrap_made *made)
{
	const char *leaf = "";
	int parent = open_parent(run, made, &leaf);
	struct stat status;

	if (parent < 0)
		return;
	if (fstatat(parent, leaf, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (uint64_t)status.st_dev == made->device && (uint64_t)status.st_ino == made->inode) {
		/* A folder that something was put into stays by itself. */
		if (S_ISDIR(status.st_mode))
			unlinkat(parent, leaf, AT_REMOVEDIR);
		else if (S_ISREG(status.st_mode) && status.st_size == 0 && (status.st_mode & 07777) == 0444)
			unlinkat(parent, leaf, 0);
	}
	close(parent);
}

void bwrap_made_remove(const struct run *run)
{
	/* What lies deeper was made later. */
	for (size_t i = run->made_count; i-- > 0;)
		remove_one(run, &run->made[i]);
}

void bwrap_made_free(struct run *run)
{
	for (size_t i = 0; i < run->made_count; i++)
		free(run->made[i].path);
	free(run->made);
}
