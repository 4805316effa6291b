/*
 * Chooses the folder of the host that the hidden tmpfs covers (cover.h).
 */
#include "ns/cover.h"

#include <stdbool.h>
#include <stddef.h>

#include <sys/stat.h>

#include "linux/mountline.h"

/* Whether some source lies in the folder, or is a folder above it. */
static bool has_source_near(const struct view *view, const char *folder)
{
	for (size_t i = 0; i < view->count; i++) {
		const struct view_item *item = &view->items[i];
		const char *paths[] = { item->source.path, item->work.path };

		for (size_t j = 0; j < 2; j++) {
			if (paths[j] != NULL && (mountline_is_below(paths[j], folder) ||
			    mountline_is_below(folder, paths[j])))
				return true;
		}
		for (size_t j = 0; j < item->layer_count; j++) {
			if (mountline_is_below(item->layers[j].path, folder) ||
			    mountline_is_below(folder, item->layers[j].path))
				return true;
		}
	}
	return false;
}

const char *cover_choose(const struct view *view)
{
	static const char *const folders[] = { "/sys", "/mnt", "/media", "/srv", "/opt", "/tmp" };
	struct stat status;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (lstat(folders[i], &status) == 0 && S_ISDIR(status.st_mode) &&
		    !has_source_near(view, folders[i]))
			return folders[i];
	}
	return "/";
}
