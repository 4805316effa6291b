/*
 * The floor that nsbox is measured against: the same sandbox, made with as few system
 * calls as it takes and nothing else. No options, no report, no confirmation, no diagnosis. It is not
 * a sandbox to use: it trusts its arguments, and it does not look at what holds in the end.
 *
 * floor [-n COUNT SOURCE] COMMAND [ARG]...
 *
 * -n binds SOURCE read-only at /b/0 to /b/COUNT-1.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* <sys/mount.h> and <linux/mount.h> cannot both be included everywhere. */
enum { LAZY_UNMOUNT = 2, PROPAGATION_PRIVATE = 1 << 18, RECURSIVE = 0x8000, LAST_CAPABILITY = 63 };

static long
check(long result, const char *what)
{
	if (result < 0) {
		dprintf(STDERR_FILENO, "floor: %s: %s\n", what, strerror(errno));
		_exit(125);
	}
	return result;
}

static void
write_file(const char *path, const char *text)
{
	int fd = (int)check(open(path, O_WRONLY | O_CLOEXEC), path);

	check(write(fd, text, strlen(text)), path);
	close(fd);
}

static void
map_ids(unsigned uid, unsigned gid)
{
	char text[64];

	write_file("/proc/self/setgroups", "deny");
	snprintf(text, sizeof text, "%u %u 1", uid, uid);
	write_file("/proc/self/uid_map", text);
	snprintf(text, sizeof text, "%u %u 1", gid, gid);
	write_file("/proc/self/gid_map", text);
}

static void
set_option(int context, const char *key, const char *value)
{
	check(syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, key, value, 0), key);
}

static int
new_mount(const char *type, const char *key, const char *value, unsigned attributes)
{
	int context = (int)check(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC), type);
	int mount;

	if (key)
		set_option(context, key, value);
	check(syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0), type);
	mount = (int)check(syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes), type);
	close(context);
	return mount;
}

static void
attach(int mount, int root, const char *place)
{
	check(syscall(SYS_move_mount, mount, "", root, place, MOVE_MOUNT_F_EMPTY_PATH), place);
	close(mount);
}

/* Binds `source` (below `from`) at `place` below `root`. */
static void
bind_tree(int from, const char *source, int root, const char *place, uint64_t attributes)
{
	struct mount_attr attr = { .attr_set = attributes, .propagation = PROPAGATION_PRIVATE };
	int mount = (int)check(syscall(SYS_open_tree, from, source,
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | RECURSIVE), source);

	check(syscall(SYS_mount_setattr, mount, "", AT_EMPTY_PATH | RECURSIVE, &attr,
	    sizeof attr), source);
	attach(mount, root, place);
}

static void
make_dev(int root)
{
	static const char *const nodes[] = { "null", "zero", "full", "random", "urandom", "tty" };
	static const char *const links[][2] = {
		{ "/proc/self/fd", "dev/fd" }, { "fd/0", "dev/stdin" }, { "fd/1", "dev/stdout" },
		{ "fd/2", "dev/stderr" }, { "pts/ptmx", "dev/ptmx" }
	};
	char source[32];

	check(mkdirat(root, "dev", 0755), "dev");
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		snprintf(source, sizeof source, "/dev/%s", nodes[i]);
		check(mknodat(root, source + 1, S_IFREG | 0666, 0), source);
		bind_tree(AT_FDCWD, source, root, source + 1, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	}
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		check(symlinkat(links[i][0], root, links[i][1]), links[i][1]);
	check(mkdirat(root, "dev/pts", 0755), "dev/pts");
	attach(new_mount("devpts", "ptmxmode", "0666", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC),
	    root, "dev/pts");
	check(mkdirat(root, "dev/shm", 0755), "dev/shm");
}

static void
make_links(int root)
{
	static const char *const names[] = { "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32" };
	char text[256];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ssize_t length = readlink(names[i], text, sizeof text - 1);

		if (length < 0)
			continue;
		text[length] = '\0';
		check(symlinkat(text, root, names[i] + 1), names[i]);
	}
}

static void
bind_many(int root, int count, const char *source)
{
	char place[32];

	check(mkdirat(root, "b", 0755), "b");
	for (int i = 0; i < count; i++) {
		snprintf(place, sizeof place, "b/%d", i);
		check(mkdirat(root, place, 0755), place);
		bind_tree(AT_FDCWD, source, root, place,
		    MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	}
}

/* One tmpfs holds the root and the scratch; only the scratch is writable in the end. */
static int
make_root(int count, const char *source)
{
	static const char *const scratch[] = { "work", "tmp", "shm" };
	static const char *const places[] = { "work", "tmp", "dev/shm" };
	unsigned plain = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
	int base = new_mount("tmpfs", "mode", "0755", plain), root;

	check(mkdirat(base, "root", 0755), "root");
	for (int i = 0; i < 3; i++)
		check(mkdirat(base, scratch[i], 0700), scratch[i]);
	check(syscall(SYS_move_mount, base, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH), "/");
	root = (int)check(syscall(SYS_open_tree, base, "root",
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC), "root");
	check(syscall(SYS_move_mount, root, "", base, "root", MOVE_MOUNT_F_EMPTY_PATH), "root");
	check(mkdirat(root, "usr", 0755), "usr");
	bind_tree(AT_FDCWD, "/usr", root, "usr", MOUNT_ATTR_RDONLY | plain);
	make_links(root);
	check(mkdirat(root, "proc", 0755), "proc");
	attach(new_mount("proc", NULL, NULL, plain | MOUNT_ATTR_NOEXEC), root, "proc");
	make_dev(root);
	check(mkdirat(root, "work", 0755), "work");
	check(mkdirat(root, "tmp", 0755), "tmp");
	for (int i = 0; i < 3; i++)
		bind_tree(base, scratch[i], root, places[i], plain);
	if (count)
		bind_many(root, count, source);
	close(base);
	return root;
}

static void
enter_root(int root)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };

	check(syscall(SYS_mount_setattr, root, "", AT_EMPTY_PATH, &attr, sizeof attr), "read-only");
	check(fchdir(root), "fchdir");
	check(syscall(SYS_pivot_root, ".", "."), "pivot_root");
	/* On top of the new root now lie the old one and, on that, the base: one call takes one. */
	check(syscall(SYS_umount2, ".", LAZY_UNMOUNT), "umount2");
	check(syscall(SYS_umount2, ".", LAZY_UNMOUNT), "umount2");
	check(chdir("/work"), "/work");
	close(root);
}

static void
raise_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = (int)check(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");

	check(ioctl(fd, SIOCSIFFLAGS, &request), "lo");
	close(fd);
}

static void
drop_privilege(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };

	for (int i = 0; i <= LAST_CAPABILITY; i++)
		if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) < 0)
			break;
	check(syscall(SYS_capset, &header, none), "capset");
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
}

/* pid 1: reaps until COMMAND has ended. */
static int
run_command(char **argv)
{
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", home[] = "HOME=/work";
	static char *const environment[] = { path, home, NULL };
	pid_t command = (pid_t)check(fork(), "fork"), pid;
	int status;

	if (command == 0) {
		execve(argv[0], argv, environment);
		check(-1, argv[0]);
	}
	do
		pid = (pid_t)check(wait(&status), "wait");
	while (pid != command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
main(int argc, char **argv)
{
	struct clone_args args = {
		.flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
		    CLONE_NEWUTS | CLONE_NEWCGROUP | CLONE_NEWTIME,
		.exit_signal = SIGCHLD
	};
	int many = argc > 4 && strcmp(argv[1], "-n") == 0, status;
	unsigned uid = geteuid(), gid = getegid();
	pid_t pid;

	if (argc < 2)
		return 125;
	pid = (pid_t)check(syscall(SYS_clone3, &args, sizeof args), "clone3");
	if (pid == 0) {
		check(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "death signal");
		map_ids(uid, gid);
		enter_root(make_root(many ? (int)strtol(argv[2], NULL, 10) : 0, argv[3]));
		raise_loopback();
		drop_privilege();
		_exit(run_command(argv + (many ? 4 : 1)));
	}
	check(waitpid(pid, &status, 0), "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
