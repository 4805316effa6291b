/*
 * What the hostile program tries by sockets.
 */
#include <errno.h>
#include <netinet/in.h>
#include <sys/syscall.h>

#include "hostile.h"

enum { VSOCK = 40, PACKET = 17, NETLINK = 16 };

static struct sockaddr_in loopback(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static long connect_to(int fd)
{
	struct sockaddr_in address = loopback();

	return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, sizeof(address));
}

long tcp(void)
{
	return connect_to(socket(AF_INET, SOCK_STREAM, 0));
}

/* The kernel looks at the lower half of an int; a filter that compares all 64 bits does not. */
long tcp_garbage(void)
{
	return connect_to((int)syscall(SYS_socket, (1UL << 32) | AF_INET, SOCK_STREAM, 0));
}

long tcp_listen(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : listen(fd, 1);
}

long udp(void)
{
	struct sockaddr_in address = loopback();
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	return fd < 0 ? -1 : sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address));
}

long netlink(void)
{
	return fd_result(socket(NETLINK, SOCK_RAW, 0));
}

long raw(void)
{
	return fd_result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
}

long packet(void)
{
	return fd_result(socket(PACKET, SOCK_RAW, 0));
}

long vsock(void)
{
	return fd_result(socket(VSOCK, SOCK_STREAM, 0));
}

long io_uring(void)
{
	char parameters[256] = "";

	return fd_result((int)syscall(425, 4, parameters));
}

long socketcall(void)
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

long x32(void)
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

long unix_path(void)
{
	return unix_to(0);
}

long unix_abstract(void)
{
	return unix_to(1);
}
