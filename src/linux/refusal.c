/*
 * Why a host refuses namespaces, from the step, the errno and what can be read without
 * privilege (failure.h). The errno says who refused: ENOSPC a limit, EPERM a switch, a chroot or a filter,
 * EACCES a security module, ENOSYS a filter, EINVAL a kernel without the feature.
 */
#include "linux/failure.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>

#include "core/str.h"
#include "linux/procfs.h"

/* A fact that makes a cause likely. */
struct cause {
	int error;		/* 0: EPERM or EACCES */
	const char *stage;	/* only at this step; NULL: at any but "proc" */
	const char *file;	/* that tells it; NULL: nothing has to */
	bool (*tells)(const char *content, const char *text);
	const char *text;
	const char *reason;
	const char *remedy;
};

/* The file is this one line. */
static bool is_line(const char *content, const char *text)
{
	return strcspn(content, "\n") == strlen(text) && strncmp(content, text, strlen(text)) == 0;
}

static bool is_in(const char *content, const char *text)
{
	return strstr(content, text) != NULL;
}

/* mountinfo shows no mount at "/": proc_pid_mountinfo(5), the fifth field. */
static bool has_no_root(const char *content, const char *text)
{
	(void)text;
	for (const char *line = content; *line != '\0';) {
		const char *end = strchr(line, '\n'), *field = line;

		for (int i = 0; i < 4 && field != NULL; i++) {
			field = strchr(field, ' ');
			field += field != NULL;
		}
		if (field != NULL && strncmp(field, "/ ", 2) == 0)
			return false;
		if (end == NULL)
			break;
		line = end + 1;
	}
	return *content != '\0';
}

#define LIMIT(kind) \
	{ ENOSPC, NULL, "/proc/sys/user/max_" kind "_namespaces", is_line, "0", \
	    kind " namespaces are switched off on this host", "sysctl user.max_" kind "_namespaces=15000" }

static const struct cause causes[] = {
	{ EPERM, "proc", NULL, NULL, NULL,
	    "this host's own /proc is masked or mounted over, as in containers, and the kernel allows a new one "
	    "only beside a whole one",
	    "unmask it: docker run --security-opt systempaths=unconfined, or procMount: Unmasked in Kubernetes" },
	{ EPERM, "ids", "/proc/self/status", is_in, "\nUid:\t0\t",
	    "root without CAP_SETFCAP may not map its user id (since Linux 5.12)",
	    "keep CAP_SETFCAP, or run nsbox as an ordinary user" },
	{ EPERM, NULL, "/proc/sys/kernel/unprivileged_userns_clone", is_line, "0",
	    "user namespaces are switched off for ordinary users",
	    "sysctl kernel.unprivileged_userns_clone=1" },
	LIMIT("user"), LIMIT("mnt"), LIMIT("pid"), LIMIT("net"), LIMIT("ipc"), LIMIT("uts"),
	LIMIT("cgroup"), LIMIT("time"),
	{ ENOSPC, NULL, NULL, NULL, NULL, "the limit on nested or simultaneous namespaces is reached",
	    "look at the limits in /proc/sys/user; inside another sandbox, allow nesting there" },
	{ EACCES, NULL, "/proc/self/attr/current", is_in, "docker-default",
	    "the container's AppArmor profile refuses it",
	    "docker run --security-opt apparmor=unconfined, or a profile that allows userns and mount" },
	{ EACCES, NULL, "/proc/self/attr/current", is_in, "cri-containerd",
	    "the container's AppArmor profile refuses it",
	    "in Kubernetes appArmorProfile: Unconfined, or a profile that allows userns and mount" },
	{ 0, NULL, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", is_line, "1",
	    "AppArmor gives capabilities in user namespaces only to programs that have a profile for it",
	    "install nsbox's AppArmor profile and load it with apparmor_parser -r, or "
	    "sysctl kernel.apparmor_restrict_unprivileged_userns=0" },
	{ 0, NULL, "/proc/self/attr/apparmor/current", is_in, "(enforce)",
	    "the AppArmor profile that nsbox runs under refuses it", "add `userns,` and `capability,` to that profile" },
	{ 0, NULL, "/proc/self/attr/current", is_in, "(enforce)",
	    "the AppArmor profile that nsbox runs under refuses it", "add `userns,` and `capability,` to that profile" },
	{ EACCES, NULL, "/sys/fs/selinux/enforce", is_line, "1",
	    "SELinux refuses it", "look for the denial with ausearch -m avc, and allow user_namespace create" },
	{ EACCES, NULL, NULL, NULL, NULL, "a security module refuses it",
	    "look into the audit log for the rule that did" },
	{ EPERM, NULL, "/proc/self/mountinfo", has_no_root, NULL,
	    "nsbox runs in a chroot, and the kernel forbids user namespaces there",
	    "enter the tree by a root of its own (systemd-nspawn, pivot_root) in the place of chroot" },
	{ EPERM, NULL, "/proc/self/status", is_in, "\nSeccomp:\t2",
	    "a system call filter refuses it, as in containers",
	    "allow clone, unshare and mount in the container's seccomp profile" },
	{ EPERM, NULL, NULL, NULL, NULL, "the kernel refuses it here, as in a chroot or where it was hardened",
	    "leave the chroot, or look for a security module or a switch of the kernel's" },
	{ ENOSYS, NULL, NULL, NULL, NULL, "a system call filter hides it",
	    "allow clone3, clone and unshare in the container's seccomp profile" },
	{ EINVAL, NULL, "/proc/version", is_in, "Microsoft",
	    "WSL 1 has no namespaces", "wsl --set-version DISTRIBUTION 2" },
	{ EINVAL, NULL, NULL, NULL, NULL, "this kernel was built without a kind of namespace that is needed",
	    "use a kernel with CONFIG_USER_NS, CONFIG_PID_NS, CONFIG_NET_NS and CONFIG_CGROUPS" },
};

static bool is_stage(const struct cause *cause, const char *stage)
{
	if (cause->stage == NULL)
		return stage == NULL || strcmp(stage, "proc") != 0;
	return stage != NULL && strcmp(stage, cause->stage) == 0;
}

static bool holds(const struct cause *cause, int error, const char *stage)
{
	struct str text = STR_INIT;
	bool result;

	if (!is_stage(cause, stage) || (cause->error != 0 ? cause->error != error :
	    error != EPERM && error != EACCES))
		return false;
	if (cause->file == NULL)
		return true;
	result = procfs_read(AT_FDCWD, cause->file, &text) == 0 &&
	    cause->tells(str_text(&text), cause->text);
	str_free(&text);
	return result;
}

/* What is missing by the step at which that was seen. */
static enum control control_of(const char *stage)
{
	return stage != NULL && (strcmp(stage, "root") == 0 || strcmp(stage, "proc") == 0) ?
	    CONTROL_MOUNT_NAMESPACE : CONTROL_USER_NAMESPACE;
}

void failure_explain_refusal(struct report *report, struct err *err)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (!holds(&causes[i], err->sys, err->stage))
			continue;
		report_missing(report, control_of(err->stage), err->sys, causes[i].remedy, "%s: %s",
		    err->stage != NULL ? err->stage : "start", causes[i].reason);
		err_hint(err, "%s; %s", causes[i].reason, causes[i].remedy);
		return;
	}
	report_missing(report, control_of(err->stage), err->sys, NULL, "%s", err->message);
}
