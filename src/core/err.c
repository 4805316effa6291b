/*
 * Errors as values: making them, adding context, and the name of an errno
 * value. Prints nothing and ends nothing.
 */
#include "core/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

static const struct {
	int sys;
	const char *name;
} errno_names[] = {
#define ERRNO_NAME(name) { name, #name },
#include "core/errname.inc"
#undef ERRNO_NAME
};

/* The old message goes last: the new one may have been made from it. */
static void replace_message(struct err *err, char *message)
{
	free(err->message);
	err->message = message;
}

static void fill(struct err *err, enum err_kind kind, int sys, char *message)
{
	err->kind = kind;
	err->sys = sys;
	err->stage = NULL;
	replace_message(err, message);
}

int err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, kind, 0, xvasprintf(format, args));
	va_end(args);
	return -1;
}

int err_sys(struct err *err, enum err_kind kind, int sys, const char *format, ...)
{
	const char *name = errno_name(sys);
	struct str text = STR_INIT;
	char *message;
	va_list args;

	va_start(args, format);
	message = xvasprintf(format, args);
	va_end(args);
	str_add(&text, message);
	free(message);
	if (name)
		str_addf(&text, ": %s: %s", name, strerror(sys));
	else
		str_addf(&text, ": error %d: %s", sys, strerror(sys));
	fill(err, kind, sys, str_take(&text));
	return -1;
}

int err_wrap(struct err *err, const char *format, ...)
{
	char *context;
	va_list args;

	va_start(args, format);
	context = xvasprintf(format, args);
	va_end(args);
	replace_message(err, xasprintf("%s: %s", context, err->message ? err->message : ""));
	free(context);
	return -1;
}

int err_hint(struct err *err, const char *format, ...)
{
	char *remedy;
	va_list args;

	va_start(args, format);
	remedy = xvasprintf(format, args);
	va_end(args);
	replace_message(err, xasprintf("%s (%s)", err->message ? err->message : "", remedy));
	free(remedy);
	return -1;
}

void err_move(struct err *to, struct err *from)
{
	if (to == from)
		return;
	free(to->message);
	*to = *from;
	*from = (struct err)ERR_INIT;
}

void err_clear(struct err *err)
{
	free(err->message);
	*err = (struct err)ERR_INIT;
}

int err_exit_status(enum err_kind kind)
{
	switch (kind) {
	case ERR_NONE:
		return 0;
	case ERR_NOT_FOUND:
		return 127;
	case ERR_NOT_EXECUTABLE:
		return 126;
	case ERR_USAGE:
	case ERR_REFUSED:
	case ERR_UNAVAILABLE:
	case ERR_SETUP:
	case ERR_LOST:
		break;
	}
	return 125;
}

const char *errno_name(int sys)
{
	size_t i;

	for (i = 0; i < sizeof(errno_names) / sizeof(errno_names[0]); i++)
		if (errno_names[i].sys == sys)
			return errno_names[i].name;
	return NULL;
}
