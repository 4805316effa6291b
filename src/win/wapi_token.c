/*
 * What holds of a process: its token, its mitigations, and what of the system
 * bears on the network.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

#include <aclapi.h>

enum { CLASS_LESS_PRIVILEGED = 46 };	/* TokenIsLessPrivilegedAppContainer */

uint32_t real_token_open(void *process, void **token)
{
	HANDLE found;
	uint32_t error = real_result(OpenProcessToken(process, TOKEN_QUERY | TOKEN_DUPLICATE, &found));

	if (!error)
		*token = found;
	return error;
}

static struct wapi_fact read_number(HANDLE token, TOKEN_INFORMATION_CLASS which)
{
	DWORD value = 0, size = 0;
	struct wapi_fact fact = { 0, 0 };

	fact.error = real_result(GetTokenInformation(token, which, &value, sizeof(value), &size));
	fact.value = value;
	return fact;
}

/* Information of any size; owned by the caller. */
static uint32_t read_block(HANDLE token, TOKEN_INFORMATION_CLASS which, void **block)
{
	DWORD size = 0;
	uint32_t error;
	void *found;

	GetTokenInformation(token, which, NULL, 0, &size);
	if (size == 0)
		return real_result(FALSE);
	found = xcalloc(size, 1);
	error = real_result(GetTokenInformation(token, which, found, size, &size));
	if (error)
		free(found);
	else
		*block = found;
	return error;
}

static struct wapi_fact read_integrity(HANDLE token)
{
	struct wapi_fact fact = { 0, 0 };
	void *block = NULL;

	fact.error = read_block(token, TokenIntegrityLevel, &block);
	if (!fact.error) {
		PSID sid = ((TOKEN_MANDATORY_LABEL *)block)->Label.Sid;

		fact.value = *GetSidSubAuthority(sid, (DWORD)(*GetSidSubAuthorityCount(sid) - 1));
		free(block);
	}
	return fact;
}

static struct wapi_fact count_capabilities(HANDLE token)
{
	struct wapi_fact fact = { 0, 0 };
	void *block = NULL;

	fact.error = read_block(token, TokenCapabilities, &block);
	if (!fact.error) {
		fact.value = ((TOKEN_GROUPS *)block)->GroupCount;
		free(block);
	}
	return fact;
}

void real_token_read(void *token, struct wapi_token *facts)
{
	void *block = NULL;

	facts->is_container = read_number(token, TokenIsAppContainer);
	facts->is_lpac = read_number(token, (TOKEN_INFORMATION_CLASS)CLASS_LESS_PRIVILEGED);
	facts->integrity = read_integrity(token);
	facts->capabilities = count_capabilities(token);
	facts->sid = NULL;
	facts->sid_error = read_block(token, TokenAppContainerSid, &block);
	if (!facts->sid_error) {
		facts->sid = real_sid_text(((TOKEN_APPCONTAINER_INFORMATION *)block)->TokenAppContainer);
		free(block);
	}
}

static uint32_t check(HANDLE client, PSECURITY_DESCRIPTOR descriptor, uint32_t *granted)
{
	GENERIC_MAPPING mapping = { FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_GENERIC_EXECUTE, FILE_ALL_ACCESS };
	BYTE privileges[1024];
	DWORD size = sizeof(privileges);
	BOOL is_granted = FALSE;
	DWORD access = 0;
	uint32_t error = real_result(AccessCheck(descriptor, client, MAXIMUM_ALLOWED, &mapping,
	    (PRIVILEGE_SET *)privileges, &size, &access, &is_granted));

	if (!error)
		*granted = is_granted ? access : 0;
	return error;
}

uint32_t real_token_access(void *token, const char *path, uint32_t *granted)
{
	wchar_t *wide = real_wide(path);
	PSECURITY_DESCRIPTOR descriptor = NULL;
	HANDLE client = NULL;
	uint32_t error = GetNamedSecurityInfoW(wide, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION |
	    GROUP_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION | LABEL_SECURITY_INFORMATION, NULL, NULL, NULL,
	    NULL, &descriptor);

	free(wide);
	if (!error)
		error = real_result(DuplicateToken(token, SecurityIdentification, &client));
	if (!error) {
		error = check(client, descriptor, granted);
		CloseHandle(client);
	}
	if (descriptor)
		LocalFree(descriptor);
	return error;
}

uint32_t real_mitigation_get(void *process, enum wapi_mitigation which, uint32_t fill,
    uint32_t *value)
{
	static const PROCESS_MITIGATION_POLICY policies[] = {
		[WAPI_MITIGATION_EXTENSION_POINTS] = ProcessExtensionPointDisablePolicy,
		[WAPI_MITIGATION_FONTS] = ProcessFontDisablePolicy,
		[WAPI_MITIGATION_IMAGES] = ProcessImageLoadPolicy,
	};
	DWORD found = fill;
	uint32_t error = real_result(GetProcessMitigationPolicy(process, policies[which], &found, sizeof(found)));

	if (!error)
		*value = found;
	return error;
}

uint32_t real_loopback_exempt(const char *sid, bool *is_exempt)
{
	DWORD (WINAPI *get_list)(DWORD *, SID_AND_ATTRIBUTES **) =
	    (DWORD (WINAPI *)(DWORD *, SID_AND_ATTRIBUTES **))(void *)
	    real_find(L"firewallapi.dll", "NetworkIsolationGetAppContainerConfig");
	SID_AND_ATTRIBUTES *list = NULL;
	DWORD count = 0;
	uint32_t error;
	PSID own;

	if (!get_list)
		return WAPI_PROC_NOT_FOUND;
	error = get_list(&count, &list);
	if (error)
		return error;
	own = real_sid(sid);
	*is_exempt = own == NULL;
	for (DWORD i = 0; i < count; i++) {
		if (own && list[i].Sid && EqualSid(list[i].Sid, own))
			*is_exempt = true;
		HeapFree(GetProcessHeap(), 0, list[i].Sid);
	}
	if (list)
		HeapFree(GetProcessHeap(), 0, list);
	LocalFree(own);
	return 0;
}

uint32_t real_service_runs(const char *name, bool *runs)
{
	SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
	uint32_t error = real_result(manager != NULL);
	wchar_t *wide = real_wide(name);
	SC_HANDLE service = NULL;
	SERVICE_STATUS status;

	if (!error) {
		service = OpenServiceW(manager, wide, SERVICE_QUERY_STATUS);
		error = real_result(service != NULL);
	}
	if (!error)
		error = real_result(QueryServiceStatus(service, &status));
	if (!error)
		*runs = status.dwCurrentState == SERVICE_RUNNING;
	free(wide);
	if (service)
		CloseServiceHandle(service);
	if (manager)
		CloseServiceHandle(manager);
	return error;
}
