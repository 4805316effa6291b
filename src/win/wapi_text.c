/*
 * Texts, SIDs and functions that may be missing.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

#include <sddl.h>

wchar_t *real_wide_bytes(const char *bytes, size_t length)
{
	int units = length > 0 ? MultiByteToWideChar(CP_UTF8, 0, bytes, (int)length, NULL, 0) : 0;
	wchar_t *wide = xcalloc((size_t)units + 1, sizeof(*wide));

	if (units > 0)
		MultiByteToWideChar(CP_UTF8, 0, bytes, (int)length, wide, units);
	return wide;
}

wchar_t *real_wide(const char *text)
{
	return real_wide_bytes(text, strlen(text));
}

wchar_t *real_wide_path(const char *path)
{
	bool has_drive = path[0] && path[1] == ':' && path[2] == '\\';
	char *text = xasprintf("%s%s", has_drive ? "\\\\?\\" : "", path);
	wchar_t *wide = real_wide(text);

	free(text);
	return wide;
}

static char *narrow(const wchar_t *wide, DWORD flags)
{
	int bytes = WideCharToMultiByte(CP_UTF8, flags, wide, -1, NULL, 0, NULL, NULL);
	char *text;

	if (bytes <= 0)
		return NULL;
	text = xcalloc((size_t)bytes, 1);
	WideCharToMultiByte(CP_UTF8, flags, wide, -1, text, bytes, NULL, NULL);
	return text;
}

char *real_narrow_strict(const wchar_t *wide)
{
	return narrow(wide, WC_ERR_INVALID_CHARS);
}

char *real_narrow(const wchar_t *wide)
{
	char *text = narrow(wide, 0);

	return text ? text : xstrdup("");
}

FARPROC real_find(const wchar_t *dll, const char *name)
{
	HMODULE module = LoadLibraryExW(dll, NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

	return module ? GetProcAddress(module, name) : NULL;
}

uint32_t real_result(BOOL success)
{
	DWORD error = success ? 0 : GetLastError();

	return success ? 0 : error ? error : ERROR_GEN_FAILURE;
}

void *real_handle(HANDLE handle)
{
	return handle == INVALID_HANDLE_VALUE ? NULL : handle;
}

char *real_sid_text(PSID sid)
{
	wchar_t *wide;
	char *text;

	if (!sid || !ConvertSidToStringSidW(sid, &wide))
		return NULL;
	text = real_narrow(wide);
	LocalFree(wide);
	return text;
}

PSID real_sid(const char *text)
{
	wchar_t *wide = real_wide(text);
	PSID sid = NULL;

	if (!ConvertStringSidToSidW(wide, &sid))
		sid = NULL;
	free(wide);
	return sid;
}

DWORD real_milliseconds(uint64_t ns)
{
	uint64_t ms = ns / 1000000 + (ns % 1000000 > 0);

	if (ns == UINT64_MAX)
		return INFINITE;
	return ms < INFINITE ? (DWORD)ms : INFINITE - 1;
}
