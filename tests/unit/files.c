/*
 * Files and folders for tests that need real ones (files.h).
 */
#include "unit/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

void files_enter_new_folder(void)
{
	char name[] = "test-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
}

void files_make_dir(const char *path)
{
	ck_assert_msg(mkdir(path, 0700) == 0 && chmod(path, 0755) == 0, "mkdir %s: %s", path,
	    strerror(errno));
}

void files_put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

bool files_exist(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

unsigned files_mode(const char *path)
{
	struct stat status;

	ck_assert_msg(lstat(path, &status) == 0, "%s: %s", path, strerror(errno));
	return status.st_mode & 07777;
}

size_t files_count(const char *path)
{
	DIR *folder = opendir(path);
	size_t count = 0;

	ck_assert_msg(folder != NULL, "%s: %s", path, strerror(errno));
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

int files_next_descriptor(void)
{
	int fd = fcntl(0, F_DUPFD_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	close(fd);
	return fd;
}
