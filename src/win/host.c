/*
 * The Windows row of what the portable part needs of a system (core/host.h).
 */
#include "core/host.h"

#include <stdlib.h>
#include <string.h>

#include "core/defaults.h"
#include "win/backends.h"
#include "win/fail.h"
#include "win/leftover.h"
#include "win/path.h"
#include "win/sink.h"
#include "win/wapi.h"

enum { SHOWN_MAX = 300 };

static int host_enter(char **argv, struct err *err)
{
	uint32_t error = wapi.enter();

	(void)argv;
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot begin");
	return 0;
}

static bool is_digits(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

static uint32_t read_stream(size_t limit, struct str *text)
{
	enum wapi_stream kind = WAPI_STREAM_NONE;
	void *handle = NULL;
	uint32_t error = wapi.stream_get(0, &kind, &handle);

	if (!error && kind == WAPI_STREAM_NONE)
		error = WAPI_FILE_NOT_FOUND;
	return error ? error : wapi.stream_read(handle, limit + 1, text);
}

static int host_read_input(const char *option, const char *name, size_t limit, struct str *text,
    struct err *err)
{
	struct str shown = STR_INIT;
	uint32_t error = 0;
	int result = 0;

	str_add_printable(&shown, name, SHOWN_MAX);
	if (is_digits(name) && strcmp(name, "0") != 0)
		result = err_set(err, ERR_USAGE, "%s: '%s' is a descriptor, of which Windows passes on 0 only",
		    option, name);
	else
		error = is_digits(name) ? read_stream(limit, text) : wapi.file_read(name, limit + 1, text);
	if (error)
		result = fail_set(err, ERR_USAGE, error, "%s: '%s' cannot be read", option, str_text(&shown));
	else if (text->length > limit)
		result = err_set(err, ERR_USAGE, "%s: '%s' holds more than %zu bytes", option,
		    str_text(&shown), limit);
	str_free(&shown);
	return result;
}

static const char *host_get_env(const char *name)
{
	return wapi.get_env(name);
}

/* A container cannot open nsbox's process; others of the same user could. */
static int host_forget(int argc, char **argv, const char *title, struct err *err)
{
	(void)title;
	(void)err;
	for (int i = 0; i < argc; i++)
		memset(argv[i], 0, strlen(argv[i]));
	wapi.forget();
	return 0;
}

static void host_forget_environment(void)
{
}

/* Journals name scratches wherever they are, so there is nothing more to find below a parent. */
static int host_sweep(const char *scratch_parent, size_t *removed, struct err *err)
{
	struct wapi_path found;
	uint32_t error;

	if (!scratch_parent)
		return leftover_sweep(LEFTOVER_ALL, removed, err);
	*removed = 0;
	error = wapi.path_look(scratch_parent, &found);
	if (error)
		return fail_set(err, ERR_SETUP, error, "--scratch-dir %s", scratch_parent);
	free(found.final);
	return 0;
}

static bool host_is_terminal(void)
{
	enum wapi_stream kind = WAPI_STREAM_NONE;
	void *handle;

	return wapi.stream_get(1, &kind, &handle) == 0 && kind == WAPI_STREAM_CONSOLE;
}

static char *host_make_id(void)
{
	unsigned char bytes[8];
	struct str id = STR_INIT;

	if (wapi.random(bytes, sizeof(bytes)) != 0) {
		/* Not a secret: the time tells runs apart too. */
		uint64_t stamp = wapi.clock_ns();

		memcpy(bytes, &stamp, sizeof(bytes));
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		str_addf(&id, "%02x", bytes[i]);
	return str_take(&id);
}

static char *host_platform(void)
{
	return wapi.system_name();
}

const struct host host = {
	.backends = win_backends,
	.defaults = defaults_windows,
	.idle_command = "cmd",
	.leftover = "run",
	.enter = host_enter,
	.read_input = host_read_input,
	.parse_path = path_parse,
	.get_env = host_get_env,
	.forget = host_forget,
	.forget_environment = host_forget_environment,
	.report_open = sink_open,
	.report_write = sink_write,
	.report_close = sink_close,
	.sweep = host_sweep,
	.is_terminal = host_is_terminal,
	.make_id = host_make_id,
	.platform = host_platform,
};
