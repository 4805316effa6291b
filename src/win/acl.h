/*
 * Access control lists as values: what one says about a sandbox. Pure.
 */
#ifndef NSBOX_WIN_ACL_H
#define NSBOX_WIN_ACL_H

#include <stdbool.h>
#include <stdint.h>

#include "win/wapi.h"

/*
 * Reading includes executing: the loader maps what it executes, and a current folder is traversed.
 * Writing includes deleting, but neither the list itself nor the owner.
 */
#define ACL_READ UINT32_C(0x001200a9)
#define ACL_WRITE UINT32_C(0x001301bf)
/* Any of these changes what is there. */
#define ACL_CHANGES UINT32_C(0x000d0156)
#define ACL_ALL_PACKAGES "S-1-15-2-1"

/* How many entries name the SID; acl_count_own leaves out those that are inherited. */
size_t acl_count(const struct wapi_acl *acl, const char *sid);
size_t acl_count_own(const struct wapi_acl *acl, const char *sid);

/* How many entries name none of these; a NULL among them names nobody. */
size_t acl_count_others(const struct wapi_acl *acl, const char *const *sids, size_t count);

/*
 * Whether exactly one entry of its own names the SID, and it allows exactly `mask` and, of a folder, is
 * passed on to all below. What is inherited from another place of the same run is beside the point.
 */
bool acl_has_grant(const struct wapi_acl *acl, const char *sid, uint32_t mask, bool is_folder);

/* Whether every AppContainer gets all of `mask` here already, and nothing says otherwise. */
bool acl_allows_packages(const struct wapi_acl *acl, uint32_t mask);

/*
 * The list of a folder that belongs to one run: the system, administrators, the user, and, where
 * it is not NULL, the container. In SDDL; owned by the caller.
 */
char *acl_of_scratch(const char *user, const char *container);

void acl_free(struct wapi_acl *acl);

#endif
