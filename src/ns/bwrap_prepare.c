/*
 * What the drop-in for bubblewrap has to ask the host before its plan can be made: who
 * asks, which namespaces there are, the environment, where COMMAND may be.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/environment.h"
#include "linux/procfs.h"

/* The effective set of this process. */
static uint64_t own_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (syscall(SYS_capget, &header, data) < 0)
		return 0;
	return (uint64_t)data[1].effective << 32 | data[0].effective;
}

/* A file that begins with "N" or "0" switches user namespaces off. */
static bool is_off(const char *path)
{
	char first = '\0';
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, &first, 1) != 1)
		first = '\0';
	close(fd);
	return first == 'N' || first == '0';
}

static bool has_user_namespaces(void)
{
	return access("/proc/self/ns/user", F_OK) == 0 &&
	    !is_off("/sys/module/user_namespace/parameters/enable") &&
	    !is_off("/proc/sys/user/max_user_namespaces");
}

static void choose_namespaces(struct run *run)
{
	unsigned unshare = run->bwrap->unshare;
	static const struct {
		unsigned unshare;
		uint64_t flag;
	} rows[] = {
		{ SPEC_UNSHARE_USER, CLONE_NEWUSER }, { SPEC_UNSHARE_IPC, CLONE_NEWIPC },
		{ SPEC_UNSHARE_PID, CLONE_NEWPID }, { SPEC_UNSHARE_NET, CLONE_NEWNET },
		{ SPEC_UNSHARE_UTS, CLONE_NEWUTS }, { SPEC_UNSHARE_CGROUP, CLONE_NEWCGROUP },
	};

	run->namespaces = CLONE_NEWNS;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (unshare & rows[i].unshare)
			run->namespaces |= rows[i].flag;
	}
	if ((unshare & SPEC_UNSHARE_CGROUP_TRY) && access("/proc/self/ns/cgroup", F_OK) == 0)
		run->namespaces |= CLONE_NEWCGROUP;
	if ((unshare & SPEC_UNSHARE_USER_TRY) && has_user_namespaces())
		run->namespaces |= CLONE_NEWUSER;
	/* Without the right to mount there is no other way. */
	if (!run->is_privileged && run->bwrap->fds[SPEC_FD_USERNS] < 0)
		run->namespaces |= CLONE_NEWUSER;
}

static int check_ids(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	if ((run->namespaces & CLONE_NEWUSER) || run->bwrap->fds[SPEC_FD_USERNS] >= 0)
		return 0;
	if (spec->has_uid)
		return err_set(err, ERR_USAGE, "Specifying --uid requires --unshare-user or --userns");
	if (spec->has_gid)
		return err_set(err, ERR_USAGE, "Specifying --gid requires --unshare-user or --userns");
	return 0;
}

/* An ordinary user keeps nothing, uid 0 what it has, unless told otherwise. */
static void choose_capabilities(struct run *run)
{
	const struct spec_bwrap *bwrap = run->bwrap;
	uint64_t all = (UINT64_C(1) << (cap_max_bits() & 63)) - 1;

	run->keeps_caps = run->is_privileged && bwrap->capability_count == 0;
	/* In a user namespace everything is to be had, and no more than the caller has is to be kept. */
	run->is_bounded = run->keeps_caps &&
	    ((run->namespaces & CLONE_NEWUSER) || bwrap->fds[SPEC_FD_USERNS] >= 0);
	run->caps = run->is_privileged ? own_capabilities() : 0;
	for (size_t i = 0; i < bwrap->capability_count; i++) {
		int number = bwrap->capabilities[i].number;
		uint64_t bits = number < 0 ? all : UINT64_C(1) << number;

		run->caps = bwrap->capabilities[i].is_added ? run->caps | bits : run->caps & ~bits;
	}
	run->caps &= all;
	/* What the caller's own bounding set lacks cannot be had without a new user namespace. */
	if (!(run->namespaces & CLONE_NEWUSER) && bwrap->fds[SPEC_FD_USERNS] < 0)
		run->caps &= own_capabilities();
}

/* The caller's folder as the caller calls it, where that is true. */
static const char *caller_folder(struct run *run)
{
	const char *name = getenv("PWD");
	struct stat here, there;
	char *path;

	if (name != NULL && name[0] == '/' && stat(".", &here) == 0 && stat(name, &there) == 0 &&
	    here.st_dev == there.st_dev && here.st_ino == there.st_ino) {
		path = xstrdup(name);
	} else {
		path = getcwd(NULL, 0);
	}
	if (path != NULL)
		str_list_take(&run->texts, path);
	return path;
}

static void add_candidate(struct run *run, char *path)
{
	size_t count = run->plan.candidate_count++;

	run->candidates = xreallocarray(run->candidates, count + 1, sizeof(*run->candidates));
	run->candidates[count] = (struct candidate){ path, false };
	str_list_take(&run->texts, path);
}

static void list_candidates(struct run *run)
{
	const char *word = run->spec->command[0];
	const char *path = environment_get(&run->environment, "PATH");

	if (word[0] == '\0')
		return;
	if (strchr(word, '/') != NULL) {
		add_candidate(run, xstrdup(word));
		return;
	}
	for (path = path == NULL ? "/bin:/usr/bin" : path;; path++) {
		size_t length = strcspn(path, ":");

		add_candidate(run, length == 0 ? xstrdup(word) : xasprintf("%.*s/%s", (int)length, path, word));
		path += length;
		if (*path == '\0')
			return;
	}
}

/* argv, and the one with which a shell reads a text that names no interpreter. */
static void compose_arguments(struct run *run)
{
	const struct spec *spec = run->spec;
	size_t count = spec->command_count;
	char **argv = xcalloc(count + 1, sizeof(*argv));

	run->own.shell_argv = xcalloc(count + 2, sizeof(*argv));
	run->own.shell_argv[0] = (char *)(uintptr_t)"/bin/sh";
	memcpy(argv, spec->command, count * sizeof(*argv));
	memcpy(run->own.shell_argv + 2, spec->command + 1, (count - 1) * sizeof(*argv));
	if (run->bwrap->argv0 != NULL)
		argv[0] = run->bwrap->argv0;
	run->plan.argv = argv;
	run->plan.candidates = run->candidates;
}

/* Where exec left the caller's strings; in the new process they are a copy. */
static void find_caller_env(struct run *run)
{
	char **variable = environ;

	if (variable == NULL || *variable == NULL)
		return;
	run->own.caller_env = *variable;
	for (; variable[1] != NULL; variable++)
		;
	if (*variable >= run->own.caller_env)
		run->own.caller_env_size = (size_t)(*variable - run->own.caller_env) + strlen(*variable);
}

int bwrap_prepare(struct run *run, struct err *err)
{
	const struct spec *spec = run->spec;

	run->is_privileged = geteuid() == 0 && (own_capabilities() >> CAP_SYS_ADMIN & 1);
	choose_namespaces(run);
	if (check_ids(run, err) < 0)
		return -1;
	choose_capabilities(run);
	run->proc = procfs_open();
	if (run->proc < 0)
		return bwrap_message(err, errno, "Can't open /proc");
	run->uid = spec->has_uid ? spec->uid : getuid();
	run->gid = spec->has_gid ? spec->gid : getgid();
	environment_replay(spec, environ, BWRAP_PWD_SIZE, &run->environment);
	run->own.pwd = (char *)(uintptr_t)environment_get(&run->environment, "PWD") - strlen("PWD=");
	run->own.old_folder = caller_folder(run);
	run->own.home = environment_get(&run->environment, "HOME");
	run->own.chdir = spec->chdir;
	find_caller_env(run);
	list_candidates(run);
	compose_arguments(run);
	return bwrap_plan_build(run, err);
}

void bwrap_prepare_free(struct run *run)
{
	for (size_t i = 0; run->sources != NULL && i < run->spec->fs_count; i++)
		free(run->sources[i].path);
	free(run->sources);
	steps_free(&run->steps);
	free(run->layers);
	free(run->candidates);
	free((void *)(uintptr_t)run->plan.argv);
	free(run->own.shell_argv);
	free(run->own.filters);
	free(run->own.filter_room);
	free(run->own.keep_fds);
	environment_free(&run->environment);
	str_list_free(&run->texts);
	if (run->proc >= 0)
		close(run->proc);
}
