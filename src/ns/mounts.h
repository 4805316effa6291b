/*
 * Child code of the namespace backend: what the steps of a plan do to the new root.
 * Everything below the new root is reached by descriptors, and names are resolved inside
 * it (RESOLVE_IN_ROOT): a link planted in a writable folder leads nowhere outside.
 */
#ifndef NSBOX_NS_MOUNTS_H
#define NSBOX_NS_MOUNTS_H

#include "linux/step.h"

/* step->flags of the steps below */
enum mount_flag {
	MOUNT_READ_ONLY = 1 << 0,
	MOUNT_DEVICES = 1 << 1,		/* device nodes work */
	MOUNT_OPTIONAL = 1 << 2,	/* nothing happens where the place is taken */
	MOUNT_NO_EXEC = 1 << 3,
	MOUNT_FILE = 1 << 4,		/* the source is not a folder */
	/* of rows only: what is mounted below is read-only; every entry is a mount, not the folder */
	MOUNT_COVERS = 1 << 5,
	MOUNT_FOLDER_OF_MOUNTS = 1 << 6
};

/* How an overlay step's flags are made up: kind | layers << 8. */
enum { OVERLAY_LAYERS_SHIFT = 8, OVERLAY_LAYERS_MAX = 100 };

/* root.c: the root itself */
step_fn root_step_create;	/* the new root on a hidden tmpfs; source: its options, dest: the host's folder that it covers */
step_fn root_step_scratch;	/* source: name on the hidden tmpfs, dest, flags: mode << 16 | mount_flag */
step_fn root_step_quota;	/* device: bytes, inode: files, both beside what is there; 0: no bound */
step_fn root_step_read_only;
step_fn root_step_lock;		/* source: uid_map, dest: gid_map of the second user namespace */
step_fn root_step_pivot;	/* flags: how many umounts the old root takes */

/* mounts.c: what the spec asks for, one step a request */
step_fn mount_step_bind;	/* source dest flags device inode */
step_fn mount_step_tmpfs;	/* dest: a new folder of the hidden tmpfs */
step_fn mount_step_mask;	/* dest */
/*
 * flags: enum spec_overlay | layers << 8; extra: the layers, bottom first, then for
 * SPEC_OVERLAY_RW the upper and the work folder; each with source, device, inode. dest.
 */
step_fn mount_step_overlay;
/*
 * A new folder on the hidden tmpfs; its name, "m1", "m2", ..., is put in `name`. 0 or
 * -errno.
 */
int mount_make_folder(struct child *child, char name[16], unsigned mode);

/* files.c */
step_fn file_step_directory;	/* dest */
step_fn file_step_symlink;	/* source dest flags */
step_fn file_step_enter;	/* dest: where COMMAND starts */
step_fn file_step_copy;		/* fd dest */
int file_copy(int from, int to); /* the rest of one descriptor to another. 0 or -errno */

/* dev.c, proc.c, net.c */
step_fn dev_step_create;	/* source: terminal to show as /dev/console, or NULL */
step_fn proc_step_create;	/* flags: MOUNT_READ_ONLY covers what global root could write */
step_fn net_step_loopback;
step_fn net_step_hostname;	/* source */

/* --- tools that the above share (tree.c, place.c) --- */

/*
 * Shows the tree at `path` below `dir`, with everything mounted below it, at the place
 * that `place` (O_PATH) is: private, nosuid, and as `flags` say. Without a path it is the
 * tree at `dir` itself. step->device and
 * step->inode, where not 0, are what it has to be. 0 or a negative errno value with
 * child->detail. Closes nothing that it was given.
 */
int tree_bind(struct child *child, int dir, const char *path, uint64_t flags,
    const struct step *step, int place);

/* The second half of it: `tree` was opened by open_tree, or with O_PATH where that is missing. */
int tree_attach(struct child *child, int tree, uint64_t flags, int place);

/*
 * A new file system of this type at the place; `options` is "key=value,..." or NULL;
 * `attributes` SYS_ATTR_*.
 */
int tree_new(struct child *child, const char *type, const char *options, unsigned attributes,
    int place);

/*
 * Where mount_setattr was missing, flags could not be set on a whole tree at once: this
 * step, after the pivot, sets them mount by mount. extra: rows with dest and flags,
 * `flags` of them; the last that lies above a mount counts. Nothing to do elsewhere.
 */
step_fn tree_step_restrict;

/*
 * Landlock rules on top: fd: a ruleset that handles the rights `inode`; extra: the rows, `flags` of them; device: flags for
 * landlock_restrict_self. What a trial came to is in child->landlock_before and _after.
 */
step_fn stack_step_landlock;

/* The same at once, for what is mounted at or below the path of `place`. 0 or -errno. */
int tree_restrict(struct child *child, int place, uint64_t flags);

enum place_kind { PLACE_DIRECTORY, PLACE_FILE };

/*
 * Opens `path` inside the new root (O_PATH, not following a link at its end), making it
 * and its parents as far as they are missing and may be made: only on the sandbox's own
 * tmpfs. Descriptor or -errno with child->detail.
 */
int place_open(struct child *child, const char *path, enum place_kind kind);

/*
 * Opens the folder that holds `path`'s last component, making parents; *leaf is that
 * component.
 */
int place_open_parent(struct child *child, const char *path, const char **leaf);

/*
 * Opens an existing path inside the new root with O_PATH and `flags`; links resolve
 * inside.
 */
int place_find(struct child *child, const char *path, int flags);

/* mounts.c: puts something empty over the place. 0 or -errno. */
int mount_hide(struct child *child, int place, enum place_kind kind);

/* dev.c: fills the folder `dev`; the nodes are mounted as `flags` say. 0 or -errno. */
int dev_fill(struct child *child, int dev, uint64_t flags, const char *console);

/* walk.c: place_find for kernels without openat2 */
int place_walk(struct child *child, const char *path, int flags);

/* Whether the file behind `fd` is on the sandbox's own tmpfs: 1, 0, or -errno. */
int place_is_own(const struct child *child, int fd);

#endif
