/*
 * Where this process's control group is (cgroup_find.h).
 *
 * Nothing is assumed about mount points. /proc/self/cgroup names the group as the control group
 * namespace shows it, mountinfo says which part of the hierarchy is mounted where in the same terms. A folder counts
 * only if it is of the right file system and lists this process, since mounts may hide one
 * another and groups may change.
 */
#include "linux/cgroup_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/cgroup_text.h"
#include "linux/procfs.h"

/* How many groups are looked at where the names on the way are not known. */
enum { SEARCH_MAX = 2000 };

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

int cgroup_write(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t length = (ssize_t)strlen(text), written;
	int error;

	if (fd < 0)
		return -1;
	written = write(fd, text, (size_t)length);
	error = written < 0 ? errno : EIO;
	close(fd);
	errno = error;
	return written == length ? 0 : -1;
}

int cgroup_list(int dir, struct str_list *names)
{
	int fd = openat(dir, ".", FOLDER);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (folder == NULL) {
		int error = errno;

		if (fd >= 0)
			close(fd);
		errno = error;
		return -1;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			str_list_add(names, entry->d_name);
	}
	closedir(folder);
	return 0;
}

/* Opens `rest` below `top`, component by component: no link and no ".." is followed. */
static bool walk(int top, const char *rest, struct cgroup_home *home)
{
	int above = -1, own = openat(top, ".", FOLDER);

	while (own >= 0 && *rest != '\0') {
		size_t length = strcspn(rest, "/");
		char *name = xstrndup(rest, length);

		if (above >= 0)
			close(above);
		above = own;
		own = strcmp(name, "..") == 0 ? -1 : openat(above, name, FOLDER);
		free(name);
		rest += length;
		rest += strspn(rest, "/");
	}
	home->own = own;
	home->above = above;
	return own >= 0;
}

static void forget(struct cgroup_home *home)
{
	if (home->own >= 0)
		close(home->own);
	if (home->above >= 0)
		close(home->above);
	home->own = home->above = -1;
}

static bool lists_us(struct cgroup_home *home)
{
	struct str text = STR_INIT;
	size_t others;
	bool found = procfs_read(home->own, "cgroup.procs", &text) == 0 &&
	    cgroup_parse_pids(str_text(&text), getpid(), &others);

	home->alone = found && others == 0;
	str_free(&text);
	return found;
}

static bool walk_to_us(int top, const char *rest, struct cgroup_home *home)
{
	if (walk(top, rest, home) && lists_us(home))
		return true;
	forget(home);
	return false;
}

/*
 * The mount begins `levels` above the namespace's root, and only the file system knows the
 * names between: looks for the group that lists us. Depth is bounded by `levels`.
 */
static bool search(int top, unsigned levels, const char *rest, struct cgroup_home *home, unsigned *left)
{
	struct str_list names = STR_LIST_INIT;
	bool found = false;

	if (levels == 0)
		return walk_to_us(top, rest, home);
	if (cgroup_list(top, &names) == 0) {
		for (size_t i = 0; i < names.count && !found && *left > 0; i++) {
			int next = openat(top, names.items[i], FOLDER);

			--*left;
			if (next < 0)
				continue;
			found = search(next, levels - 1, rest, home, left);
			if (found && home->above < 0)
				home->above = openat(top, ".", FOLDER);
			close(next);
		}
	}
	str_list_free(&names);
	return found;
}

/* Looks for the group below one mount. */
static bool try_mount(const struct procfs_mount *mount, const char *own, struct cgroup_home *home)
{
	unsigned above, left = SEARCH_MAX;
	struct statfs fs;
	const char *rest;
	bool found = false;
	int top;

	if (strcmp(mount->type, "cgroup2") != 0 || !cgroup_path_below(mount->root, own, &rest, &above))
		return false;
	top = open(mount->point, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return false;
	if (fstatfs(top, &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC)
		found = search(top, above, rest, home, &left);
	close(top);
	return found;
}

static bool is_writable(const struct cgroup_home *home)
{
	struct statvfs fs;

	return fstatvfs(home->own, &fs) == 0 && !(fs.f_flag & ST_RDONLY);
}

static char *sentence(const char *before, const char *name, const char *after)
{
	struct str text = STR_INIT;

	str_add(&text, before);
	str_add_printable(&text, name, 0);
	str_add(&text, after);
	return str_take(&text);
}

/* Tries all mounts; one that can be written is best. */
static void find_among(const struct procfs_mounts *mounts, const char *own, struct cgroup_home *home)
{
	bool is_mounted = false;
	char *reason = NULL;

	for (size_t i = 0; i < mounts->count; i++) {
		is_mounted |= strcmp(mounts->items[i].type, "cgroup2") == 0;
		if (!try_mount(&mounts->items[i], own, home))
			continue;
		if (is_writable(home)) {
			free(reason);
			return;
		}
		forget(home);
		free(reason);
		reason = sentence("the cgroup2 file system on ", mounts->items[i].point,
		    " is mounted read-only");
	}
	if (reason == NULL && is_mounted)
		reason = sentence("no cgroup2 mount shows this process's control group ", own, "");
	home->reason = reason != NULL ? reason : xstrdup("no cgroup2 file system is mounted");
}

bool cgroup_find(struct cgroup_home *home)
{
	int proc = procfs_open(), self = proc < 0 ? -1 : openat(proc, "self", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct str text = STR_INIT, lines = STR_INIT;
	struct procfs_mounts mounts;
	char *own = NULL;

	*home = (struct cgroup_home)CGROUP_HOME_INIT;
	if (self >= 0 && procfs_read(self, "cgroup", &text) == 0)
		own = cgroup_parse_own(str_text(&text));
	if (own == NULL) {
		home->reason = xstrdup("this process is in no control group of version 2");
	} else if (procfs_read(self, "mountinfo", &lines) < 0 ||
	    procfs_parse_mounts(str_take(&lines), &mounts) < 0) {
		home->reason = xstrdup("the list of mounts cannot be read");
	} else {
		find_among(&mounts, own, home);
		procfs_mounts_free(&mounts);
	}
	free(own);
	str_free(&text);
	str_free(&lines);
	if (self >= 0)
		close(self);
	if (proc >= 0)
		close(proc);
	return home->own >= 0;
}

void cgroup_home_free(struct cgroup_home *home)
{
	forget(home);
	free(home->reason);
	home->reason = NULL;
}
