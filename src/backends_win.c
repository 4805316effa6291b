/*
 * The backends of Windows, best first. Adding one is adding its line.
 */
#include <stddef.h>

#include "win/backend_win.h"
#include "win/backends.h"

const struct backend *const win_backends[] = {
	&backend_win,
	NULL,
};
