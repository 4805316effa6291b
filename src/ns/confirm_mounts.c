/*
 * Confirms the view (confirm_mounts.h).
 *
 * mountinfo of the child lists every mount it can reach. Each has to lie at or below a
 * place that was asked for, the row, and to be restricted as that row says, with
 * everything mounted below it; each row has to have its mount. A mount that belongs to no
 * row, or one that gets changes from the host, means that the root is not what was asked
 * for. Rows and mounts are sorted, so that thousands of binds cost n log n.
 */
#include "ns/confirm_mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/procfs.h"
#include "linux/sys.h"
#include "ns/mounts.h"

/* A row at the place where its mount really is. */
struct place {
	const char *point;
	const struct step *row;
	size_t order;
	bool has_mount;
	bool is_broken;
};

struct check {
	struct procfs_mounts mounts;
	struct procfs_mount **by_point;	/* sorted by point, and then as they are listed */
	struct place *places;		/* sorted by point, and then as they were asked for */
	size_t place_count;
	size_t strangers;
};

static int compare_mounts(const void *left, const void *right)
{
	const struct procfs_mount *const *a = left, *const *b = right;
	int order = strcmp((*a)->point, (*b)->point);

	/* The array is one block in the order of the list. */
	return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = strcmp(a->point, b->point);

	return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

/*
 * The last mount at exactly this point, which is the one on top; NULL where there is
 * none.
 */
static struct procfs_mount *mount_at(const struct check *check, const char *point)
{
	size_t low = 0, high = check->mounts.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(check->by_point[middle]->point, point) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || strcmp(check->by_point[low - 1]->point, point) != 0)
		return NULL;
	return check->by_point[low - 1];
}

/* The same for places. */
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

/* The row that a mount belongs to: the nearest at or above its point. */
static struct place *place_of(const struct check *check, const char *point)
{
	size_t length = strlen(point);

	while (length > 1) {
		struct place *place = place_at(check, point, length);

		if (place != NULL)
			return place;
		while (length > 1 && point[--length] != '/')
			;
	}
	return place_at(check, "/", 1);
}

static bool is_same_file(int root, const char *point, int fd)
{
	struct stat there, here;
	int other = sys_openat2(root, point, O_PATH, SYS_RESOLVE_IN_ROOT | SYS_RESOLVE_NO_MAGICLINKS);
	bool same;

	if (other < 0)
		return false;
	same = fstat(other, &there) == 0 && fstat(fd, &here) == 0 && there.st_dev == here.st_dev &&
	    there.st_ino == here.st_ino;
	close(other);
	return same;
}

/*
 * A destination whose way leads through links is mounted somewhere else than its text
 * says. The child's own resolution is repeated here, and the mount found by its number.
 */
static const char *look_up_point(struct check *check, int root, const char *dest)
{
	struct str text = STR_INIT;
	const char *id, *point = NULL;
	char name[48];
	int fd = sys_openat2(root, dest, O_PATH, SYS_RESOLVE_IN_ROOT | SYS_RESOLVE_NO_MAGICLINKS);
	uint64_t number;

	if (fd < 0)
		return NULL;
	snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", fd);
	if (procfs_read(AT_FDCWD, name, &text) == 0 &&
	    (id = procfs_field(str_text(&text), "mnt_id")) != NULL &&
	    procfs_number(id, 10, &number) != NULL) {
		for (size_t i = 0; i < check->mounts.count; i++) {
			if (check->mounts.items[i].id == number)
				point = check->mounts.items[i].point;
		}
	}
	/*
	 * A place where nothing was mounted shows the number of the mount that it lies
	 * in.
	 */
	if (point != NULL && !is_same_file(root, point, fd))
		point = NULL;
	close(fd);
	str_free(&text);
	return point;
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

static void load_places(struct run *run, struct check *check, int root)
{
	check->places = xcalloc(run->rows.count, sizeof(*check->places));
	check->place_count = run->rows.count;
	for (size_t i = 0; i < run->rows.count; i++) {
		const struct step *row = &run->rows.items[i];
		const char *point = row->dest;
		/* Below /dev every node is a mount; the folder itself is not. */
		bool is_dev = strcmp(point, "/dev") == 0 && (row->flags & MOUNT_DEVICES) &&
		    row->item == STEP_NO_ITEM;
		bool has_mount = is_dev || mount_at(check, point) != NULL;

		if (!has_mount) {
			const char *found = look_up_point(check, root, point);

			has_mount = found != NULL && strcmp(found, "/") != 0;
			point = has_mount ? found : point;
		}
		check->places[i] = (struct place){ point, row, i, has_mount, false };
	}
	qsort(check->places, check->place_count, sizeof(*check->places), compare_places);
}

static int load_mounts(struct confirm *confirm, struct check *check)
{
	struct str text = STR_INIT;

	if (procfs_read(confirm->dir, "mountinfo", &text) < 0) {
		str_free(&text);
		return -1;
	}
	if (procfs_parse_mounts(str_take(&text), &check->mounts) < 0)
		return -1;
	check->by_point = xcalloc(check->mounts.count + 1, sizeof(struct procfs_mount *));
	for (size_t i = 0; i < check->mounts.count; i++)
		check->by_point[i] = &check->mounts.items[i];
	qsort(check->by_point, check->mounts.count, sizeof(struct procfs_mount *), compare_mounts);
	return 0;
}

/*
 * Confirms item by item what is to be read-only; says whether the sandbox's own places
 * are as they have to be.
 */
static bool judge(struct check *check, struct confirm *confirm)
{
	size_t asked = 0, broken_own = 0, missing = 0, writable = 0;

	for (size_t i = 0; i < check->place_count; i++)
		asked += check->places[i].row->item != STEP_NO_ITEM &&
		    (check->places[i].row->flags & MOUNT_READ_ONLY) != 0;
	report_expect(confirm->report, CONTROL_READ_ONLY, asked);
	asked = 0;
	for (size_t i = 0; i < check->place_count; i++) {
		const struct place *place = &check->places[i];
		bool is_own = place->row->item == STEP_NO_ITEM;
		bool is_optional = (place->row->flags & MOUNT_OPTIONAL) != 0;
		bool is_good = !place->is_broken && (place->has_mount || is_optional);

		broken_own += is_own && !is_good;
		missing += !is_own && !is_good;
		writable += !(place->row->flags & MOUNT_READ_ONLY);
		if (is_own || !(place->row->flags & MOUNT_READ_ONLY))
			continue;
		if (is_good)
			report_confirm(confirm->report, CONTROL_READ_ONLY, "mount_setattr", asked,
			    "mountinfo: %s and all below it are ro", place->point);
		asked++;
	}
	if (asked == 0)
		report_confirm(confirm->report, CONTROL_READ_ONLY, "mount_setattr", 0,
		    "nothing of the host is shown");
	if (broken_own + missing + check->strangers == 0)
		report_confirm(confirm->report, CONTROL_ROOT, "pivot_root", 0,
		    "mountinfo: %zu mounts, all asked for, %zu places writable, / is not",
		    check->mounts.count, writable);
	return broken_own == 0;
}

bool confirm_mounts(struct run *run, struct confirm *confirm, int root)
{
	struct check check = { .places = NULL };
	bool result = false;

	if (load_mounts(confirm, &check) == 0) {
		load_places(run, &check, root);
		for (size_t i = 0; i < check.mounts.count; i++) {
			/* What another mount at the same point covers is out of reach. */
			if (mount_at(&check, check.mounts.items[i].point) == &check.mounts.items[i])
				check_mount(&check, &check.mounts.items[i]);
		}
		result = judge(&check, confirm);
	}
	free(check.places);
	free(check.by_point);
	procfs_mounts_free(&check.mounts);
	return result;
}
