#include "linux/family.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/procfs.h"

/* Processes can be made as fast as they are looked for. */
enum { FAMILY_MAX = 65536 };

static void add(struct family *family, pid_t pid)
{
	if (family->count == family->size) {
		family->size = family->size * 2 + 16;
		family->pids = xreallocarray(family->pids, family->size, sizeof(*family->pids));
	}
	family->pids[family->count++] = pid;
}

bool family_has(const struct family *family, pid_t pid)
{
	for (size_t i = 0; i < family->count; i++) {
		if (family->pids[i] == pid)
			return true;
	}
	return false;
}

/* The list of one thread: numbers, each with a blank behind it. */
static int add_of_thread(struct family *family, int tasks, const char *thread)
{
	struct str text = STR_INIT;
	char name[300];
	const char *at;
	uint64_t pid;
	int result;

	snprintf(name, sizeof(name), "%s/children", thread);
	result = procfs_read(tasks, name, &text);
	for (at = str_text(&text); result == 0; at += strspn(at, " ")) {
		at = procfs_number(at, 10, &pid);
		if (at == NULL)
			break;
		add(family, (pid_t)pid);
	}
	str_free(&text);
	return result;
}

static int add_children(struct family *family, int proc, pid_t pid)
{
	struct dirent *entry;
	char name[32];
	int fd, result = 0, threads = 0;
	DIR *folder;

	snprintf(name, sizeof(name), "%ld/task", (long)pid);
	fd = openat(proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		/* A thread may end while the others are looked at. */
		if (add_of_thread(family, dirfd(folder), entry->d_name) == 0)
			threads++;
		else
			result = -1;
	}
	closedir(folder);
	if (threads == 0 && result < 0)
		errno = ENOENT;
	return threads > 0 ? 0 : -1;
}

int family_add(struct family *family, int proc, pid_t pid, bool deep)
{
	size_t next = family->count;

	if (add_children(family, proc, pid) < 0)
		return -1;
	/* What is added is looked at in its turn; who has gone had none, or they are somebody else's now. */
	for (; deep && next < family->count && next < FAMILY_MAX; next++)
		add_children(family, proc, family->pids[next]);
	return 0;
}

void family_free(struct family *family)
{
	free(family->pids);
	memset(family, 0, sizeof(*family));
}
