/*
 * All mounts of a process (mount_table.h).
 */
#include "ns/mount_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>

#include "core/str.h"
#include "linux/mountline.h"

static int compare_points(const void *left, const void *right)
{
	const struct procfs_mount *const *a = left, *const *b = right;
	int order = strcmp((*a)->point, (*b)->point);

	/* The array is one block in the order of the list. */
	return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int compare_ids(const void *left, const void *right)
{
	const struct procfs_mount *const *a = left, *const *b = right;

	return ((*a)->id > (*b)->id) - ((*a)->id < (*b)->id);
}

static const struct procfs_mount **sorted(const struct procfs_mounts *mounts,
    int (*compare)(const void *, const void *))
{
	const struct procfs_mount **list = xcalloc(mounts->count + 1, sizeof(*list));

	for (size_t i = 0; i < mounts->count; i++)
		list[i] = &mounts->items[i];
	qsort(list, mounts->count, sizeof(*list), compare);
	return list;
}

int mount_table_load(struct mount_table *table, int dir)
{
	struct str text = STR_INIT;

	memset(table, 0, sizeof(*table));
	if (procfs_read(dir, "mountinfo", &text) < 0) {
		str_free(&text);
		return -1;
	}
	if (procfs_parse_mounts(str_take(&text), &table->mounts) < 0)
		return -1;
	table->by_point = sorted(&table->mounts, compare_points);
	table->by_id = sorted(&table->mounts, compare_ids);
	return 0;
}

void mount_table_free(struct mount_table *table)
{
	free(table->by_point);
	free(table->by_id);
	procfs_mounts_free(&table->mounts);
	table->by_point = table->by_id = NULL;
}

/* Where the mounts at this point end in by_point; they begin right before, if there are any. */
static size_t end_of_point(const struct mount_table *table, const char *point)
{
	size_t low = 0, high = table->mounts.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(table->by_point[middle]->point, point) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct procfs_mount *mount_table_at(const struct mount_table *table, const char *point)
{
	size_t end = end_of_point(table, point);

	if (end == 0 || strcmp(table->by_point[end - 1]->point, point) != 0)
		return NULL;
	return table->by_point[end - 1];
}

static const struct procfs_mount *find_id(const struct mount_table *table, uint32_t id)
{
	const struct procfs_mount key = { .id = id };
	const struct procfs_mount *wanted = &key;
	const struct procfs_mount **found = bsearch(&wanted, table->by_id, table->mounts.count,
	    sizeof(*table->by_id), compare_ids);

	return found == NULL ? NULL : *found;
}

const struct procfs_mount *mount_table_of(const struct mount_table *table, int fd)
{
	const struct procfs_mount *found = NULL;
	struct str text = STR_INIT;
	const char *field;
	uint64_t number;
	char name[48];

	snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", fd);
	if (procfs_read(AT_FDCWD, name, &text) == 0) {
		field = procfs_field(str_text(&text), "mnt_id");
		if (field != NULL && procfs_number(field, 10, &number) != NULL && number <= UINT32_MAX)
			found = find_id(table, (uint32_t)number);
	}
	str_free(&text);
	return found;
}

/* Whether something is mounted at `point` (of `length` bytes) in the mount with this number. */
static bool has_child_at(const struct mount_table *table, uint32_t parent, const char *point,
    size_t length)
{
	char *exact = xstrndup(point, length);
	bool found = false;

	for (size_t i = end_of_point(table, exact); i-- > 0 && !found;) {
		if (strcmp(table->by_point[i]->point, exact) != 0)
			break;
		found = table->by_point[i]->parent == parent && table->by_point[i]->id != parent;
	}
	free(exact);
	return found;
}

/* Whether a folder between the parent's point and the mount's own is mounted over in the parent. */
static bool is_way_covered(const struct mount_table *table, const struct procfs_mount *mount,
    const struct procfs_mount *parent)
{
	size_t shortest = strlen(parent->point);

	for (size_t length = strlen(mount->point); length > shortest;) {
		while (length > shortest && mount->point[--length] != '/')
			;
		if (length > shortest && length > 0 &&
		    has_child_at(table, parent->id, mount->point, length))
			return true;
	}
	return false;
}

static bool is_top_covered(const struct mount_table *table, const struct procfs_mount *mount)
{
	return has_child_at(table, mount->id, mount->point, strlen(mount->point));
}

bool mount_table_is_hidden(const struct mount_table *table, const struct procfs_mount *mount)
{
	if (is_top_covered(table, mount))
		return true;
	for (;;) {
		const struct procfs_mount *parent = find_id(table, mount->parent);

		if (parent == NULL || parent == mount)
			return false;
		/* A mount on top of its parent's own top is where the parent was. */
		if (strcmp(parent->point, mount->point) != 0 &&
		    (is_top_covered(table, parent) || is_way_covered(table, mount, parent)))
			return true;
		mount = parent;
	}
}
