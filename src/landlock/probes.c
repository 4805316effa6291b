/*
 * Child code: tries what is refused (probes.h). Everything that is tried is harmless where it works: on files
 * that were made for it, and to values that are there already.
 */
#include "landlock/probes.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <fcntl.h>
#include <linux/keyctl.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/child.h"

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

struct try {
	const struct probe_setup *setup;
	int proc;		/* O_PATH */
};

/* The errno of a call that gives a descriptor, which is closed. */
static int result_of_fd(int fd)
{
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int result_of(long result)
{
	return result < 0 ? errno : 0;
}

static int open_with(const char *path, int flags)
{
	return result_of_fd(open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
}

static int try_read(const struct try *try)
{
	return open_with(try->setup->outside, O_RDONLY);
}

static int try_write(const struct try *try)
{
	return open_with(try->setup->outside, O_WRONLY);
}

static int try_truncate(const struct try *try)
{
	return result_of(truncate(try->setup->outside, 0));
}

static int try_open_truncate(const struct try *try)
{
	return open_with(try->setup->outside, O_RDONLY | O_TRUNC);
}

static int try_access_3(const struct try *try)
{
	return open_with(try->setup->outside, O_ACCMODE);
}

static int try_list(const struct try *try)
{
	return open_with(try->setup->outside_folder, O_RDONLY | O_DIRECTORY);
}

static int try_make(const struct try *try)
{
	int error = open_with(try->setup->outside_new, O_WRONLY | O_CREAT | O_EXCL);

	unlink(try->setup->outside_new);
	return error;
}

static int try_link(const struct try *try)
{
	int error = result_of(link(try->setup->outside, try->setup->outside_link));

	unlink(try->setup->outside_link);
	return error;
}

static int try_status(const struct try *try)
{
	struct stat status;

	return result_of(stat(try->setup->outside, &status));
}

static int try_mode(const struct try *try)
{
	return result_of(chmod(try->setup->outside, 0600));
}

static int try_read_only_read(const struct try *try)
{
	return open_with(try->setup->read_only, O_RDONLY);
}

static int try_read_only_write(const struct try *try)
{
	return open_with(try->setup->read_only, O_WRONLY);
}

static int try_read_only_truncate(const struct try *try)
{
	int error = open_with(try->setup->read_only, O_RDONLY | O_TRUNC);

	return error != 0 ? error : result_of(truncate(try->setup->read_only, 0));
}

static int try_read_only_mode(const struct try *try)
{
	return result_of(chmod(try->setup->read_only, 0600));
}

static int try_scratch(const struct try *try)
{
	const char *path = try->setup->scratch;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int error;

	if (fd < 0)
		return errno;
	error = write(fd, "x", 1) == 1 && ftruncate(fd, 0) == 0 ? 0 : errno;
	close(fd);
	return unlink(path) < 0 && error == 0 ? errno : error;
}

static int try_socket(int family, int type, int protocol)
{
	return result_of_fd(socket(family, type | SOCK_CLOEXEC, protocol));
}

static int try_inet(const struct try *try)
{
	(void)try;
	return try_socket(AF_INET, SOCK_STREAM, 0);
}

static int try_netlink(const struct try *try)
{
	(void)try;
	return try_socket(AF_NETLINK, SOCK_RAW, 0);
}

static int try_unix(const struct try *try)
{
	(void)try;
	return try_socket(AF_UNIX, SOCK_STREAM, 0);
}

static int try_connect(const struct sockaddr_un *address, socklen_t length)
{
	int fd, error;

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	if (length == 0) {	/* there is none to connect to */
		close(fd);
		return PROBE_SKIPPED;
	}
	error = result_of(connect(fd, (const struct sockaddr *)address, length));
	close(fd);
	return error;
}

static int try_unix_path(const struct try *try)
{
	return try_connect(&try->setup->by_path, try->setup->by_path_length);
}

static int try_unix_abstract(const struct try *try)
{
	return try_connect(&try->setup->by_name, try->setup->by_name_length);
}

static int try_unix_send(const struct try *try)
{
	const struct probe_setup *setup = try->setup;
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0)
		return errno;
	error = setup->datagram_length == 0 ? PROBE_SKIPPED : result_of(sendto(ends[0], "x", 1,
	    MSG_NOSIGNAL, (const struct sockaddr *)&setup->datagram, setup->datagram_length));
	close(ends[0]);
	close(ends[1]);
	return error;
}

static int try_gain(const struct try *try)
{
	int error = result_of(chmod(try->setup->outside, 04600));

	if (error == 0)
		chmod(try->setup->outside, 0600);
	return error;
}

static int try_socketpair(const struct try *try)
{
	int ends[2];

	(void)try;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return errno;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static int try_io_uring(const struct try *try)
{
	(void)try;
	/* No entries and no parameters: refused by every kernel, but not with ENOSYS by one that has it. */
	return result_of(syscall(SYS_io_uring_setup, 0, NULL));
}

static int try_shared_memory(const struct try *try)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600);

	(void)try;
	if (id < 0)
		return errno;
	shmctl(id, IPC_RMID, NULL);
	return 0;
}

static int try_queue(const struct try *try)
{
	(void)try;
	/* There is none of this name: without a filter the answer is ENOENT. */
	return result_of_fd((int)syscall(SYS_mq_open, "nsbox-probe-none", O_RDONLY, 0, NULL));
}

static int try_keyring(const struct try *try)
{
	(void)try;
	return result_of(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
}

static int try_signal(const struct try *try)
{
	return result_of(kill(try->setup->supervisor, 0));
}

static int try_signal_init(const struct try *try)
{
	(void)try;
	return result_of(kill(getppid(), 0));
}

static int try_signal_other(const struct try *try)
{
	return try->setup->other > 1 ? result_of(kill(try->setup->other, 0)) : PROBE_SKIPPED;
}

static int try_trace(const struct try *try)
{
	return result_of_fd(openat(try->proc, try->setup->environ_name, O_RDONLY | O_CLOEXEC));
}

static int try_names(const struct try *try)
{
	return result_of_fd(openat(try->proc, try->setup->names_name, O_RDONLY | O_CLOEXEC));
}

static int try_limit(const struct try *try)
{
	struct rlimit limit;

	if (prlimit(try->setup->supervisor, RLIMIT_CORE, NULL, &limit) < 0)
		return errno;
	return result_of(prlimit(try->setup->supervisor, RLIMIT_CORE, &limit, NULL));
}

static int try_kernel(const struct try *try)
{
	return result_of_fd(openat(try->proc, "vmallocinfo", O_RDONLY | O_CLOEXEC));
}

static int (*const tries[PROBE_COUNT])(const struct try *) = {
	[PROBE_READ] = try_read,
	[PROBE_WRITE] = try_write,
	[PROBE_TRUNCATE] = try_truncate,
	[PROBE_OPEN_TRUNCATE] = try_open_truncate,
	[PROBE_ACCESS_3] = try_access_3,
	[PROBE_LIST] = try_list,
	[PROBE_MAKE] = try_make,
	[PROBE_LINK] = try_link,
	[PROBE_STATUS] = try_status,
	[PROBE_MODE] = try_mode,
	[PROBE_READ_ONLY_READ] = try_read_only_read,
	[PROBE_READ_ONLY_WRITE] = try_read_only_write,
	[PROBE_READ_ONLY_TRUNCATE] = try_read_only_truncate,
	[PROBE_READ_ONLY_MODE] = try_read_only_mode,
	[PROBE_SCRATCH] = try_scratch,
	[PROBE_INET] = try_inet,
	[PROBE_NETLINK] = try_netlink,
	[PROBE_UNIX] = try_unix,
	[PROBE_UNIX_PATH] = try_unix_path,
	[PROBE_UNIX_ABSTRACT] = try_unix_abstract,
	[PROBE_UNIX_SEND] = try_unix_send,
	[PROBE_SOCKETPAIR] = try_socketpair,
	[PROBE_GAIN] = try_gain,
	[PROBE_IO_URING] = try_io_uring,
	[PROBE_SHARED_MEMORY] = try_shared_memory,
	[PROBE_QUEUE] = try_queue,
	[PROBE_KEYRING] = try_keyring,
	[PROBE_SIGNAL] = try_signal,
	[PROBE_SIGNAL_INIT] = try_signal_init,
	[PROBE_SIGNAL_OTHER] = try_signal_other,
	[PROBE_TRACE] = try_trace,
	[PROBE_LIMIT] = try_limit,
	[PROBE_NAMES] = try_names,
	[PROBE_KERNEL] = try_kernel,
};

int landlock_step_probe(struct child *child, const struct step *step)
{
	struct probe_setup *setup = (struct probe_setup *)(uintptr_t)step->source;
	const struct try try = { setup, child->proc };
	int16_t *results = step->flags != 0 ? setup->after : setup->before;
	struct record record = {
		.kind = RECORD_PROBED,
		.head_length = sizeof(setup->before) + sizeof(setup->after),
	};

	_Static_assert(sizeof(setup->before) + sizeof(setup->after) <= RECORD_HEAD_MAX, "both lists fit");
	for (size_t i = 0; i < PROBE_COUNT; i++)
		results[i] = (int16_t)tries[i](&try);
	if (step->flags == 0)
		return 0;
	memcpy(record.head, setup->before, sizeof(setup->before));
	memcpy(record.head + sizeof(setup->before), setup->after, sizeof(setup->after));
	return child_send(child, &record);
}
