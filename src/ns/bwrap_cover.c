/*
 * Chooses the folder of the host over which the hidden tmpfs of a bubblewrap run is mounted:
 * one in which no source lies, since sources are looked at after that. A source that is the
 * whole root is copied before.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <stdlib.h>

#include <sys/stat.h>

#include "linux/mountline.h"

/* Best first; "/" always will do. */
static const char *const covers[] = { "/sys", "/mnt", "/media", "/srv", "/opt", "/tmp" };

void bwrap_find_sources(struct run *run)
{
	const struct spec *spec = run->spec;

	run->sources = xcalloc(spec->fs_count + 1, sizeof(*run->sources));
	for (size_t i = 0; i < spec->fs_count; i++) {
		const struct spec_fs *fs = &spec->fs[i];

		if (fs->source == NULL || fs->kind == SPEC_FS_SYMLINK)
			continue;
		run->sources[i].path = realpath(fs->source, NULL);
		run->sources[i].error = run->sources[i].path == NULL ? errno : 0;
	}
}

/* Whether a copy of `source`, which has no links, would miss or show the tmpfs over `cover`. */
static bool is_near(const char *source, const char *cover)
{
	return mountline_is_below(source, cover) ||
	    (source[1] != '\0' && mountline_is_below(cover, source));
}

static bool is_path_near(const char *path, const char *cover)
{
	char *real = realpath(path, NULL);
	bool result = real == NULL || is_near(real, cover);

	free(real);
	return result;
}

/* What cannot be looked at may lie anywhere, unless it is not there. */
static bool is_request_near(const struct run *run, size_t index, const char *cover)
{
	const struct bwrap_source *source = &run->sources[index];
	const struct spec_fs *fs = &run->spec->fs[index];

	if (source->path != NULL ? is_near(source->path, cover) : source->error != 0 && source->error != ENOENT)
		return true;
	if (fs->work != NULL && is_path_near(fs->work, cover))
		return true;
	for (size_t i = 0; i < fs->layers.count; i++) {
		if (is_path_near(fs->layers.items[i], cover))
			return true;
	}
	/* By its path, which is looked at only now. */
	return fs->kind == SPEC_FS_BIND && fs->fd >= 0;
}

const char *bwrap_choose_cover(const struct run *run)
{
	for (size_t i = 0; i < sizeof(covers) / sizeof(covers[0]); i++) {
		struct stat status;
		bool is_free = lstat(covers[i], &status) == 0 && S_ISDIR(status.st_mode);

		for (size_t j = 0; is_free && j < run->spec->fs_count; j++)
			is_free = !is_request_near(run, j, covers[i]);
		if (is_free)
			return covers[i];
	}
	return "/";
}
