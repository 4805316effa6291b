/*
 * Paths of Windows (path.h).
 */
#include "win/path.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "core/value.h"

enum { SHOWN_MAX = 200 };

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_letter(char c)
{
	return lower(c) >= 'a' && lower(c) <= 'z';
}

static bool is_slash(char c)
{
	return c == '\\' || c == '/';
}

static bool same_bytes(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (lower(a[i]) != lower(b[i]))
			return false;
	return true;
}

bool path_same(const char *a, const char *b)
{
	return strlen(a) == strlen(b) && same_bytes(a, b, strlen(a));
}

bool path_has_drive(const char *path)
{
	return is_letter(path[0]) && path[1] == ':';
}

bool path_is_root(const char *path)
{
	return path_has_drive(path) && path[2] == '\\' && path[3] == '\0';
}

bool path_is_in(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (length > 0 && folder[length - 1] == '\\')
		length--;
	return strlen(path) >= length && same_bytes(path, folder, length) &&
	    (path[length] == '\0' || path[length] == '\\');
}

char *path_join(const char *folder, const char *name)
{
	size_t length = strlen(folder);

	return xasprintf("%s%s%s", folder, length > 0 && folder[length - 1] == '\\' ? "" : "\\", name);
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '\\');

	return slash ? slash + 1 : path;
}

char *path_parent(const char *path)
{
	size_t length = (size_t)(path_name(path) - path);

	/* The backslash behind a drive belongs to the root. */
	if (length > 3)
		length--;
	return xstrndup(path, length);
}

static int refuse(struct err *err, const char *option, const char *word, const char *why)
{
	struct str text = STR_INIT;

	str_add(&text, option);
	str_add(&text, ": '");
	str_add_printable(&text, word, SHOWN_MAX);
	str_addf(&text, "' %s", why);
	err_set(err, ERR_USAGE, "%s", str_text(&text));
	str_free(&text);
	return -1;
}

/* Names that are devices in every folder, with any extension. */
static bool is_device(const char *name, size_t length)
{
	static const char *const devices[] = { "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$" };
	size_t stem = 0;

	while (stem < length && name[stem] != '.' && name[stem] != ' ')
		stem++;
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (strlen(devices[i]) == stem && same_bytes(name, devices[i], stem))
			return true;
	/* COM1 to COM9 and LPT1 to LPT9, and the superscript digits that count as 1 to 3. */
	if ((stem == 4 || stem == 5) && (same_bytes(name, "COM", 3) || same_bytes(name, "LPT", 3)))
		return (stem == 4 && name[3] >= '0' && name[3] <= '9') ||
		    (stem == 5 && (memcmp(name + 3, "\xc2\xb9", 2) == 0 ||
		    memcmp(name + 3, "\xc2\xb2", 2) == 0 || memcmp(name + 3, "\xc2\xb3", 2) == 0));
	return false;
}

/* Why a component cannot be one; NULL: it can. */
static const char *fault_of(const char *name, size_t length)
{
	if (length == 2 && memcmp(name, "..", 2) == 0)
		return "has a '..' component";
	for (size_t i = 0; i < length; i++) {
		if (name[i] == ':')
			return "has a ':' behind the drive, which names a stream of a file";
		if ((unsigned char)name[i] < 0x20 || strchr("<>\"|?*", name[i]))
			return "has a character in it that no file name of Windows has";
	}
	if (name[length - 1] == '.' || name[length - 1] == ' ')
		return "has a component that ends in a dot or a blank, which Windows leaves out";
	if (is_device(name, length))
		return "has a component that is the name of a device";
	return NULL;
}

static bool is_valid_utf8(const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		size_t length = str_utf8_length(text, left);

		if (length == 0)
			return false;
		text += length;
		left -= length;
	}
	return true;
}

static int parse_drive_path(const char *option, const char *word, char **path, struct err *err)
{
	struct str text = STR_INIT;
	const char *at = word + 2;
	const char *fault = NULL;

	str_addf(&text, "%c:", lower(word[0]) - 'a' + 'A');
	while (*at && !fault) {
		size_t length = strcspn(at, "\\/");

		if (length > 0 && !(length == 1 && *at == '.')) {
			fault = fault_of(at, length);
			str_add_char(&text, '\\');
			str_add_bytes(&text, at, length);
		}
		at += length;
		at += strspn(at, "\\/");
	}
	if (text.length == 2)
		str_add_char(&text, '\\');
	if (fault) {
		str_free(&text);
		return refuse(err, option, word, fault);
	}
	*path = str_take(&text);
	return 0;
}

int path_parse(const char *option, const char *word, char **path, struct err *err)
{
	if (!*word)
		return err_set(err, ERR_USAGE, "%s: the path is empty", option);
	if (!is_valid_utf8(word))
		return refuse(err, option, word, "is not valid UTF-8");
	if (is_slash(word[0]) && is_slash(word[1]))
		return refuse(err, option, word, "is on another machine or names a device");
	if (word[0] == '/')
		return value_parse_dest(option, word, path, err);
	if (!path_has_drive(word) || !is_slash(word[2]))
		return refuse(err, option, word, "is not an absolute path (such as C:\\tools)");
	return parse_drive_path(option, word, path, err);
}

bool path_is_plain(const char *path)
{
	struct err err = ERR_INIT;
	char *again = NULL;
	bool is_plain = path_has_drive(path) && path_parse("", path, &again, &err) == 0 &&
	    strcmp(again, path) == 0;

	free(again);
	err_clear(&err);
	return is_plain;
}
