/*
 * Names of capabilities (caps.h).
 */
#include "linux/caps.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sys/capability.h>

static int parse_one(const char *name, uint64_t *set, struct err *err)
{
	struct str shown = STR_INIT;
	cap_value_t value;
	char *full;
	int result;

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
	str_add_printable(&shown, name, 100);
	err_set(err, ERR_USAGE, "--cap-add %s: no capability of this name, see capabilities(7)",
	    str_text(&shown));
	str_free(&shown);
	return -1;
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
