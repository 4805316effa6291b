/*
 * Groups 4, 10 and 12 to 14 on Windows itself: network, programs, environment, words,
 * reports.
 */
#include "win/real.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "win/args.h"
#include "win/path.h"
#include "win/wapi.h"
#include "win/wapi_real.h"

/* child.exe connects, looks up or listens; it prints 0 where that worked. */
void real_network(void)
{
	static const char *const targets[][2] = {
		{ "connect", "1.1.1.1" }, { "connect", "127.0.0.1" }, { "resolve", "example.com" },
	};
	bool runs = false;
	const char *const services[] = { "BFE", "MpsSvc" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		const char *const words[] = { "--wall", "60", "--", real_child(), targets[i][0], targets[i][1], NULL };
		const char *const outside[] = { real_child(), targets[i][0], targets[i][1], NULL };
		struct outcome outcome;

		real_run_program(&outcome, outside, NULL);
		real_note("outside: %s %s: %s", targets[i][0], targets[i][1], str_text(&outcome.out));
		real_free(&outcome);
		real_nsbox(&outcome, words);
		real_check(real_number(&outcome) > 0, "there is no network inside", "%s %s: %s", targets[i][0],
		    targets[i][1], str_text(&outcome.out));
		real_free(&outcome);
	}
	for (size_t i = 0; i < 2; i++)
		real_note("%s: %s", services[i], wapi.service_runs(services[i], &runs) ? "unknown" :
		    runs ? "runs" : "does not run");
}

void real_programs(void)
{
	static const char *const programs[][3] = {
		{ "cmd", "/c", "echo started" }, { "powershell", "-Command", "Write-Output started" },
		{ "python", "-c", "print('started')" }, { "node", "-e", "console.log('started')" },
		{ "curl", "--version", "started" },
	};

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const char *const words[] = { "--wall", "60", "--", programs[i][0], programs[i][1], programs[i][2],
		    NULL };
		struct outcome outcome;

		real_nsbox(&outcome, words);
		real_note("%s: 0x%08x: %.300s", programs[i][0], (unsigned)outcome.code, str_text(&outcome.out));
		real_check(i > 0 || strstr(str_text(&outcome.out), "started"), "cmd.exe starts", "%s",
		    str_text(&outcome.out));
		real_free(&outcome);
	}
}

void real_environment(void)
{
	const char *const words[] = { "--env", "A=b", "--", "cmd", "/c", "set", NULL };
	static const char *const names[] = { "TEMP=", "LOCALAPPDATA=", "USERPROFILE=" };
	struct outcome outcome;

	SetEnvironmentVariableA("NSBOX_SECRET", "secret");
	real_nsbox(&outcome, words);
	real_check(strstr(str_text(&outcome.out), "A=b") != NULL, "what was given is there", "%s",
	    str_text(&outcome.out));
	real_check(!strstr(str_text(&outcome.out), "NSBOX_SECRET"), "what was not is not", "%s",
	    str_text(&outcome.out));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *at = strstr(str_text(&outcome.out), names[i]);

		real_note("inside, %.*s", at ? (int)strcspn(at, "\r\n") : 0, at ? at : "");
	}
	real_free(&outcome);
}

enum { LISTS = 10000, WORDS_MAX = 8, LENGTH_MAX = 12 };

static uint32_t next(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 16;
}

/* A list of words of what is hard to quote. */
static void make_list(struct str_list *list, uint32_t *random)
{
	static const char *const parts[] = { "\"", "\\", " ", "\t", "a", "\xc3\xa9", "\\\"", "\\\\", "%", "^" };
	size_t count = next(random) % WORDS_MAX;

	str_list_add(list, "C:\\some program.exe");
	for (size_t i = 0; i < count; i++) {
		struct str word = STR_INIT;
		size_t length = next(random) % LENGTH_MAX;

		for (size_t j = 0; j < length; j++)
			str_add(&word, parts[next(random) % (sizeof(parts) / sizeof(parts[0]))]);
		str_list_take(list, str_take(&word));
	}
}

static bool is_same(const struct str_list *list, const char *line)
{
	LPWSTR *(WINAPI *parse)(LPCWSTR, int *) =
	    (LPWSTR *(WINAPI *)(LPCWSTR, int *))(void *)real_find(L"shell32.dll", "CommandLineToArgvW");
	wchar_t *wide = real_wide(line);
	int count = 0;
	LPWSTR *words = parse ? parse(wide, &count) : NULL;
	bool result = words && (size_t)count == list->count;

	for (int i = 0; i < count && result; i++) {
		char *word = real_narrow(words[i]);

		result = strcmp(word, list->items[i]) == 0;
		free(word);
	}
	LocalFree(words);
	free(wide);
	return result;
}

/* As Windows itself takes them apart; words.t and run.t do the same through a C runtime. */
void real_words(void)
{
	unsigned wrong = 0;
	uint32_t random = 1;

	for (unsigned i = 0; i < LISTS; i++) {
		struct str_list list = STR_LIST_INIT;
		struct err err = ERR_INIT;
		struct str line = STR_INIT;

		make_list(&list, &random);
		wrong += args_join(list.items, &line, &err) < 0 || !is_same(&list, str_text(&line));
		err_clear(&err);
		str_free(&line);
		str_list_free(&list);
	}
	real_check(wrong == 0, "ten thousand lists of words come apart as they were", "%u differ", wrong);
}

void real_reports(void)
{
	const char *const words[] = { "--", real_child(), "exit", "0", NULL };
	const char *const check[] = { real_nsbox_path(), "--check", NULL };
	struct outcome outcome;

	real_run_program(&outcome, check, NULL);
	real_check(outcome.code == 0, "--check finds a whole sandbox", "%u: %s", (unsigned)outcome.code,
	    str_text(&outcome.out));
	real_free(&outcome);

	real_nsbox(&outcome, words);
	real_check(strstr(str_text(&outcome.report), "\"confinement\":\"appcontainer\",\"confinement_applied\":true") !=
	    NULL, "the report says that the sandbox was whole", "%s", str_text(&outcome.report));
	real_check(strstr(str_text(&outcome.report), "\"confirmed\":true") != NULL, "and that it is gone", "%s",
	    str_text(&outcome.report));
	real_free(&outcome);
}
