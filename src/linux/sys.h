/*
 * Raw system calls that older C libraries do not wrap, and the constants that older
 * kernel headers do not have. Each returns a value or -1 with errno, as the call would; a
 * kernel without it answers ENOSYS, and whoever calls has a table of ways.
 */
#ifndef NSBOX_LINUX_SYS_H
#define NSBOX_LINUX_SYS_H

#include <stdint.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers from 424 on are the same on every architecture but alpha. */
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_fsopen
#define SYS_fsopen 430
#endif
#ifndef SYS_fsconfig
#define SYS_fsconfig 431
#endif
#ifndef SYS_fsmount
#define SYS_fsmount 432
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif

/* open_tree(2), Linux 5.2 */
#define SYS_OPEN_TREE_CLONE 1u
#define SYS_OPEN_TREE_CLOEXEC ((unsigned)O_CLOEXEC)
#define SYS_AT_RECURSIVE 0x8000u
/* move_mount(2), Linux 5.2 */
#define SYS_MOVE_MOUNT_F_EMPTY_PATH 0x04u
#define SYS_MOVE_MOUNT_T_EMPTY_PATH 0x40u
/* fsopen(2), fsconfig(2), fsmount(2), Linux 5.2 */
#define SYS_FSOPEN_CLOEXEC 1u
#define SYS_FSCONFIG_SET_STRING 1u
#define SYS_FSCONFIG_CMD_CREATE 6u
#define SYS_FSMOUNT_CLOEXEC 1u
/* mount_setattr(2), Linux 5.12; the values are shared with fsmount */
#define SYS_ATTR_RDONLY 0x01u
#define SYS_ATTR_NOSUID 0x02u
#define SYS_ATTR_NODEV 0x04u
#define SYS_ATTR_NOEXEC 0x08u
/* openat2(2), Linux 5.6 */
#define SYS_RESOLVE_NO_XDEV 0x01u
#define SYS_RESOLVE_NO_MAGICLINKS 0x02u
#define SYS_RESOLVE_NO_SYMLINKS 0x04u
#define SYS_RESOLVE_IN_ROOT 0x10u

struct sys_clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
	uint64_t set_tid, set_tid_size, cgroup;
};

struct sys_mount_attr {
	uint64_t set, clear, propagation, userns_fd;
};

struct sys_open_how {
	uint64_t flags, mode, resolve;
};

static inline int sys_open_tree(int dir, const char *path, unsigned flags)
{
	return (int)syscall(SYS_open_tree, dir, path, flags);
}

static inline int sys_move_mount(int from, const char *from_path, int to, const char *to_path, unsigned flags)
{
	return (int)syscall(SYS_move_mount, from, from_path, to, to_path, flags);
}

static inline int sys_fsopen(const char *name)
{
	return (int)syscall(SYS_fsopen, name, SYS_FSOPEN_CLOEXEC);
}

static inline int sys_fsconfig(int fs, unsigned command, const char *key, const char *value)
{
	return (int)syscall(SYS_fsconfig, fs, command, key, value, 0);
}

static inline int sys_fsmount(int fs, unsigned attributes)
{
	return (int)syscall(SYS_fsmount, fs, SYS_FSMOUNT_CLOEXEC, attributes);
}

static inline int sys_mount_setattr(int dir, const char *path, unsigned flags, struct sys_mount_attr *attr)
{
	return (int)syscall(SYS_mount_setattr, dir, path, flags, attr, sizeof(*attr));
}

static inline int sys_openat2(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
	struct sys_open_how how = { .flags = flags | O_CLOEXEC, .resolve = resolve };

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

static inline int sys_pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0u);
}

static inline int sys_pivot_root(const char *new_root, const char *put_old)
{
	return (int)syscall(SYS_pivot_root, new_root, put_old);
}

static inline int sys_close_range(unsigned first, unsigned last)
{
	return (int)syscall(SYS_close_range, first, last, 0u);
}

#endif
