/*
 * Access control lists (acl.h).
 */
#include "win/acl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

size_t acl_count(const struct wapi_acl *acl, const char *sid)
{
	size_t count = 0;

	for (size_t i = 0; i < acl->count; i++)
		count += strcmp(acl->aces[i].sid, sid) == 0;
	return count;
}

static bool is_own(const struct wapi_ace *ace, const char *sid)
{
	return strcmp(ace->sid, sid) == 0 && !(ace->flags & WAPI_ACE_INHERITED);
}

size_t acl_count_own(const struct wapi_acl *acl, const char *sid)
{
	size_t count = 0;

	for (size_t i = 0; i < acl->count; i++)
		count += is_own(&acl->aces[i], sid);
	return count;
}

size_t acl_count_others(const struct wapi_acl *acl, const char *const *sids, size_t count)
{
	size_t others = 0;

	for (size_t i = 0; i < acl->count; i++) {
		bool is_known = false;

		for (size_t j = 0; j < count; j++)
			is_known = is_known || (sids[j] && strcmp(acl->aces[i].sid, sids[j]) == 0);
		others += !is_known;
	}
	return others;
}

bool acl_has_grant(const struct wapi_acl *acl, const char *sid, uint32_t mask, bool is_folder)
{
	const uint8_t flags = is_folder ? WAPI_ACE_OBJECT_INHERIT | WAPI_ACE_CONTAINER_INHERIT : 0;

	if (acl_count_own(acl, sid) != 1)
		return false;
	for (size_t i = 0; i < acl->count; i++) {
		const struct wapi_ace *ace = &acl->aces[i];

		if (is_own(ace, sid))
			return ace->allows && ace->mask == mask && ace->flags == flags;
	}
	return false;
}

bool acl_allows_packages(const struct wapi_acl *acl, uint32_t mask)
{
	uint32_t allowed = 0;

	for (size_t i = 0; i < acl->count; i++) {
		const struct wapi_ace *ace = &acl->aces[i];

		if (ace->flags & WAPI_ACE_INHERIT_ONLY)
			continue;
		if (!ace->allows)
			return false;
		if (strcmp(ace->sid, ACL_ALL_PACKAGES) == 0)
			allowed |= ace->mask;
	}
	return (allowed & mask) == mask;
}

char *acl_of_scratch(const char *user, const char *container)
{
	struct str sddl = STR_INIT;

	str_addf(&sddl, "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;%s)", user);
	if (container)
		str_addf(&sddl, "(A;OICI;0x%" PRIx32 ";;;%s)", ACL_WRITE, container);
	return str_take(&sddl);
}

void acl_free(struct wapi_acl *acl)
{
	for (size_t i = 0; i < acl->count; i++)
		free(acl->aces[i].sid);
	free(acl->aces);
	*acl = (struct wapi_acl){ false, NULL, 0 };
}
