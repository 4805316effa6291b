#include "linux/gate.h"

#include <errno.h>
#include <string.h>

#include <linux/seccomp.h>
#include <sys/ioctl.h>

int gate_answer(int listener, const struct gate_keeper *keeper)
{
	/* The kernel's structures may be longer than ours; it says so by EINVAL where the rest is not zero. */
	struct {
		struct seccomp_notif request;
		char space[64];
	} asked;
	struct {
		struct seccomp_notif_resp response;
		char space[64];
	} answer;

	memset(&asked, 0, sizeof(asked));
	memset(&answer, 0, sizeof(answer));
	/* Whoever asked may have been killed meanwhile: ENOENT. */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked.request) < 0)
		return errno == ENOENT || errno == EINTR ? 0 : -1;
	answer.response.id = asked.request.id;
	if (keeper->may_pass(keeper->context))
		answer.response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		answer.response.error = -EAGAIN;
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer.response) < 0 && errno != ENOENT)
		return -1;
	return 0;
}
