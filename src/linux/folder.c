#include "linux/folder.h"

#include <dirent.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

int folder_count(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int count = 0;

	if (folder == NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(folder)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(folder);
	return count;
}
