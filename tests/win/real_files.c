/*
 * Groups 3, 9 and 11 on Windows itself: files, teardown, large trees.
 */
#include "win/real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "win/acl.h"
#include "win/path.h"
#include "win/wapi.h"

/* What opening a path gives inside; `option` and `shown` may be NULL. */
static long open_inside(const char *path, const char *how, const char *option, const char *shown)
{
	const char *const with[] = { option, shown, "--", real_child(), "open", path, how, NULL };
	struct outcome outcome;
	long error;

	real_nsbox(&outcome, option ? with : with + 2);
	error = real_number(&outcome);
	if (error < 0)
		real_note("%s", str_text(&outcome.out));
	real_free(&outcome);
	return error;
}

static void check_own(void)
{
	const char *const words[] = {
		"--", "cmd", "/c", "echo x>a&type a&mkdir b&copy a b\\c&del a&dir /b", NULL,
	};
	struct outcome outcome;

	real_nsbox(&outcome, words);
	real_check(outcome.code == 0 && strstr(str_text(&outcome.out), "x") && strstr(str_text(&outcome.out), "b"),
	    "the scratch can be written, read and deleted in", "%u: %s", (unsigned)outcome.code,
	    str_text(&outcome.out));
	real_free(&outcome);
}

void real_files(void)
{
	char *folder = real_make_folder("shown"), *inner = path_join(folder, "file");
	char *secret = real_make_file("secret", "secret");
	char *profile = NULL, *windows = NULL;
	long error;

	wapi.file_replace(inner, "text", 4);
	check_own();
	error = open_inside(inner, "read", "--ro", folder);
	real_check(error == 0, "what is shown can be read", "error %ld", error);
	error = open_inside(inner, "write", "--ro", folder);
	real_check(error == WAPI_ACCESS_DENIED, "and not written", "error %ld", error);
	error = open_inside(inner, "delete", "--ro", folder);
	real_check(error == WAPI_ACCESS_DENIED, "nor deleted", "error %ld", error);
	error = open_inside(inner, "write", "--rw", folder);
	real_check(error == 0, "what is writable can be written", "error %ld", error);
	error = open_inside(inner, "read", NULL, NULL);
	real_check(error == WAPI_ACCESS_DENIED, "what is not shown cannot be read", "error %ld", error);
	error = open_inside(secret, "read", NULL, NULL);
	real_check(error == WAPI_ACCESS_DENIED, "nor what lies beside it", "error %ld", error);
	if (wapi.folder(WAPI_USER_PROFILE, &profile) == 0) {
		error = open_inside(profile, "read", NULL, NULL);
		real_check(error == WAPI_ACCESS_DENIED, "nor the user's folder", "error %ld", error);
	}
	if (wapi.folder(WAPI_WINDOWS, &windows) == 0) {
		char *dll = path_join(windows, "System32\\kernel32.dll");

		error = open_inside(dll, "read", NULL, NULL);
		real_check(error == 0, "Windows itself can be read", "error %ld", error);
		free(dll);
	}
	real_note("opening C:\\ inside: %ld", open_inside("C:\\", "read", NULL, NULL));
	real_note("opening NUL inside: %ld", open_inside("NUL", "write", NULL, NULL));
	free(folder);
	free(inner);
	free(secret);
	free(profile);
	free(windows);
}

/* The list as a text, to be compared. */
static char *list_of(const char *path)
{
	struct wapi_acl acl;
	struct str text = STR_INIT;

	if (wapi.acl_read(path, &acl) != 0)
		return xstrdup("unreadable");
	str_addf(&text, "%d", acl.is_protected);
	for (size_t i = 0; i < acl.count; i++)
		str_addf(&text, " %d:%x:%x:%s", acl.aces[i].allows, acl.aces[i].flags, (unsigned)acl.aces[i].mask,
		    acl.aces[i].sid);
	acl_free(&acl);
	return str_take(&text);
}

static size_t count_names(const char *base, const char *name)
{
	struct str_list names = STR_LIST_INIT;
	char *path = path_join(base, name);
	size_t count = 0;

	wapi.folder_list(path, &names);
	for (size_t i = 0; i < names.count; i++)
		count += str_has_prefix(names.items[i], "nsbox.");
	str_list_free(&names);
	free(path);
	return count;
}

/* Nothing of any run is on this machine. */
static void check_nothing_left(const char *after)
{
	struct str_list profiles = STR_LIST_INIT;
	char *base = NULL;
	size_t count;

	if (wapi.folder(WAPI_LOCAL_APP_DATA, &base) != 0 || wapi.profile_list("nsbox.", &profiles) != 0) {
		real_check(false, after, "cannot be looked for");
		return;
	}
	count = count_names(base, "nsbox\\run") + count_names(base, "nsbox\\scratch") +
	    count_names(base, "Packages") + profiles.count;
	real_check(count == 0, after, "%zu things of nsbox are left", count);
	str_list_free(&profiles);
	free(base);
}

static void check_kill(const char *folder, const char *before)
{
	const char *const words[] = { "--ro", folder, "--", real_child(), "start", "1", "sleep", "600000", NULL };
	const char *const collect[] = { real_nsbox_path(), "--gc", NULL };
	HANDLE process = real_start(words, "begun");
	struct outcome outcome;
	char *now;

	if (!process)
		return;
	TerminateProcess(process, 1);
	WaitForSingleObject(process, INFINITE);
	CloseHandle(process);
	real_run_program(&outcome, collect, NULL);
	real_check(strstr(str_text(&outcome.out), ", 1 run") != NULL, "--gc removes what a killed run left", "%s",
	    str_text(&outcome.out));
	real_free(&outcome);
	now = list_of(folder);
	real_check(strcmp(before, now) == 0, "the list of what was shown is as before", "%s\n# %s", before, now);
	check_nothing_left("after --gc nothing is left");
	free(now);
}

void real_teardown(void)
{
	char *folder = real_make_folder("given");
	char *before = list_of(folder);
	const char *const good[] = { "--ro", folder, "--", real_child(), "exit", "0", NULL };
	const char *const late[] = { "--ro", folder, "--wall", "1s", "--", real_child(), "sleep", "600000", NULL };
	const char *const crashed[] = { "--ro", folder, "--", real_child(), "crash", NULL };
	const char *const missing[] = { "--ro", folder, "--", "C:\\no\\such.exe", NULL };
	const char *const *const all[] = { good, late, crashed, missing };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct outcome outcome;
		char *now;

		real_nsbox(&outcome, all[i]);
		now = list_of(folder);
		real_check(strcmp(before, now) == 0, "the list of what was shown is as before", "%s\n# %s", before, now);
		check_nothing_left("nothing is left");
		free(now);
		real_free(&outcome);
	}
	for (int i = 0; i < 50; i++) {
		struct outcome outcome;

		real_nsbox(&outcome, good);
		if (outcome.code != 0)
			real_check(false, "each of fifty runs ends well", "%u: %s", (unsigned)outcome.code,
			    str_text(&outcome.out));
		real_free(&outcome);
	}
	check_nothing_left("nothing is left of fifty runs");
	check_kill(folder, before);
	free(before);
	free(folder);
}

void real_large_trees(void)
{
	char *folder = real_make_folder("large");
	const char *const words[] = { "--ro", folder, "--", real_child(), "exit", "0", NULL };
	struct outcome outcome;

	for (int i = 0; i < 10000; i++) {
		char *name = xasprintf("large\\d%d", i / 100), *file = xasprintf("large\\d%d\\f%d", i / 100, i);

		if (i % 100 == 0)
			free(real_make_folder(name));
		free(real_make_file(file, "x"));
		free(name);
		free(file);
	}
	real_nsbox(&outcome, words);
	real_check(outcome.code == 0, "a tree of 10000 files can be shown", "%u: %s", (unsigned)outcome.code,
	    str_text(&outcome.out));
	real_note("showing 10000 files took %llu ms", (unsigned long long)outcome.took_ms);
	real_free(&outcome);
	free(folder);
}

enum { DEPTH = 40 };

/* A chain of folders, each with a file that may not be written; far longer than MAX_PATH. */
static char *make_deep(const char *top)
{
	struct str path = STR_INIT;

	str_add(&path, top);
	for (int i = 0; i < DEPTH; i++) {
		char *file;

		str_add(&path, "\\a_folder_with_a_long_name");
		wapi.folder_make(str_text(&path));
		file = path_join(str_text(&path), "file");
		wapi.file_replace(file, "x", 1);
		free(file);
	}
	return str_take(&path);
}

/* Not by path_look: Wine does not say where a path of this length leads. */
static bool is_there(const char *path)
{
	struct str_list names = STR_LIST_INIT;
	struct str text = STR_INIT;
	bool result = wapi.folder_list(path, &names) == 0 || wapi.file_read(path, 1, &text) == 0;

	str_list_free(&names);
	str_free(&text);
	return result;
}

/* What a command may leave in its scratch: depth, files that cannot be written, links to elsewhere. */
void real_removal(void)
{
	char *top = real_make_folder("tree"), *kept = real_make_file("kept", "kept");
	char *folder = real_make_folder("elsewhere"), *inside = path_join(folder, "file");
	char *deep = make_deep(top), *locked = path_join(top, "locked"), *link = path_join(top, "link");
	const char *const words[] = { "C:\\Windows\\System32\\cmd.exe", "/c", "mklink", "/J", link, folder, NULL };
	struct outcome outcome;
	uint32_t error;

	wapi.file_replace(inside, "kept", 4);
	wapi.file_replace(locked, "x", 1);
	real_check(SetFileAttributesA(locked, FILE_ATTRIBUTE_READONLY) != 0, "a file is read-only", "error %lu",
	    GetLastError());
	real_run_program(&outcome, words, NULL);
	real_note("a junction in the tree: %s", is_there(link) ? "made" : str_text(&outcome.out));
	real_free(&outcome);
	real_check(is_there(deep), "the tree is deep", "%zu characters", strlen(deep));
	error = wapi.tree_remove(top);
	real_check(error == 0 && !is_there(top), "it is removed", "0x%08x", (unsigned)error);
	real_check(is_there(kept) && is_there(inside), "and nothing beside it", "%s", inside);
	error = wapi.tree_remove(top);
	real_check(error == WAPI_FILE_NOT_FOUND || error == WAPI_PATH_NOT_FOUND, "what is not there is not found",
	    "0x%08x", (unsigned)error);
	free(top);
	free(kept);
	free(folder);
	free(inside);
	free(deep);
	free(locked);
	free(link);
}
