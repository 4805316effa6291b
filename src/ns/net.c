/*
 * Child code: the loopback interface of the new network namespace, and the host name.
 */
#include "ns/mounts.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Setting loopback up is enough: the kernel gives it 127.0.0.1/8 and ::1 by itself. */
int net_step_loopback(struct child *child, const struct step *step)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd, result = 0;

	(void)step;
	/* The caller may have allowed that there is none of its own. */
	if (!(child->namespaces & CLONE_NEWNET))
		return 0;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		result = -errno;
	close(fd);
	return result;
}

int net_step_hostname(struct child *child, const struct step *step)
{
	if (!(child->namespaces & CLONE_NEWUTS))
		return 0;
	return sethostname(step->source, strlen(step->source)) < 0 ? -errno : 0;
}
