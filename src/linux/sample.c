/*
 * Samples all processes of a sandbox (sample.h).
 *
 * The sandbox's own procfs lists its processes and no others; it is opened through the child's root before COMMAND
 * runs, and nothing inside can take it away. Without one, the sandbox is what comes from init. CPU time is the sum over living processes of their own time and of
 * that of the children they waited for, as cpu_table.h keeps it.
 */
#include "linux/sample.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/family.h"
#include "linux/procfs.h"

int sample_open(struct sample *sample, const struct sample_source *source)
{
	memset(sample, 0, sizeof(*sample));
	sample->scratch = -1;
	sample->init = source->init;
	sample->killer = source->killer;
	sample->is_host = source->root < 0;
	if (sample->is_host) {
		sample->proc = fcntl(source->proc, F_DUPFD_CLOEXEC, 3);
		return sample->proc < 0 ? -1 : 0;
	}
	sample->proc = openat(source->root, "proc", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sample->proc < 0)
		return -1;
	/* The root is a folder of the same tmpfs as the scratch, whatever lies over /tmp. */
	sample->scratch = openat(source->root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

void sample_close(struct sample *sample)
{
	if (sample->proc >= 0)
		close(sample->proc);
	if (sample->scratch >= 0)
		close(sample->scratch);
	cpu_table_free(&sample->cpu);
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
static bool add_stat(struct sample *sample, const char *pid, bool is_init)
{
	struct cpu_row row = { .own = 0 };
	char text[1024];
	uint64_t number;
	const char *at;

	if (procfs_number(pid, 10, &row.pid) == NULL ||
	    !read_small(sample->proc, pid, "stat", text, sizeof(text)))
		return false;
	at = strrchr(text, ')');
	if (at == NULL)
		return false;
	/* State is field 3; utime, stime, cutime and cstime are 14 to 17; num_threads is 20. */
	at = skip_words(at + 2, 11);
	for (int i = 0; i < 4; i++) {
		if (procfs_number(at, 10, &number) != NULL)
			*(i < 2 ? &row.own : &row.children) += number;
		at = skip_words(at, 1);
	}
	if (is_init)
		row.own = 0;
	cpu_table_add(&sample->cpu, &row);
	at = skip_words(at, 2);
	if (!is_init && procfs_number(at, 10, &number) != NULL)
		sample->pids += number;
	return true;
}

/*
 * Anonymous memory and shared memory, in each process that maps it; pages of files are the
 * host's, and it takes them back when it needs them.
 */
static uint64_t quick_bytes(const struct sample *sample, const char *pid)
{
	static const char *const keys[] = { "RssAnon", "RssShmem", "VmSwap" };
	uint64_t sum = 0, number;
	const char *field;
	char text[4096];

	if (!read_small(sample->proc, pid, "status", text, sizeof(text)))
		return 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		field = procfs_field(text, keys[i]);
		if (field != NULL && procfs_number(field, 10, &number) != NULL)
			sum += number;
	}
	return sum * 1024;
}

/* The process's share of what it maps: memory that several share after fork is counted once in all. */
static bool exact_bytes(const struct sample *sample, const char *pid, uint64_t *anonymous,
    uint64_t *shared)
{
	uint64_t number = 0, kilobytes = 0;
	char text[2048];
	const char *field;

	if (!read_small(sample->proc, pid, "smaps_rollup", text, sizeof(text)))
		return false;
	field = procfs_field(text, "Pss_Anon");
	if (field == NULL || procfs_number(field, 10, &kilobytes) == NULL)
		return false;
	field = procfs_field(text, "Pss_Shmem");
	if (field != NULL)
		procfs_number(field, 10, &number);
	*anonymous += kilobytes * 1024;
	*shared += number * 1024;
	return true;
}

/* What the files of the scratch take: they are memory too. */
static uint64_t scratch_bytes(const struct sample *sample)
{
	struct statfs fs;

	if (sample->scratch < 0 || fstatfs(sample->scratch, &fs) < 0 || fs.f_type != TMPFS_MAGIC)
		return 0;
	return (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
}

/* What one pass adds up. */
struct sum {
	bool exact;		/* the slow figure of memory is asked for */
	uint64_t anonymous, shared;
};

static void add_process(struct sample *sample, const char *pid, bool is_init, struct sum *sum)
{
	if (!add_stat(sample, pid, is_init) || is_init)
		return;
	if (!sum->exact || !exact_bytes(sample, pid, &sum->anonymous, &sum->shared))
		sum->anonymous += quick_bytes(sample, pid);
}

/* All processes of the sandbox's own procfs. */
static int add_all(struct sample *sample, struct sum *sum)
{
	int fd = openat(sample->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			add_process(sample, entry->d_name, strcmp(entry->d_name, "1") == 0, sum);
	}
	closedir(folder);
	return 0;
}

/* What comes from init: it is the subreaper of all. */
static int add_family(struct sample *sample, struct sum *sum)
{
	struct family family = { NULL, 0, 0 };
	char pid[16];

	if (family_add(&family, sample->proc, sample->init, true) < 0)
		return -1;
	snprintf(pid, sizeof(pid), "%ld", (long)sample->init);
	add_process(sample, pid, true, sum);
	for (size_t i = 0; i < family.count; i++) {
		snprintf(pid, sizeof(pid), "%ld", (long)family.pids[i]);
		if (family.pids[i] != sample->killer)
			add_process(sample, pid, false, sum);
	}
	family_free(&family);
	return 0;
}

/* One pass over all processes. */
static int pass(struct sample *sample, bool exact)
{
	struct sum sum = { .exact = exact };
	uint64_t files = scratch_bytes(sample);
	int result;

	sample->pids = 0;
	result = sample->is_host ? add_family(sample, &sum) : add_all(sample, &sum);
	if (result < 0)
		return -1;
	/* A file of the scratch that is mapped is in both figures; which part that is cannot be told. */
	sample->bytes = sum.anonymous + (sum.shared > files ? sum.shared : files);
	sample->cpu_ns = cpu_table_finish(&sample->cpu) *
	    (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
	return 0;
}

int sample_take(struct sample *sample, uint64_t memory_limit)
{
	if (pass(sample, false) < 0)
		return -1;
	if (memory_limit > 0 && sample->bytes > memory_limit && pass(sample, true) < 0)
		return -1;
	if (sample->bytes > sample->peak_bytes)
		sample->peak_bytes = sample->bytes;
	if (sample->pids > sample->peak_pids)
		sample->peak_pids = sample->pids;
	return 0;
}
