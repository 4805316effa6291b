/*
 * Tries to get out of a sandbox, or at somebody outside of it, and says how that went: one line for each attempt, "NAME WORKS" or
 * "NAME ERRNO-NAME". Each attempt is made by a process of its own.
 *
 *	hostile serve FOLDER		listens (TCP on loopback, UDP, a path in FOLDER, an abstract name), has a secret in its
 *					environment, writes "PORT PID" to FOLDER/ready and waits to be attacked
 *	hostile attack FOLDER FILE PORT PID	attacks it, and FILE, which may be read only; the current folder may be written
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VSOCK = 40, PACKET = 17, NETLINK = 16 };

static const char *folder, *file;
static char path[4096];
static int port, victim;

static long fd_result(int fd)
{
	return fd < 0 ? -1 : 0;
}

static struct sockaddr_in loopback(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static struct sockaddr_un local(int is_abstract, socklen_t *length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char *name = address.sun_path + is_abstract;

	if (is_abstract)
		snprintf(name, sizeof(address.sun_path) - 1, "nsbox-hostile-%d", victim);
	else
		snprintf(name, sizeof(address.sun_path), "%s/socket", folder);
	*length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)is_abstract + strlen(name));
	return address;
}

static long connect_to(int fd)
{
	struct sockaddr_in address = loopback();

	return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, sizeof(address));
}

static long tcp(void)
{
	return connect_to(socket(AF_INET, SOCK_STREAM, 0));
}

/* The kernel looks at the lower half of an int; a filter that compares all 64 bits does not. */
static long tcp_garbage(void)
{
	return connect_to((int)syscall(SYS_socket, (1UL << 32) | AF_INET, SOCK_STREAM, 0));
}

static long tcp_listen(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : listen(fd, 1);
}

static long udp(void)
{
	struct sockaddr_in address = loopback();
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	return fd < 0 ? -1 : sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address));
}

static long netlink(void)
{
	return fd_result(socket(NETLINK, SOCK_RAW, 0));
}

static long raw(void)
{
	return fd_result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
}

static long packet(void)
{
	return fd_result(socket(PACKET, SOCK_RAW, 0));
}

static long vsock(void)
{
	return fd_result(socket(VSOCK, SOCK_STREAM, 0));
}

static long io_uring(void)
{
	char parameters[256] = "";

	return fd_result((int)syscall(425, 4, parameters));
}

static long socketcall(void)
{
#if defined(__x86_64__)
	/* socket of the 32-bit ABI. */
	long result;

	__asm__ volatile("int $0x80" : "=a"(result)
	    : "a"(359), "b"(AF_INET), "c"(SOCK_STREAM), "d"(0) : "memory", "r8", "r9", "r10", "r11");
	if (result >= 0)
		return 0;
	errno = (int)-result;
	return -1;
#else
	errno = ENOSYS;
	return -1;
#endif
}

static long x32(void)
{
	return fd_result((int)syscall(0x40000000 | 41, AF_INET, SOCK_STREAM, 0));
}

static long unix_to(int is_abstract)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	socklen_t length;
	struct sockaddr_un address = local(is_abstract, &length);

	return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, length);
}

static long unix_path(void)
{
	return unix_to(0);
}

static long unix_abstract(void)
{
	return unix_to(1);
}

static long take_descriptor(void)
{
	int pidfd = (int)syscall(434, victim, 0);

	return pidfd < 0 ? -1 : fd_result((int)syscall(438, pidfd, 0, 0));
}

static long trace(void)
{
	return ptrace(PTRACE_SEIZE, victim, NULL, NULL);
}

static long read_memory(void)
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

static long environment(void)
{
	return open_of_victim("environ", O_RDONLY);
}

static long memory(void)
{
	return open_of_victim("mem", O_RDWR);
}

static long root(void)
{
	return open_of_victim("root/etc/passwd", O_RDONLY);
}

static long command_line(void)
{
	return open_of_victim("cmdline", O_RDONLY);
}

static long signal_it(void)
{
	return kill(victim, 0);
}

static long signal_thread(void)
{
	return syscall(SYS_tgkill, victim, victim, 0);
}

static long signal_queue(void)
{
	siginfo_t info = { .si_signo = 0 };

	info.si_code = SI_QUEUE;
	return syscall(SYS_rt_sigqueueinfo, victim, SIGURG, &info);
}

static long signal_pidfd(void)
{
	int pidfd = (int)syscall(434, victim, 0);

	return pidfd < 0 ? -1 : syscall(424, pidfd, 0, NULL, 0);
}

/* SIGURG is ignored by default: the attempt shows itself by its result only. */
static long signal_owner(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return -1;
	return fcntl(ends[0], F_SETOWN, victim);
}

static long limit(void)
{
	struct rlimit now;

	if (prlimit(victim, RLIMIT_CORE, NULL, &now) < 0)
		return -1;
	return prlimit(victim, RLIMIT_CORE, &now, NULL);
}

static long priority(void)
{
	return setpriority(PRIO_PROCESS, (id_t)victim, getpriority(PRIO_PROCESS, (id_t)victim));
}

static long read_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return fd_result(open(path, O_RDONLY));
}

static long write_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return fd_result(open(path, O_WRONLY));
}

static long truncate_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	return truncate(path, 0);
}

static long link_secret(void)
{
	snprintf(path, sizeof(path), "%s/secret", folder);
	if (link(path, "linked") < 0)
		return -1;
	return unlink("linked");
}

static long rename_secret(void)
{
	char to[sizeof(path) + 8];

	snprintf(path, sizeof(path), "%s/secret", folder);
	if (rename(path, "taken") < 0)
		return -1;
	snprintf(to, sizeof(to), "%s", path);
	return rename("taken", to);
}

static long by_handle(void)
{
	struct { struct file_handle handle; char space[128]; } h = { .handle.handle_bytes = 128 };
	int mount;

	snprintf(path, sizeof(path), "%s/secret", folder);
	if (name_to_handle_at(AT_FDCWD, path, &h.handle, &mount, 0) < 0)
		return -1;
	return fd_result(open_by_handle_at(AT_FDCWD, &h.handle, O_RDONLY));
}

static long write_read_only(void)
{
	return fd_result(open(file, O_WRONLY));
}

static long truncate_read_only(void)
{
	return truncate(file, 0);
}

static long open_truncate(void)
{
	return fd_result(open(file, O_RDONLY | O_TRUNC));
}

static long access_3(void)
{
	return fd_result(open(file, O_ACCMODE));
}

static long reopen(void)
{
	char again[64];
	int fd = open(file, O_RDONLY);

	snprintf(again, sizeof(again), "/proc/self/fd/%d", fd);
	return fd < 0 ? -1 : fd_result(open(again, O_WRONLY));
}

static long link_read_only(void)
{
	long result;

	if (link(file, "writable") < 0)
		return -1;
	result = fd_result(open("writable", O_WRONLY));
	unlink("writable");
	return result;
}

static long mode(void)
{
	return chmod(file, 0644);
}

static long unlink_read_only(void)
{
	return unlink(file);
}

static long inherited(void)
{
	return fcntl(9, F_GETFD) < 0 ? -1 : 0;
}

static long user_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

static long user_namespace_clone3(void)
{
	struct { unsigned long flags, pidfd, child, parent, signal, stack, size, tls; } args = {
		.flags = CLONE_NEWUSER, .signal = SIGCHLD,
	};
	long pid = syscall(435, &args, sizeof(args));

	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : 0;
}

static long mount_it(void)
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

static long shared_memory(void)
{
	return shmget(0x6e736278, 4096, 0600) < 0 ? -1 : 0;
}

static long queue(void)
{
	return fd_result((int)syscall(SYS_mq_open, "nsbox-hostile", O_RDWR, 0, NULL));
}

static long keyring(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0) < 0 ? -1 : 0;
}

static long terminal(void)
{
	/* Where the call is let through, what is no terminal is told from it. */
	return ioctl(-1, TIOCSTI, "x");
}

static const struct attempt {
	const char *name;
	long (*make)(void);
} attempts[] = {
#define ATTEMPT(name) { #name, name }
	ATTEMPT(tcp), ATTEMPT(tcp_garbage), ATTEMPT(tcp_listen), ATTEMPT(udp), ATTEMPT(netlink),
	ATTEMPT(raw), ATTEMPT(packet), ATTEMPT(vsock), ATTEMPT(io_uring), ATTEMPT(socketcall),
	ATTEMPT(x32), ATTEMPT(unix_path), ATTEMPT(unix_abstract), ATTEMPT(take_descriptor),
	ATTEMPT(trace), ATTEMPT(read_memory), ATTEMPT(environment), ATTEMPT(memory), ATTEMPT(root),
	ATTEMPT(command_line), ATTEMPT(signal_it), ATTEMPT(signal_thread), ATTEMPT(signal_queue),
	ATTEMPT(signal_pidfd), ATTEMPT(signal_owner), ATTEMPT(limit), ATTEMPT(priority),
	ATTEMPT(read_secret), ATTEMPT(write_secret), ATTEMPT(truncate_secret), ATTEMPT(link_secret),
	ATTEMPT(rename_secret), ATTEMPT(by_handle), ATTEMPT(write_read_only),
	ATTEMPT(truncate_read_only), ATTEMPT(open_truncate), ATTEMPT(access_3), ATTEMPT(reopen),
	ATTEMPT(link_read_only), ATTEMPT(mode), ATTEMPT(unlink_read_only), ATTEMPT(inherited),
	ATTEMPT(user_namespace), ATTEMPT(user_namespace_clone3), ATTEMPT(mount_it),
	ATTEMPT(shared_memory), ATTEMPT(queue), ATTEMPT(keyring), ATTEMPT(terminal),
};

static void attack(const struct attempt *attempt)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(5);
		_exit(attempt->make() < 0 ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		printf("%s NOT-TRIED\n", attempt->name);
	else if (WIFSIGNALED(status))
		printf("%s SIGNAL-%d\n", attempt->name, WTERMSIG(status));
	else if (WEXITSTATUS(status) == 0)
		printf("%s WORKS\n", attempt->name);
	else
		printf("%s %s\n", attempt->name, strerrorname_np(WEXITSTATUS(status)));
}

static int serve(void)
{
	struct sockaddr_in address = loopback();
	socklen_t size = sizeof(address), length;
	struct sockaddr_un named;
	char to[sizeof(path)];
	FILE *ready;
	int tcp_fd, fd;

	victim = getpid();
	address.sin_port = 0;
	tcp_fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(tcp_fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(tcp_fd, 64) < 0 ||
	    getsockname(tcp_fd, (struct sockaddr *)&address, &size) < 0)
		return perror("tcp"), 1;
	for (int is_abstract = 0; is_abstract <= 1; is_abstract++) {
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		named = local(is_abstract, &length);
		if (bind(fd, (struct sockaddr *)&named, length) < 0 || listen(fd, 64) < 0)
			return perror("unix"), 1;
	}
	snprintf(to, sizeof(to), "%s/ready", folder);
	snprintf(path, sizeof(path), "%s/ready.new", folder);
	ready = fopen(path, "w");
	if (ready == NULL)
		return perror(path), 1;
	fprintf(ready, "%d %d\n", ntohs(address.sin_port), (int)getpid());
	fclose(ready);
	if (rename(path, to) < 0)
		return perror(to), 1;
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc >= 3 && strcmp(argv[1], "serve") == 0) {
		folder = argv[2];
		return serve();
	}
	if (argc < 6 || strcmp(argv[1], "attack") != 0)
		return fprintf(stderr, "usage: hostile serve FOLDER | attack FOLDER FILE PORT PID\n"), 2;
	folder = argv[2];
	file = argv[3];
	port = atoi(argv[4]);
	victim = atoi(argv[5]);
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		attack(&attempts[i]);
	return 0;
}
