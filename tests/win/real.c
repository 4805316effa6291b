/*
 * The table of groups, and what they share (real.h). `real.exe portable` leaves out
 * what needs an AppContainer; without an argument everything has to hold.
 */
#include "win/real.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "core/err.h"
#include "core/value.h"
#include "win/args.h"
#include "win/path.h"
#include "win/wapi.h"
#include "win/wapi_real.h"

static struct {
	unsigned checks, failures, folders;
	char *folder, *programs, *child, *nsbox, *report;
} state;

static const struct {
	const char *name;
	void (*run)(void);
	bool is_portable;
} groups[] = {
	{ "profiles", real_profiles, false },
	{ "tokens", real_tokens, false },
	{ "files", real_files, false },
	{ "network", real_network, false },
	{ "limits", real_limits, false },
	{ "nested jobs", real_nested_jobs, false },
	{ "handles", real_handles, true },
	{ "read back", real_read_back, false },
	{ "teardown", real_teardown, false },
	{ "programs", real_programs, false },
	{ "large trees", real_large_trees, false },
	{ "environment", real_environment, false },
	{ "removal", real_removal, true },
	{ "words", real_words, true },
	{ "reports", real_reports, false },
};

bool real_check(bool holds, const char *name, const char *format, ...)
{
	va_list args;

	state.checks++;
	state.failures += !holds;
	printf("%sok %u - %s\n", holds ? "" : "not ", state.checks, name);
	if (!holds) {
		printf("# ");
		va_start(args, format);
		vprintf(format, args);
		va_end(args);
		printf("\n");
	}
	fflush(stdout);
	return holds;
}

void real_note(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

const char *real_child(void)
{
	return state.child;
}

const char *real_nsbox_path(void)
{
	return state.nsbox;
}

const char *real_folder_of_tests(void)
{
	return state.folder;
}

char *real_make_file(const char *name, const char *text)
{
	char *path = path_join(state.folder, name);

	if (wapi.file_replace(path, text, strlen(text)) != 0)
		real_check(false, "a file of the test is made", "%s", path);
	return path;
}

char *real_make_folder(const char *name)
{
	char *path = path_join(state.folder, name);

	if (wapi.folder_make(path) != 0)
		real_check(false, "a folder of the test is made", "%s", path);
	return path;
}

static char *join(const char *const *words)
{
	struct str_list list = STR_LIST_INIT;
	struct err err = ERR_INIT;
	struct str line = STR_INIT;

	for (; *words; words++)
		str_list_add(&list, *words);
	if (args_join(list.items, &line, &err) < 0)
		real_check(false, "a command line is composed", "%s", err.message);
	err_clear(&err);
	str_list_free(&list);
	return str_take(&line);
}

/* Starts a program whose output goes to the pipe; NULL where it cannot be started. */
static HANDLE start(const char *const *words, HANDLE output, HANDLE job)
{
	STARTUPINFOW startup = { .cb = sizeof(startup), .dwFlags = STARTF_USESTDHANDLES };
	PROCESS_INFORMATION made;
	char *text = join(words);
	wchar_t *program = real_wide(words[0]), *line = real_wide(text);
	BOOL is_started;

	startup.hStdOutput = startup.hStdError = output;
	is_started = CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NO_WINDOW, NULL,
	    NULL, &startup, &made);
	free(text);
	free(program);
	free(line);
	if (!is_started)
		return NULL;
	if (job && !AssignProcessToJobObject(job, made.hProcess))
		real_check(false, "a process is put into a job", "error %lu", GetLastError());
	ResumeThread(made.hThread);
	CloseHandle(made.hThread);
	return made.hProcess;
}

static void make_pipe(HANDLE *reader, HANDLE *writer)
{
	SECURITY_ATTRIBUTES inherited = { sizeof(inherited), NULL, TRUE };

	if (!CreatePipe(reader, writer, &inherited, 0) ||
	    !SetHandleInformation(*reader, HANDLE_FLAG_INHERIT, 0))
		real_check(false, "a pipe is made", "error %lu", GetLastError());
}

void real_run_program(struct outcome *outcome, const char *const *words, void *job)
{
	uint64_t begun = wapi.clock_ns();
	HANDLE reader, writer, process;
	DWORD code = 0;

	memset(outcome, 0, sizeof(*outcome));
	make_pipe(&reader, &writer);
	process = start(words, writer, job);
	CloseHandle(writer);
	if (!process) {
		outcome->code = UINT32_MAX;
		str_addf(&outcome->out, "%s cannot be started: error %lu", words[0], GetLastError());
	} else {
		wapi.stream_read(reader, SIZE_MAX, &outcome->out);
		WaitForSingleObject(process, INFINITE);
		GetExitCodeProcess(process, &code);
		outcome->code = code;
		CloseHandle(process);
	}
	CloseHandle(reader);
	outcome->took_ms = (wapi.clock_ns() - begun) / 1000000;
}

enum { WORDS_MAX = 40 };

/* nsbox, a report, the folder that child.exe is in, and the words. */
static void compose(const char **all, const char *const *words)
{
	size_t count = 0;

	all[count++] = state.nsbox;
	all[count++] = "--report";
	all[count++] = state.report;
	all[count++] = "--ro";
	all[count++] = state.programs;
	while (*words && count < WORDS_MAX - 1)
		all[count++] = *words++;
	all[count] = NULL;
}

void real_nsbox(struct outcome *outcome, const char *const *words)
{
	const char *all[WORDS_MAX];

	compose(all, words);
	wapi.file_remove(state.report);
	real_run_program(outcome, all, NULL);
	wapi.file_read(state.report, 1 << 20, &outcome->report);
}

void *real_start(const char *const *words, const char *sign)
{
	const char *all[WORDS_MAX];
	HANDLE reader, writer, process;
	struct str seen = STR_INIT;
	char byte;
	DWORD got = 1;

	compose(all, words);
	make_pipe(&reader, &writer);
	process = start(all, writer, NULL);
	CloseHandle(writer);
	while (process && got == 1 && !strstr(str_text(&seen), sign) &&
	    ReadFile(reader, &byte, 1, &got, NULL))
		str_add_bytes(&seen, &byte, got);
	if (!strstr(str_text(&seen), sign))
		real_check(false, "a command has begun", "it said: %s", str_text(&seen));
	CloseHandle(reader);
	str_free(&seen);
	return process;
}

void real_free(struct outcome *outcome)
{
	str_free(&outcome->out);
	str_free(&outcome->report);
}

bool real_is_applied(const struct outcome *outcome, const char *layer)
{
	char *name = xasprintf("\"name\":\"%s\",", layer);
	const char *at = strstr(str_text(&outcome->report), name);
	const char *end = at ? strchr(at, '}') : NULL;
	const char *applied = at ? strstr(at, "\"state\":\"applied\"") : NULL;

	free(name);
	return applied && end && applied < end;
}

long real_number(const struct outcome *outcome)
{
	struct err err = ERR_INIT;
	uint64_t number = 0;
	char *word = xstrndup(str_text(&outcome->out), strspn(str_text(&outcome->out), "0123456789"));
	bool is_number = value_parse_number("number", word, 0, INT32_MAX, &number, &err) == 0;

	free(word);
	err_clear(&err);
	return is_number ? (long)number : -1;
}

static char *beside(const char *folder, const char *name)
{
	char *path = path_join(folder, name);
	struct wapi_path found;

	if (wapi.path_look(path, &found) != 0) {
		real_check(false, "the programs are where they are looked for", "%s", path);
		return path;
	}
	free(path);
	return found.final;
}

/* BUILD\tests\win\real.exe, with child.exe next to it and nsbox.exe at the top. */
static void find_programs(void)
{
	wchar_t wide[MAX_PATH];
	char *self, *folder, *tests, *build, *temp;

	GetModuleFileNameW(NULL, wide, MAX_PATH);
	self = real_narrow(wide);
	folder = path_parent(self);
	tests = path_parent(folder);
	build = path_parent(tests);
	state.child = beside(folder, "child.exe");
	state.nsbox = beside(build, "nsbox.exe");
	if (wapi.folder(WAPI_TEMP, &temp) != 0)
		temp = xstrdup("C:\\");
	state.folder = xasprintf("%s\\nsbox-real-%lu", temp, GetCurrentProcessId());
	wapi.folder_make(state.folder);
	state.report = path_join(state.folder, "report.json");
	free(temp);
	free(build);
	free(tests);
	state.programs = folder;
	free(self);
}

int main(int argc, char **argv)
{
	bool only_portable = argc > 1 && strcmp(argv[1], "portable") == 0;
	char *name;

	wapi.enter();
	find_programs();
	name = wapi.system_name();
	real_note("%s", name);
	free(name);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (only_portable && !groups[i].is_portable)
			continue;
		real_note("group %zu: %s", i + 1, groups[i].name);
		groups[i].run();
	}
	wapi.tree_remove(state.folder);
	printf("1..%u\n", state.checks);
	return state.failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
