/*
 * Makes and removes the group of a run (cgroup.h).
 *
 * Where a group may be made is found by trying, in the order of `places`: below the own group, beside it, or, where
 * this process is alone in a group that it was given, below it after having moved to a leaf. Of places that
 * are equal in the controllers that the limits need the first wins. Nothing is enabled in a group that
 * holds anybody else.
 */
#include "linux/cgroup.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/cgroup_find.h"
#include "linux/cgroup_sweep.h"
#include "linux/cgroup_text.h"
#include "linux/procfs.h"

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
/* How many groups of the same name are passed over, and how often a swept one is made again. */
enum { MAKE_TRIES = 100 };
/* How long the kernel may take to let go of a group whose processes are dead. */
enum { REMOVE_WAIT_MS = 2000 };
/* The largest number that pids.max takes; there cannot be more processes. */
enum { PIDS_LIMIT_MAX = 4194304 };

static const char entry_name[] = "inside";
/* Where this process goes itself. One name is enough: who does that is alone. */
static const char leaf_name[] = CGROUP_NAME_LEAF;

/* Somewhere to make a group. */
struct place {
	int dir;
	unsigned has;		/* the controllers, of those needed, that a group there would have */
	bool must_move;		/* this process has to leave the group first */
};

enum { PLACE_COUNT = 3 };

static unsigned read_set(int dir, const char *name)
{
	struct str text = STR_INIT;
	unsigned set = procfs_read(dir, name, &text) == 0 ? cgroup_parse_set(str_text(&text)) : 0;

	str_free(&text);
	return set;
}

static bool has_file(int dir, const char *name, int mode)
{
	return faccessat(dir, name, mode, AT_EACCESS) == 0;
}

static size_t list_places(const struct cgroup_home *home, unsigned needed, struct place *places)
{
	unsigned enabled = read_set(home->own, "cgroup.subtree_control");
	size_t count = 0;

	places[count++] = (struct place){ home->own, enabled & needed, false };
	if (home->above >= 0)
		places[count++] = (struct place){ home->above,
		    read_set(home->above, "cgroup.subtree_control") & needed, false };
	/* The hierarchy's root has no cgroup.type: it is never changed. */
	if (needed != 0 && enabled == 0 && home->alone && has_file(home->own, "cgroup.type", F_OK) &&
	    has_file(home->own, "cgroup.subtree_control", W_OK))
		places[count++] = (struct place){ home->own,
		    read_set(home->own, "cgroup.controllers") & needed, true };
	return count;
}

static void close_take(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Undoes move_self: this process goes back to the group `own`, and the leaf is removed. */
static void move_back(int own)
{
	char *set = cgroup_format_set(read_set(own, "cgroup.subtree_control"), '-');

	/* In this order: a group that has controllers enabled takes no processes. */
	if (*set != '\0')
		cgroup_write(own, "cgroup.subtree_control", set);
	cgroup_write(own, "cgroup.procs", "0");
	cgroup_remove_tree(own, leaf_name, -1, 100);
	free(set);
}

/* Moves this process from the group `own` to a leaf in it and enables `set` there. 0, or -1 with errno. */
static int move_self(int own, unsigned set)
{
	char *text;
	int error, fd;

	/* A run that was killed may have left it. */
	if (mkdirat(own, leaf_name, 0755) < 0 && errno != EEXIST)
		return -1;
	text = cgroup_format_set(set, '+');
	fd = openat(own, leaf_name, FOLDER);
	if (fd >= 0 && cgroup_write(fd, "cgroup.procs", "0") == 0 &&
	    cgroup_write(own, "cgroup.subtree_control", text) == 0) {
		free(text);
		close(fd);
		return 0;
	}
	error = errno;
	move_back(own);
	close_take(&fd);
	free(text);
	errno = error;
	return -1;
}

/* Whether processes may be put into the new group: below a group of threads they may not. */
static bool is_domain(int dir)
{
	struct str text = STR_INIT;
	bool answer = procfs_read(dir, "cgroup.type", &text) == 0 &&
	    strcmp(str_text(&text), "domain\n") == 0;

	str_free(&text);
	return answer;
}

/* Opens, locks and fills the folder that was just made. 0, or -1 with errno. */
static int open_new(struct cgroup *cgroup)
{
	cgroup->dir = openat(cgroup->parent, cgroup->name, FOLDER);
	if (cgroup->dir < 0 || cgroup_lock(cgroup->dir) < 0)
		return -1;
	if (!is_domain(cgroup->dir)) {
		/* A folder that was swept in between has no files. */
		errno = has_file(cgroup->dir, "cgroup.type", F_OK) ? EOPNOTSUPP : ENOENT;
		return -1;
	}
	if (mkdirat(cgroup->dir, entry_name, 0755) < 0)
		return -1;
	cgroup->entry = openat(cgroup->dir, entry_name, FOLDER);
	return cgroup->entry < 0 ? -1 : 0;
}

static void remove_new(struct cgroup *cgroup)
{
	int error = errno;

	cgroup_remove_tree(cgroup->parent, cgroup->name, cgroup->dir, 0);
	close_take(&cgroup->entry);
	close_take(&cgroup->dir);
	errno = error;
}

/* Makes both groups below cgroup->parent under the first free name. 0, or -1 with errno and nothing made. */
static int make_groups(struct cgroup *cgroup, const char *id)
{
	unsigned number = 0;

	for (unsigned i = 0; i < MAKE_TRIES; i++) {
		free(cgroup->name);
		cgroup->name = cgroup_name_run(id, number);
		if (mkdirat(cgroup->parent, cgroup->name, 0755) < 0) {
			if (errno != EEXIST)
				return -1;
			number++;
			continue;
		}
		if (open_new(cgroup) == 0)
			return 0;
		remove_new(cgroup);
		if (errno != ENOENT && errno != ENODEV)
			return -1;
	}
	errno = EEXIST;
	return -1;
}

/* Makes the groups in this place. 0, or -1 with errno and everything as it was. */
static int make_in(struct cgroup *cgroup, const struct place *place, const char *id)
{
	int error;

	/* Who may not write this may not put a process into a group below either. */
	if (!has_file(place->dir, "cgroup.procs", W_OK))
		return -1;
	if (place->must_move && move_self(place->dir, place->has) < 0)
		return -1;
	cgroup->moved_self = place->must_move;
	cgroup->parent = fcntl(place->dir, F_DUPFD_CLOEXEC, 0);
	if (cgroup->parent >= 0 && make_groups(cgroup, id) == 0)
		return 0;
	error = errno;
	if (place->must_move)
		move_back(place->dir);
	cgroup->moved_self = false;
	close_take(&cgroup->parent);
	free(cgroup->name);
	cgroup->name = NULL;
	errno = error;
	return -1;
}

/* Tries all places, those with more of the needed controllers first. */
static bool make_somewhere(struct cgroup *cgroup, const struct cgroup_home *home, const char *id,
    unsigned needed)
{
	struct place places[PLACE_COUNT];
	size_t count = list_places(home, needed, places);
	int error = 0;

	for (unsigned wanted = cgroup_count(needed) + 1; wanted-- > 0;) {
		for (size_t i = 0; i < count; i++) {
			if (cgroup_count(places[i].has) != wanted)
				continue;
			if (make_in(cgroup, &places[i], id) == 0)
				return true;
			error = error != 0 ? error : errno;
		}
	}
	cgroup->reason = xasprintf("no control group can be made below or beside nsbox's own (%s: %s)",
	    errno_name(error) != NULL ? errno_name(error) : "error", strerror(error));
	return false;
}

static int write_number(const struct cgroup *cgroup, const char *name, uint64_t number, struct err *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	if (cgroup_write(cgroup->dir, name, text) < 0)
		return err_sys(err, ERR_SETUP, errno, "control group: cannot write %s to %s", text, name);
	return 0;
}

static int write_limits(struct cgroup *cgroup, const struct spec_limits *limits, struct err *err)
{
	uint64_t quota, period;
	char text[64];

	if (cgroup->has_mem && limits->mem_bytes > 0) {
		if (write_number(cgroup, "memory.max", limits->mem_bytes, err) < 0 ||
		    write_number(cgroup, "memory.oom.group", 1, err) < 0)
			return -1;
		/* Missing where the kernel does not count swap. */
		if (has_file(cgroup->dir, "memory.swap.max", F_OK) &&
		    write_number(cgroup, "memory.swap.max", 0, err) < 0)
			return -1;
	}
	/* nsbox's own pid 1 is one more. */
	if (cgroup->has_pids && limits->pids > 0 && write_number(cgroup, "pids.max",
	    limits->pids < PIDS_LIMIT_MAX ? limits->pids + 1 : PIDS_LIMIT_MAX, err) < 0)
		return -1;
	if (cgroup->has_cpu_rate && limits->cpus_milli > 0) {
		cgroup_quota(limits->cpus_milli, &quota, &period);
		snprintf(text, sizeof(text), "%llu %llu", (unsigned long long)quota,
		    (unsigned long long)period);
		if (cgroup_write(cgroup->dir, "cpu.max", text) < 0)
			return err_sys(err, ERR_SETUP, errno, "control group: cannot write %s to cpu.max", text);
	}
	return 0;
}

int cgroup_make(struct cgroup *cgroup, const char *id, const struct spec_limits *limits,
    struct err *err)
{
	struct cgroup_home home;
	uint64_t nanoseconds;
	bool made = false;

	*cgroup = (struct cgroup)CGROUP_INIT;
	if (cgroup_find(&home)) {
		cgroup_sweep_below(home.own);
		if (home.above >= 0)
			cgroup_sweep_below(home.above);
		made = make_somewhere(cgroup, &home, id, cgroup_needed(limits));
	} else {
		cgroup->reason = home.reason;
		home.reason = NULL;
	}
	cgroup_home_free(&home);
	if (!made)
		return 0;
	cgroup->has_mem = has_file(cgroup->dir, "memory.max", W_OK);
	cgroup->has_pids = has_file(cgroup->dir, "pids.max", W_OK);
	cgroup->has_cpu_rate = has_file(cgroup->dir, "cpu.max", W_OK);
	cgroup->has_cpu_time = cgroup_cpu_ns(cgroup, &nanoseconds);
	if (write_limits(cgroup, limits, err) == 0)
		return 0;
	cgroup_remove(cgroup);
	return -1;
}

int cgroup_enter(const struct cgroup *cgroup, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return cgroup_write(cgroup->entry, "cgroup.procs", text);
}

int cgroup_remove(struct cgroup *cgroup)
{
	int result = 0, error = 0;

	if (cgroup->dir >= 0 &&
	    cgroup_remove_tree(cgroup->parent, cgroup->name, cgroup->dir, REMOVE_WAIT_MS) < 0) {
		result = -1;
		error = errno;
	}
	if (cgroup->moved_self)
		move_back(cgroup->parent);
	close_take(&cgroup->entry);
	close_take(&cgroup->dir);
	close_take(&cgroup->parent);
	free(cgroup->name);
	free(cgroup->reason);
	*cgroup = (struct cgroup)CGROUP_INIT;
	errno = error;
	return result;
}

size_t cgroup_sweep(void)
{
	struct cgroup_home home;
	size_t removed = 0;

	if (cgroup_find(&home)) {
		removed = cgroup_sweep_below(home.own);
		if (home.above >= 0)
			removed += cgroup_sweep_below(home.above);
	}
	cgroup_home_free(&home);
	return removed;
}
