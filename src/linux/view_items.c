/*
 * Adds items to a view: binds at the same place with their links, and the items of which
 * a root is made up.
 */
#include "linux/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "linux/mountline.h"
#include "linux/resolve.h"

struct view_item *view_add(struct view *view, const struct spec *spec, size_t index, enum spec_fs_kind kind)
{
	struct view_item *item;

	/* Doubling at powers of two keeps thousands of binds linear. */
	if ((view->count & (view->count + 1)) == 0)
		view->items = xreallocarray(view->items, view->count * 2 + 2, sizeof(*view->items));
	item = &view->items[view->count++];
	memset(item, 0, sizeof(*item));
	item->kind = kind;
	item->option = spec->fs[index].option;
	item->item = index;
	item->same_place = spec->fs[index].same_place || spec->fs[index].kind == SPEC_FS_RUNTIME;
	item->read_only = spec->fs[index].read_only;
	item->devices = spec->fs[index].devices;
	item->fd = -1;
	return item;
}

static void take_source(struct view_source *source, struct resolved *resolved)
{
	source->path = resolved->path;
	resolved->path = NULL;
	source->device = resolved->status.st_dev;
	source->inode = resolved->status.st_ino;
	source->is_folder = S_ISDIR(resolved->status.st_mode);
}

/* How far back a repeated bind is looked for. */
enum { REPEAT_WINDOW = 64 };

static bool is_same_bind(const struct view_item *a, const struct view_item *b)
{
	return a->kind == SPEC_FS_BIND && b->kind == SPEC_FS_BIND && a->read_only == b->read_only &&
	    a->devices == b->devices && strcmp(a->dest, b->dest) == 0 &&
	    strcmp(a->source.path, b->source.path) == 0;
}

/*
 * A bind that was asked for already, with nothing in between that could lie on top of it, is
 * dropped: thousands of mounts at one place would make each look-up there walk through all of
 * them. A repetition that is further away than the window is merely mounted again.
 */
void view_drop_repeated(struct view *view)
{
	const struct view_item *last = &view->items[view->count - 1];
	size_t oldest = view->count > REPEAT_WINDOW ? view->count - REPEAT_WINDOW : 0;

	for (size_t i = view->count - 1; i-- > oldest;) {
		const struct view_item *item = &view->items[i];

		if (is_same_bind(item, last)) {
			free(last->source.path);
			free(last->dest);
			view->count--;
			return;
		}
		/* Only the places of the host's own paths are known without looking. */
		if (!item->same_place || (item->kind != SPEC_FS_SYMLINK &&
		    (mountline_is_below(item->dest, last->dest) ||
		    mountline_is_below(last->dest, item->dest))))
			return;
	}
}

int view_add_same_place(struct view *view, const struct spec *spec, size_t index, const char *path)
{
	struct resolved resolved;
	struct view_item *item;

	if (resolve_path(-1, path, &resolved) < 0)
		return -1;
	if (resolved.path[1] == '\0') {
		/* A root is taken apart into its entries, which a bind of one place is not. */
		resolved_free(&resolved);
		errno = ELOOP;
		return -1;
	}
	for (size_t i = 0; i + 1 < resolved.links.count; i += 2) {
		item = view_add(view, spec, index, SPEC_FS_SYMLINK);
		item->dest = xstrdup(resolved.links.items[i]);
		item->text = xstrdup(resolved.links.items[i + 1]);
	}
	item = view_add(view, spec, index, SPEC_FS_BIND);
	item->dest = xstrdup(resolved.path);
	if (spec->fs[index].kind == SPEC_FS_RUNTIME)
		item->read_only = true;
	take_source(&item->source, &resolved);
	resolved_free(&resolved);
	view_drop_repeated(view);
	return 0;
}
