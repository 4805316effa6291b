/*
 * Setters of the options that say what COMMAND sees of the file system. The
 * order in which they were given is kept; whether a source exists is not
 * asked here.
 */
#include "cli/apply.h"

#include <limits.h>
#include <string.h>

#include "core/host.h"
#include "core/value.h"

int apply_check_fd(const struct opt *opt, const char *word, struct err *err)
{
	uint64_t number;

	if (!str_has_prefix(word, "fd:"))
		return 0;
	return value_parse_number(opt->name, word + strlen("fd:"), 0, INT_MAX, &number, err);
}

/* Layers that were collected may only be followed by the overlay that takes them. */
static int check_no_layers(const struct apply *apply, const struct opt *opt, struct err *err)
{
	if (apply->layers.count == 0)
		return 0;
	return err_set(err, ERR_USAGE,
	    "%s: follows --overlay-src, which must be followed by --overlay, --tmp-overlay "
	    "or --ro-overlay",
	    opt->name);
}

/* A destination below the root, which only a bind may replace. */
static int parse_below_root(const struct opt *opt, const char *word, char **dest,
    struct err *err)
{
	if (host.parse_path(opt->name, word, dest, err) < 0)
		return -1;
	if (strcmp(*dest, "/") == 0)
		return opt_refuse(err, opt->name, word, "is the root, which only a bind can take the place of");
	return 0;
}

APPLY_SETTER(apply_same_place)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, SPEC_FS_BIND, opt->name);
	fs->same_place = true;
	fs->read_only = (opt->detail & APPLY_READ_ONLY) != 0;
	if (host.parse_path(opt->name, values[0], &fs->dest, err) < 0)
		return -1;
	fs->source = xstrdup(fs->dest);
	return 0;
}

APPLY_SETTER(apply_bind)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, SPEC_FS_BIND, opt->name);
	fs->read_only = (opt->detail & APPLY_READ_ONLY) != 0;
	fs->devices = (opt->detail & APPLY_DEVICES) != 0;
	fs->optional = (opt->detail & APPLY_OPTIONAL) != 0;
	if (value_parse_source(opt->name, values[0], &fs->source, err) < 0)
		return -1;
	return host.parse_path(opt->name, values[1], &fs->dest, err);
}

APPLY_SETTER(apply_place)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, (enum spec_fs_kind)opt->detail, opt->name);
	return parse_below_root(opt, values[0], &fs->dest, err);
}

APPLY_SETTER(apply_symlink)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, SPEC_FS_SYMLINK, opt->name);
	fs->source = xstrdup(values[0]);
	return parse_below_root(opt, values[1], &fs->dest, err);
}

APPLY_SETTER(apply_file)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, SPEC_FS_FILE, opt->name);
	if (apply_check_fd(opt, values[0], err) < 0)
		return -1;
	if (value_parse_source(opt->name, values[0], &fs->source, err) < 0)
		return -1;
	return parse_below_root(opt, values[1], &fs->dest, err);
}

APPLY_SETTER(apply_overlay_src)
{
	struct apply *apply = context;
	char *source;

	if (value_parse_source(opt->name, values[0], &source, err) < 0)
		return -1;
	str_list_take(&apply->layers, source);
	return 0;
}

static int check_layers(const struct apply *apply, const struct opt *opt, struct err *err)
{
	/* A read-only overlay of a single layer is what a read-only bind is for. */
	size_t least = opt->detail == SPEC_OVERLAY_RO ? 2 : 1;

	if (apply->layers.count >= least)
		return 0;
	return err_set(err, ERR_USAGE, "%s: needs at least %s --overlay-src right before it",
	    opt->name, least == 2 ? "two" : "one");
}

APPLY_SETTER(apply_overlay)
{
	struct apply *apply = context;
	struct spec_fs *fs;

	if (check_layers(apply, opt, err) < 0)
		return -1;
	fs = spec_add_fs(apply->spec, SPEC_FS_OVERLAY, opt->name);
	fs->overlay = (enum spec_overlay)opt->detail;
	fs->layers = apply->layers;
	apply->layers = (struct str_list)STR_LIST_INIT;
	if (fs->overlay != SPEC_OVERLAY_RW)
		return parse_below_root(opt, values[0], &fs->dest, err);
	if (value_parse_source(opt->name, values[0], &fs->source, err) < 0)
		return -1;
	if (value_parse_source(opt->name, values[1], &fs->work, err) < 0)
		return -1;
	return parse_below_root(opt, values[2], &fs->dest, err);
}

APPLY_SETTER(apply_runtime)
{
	struct apply *apply = context;

	(void)values;
	if (check_no_layers(apply, opt, err) < 0)
		return -1;
	spec_add_fs(apply->spec, SPEC_FS_RUNTIME, opt->name);
	return 0;
}

int apply_end(const struct apply *apply, struct err *err)
{
	if (apply->layers.count == 0)
		return 0;
	return err_set(err, ERR_USAGE,
	    "--overlay-src: no --overlay, --tmp-overlay or --ro-overlay follows it");
}
