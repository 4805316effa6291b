/*
 * Builds the view from the spec (view.h).
 *
 * A root ("--ro /", "--ro-bind DIR /") is taken apart into its entries, so that the
 * sandbox's own places (/proc, /dev, /tmp, /work) need no mount point on the host and
 * /sys stays out. Links at the top of the host that lead into something visible (merged
 * /usr) are recreated last, where nothing else is.
 */
#include "linux/view.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/input.h"
#include "linux/resolve.h"
#include "linux/runtime.h"

static int source_error(const struct spec_fs *fs, const char *path, struct err *err)
{
	int error = errno;
	struct str shown = STR_INIT;

	str_add_printable(&shown, path, 300);
	err_sys(err, ERR_SETUP, error, "%s %s", fs->option, str_text(&shown));
	err->stage = "view";
	str_free(&shown);
	return -1;
}

static int find_source(const struct spec_fs *fs, const char *path, struct view_source *source, struct err *err)
{
	struct resolved resolved;

	if (resolve_path(-1, path, &resolved) < 0)
		return source_error(fs, path, err);
	source->path = resolved.path;
	resolved.path = NULL;
	source->device = resolved.status.st_dev;
	source->inode = resolved.status.st_ino;
	source->is_folder = S_ISDIR(resolved.status.st_mode);
	resolved_free(&resolved);
	return 0;
}

/* Whether an absent source is what the option allows. */
static bool may_skip(const struct spec_fs *fs)
{
	return fs->optional && errno == ENOENT;
}

/* Top-level names that are the sandbox's own, whatever root is shown. */
static bool is_own_place(const char *name, bool devices)
{
	static const char *const own[] = { "proc", "sys", "tmp", "work" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strcmp(name, own[i]) == 0)
			return true;
	}
	return strcmp(name, "dev") == 0 && !devices;
}

/*
 * One entry of a folder that is shown as "/". Sockets, FIFOs and devices at the top are
 * left out.
 */
static int add_root_entry(struct view *view, const struct spec *spec, size_t index, int folder,
    const char *path, const char *name)
{
	struct view_item *item;
	struct stat status;
	char text[4096];
	ssize_t length;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISLNK(status.st_mode)) {
		length = readlinkat(folder, name, text, sizeof(text));
		if (length < 0)
			return errno == ENOENT ? 0 : -1;
		if (length == 0 || (size_t)length == sizeof(text))
			return 0;
		item = view_add(view, spec, index, SPEC_FS_SYMLINK);
		item->text = xstrndup(text, (size_t)length);
	} else if (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)) {
		item = view_add(view, spec, index, SPEC_FS_BIND);
		item->source.path = xasprintf("%s/%s", path[1] == '\0' ? "" : path, name);
		item->source.device = status.st_dev;
		item->source.inode = status.st_ino;
		item->source.is_folder = S_ISDIR(status.st_mode);
		view->has_dev |= strcmp(name, "dev") == 0;
	} else {
		return 0;
	}
	item->dest = xasprintf("/%s", name);
	return 0;
}

static int add_root(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	const struct spec_fs *fs = &spec->fs[index];
	struct view_source source = { .path = NULL };
	struct dirent *entry;
	DIR *folder = NULL;
	int result = -1;

	if (find_source(fs, fs->source, &source, err) < 0) {
		if (may_skip(fs)) {
			err_clear(err);
			return 0;
		}
		return -1;
	}
	folder = opendir(source.path);
	if (folder == NULL) {
		source_error(fs, source.path, err);
		goto out;
	}
	while ((entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    is_own_place(name, fs->devices))
			continue;
		if (add_root_entry(view, spec, index, dirfd(folder), source.path, name) < 0) {
			source_error(fs, source.path, err);
			goto out;
		}
	}
	result = 0;
out:
	if (folder != NULL)
		closedir(folder);
	free(source.path);
	return result;
}

static bool is_root(const struct spec_fs *fs)
{
	return fs->kind == SPEC_FS_BIND && fs->dest != NULL && strcmp(fs->dest, "/") == 0;
}

/* Whether a path that is not "/" is "/" all the same, behind its links. */
static bool leads_to_root(const char *path)
{
	struct resolved resolved;
	bool result = false;

	if (resolve_path(-1, path, &resolved) == 0) {
		result = resolved.links.count > 0 && resolved.path[1] == '\0';
		resolved_free(&resolved);
	}
	return result;
}

static int add_bind(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	const struct spec_fs *fs = &spec->fs[index];
	struct view_source source = { .path = NULL };
	struct view_item *item;

	if (fs->same_place) {
		if (view_add_same_place(view, spec, index, fs->source) == 0 || may_skip(fs))
			return 0;
		if (leads_to_root(fs->source))
			return err_set(err, ERR_USAGE, "%s %s: it leads to the root of the host; name that itself: "
			    "%s /", fs->option, fs->source, fs->option);
		return source_error(fs, fs->source, err);
	}
	if (find_source(fs, fs->source, &source, err) < 0) {
		if (!(fs->optional && err->sys == ENOENT))
			return -1;
		err_clear(err);
		return 0;
	}
	item = view_add(view, spec, index, SPEC_FS_BIND);
	item->source = source;
	item->dest = xstrdup(fs->dest);
	return 0;
}

static int add_runtime(struct view *view, const struct spec *spec, size_t index)
{
	struct str_list paths = STR_LIST_INIT;

	runtime_paths(-1, &paths);
	/*
	 * What is listed exists; a link that leads nowhere on the host leads nowhere
	 * inside either.
	 */
	for (size_t i = 0; i < paths.count; i++)
		view_add_same_place(view, spec, index, paths.items[i]);
	str_list_free(&paths);
	return 0;
}

static int add_file(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	const struct spec_fs *fs = &spec->fs[index];
	struct view_item *item;
	struct stat status;
	int fd;

	if (str_has_prefix(fs->source, "fd:")) {
		if (input_inherited(fs->option, fs->source + 3, &fd, err) < 0)
			return -1;
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	} else {
		fd = open(fs->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0 && (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))) {
			close(fd);
			errno = EINVAL;
			source_error(fs, fs->source, err);
			return err_hint(err, "only a regular file is copied; name a descriptor for a pipe");
		}
	}
	if (fd < 0)
		return source_error(fs, fs->source, err);
	item = view_add(view, spec, index, SPEC_FS_FILE);
	item->fd = fd;
	item->dest = xstrdup(fs->dest);
	return 0;
}

static int add_overlay(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	const struct spec_fs *fs = &spec->fs[index];
	const struct spec_fs layer = { .option = "--overlay-src" };
	struct view_item *item = view_add(view, spec, index, SPEC_FS_OVERLAY);

	item->overlay = fs->overlay;
	item->dest = xstrdup(fs->dest);
	item->layers = xcalloc(fs->layers.count, sizeof(*item->layers));
	item->layer_count = fs->layers.count;
	for (size_t i = 0; i < fs->layers.count; i++) {
		if (find_source(&layer, fs->layers.items[i], &item->layers[i], err) < 0)
			return -1;
		errno = ENOTDIR;
		if (!item->layers[i].is_folder)
			return source_error(&layer, fs->layers.items[i], err);
	}
	if (fs->overlay != SPEC_OVERLAY_RW)
		return 0;
	if (find_source(fs, fs->source, &item->source, err) < 0)
		return -1;
	return find_source(fs, fs->work, &item->work, err);
}

static int add_request(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	const struct spec_fs *fs = &spec->fs[index];
	struct view_item *item;

	switch (fs->kind) {
	case SPEC_FS_BIND:
		return is_root(fs) ? 0 : add_bind(view, spec, index, err);
	case SPEC_FS_RUNTIME:
		return add_runtime(view, spec, index);
	case SPEC_FS_FILE:
		return add_file(view, spec, index, err);
	case SPEC_FS_OVERLAY:
		return add_overlay(view, spec, index, err);
	case SPEC_FS_TMPFS:
	case SPEC_FS_DIR:
	case SPEC_FS_SYMLINK:
	case SPEC_FS_MASK:
		item = view_add(view, spec, index, fs->kind);
		item->dest = xstrdup(fs->dest);
		item->text = fs->kind == SPEC_FS_SYMLINK ? xstrdup(fs->source) : NULL;
		return 0;
	default:	/* of bubblewrap's command line, which makes no view */
		return 0;
	}
}

/* Whether something of the host is shown at this place or above it. */
static bool is_visible(const struct view *view, const char *path)
{
	for (size_t i = 0; i < view->count; i++) {
		const struct view_item *item = &view->items[i];
		size_t length = item->kind == SPEC_FS_BIND ? strlen(item->dest) : 0;

		if (length > 0 && strcmp(item->source.path, item->dest) == 0 &&
		    strncmp(path, item->dest, length) == 0 &&
		    (path[length] == '/' || path[length] == '\0'))
			return true;
	}
	return false;
}

/* The links at the host's top that lead into what is visible. */
static int add_top_links(struct view *view, const struct spec *spec, size_t index, struct err *err)
{
	static const char *const links[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };
	struct resolved resolved;
	struct view_item *item;
	char text[4096], target[4100];

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		ssize_t length = readlink(links[i], text, sizeof(text));

		/* Absent, or no link: anything else is not known. */
		if (length < 0 && errno != ENOENT && errno != EINVAL) {
			err_sys(err, ERR_SETUP, errno, "cannot read the link %s", links[i]);
			err->stage = "view";
			return -1;
		}
		if (length <= 0 || (size_t)length == sizeof(text))
			continue;
		/* From the link's text on: mostly that is a plain path, and one call resolves it. */
		snprintf(target, sizeof(target), "/%.*s", (int)length, text);
		if (resolve_path(-1, target, &resolved) < 0) {
			if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
				continue;	/* it leads nowhere */
			err_sys(err, ERR_SETUP, errno, "cannot follow the link %s", links[i]);
			err->stage = "view";
			return -1;
		}
		if (is_visible(view, resolved.path)) {
			item = view_add(view, spec, index, SPEC_FS_SYMLINK);
			item->dest = xstrdup(links[i]);
			item->text = xstrndup(text, (size_t)length);
			item->optional = true;
		}
		resolved_free(&resolved);
	}
	return 0;
}

int view_build(const struct spec *spec, struct view *view, struct err *err)
{
	memset(view, 0, sizeof(*view));
	for (size_t i = 0; i < spec->fs_count; i++) {
		if (is_root(&spec->fs[i]) && add_root(view, spec, i, err) < 0)
			return -1;
	}
	view->root_count = view->count;
	for (size_t i = 0; i < spec->fs_count; i++) {
		if (add_request(view, spec, i, err) < 0)
			return -1;
	}
	if (spec->fs_count > 0)
		return add_top_links(view, spec, 0, err);
	return 0;
}

void view_free(struct view *view)
{
	for (size_t i = 0; i < view->count; i++) {
		struct view_item *item = &view->items[i];

		free(item->source.path);
		free(item->work.path);
		for (size_t j = 0; j < item->layer_count; j++)
			free(item->layers[j].path);
		free(item->layers);
		free(item->text);
		free(item->dest);
		if (item->fd >= 0)
			close(item->fd);
	}
	free(view->items);
	memset(view, 0, sizeof(*view));
}
