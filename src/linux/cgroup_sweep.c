/*
 * What is left of groups, and whose it is (cgroup_sweep.h).
 *
 * A run holds a shared lock on its group as long as it lives. A group with a name as only nsbox gives, of
 * the same user, without processes, that can be locked alone, is that of a dead run. The lock is also what
 * keeps a sweeper off a group that has just been made: a maker who finds it locked alone
 * waits, and starts anew if it is gone then.
 */
#include "linux/cgroup_sweep.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/cgroup_find.h"
#include "linux/cgroup_text.h"
#include "linux/procfs.h"

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
/* A sweeper holds its lock for a moment only; somebody hostile may hold it for ever. */
enum { LOCK_TRIES = 200 };

static void pause_ms(void)
{
	const struct timespec time = { 0, 1000000 };

	nanosleep(&time, NULL);
}

int cgroup_lock(int dir)
{
	for (unsigned i = 0; flock(dir, LOCK_SH | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK || i == LOCK_TRIES)
			return -1;
		pause_ms();
	}
	return 0;
}

/* Removes one group that has none in it, the first found below `dir`. False: there is none, or it does not go. */
static bool remove_deepest(int dir)
{
	int above = -1, at = openat(dir, ".", FOLDER);
	char *name = NULL;
	bool removed;

	while (at >= 0) {
		struct str_list names = STR_LIST_INIT;
		int next = -1;

		if (cgroup_list(at, &names) == 0 && names.count > 0)
			next = openat(at, names.items[0], FOLDER);
		if (next >= 0) {
			free(name);
			name = xstrdup(names.items[0]);
			if (above >= 0)
				close(above);
			above = at;
		} else {
			close(at);
		}
		at = next;
		str_list_free(&names);
	}
	removed = above >= 0 && unlinkat(above, name, AT_REMOVEDIR) == 0;
	if (above >= 0)
		close(above);
	free(name);
	return removed;
}

int cgroup_remove_tree(int parent, const char *name, int dir, unsigned wait_ms)
{
	for (unsigned waited = 0;; waited++) {
		while (dir >= 0 && remove_deepest(dir))
			;
		if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		if ((errno != EBUSY && errno != ENOTEMPTY) || waited >= wait_ms)
			return -1;
		pause_ms();
	}
}

static bool is_populated(int dir)
{
	struct str text = STR_INIT;
	uint64_t populated = 1;

	if (procfs_read(dir, "cgroup.events", &text) < 0 ||
	    !cgroup_parse_key(str_text(&text), "populated", &populated))
		populated = 1;
	str_free(&text);
	return populated != 0;
}

static bool is_dead(int dir)
{
	struct stat status;

	return fstat(dir, &status) == 0 && status.st_uid == geteuid() &&
	    flock(dir, LOCK_EX | LOCK_NB) == 0 && !is_populated(dir);
}

size_t cgroup_sweep_below(int dir)
{
	struct str_list names = STR_LIST_INIT;
	size_t removed = 0;

	if (cgroup_list(dir, &names) < 0)
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		int fd;

		if (!cgroup_name_is_ours(names.items[i]))
			continue;
		fd = openat(dir, names.items[i], FOLDER);
		if (fd < 0)
			continue;
		removed += is_dead(fd) && cgroup_remove_tree(dir, names.items[i], fd, 0) == 0;
		close(fd);
	}
	str_list_free(&names);
	return removed;
}
