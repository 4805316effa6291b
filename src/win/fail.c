/*
 * Errors of Windows (fail.h).
 */
#include "win/fail.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "win/wapi.h"

static const struct {
	uint32_t error;
	int sys;
} nearest[] = {
	{ WAPI_FILE_NOT_FOUND, ENOENT }, { WAPI_PATH_NOT_FOUND, ENOENT },
	{ WAPI_ACCESS_DENIED, EACCES }, { 8, ENOMEM }, { 14, ENOMEM },
	{ 32, EBUSY }, { WAPI_NOT_SUPPORTED, ENOSYS }, { WAPI_FILE_EXISTS, EEXIST },
	{ WAPI_INVALID_PARAMETER, EINVAL }, { 109, EPIPE }, { 112, ENOSPC }, { 123, EINVAL },
	{ WAPI_PROC_NOT_FOUND, ENOSYS }, { WAPI_ALREADY_EXISTS, EEXIST },
	{ WAPI_BAD_EXE_FORMAT, ENOEXEC }, { 216, ENOEXEC }, { 232, EPIPE },
	{ WAPI_TIMEOUT, ETIMEDOUT }, { 267, ENOTDIR }, { UINT32_C(0x80004001), ENOSYS },
};

int fail_errno(uint32_t error)
{
	uint32_t plain = (error & UINT32_C(0xffff0000)) == UINT32_C(0x80070000) ? error & 0xffff : error;

	for (size_t i = 0; i < sizeof(nearest) / sizeof(nearest[0]); i++)
		if (nearest[i].error == plain)
			return nearest[i].sys;
	return EIO;
}

char *fail_text(uint32_t error)
{
	char *sentence = wapi.describe(error);
	/* A plain error is written in the form in which HRESULTs carry it. */
	char *text = xasprintf("0x%08" PRIx32 ": %s", error < 0x10000 ? WAPI_HRESULT(error) : error,
	    sentence);

	free(sentence);
	return text;
}

int fail_set(struct err *err, enum err_kind kind, uint32_t error, const char *format, ...)
{
	char *text = fail_text(error);
	char *message;
	va_list args;

	va_start(args, format);
	message = xvasprintf(format, args);
	va_end(args);
	err_set(err, kind, "%s: %s", message, text);
	err->sys = fail_errno(error);
	free(message);
	free(text);
	return -1;
}

void fail_layer(struct report *report, enum control control, const char *what, uint32_t error)
{
	char *text = fail_text(error);

	report_missing(report, control, fail_errno(error), NULL, "%s: %s", what, text);
	free(text);
}
