/*
 * What the hostile program tries at another process, and at the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "hostile.h"

long take_descriptor(void)
{
	int pidfd = (int)syscall(434, victim, 0);

	return pidfd < 0 ? -1 : fd_result((int)syscall(438, pidfd, 0, 0));
}

long trace(void)
{
	return ptrace(PTRACE_SEIZE, victim, NULL, NULL);
}

long read_memory(void)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { &port, 1 };

	return process_vm_readv(victim, &here, 1, &there, 1, 0);
}

static long open_of_victim(const char *name, int flags)
{
	char of[64];

	snprintf(of, sizeof(of), "/proc/%d/%s", victim, name);
	return fd_result(open(of, flags));
}

long environment(void)
{
	return open_of_victim("environ", O_RDONLY);
}

long memory(void)
{
	return open_of_victim("mem", O_RDWR);
}

long root(void)
{
	return open_of_victim("root/etc/passwd", O_RDONLY);
}

long command_line(void)
{
	return open_of_victim("cmdline", O_RDONLY);
}

long signal_it(void)
{
	return kill(victim, 0);
}

long signal_thread(void)
{
	return syscall(SYS_tgkill, victim, victim, 0);
}

long signal_queue(void)
{
	siginfo_t info = { .si_signo = 0 };

	info.si_code = SI_QUEUE;
	return syscall(SYS_rt_sigqueueinfo, victim, SIGURG, &info);
}

long signal_pidfd(void)
{
	int pidfd = (int)syscall(434, victim, 0);

	return pidfd < 0 ? -1 : syscall(424, pidfd, 0, NULL, 0);
}

/* SIGURG is ignored by default: the attempt shows itself by its result only. */
long signal_owner(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return -1;
	return fcntl(ends[0], F_SETOWN, victim);
}

long limit(void)
{
	struct rlimit now;

	if (prlimit(victim, RLIMIT_CORE, NULL, &now) < 0)
		return -1;
	return prlimit(victim, RLIMIT_CORE, &now, NULL);
}

long priority(void)
{
	return setpriority(PRIO_PROCESS, (id_t)victim, getpriority(PRIO_PROCESS, (id_t)victim));
}

long inherited(void)
{
	return fcntl(9, F_GETFD) < 0 ? -1 : 0;
}

long user_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

long user_namespace_clone3(void)
{
	struct { unsigned long flags, pidfd, child, parent, signal, stack, size, tls; } args = {
		.flags = CLONE_NEWUSER, .signal = SIGCHLD,
	};
	long pid = syscall(435, &args, sizeof(args));

	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : 0;
}

long mount_it(void)
{
	long result;
	int error;

	/* Outside and as root it works, and must not stay. */
	mkdir("mount-point", 0700);
	result = mount("none", "mount-point", "tmpfs", 0, NULL);
	error = errno;
	if (result == 0)
		umount("mount-point");
	rmdir("mount-point");
	errno = error;
	return result;
}

long shared_memory(void)
{
	return shmget(0x6e736278, 4096, 0600) < 0 ? -1 : 0;
}

long queue(void)
{
	return fd_result((int)syscall(SYS_mq_open, "nsbox-hostile", O_RDWR, 0, NULL));
}

long keyring(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0) < 0 ? -1 : 0;
}

long terminal(void)
{
	/* Where the call is let through, what is no terminal is told from it. */
	return ioctl(-1, TIOCSTI, "x");
}
