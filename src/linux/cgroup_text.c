/*
 * Texts, names and paths of control groups (cgroup_text.h).
 */
#include "linux/cgroup_text.h"

#include <string.h>

#include "core/str.h"
#include "linux/procfs.h"

static const char name_prefix[] = "nsbox-";
static const char name_run[] = ".run";
/* Longer identifiers are cut: a number tells groups of the same name apart. */
enum { NAME_ID_MAX = 100 };

static const struct {
	const char *name;
	unsigned bit;
} controllers[] = {
	{ "memory", CGROUP_MEMORY }, { "pids", CGROUP_PIDS }, { "cpu", CGROUP_CPU },
};

enum { CONTROLLER_COUNT = sizeof(controllers) / sizeof(controllers[0]) };

unsigned cgroup_needed(const struct spec_limits *limits)
{
	return (limits->mem_bytes > 0 ? CGROUP_MEMORY : 0) | (limits->pids > 0 ? CGROUP_PIDS : 0) |
	    (limits->cpus_milli > 0 ? CGROUP_CPU : 0);
}

unsigned cgroup_count(unsigned set)
{
	unsigned count = 0;

	for (size_t i = 0; i < CONTROLLER_COUNT; i++)
		count += (set & controllers[i].bit) != 0;
	return count;
}

unsigned cgroup_parse_set(const char *text)
{
	static const char blanks[] = " \t\n";
	unsigned set = 0;

	while (*(text += strspn(text, blanks)) != '\0') {
		size_t length = strcspn(text, blanks);

		for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
			if (strlen(controllers[i].name) == length &&
			    memcmp(controllers[i].name, text, length) == 0)
				set |= controllers[i].bit;
		}
		text += length;
	}
	return set;
}

char *cgroup_format_set(unsigned set, char sign)
{
	struct str text = STR_INIT;

	for (size_t i = 0; i < CONTROLLER_COUNT; i++) {
		if (set & controllers[i].bit)
			str_addf(&text, "%s%c%s", text.length > 0 ? " " : "", sign, controllers[i].name);
	}
	return str_take(&text);
}

bool cgroup_parse_key(const char *text, const char *key, uint64_t *number)
{
	size_t length = strlen(key);
	const char *end;

	while (text != NULL && *text != '\0') {
		if (strncmp(text, key, length) == 0 && text[length] == ' ') {
			end = procfs_number(text + length + 1, 10, number);
			return end != NULL && (*end == '\n' || *end == '\0');
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return false;
}

bool cgroup_parse_number(const char *text, uint64_t *number)
{
	const char *end = procfs_number(text, 10, number);

	return end != NULL && (*end == '\0' || strcmp(end, "\n") == 0);
}

bool cgroup_parse_pids(const char *text, pid_t pid, size_t *others)
{
	bool found = false;
	uint64_t number;

	*others = 0;
	while (text != NULL && *text != '\0') {
		if (procfs_number(text, 10, &number) != NULL && number == (uint64_t)pid)
			found = true;
		else
			++*others;
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return found;
}

char *cgroup_parse_own(const char *text)
{
	static const char gone[] = " (deleted)";

	while (text != NULL && *text != '\0') {
		size_t length = strcspn(text, "\n");

		if (strncmp(text, "0::/", 4) == 0) {
			bool deleted = length >= sizeof(gone) + 3 &&
			    memcmp(text + length - (sizeof(gone) - 1), gone, sizeof(gone) - 1) == 0;

			return deleted ? NULL : xstrndup(text + 3, length - 3);
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return NULL;
}

/* How many ".." the path consists of; 0 for any other path. */
static unsigned count_up(const char *path)
{
	unsigned count = 0;

	while (strncmp(path, "/..", 3) == 0 && (path[3] == '/' || path[3] == '\0')) {
		path += 3;
		count++;
	}
	return *path == '\0' ? count : 0;
}

static bool leads_out(const char *path)
{
	for (; (path = strstr(path, "..")) != NULL; path += 2) {
		if (path[-1] == '/' && (path[2] == '/' || path[2] == '\0'))
			return true;
	}
	return false;
}

bool cgroup_path_below(const char *root, const char *own, const char **rest, unsigned *above)
{
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	const char *behind;

	*above = 0;
	if (root[0] != '/' || own[0] != '/')
		return false;
	if (strncmp(root, own, length) == 0 && (own[length] == '/' || own[length] == '\0')) {
		behind = own + length;
	} else {
		*above = count_up(root);
		if (*above == 0)
			return false;
		behind = own;
	}
	if (leads_out(behind))
		return false;
	*rest = behind + strspn(behind, "/");
	return true;
}

char *cgroup_name_run(const char *id, unsigned number)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
	struct str name = STR_INIT;

	str_add(&name, name_prefix);
	for (size_t i = 0; id[i] != '\0' && i < NAME_ID_MAX; i++)
		str_add_char(&name, strchr(allowed, id[i]) != NULL ? id[i] : '_');
	if (number > 0)
		str_addf(&name, ".%u", number);
	str_add(&name, name_run);
	return str_take(&name);
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(text), suffix_length = strlen(suffix);

	return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

bool cgroup_name_is_ours(const char *name)
{
	return strcmp(name, CGROUP_NAME_LEAF) == 0 ||
	    (str_has_prefix(name, name_prefix) && has_suffix(name + strlen(name_prefix), name_run));
}

void cgroup_quota(uint64_t milli, uint64_t *quota, uint64_t *period)
{
	/* The kernel takes quotas from 1 ms on: very small rates need its longest period. */
	*period = milli < 10 ? 1000000 : 100000;
	*quota = milli * (*period / 1000);
}
