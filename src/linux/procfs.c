/*
 * Reads /proc (procfs.h). What is read describes processes that may be hostile: texts are
 * parsed with their lengths, and what does not parse is an error.
 */
#include "linux/procfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/mountline.h"

int procfs_open(void)
{
	int fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0)
		return -1;
	int error = fstatfs(fd, &fs) < 0 ? errno : fs.f_type == PROC_SUPER_MAGIC ? 0 : ENOENT;
	if (error == 0)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

int procfs_open_process(int proc, int pid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", pid);
	return openat(proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int procfs_read(int dir, const char *name, struct str *text)
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

uint64_t procfs_namespace(int dir, const char *name)
{
	char text[64];
	ssize_t length = readlinkat(dir, name, text, sizeof(text) - 1);
	const char *number;
	uint64_t value;

	/* "net:[4026531833]". Following the link would tell the same and cost five times as much. */
	if (length <= 0)
		return 0;
	text[length] = '\0';
	number = strchr(text, '[');
	if (number == NULL || procfs_number(number + 1, 10, &value) == NULL)
		return 0;
	return value;
}

const char *procfs_field(const char *status, const char *key)
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

const char *procfs_number(const char *text, unsigned base, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = text, *digit;
	uint64_t value = 0;

	for (; *at != '\0' && (digit = memchr(digits, *at, base)) != NULL; at++) {
		unsigned next = (unsigned)(digit - digits);

		if (value > (UINT64_MAX - next) / base)
			return NULL;
		value = value * base + next;
	}
	if (at == text)
		return NULL;
	*number = value;
	return at;
}

/* The next word of the line; the blank behind it is overwritten. NULL at the end. */
static char *next_word(char **rest)
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

static bool parse_id(const char *word, uint32_t *id)
{
	uint64_t number;
	const char *end = procfs_number(word, 10, &number);

	if (end == NULL || *end != '\0' || number > UINT32_MAX)
		return false;
	*id = (uint32_t)number;
	return true;
}

static bool parse_line(char *line, struct procfs_mount *mount)
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
	mountline_unescape(words[3]);
	mountline_unescape(words[4]);
	mount->device = words[2];
	mount->root = words[3];
	mount->point = words[4];
	mount->options = words[5];
	mount->read_only = mountline_has_option(words[5], "ro");
	mount->nosuid = mountline_has_option(words[5], "nosuid");
	mount->nodev = mountline_has_option(words[5], "nodev");
	mount->noexec = mountline_has_option(words[5], "noexec");
	while ((word = next_word(&line)) != NULL && strcmp(word, "-") != 0)
		mount->has_peer |= strncmp(word, "shared:", 7) == 0 || strncmp(word, "master:", 7) == 0;
	mount->type = next_word(&line);
	return mount->type != NULL;
}

int procfs_parse_mounts(char *text, struct procfs_mounts *mounts)
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

void procfs_mounts_free(struct procfs_mounts *mounts)
{
	free(mounts->items);
	free(mounts->text);
	memset(mounts, 0, sizeof(*mounts));
}
