/*
 * What of a view Landlock can express: rules on files where they are. Nothing can
 * be shown at another place, covered, or made up.
 */
#ifndef NSBOX_LANDLOCK_EXPRESS_H
#define NSBOX_LANDLOCK_EXPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/report.h"
#include "core/spec.h"
#include "linux/view.h"

/* A file or folder that is allowed; borrowed from the view. */
struct allowance {
	const struct view_item *item;
	bool is_wide;		/* it may be written */
};

struct allowances {
	struct allowance *items;	/* sorted by path; owned */
	size_t count;
	struct str_list left_out;	/* what --allow-missing let go, as "OPTION PATH"; owned */
};

/*
 * Sorts out what the view comes to. What cannot be expressed is refused (ERR_REFUSED), naming the option and the
 * control that would have to be allowed to be missing, or left out where that is allowed. 0 or -1; to be
 * freed in either case.
 */
int express_view(const struct spec *spec, const struct view *view, struct allowances *allowances,
    struct err *err);
void express_free(struct allowances *allowances);

/* Refuses what the spec asks beside the view and only namespaces can do: ids, a host name, capabilities. 0 or -1. */
int express_check(const struct spec *spec, struct err *err);

/* Whether the path (absolute, without links) is allowed or below what is. */
bool express_shows(const struct allowances *allowances, const char *path);

#endif
