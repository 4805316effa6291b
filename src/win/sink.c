/*
 * Where a report goes (sink.h). The folder is resolved before anything runs, so
 * that nothing that COMMAND does changes where the file lands.
 */
#include "win/sink.h"

#include <stdlib.h>
#include <string.h>

#include "win/fail.h"
#include "win/path.h"
#include "win/wapi.h"

struct report_sink {
	void *stream;		/* not owned; NULL: a file */
	char *file;		/* owned; NULL: a stream */
	char *shown;		/* owned; option and name as written, printable */
};

void sink_close(struct report_sink *sink)
{
	if (!sink)
		return;
	free(sink->file);
	free(sink->shown);
	free(sink);
}

static int open_stream(struct report_sink *sink, const char *digits, struct err *err)
{
	enum wapi_stream kind = WAPI_STREAM_NONE;
	uint32_t error;

	if (strcmp(digits, "1") != 0 && strcmp(digits, "2") != 0)
		return err_set(err, ERR_USAGE, "%s: on Windows only fd:1 and fd:2 can be named", sink->shown);
	error = wapi.stream_get(digits[0] - '0', &kind, &sink->stream);
	if (error)
		return fail_set(err, ERR_USAGE, error, "%s", sink->shown);
	if (kind == WAPI_STREAM_NONE)
		return err_set(err, ERR_USAGE, "%s: the caller gave no such stream", sink->shown);
	return 0;
}

/* Where the name ends and its folder begins, for either kind of slash. */
static size_t folder_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 0 && path[length - 1] != '\\' && path[length - 1] != '/' && path[length - 1] != ':')
		length--;
	return length;
}

static int open_file(struct report_sink *sink, const char *path, struct err *err)
{
	struct wapi_path found = { NULL, false, false, false, false };
	size_t length = folder_length(path);
	char *folder = length > 0 ? xstrndup(path, length) : xstrdup(".");
	uint32_t error = wapi.path_look(folder, &found);

	free(folder);
	if (error)
		return fail_set(err, ERR_USAGE, error, "%s: its folder", sink->shown);
	if (found.is_folder)
		sink->file = path_join(found.final, path + length);
	free(found.final);
	if (!sink->file || !path_is_plain(sink->file) || path[length] == '\0')
		return err_set(err, ERR_USAGE, "%s: is not the path of a file", sink->shown);
	if (wapi.path_look(sink->file, &found) == 0) {
		free(found.final);
		if (found.is_folder)
			return err_set(err, ERR_USAGE, "%s: is a folder", sink->shown);
	}
	return 0;
}

int sink_open(const char *option, const char *name, struct report_sink **sink, struct err *err)
{
	struct report_sink *made = xcalloc(1, sizeof(*made));
	struct str shown = STR_INIT;
	int result;

	str_addf(&shown, "%s ", option);
	str_add_printable(&shown, name, 300);
	made->shown = str_take(&shown);
	result = str_has_prefix(name, "fd:") ? open_stream(made, name + 3, err) : open_file(made, name, err);
	if (result < 0) {
		sink_close(made);
		return -1;
	}
	*sink = made;
	return 0;
}

int sink_write(struct report_sink *sink, const char *text, size_t length, bool last, struct err *err)
{
	uint32_t error = 0;

	if (sink->stream)
		error = wapi.stream_write(sink->stream, text, length);
	else if (last)
		error = wapi.file_replace(sink->file, text, length);
	if (error)
		return fail_set(err, ERR_LOST, error, "cannot write the report to %s", sink->shown);
	return 0;
}
