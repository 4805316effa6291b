/*
 * Runs a command with some system calls made to fail, as on an older kernel or
 * in a container:
 *
 *	deny ENOSYS:openat2,mount_setattr EPERM:clone-new -- COMMAND ARG ...
 *
 * "clone-new" is clone only where it asks for a new namespace. Exits with 99 where it fails itself.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "linux/sys.h"

enum { PROGRAM_MAX = 256, STATUS_FAILED = 99 };

#define NEW_NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	CLONE_NEWPID | CLONE_NEWNET)

struct call {
	const char *name;
	long number;
	bool new_only;
};

static const struct call calls[] = {
	{ "clone", SYS_clone, false },
	{ "clone-new", SYS_clone, true },
	{ "clone3", SYS_clone3, false },
	{ "close_range", SYS_close_range, false },
	{ "fsconfig", SYS_fsconfig, false },
	{ "fsmount", SYS_fsmount, false },
	{ "fsopen", SYS_fsopen, false },
	{ "keyctl", SYS_keyctl, false },
	{ "mount", SYS_mount, false },
	{ "mount_setattr", SYS_mount_setattr, false },
	{ "move_mount", SYS_move_mount, false },
	{ "open_tree", SYS_open_tree, false },
	{ "openat2", SYS_openat2, false },
	{ "pidfd_open", SYS_pidfd_open, false },
	{ "pivot_root", SYS_pivot_root, false },
	{ "prctl", SYS_prctl, false },
	{ "sethostname", SYS_sethostname, false },
	{ "setsid", SYS_setsid, false },
	{ "umount2", SYS_umount2, false },
	{ "unshare", SYS_unshare, false },
};

struct error {
	const char *name;
	int number;
};

static const struct error errors[] = {
	{ "EACCES", EACCES }, { "EINVAL", EINVAL }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "ENOSYS", ENOSYS }, { "EPERM", EPERM },
};

struct program {
	struct sock_filter code[PROGRAM_MAX];
	unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction)
{
	if (program->length < PROGRAM_MAX)
		program->code[program->length] = instruction;
	program->length++;
}

#define LOAD(member) (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
	(uint32_t)offsetof(struct seccomp_data, member))
#define RETURN(value) (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (uint32_t)(value))

static void add_call(struct program *program, const struct call *call, int error)
{
	add(program, LOAD(nr));
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call->number, 0,
	    call->new_only ? 3 : 1));
	if (call->new_only) {
		/* The lower half of the flags on a little-endian machine; all of them on a 32-bit one. */
		add(program, LOAD(args[0]));
		add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1));
	}
	add(program, RETURN(SECCOMP_RET_ERRNO | (unsigned)error));
}

static const struct call *find_call(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strlen(calls[i].name) == length && memcmp(calls[i].name, name, length) == 0)
			return &calls[i];
	}
	return NULL;
}

static int find_error(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (strlen(errors[i].name) == length && memcmp(errors[i].name, name, length) == 0)
			return errors[i].number;
	}
	return 0;
}

/* One word, "ERRNO:call,call". 0, or -1 where it is none. */
static int add_word(struct program *program, const char *word)
{
	size_t length = strcspn(word, ":");
	int error = find_error(word, length);

	if (error == 0 || word[length] == '\0')
		return -1;
	for (word += length; *word != '\0'; word += length) {
		const struct call *call;

		word++;
		length = strcspn(word, ",");
		call = find_call(word, length);
		if (!call)
			return -1;
		add_call(program, call, error);
	}
	return 0;
}

static int install(struct program *program)
{
	struct sock_fprog filter = { .len = program->length, .filter = program->code };

	if (program->length > PROGRAM_MAX) {
		errno = E2BIG;
		return -1;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

int main(int argc, char **argv)
{
	struct program program = { .length = 0 };
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (add_word(&program, argv[i]) < 0) {
			fprintf(stderr, "deny: not ERRNO:call,...: %s\n", argv[i]);
			return STATUS_FAILED;
		}
	}
	add(&program, RETURN(SECCOMP_RET_ALLOW));
	if (i + 1 >= argc) {
		fprintf(stderr, "deny: no command\n");
		return STATUS_FAILED;
	}
	if (install(&program) < 0) {
		perror("deny: seccomp");
		return STATUS_FAILED;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return STATUS_FAILED;
}
