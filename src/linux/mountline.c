/*
 * Child code as well: pieces of a line of mountinfo (mountline.h).
 */
#include "linux/mountline.h"

#include <string.h>

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

void mountline_unescape(char *text)
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

bool mountline_has_option(const char *options, const char *name)
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

bool mountline_is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	if (length == 1)	/* "/" */
		return true;
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}
