/*
 * The child: created suspended, in its container and in its job, with a list of
 * the handles that it inherits. Whatever cannot be asked for is an error before there is a
 * process; only what was merely wanted may be left out.
 */
#include "win/run.h"

#include "win/fail.h"

static uint32_t add(struct run *run, const struct wapi_attr *attr)
{
	run->attrs[attr->kind] = *attr;
	return wapi.attrs_add(run->attributes, &run->attrs[attr->kind]);
}

/* Windows refuses a list that names a handle twice. */
static size_t distinct(void *handles[RUN_STREAMS])
{
	size_t count = 0;

	for (size_t i = 0; i < RUN_STREAMS; i++) {
		bool is_new = handles[i] != NULL;

		for (size_t j = 0; j < count; j++)
			is_new = is_new && handles[j] != handles[i];
		if (is_new)
			handles[count++] = handles[i];
	}
	return count;
}

static int add_all(struct run *run, struct err *err)
{
	const struct wapi_attr job = { .kind = WAPI_ATTR_JOB, .handles = &run->job, .count = 1 };
	const struct wapi_attr handles = { .kind = WAPI_ATTR_HANDLES, .handles = run->listed,
	    .count = run->listed_count };
	const struct wapi_attr container = { .kind = WAPI_ATTR_CONTAINER, .sid = run->sid };
	const struct wapi_attr lpac = { .kind = WAPI_ATTR_NO_PACKAGES };
	const struct wapi_attr mitigations = { .kind = WAPI_ATTR_MITIGATIONS, .value = RUN_MITIGATIONS };
	uint32_t error = add(run, &job);
	const char *what = "the job";

	if (!error) {
		what = "the list of handles";
		error = add(run, &handles);
	}
	if (!error && run->sid) {
		what = "the AppContainer";
		error = add(run, &container);
	}
	if (!error && run->sid && run->spec->policy[CONTROL_LPAC].want != WANT_NO) {
		what = "a less privileged AppContainer";
		error = add(run, &lpac);
	}
	if (error)
		return fail_set(err, ERR_SETUP, error, "the command cannot be started in %s", what);
	if (run->spec->policy[CONTROL_MITIGATIONS].want != WANT_NO)
		run->mitigations_error = add(run, &mitigations);
	return 0;
}

/*
 * Where nsbox is in a job already, Windows may refuse one inside it that restricts the desktop. Only that is given up
 * then, and only where it may be missing.
 */
static uint32_t create_in_job(struct run *run, const struct wapi_start *start)
{
	uint32_t error = wapi.process_create(start, &run->process, &run->thread);

	if (error != WAPI_ACCESS_DENIED || run->ui_error ||
	    run->spec->policy[CONTROL_UI].want == WANT_YES)
		return error;
	run->ui_error = WAPI_ACCESS_DENIED;
	if (wapi.job_set_ui(run->job, 0) != 0)
		return error;
	return wapi.process_create(start, &run->process, &run->thread);
}

static int create(struct run *run, struct err *err)
{
	const struct wapi_start start = {
		.program = run->program,
		.command_line = str_text(&run->command_line),
		.environment = str_text(&run->env.block),
		.environment_size = run->env.block.length,
		.folder = run->spec->chdir ? run->spec->chdir : run->scratch,
		.attributes = run->attributes,
		.streams = { run->streams[0], run->streams[1], run->streams[2] },
	};
	uint32_t error = create_in_job(run, &start);
	bool is_program = error != WAPI_BAD_EXE_FORMAT && error != 216 && error != WAPI_ACCESS_DENIED &&
	    error != 740;

	if (!error)
		return 0;
	fail_set(err, error == WAPI_FILE_NOT_FOUND ? ERR_NOT_FOUND :
	    is_program ? ERR_SETUP : ERR_NOT_EXECUTABLE, error, "%s: cannot be started", run->program);
	return error == WAPI_ACCESS_DENIED && !run->ui_error ? err_hint(err,
	    "where nsbox itself is in a job that restricts the desktop, --allow-missing ui may help") : -1;
}

int spawn_make(struct run *run, struct err *err)
{
	uint32_t error = wapi.attrs_create(WAPI_ATTR_COUNT, &run->attributes);

	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot describe the process of the command");
	for (size_t i = 0; i < RUN_STREAMS; i++)
		run->listed[i] = run->streams[i];
	run->listed_count = distinct(run->listed);
	if (add_all(run, err) < 0)
		return -1;
	return create(run, err);
}

void spawn_end(struct run *run)
{
	/* Where there is no job to end it, and where it never began. */
	if (run->process && !run->is_released)
		wapi.process_kill(run->process, RUN_KILLED);
	if (run->thread)
		wapi.close(run->thread);
	if (run->process)
		wapi.close(run->process);
	if (run->attributes)
		wapi.attrs_free(run->attributes);
	run->thread = run->process = run->attributes = NULL;
}
