/*
 * Setters of bubblewrap's options that say what COMMAND sees of the file system. Paths are
 * kept as written: what they lead to is asked inside, when their turn comes.
 */
#include "cli/bwrap_apply.h"

#include <string.h>

#include "core/value.h"

static int check_path(const struct opt *opt, const char *path, struct err *err)
{
	if (path[0] != '\0')
		return 0;
	return err_set(err, ERR_USAGE, "%s does not take an empty path argument", opt->name);
}

static struct spec_fs *add(struct bwrap_apply *apply, const struct opt *opt, enum spec_fs_kind kind,
    const char *dest)
{
	struct spec_fs *fs = spec_add_fs(apply->spec, kind, opt->name);

	fs->dest = xstrdup(dest);
	return fs;
}

BWRAP_SETTER(bwrap_set_bind)
{
	struct spec_fs *fs;

	if (check_path(opt, values[0], err) < 0 || check_path(opt, values[1], err) < 0)
		return -1;
	fs = add(context, opt, SPEC_FS_BIND, values[1]);
	fs->source = xstrdup(values[0]);
	fs->read_only = (opt->detail & BWRAP_READ_ONLY) != 0;
	fs->devices = (opt->detail & BWRAP_DEVICES) != 0;
	fs->optional = (opt->detail & BWRAP_OPTIONAL) != 0;
	return 0;
}

BWRAP_SETTER(bwrap_set_bind_fd)
{
	struct spec_fs *fs;
	int fd;

	if (bwrap_parse_fd(values[0], &fd, err) < 0 || check_path(opt, values[1], err) < 0)
		return -1;
	fs = add(context, opt, SPEC_FS_BIND, values[1]);
	fs->fd = fd;
	fs->read_only = (opt->detail & BWRAP_READ_ONLY) != 0;
	return 0;
}

/* Gives a waiting --perms to the operation. */
static void take_mode(struct bwrap_apply *apply, struct spec_fs *fs, unsigned otherwise)
{
	fs->has_mode = apply->has_mode;
	fs->mode = apply->has_mode ? apply->mode : otherwise;
	apply->has_mode = false;
}

BWRAP_SETTER(bwrap_set_place)
{
	struct bwrap_apply *apply = context;
	struct spec_fs *fs;

	if (check_path(opt, values[0], err) < 0)
		return -1;
	fs = add(apply, opt, (enum spec_fs_kind)opt->detail, values[0]);
	fs->mode = 0755;
	if (opt->detail == SPEC_FS_TMPFS || opt->detail == SPEC_FS_DIR)
		take_mode(apply, fs, 0755);
	if (opt->detail == SPEC_FS_TMPFS && apply->has_size) {
		fs->size = apply->size;
		apply->has_size = false;
	}
	return 0;
}

BWRAP_SETTER(bwrap_set_data)
{
	struct bwrap_apply *apply = context;
	bool is_copy = (opt->detail & BWRAP_COPY) != 0;
	struct spec_fs *fs;
	int fd;

	if (bwrap_parse_fd(values[0], &fd, err) < 0 || check_path(opt, values[1], err) < 0)
		return -1;
	fs = add(apply, opt, is_copy ? SPEC_FS_FILE : SPEC_FS_DATA, values[1]);
	fs->fd = fd;
	fs->read_only = (opt->detail & BWRAP_READ_ONLY) != 0;
	take_mode(apply, fs, is_copy ? 0666 : 0600);
	return 0;
}

BWRAP_SETTER(bwrap_set_symlink)
{
	if (check_path(opt, values[0], err) < 0 || check_path(opt, values[1], err) < 0)
		return -1;
	add(context, opt, SPEC_FS_SYMLINK, values[1])->source = xstrdup(values[0]);
	return 0;
}

static int parse_mode(const struct opt *opt, const char *word, unsigned *mode, struct err *err)
{
	uint64_t number;

	if (value_parse_c(word, 8, 07777, &number) < 0)
		return err_set(err, ERR_USAGE, "%s takes an octal argument <= 07777", opt->name);
	*mode = (unsigned)number;
	return 0;
}

BWRAP_SETTER(bwrap_set_chmod)
{
	unsigned mode = 0;

	if (parse_mode(opt, values[0], &mode, err) < 0 || check_path(opt, values[1], err) < 0)
		return -1;
	add(context, opt, SPEC_FS_CHMOD, values[1])->mode = mode;
	return 0;
}

BWRAP_SETTER(bwrap_set_mode)
{
	struct bwrap_apply *apply = context;

	if (apply->has_mode)
		return err_set(err, ERR_USAGE, "%s given twice for the same action", opt->name);
	if (parse_mode(opt, values[0], &apply->mode, err) < 0)
		return -1;
	apply->has_mode = true;
	return 0;
}

BWRAP_SETTER(bwrap_set_size)
{
	struct bwrap_apply *apply = context;
	bool is_number = values[0][0] >= '0' && values[0][0] <= '9';

	if (apply->has_size)
		return err_set(err, ERR_USAGE, "%s given twice for the same action", opt->name);
	if (!is_number || value_parse_c(values[0], 0, UINT64_MAX, &apply->size) < 0 || apply->size == 0)
		return err_set(err, ERR_USAGE, "%s takes a non-zero number of bytes", opt->name);
	if (apply->size > INT64_MAX)
		return err_set(err, ERR_USAGE, "%s (for tmpfs) is limited to %lld", opt->name,
		    (long long)INT64_MAX);
	apply->has_size = true;
	return 0;
}

BWRAP_SETTER(bwrap_set_layer)
{
	struct bwrap_apply *apply = context;

	if (check_path(opt, values[0], err) < 0)
		return -1;
	str_list_add(&apply->layers, values[0]);
	return 0;
}

BWRAP_SETTER(bwrap_set_overlay)
{
	struct bwrap_apply *apply = context;
	size_t needed = opt->detail == SPEC_OVERLAY_RO ? 2 : 1;
	struct spec_fs *fs;

	for (unsigned i = 0; i < opt->values; i++) {
		if (check_path(opt, values[i], err) < 0)
			return -1;
	}
	if (apply->layers.count < needed)
		return err_set(err, ERR_USAGE, "%s requires at least %s --overlay-src", opt->name,
		    needed == 2 ? "two" : "one");
	fs = add(apply, opt, SPEC_FS_OVERLAY, values[opt->values - 1]);
	fs->overlay = (enum spec_overlay)opt->detail;
	fs->layers = apply->layers;
	apply->layers = (struct str_list)STR_LIST_INIT;
	if (fs->overlay == SPEC_OVERLAY_RW) {
		fs->source = xstrdup(values[0]);
		fs->work = xstrdup(values[1]);
	}
	return 0;
}
