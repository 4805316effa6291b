/*
 * Reads /proc (procfs.h). What is read describes processes that may be hostile: texts are parsed with their
 * lengths, and what does not parse is an error.
 */
#include "linux/procfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int
procfs_open(void)
{
	int fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0)
		return -1;
	if (fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC)
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

int
procfs_open_process(int proc, int pid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", pid);
	return openat(proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int
procfs_read(int dir, const char *name, struct str *text)
{
	char buffer[16384];
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -1;
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		str_add_bytes(text, buffer, (size_t)got);
	int error = errno;
	close(fd);
	errno = error;
	return got < 0 ? -1 : 0;
}

uint64_t
procfs_namespace(int dir, const char *name)
{
	struct stat status;

	return fstatat(dir, name, &status, 0) == 0 ? (uint64_t)status.st_ino : 0;
}

const char *
procfs_field(const char *status, const char *key)
{
	size_t length = strlen(key);

	while (status != NULL && *status != '\0') {
		if (strncmp(status, key, length) == 0 && status[length] == ':') {
			status += length + 1;
			return status + strspn(status, " \t");
		}
		status = strchr(status, '\n');
		status += status != NULL;
	}
	return NULL;
}

bool
procfs_is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (length == 1 && folder[0] == '/')
		return true;
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool
is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Undoes \ooo in place (blank, tab, newline, backslash). */
static void
unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		if (from[0] == '\\' && is_octal(from[1]) && is_octal(from[2]) && is_octal(from[3])) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static bool
has_option(const char *options, const char *name)
{
	size_t length = strlen(name);

	while (*options != '\0') {
		size_t word = strcspn(options, ",");

		if (word == length && memcmp(options, name, length) == 0)
			return true;
		options += word + (options[word] == ',');
	}
	return false;
}

/* The next word of the line; the blank behind it is overwritten. NULL at the end. */
static char *
next_word(char **rest)
{
	char *word = *rest;
	char *end;

	if (word == NULL || *word == '\0')
		return NULL;
	end = strchr(word, ' ');
	if (end != NULL)
		*end++ = '\0';
	*rest = end;
	return word;
}

static bool
parse_id(const char *word, uint32_t *id)
{
	uint32_t number = 0;

	if (*word == '\0')
		return false;
	for (; *word != '\0'; word++) {
		if (*word < '0' || *word > '9' || number > (UINT32_MAX - 9) / 10)
			return false;
		number = number * 10 + (uint32_t)(*word - '0');
	}
	*id = number;
	return true;
}

static bool
parse_line(char *line, struct procfs_mount *mount)
{
	char *words[6], *word;

	memset(mount, 0, sizeof(*mount));
	for (size_t i = 0; i < 6; i++) {
		words[i] = next_word(&line);
		if (words[i] == NULL)
			return false;
	}
	if (!parse_id(words[0], &mount->id) || !parse_id(words[1], &mount->parent))
		return false;
	unescape(words[3]);
	unescape(words[4]);
	mount->device = words[2];
	mount->root = words[3];
	mount->point = words[4];
	mount->options = words[5];
	mount->read_only = has_option(words[5], "ro");
	mount->nosuid = has_option(words[5], "nosuid");
	mount->nodev = has_option(words[5], "nodev");
	mount->noexec = has_option(words[5], "noexec");
	while ((word = next_word(&line)) != NULL && strcmp(word, "-") != 0)
		mount->has_peer |= strncmp(word, "shared:", 7) == 0 || strncmp(word, "master:", 7) == 0;
	mount->type = next_word(&line);
	return mount->type != NULL;
}

int
procfs_parse_mounts(char *text, struct procfs_mounts *mounts)
{
	size_t lines = 0;

	mounts->text = text;
	mounts->count = 0;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	mounts->items = xcalloc(lines + 1, sizeof(*mounts->items));
	for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		if (!parse_line(line, &mounts->items[mounts->count++])) {
			procfs_mounts_free(mounts);
			errno = EPROTO;
			return -1;
		}
	}
	return 0;
}

void
procfs_mounts_free(struct procfs_mounts *mounts)
{
	free(mounts->items);
	free(mounts->text);
	memset(mounts, 0, sizeof(*mounts));
}
