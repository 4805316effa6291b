/*
 * COMMAND's standard streams. Output always goes through pipes of nsbox's own:
 * a container cannot use the caller's console, and output can be counted so. Input is
 * the caller's file or pipe; a console becomes NUL, which is opened here because a container
 * cannot open it.
 */
#include "win/run.h"

#include "win/fail.h"

/* Puts an inheritable copy of the handle at the place and closes the handle. */
static uint32_t take_inheritable(void **place, void *handle)
{
	uint32_t error = wapi.inheritable(handle, place);

	wapi.close(handle);
	return error;
}

static uint32_t make_input(struct run *run)
{
	enum wapi_stream kind = WAPI_STREAM_NONE;
	void *handle = NULL;
	uint32_t error = wapi.stream_get(0, &kind, &handle);

	if (error)
		return error;
	if (kind == WAPI_STREAM_OTHER)
		return wapi.inheritable(handle, &run->streams[0]);
	error = wapi.stream_null(&handle);
	return error ? error : take_inheritable(&run->streams[0], handle);
}

static uint32_t make_output(struct run *run, size_t number)
{
	struct wapi_pump *pump = &run->pumps[number];
	enum wapi_stream kind = WAPI_STREAM_NONE;
	void *write_end = NULL;
	uint32_t error = wapi.stream_get((int)number + 1, &kind, &pump->to);

	pump->context = &run->relay;
	pump->allow = relay_allow;
	pump->stream = number;
	if (!error)
		error = wapi.pipe_create(&pump->from, &write_end);
	return error ? error : take_inheritable(&run->streams[number + 1], write_end);
}

int streams_make(struct run *run, struct err *err)
{
	uint32_t error = make_input(run);

	relay_init(&run->relay, &run->spec->limits);
	for (size_t i = 0; i < RUN_PUMPS && !error; i++)
		error = make_output(run, i);
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot make the standard streams of the command");
	return 0;
}

int streams_start(struct run *run, struct err *err)
{
	for (size_t i = 0; i < RUN_PUMPS; i++) {
		uint32_t error = wapi.pump_start(&run->pumps[i], &run->pump_threads[i]);

		if (error)
			return fail_set(err, ERR_SETUP, error, "cannot carry the output of the command");
	}
	return 0;
}

static void close_handle(void **handle)
{
	if (*handle)
		wapi.close(*handle);
	*handle = NULL;
}

void streams_close_child(struct run *run)
{
	for (size_t i = 0; i < RUN_STREAMS; i++)
		close_handle(&run->streams[i]);
}

/* What the command wrote is handed on, however slowly it is read, but not against the caller's will. */
void streams_drain(struct run *run, uint64_t deadline_ns)
{
	for (size_t i = 0; i < RUN_PUMPS; i++) {
		while (run->pump_threads[i] &&
		    wapi.pump_wait(run->pump_threads[i], RUN_LOOK_NS) == WAPI_TIMEOUT) {
			if (wapi.cancelled() != WAPI_CANCEL_NONE ||
			    (deadline_ns && wapi.clock_ns() >= deadline_ns))
				return;
		}
	}
}

void streams_end(struct run *run)
{
	streams_close_child(run);
	for (size_t i = 0; i < RUN_PUMPS; i++) {
		if (run->pump_threads[i])
			wapi.pump_stop(run->pump_threads[i]);
		run->pump_threads[i] = NULL;
		close_handle(&run->pumps[i].from);
	}
}
