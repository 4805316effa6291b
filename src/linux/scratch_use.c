#include "linux/scratch_use.h"

#include <errno.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/folder.h"
#include "linux/resolve.h"

int scratch_use_take(const char *given, struct view_source *source, struct err *err)
{
	struct resolved resolved;
	struct str shown = STR_INIT;
	const char *problem = NULL;
	int result = resolve_path(-1, given, &resolved);
	int error = errno;

	str_add_printable(&shown, given, 300);
	if (result < 0) {
		err_sys(err, ERR_SETUP, error, "--scratch-use %s", str_text(&shown));
	} else {
		if (!S_ISDIR(resolved.status.st_mode))
			problem = "is not a folder";
		else if (resolved.status.st_uid != geteuid())
			problem = "belongs to somebody else";
		else if (folder_count(AT_FDCWD, resolved.path) != 0)
			problem = "is not empty";
		if (problem != NULL)
			result = err_set(err, ERR_SETUP, "--scratch-use %s: it %s", str_text(&shown), problem);
		*source = (struct view_source){
			xstrdup(resolved.path), resolved.status.st_dev, resolved.status.st_ino, true,
		};
		resolved_free(&resolved);
	}
	if (result < 0)
		err->stage = "scratch";
	str_free(&shown);
	return result;
}
