/*
 * The command of the tests on Windows: does what its first argument says, through
 * an ordinary C runtime. It knows nothing of nsbox.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <winsock2.h>
#include <ws2tcpip.h>
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <sddl.h>

/* Every argument in hexadecimal, one a line, as the C runtime took the command line apart. */
static int show_arguments(int argc, wchar_t **argv)
{
	for (int i = 2; i < argc; i++) {
		putchar(':');
		for (const wchar_t *at = argv[i]; *at; at++)
			printf("%04x", (unsigned)*at);
		putchar('\n');
	}
	return 0;
}

static int write_bytes(int argc, wchar_t **argv)
{
	static char block[4096];
	long left = argc > 2 ? wcstol(argv[2], NULL, 10) : 0;
	FILE *stream = argc > 3 && wcscmp(argv[3], L"err") == 0 ? stderr : stdout;

	memset(block, 'x', sizeof(block));
	while (left > 0) {
		size_t count = left < (long)sizeof(block) ? (size_t)left : sizeof(block);

		if (fwrite(block, 1, count, stream) != count)
			return 9;
		left -= (long)count;
	}
	return fflush(stream) == 0 ? 0 : 9;
}

static int end(int argc, wchar_t **argv)
{
	ExitProcess(argc > 2 ? wcstoul(argv[2], NULL, 0) : 0);
}

static int sleep_on(int argc, wchar_t **argv)
{
	puts("begun");
	fflush(stdout);
	Sleep(argc > 2 ? wcstoul(argv[2], NULL, 10) : 0);
	return 0;
}

/* Starts itself again with the arguments behind; waits for it where the number is 1. */
static int start_another(int argc, wchar_t **argv)
{
	wchar_t line[1024], self[MAX_PATH];
	STARTUPINFOW startup = { .cb = sizeof(startup) };
	PROCESS_INFORMATION made;

	GetModuleFileNameW(NULL, self, MAX_PATH);
	wcscpy(line, L"child");
	for (int i = 3; i < argc; i++) {
		wcscat(line, L" ");
		wcscat(line, argv[i]);
	}
	if (!CreateProcessW(self, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &made)) {
		printf("not started: %lu\n", GetLastError());
		return 8;
	}
	printf("pid %lu\n", made.dwProcessId);
	fflush(stdout);
	if (wcscmp(argv[2], L"1") == 0)
		WaitForSingleObject(made.hProcess, INFINITE);
	return 0;
}

/* Ends with 1 where the number is that of a file that is open here. */
static int look_at_handle(int argc, wchar_t **argv)
{
	unsigned long wanted = argc > 2 ? wcstoul(argv[2], NULL, 0) : 0;

	return GetFileType((HANDLE)(ULONG_PTR)wanted) == FILE_TYPE_DISK;
}

static int copy_input(int argc, wchar_t **argv)
{
	char buffer[4096];
	size_t count;

	(void)argc;
	(void)argv;
	while ((count = fread(buffer, 1, sizeof(buffer), stdin)) > 0)
		fwrite(buffer, 1, count, stdout);
	return fflush(stdout) == 0 ? 0 : 9;
}

static int spin(int argc, wchar_t **argv)
{
	bool in_kernel = argc > 2 && wcscmp(argv[2], L"kernel") == 0;
	volatile bool goes_on = true;

	while (goes_on)
		if (in_kernel)
			SwitchToThread();
	return 0;
}

/* In MiB. */
static int commit(int argc, wchar_t **argv)
{
	SIZE_T bytes = argc > 2 ? (SIZE_T)wcstoul(argv[2], NULL, 10) << 20 : 0;

	puts(VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) ? "committed" : "refused");
	return 0;
}

/* What opening a file to read, write or delete it gives: 0 or the error. */
static int try_open(int argc, wchar_t **argv)
{
	bool writes = argc > 3 && wcscmp(argv[3], L"write") == 0;
	bool deletes = argc > 3 && wcscmp(argv[3], L"delete") == 0;
	HANDLE file = argc > 2 ? CreateFileW(argv[2], deletes ? DELETE : writes ? GENERIC_WRITE : GENERIC_READ,
	    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, writes ? OPEN_ALWAYS : OPEN_EXISTING,
	    FILE_FLAG_BACKUP_SEMANTICS, NULL) : INVALID_HANDLE_VALUE;

	printf("%lu\n", file == INVALID_HANDLE_VALUE ? GetLastError() : 0UL);
	return 0;
}

static DWORD token_number(HANDLE token, int which)
{
	DWORD value = 0, size;

	return GetTokenInformation(token, (TOKEN_INFORMATION_CLASS)which, &value, sizeof(value), &size) ? value : 99;
}

/* What the process says of itself. */
static int show_token(int argc, wchar_t **argv)
{
	union {
		TOKEN_APPCONTAINER_INFORMATION container;
		TOKEN_MANDATORY_LABEL label;
		TOKEN_GROUPS groups;
		BYTE room[4096];
	} info;
	wchar_t *text = NULL;
	HANDLE token;
	DWORD size;

	(void)argc;
	(void)argv;
	if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
		return 9;
	printf("container %lu\nlpac %lu\n", token_number(token, TokenIsAppContainer), token_number(token, 46));
	if (GetTokenInformation(token, TokenCapabilities, &info, sizeof(info), &size))
		printf("capabilities %lu\n", info.groups.GroupCount);
	if (GetTokenInformation(token, TokenIntegrityLevel, &info, sizeof(info), &size))
		printf("integrity %lu\n", *GetSidSubAuthority(info.label.Label.Sid, 0));
	if (GetTokenInformation(token, TokenAppContainerSid, &info, sizeof(info), &size) &&
	    info.container.TokenAppContainer && ConvertSidToStringSidW(info.container.TokenAppContainer, &text))
		printf("sid %ls\n", text);
	return 0;
}

/* 0 where a TCP connection to port 80 or, on this machine, 445 is made; else the error. */
static int try_connect(int argc, wchar_t **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	WSADATA data;
	SOCKET made;
	char host[64];
	int error = WSAStartup(MAKEWORD(2, 2), &data);

	snprintf(host, sizeof(host), "%ls", argc > 2 ? argv[2] : L"");
	address.sin_addr.s_addr = inet_addr(host);
	address.sin_port = htons(strncmp(host, "127.", 4) == 0 ? 445 : 80);
	made = error ? INVALID_SOCKET : socket(AF_INET, SOCK_STREAM, 0);
	if (!error && (made == INVALID_SOCKET || connect(made, (struct sockaddr *)&address, sizeof(address)) != 0))
		error = WSAGetLastError();
	printf("%d\n", error);
	return 0;
}

static int try_resolve(int argc, wchar_t **argv)
{
	ADDRINFOW *found = NULL;
	WSADATA data;
	int error = WSAStartup(MAKEWORD(2, 2), &data);

	if (!error)
		error = GetAddrInfoW(argc > 2 ? argv[2] : L"", NULL, NULL, &found);
	printf("%d\n", error);
	return 0;
}

static int crash(int argc, wchar_t **argv)
{
	volatile int *volatile nowhere = NULL;

	(void)argc;
	(void)argv;
	*nowhere = 0;
	return 0;
}

static const struct {
	const wchar_t *name;
	int (*run)(int, wchar_t **);
} verbs[] = {
	{ L"args", show_arguments }, { L"write", write_bytes }, { L"exit", end }, { L"sleep", sleep_on },
	{ L"start", start_another }, { L"handle", look_at_handle }, { L"cat", copy_input }, { L"spin", spin },
	{ L"commit", commit }, { L"open", try_open }, { L"crash", crash },
	{ L"token", show_token }, { L"connect", try_connect }, { L"resolve", try_resolve },
};

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
	_setmode(_fileno(stdout), _O_BINARY);
	_setmode(_fileno(stderr), _O_BINARY);
	_setmode(_fileno(stdin), _O_BINARY);
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (wcscmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(argc, argv);
	fputs("child: what?\n", stderr);
	return 99;
}
