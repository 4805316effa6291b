/*
 * Files and folders.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, CHUNK = 65536 };

/* The path of an open file without links, as UTF-8 and without the prefix \\?\. */
static uint32_t final_path(HANDLE file, char **path)
{
	DWORD size = GetFinalPathNameByHandleW(file, NULL, 0, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
	wchar_t *wide = xcalloc((size_t)size + 1, sizeof(*wide));
	uint32_t error = real_result(size > 0 && GetFinalPathNameByHandleW(file, wide, size + 1,
	    FILE_NAME_NORMALIZED | VOLUME_NAME_DOS) <= size);
	char *text = error ? NULL : real_narrow_strict(wide);

	free(wide);
	if (error)
		return error;
	if (!text)
		return ERROR_NO_UNICODE_TRANSLATION;
	/* What is on another machine keeps its \\?\UNC\. */
	*path = str_has_prefix(text, "\\\\?\\") && !str_has_prefix(text, "\\\\?\\UNC\\") ?
	    xstrdup(text + 4) : xstrdup(text);
	free(text);
	return 0;
}

static void look_at_volume(HANDLE file, struct wapi_path *found)
{
	DWORD flags = 0;
	wchar_t root[] = L"?:\\";

	found->has_acls = GetVolumeInformationByHandleW(file, NULL, 0, NULL, NULL, &flags, NULL, 0) &&
	    (flags & FILE_PERSISTENT_ACLS);
	root[0] = (wchar_t)(unsigned char)found->final[0];
	found->is_remote = found->final[1] != ':' || GetDriveTypeW(root) == DRIVE_REMOTE;
}

uint32_t real_path_look(const char *path, struct wapi_path *found)
{
	wchar_t *wide = real_wide_path(path);
	DWORD attributes = GetFileAttributesW(wide);
	HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING,
	    FILE_FLAG_BACKUP_SEMANTICS, NULL);
	uint32_t error = real_result(file != INVALID_HANDLE_VALUE);
	BY_HANDLE_FILE_INFORMATION facts;

	free(wide);
	if (error)
		return attributes == INVALID_FILE_ATTRIBUTES ? error : ERROR_CANT_ACCESS_FILE;
	memset(found, 0, sizeof(*found));
	error = real_result(GetFileInformationByHandle(file, &facts));
	if (!error)
		error = final_path(file, &found->final);
	if (!error) {
		found->is_folder = facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
		found->is_link = attributes == INVALID_FILE_ATTRIBUTES ||
		    (attributes & FILE_ATTRIBUTE_REPARSE_POINT);
		look_at_volume(file, found);
	}
	CloseHandle(file);
	return error;
}

/* Where the user's and the system's own folders are, as the environment and Windows say. */
static uint32_t folder_text(enum wapi_folder which, char **path)
{
	static const char *const names[] = {
		[WAPI_LOCAL_APP_DATA] = "LOCALAPPDATA", [WAPI_USER_PROFILE] = "USERPROFILE",
		[WAPI_TEMP] = "TEMP", [WAPI_WINDOWS] = NULL, [WAPI_PROGRAM_FILES] = "ProgramFiles",
	};
	const char *value = names[which] ? real_get_env(names[which]) : NULL;
	wchar_t wide[MAX_PATH + 1];
	UINT length;

	if (names[which]) {
		if (!value || !value[0] || value[1] != ':')
			return WAPI_PATH_NOT_FOUND;
		*path = xstrdup(value);
		return 0;
	}
	length = GetSystemWindowsDirectoryW(wide, MAX_PATH);
	if (length == 0 || length >= MAX_PATH)
		return real_result(FALSE);
	*path = real_narrow(wide);
	return 0;
}

uint32_t real_folder(enum wapi_folder which, char **path)
{
	struct wapi_path found;
	char *text;
	uint32_t error = folder_text(which, &text);

	if (error)
		return error;
	error = real_path_look(text, &found);
	free(text);
	if (!error)
		*path = found.final;
	return error;
}

uint32_t real_folder_make(const char *path)
{
	uint32_t error = 0;
	char *copy = xstrdup(path);

	/* Behind the drive, one component after the other. */
	for (char *at = strchr(copy, '\\'); at && !error; at = strchr(at + 1, '\\')) {
		char *next = strchr(at + 1, '\\');
		wchar_t *wide;

		if (next)
			*next = '\0';
		wide = real_wide_path(copy);
		error = real_result(CreateDirectoryW(wide, NULL));
		if (error == ERROR_ALREADY_EXISTS)
			error = 0;
		free(wide);
		if (next)
			*next = '\\';
	}
	free(copy);
	return error;
}

uint32_t real_folder_list(const char *path, struct str_list *names)
{
	char *pattern = xasprintf("%s\\*", path);
	wchar_t *wide = real_wide_path(pattern);
	WIN32_FIND_DATAW entry;
	HANDLE search = FindFirstFileW(wide, &entry);
	uint32_t error = real_result(search != INVALID_HANDLE_VALUE);

	free(pattern);
	free(wide);
	if (error)
		return error;
	do {
		if (wcscmp(entry.cFileName, L".") != 0 && wcscmp(entry.cFileName, L"..") != 0)
			str_list_take(names, real_narrow(entry.cFileName));
	} while (FindNextFileW(search, &entry));
	error = real_result(FALSE);
	FindClose(search);
	return error == ERROR_NO_MORE_FILES ? 0 : error;
}

uint32_t real_read_all(HANDLE handle, size_t limit, struct str *text)
{
	char *buffer = xcalloc(CHUNK, 1);
	uint32_t error = 0;
	DWORD got = 1;

	while (!error && got > 0 && text->length < limit) {
		size_t room = limit - text->length;

		error = real_result(ReadFile(handle, buffer, room < CHUNK ? (DWORD)room : CHUNK, &got, NULL));
		if (!error)
			str_add_bytes(text, buffer, got);
	}
	free(buffer);
	return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF ? 0 : error;
}

uint32_t real_file_read(const char *path, size_t limit, struct str *text)
{
	wchar_t *wide = real_wide_path(path);
	HANDLE file = CreateFileW(wide, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING, 0, NULL);
	uint32_t error = real_result(file != INVALID_HANDLE_VALUE);

	free(wide);
	if (error)
		return error;
	/* A device or a pipe by its name is none. */
	error = GetFileType(file) == FILE_TYPE_DISK ? real_read_all(file, limit, text) : ERROR_INVALID_NAME;
	CloseHandle(file);
	return error;
}

uint32_t real_write_all(HANDLE handle, const char *text, size_t length)
{
	uint32_t error = 0;

	while (length > 0 && !error) {
		DWORD written = 0;

		error = real_result(WriteFile(handle, text, length < CHUNK ? (DWORD)length : CHUNK, &written, NULL));
		text += written;
		length -= written;
	}
	return error;
}

static uint32_t write_new(const wchar_t *path, const char *text, size_t length)
{
	HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
	uint32_t error = real_result(file != INVALID_HANDLE_VALUE);

	if (error)
		return error;
	error = real_write_all(file, text, length);
	if (!error)
		error = real_result(FlushFileBuffers(file));
	if (!CloseHandle(file) && !error)
		error = real_result(FALSE);
	return error;
}

uint32_t real_file_replace(const char *path, const char *text, size_t length)
{
	char *temporary = xasprintf("%s.%lx.tmp", path, (unsigned long)GetCurrentProcessId());
	wchar_t *from = real_wide_path(temporary);
	wchar_t *to = real_wide_path(path);
	uint32_t error = write_new(from, text, length);

	if (!error)
		error = real_result(MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH));
	if (error)
		DeleteFileW(from);
	free(temporary);
	free(from);
	free(to);
	return error;
}

uint32_t real_file_remove(const char *path)
{
	wchar_t *wide = real_wide_path(path);
	uint32_t error = real_result(DeleteFileW(wide));

	free(wide);
	return error;
}
