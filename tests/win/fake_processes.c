/*
 * The fake Windows: jobs, processes and tokens. The command does what the test
 * said: it runs for some time, uses some of the processor, writes, leaves others behind, and
 * ends with the number that its command line ends with.
 */
#include "win/fake_win.h"

#include <stdlib.h>
#include <string.h>

#include "core/value.h"

enum { ALL = 0x1f01ff, LOW = 0x1000, HIGH = 0x3000 };

/* There is one at a time. */
static struct {
	struct wapi_limits limits;
	uint32_t ui, rate;
	bool kills_on_close;
} job;

static struct {
	bool is_alive, is_suspended, is_in_job, is_lpac, has_mitigations;
	bool has_written;
	char *container;
	uint64_t resumed_ns;
	uint32_t code;
	uint32_t survivors;
} process;

static struct {
	bool is_used;
	struct wapi_attr attrs[WAPI_ATTR_COUNT];
} attributes;

static struct wapi_pump *pumps[2];

void fake_processes_end(void)
{
	process.is_alive = false;
	process.survivors = 0;
	fake.running = 0;
}

/* nsbox is gone, and with it the last handle of the job. */
void fake_processes_orphan(void)
{
	if (process.is_in_job && (job.limits.flags & WAPI_LIMIT_KILL_ON_CLOSE))
		fake_processes_end();
}

void fake_processes_free(void)
{
	free(process.container);
	memset(&process, 0, sizeof(process));
	memset(&job, 0, sizeof(job));
	memset(&attributes, 0, sizeof(attributes));
	memset(pumps, 0, sizeof(pumps));
}

uint32_t fake_job_create(void **made)
{
	FAKE_CALL("job_create");
	*made = fake_new_handle();
	return 0;
}

uint32_t fake_job_set_limits(void *handle, const struct wapi_limits *limits)
{
	(void)handle;
	FAKE_CALL("job_set_limits");
	job.limits = *limits;
	return 0;
}

uint32_t fake_job_get_limits(void *handle, struct wapi_limits *limits)
{
	(void)handle;
	FAKE_CALL("job_get_limits");
	*limits = job.limits;
	if (fake.lie == LIE_NO_FLAGS)
		memset(limits, 0, sizeof(*limits));
	limits->processes += fake.lie == LIE_PIDS;
	limits->memory += fake.lie == LIE_MEM;
	limits->user_time += fake.lie == LIE_CPU;
	return 0;
}

uint32_t fake_job_set_ui(void *handle, uint32_t mask)
{
	(void)handle;
	FAKE_CALL("job_set_ui");
	job.ui = mask;
	return 0;
}

uint32_t fake_job_get_ui(void *handle, uint32_t *mask)
{
	(void)handle;
	FAKE_CALL("job_get_ui");
	*mask = fake.lie == LIE_UI ? 0 : job.ui;
	return 0;
}

uint32_t fake_job_set_rate(void *handle, uint32_t rate)
{
	(void)handle;
	FAKE_CALL("job_set_rate");
	job.rate = rate;
	return 0;
}

uint32_t fake_job_get_rate(void *handle, uint32_t *rate)
{
	(void)handle;
	FAKE_CALL("job_get_rate");
	*rate = fake.lie == LIE_RATE ? 10000 : job.rate;
	return 0;
}

uint32_t fake_job_usage(void *handle, struct wapi_usage *usage)
{
	(void)handle;
	FAKE_CALL("job_usage");
	memset(usage, 0, sizeof(*usage));
	usage->active = (process.is_alive && process.is_in_job) + process.survivors +
	    (fake.lie == LIE_TWO_IN_JOB);
	if (fake.lie == LIE_NEVER_EMPTY && fake.resumed)
		usage->active = 1;
	usage->user_time = fake.resumed ? fake.uses_user_ns / 100 : 0;
	usage->kernel_time = fake.resumed ? fake.uses_kernel_ns / 100 : 0;
	usage->peak_memory = 4096;
	return 0;
}

static void end_all(uint32_t code)
{
	if (process.is_alive)
		process.code = code;
	fake_processes_end();
}

uint32_t fake_job_terminate(void *handle, uint32_t code)
{
	(void)handle;
	FAKE_CALL("job_terminate");
	if (process.is_in_job || !process.is_alive)
		end_all(code);
	/* It is there until somebody else opens it too. */
	if (fake.lie == LIE_TWO_IN_JOB)
		fake.lie = LIE_NONE;
	return 0;
}

uint32_t fake_job_contains(void *handle, void *child, bool *contains)
{
	(void)handle;
	(void)child;
	FAKE_CALL("job_contains");
	*contains = process.is_in_job;
	return 0;
}

uint32_t fake_attrs_create(size_t count, void **made)
{
	FAKE_CALL("attrs_create");
	memset(&attributes, 0, sizeof(attributes));
	attributes.is_used = count > 0;
	*made = fake_new_handle();
	return 0;
}

uint32_t fake_attrs_add(void *made, const struct wapi_attr *attr)
{
	(void)made;
	FAKE_CALL("attrs_add");
	attributes.attrs[attr->kind] = *attr;
	attributes.attrs[attr->kind].value = 1;
	return 0;
}

void fake_attrs_free(void *made)
{
	fake_close(made);
}

/* The number at the end of the line, which is what `cmd /c exit N` ends with. */
static uint32_t code_of(const char *line)
{
	struct err err = ERR_INIT;
	uint64_t code = 0;
	const char *blank = strrchr(line, ' ');
	char *word = xstrndup(blank ? blank + 1 : "0", blank ? strcspn(blank + 1, "\"") : 1);

	if (value_parse_number("code", word, 0, UINT32_MAX, &code, &err) < 0)
		code = 0;
	err_clear(&err);
	free(word);
	return (uint32_t)code;
}

uint32_t fake_process_create(const struct wapi_start *start, void **child, void **thread)
{
	const struct wapi_attr *container = &attributes.attrs[WAPI_ATTR_CONTAINER];

	FAKE_CALL("process_create");
	if (strstr(start->program, "junk"))
		return WAPI_BAD_EXE_FORMAT;
	if (fake.is_in_strict_job && job.ui)
		return WAPI_ACCESS_DENIED;
	fake.created++;
	fake.running++;
	free(fake.command_line);
	fake.command_line = xstrdup(start->command_line);
	fake.environment_size = start->environment_size;
	process.is_alive = process.is_suspended = true;
	process.is_in_job = attributes.attrs[WAPI_ATTR_JOB].value && fake.lie != LIE_NOT_IN_JOB;
	process.is_lpac = attributes.attrs[WAPI_ATTR_NO_PACKAGES].value && fake.lie != LIE_NOT_LPAC;
	process.has_mitigations = attributes.attrs[WAPI_ATTR_MITIGATIONS].value;
	free(process.container);
	process.container = container->value ? xstrdup(container->sid) : NULL;
	process.code = code_of(start->command_line);
	*child = fake_new_handle();
	*thread = fake_new_handle();
	return 0;
}

uint32_t fake_thread_resume(void *thread, uint32_t *count_before)
{
	(void)thread;
	FAKE_CALL("thread_resume");
	fake.resumed++;
	process.is_suspended = false;
	process.resumed_ns = fake_clock_ns();
	*count_before = fake.lie == LIE_RESUMED_TWICE ? 2 : 1;
	return 0;
}

/* What the command writes goes through the pumps at once; false where it waits for a full pipe. */
static bool write_all(void)
{
	bool is_all = true;

	for (size_t i = 0; i < 2 && !process.has_written; i++)
		if (pumps[i])
			is_all = pumps[i]->allow(pumps[i]->context, pumps[i]->stream, fake.writes[i]) ==
			    fake.writes[i] && is_all;
	process.has_written = is_all;
	return is_all;
}

uint32_t fake_process_wait(void *child, uint64_t ns)
{
	uint64_t now = fake_clock_ns();
	uint64_t end = process.resumed_ns + fake.runs_ns;

	(void)child;
	FAKE_CALL("process_wait");
	if (process.is_alive && (!write_all() || end > now)) {
		uint64_t left = end > now ? end - now : UINT64_MAX;

		/* The user is heard at once, whatever else is waited for. */
		if (fake.cancel != WAPI_CANCEL_NONE && fake.cancel_ns > now && fake.cancel_ns - now < ns)
			ns = fake.cancel_ns - now;
		if (left > ns) {
			fake_sleep_ns(ns == UINT64_MAX ? 0 : ns);
			return WAPI_TIMEOUT;
		}
		fake_sleep_ns(left);
	}
	if (process.is_alive) {
		process.is_alive = false;
		process.survivors = fake.survivors;
		fake.running = fake.survivors;
	}
	return 0;
}

uint32_t fake_process_exit_code(void *child, uint32_t *code)
{
	(void)child;
	FAKE_CALL("process_exit_code");
	*code = process.code;
	return 0;
}

uint32_t fake_process_kill(void *child, uint32_t code)
{
	(void)child;
	FAKE_CALL("process_kill");
	end_all(code);
	return 0;
}

uint32_t fake_pump_start(struct wapi_pump *pump, void **thread)
{
	FAKE_CALL("pump_start");
	pumps[pump->stream] = pump;
	*thread = fake_new_handle();
	return 0;
}

uint32_t fake_pump_wait(void *thread, uint64_t ns)
{
	(void)thread;
	(void)ns;
	FAKE_CALL("pump_wait");
	return 0;
}

void fake_pump_stop(void *thread)
{
	fake_close(thread);
}

uint32_t fake_token_open(void *child, void **token)
{
	(void)child;
	FAKE_CALL("token_open");
	*token = fake_new_handle();
	return 0;
}

void fake_token_read(void *token, struct wapi_token *facts)
{
	bool is_container = process.container && fake.lie != LIE_NOT_A_CONTAINER;

	(void)token;
	memset(facts, 0, sizeof(*facts));
	facts->is_container.value = is_container;
	facts->integrity.value = is_container && fake.lie != LIE_HIGH_INTEGRITY ? LOW : HIGH;
	facts->capabilities.value = fake.lie == LIE_CAPABILITY;
	facts->capabilities.error = fake.lie == LIE_CAPABILITIES_UNREADABLE ? 1 : 0;
	facts->is_lpac.value = process.is_lpac;
	if (is_container && fake.lie != LIE_NO_SID)
		facts->sid = xstrdup(fake.lie == LIE_OTHER_SID ? "S-1-15-2-9-9-9-9-9-9-9" : process.container);
}

uint32_t fake_token_access(void *token, const char *path, uint32_t *granted)
{
	(void)token;
	FAKE_CALL("token_access");
	*granted = process.container ? fake_file_access(path, process.container) : (uint32_t)ALL;
	if ((fake.lie == LIE_HOME_OPEN && strcmp(path, "C:\\Users\\u") == 0) ||
	    (fake.lie == LIE_JOURNAL_OPEN && strstr(path, ".journal")) ||
	    (fake.lie == LIE_READ_ONLY_WRITABLE && strcmp(path, "C:\\tools") == 0))
		*granted = ALL;
	if ((fake.lie == LIE_SCRATCH_CLOSED && strstr(path, "\\scratch\\")) ||
	    (fake.lie == LIE_READ_ONLY_CLOSED && strcmp(path, "C:\\tools") == 0))
		*granted = 0;
	return 0;
}

uint32_t fake_mitigation_get(void *child, enum wapi_mitigation which, uint32_t fill,
    uint32_t *value)
{
	(void)child;
	(void)which;
	FAKE_CALL("mitigation_get");
	*value = fake.lie == LIE_MITIGATION_UNTOUCHED ? fill :
	    process.has_mitigations && fake.lie != LIE_MITIGATION_OFF;
	return 0;
}
