/*
 * Resolves a path of the host and notes the links on the way (resolve.h).
 */
#include "linux/resolve.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "linux/sys.h"

enum { RESOLVE_LINKS_MAX = 40 };	/* as the kernel's own limit, path_resolution(7) */

void resolved_free(struct resolved *resolved)
{
	free(resolved->path);
	resolved->path = NULL;
	str_list_free(&resolved->links);
}

/* What `path` (absolute) is below the folder that counts as "/". */
static const char *below(int root, const char *path)
{
	if (root < 0)
		return path;
	return path[1] == '\0' ? "." : path + 1;
}

/* Removes the last component of an absolute path; "" stands for "/". */
static void drop_last(struct str *path)
{
	while (path->length > 0 && path->data[--path->length] != '/')
		;
	if (path->data != NULL)
		path->data[path->length] = '\0';
}

/* Whether the path says by its end that it is a folder. */
static bool wants_folder(const char *path)
{
	size_t length = strlen(path);

	return length > 1 && (path[length - 1] == '/' ||
	    (path[length - 1] == '.' && path[length - 2] == '/'));
}

/*
 * Most paths have no link in them, and one call tells: then the path as written, without
 * doubled slashes and dots, is the resolved one. ".." is left to the slow way, which
 * knows what lies above.
 */
static bool resolve_at_once(int root, const char *path, struct resolved *resolved)
{
	struct str clean = STR_INIT;
	int fd;

	if (path[0] != '/')
		return false;
	for (const char *at = path; *at != '\0';) {
		size_t length = strcspn(at, "/");

		if (length == 2 && at[0] == '.' && at[1] == '.')
			goto slow;
		if (length > 0 && !(length == 1 && at[0] == '.')) {
			str_add_char(&clean, '/');
			str_add_bytes(&clean, at, length);
		}
		at += length + (at[length] == '/');
	}
	if (clean.length == 0)
		str_add_char(&clean, '/');
	fd = sys_openat2(root < 0 ? AT_FDCWD : root, below(root, clean.data), O_PATH,
	    SYS_RESOLVE_NO_SYMLINKS);
	if (fd < 0 || fstat(fd, &resolved->status) < 0) {
		if (fd >= 0)
			close(fd);
		goto slow;
	}
	close(fd);
	if (wants_folder(path) && !S_ISDIR(resolved->status.st_mode))
		goto slow;
	resolved->path = str_take(&clean);
	return true;
slow:
	str_free(&clean);
	return false;
}

/*
 * Looks whether `path` is a link; its text goes to `text`. 1 for a link, 0 for none, -1
 * with errno.
 */
static int read_link(int root, const char *path, char text[PATH_MAX])
{
	ssize_t length = readlinkat(root < 0 ? AT_FDCWD : root, below(root, path), text, PATH_MAX - 1);

	if (length < 0)
		return errno == EINVAL ? 0 : -1;
	text[length] = '\0';
	return 1;
}

/* Whether what was resolved so far is a folder, as "." and ".." behind it demand. */
static bool is_folder(int root, const struct str *done)
{
	struct stat status;

	return done->length == 0 || (fstatat(root < 0 ? AT_FDCWD : root, below(root, done->data), &status,
	    AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode));
}

/* Walks `rest` from `done`; both are consumed. */
static int walk(int root, struct str *done, char *rest, struct resolved *resolved)
{
	char text[PATH_MAX];
	size_t links = 0;
	char *at = rest;
	int result = 0;

	while (*at != '\0' && result == 0) {
		size_t length = strcspn(at, "/");
		char *next = at + length + (at[length] == '/');

		if (*at == '.' && (length == 1 || (length == 2 && at[1] == '.')) &&
		    !is_folder(root, done)) {
			errno = ENOTDIR;
			result = -1;
		} else if (length == 2 && at[0] == '.' && at[1] == '.') {
			drop_last(done);
		} else if (length > 0 && !(length == 1 && at[0] == '.')) {
			str_add_char(done, '/');
			str_add_bytes(done, at, length);
			result = read_link(root, done->data, text);
		}
		at = next;
		if (result <= 0)
			continue;
		result = 0;
		if (++links > RESOLVE_LINKS_MAX) {
			errno = ELOOP;
			result = -1;
			continue;
		}
		str_list_add(&resolved->links, done->data);
		str_list_add(&resolved->links, text);
		drop_last(done);
		if (text[0] == '/')
			str_free(done);
		char *joined = xasprintf("%s/%s", text, at);
		free(rest);
		rest = at = joined;
	}
	int error = errno;
	free(rest);
	errno = error;
	return result;
}

int resolve_path(int root, const char *path, struct resolved *resolved)
{
	struct str done = STR_INIT;
	int result = -1;

	memset(resolved, 0, sizeof(*resolved));
	if (*path == '\0') {
		errno = ENOENT;
		return -1;
	}
	if (resolve_at_once(root, path, resolved))
		return 0;
	if (path[0] != '/') {
		char *here = getcwd(NULL, 0);

		if (here == NULL)
			return -1;
		str_add(&done, here[1] == '\0' ? "" : here);
		free(here);
	}
	if (walk(root, &done, xstrdup(path), resolved) == 0) {
		if (done.length == 0)
			str_add_char(&done, '/');
		result = fstatat(root < 0 ? AT_FDCWD : root, below(root, done.data), &resolved->status,
		    AT_SYMLINK_NOFOLLOW);
		if (result == 0 && wants_folder(path) && !S_ISDIR(resolved->status.st_mode)) {
			errno = ENOTDIR;
			result = -1;
		}
		if (result == 0 && S_ISLNK(resolved->status.st_mode)) {
			/* It was none a moment ago. */
			errno = ESTALE;
			result = -1;
		}
	}
	int error = errno;
	resolved->path = str_take(&done);
	if (result < 0)
		resolved_free(resolved);
	errno = error;
	return result;
}
