/*
 * Reads and kills the group of a run (cgroup.h).
 */
#include "linux/cgroup.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "linux/cgroup_find.h"
#include "linux/cgroup_text.h"
#include "linux/procfs.h"

/* Rounds of killing one by one, before Linux 5.14. */
enum { KILL_ROUNDS = 100 };

/* The value of KEY in a file of the group, or the file's only number where `key` is NULL. */
static bool read_number(const struct cgroup *cgroup, const char *name, const char *key, uint64_t *number)
{
	struct str text = STR_INIT;
	bool known = cgroup->dir >= 0 && procfs_read(cgroup->dir, name, &text) == 0 &&
	    (key != NULL ? cgroup_parse_key(str_text(&text), key, number) :
	    cgroup_parse_number(str_text(&text), number));

	str_free(&text);
	return known;
}

bool cgroup_cpu_ns(const struct cgroup *cgroup, uint64_t *nanoseconds)
{
	uint64_t microseconds;

	if (!read_number(cgroup, "cpu.stat", "usage_usec", &microseconds) ||
	    microseconds > UINT64_MAX / 1000)
		return false;
	*nanoseconds = microseconds * 1000;
	return true;
}

bool cgroup_oom_kills(const struct cgroup *cgroup, uint64_t *count)
{
	return read_number(cgroup, "memory.events", "oom_kill", count);
}

bool cgroup_pids_refused(const struct cgroup *cgroup, uint64_t *count)
{
	return read_number(cgroup, "pids.events", "max", count);
}

void cgroup_usage(const struct cgroup *cgroup, struct report *report)
{
	uint64_t number;

	/* Linux 5.19 and 6.1. */
	if (read_number(cgroup, "memory.peak", NULL, &number))
		report->usage.peak_bytes = (struct figure){ true, number };
	if (read_number(cgroup, "pids.peak", NULL, &number))
		report->usage.pids_peak = (struct figure){ true, number };
}

/* The path of the group that the process is in, for the report. Owned by the caller. */
static char *group_path(pid_t pid)
{
	struct str text = STR_INIT, path = STR_INIT;
	int proc = procfs_open(), dir = proc < 0 ? -1 : procfs_open_process(proc, pid);
	char *own = NULL;

	if (dir >= 0 && procfs_read(dir, "cgroup", &text) == 0)
		own = cgroup_parse_own(str_text(&text));
	str_add_printable(&path, own != NULL ? own : "its group", 0);
	free(own);
	str_free(&text);
	if (dir >= 0)
		close(dir);
	if (proc >= 0)
		close(proc);
	return str_take(&path);
}

static bool has_process(const struct cgroup *cgroup, pid_t pid)
{
	struct str text = STR_INIT;
	size_t others;
	bool found = procfs_read(cgroup->entry, "cgroup.procs", &text) == 0 &&
	    cgroup_parse_pids(str_text(&text), pid, &others);

	str_free(&text);
	return found;
}

/* Whether the host has no swap to go to; /proc/swaps is a line of titles and one for each. */
static bool has_no_swap(void)
{
	struct str text = STR_INIT;
	int proc = procfs_open();
	const char *line = NULL;
	bool answer = false;

	if (proc >= 0 && procfs_read(proc, "swaps", &text) == 0)
		line = strchr(str_text(&text), '\n');
	else
		answer = proc >= 0 && errno == ENOENT;
	if (line != NULL)
		answer = line[1] == '\0';
	str_free(&text);
	if (proc >= 0)
		close(proc);
	return answer;
}

static void confirm_memory(const struct cgroup *cgroup, struct report *report, uint64_t asked)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), limit, swap, together;

	/* The kernel counts in pages. */
	if (!read_number(cgroup, "memory.max", NULL, &limit) || limit != asked - asked % page ||
	    !read_number(cgroup, "memory.oom.group", NULL, &together) || together != 1)
		return;
	if (read_number(cgroup, "memory.swap.max", NULL, &swap)) {
		if (swap == 0)
			report_confirm(report, CONTROL_MEM, "cgroup2", 0,
			    "memory.max %" PRIu64 ", memory.swap.max 0", limit);
	} else if (faccessat(cgroup->dir, "memory.swap.max", F_OK, 0) < 0 && has_no_swap()) {
		report_confirm(report, CONTROL_MEM, "cgroup2", 0,
		    "memory.max %" PRIu64 ", the host has no swap", limit);
	}
}

static void confirm_pids(const struct cgroup *cgroup, struct report *report, uint64_t asked)
{
	uint64_t limit;

	if (read_number(cgroup, "pids.max", NULL, &limit) && limit - 1 <= asked)
		report_confirm(report, CONTROL_PIDS, "cgroup2", 0, "pids.max %" PRIu64, limit);
}

static void confirm_rate(const struct cgroup *cgroup, struct report *report, uint64_t asked)
{
	struct str text = STR_INIT;
	uint64_t quota, period;
	char *wanted;

	cgroup_quota(asked, &quota, &period);
	wanted = xasprintf("%" PRIu64 " %" PRIu64 "\n", quota, period);
	if (procfs_read(cgroup->dir, "cpu.max", &text) == 0 && strcmp(str_text(&text), wanted) == 0)
		report_confirm(report, CONTROL_CPUS, "cgroup2", 0, "cpu.max %" PRIu64 " %" PRIu64, quota,
		    period);
	free(wanted);
	str_free(&text);
}

void cgroup_confirm(const struct cgroup *cgroup, struct report *report,
    const struct spec_limits *limits, pid_t pid)
{
	char *path;

	if (cgroup->dir < 0 || cgroup->entry < 0 || !has_process(cgroup, pid))
		return;
	path = group_path(pid);
	report_confirm(report, CONTROL_CGROUP, "cgroup2", 0, "pid 1 is in %s", path);
	free(path);
	if (cgroup->has_mem && limits->mem_bytes > 0)
		confirm_memory(cgroup, report, limits->mem_bytes);
	if (cgroup->has_pids && limits->pids > 0)
		confirm_pids(cgroup, report, limits->pids);
	if (cgroup->has_cpu_rate && limits->cpus_milli > 0)
		confirm_rate(cgroup, report, limits->cpus_milli);
}

/* Sends SIGKILL to each process of the group once; how many there were. */
static size_t kill_each(const struct cgroup *cgroup)
{
	struct str text = STR_INIT;
	size_t count = 0;

	if (procfs_read(cgroup->entry, "cgroup.procs", &text) < 0)
		return 0;
	for (const char *line = str_text(&text); line != NULL && *line != '\0';) {
		uint64_t pid;

		/* 0 stands for a process that this process has no number for; kill would take it for us all. */
		if (procfs_number(line, 10, &pid) != NULL && pid > 1 && pid <= INT32_MAX &&
		    (pid_t)pid != getpid()) {
			kill((pid_t)pid, SIGKILL);
			count++;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	str_free(&text);
	return count;
}

void cgroup_kill(const struct cgroup *cgroup)
{
	const struct timespec pause = { 0, 1000000 };

	if (cgroup->dir < 0 || cgroup_write(cgroup->dir, "cgroup.kill", "1") == 0)
		return;
	/* Frozen, nothing can fork away from the list while it is read. */
	cgroup_write(cgroup->dir, "cgroup.freeze", "1");
	for (unsigned i = 0; i < KILL_ROUNDS && kill_each(cgroup) > 0; i++)
		nanosleep(&pause, NULL);
	cgroup_write(cgroup->dir, "cgroup.freeze", "0");
}
