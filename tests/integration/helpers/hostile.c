/*
 * Tries to get out of a sandbox, or at somebody outside of it, and says how that went: one line for each attempt, "NAME WORKS" or
 * "NAME ERRNO-NAME". Each attempt is made by a process of its own.
 *
 *	hostile serve FOLDER		listens (TCP on loopback, UDP, a path in FOLDER, an abstract name), has a secret in its
 *					environment, writes "PORT PID" to FOLDER/ready and waits to be attacked
 *	hostile attack FOLDER FILE PORT PID	attacks it, and FILE, which may be read only; the current folder may be written
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "hostile.h"

const char *folder, *file;
int port, victim;

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
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address), length;
	char path[4096];
	struct sockaddr_un named;
	char to[4096];
	FILE *ready;
	int tcp_fd, fd;

	victim = getpid();
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	tcp_fd = socket(AF_INET, SOCK_STREAM, 0);
	/* Where loopback is down nobody gets here by TCP; the rest is to be tried all the same. */
	if (bind(tcp_fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    (listen(tcp_fd, 64) < 0 || getsockname(tcp_fd, (struct sockaddr *)&address, &size) < 0))
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
