/*
 * The backends of Linux, best first. Adding one is adding its line.
 */
#include <stddef.h>

#include "landlock/backend_landlock.h"
#include "linux/backends.h"
#include "ns/backend_ns.h"

const struct backend *const linux_backends[] = {
	&backend_ns,
	&backend_landlock,
	NULL,
};
