/*
 * Profiles of AppContainers. Their functions are looked up when they are called:
 * a system that lacks one then says so, instead of not starting nsbox at all.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

#define MAPPINGS L"Software\\Classes\\Local Settings\\Software\\Microsoft\\Windows\\" \
	L"CurrentVersion\\AppContainer\\Mappings"

enum { NAME_MAX_UNITS = 260 };

/* Windows' S_OK and E_NOTIMPL and the like are HRESULTs; a missing function is told in the same way. */
static uint32_t missing(void)
{
	return WAPI_HRESULT(WAPI_PROC_NOT_FOUND);
}

uint32_t real_profile_create(const char *name, char **sid)
{
	HRESULT (WINAPI *create)(PCWSTR, PCWSTR, PCWSTR, PSID_AND_ATTRIBUTES, DWORD, PSID *) =
	    (HRESULT (WINAPI *)(PCWSTR, PCWSTR, PCWSTR, PSID_AND_ATTRIBUTES, DWORD, PSID *))(void *)
	    real_find(L"userenv.dll", "CreateAppContainerProfile");
	wchar_t *wide;
	PSID made = NULL;
	HRESULT result;

	if (!create)
		return missing();
	wide = real_wide(name);
	result = create(wide, wide, L"disposable sandbox of nsbox", NULL, 0, &made);
	free(wide);
	if (result != S_OK)
		return (uint32_t)result;
	*sid = real_sid_text(made);
	FreeSid(made);
	return *sid ? 0 : WAPI_HRESULT(ERROR_INVALID_SID);
}

uint32_t real_profile_derive(const char *name, char **sid)
{
	HRESULT (WINAPI *derive)(PCWSTR, PSID *) = (HRESULT (WINAPI *)(PCWSTR, PSID *))(void *)
	    real_find(L"userenv.dll", "DeriveAppContainerSidFromAppContainerName");
	wchar_t *wide;
	PSID derived = NULL;
	HRESULT result;

	if (!derive)
		return missing();
	wide = real_wide(name);
	result = derive(wide, &derived);
	free(wide);
	if (result != S_OK)
		return (uint32_t)result;
	*sid = real_sid_text(derived);
	FreeSid(derived);
	return *sid ? 0 : WAPI_HRESULT(ERROR_INVALID_SID);
}

uint32_t real_profile_delete(const char *name)
{
	HRESULT (WINAPI *remove)(PCWSTR) = (HRESULT (WINAPI *)(PCWSTR))(void *)
	    real_find(L"userenv.dll", "DeleteAppContainerProfile");
	wchar_t *wide;
	HRESULT result;

	if (!remove)
		return missing();
	wide = real_wide(name);
	result = remove(wide);
	free(wide);
	return result == S_OK ? 0 : (uint32_t)result;
}

static uint32_t has_key(const char *sid, bool *has)
{
	wchar_t *wide = real_wide(sid);
	wchar_t *path = xcalloc(wcslen(MAPPINGS) + wcslen(wide) + 2, sizeof(*path));
	HKEY key;
	LSTATUS status;

	wcscpy(path, MAPPINGS L"\\");
	wcscat(path, wide);
	status = RegOpenKeyExW(HKEY_CURRENT_USER, path, 0, KEY_QUERY_VALUE, &key);
	free(wide);
	free(path);
	if (status == ERROR_SUCCESS)
		RegCloseKey(key);
	*has = status == ERROR_SUCCESS;
	return status == ERROR_SUCCESS || status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND ?
	    0 : (uint32_t)status;
}

static uint32_t has_folder(const char *name, bool *has)
{
	struct wapi_path found;
	char *base, *path;
	uint32_t error = real_folder(WAPI_LOCAL_APP_DATA, &base);

	if (error)
		return error;
	path = xasprintf("%s\\Packages\\%s", base, name);
	error = real_path_look(path, &found);
	if (!error)
		free(found.final);
	free(path);
	free(base);
	*has = !error;
	return error == WAPI_FILE_NOT_FOUND || error == WAPI_PATH_NOT_FOUND ? 0 : error;
}

uint32_t real_profile_exists(const char *name, const char *sid, bool *exists)
{
	bool key = true, folder = true;
	uint32_t error = has_key(sid, &key);

	if (!error)
		error = has_folder(name, &folder);
	*exists = key || folder;
	return error;
}

/* The name that a mapping is of, NULL where it has none; owned by the caller. */
static char *moniker_of(HKEY mappings, const wchar_t *sid)
{
	wchar_t value[NAME_MAX_UNITS];
	DWORD size = sizeof(value) - sizeof(value[0]);

	memset(value, 0, sizeof(value));
	if (RegGetValueW(mappings, sid, L"Moniker", RRF_RT_REG_SZ, NULL, value, &size) != ERROR_SUCCESS)
		return NULL;
	return real_narrow_strict(value);
}

uint32_t real_profile_list(const char *prefix, struct str_list *names)
{
	wchar_t sid[NAME_MAX_UNITS];
	LSTATUS status;
	HKEY key;

	status = RegOpenKeyExW(HKEY_CURRENT_USER, MAPPINGS, 0, KEY_ENUMERATE_SUB_KEYS | KEY_QUERY_VALUE, &key);
	/* Nobody ever made one. */
	if (status == ERROR_FILE_NOT_FOUND || status == ERROR_PATH_NOT_FOUND)
		return 0;
	if (status != ERROR_SUCCESS)
		return (uint32_t)status;
	for (DWORD i = 0; status == ERROR_SUCCESS; i++) {
		DWORD length = NAME_MAX_UNITS;
		char *name;

		status = RegEnumKeyExW(key, i, sid, &length, NULL, NULL, NULL, NULL);
		name = status == ERROR_SUCCESS ? moniker_of(key, sid) : NULL;
		if (name && str_has_prefix(name, prefix))
			str_list_add(names, name);
		free(name);
	}
	RegCloseKey(key);
	return status == ERROR_NO_MORE_ITEMS ? 0 : (uint32_t)status;
}
