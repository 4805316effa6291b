/*
 * Makes what the probes are tried on: a file that no rule allows, one that may be read, and
 * sockets that listen, all in the run's own folder.
 */
#include "landlock/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTSIDE, OUTSIDE_NEW, OUTSIDE_FOLDER, OUTSIDE_LINK, READ_ONLY, SCRATCH };

/* Folders of the run's own: "shm" is allowed by no rule, one file in "tmp" by a read-only one. */
static int make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	ssize_t written;

	if (fd < 0)
		return -1;
	/* Whatever the caller masks: it is tried whether its mode or its place refuses it. */
	written = fchmod(fd, 0600) < 0 ? -1 : write(fd, "nsbox\n", 6);
	return close(fd) == 0 && written == 6 ? 0 : -1;
}

static int socket_at(int type, struct sockaddr_un *address, socklen_t *length)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0 && bind(fd, (struct sockaddr *)address, *length) == 0 &&
	    (type == SOCK_DGRAM || listen(fd, 8) == 0))
		return fd;
	if (fd >= 0)
		close(fd);
	*length = 0;
	return -1;
}

/* An address below the run's own folder; its length, 0 where it is too long for one. */
static socklen_t address_of(const struct run *run, const char *name, struct sockaddr_un *address)
{
	size_t room = sizeof(address->sun_path);
	int length = snprintf(address->sun_path, room, "%s/shm/%s", run_own(run)->path, name);

	address->sun_family = AF_UNIX;
	return length > 0 && (size_t)length < room ? (socklen_t)sizeof(*address) : 0;
}

/*
 * Where this process cannot make such sockets itself (inside another sandbox), connections to them are not
 * tried, and nothing is claimed of them.
 */
static void make_sockets(struct run *run)
{
	struct probe_setup *setup = &run->canaries.setup;
	int *sockets = run->canaries.sockets;
	int length;

	setup->by_path_length = address_of(run, "socket", &setup->by_path);
	if (setup->by_path_length > 0)
		sockets[0] = socket_at(SOCK_STREAM, &setup->by_path, &setup->by_path_length);
	setup->datagram_length = address_of(run, "datagram", &setup->datagram);
	if (setup->datagram_length > 0)
		sockets[1] = socket_at(SOCK_DGRAM, &setup->datagram, &setup->datagram_length);
	/* The name begins with a NUL: unix(7), abstract. */
	setup->by_name.sun_family = AF_UNIX;
	length = snprintf(setup->by_name.sun_path + 1, sizeof(setup->by_name.sun_path) - 1, "%s",
	    run_own(run)->name);
	setup->by_name_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
	sockets[2] = socket_at(SOCK_STREAM, &setup->by_name, &setup->by_name_length);
}

int canaries_make(struct run *run, struct err *err)
{
	struct canaries *canaries = &run->canaries;
	struct probe_setup *setup = &canaries->setup;
	const char *own = run_own(run)->path;

	canaries->paths[OUTSIDE] = xasprintf("%s/shm/outside", own);
	canaries->paths[OUTSIDE_NEW] = xasprintf("%s/shm/new", own);
	canaries->paths[OUTSIDE_FOLDER] = xasprintf("%s/shm", own);
	canaries->paths[OUTSIDE_LINK] = xasprintf("%s/.nsbox-probe-link", run->scratch);
	canaries->paths[READ_ONLY] = xasprintf("%s/tmp/read-only", own);
	canaries->paths[SCRATCH] = xasprintf("%s/.nsbox-probe", run->scratch);
	setup->outside = canaries->paths[OUTSIDE];
	setup->outside_new = canaries->paths[OUTSIDE_NEW];
	setup->outside_folder = canaries->paths[OUTSIDE_FOLDER];
	setup->outside_link = canaries->paths[OUTSIDE_LINK];
	setup->read_only = canaries->paths[READ_ONLY];
	setup->scratch = canaries->paths[SCRATCH];
	if (make_file(setup->outside) < 0 || make_file(setup->read_only) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot make what is tried beside the scratch");
	make_sockets(run);
	setup->supervisor = getpid();
	setup->other = getppid();
	snprintf(setup->environ_name, sizeof(setup->environ_name), "%ld/environ", (long)getpid());
	snprintf(setup->names_name, sizeof(setup->names_name), "%ld/cmdline", (long)getpid());
	return 0;
}

void canaries_free(struct canaries *canaries)
{
	for (size_t i = 0; i < sizeof(canaries->paths) / sizeof(canaries->paths[0]); i++)
		free(canaries->paths[i]);
	for (size_t i = 0; i < CANARY_SOCKETS; i++) {
		if (canaries->sockets[i] >= 0)
			close(canaries->sockets[i]);
	}
	memset(canaries, 0, sizeof(*canaries));
	for (size_t i = 0; i < CANARY_SOCKETS; i++)
		canaries->sockets[i] = -1;
}
