/*
 * Groups 5, 6 and 7 on Windows itself: what jobs limit, jobs in jobs, handles.
 */
#include "win/real.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "win/wapi.h"

static void check_says(const char *name, const char *const *words, const char *expected)
{
	struct outcome outcome;

	real_nsbox(&outcome, words);
	real_check(strstr(str_text(&outcome.out), expected) || strstr(str_text(&outcome.report), expected), name,
	    "%u: %s\n# %s", (unsigned)outcome.code, str_text(&outcome.out), str_text(&outcome.report));
	real_free(&outcome);
}

void real_limits(void)
{
	const char *const one[] = { "--pids", "1", "--", real_child(), "start", "1", "exit", "0", NULL };
	const char *const two[] = { "--pids", "3", "--", real_child(), "start", "1", "exit", "0", NULL };
	const char *const much[] = { "--mem", "64M", "--", real_child(), "commit", "200", NULL };
	const char *const little[] = { "--mem", "400M", "--", real_child(), "commit", "200", NULL };
	const char *const user[] = { "--cpu", "1", "--wall", "60", "--", real_child(), "spin", NULL };
	const char *const kernel[] = { "--cpu", "1", "--wall", "60", "--", real_child(), "spin", "kernel", NULL };
	const char *const rate[] = { "--cpus", "0.1", "--wall", "3", "--", real_child(), "spin", NULL };
	struct outcome outcome;

	check_says("a process too many is not started", one, "not started");
	check_says("one that may be is", two, "pid ");
	check_says("memory above the limit is refused", much, "refused");
	check_says("below it it is given", little, "committed");
	check_says("user time is limited", user, "\"reason\":\"cpu-limit\"");
	check_says("and so is kernel time", kernel, "\"reason\":\"cpu-limit\"");
	real_nsbox(&outcome, rate);
	real_note("a tenth of a processor for 3 s: %s", strstr(str_text(&outcome.report), "\"usage\":") ?
	    strstr(str_text(&outcome.report), "\"usage\":") : "no usage");
	real_check(real_is_applied(&outcome, "cpus"), "the rate is limited", "%s", str_text(&outcome.report));
	real_free(&outcome);
}

/* nsbox itself in a job, without and with restrictions of the desktop. */
static void run_in_job(DWORD ui)
{
	const char *const words[] = { real_nsbox_path(), "--", real_child(), "exit", "5", NULL };
	JOBOBJECT_BASIC_UI_RESTRICTIONS restrictions = { ui };
	HANDLE job = CreateJobObjectW(NULL, NULL);
	struct outcome outcome;

	if (ui)
		SetInformationJobObject(job, JobObjectBasicUIRestrictions, &restrictions, sizeof(restrictions));
	real_run_program(&outcome, words, job);
	real_note("in a job with restrictions 0x%lx: %u: %s", ui, (unsigned)outcome.code, str_text(&outcome.out));
	real_check(outcome.code == 5 || outcome.code == 125, "nsbox in a job works or says why not", "%u",
	    (unsigned)outcome.code);
	real_free(&outcome);
	CloseHandle(job);
}

void real_nested_jobs(void)
{
	run_in_job(0);
	run_in_job(JOB_OBJECT_UILIMIT_EXITWINDOWS);
	for (unsigned count = 1; count <= 4; count++) {
		char *text = xasprintf("%u", count);
		const char *const words[] = { "--pids", text, "--", real_child(), "exit", "0", NULL };
		struct outcome outcome;

		real_nsbox(&outcome, words);
		real_note("--pids %u: a console program ends with %u", count, (unsigned)outcome.code);
		real_free(&outcome);
		free(text);
	}
}

/* Starts child.exe through the seam, with or without the list; its exit code says whether it has the handle. */
static uint32_t has_handle(HANDLE file, bool with_list)
{
	char *line = xasprintf("child handle %lu", (unsigned long)(ULONG_PTR)file);
	void *attributes = NULL, *process = NULL, *thread = NULL, *null = NULL, *listed = NULL;
	struct wapi_attr attr = { .kind = WAPI_ATTR_HANDLES, .count = 1 };
	struct wapi_start start = { .program = real_child(), .command_line = line, .environment = "A=b\0",
	    .environment_size = 5, .folder = real_folder_of_tests() };
	uint32_t before, code = UINT32_MAX;

	wapi.stream_null(&null);
	wapi.inheritable(null, &listed);
	attr.handles = &listed;
	if (wapi.attrs_create(WAPI_ATTR_COUNT, &attributes) == 0 &&
	    (!with_list || wapi.attrs_add(attributes, &attr) == 0)) {
		start.attributes = attributes;
		start.streams[0] = start.streams[1] = start.streams[2] = listed;
		if (wapi.process_create(&start, &process, &thread) == 0) {
			wapi.thread_resume(thread, &before);
			wapi.process_wait(process, UINT64_MAX);
			wapi.process_exit_code(process, &code);
			wapi.close(process);
			wapi.close(thread);
		}
	}
	wapi.attrs_free(attributes);
	wapi.close(listed);
	wapi.close(null);
	free(line);
	return code;
}

void real_handles(void)
{
	SECURITY_ATTRIBUTES inherited = { sizeof(inherited), NULL, TRUE };
	char *path = real_make_file("inherited", "x");
	wchar_t wide[MAX_PATH];
	HANDLE file;
	uint32_t with, without;

	MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, MAX_PATH);
	file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ, &inherited, OPEN_EXISTING, 0, NULL);
	real_check(file != INVALID_HANDLE_VALUE, "a file that children inherit is open", "error %lu", GetLastError());
	without = has_handle(file, false);
	real_check(without == 1, "without a list a child has it", "%u", (unsigned)without);
	with = has_handle(file, true);
	real_check(with == 0, "with a list that does not name it it has not", "%u", (unsigned)with);
	CloseHandle(file);
	free(path);
}
