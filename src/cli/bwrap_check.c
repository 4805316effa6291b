/*
 * What of bubblewrap's options contradicts itself: the same answer on every host. What
 * depends on who asks is checked by the backend.
 */
#include "cli/bwrap_apply.h"

/* Each: if `given`, `holds` has to be true. */
struct rule {
	bool given, holds;
	const char *message;
};

int bwrap_check(struct bwrap_apply *apply, struct err *err)
{
	struct spec *spec = apply->spec;
	const struct spec_bwrap *bwrap = spec->bwrap;
	bool has_user = bwrap->unshare & SPEC_UNSHARE_USER;
	bool has_userns = bwrap->fds[SPEC_FD_USERNS] >= 0;
	bool waits = bwrap->fds[SPEC_FD_USERNS_BLOCK] >= 0;
	const struct rule rules[] = {
		{ apply->layers.count > 0, false, "--overlay-src must be followed by another --overlay-src or one "
		    "of --overlay, --tmp-overlay, or --ro-overlay" },
		{ has_userns, !has_user, "--userns is not compatible with --unshare-user" },
		{ has_userns, !(bwrap->unshare & SPEC_UNSHARE_USER_TRY),
		  "--userns is not compatible with --unshare-user-try" },
		{ bwrap->disable_userns, has_user, "--disable-userns requires --unshare-user" },
		{ bwrap->disable_userns, !waits, "--disable-userns is not compatible with --userns-block-fd" },
		{ spec->hostname, bwrap->unshare & SPEC_UNSHARE_UTS,
		  "Specifying --hostname requires --unshare-uts" },
		{ bwrap->as_pid_1, bwrap->unshare & SPEC_UNSHARE_PID,
		  "Specifying --as-pid-1 requires --unshare-pid" },
		{ bwrap->as_pid_1, bwrap->lock_files.count == 0,
		  "Specifying --as-pid-1 and --lock-file is not permitted" },
		{ waits, has_user, "--userns-block-fd requires --unshare-user" },
		{ waits, bwrap->fds[SPEC_FD_INFO] >= 0, "--userns-block-fd requires --info-fd" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].given && !rules[i].holds)
			return err_set(err, ERR_USAGE, "%s", rules[i].message);
	}
	spec->network = bwrap->unshare & SPEC_UNSHARE_NET ? SPEC_NETWORK_NONE : SPEC_NETWORK_HOST;
	spec->frozen = true;
	return 0;
}
