/*
 * The attempts of the hostile program (hostile.c). Each returns -1 with errno where it was refused.
 */
#ifndef NSBOX_TESTS_HOSTILE_H
#define NSBOX_TESTS_HOSTILE_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Whom and what it attacks. */
extern const char *folder, *file;
extern int port, victim;

static inline long fd_result(int fd)
{
	return fd < 0 ? -1 : 0;
}

/* The address that the victim listens at: a path in the folder, or an abstract name. */
static inline struct sockaddr_un local(int is_abstract, socklen_t *length)
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

long tcp(void), tcp_garbage(void), tcp_listen(void), udp(void), netlink(void), raw(void);
long packet(void), vsock(void), io_uring(void), socketcall(void), x32(void), unix_path(void);
long unix_abstract(void), take_descriptor(void), trace(void), read_memory(void), environment(void), memory(void);
long root(void), command_line(void), signal_it(void), signal_thread(void), signal_queue(void), signal_pidfd(void);
long signal_owner(void), limit(void), priority(void), read_secret(void), write_secret(void), truncate_secret(void);
long link_secret(void), rename_secret(void), by_handle(void), write_read_only(void), truncate_read_only(void), open_truncate(void);
long access_3(void), reopen(void), link_read_only(void), mode(void), unlink_read_only(void), inherited(void);
long user_namespace(void), user_namespace_clone3(void), mount_it(void), shared_memory(void), queue(void), keyring(void);
long terminal(void);

#endif
