/*
 * Removing a tree whose content was chosen by somebody else: without recursion,
 * so that its depth does not matter, and without ever going through a link. What lies deeper than a path can
 * say is moved up first. Nothing
 * that could change it is alive any more when this is called.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 100, PAUSE_MS = 10, LENGTH_MAX = 16000, NAMES_MAX = 1000 };

/* A path that grows and shrinks. */
struct walk {
	wchar_t *path;
	size_t length, size;
};

static void push(struct walk *walk, const wchar_t *name)
{
	size_t more = wcslen(name) + 1;

	if (walk->length + more + 1 > walk->size) {
		walk->size = (walk->length + more + 1) * 2;
		walk->path = xreallocarray(walk->path, walk->size, sizeof(*walk->path));
	}
	if (walk->length > 0)
		walk->path[walk->length++] = L'\\';
	memcpy(walk->path + walk->length, name, more * sizeof(*name));
	walk->length += more - 1;
}

static void pop(struct walk *walk)
{
	while (walk->length > 0 && walk->path[walk->length - 1] != L'\\')
		walk->length--;
	walk->path[walk->length > 0 ? --walk->length : 0] = L'\0';
}

/* A scanner may hold a file for a moment. */
static uint32_t remove_one(const wchar_t *path, DWORD attributes)
{
	uint32_t error = 0;

	if (attributes & FILE_ATTRIBUTE_READONLY)
		SetFileAttributesW(path, attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
	for (int i = 0; i < ATTEMPTS; i++) {
		error = real_result(attributes & FILE_ATTRIBUTE_DIRECTORY ? RemoveDirectoryW(path) :
		    DeleteFileW(path));
		if (error != ERROR_SHARING_VIOLATION && error != ERROR_DIR_NOT_EMPTY)
			break;
		Sleep(PAUSE_MS);
	}
	return error;
}

static bool is_dot(const wchar_t *name)
{
	return wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0;
}

/* Removes the files of the current folder up to the first folder in it; *found says whether there was one. */
static uint32_t remove_files(struct walk *walk, WIN32_FIND_DATAW *entry, bool *found)
{
	HANDLE search;
	uint32_t error;

	*found = false;
	push(walk, L"*");
	search = FindFirstFileW(walk->path, entry);
	error = real_result(search != INVALID_HANDLE_VALUE);
	pop(walk);
	if (error)
		return error;
	do {
		bool is_folder = (entry->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) &&
		    !(entry->dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT);

		if (is_dot(entry->cFileName))
			continue;
		*found = is_folder;
		if (is_folder)
			break;
		push(walk, entry->cFileName);
		error = remove_one(walk->path, entry->dwFileAttributes);
		pop(walk);
	} while (!error && FindNextFileW(search, entry));
	if (!error && !*found) {
		error = real_result(FALSE);
		error = error == ERROR_NO_MORE_FILES ? 0 : error;
	}
	FindClose(search);
	return error;
}

/* Moves the current folder to the top, where there is room again. */
static uint32_t move_up(struct walk *walk, const wchar_t *top)
{
	uint32_t error = 0;

	for (unsigned i = 0; i < NAMES_MAX; i++) {
		struct walk target = { NULL, 0, 0 };
		char *text = xasprintf("moved-up-%u", i);
		wchar_t *name = real_wide(text);

		push(&target, top);
		push(&target, name);
		free(name);
		free(text);
		error = real_result(MoveFileExW(walk->path, target.path, 0));
		free(target.path);
		if (error != ERROR_ALREADY_EXISTS && error != ERROR_FILE_EXISTS && error != ERROR_ACCESS_DENIED)
			break;
	}
	walk->length = 0;
	push(walk, top);
	return error;
}

uint32_t real_tree_remove(const char *path)
{
	wchar_t *top = real_wide_path(path);
	DWORD attributes = GetFileAttributesW(top);
	struct walk walk = { NULL, 0, 0 };
	WIN32_FIND_DATAW entry;
	size_t depth = 0;
	uint32_t error = 0;
	bool found;

	if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) ||
	    !(attributes & FILE_ATTRIBUTE_DIRECTORY)) {
		error = attributes == INVALID_FILE_ATTRIBUTES ? real_result(FALSE) : remove_one(top, attributes);
		free(top);
		return error;
	}
	push(&walk, top);
	for (;;) {
		error = remove_files(&walk, &entry, &found);
		if (error)
			break;
		if (found) {
			push(&walk, entry.cFileName);
			depth++;
			if (walk.length > LENGTH_MAX) {
				error = move_up(&walk, top);
				depth = 0;
				if (error)
					break;
			}
			continue;
		}
		error = remove_one(walk.path, GetFileAttributesW(walk.path));
		if (error || depth == 0)
			break;
		pop(&walk);
		depth--;
	}
	free(top);
	free(walk.path);
	return error;
}
