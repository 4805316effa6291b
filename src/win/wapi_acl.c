/*
 * Access control lists of files. Lists are changed by single entries and never
 * put back as a whole, which would undo what others changed meanwhile.
 */
#include "win/wapi_real.h"

#include <stdlib.h>
#include <string.h>

#include <aclapi.h>
#include <sddl.h>

uint32_t real_folder_create(const char *path, const char *sddl)
{
	wchar_t *wide_path = real_wide_path(path);
	wchar_t *wide_sddl = real_wide(sddl);
	SECURITY_ATTRIBUTES attributes = { .nLength = sizeof(attributes) };
	uint32_t error = real_result(ConvertStringSecurityDescriptorToSecurityDescriptorW(wide_sddl,
	    SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL));

	if (!error) {
		error = real_result(CreateDirectoryW(wide_path, &attributes));
		LocalFree(attributes.lpSecurityDescriptor);
	}
	free(wide_path);
	free(wide_sddl);
	return error;
}

/* The list of a file; the descriptor that holds it is freed with LocalFree. */
static uint32_t get_list(const char *path, PACL *list, bool *is_protected, PSECURITY_DESCRIPTOR *holder)
{
	wchar_t *wide = real_wide(path);
	SECURITY_DESCRIPTOR_CONTROL control = 0;
	DWORD revision;
	uint32_t error;

	*holder = NULL;
	*list = NULL;
	error = GetNamedSecurityInfoW(wide, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, list,
	    NULL, holder);
	free(wide);
	if (!error)
		error = real_result(GetSecurityDescriptorControl(*holder, &control, &revision));
	*is_protected = control & SE_DACL_PROTECTED;
	/* No list at all lets everybody in; that is nothing to add an entry to. */
	return error ? error : *list ? 0 : ERROR_INVALID_ACL;
}

/* An entry of a kind that nobody here knows counts as one that denies. */
static void take_entry(const ACE_HEADER *header, struct wapi_ace *ace)
{
	const ACCESS_ALLOWED_ACE *entry = (const ACCESS_ALLOWED_ACE *)header;
	bool is_known = header->AceType == ACCESS_ALLOWED_ACE_TYPE || header->AceType == ACCESS_DENIED_ACE_TYPE;

	ace->allows = header->AceType == ACCESS_ALLOWED_ACE_TYPE;
	ace->flags = header->AceFlags;
	ace->mask = is_known ? entry->Mask : 0;
	ace->sid = is_known ? real_sid_text((PSID)(uintptr_t)&entry->SidStart) : NULL;
	if (!ace->sid)
		ace->sid = xstrdup("unknown");
}

uint32_t real_acl_read(const char *path, struct wapi_acl *acl)
{
	PSECURITY_DESCRIPTOR holder;
	bool is_protected;
	PACL list;
	uint32_t error = get_list(path, &list, &is_protected, &holder);

	if (!error) {
		acl->is_protected = is_protected;
		acl->count = 0;
		acl->aces = xcalloc(list->AceCount, sizeof(*acl->aces));
		for (DWORD i = 0; i < list->AceCount; i++) {
			void *entry;

			if (GetAce(list, i, &entry))
				take_entry(entry, &acl->aces[acl->count++]);
		}
	}
	if (holder)
		LocalFree(holder);
	return error;
}

static uint32_t change(const char *path, const char *sid, ACCESS_MODE mode, uint32_t mask)
{
	struct wapi_path found;
	EXPLICIT_ACCESSW entry;
	PSECURITY_DESCRIPTOR holder = NULL;
	bool is_protected;
	PACL list, changed = NULL;
	wchar_t *wide = real_wide(path);
	PSID trustee = real_sid(sid);
	uint32_t error = trustee ? real_path_look(path, &found) : ERROR_INVALID_SID;

	memset(&entry, 0, sizeof(entry));
	if (!error) {
		free(found.final);
		entry.grfAccessPermissions = mask;
		entry.grfAccessMode = mode;
		entry.grfInheritance = found.is_folder ? SUB_CONTAINERS_AND_OBJECTS_INHERIT : NO_INHERITANCE;
		entry.Trustee.TrusteeForm = TRUSTEE_IS_SID;
		entry.Trustee.ptstrName = trustee;
		error = get_list(path, &list, &is_protected, &holder);
	}
	if (!error)
		error = SetEntriesInAclW(1, &entry, list, &changed);
	/* Said in so many words: a list that inherits nothing would begin to. */
	if (!error)
		error = SetNamedSecurityInfoW(wide, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION | (is_protected ?
		    PROTECTED_DACL_SECURITY_INFORMATION : UNPROTECTED_DACL_SECURITY_INFORMATION),
		    NULL, NULL, changed, NULL);
	LocalFree(changed);
	LocalFree(holder);
	LocalFree(trustee);
	free(wide);
	return error;
}

uint32_t real_acl_grant(const char *path, const char *sid, uint32_t mask)
{
	return change(path, sid, SET_ACCESS, mask);
}

uint32_t real_acl_revoke(const char *path, const char *sid)
{
	return change(path, sid, REVOKE_ACCESS, 0);
}
