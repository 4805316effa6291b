/*
 * The view: the file system requests of a spec, with everything that has to be
 * asked of the host answered. Backends turn it into mounts or into rules.
 */
#ifndef NSBOX_LINUX_VIEW_H
#define NSBOX_LINUX_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

#include "core/err.h"
#include "core/spec.h"

/* A file or folder of the host, as it was when it was looked at. */
struct view_source {
	char *path;		/* owned; absolute, without links */
	dev_t device;
	ino_t inode;
	bool is_folder;
};

struct view_item {
	enum spec_fs_kind kind;	/* never SPEC_FS_RUNTIME: that became binds and links */
	enum spec_overlay overlay;
	const char *option;	/* as written, static storage */
	size_t item;		/* index of the spec's request */
	struct view_source source; /* SPEC_FS_BIND, and the upper folder of an overlay */
	struct view_source work;
	struct view_source *layers;
	size_t layer_count;
	char *text;		/* owned; of a link */
	char *dest;		/* owned; NULL-free, absolute */
	int fd;			/* SPEC_FS_FILE: its content, closed with the view; else -1 */
	bool same_place;	/* dest is the host's own path of it, without links */
	bool read_only, devices;
	bool optional;		/* a link that gives way to whatever is at its place */
};

struct view {
	struct view_item *items;
	size_t count;
	size_t root_count;	/* the first so many items make up "/" and come before the standard places */
	bool has_dev;		/* one of those is /dev */
};

/*
 * Resolves all sources. ERR_SETUP (stage "view") names the option, the path and the errno
 * of a source that cannot be had. 0 or -1; the view is to be freed in either case.
 */
int view_build(const struct spec *spec, struct view *view, struct err *err);
void view_free(struct view *view);

/*
 * view_items.c: adds an empty item for the spec's request number `index`. Valid until the
 * next.
 */
struct view_item *view_add(struct view *view, const struct spec *spec, size_t index,
    enum spec_fs_kind kind);

/*
 * view_items.c: binds `path` at the same place, with the links on the way. -1 with errno
 * when it is not there.
 */
int view_add_same_place(struct view *view, const struct spec *spec, size_t index, const char *path);

/* view_items.c: drops the last item, a bind, if it repeats an earlier one without effect. */
void view_drop_repeated(struct view *view);

#endif
