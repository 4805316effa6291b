/*
 * Names of capabilities (caps.h).
 */
#include "linux/caps.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sys/capability.h>

static const char name_bytes[] = "abcdefghijklmnopqrstuvwxyz" "ABCDEFGHIJKLMNOPQRSTUVWXYZ" "_0123456789";

static int refuse(const char *name, struct err *err)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, name, 100);
	err_set(err, ERR_USAGE, "--cap-add %s: no capability of this name, see capabilities(7)",
	    str_text(&shown));
	str_free(&shown);
	return -1;
}

static int parse_one(const char *name, uint64_t *set, struct err *err)
{
	cap_value_t value;
	char *full;
	int result;

	/* cap_from_name stops at what it does not know, and is content with what came before. */
	if (name[strspn(name, name_bytes)] != '\0')
		return refuse(name, err);
	if (strcasecmp(name, "ALL") == 0) {
		*set |= (UINT64_C(1) << (cap_max_bits() & 63)) - 1;
		return 0;
	}
	/* cap_from_name takes numbers as well: the user is to write names. */
	full = strncasecmp(name, "cap_", 4) == 0 ? xstrdup(name) : xasprintf("cap_%s", name);
	result = cap_from_name(full, &value);
	free(full);
	if (result == 0 && value >= 0 && value < 64) {
		*set |= UINT64_C(1) << value;
		return 0;
	}
	return refuse(name, err);
}

int caps_parse(const struct str_list *names, uint64_t *set, struct err *err)
{
	*set = 0;
	for (size_t i = 0; i < names->count; i++) {
		if (parse_one(names->items[i], set, err) < 0)
			return -1;
	}
	return 0;
}

int caps_find(const char *name)
{
	cap_value_t value;

	if (*name == '\0' || name[strspn(name, name_bytes)] != '\0' || cap_from_name(name, &value) < 0)
		return -1;
	return value >= 0 && value < 64 ? (int)value : -1;
}
