/*
 * The system and this process: errors as sentences, environment, clock, randomness,
 * locks, and what the user does at the console.
 */
#include "win/wapi_real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <io.h>

enum {
	SYSTEM_RANDOM = 2,	/* BCRYPT_USE_SYSTEM_PREFERRED_RNG */
	LOCK_WAIT_MS = 20000,
	CLOSE_WAIT_MS = 4500	/* Windows ends the process after 5 seconds */
};

static HANDLE cancel_event;
static volatile LONG cancel_kind;

HANDLE real_cancel_event(void)
{
	return cancel_event;
}

enum wapi_cancel real_cancelled(void)
{
	return (enum wapi_cancel)cancel_kind;
}

/* Runs in a thread of its own. When it returns from a close, the process is ended. */
static BOOL WINAPI handle_console(DWORD event)
{
	enum wapi_cancel kind = event == CTRL_C_EVENT ? WAPI_CANCEL_INTERRUPT :
	    event == CTRL_BREAK_EVENT ? WAPI_CANCEL_BREAK : WAPI_CANCEL_CLOSE;

	InterlockedCompareExchange(&cancel_kind, kind, WAPI_CANCEL_NONE);
	SetEvent(cancel_event);
	if (kind == WAPI_CANCEL_CLOSE)
		Sleep(CLOSE_WAIT_MS);
	return TRUE;
}

uint32_t real_enter(void)
{
	if (_setmode(_fileno(stdout), _O_BINARY) < 0 || _setmode(_fileno(stderr), _O_BINARY) < 0)
		return ERROR_INVALID_HANDLE;
	/* Whatever is loaded from now on, by whomever, lies in the system's folder. */
	if (!SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32))
		return real_result(FALSE);
	SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
	cancel_event = CreateEventW(NULL, TRUE, FALSE, NULL);
	if (!cancel_event)
		return real_result(FALSE);
	return real_result(SetConsoleCtrlHandler(handle_console, TRUE));
}

void real_forget(void)
{
	wchar_t *line = GetCommandLineW();

	SecureZeroMemory(line, wcslen(line) * sizeof(*line));
}

char *real_describe(uint32_t error)
{
	/* NTSTATUS values, with which programs end, have their sentences in ntdll. */
	bool is_status = error >= 0xc0000000;
	DWORD flags = FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_IGNORE_INSERTS |
	    (is_status ? FORMAT_MESSAGE_FROM_HMODULE : FORMAT_MESSAGE_FROM_SYSTEM);
	wchar_t *wide = NULL;
	char *text;
	size_t length;

	if (!FormatMessageW(flags, is_status ? GetModuleHandleW(L"ntdll.dll") : NULL, error, 0,
	    (wchar_t *)&wide, 0, NULL))
		return xstrdup("no sentence for it");
	text = real_narrow(wide);
	LocalFree(wide);
	for (size_t i = 0; text[i]; i++)
		if (text[i] == '\r' || text[i] == '\n')
			text[i] = ' ';
	length = strlen(text);
	while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '.'))
		text[--length] = '\0';
	return text;
}

char *real_system_name(void)
{
	LONG (WINAPI *get_version)(OSVERSIONINFOW *) =
	    (LONG (WINAPI *)(OSVERSIONINFOW *))(void *)real_find(L"ntdll.dll", "RtlGetVersion");
	const char *(CDECL *wine)(void) =
	    (const char *(CDECL *)(void))(void *)real_find(L"ntdll.dll", "wine_get_version");
	OSVERSIONINFOW version = { .dwOSVersionInfoSize = sizeof(version) };
	struct str name = STR_INIT;

	str_add(&name, "windows");
	if (get_version && get_version(&version) == 0)
		str_addf(&name, " %lu.%lu.%lu", version.dwMajorVersion, version.dwMinorVersion,
		    version.dwBuildNumber);
	str_add(&name, " x86_64");
	if (wine)
		str_addf(&name, " (Wine %s)", wine());
	return str_take(&name);
}

const char *real_get_env(const char *name)
{
	static struct str_list kept = STR_LIST_INIT;
	wchar_t *wide = real_wide(name);
	DWORD size = GetEnvironmentVariableW(wide, NULL, 0);
	wchar_t *value = xcalloc((size_t)size + 1, sizeof(*value));
	bool is_there = size > 0 && GetEnvironmentVariableW(wide, value, size) < size;

	if (is_there)
		str_list_take(&kept, real_narrow(value));
	free(wide);
	free(value);
	return is_there ? kept.items[kept.count - 1] : NULL;
}

void real_list_env(struct str_list *variables)
{
	wchar_t *block = GetEnvironmentStringsW();

	for (wchar_t *at = block; at && *at; at += wcslen(at) + 1)
		str_list_take(variables, real_narrow(at));
	if (block)
		FreeEnvironmentStringsW(block);
}

uint64_t real_clock_ns(void)
{
	LARGE_INTEGER count, frequency;

	QueryPerformanceFrequency(&frequency);
	QueryPerformanceCounter(&count);
	return (uint64_t)(count.QuadPart / frequency.QuadPart) * 1000000000 +
	    (uint64_t)(count.QuadPart % frequency.QuadPart) * 1000000000 / (uint64_t)frequency.QuadPart;
}

void real_sleep_ns(uint64_t ns)
{
	Sleep(real_milliseconds(ns));
}

uint32_t real_random(void *bytes, size_t length)
{
	LONG (WINAPI *generate)(void *, PUCHAR, ULONG, ULONG) =
	    (LONG (WINAPI *)(void *, PUCHAR, ULONG, ULONG))(void *)real_find(L"bcrypt.dll", "BCryptGenRandom");

	if (!generate)
		return ERROR_PROC_NOT_FOUND;
	return generate(NULL, bytes, (ULONG)length, SYSTEM_RANDOM) == 0 ? 0 : ERROR_GEN_FAILURE;
}

uint32_t real_processors(uint32_t *count)
{
	*count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	return real_result(*count > 0);
}

uint32_t real_user_sid(char **sid)
{
	struct {
		TOKEN_USER user;
		BYTE room[SECURITY_MAX_SID_SIZE];
	} buffer;
	HANDLE token;
	DWORD size;
	uint32_t error = real_result(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token));

	if (error)
		return error;
	error = real_result(GetTokenInformation(token, TokenUser, &buffer, sizeof(buffer), &size));
	CloseHandle(token);
	if (!error && !(*sid = real_sid_text(buffer.user.User.Sid)))
		error = real_result(FALSE);
	return error;
}

static uint32_t creation_of(HANDLE process, uint64_t *created)
{
	FILETIME made, ended, kernel, user;
	uint32_t error = real_result(GetProcessTimes(process, &made, &ended, &kernel, &user));

	if (!error)
		*created = (uint64_t)made.dwHighDateTime << 32 | made.dwLowDateTime;
	return error;
}

uint32_t real_self(uint32_t *pid, uint64_t *created)
{
	*pid = GetCurrentProcessId();
	return creation_of(GetCurrentProcess(), created);
}

uint32_t real_is_alive(uint32_t pid, uint64_t created, bool *alive)
{
	HANDLE process = OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid);
	uint64_t found;
	uint32_t error = real_result(process != NULL);

	/* There is no process of that number. */
	if (error == ERROR_INVALID_PARAMETER) {
		*alive = false;
		return 0;
	}
	if (error)
		return error;
	error = creation_of(process, &found);
	if (!error)	/* An ended process can be opened as long as anybody has a handle of it. */
		*alive = found == created && WaitForSingleObject(process, 0) != WAIT_OBJECT_0;
	CloseHandle(process);
	return error;
}

uint32_t real_lock(const char *name, void **lock)
{
	char *text = xasprintf("Local\\%s", name);
	wchar_t *wide = real_wide(text);
	HANDLE mutex = CreateMutexW(NULL, FALSE, wide);
	uint32_t error = real_result(mutex != NULL);
	DWORD waited;

	free(text);
	free(wide);
	if (error)
		return error;
	waited = WaitForSingleObject(mutex, LOCK_WAIT_MS);
	/* Who had it may have been killed; what it left is what journals are for. */
	if (waited == WAIT_OBJECT_0 || waited == WAIT_ABANDONED) {
		*lock = mutex;
		return 0;
	}
	error = waited == WAIT_TIMEOUT ? WAPI_TIMEOUT : real_result(FALSE);
	CloseHandle(mutex);
	return error;
}

void real_unlock(void *lock)
{
	ReleaseMutex(lock);
	CloseHandle(lock);
}
