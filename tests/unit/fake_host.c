/*
 * A host whose files are in memory. What a parser has no business with ends the
 * test that reaches it.
 */
#include "unit/fake_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/defaults.h"
#include "core/host.h"
#include "core/value.h"

enum { FILES_MAX = 8 };

static struct {
	char *name;
	char *bytes;
	size_t length;
} files[FILES_MAX];
static size_t files_count;
static unsigned reads;

void fake_host_add_file(const char *name, const void *bytes, size_t length)
{
	if (files_count == FILES_MAX)
		abort();
	files[files_count].name = xstrdup(name);
	files[files_count].bytes = xcalloc(length + 1, 1);
	memcpy(files[files_count].bytes, bytes, length);
	files[files_count].length = length;
	files_count++;
}

void fake_host_add_text(const char *name, const char *text)
{
	fake_host_add_file(name, text, strlen(text));
}

unsigned fake_host_reads(void)
{
	return reads;
}

void fake_host_reset(void)
{
	while (files_count > 0) {
		files_count--;
		free(files[files_count].name);
		free(files[files_count].bytes);
	}
	reads = 0;
}

static int fake_read_input(const char *option, const char *name, size_t limit,
    struct str *text, struct err *err)
{
	reads++;
	for (size_t i = 0; i < files_count; i++) {
		if (strcmp(files[i].name, name) != 0)
			continue;
		if (files[i].length > limit)
			return err_set(err, ERR_USAGE, "%s: %s is too big", option, name);
		str_add_bytes(text, files[i].bytes, files[i].length);
		return 0;
	}
	return err_sys(err, ERR_USAGE, ENOENT, "%s: open %s", option, name);
}

static int fake_enter(char **argv, struct err *err)
{
	(void)argv;
	(void)err;
	return 0;
}

static int fake_find_capability(const char *name)
{
	return strcmp(name, "CAP_KILL") == 0 ? 5 : -1;
}

static const char *fake_get_env(const char *name)
{
	(void)name;
	abort();
}

static int fake_forget(int argc, char **argv, const char *title, struct err *err)
{
	(void)argc;
	(void)argv;
	(void)title;
	(void)err;
	abort();
}

static void fake_forget_environment(void)
{
	abort();
}

static bool fake_is_terminal(void)
{
	abort();
}

static int fake_report_open(const char *option, const char *name, struct report_sink **sink,
    struct err *err)
{
	(void)option;
	(void)name;
	(void)sink;
	(void)err;
	abort();
}

static int fake_report_write(struct report_sink *sink, const char *text, size_t length,
    bool last, struct err *err)
{
	(void)sink;
	(void)text;
	(void)length;
	(void)last;
	(void)err;
	abort();
}

static void fake_report_close(struct report_sink *sink)
{
	(void)sink;
}

static int fake_sweep(const char *scratch_parent, size_t *removed, struct err *err)
{
	(void)scratch_parent;
	(void)removed;
	(void)err;
	abort();
}

static char *fake_make_id(void)
{
	return xstrdup("0123456789abcdef");
}

static char *fake_platform(void)
{
	return xstrdup("fake");
}

static const struct backend *const no_backends[] = { NULL };

const struct host host = {
	.backends = no_backends,
	.defaults = defaults_linux,
	.idle_command = "true",
	.leftover = "leftover",
	.enter = fake_enter,
	.read_input = fake_read_input,
	.parse_path = value_parse_dest,
	.find_capability = fake_find_capability,
	.get_env = fake_get_env,
	.forget = fake_forget,
	.forget_environment = fake_forget_environment,
	.report_open = fake_report_open,
	.report_write = fake_report_write,
	.report_close = fake_report_close,
	.sweep = fake_sweep,
	.is_terminal = fake_is_terminal,
	.make_id = fake_make_id,
	.platform = fake_platform,
};
