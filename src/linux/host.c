/*
 * The Linux row of what the portable part needs of a system (core/host.h).
 */
#include "core/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/defaults.h"
#include "core/value.h"
#include "linux/backends.h"
#include "linux/caps.h"
#include "linux/cgroup.h"
#include "linux/disk_scratch.h"
#include "linux/input.h"
#include "linux/reexec.h"
#include "linux/sink.h"
#include "linux/supervise.h"

/*
 * Whoever installs nsbox setuid or with file capabilities gives its user rights that
 * nothing here was made to guard. The kernel tells (getauxval(3)); nothing was done yet.
 */
static int host_enter(char **argv, struct err *err)
{
	if (getauxval(AT_SECURE) != 0)
		return err_set(err, ERR_REFUSED, "nsbox must not be setuid, setgid or have file "
		    "capabilities: it needs no privilege and would give it away");
	for (int fd = 0; fd <= 2; fd++) {
		/*
		 * Open 0 to 2 first, so that no file of ours becomes somebody's standard
		 * output.
		 */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != fd)
			return err_sys(err, ERR_SETUP, errno, "cannot open /dev/null as descriptor %d", fd);
	}
	return reexec_from_copy(argv, err);
}

static const char *host_get_env(const char *name)
{
	return getenv(name);
}

/* What the environment takes, with its list of pointers in front. */
static size_t environment_size(size_t *count)
{
	size_t size = sizeof(char *);

	for (*count = 0; environ[*count] != NULL; ++*count)
		size += sizeof(char *) + strlen(environ[*count]) + 1;
	return size;
}

/*
 * Another backend may have to be prepared when this one is refused, and needs the environment then. It
 * waits in pages that are not copied to any child, behind the size of the whole; environ points to it.
 */
static int hide_environment(struct err *err)
{
	size_t count, size;
	char **hidden, *text;

	if (environ == NULL || environ[0] == NULL)
		return 0;
	size = sizeof(size_t) + environment_size(&count);
	hidden = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hidden == MAP_FAILED || madvise(hidden, size, MADV_DONTFORK) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot set the caller's environment aside");
	memcpy(hidden, &size, sizeof(size));
	hidden++;
	text = (char *)(hidden + count + 1);
	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(environ[i]) + 1;

		hidden[i] = memcpy(text, environ[i], length);
		text += length;
		explicit_bzero(environ[i], length - 1);
	}
	hidden[count] = NULL;
	environ = hidden;
	return 0;
}

/*
 * The kernel shows the memory in which exec left the strings (/proc/PID/cmdline and
 * environ), so that memory is overwritten. A title that does not fit is cut.
 */
static int host_forget(int argc, char **argv, const char *title, struct err *err)
{
	char *start = argc > 0 ? argv[0] : NULL;
	char *end = start;
	size_t room;

	for (int i = 0; i < argc; i++) {
		size_t size = strlen(argv[i]) + 1;

		end = argv[i] + size;
		explicit_bzero(argv[i], size);
	}
	if (argc > 0 && hide_environment(err) < 0)
		return -1;
	room = (size_t)(end - start);
	if (room > 1) {
		size_t length = strlen(title);

		memcpy(start, title, length < room ? length : room - 1);
	}
	return 0;
}

static void host_forget_environment(void)
{
	size_t size;
	char **hidden = environ;

	environ = NULL;
	if (hidden == NULL || hidden[0] == NULL)
		return;
	memcpy(&size, --hidden, sizeof(size));
	munmap(hidden, size);
}

static int host_sweep(const char *scratch_parent, size_t *removed, struct err *err)
{
	struct str shown = STR_INIT;
	int count, error;

	if (scratch_parent == NULL) {
		*removed = cgroup_sweep();
		return 0;
	}
	count = disk_scratch_sweep(scratch_parent);
	error = errno;
	if (count >= 0) {
		*removed = (size_t)count;
		return 0;
	}
	str_add_printable(&shown, scratch_parent, 300);
	err_sys(err, ERR_SETUP, error, "--scratch-dir %s", str_text(&shown));
	str_free(&shown);
	return -1;
}

static bool host_is_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

static char *host_make_id(void)
{
	unsigned char bytes[8];
	struct str id = STR_INIT;

	/* Not a secret: where the kernel has no random bytes yet, time and pid tell runs apart. */
	if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t)sizeof(bytes)) {
		uint64_t stamp = supervise_clock() ^ (uint64_t)getpid() << 40;

		memcpy(bytes, &stamp, sizeof(bytes));
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		str_addf(&id, "%02x", bytes[i]);
	return str_take(&id);
}

static char *host_platform(void)
{
	struct utsname name;

	if (uname(&name) < 0)
		return xstrdup("linux");
	return xasprintf("linux %s %s", name.release, name.machine);
}

const struct host host = {
	.backends = linux_backends,
	.defaults = defaults_linux,
	.idle_command = "true",
	.leftover = "control group",
	.bwrap = &backend_bwrap,
	.enter = host_enter,
	.read_input = input_read,
	.parse_path = value_parse_dest,
	.find_capability = caps_find,
	.get_env = host_get_env,
	.forget = host_forget,
	.forget_environment = host_forget_environment,
	.report_open = sink_open,
	.report_write = sink_write,
	.report_close = sink_close,
	.sweep = host_sweep,
	.is_terminal = host_is_terminal,
	.make_id = host_make_id,
	.platform = host_platform,
};
