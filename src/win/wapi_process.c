/*
 * Processes and what they are started with.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

/* What mingw-w64 10 does not name. */
#ifndef PROC_THREAD_ATTRIBUTE_ALL_APPLICATION_PACKAGES_POLICY
#define PROC_THREAD_ATTRIBUTE_ALL_APPLICATION_PACKAGES_POLICY 0x0002000f
#endif
#ifndef PROCESS_CREATION_ALL_APPLICATION_PACKAGES_OPT_OUT
#define PROCESS_CREATION_ALL_APPLICATION_PACKAGES_OPT_OUT 1
#endif

/* The list points to the values, which live as long as it does. */
struct attributes {
	LPPROC_THREAD_ATTRIBUTE_LIST list;
	SECURITY_CAPABILITIES container;
	DWORD64 mitigations;
	DWORD packages;
};

uint32_t real_inheritable(void *handle, void **copy)
{
	HANDLE made;
	uint32_t error = real_result(DuplicateHandle(GetCurrentProcess(), handle, GetCurrentProcess(), &made, 0,
	    TRUE, DUPLICATE_SAME_ACCESS));

	if (!error)
		*copy = made;
	return error;
}

uint32_t real_attrs_create(size_t count, void **attributes)
{
	struct attributes *made = xcalloc(1, sizeof(*made));
	SIZE_T size = 0;
	uint32_t error;

	InitializeProcThreadAttributeList(NULL, (DWORD)count, 0, &size);
	made->list = xcalloc(size, 1);
	error = real_result(InitializeProcThreadAttributeList(made->list, (DWORD)count, 0, &size));
	if (!error) {
		*attributes = made;
		return 0;
	}
	free(made->list);
	free(made);
	return error;
}

static uint32_t update(struct attributes *made, DWORD_PTR attribute, void *value, size_t size)
{
	return real_result(UpdateProcThreadAttribute(made->list, 0, attribute, value, size, NULL, NULL));
}

uint32_t real_attrs_add(void *attributes, const struct wapi_attr *attr)
{
	struct attributes *made = attributes;

	switch (attr->kind) {
	case WAPI_ATTR_CONTAINER:
		made->container.AppContainerSid = real_sid(attr->sid);
		if (!made->container.AppContainerSid)
			return real_result(FALSE);
		return update(made, PROC_THREAD_ATTRIBUTE_SECURITY_CAPABILITIES, &made->container,
		    sizeof(made->container));
	case WAPI_ATTR_JOB:
		return update(made, PROC_THREAD_ATTRIBUTE_JOB_LIST, attr->handles, sizeof(HANDLE));
	case WAPI_ATTR_HANDLES:
		return update(made, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, attr->handles,
		    attr->count * sizeof(HANDLE));
	case WAPI_ATTR_MITIGATIONS:
		made->mitigations = attr->value;
		return update(made, PROC_THREAD_ATTRIBUTE_MITIGATION_POLICY, &made->mitigations,
		    sizeof(made->mitigations));
	case WAPI_ATTR_NO_PACKAGES:
		made->packages = PROCESS_CREATION_ALL_APPLICATION_PACKAGES_OPT_OUT;
		return update(made, PROC_THREAD_ATTRIBUTE_ALL_APPLICATION_PACKAGES_POLICY, &made->packages,
		    sizeof(made->packages));
	case WAPI_ATTR_COUNT:
		break;
	}
	return ERROR_INVALID_PARAMETER;
}

void real_attrs_free(void *attributes)
{
	struct attributes *made = attributes;

	DeleteProcThreadAttributeList(made->list);
	free(made->list);
	if (made->container.AppContainerSid)
		LocalFree(made->container.AppContainerSid);
	free(made);
}

uint32_t real_process_create(const struct wapi_start *start, void **process, void **thread)
{
	const struct attributes *attributes = start->attributes;
	wchar_t *program = real_wide(start->program);
	wchar_t *line = real_wide(start->command_line);
	wchar_t *environment = real_wide_bytes(start->environment, start->environment_size);
	wchar_t *folder = real_wide(start->folder);
	STARTUPINFOEXW startup;
	PROCESS_INFORMATION made;
	uint32_t error;

	memset(&startup, 0, sizeof(startup));
	startup.StartupInfo.cb = sizeof(startup);
	startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
	startup.StartupInfo.hStdInput = start->streams[0];
	startup.StartupInfo.hStdOutput = start->streams[1];
	startup.StartupInfo.hStdError = start->streams[2];
	startup.lpAttributeList = attributes->list;
	error = real_result(CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED |
	    EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW, environment, folder,
	    &startup.StartupInfo, &made));
	if (!error) {
		*process = made.hProcess;
		*thread = made.hThread;
	}
	free(program);
	free(line);
	free(environment);
	free(folder);
	return error;
}

uint32_t real_thread_resume(void *thread, uint32_t *count_before)
{
	DWORD count = ResumeThread(thread);
	uint32_t error = real_result(count != (DWORD)-1);

	if (!error)
		*count_before = count;
	return error;
}

uint32_t real_process_wait(void *process, uint64_t ns)
{
	HANDLE handles[] = { process, real_cancel_event() };
	DWORD waited = WaitForMultipleObjects(2, handles, FALSE, real_milliseconds(ns));

	if (waited == WAIT_OBJECT_0)
		return 0;
	if (waited == WAIT_OBJECT_0 + 1 || waited == WAIT_TIMEOUT)
		return WAPI_TIMEOUT;
	return real_result(FALSE);
}

uint32_t real_process_exit_code(void *process, uint32_t *code)
{
	DWORD found;
	uint32_t error = real_result(GetExitCodeProcess(process, &found));

	if (!error)
		*code = found;
	return error;
}

uint32_t real_process_kill(void *process, uint32_t code)
{
	return real_result(TerminateProcess(process, code));
}

void real_close(void *handle)
{
	CloseHandle(handle);
}
