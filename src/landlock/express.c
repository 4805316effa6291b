/*
 * Sorts out what of a view Landlock can express (express.h).
 *
 * Rules only add: what is allowed for a folder is allowed for everything below it. A
 * later request covers an earlier one at the same place or below, as mounts do; a narrower one inside a
 * wider one cannot be had.
 */
#include "landlock/express.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "linux/mountline.h"

static int weight(char c)
{
	return c == '\0' ? 0 : c == '/' ? 1 : (unsigned char)c + 1;
}

/* By path, what lies below directly behind what it is below: "/a", "/a/b", "/a-b". Then in the order asked for. */
static int by_path(const void *left, const void *right)
{
	const struct view_item *a = ((const struct allowance *)left)->item;
	const struct view_item *b = ((const struct allowance *)right)->item;
	const char *p = a->source.path, *q = b->source.path;

	for (; *p != '\0' && *p == *q; p++, q++)
		continue;
	if (*p != *q)
		return weight(*p) - weight(*q);
	return (a > b) - (a < b);
}

/* Whether the place is the source itself, be it by a link of the host's. */
static bool is_same_file(const struct view_item *item)
{
	struct stat status;

	return strcmp(item->dest, item->source.path) == 0 || (stat(item->dest, &status) == 0 &&
	    status.st_dev == item->source.device && status.st_ino == item->source.inode);
}

static bool is_same_link(const struct view_item *item)
{
	char text[4096];
	ssize_t length = readlink(item->dest, text, sizeof(text));

	return length >= 0 && (size_t)length == strlen(item->text) &&
	    memcmp(text, item->text, (size_t)length) == 0;
}

/* Whether the item is true already, or comes to a rule. */
static bool is_expressible(const struct view_item *item)
{
	struct stat status;

	switch (item->kind) {
	case SPEC_FS_BIND:
		return is_same_file(item);
	case SPEC_FS_SYMLINK:
		return item->optional || is_same_link(item);
	case SPEC_FS_DIR:
		return stat(item->dest, &status) == 0 && S_ISDIR(status.st_mode);
	case SPEC_FS_MASK:	/* whatever no rule allows is hidden: looked at when all are known */
		return true;
	case SPEC_FS_TMPFS:
	case SPEC_FS_FILE:
	case SPEC_FS_OVERLAY:
	case SPEC_FS_RUNTIME:
	default:	/* of bubblewrap's command line */
		break;
	}
	return false;
}

static int refuse(const struct spec *spec, struct allowances *allowances, const struct view_item *item,
    enum control control, const char *why, struct err *err)
{
	struct str text = STR_INIT;

	str_add(&text, item->option);
	if (item->kind == SPEC_FS_BIND && strcmp(item->source.path, item->dest) != 0) {
		str_add_char(&text, ' ');
		str_add_printable(&text, item->source.path, 300);
	}
	str_add_char(&text, ' ');
	str_add_printable(&text, item->dest, 300);
	if (spec->policy[control].may_miss) {
		str_list_add(&allowances->left_out, str_text(&text));
		str_free(&text);
		return 0;
	}
	err_set(err, ERR_REFUSED, "%s: Landlock cannot %s", str_text(&text), why);
	err_hint(err, "it takes a mount namespace; --allow-missing %s leaves it out", control_name(control));
	err->stage = "view";
	str_free(&text);
	return -1;
}

static const char *reason(const struct view_item *item)
{
	switch (item->kind) {
	case SPEC_FS_BIND:
		return "show a file at another place";
	case SPEC_FS_TMPFS:
		return "put an empty folder over a place";
	case SPEC_FS_SYMLINK:
	case SPEC_FS_DIR:
	case SPEC_FS_FILE:
		return "show what is not there on the host";
	case SPEC_FS_OVERLAY:
		return "lay folders over each other";
	case SPEC_FS_MASK:
		return "hide a place inside what is shown";
	case SPEC_FS_RUNTIME:
	default:	/* of bubblewrap's command line */
		break;
	}
	return "do that";
}

/*
 * Drops what something wider or equal and later covers, and refuses what is narrower than an earlier one above it.
 * `above` is the chain of those that lie above the next one.
 */
static int settle(const struct spec *spec, struct allowances *all, struct err *err)
{
	struct allowance *above = xcalloc(all->count + 1, sizeof(*above));
	size_t depth = 0, kept = 0;
	int result = 0;

	for (size_t i = 0; i < all->count && result == 0; i++) {
		struct allowance next = all->items[i];
		bool is_covered = false, is_narrower = false;

		while (depth > 0 && !mountline_is_below(next.item->source.path,
		    above[depth - 1].item->source.path))
			depth--;
		for (size_t j = 0; j < depth; j++) {
			is_covered |= above[j].item > next.item;
			is_narrower |= above[j].is_wide && !next.is_wide;
		}
		if (i + 1 < all->count && strcmp(all->items[i + 1].item->source.path,
		    next.item->source.path) == 0)
			is_covered = true;	/* the later of the two is the next */
		if (is_covered)
			continue;
		if (is_narrower)
			result = refuse(spec, all, next.item, CONTROL_READ_ONLY,
			    "keep a place read-only inside one that is writable", err);
		above[depth++] = next;
		all->items[kept++] = next;
	}
	all->count = kept;
	free(above);
	return result;
}

/*
 * A mask covers what was asked for before it: what lies below goes, and one that lies below something shown cannot be had. What
 * is asked for later covers the mask.
 */
static int apply_mask(const struct spec *spec, const struct view_item *mask, const char *real,
    struct allowances *all, struct err *err)
{
	bool is_inside = false;
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct view_item *item = all->items[i].item;

		if (item < mask && mountline_is_below(item->source.path, real))
			continue;
		is_inside |= item < mask && mountline_is_below(real, item->source.path);
		all->items[kept++] = all->items[i];
	}
	all->count = kept;
	return is_inside ? refuse(spec, all, mask, CONTROL_MOUNT_NAMESPACE, reason(mask), err) : 0;
}

static int apply_masks(const struct spec *spec, const struct view *view, struct allowances *all,
    struct err *err)
{
	struct stat status;

	for (size_t i = 0; i < view->count; i++) {
		const struct view_item *item = &view->items[i];
		int result;

		if (item->kind != SPEC_FS_MASK || lstat(item->dest, &status) < 0)
			continue;
		char *real = realpath(item->dest, NULL);
		/* What cannot be resolved may lie anywhere. */
		result = real == NULL ? refuse(spec, all, item, CONTROL_MOUNT_NAMESPACE, reason(item), err) :
		    apply_mask(spec, item, real, all, err);
		free(real);
		if (result < 0)
			return -1;
	}
	return 0;
}

int express_view(const struct spec *spec, const struct view *view, struct allowances *allowances,
    struct err *err)
{
	memset(allowances, 0, sizeof(*allowances));
	allowances->items = xcalloc(view->count + 1, sizeof(*allowances->items));
	for (size_t i = 0; i < view->count; i++) {
		const struct view_item *item = &view->items[i];

		if (!is_expressible(item)) {
			if (refuse(spec, allowances, item, CONTROL_MOUNT_NAMESPACE, reason(item), err) < 0)
				return -1;
		} else if (item->kind == SPEC_FS_BIND) {
			allowances->items[allowances->count++] =
			    (struct allowance){ item, !item->read_only };
		}
	}
	qsort(allowances->items, allowances->count, sizeof(*allowances->items), by_path);
	if (settle(spec, allowances, err) < 0)
		return -1;
	return apply_masks(spec, view, allowances, err);
}

void express_free(struct allowances *allowances)
{
	free(allowances->items);
	str_list_free(&allowances->left_out);
	memset(allowances, 0, sizeof(*allowances));
}

bool express_shows(const struct allowances *allowances, const char *path)
{
	for (size_t i = 0; i < allowances->count; i++) {
		if (mountline_is_below(path, allowances->items[i].item->source.path))
			return true;
	}
	return false;
}

int express_check(const struct spec *spec, struct err *err)
{
	const struct {
		const char *option;
		bool given;
		enum control control;
	} needs[] = {
		{ "--uid", spec->has_uid, CONTROL_USER_NAMESPACE },
		{ "--gid", spec->has_gid, CONTROL_USER_NAMESPACE },
		{ "--cap-add", spec->cap_add.count > 0, CONTROL_USER_NAMESPACE },
		{ "--hostname", spec->hostname != NULL, CONTROL_UTS_NAMESPACE },
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (!needs[i].given || spec->policy[needs[i].control].may_miss)
			continue;
		err_set(err, ERR_REFUSED, "%s: Landlock cannot do that", needs[i].option);
		err_hint(err, "it takes a namespace; --allow-missing %s leaves it out",
		    control_name(needs[i].control));
		err->stage = "prepare";
		return -1;
	}
	return 0;
}
