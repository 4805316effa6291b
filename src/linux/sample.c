/*
 * Samples all processes of a sandbox (sample.h).
 *
 * The sandbox's own procfs lists its processes and no others; it is opened through the child's root before COMMAND
 * runs, and nothing inside can take it away. CPU time is the sum over living processes of their own time and of
 * that of the children they waited for: what a process that has ended used is then in its parent, or in pid 1. A process whose
 * parent ignores SIGCHLD takes its time with it; the sum falls then, and what it fell by is kept.
 */
#include "linux/sample.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/procfs.h"

int sample_open(struct sample *sample, int root)
{
	memset(sample, 0, sizeof(*sample));
	sample->scratch = -1;
	sample->proc = openat(root, "proc", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sample->proc < 0)
		return -1;
	sample->scratch = openat(root, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return 0;
}

void sample_close(struct sample *sample)
{
	if (sample->proc >= 0)
		close(sample->proc);
	if (sample->scratch >= 0)
		close(sample->scratch);
	sample->proc = sample->scratch = -1;
}

/* Reads a small file of a process into the buffer; false where it has gone. */
static bool read_small(int dir, const char *pid, const char *file, char *text, size_t size)
{
	char name[64];
	ssize_t got;
	int fd;

	snprintf(name, sizeof(name), "%s/%s", pid, file);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, size - 1);
	close(fd);
	if (got <= 0)
		return false;
	text[got] = '\0';
	return true;
}

/* Moves over `count` blank-separated words. */
static const char *skip_words(const char *at, int count)
{
	while (count-- > 0) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return at;
}

/* proc_pid_stat(5): the name may hold anything, also blanks and ')', so counting starts behind the last ')'. */
static bool add_stat(struct sample *sample, const char *pid, bool is_init, uint64_t *cpu_ticks)
{
	char text[1024];
	uint64_t number;
	const char *at;

	if (!read_small(sample->proc, pid, "stat", text, sizeof(text)))
		return false;
	at = strrchr(text, ')');
	if (at == NULL)
		return false;
	/* State is field 3; utime, stime, cutime and cstime are 14 to 17; num_threads is 20. */
	at = skip_words(at + 2, 11);
	for (int i = 0; i < 4; i++) {
		if (procfs_number(at, 10, &number) != NULL && !(is_init && i < 2))
			*cpu_ticks += number;
		at = skip_words(at, 1);
	}
	at = skip_words(at, 2);
	if (!is_init && procfs_number(at, 10, &number) != NULL)
		sample->pids += number;
	return true;
}

/* What is resident and not shared with a file: anonymous memory, counted in each process that maps it. */
static uint64_t quick_bytes(const struct sample *sample, const char *pid)
{
	char text[256];
	uint64_t resident = 0, shared = 0;
	const char *at;

	if (!read_small(sample->proc, pid, "statm", text, sizeof(text)))
		return 0;
	at = skip_words(text, 1);
	procfs_number(at, 10, &resident);
	procfs_number(skip_words(at, 1), 10, &shared);
	return resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The process's share of what it maps: memory that several share after fork is counted once in all. */
static bool exact_bytes(const struct sample *sample, const char *pid, uint64_t *bytes)
{
	char text[2048];
	uint64_t anonymous = 0, shared = 0;
	const char *field;

	if (!read_small(sample->proc, pid, "smaps_rollup", text, sizeof(text)))
		return false;
	field = procfs_field(text, "Pss_Anon");
	if (field == NULL || procfs_number(field, 10, &anonymous) == NULL)
		return false;
	field = procfs_field(text, "Pss_Shmem");
	if (field != NULL)
		procfs_number(field, 10, &shared);
	*bytes = (anonymous + shared) * 1024;
	return true;
}

/* What the files of the scratch take: they are memory too. */
static uint64_t scratch_bytes(const struct sample *sample)
{
	struct statvfs fs;

	if (sample->scratch < 0 || fstatvfs(sample->scratch, &fs) < 0)
		return 0;
	return (uint64_t)(fs.f_blocks - fs.f_bfree) * fs.f_frsize;
}

/* One pass; `exact` asks for the slow figure. */
static int pass(struct sample *sample, bool exact, uint64_t *cpu_ticks)
{
	struct dirent *entry;
	uint64_t bytes;
	DIR *folder;
	int fd = openat(sample->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	folder = fd < 0 ? NULL : fdopendir(fd);
	if (folder == NULL)
		return -1;
	*cpu_ticks = 0;
	sample->pids = 0;
	sample->bytes = scratch_bytes(sample);
	while ((entry = readdir(folder)) != NULL) {
		const char *pid = entry->d_name;

		if (pid[0] < '0' || pid[0] > '9')
			continue;
		if (!add_stat(sample, pid, strcmp(pid, "1") == 0, cpu_ticks) || strcmp(pid, "1") == 0)
			continue;
		if (!exact || !exact_bytes(sample, pid, &bytes))
			bytes = quick_bytes(sample, pid);
		sample->bytes += bytes;
	}
	closedir(folder);
	return 0;
}

int sample_take(struct sample *sample, uint64_t memory_limit)
{
	uint64_t ticks, sum;

	if (pass(sample, false, &ticks) < 0)
		return -1;
	if (memory_limit > 0 && sample->bytes > memory_limit && pass(sample, true, &ticks) < 0)
		return -1;
	sum = ticks * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
	if (sum < sample->last_cpu_ns)
		sample->lost_cpu_ns += sample->last_cpu_ns - sum;
	sample->last_cpu_ns = sum;
	sample->cpu_ns = sum + sample->lost_cpu_ns;
	if (sample->bytes > sample->peak_bytes)
		sample->peak_bytes = sample->bytes;
	if (sample->pids > sample->peak_pids)
		sample->peak_pids = sample->pids;
	return 0;
}
