/*
 * What --info-fd and --json-status-fd get, byte for byte as bubblewrap writes it: clients
 * read it line by line, or look for the exact words.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include <unistd.h>

#include "linux/procfs.h"

static const struct {
	uint64_t flag;
	const char *name, *file;
} namespaces[] = {
	{ CLONE_NEWCGROUP, "cgroup-namespace", "ns/cgroup" },
	{ CLONE_NEWIPC, "ipc-namespace", "ns/ipc" },
	{ CLONE_NEWNS, "mnt-namespace", "ns/mnt" },
	{ CLONE_NEWNET, "net-namespace", "ns/net" },
	{ CLONE_NEWPID, "pid-namespace", "ns/pid" },
	{ CLONE_NEWUTS, "uts-namespace", "ns/uts" },
};

/* The members, with `gap` before each of them but the first. */
static void add_members(const struct run *run, const char *gap, struct str *text)
{
	int dir = procfs_open_process(run->proc, (int)run->process.pid);

	str_addf(text, "\"child-pid\": %d", (int)run->process.pid);
	for (size_t i = 0; i < sizeof(namespaces) / sizeof(namespaces[0]); i++) {
		if (run->namespaces & namespaces[i].flag)
			str_addf(text, ",%s\"%s\": %" PRIu64, gap, namespaces[i].name,
			    procfs_namespace(dir, namespaces[i].file));
	}
	if (dir >= 0)
		close(dir);
}

static int write_all(int fd, const struct str *text)
{
	for (size_t done = 0; done < text->length;) {
		ssize_t put = write(fd, text->data + done, text->length - done);

		if (put < 0 && errno != EINTR)
			return -1;
		done += put < 0 ? 0 : (size_t)put;
	}
	return 0;
}

static int write_info(const struct run *run, int fd, struct err *err)
{
	struct str text = STR_INIT;
	int result;

	str_add(&text, "{\n    ");
	add_members(run, "\n    ", &text);
	str_add(&text, "\n}\n");
	result = write_all(fd, &text);
	if (result < 0)
		bwrap_message(err, errno, "Write to info_fd");
	close(fd);
	str_free(&text);
	return result;
}

int bwrap_status_start(const struct run *run, struct err *err)
{
	int info = run->bwrap->fds[SPEC_FD_INFO], status = run->bwrap->fds[SPEC_FD_STATUS];
	struct str text = STR_INIT;
	int result = 0;

	if (info >= 0 && write_info(run, info, err) < 0)
		return -1;
	if (status < 0)
		return 0;
	str_add(&text, "{ ");
	add_members(run, " ", &text);
	str_add(&text, " }\n");
	if (write_all(status, &text) < 0)
		result = bwrap_message(err, errno, "Write to json_status_fd");
	str_free(&text);
	return result;
}

void bwrap_status_end(const struct run *run, int status)
{
	int fd = run->bwrap->fds[SPEC_FD_STATUS];
	struct str text = STR_INIT;

	if (fd < 0 || !run->has_executed)
		return;
	str_addf(&text, "{ \"exit-code\": %d }\n", status);
	/* Whoever does not read it any more does not want to know. */
	(void)write_all(fd, &text);
	str_free(&text);
}

void bwrap_status_failure(const struct run *run, const struct err *err)
{
	int fd = run->bwrap->fds[SPEC_FD_STATUS];
	struct str text = STR_INIT;

	if (fd < 0)
		return;
	str_addf(&text, "{ \"errno\": %d, \"error\": \"", err->sys);
	for (const char *at = err->message ? err->message : "";
	    *at != '\0';) {
		size_t length = str_utf8_length(at, strlen(at));

		if (length == 0 || str_is_control(at, length)) {
			str_add_char(&text, '?');
		} else {
			if (*at == '"' || *at == '\\')
				str_add_char(&text, '\\');
			str_add_bytes(&text, at, length);
		}
		at += length > 0 ? length : 1;
	}
	str_add(&text, "\" }\n");
	(void)write_all(fd, &text);
	str_free(&text);
}
