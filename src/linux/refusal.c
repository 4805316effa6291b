/*
 * Why a host refuses namespaces, from the errno and from what can be read without
 * privilege (failure.h).
 */
#include "linux/failure.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>

#include "core/str.h"
#include "linux/procfs.h"

/*
 * A file below /proc/sys, the text it holds when it is the cause (NULL: any), and what to
 * say.
 */
struct cause {
	int error;		/* 0: any */
	const char *file;	/* NULL: no fact is needed */
	const char *text;
	const char *reason;
	const char *remedy;
};

static const struct cause causes[] = {
	{ EPERM, "/proc/sys/kernel/unprivileged_userns_clone", "0",
	    "user namespaces are switched off for ordinary users",
	    "sysctl kernel.unprivileged_userns_clone=1" },
	{ ENOSPC, "/proc/sys/user/max_user_namespaces", "0",
	    "user namespaces are switched off on this host", "sysctl user.max_user_namespaces=15000" },
	{ ENOSPC, NULL, NULL, "the limit on nested or simultaneous namespaces is reached",
	    "look at the limits in /proc/sys/user; inside another sandbox, allow nesting there" },
	{ 0, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
	    "AppArmor gives capabilities in user namespaces only to programs that have a profile for it",
	    "install an AppArmor profile with `userns,` for nsbox, or "
	    "sysctl kernel.apparmor_restrict_unprivileged_userns=0" },
	{ EACCES, NULL, NULL, "a security module refuses it",
	    "look into the audit log for the rule that did" },
	{ EPERM, NULL, NULL,
	    "the kernel refuses it here (a container's system call filter, or a chroot)",
	    "allow clone, unshare and mount in the container's seccomp profile; leave the chroot" },
	{ ENOSYS, NULL, NULL, "a system call filter hides it",
	    "allow clone3, clone and unshare in the container's seccomp profile" },
	{ EINVAL, NULL, NULL, "this kernel was built without a kind of namespace that is needed",
	    "use a kernel with CONFIG_USER_NS, CONFIG_PID_NS, CONFIG_NET_NS and CONFIG_CGROUPS" },
};

static bool holds(const struct cause *cause, int error)
{
	struct str text = STR_INIT;
	bool result;

	if (cause->error != 0 && cause->error != error)
		return false;
	if (cause->file == NULL)
		return true;
	result = procfs_read(AT_FDCWD, cause->file, &text) == 0 &&
	    strncmp(str_text(&text), cause->text, strlen(cause->text)) == 0 &&
	    strcspn(str_text(&text), "\n") == strlen(cause->text);
	str_free(&text);
	return result;
}

void failure_explain_refusal(struct report *report, struct err *err)
{
	bool is_clone = err->stage != NULL && strcmp(err->stage, "clone") == 0;
	enum control control = err->stage != NULL && strcmp(err->stage, "root") == 0 ?
	    CONTROL_MOUNT_NAMESPACE : CONTROL_USER_NAMESPACE;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (!holds(&causes[i], err->sys))
			continue;
		report_missing(report, control, err->sys, causes[i].remedy, "%s: %s",
		    is_clone ? "clone" : err->stage, causes[i].reason);
		err_hint(err, "%s; %s", causes[i].reason, causes[i].remedy);
		return;
	}
	report_missing(report, control, err->sys, NULL, "%s", err->message);
}
