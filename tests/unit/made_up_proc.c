#include "unit/made_up_proc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/unit.h"

void world_make(struct world *world)
{
	const char *base = getenv("TMPDIR");

	world->path = xasprintf("%s/sample.XXXXXX", base != NULL ? base : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(world->path));
	world->root = open(world->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(world->root, 0);
	ck_assert_int_eq(mkdirat(world->root, "proc", 0700), 0);
}

int world_try(struct world *world)
{
	const struct sample_source source = { .root = world->root, .proc = -1, .init = 1 };

	return sample_open(&world->sample, &source);
}

void world_open(struct world *world)
{
	world_make(world);
	ck_assert_int_eq(world_try(world), 0);
}

void world_put(const struct world *world, int pid, const char *file, const char *text)
{
	char *folder = xasprintf("proc/%d", pid), *path = xasprintf("%s/%s", folder, file);
	int fd;

	ck_assert(mkdirat(world->root, folder, 0700) == 0 || errno == EEXIST);
	fd = openat(world->root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	free(folder);
	free(path);
}

void world_add(const struct world *world, const struct made_up *process)
{
	char *stat = xasprintf("%d (%s) S 1 1 1 0 -1 4194560 100 0 0 0 %u %u %u %u 20 0 %u 0 1000 5000000 300 "
	    "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n", process->pid,
	    process->name != NULL ? process->name : "x", process->user, process->system,
	    process->child_user, process->child_system, process->threads);
	unsigned page = (unsigned)sysconf(_SC_PAGESIZE) / 1024;
	char *status = xasprintf("Name:\tx\nVmRSS:\t%u kB\nRssAnon:\t%u kB\nRssFile:\t%u kB\nRssShmem:\t%u kB\n",
	    process->resident * page, (process->resident - process->shared) * page,
	    process->file * page, (process->shared - process->file) * page);

	world_put(world, process->pid, "stat", stat);
	world_put(world, process->pid, "status", status);
	free(stat);
	free(status);
}

void world_remove(const struct world *world, int pid)
{
	static const char *const files[] = { "stat", "status", "smaps_rollup" };
	char *folder = xasprintf("proc/%d", pid);

	for (size_t i = 0; i < UNIT_COUNT(files); i++) {
		char *path = xasprintf("%s/%s", folder, files[i]);

		unlinkat(world->root, path, 0);
		free(path);
	}
	ck_assert_int_eq(unlinkat(world->root, folder, AT_REMOVEDIR), 0);
	free(folder);
}

void world_free(struct world *world)
{
	char *proc = xasprintf("%s/proc", world->path), *path;

	for (int pid = 0; pid < 400; pid++) {
		path = xasprintf("%s/%d", proc, pid);
		if (access(path, F_OK) == 0)
			world_remove(world, pid);
		free(path);
	}
	sample_close(&world->sample);
	sample_close(&world->sample);	/* twice is harmless */
	close(world->root);
	rmdir(proc);
	rmdir(world->path);
	free(proc);
	free(world->path);
}
