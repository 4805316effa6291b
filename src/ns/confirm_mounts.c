/*
 * Confirms the view (confirm_mounts.h).
 *
 * Each mount that can be reached has to lie at or below a place that was asked for, the row, and to be
 * restricted as that row says, with everything mounted below it; each row that no later row covers
 * has to have its mount. A mount that belongs to no row, or one that gets changes from the host,
 * means that the root is not what was asked for. Rows and mounts are sorted, so that
 * thousands of binds cost n log n.
 */
#include "ns/confirm_mounts.h"

#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/sys.h"
#include "ns/mount_table.h"
#include "ns/mounts.h"

/* A row at the place where its mount really is. */
struct place {
	const char *point;
	const struct step *row;
	size_t order;
	bool has_mount;
	bool is_live;		/* no later row lies at or above it */
	bool is_broken;
};

struct check {
	struct mount_table table;
	struct place *places;	/* sorted by point, and then as they were asked for */
	size_t place_count;
	size_t strangers;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = strcmp(a->point, b->point);

	return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/* The last place at exactly this point (of `length` bytes), NULL where there is none. */
static struct place *place_at(const struct check *check, const char *point, size_t length)
{
	size_t low = 0, high = check->place_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(check->places[middle].point, point, length);

		if (order < 0 || (order == 0 && check->places[middle].point[length] == '\0'))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || strncmp(check->places[low - 1].point, point, length) != 0 ||
	    check->places[low - 1].point[length] != '\0')
		return NULL;
	return &check->places[low - 1];
}

/* The length of what lies above the first `length` bytes of a path; "/" is the last, then 0. */
static size_t above(const char *path, size_t length)
{
	if (length <= 1)
		return 0;
	while (length > 1 && path[length - 1] != '/')
		length--;
	return length > 1 ? length - 1 : 1;
}

/* The row that a mount belongs to: the nearest at or above its point that is not covered. */
static struct place *place_of(const struct check *check, const char *point)
{
	for (size_t length = strlen(point); length > 0; length = above(point, length)) {
		struct place *place = place_at(check, point, length);

		if (place != NULL && place->is_live)
			return place;
	}
	return NULL;
}

/* Whether a later row lies at the same point or above. */
static bool is_covered(const struct check *check, const struct place *place)
{
	for (size_t length = strlen(place->point); length > 0; length = above(place->point, length)) {
		const struct place *other = place_at(check, place->point, length);

		if (other != NULL && other->order > place->order && other->has_mount)
			return true;
	}
	return false;
}

static bool is_same_file(int root, const char *point, int fd)
{
	struct stat there, here;
	int other = sys_openat2(root, point, O_PATH,
	    SYS_RESOLVE_IN_ROOT | SYS_RESOLVE_NO_MAGICLINKS);
	bool same;

	if (other < 0)
		return false;
	same = fstat(other, &there) == 0 && fstat(fd, &here) == 0 && there.st_dev == here.st_dev &&
	    there.st_ino == here.st_ino;
	close(other);
	return same;
}

/*
 * A destination whose way leads through links is mounted somewhere else than its text says. The
 * child's own resolution is repeated here, and the mount found by its number.
 */
static const char *look_up_point(struct check *check, int root, const char *dest)
{
	const struct procfs_mount *mount;
	const char *point = NULL;
	int fd = sys_openat2(root, dest, O_PATH, SYS_RESOLVE_IN_ROOT | SYS_RESOLVE_NO_MAGICLINKS);

	if (fd < 0)
		return NULL;
	mount = mount_table_of(&check->table, fd);
	/* A place where nothing was mounted shows the number of the mount that it lies in. */
	if (mount != NULL && is_same_file(root, mount->point, fd))
		point = mount->point;
	close(fd);
	return point;
}

static void load_places(struct run *run, struct check *check, int root)
{
	check->places = xcalloc(run->rows.count, sizeof(*check->places));
	check->place_count = run->rows.count;
	for (size_t i = 0; i < run->rows.count; i++) {
		const struct step *row = &run->rows.items[i];
		const char *point = row->dest;
		/* Below /dev every node is a mount; the folder itself is not. */
		bool has_mount = (row->flags & MOUNT_FOLDER_OF_MOUNTS) != 0 ||
		    mount_table_at(&check->table, point) != NULL;

		if (!has_mount) {
			const char *found = look_up_point(check, root, point);

			has_mount = found != NULL && strcmp(found, "/") != 0;
			point = has_mount ? found : point;
		}
		check->places[i] = (struct place){ point, row, i, has_mount, true, false };
	}
	qsort(check->places, check->place_count, sizeof(*check->places), compare_places);
	for (size_t i = 0; i < check->place_count; i++)
		check->places[i].is_live = !is_covered(check, &check->places[i]);
}

static bool is_restricted(const struct procfs_mount *mount, uint64_t flags)
{
	return mount->nosuid && !mount->has_peer &&
	    (mount->read_only || !(flags & MOUNT_READ_ONLY)) &&
	    (mount->nodev || (flags & MOUNT_DEVICES)) &&
	    (mount->noexec || !(flags & MOUNT_NO_EXEC));
}

static void check_mount(struct check *check, const struct procfs_mount *mount)
{
	struct place *place = place_of(check, mount->point);
	uint64_t flags;
	bool is_exact;

	if (place == NULL) {
		check->strangers++;
		return;
	}
	flags = place->row->flags;
	is_exact = strcmp(place->point, mount->point) == 0;
	/* Nothing is mounted anywhere but where it was asked for. */
	if (!is_exact && strcmp(place->point, "/") == 0) {
		check->strangers++;
		return;
	}
	if (!is_exact && (flags & MOUNT_COVERS))
		flags |= MOUNT_READ_ONLY;
	place->is_broken |= !is_restricted(mount, flags);
}

/* Whether the working folder lies on one of the mounts, and not on one of the host. */
static bool is_inside(const struct check *check, const struct confirm *confirm)
{
	int fd = openat(confirm->dir, "cwd", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool result;

	if (fd < 0)
		return false;
	result = mount_table_of(&check->table, fd) != NULL;
	close(fd);
	return result;
}

/* Whether the place is one of the user's that has to be read-only. */
static bool is_read_only_request(const struct place *place)
{
	return place->is_live && place->row->item != STEP_NO_ITEM && place->has_mount &&
	    (place->row->flags & MOUNT_READ_ONLY);
}

static void confirm_read_only(const struct check *check, struct confirm *confirm)
{
	const char *by = confirm->fallbacks & FALLBACK_SETATTR ? "mount" : "mount_setattr";
	size_t asked = 0, item = 0;

	for (size_t i = 0; i < check->place_count; i++)
		asked += is_read_only_request(&check->places[i]);
	report_expect(confirm->report, CONTROL_READ_ONLY, asked);
	for (size_t i = 0; i < check->place_count; i++) {
		const struct place *place = &check->places[i];

		if (!is_read_only_request(place))
			continue;
		if (!place->is_broken)
			report_confirm(confirm->report, CONTROL_READ_ONLY, by, item,
			    "mountinfo: %s and all below it are ro", place->point);
		item++;
	}
	if (asked == 0)
		report_confirm(confirm->report, CONTROL_READ_ONLY, by, 0,
		    "nothing was asked to be read-only");
}

static void confirm_root(const struct check *check, struct confirm *confirm)
{
	size_t bad = check->strangers, writable = 0;

	for (size_t i = 0; i < check->place_count; i++) {
		const struct place *place = &check->places[i];
		bool may_miss = (place->row->flags & MOUNT_OPTIONAL) != 0;

		if (!place->is_live)
			continue;
		bad += place->is_broken || (!place->has_mount && !may_miss);
		writable += !(place->row->flags & MOUNT_READ_ONLY);
	}
	if (bad == 0 && is_inside(check, confirm))
		report_confirm(confirm->report, CONTROL_ROOT,
		    confirm->fallbacks & FALLBACK_CHROOT ? "chroot" : "pivot_root", 0,
		    "mountinfo: %zu mounts, all asked for, %zu places writable, / is not",
		    check->table.mounts.count, writable);
}

void confirm_mounts(struct run *run, struct confirm *confirm, int root)
{
	struct check check = { .places = NULL };

	if (mount_table_load(&check.table, confirm->dir) == 0) {
		load_places(run, &check, root);
		for (size_t i = 0; i < check.table.mounts.count; i++) {
			const struct procfs_mount *mount = &check.table.mounts.items[i];

			if (!mount_table_is_hidden(&check.table, mount))
				check_mount(&check, mount);
		}
		confirm_read_only(&check, confirm);
		confirm_root(&check, confirm);
	}
	free(check.places);
	mount_table_free(&check.table);
}
