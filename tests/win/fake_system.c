/*
 * The fake Windows: the machine as a whole, its clock, profiles and handles.
 */
#include "win/fake_win.h"

#include <stdlib.h>
#include <string.h>

#include "win/acl.h"
#include "win/sid.h"

enum { PID = 0x1a2b, PROFILES_MAX = 16 };

struct fake_win fake;

static struct {
	char *profiles[PROFILES_MAX];
	uint32_t pid;
	uint64_t created, clock_ns, random;
} machine;

uint32_t fake_call(const char *name)
{
	fake.calls++;
	str_addf(&fake.log, "%s ", name);
	if (fake.die_at != FAKE_NEVER && fake.calls == fake.die_at) {
		fake.is_dead = true;
		fake_processes_orphan();
	}
	/* What a killed process would have done does not happen. */
	if (fake.is_dead || (fake.fail_name && strcmp(fake.fail_name, name) == 0))
		return fake.fail_code ? fake.fail_code : WAPI_ACCESS_DENIED;
	for (size_t i = 0; i < sizeof(fake.fail_at) / sizeof(fake.fail_at[0]); i++)
		if (fake.fail_at[i] != FAKE_NEVER && fake.calls == fake.fail_at[i])
			return fake.fail_code ? fake.fail_code : WAPI_ACCESS_DENIED;
	return 0;
}

static void forget_run(void)
{
	str_free(&fake.log);
	str_free(&fake.written);
	free(fake.command_line);
	fake_processes_free();
	memset(&fake, 0, sizeof(fake));
}

void fake_win_shutdown(void)
{
	forget_run();
	fake_files_free();
	for (size_t i = 0; i < PROFILES_MAX; i++)
		free(machine.profiles[i]);
	memset(&machine, 0, sizeof(machine));
}

void fake_win_boot(void)
{
	fake_win_shutdown();
	machine.pid = PID;
	machine.created = 1000;
	machine.clock_ns = 1000000;
	fake_win_add("C:\\", true, false);
	fake_win_add("C:\\Windows", true, true);
	fake_win_add("C:\\Windows\\System32", true, true);
	fake_win_add("C:\\Windows\\System32\\cmd.exe", false, true);
	fake_win_add("C:\\Program Files", true, true);
	fake_win_add("C:\\Users\\u", true, false);
	fake_win_add("C:\\Users\\u\\AppData\\Local", true, false);
	fake_win_add("C:\\Users\\u\\AppData\\Local\\Temp", true, false);
	fake_win_add("C:\\tools", true, false);
	fake_win_add("C:\\tools\\sub", true, false);
	fake_win_add("C:\\tools\\out", true, false);
	fake_win_add("C:\\open", true, true);
	fake_win_add("C:\\data", true, false);
}

void fake_win_restart(void)
{
	forget_run();
	machine.created += 1000;
}

void fake_win_state(struct str *text)
{
	for (size_t i = 0; i < PROFILES_MAX; i++)
		if (machine.profiles[i])
			str_addf(text, "profile %s\n", machine.profiles[i]);
	fake_files_state(text);
}

uint32_t fake_enter(void)
{
	FAKE_CALL("enter");
	return 0;
}

void fake_forget(void)
{
}

char *fake_describe(uint32_t error)
{
	return xasprintf("sentence %u", (unsigned)error);
}

char *fake_system_name(void)
{
	return xstrdup("windows 10.0.0 fake");
}

const char *fake_get_env(const char *name)
{
	return strcmp(name, "PATH") == 0 ? "C:\\Windows\\System32;C:\\Windows" : NULL;
}

void fake_list_env(struct str_list *variables)
{
	str_list_add(variables, "PATH=C:\\Windows\\System32;C:\\Windows");
	str_list_add(variables, "SystemRoot=C:\\Windows");
	str_list_add(variables, "SECRET=x");
}

uint64_t fake_clock_ns(void)
{
	return machine.clock_ns += 1000;
}

void fake_sleep_ns(uint64_t ns)
{
	machine.clock_ns += ns;
}

uint32_t fake_random(void *bytes, size_t length)
{
	FAKE_CALL("random");
	machine.random++;
	memset(bytes, 0, length);
	memcpy(bytes, &machine.random, length < sizeof(machine.random) ? length : sizeof(machine.random));
	return 0;
}

uint32_t fake_processors(uint32_t *count)
{
	FAKE_CALL("processors");
	*count = 4;
	return 0;
}

uint32_t fake_user_sid(char **sid)
{
	FAKE_CALL("user_sid");
	*sid = xstrdup("S-1-5-21-1-2-3-1001");
	return 0;
}

uint32_t fake_self(uint32_t *pid, uint64_t *created)
{
	FAKE_CALL("self");
	*pid = machine.pid;
	*created = machine.created;
	return 0;
}

uint32_t fake_is_alive(uint32_t pid, uint64_t created, bool *alive)
{
	FAKE_CALL("is_alive");
	*alive = pid == machine.pid && created == machine.created;
	return 0;
}

void *fake_new_handle(void)
{
	fake.handles++;
	return xcalloc(1, 1);
}

void fake_close(void *handle)
{
	fake.handles--;
	free(handle);
}

uint32_t fake_lock(const char *name, void **lock)
{
	(void)name;
	FAKE_CALL("lock");
	*lock = fake_new_handle();
	return 0;
}

void fake_unlock(void *lock)
{
	fake_close(lock);
}

enum wapi_cancel fake_cancelled(void)
{
	return fake.cancel != WAPI_CANCEL_NONE && machine.clock_ns >= fake.cancel_ns ? fake.cancel :
	    WAPI_CANCEL_NONE;
}

static char **profile_find(const char *name)
{
	for (size_t i = 0; i < PROFILES_MAX; i++)
		if (machine.profiles[i] && strcmp(machine.profiles[i], name) == 0)
			return &machine.profiles[i];
	return NULL;
}

static char *sid_or_lie(const char *name, enum fake_lie lie)
{
	return fake.lie == lie ? xstrdup(SID_PACKAGE_PREFIX "1-2-3-4-5-6-7") : sid_of_container(name);
}

uint32_t fake_profile_create(const char *name, char **sid)
{
	FAKE_CALL("profile_create");
	if (fake.has_no_containers)
		return UINT32_C(0x80004001);
	if (fake.taken_names > 0) {
		fake.taken_names--;
		return WAPI_HRESULT(WAPI_ALREADY_EXISTS);
	}
	for (size_t i = 0; i < PROFILES_MAX; i++) {
		if (machine.profiles[i])
			continue;
		machine.profiles[i] = xstrdup(name);
		*sid = sid_or_lie(name, LIE_CREATED_SID);
		return 0;
	}
	return 8;
}

uint32_t fake_profile_derive(const char *name, char **sid)
{
	FAKE_CALL("profile_derive");
	*sid = sid_or_lie(name, LIE_DERIVED_SID);
	return 0;
}

uint32_t fake_profile_delete(const char *name)
{
	char **profile = profile_find(name);

	FAKE_CALL("profile_delete");
	if (profile && fake.lie != LIE_PROFILE_STAYS) {
		free(*profile);
		*profile = NULL;
	}
	return 0;
}

uint32_t fake_profile_exists(const char *name, const char *sid, bool *exists)
{
	(void)sid;
	FAKE_CALL("profile_exists");
	*exists = profile_find(name) != NULL;
	return 0;
}

uint32_t fake_profile_list(const char *prefix, struct str_list *names)
{
	FAKE_CALL("profile_list");
	for (size_t i = 0; i < PROFILES_MAX; i++)
		if (machine.profiles[i] && str_has_prefix(machine.profiles[i], prefix))
			str_list_add(names, machine.profiles[i]);
	return 0;
}

/* Standard streams are not nsbox's to close, so they are no counted handles. */
uint32_t fake_stream_get(int number, enum wapi_stream *kind, void **handle)
{
	static char standard[3];

	FAKE_CALL("stream_get");
	*kind = number == 0 ? WAPI_STREAM_CONSOLE : WAPI_STREAM_OTHER;
	*handle = &standard[number];
	return 0;
}

uint32_t fake_stream_null(void **handle)
{
	FAKE_CALL("stream_null");
	*handle = fake_new_handle();
	return 0;
}

uint32_t fake_stream_write(void *handle, const char *text, size_t length)
{
	(void)handle;
	FAKE_CALL("stream_write");
	str_add_bytes(&fake.written, text, length);
	return 0;
}

uint32_t fake_stream_read(void *handle, size_t limit, struct str *text)
{
	(void)handle;
	FAKE_CALL("stream_read");
	str_add_bytes(text, "--wall 5\n", limit < 9 ? limit : 9);
	return 0;
}

uint32_t fake_pipe_create(void **read_end, void **write_end)
{
	FAKE_CALL("pipe_create");
	*read_end = fake_new_handle();
	*write_end = fake_new_handle();
	return 0;
}

uint32_t fake_inheritable(void *handle, void **copy)
{
	(void)handle;
	FAKE_CALL("inheritable");
	*copy = fake_new_handle();
	return 0;
}

uint32_t fake_loopback_exempt(const char *sid, bool *is_exempt)
{
	(void)sid;
	FAKE_CALL("loopback_exempt");
	*is_exempt = fake.lie == LIE_EXEMPT;
	return 0;
}

uint32_t fake_service_runs(const char *name, bool *runs)
{
	(void)name;
	FAKE_CALL("service_runs");
	*runs = fake.lie != LIE_NO_FIREWALL;
	return 0;
}

const struct wapi wapi = {
#define ROW(name) .name = fake_##name,
	FAKE_SYSTEM(ROW)
	FAKE_FILES(ROW)
	FAKE_PROCESSES(ROW)
#undef ROW
};
