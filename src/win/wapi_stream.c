/*
 * Standard streams, pipes, and the threads that carry output. A thread may wait
 * for a reader that does not read; the supervisor never does.
 */
#include "win/wapi_real.h"

#include <stdlib.h>

enum { PIPE_BYTES = 65536, STOP_WAIT_MS = 10, STOP_ATTEMPTS = 200 };

struct pump_thread {
	struct wapi_pump *pump;
	HANDLE thread;
	volatile LONG is_stopped;
};

/* One pump asks at a time: what may be handed on is counted over all of them. */
static SRWLOCK allow_lock = SRWLOCK_INIT;

uint32_t real_stream_get(int number, enum wapi_stream *kind, void **handle)
{
	static const DWORD numbers[] = { STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE };
	HANDLE found = real_handle(GetStdHandle(numbers[number]));
	DWORD mode;

	*handle = found;
	if (!found || GetFileType(found) == FILE_TYPE_UNKNOWN)
		*kind = WAPI_STREAM_NONE;
	else
		*kind = GetConsoleMode(found, &mode) ? WAPI_STREAM_CONSOLE : WAPI_STREAM_OTHER;
	if (*kind == WAPI_STREAM_NONE)
		*handle = NULL;
	return 0;
}

uint32_t real_stream_null(void **handle)
{
	HANDLE made = CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
	    OPEN_EXISTING, 0, NULL);

	if (made == INVALID_HANDLE_VALUE)
		return real_result(FALSE);
	*handle = made;
	return 0;
}

uint32_t real_stream_write(void *handle, const char *text, size_t length)
{
	return real_write_all(handle, text, length);
}

uint32_t real_stream_read(void *handle, size_t limit, struct str *text)
{
	return real_read_all(handle, limit, text);
}

uint32_t real_pipe_create(void **read_end, void **write_end)
{
	HANDLE reader, writer;
	uint32_t error = real_result(CreatePipe(&reader, &writer, NULL, PIPE_BYTES));

	if (!error) {
		*read_end = reader;
		*write_end = writer;
	}
	return error;
}

static size_t ask(struct wapi_pump *pump, size_t bytes)
{
	size_t allowed;

	AcquireSRWLockExclusive(&allow_lock);
	allowed = pump->allow(pump->context, pump->stream, bytes);
	ReleaseSRWLockExclusive(&allow_lock);
	return allowed;
}

static DWORD WINAPI carry(void *argument)
{
	struct pump_thread *own = argument;
	struct wapi_pump *pump = own->pump;
	char *buffer = xcalloc(PIPE_BYTES, 1);
	DWORD got = 0;

	while (!own->is_stopped && ReadFile(pump->from, buffer, PIPE_BYTES, &got, NULL)) {
		size_t allowed = got > 0 ? ask(pump, got) : 0;

		/* Who has no such stream writes into nothing. */
		uint32_t error = allowed > 0 && pump->to ? real_write_all(pump->to, buffer, allowed) : 0;

		/* The pump is nobody's to touch any more. */
		if (own->is_stopped)
			break;
		if (error) {
			/* The command's next write fails, as it would without us. */
			CloseHandle(pump->from);
			pump->from = NULL;
			break;
		}
		if (allowed < got)
			break;
	}
	free(buffer);
	return 0;
}

uint32_t real_pump_start(struct wapi_pump *pump, void **thread)
{
	struct pump_thread *made = xcalloc(1, sizeof(*made));
	uint32_t error;

	made->pump = pump;
	made->thread = CreateThread(NULL, 0, carry, made, 0, NULL);
	error = real_result(made->thread != NULL);
	if (error)
		free(made);
	else
		*thread = made;
	return error;
}

uint32_t real_pump_wait(void *thread, uint64_t ns)
{
	struct pump_thread *own = thread;
	DWORD waited = WaitForSingleObject(own->thread, real_milliseconds(ns));

	return waited == WAIT_OBJECT_0 ? 0 : waited == WAIT_TIMEOUT ? WAPI_TIMEOUT : real_result(FALSE);
}

/*
 * A call that begins just now is not cancelled, so this is tried until the thread has gone. Where its
 * write cannot be cancelled at all the thread is left to the end of the process, which is near.
 */
void real_pump_stop(void *thread)
{
	struct pump_thread *own = thread;
	DWORD waited = WAIT_TIMEOUT;

	InterlockedExchange(&own->is_stopped, 1);
	for (int i = 0; i < STOP_ATTEMPTS && waited == WAIT_TIMEOUT; i++) {
		CancelSynchronousIo(own->thread);
		waited = WaitForSingleObject(own->thread, STOP_WAIT_MS);
	}
	CloseHandle(own->thread);
	if (waited != WAIT_TIMEOUT)
		free(own);
}
