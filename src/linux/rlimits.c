/*
 * Names of resource limits (rlimits.h).
 */
#include "linux/rlimits.h"

#include <string.h>

#include <sys/resource.h>

#include "core/str.h"

struct row {
	const char *name;
	int resource;
};

static const struct row rows[] = {
	{ "as", RLIMIT_AS }, { "core", RLIMIT_CORE }, { "cpu", RLIMIT_CPU }, { "data", RLIMIT_DATA },
	{ "fsize", RLIMIT_FSIZE }, { "locks", RLIMIT_LOCKS }, { "memlock", RLIMIT_MEMLOCK },
	{ "msgqueue", RLIMIT_MSGQUEUE }, { "nice", RLIMIT_NICE }, { "nofile", RLIMIT_NOFILE },
	{ "nproc", RLIMIT_NPROC }, { "rss", RLIMIT_RSS }, { "rtprio", RLIMIT_RTPRIO },
	{ "rttime", RLIMIT_RTTIME }, { "sigpending", RLIMIT_SIGPENDING }, { "stack", RLIMIT_STACK },
};

int rlimits_find(const char *name, int *resource, struct err *err)
{
	struct str text = STR_INIT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) == 0) {
			*resource = rows[i].resource;
			return 0;
		}
	}
	str_add_printable(&text, name, 100);
	str_add(&text, ": no resource limit of this name; there are");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		str_addf(&text, " %s", rows[i].name);
	err_set(err, ERR_USAGE, "--rlimit %s", str_text(&text));
	str_free(&text);
	return -1;
}

/* What init has where this was asked for. */
static uint64_t held(int resource, uint64_t asked)
{
	return resource == RLIMIT_NPROC && asked < RLIMITS_NPROC_LEAST ? RLIMITS_NPROC_LEAST : asked;
}

void rlimits_confirm(struct report *report, const struct spec *spec, const int *resources, pid_t pid)
{
	struct rlimit found;

	if (spec->rlimit_count > 0)
		report_expect(report, CONTROL_RLIMIT, spec->rlimit_count);
	for (size_t i = 0; i < spec->rlimit_count; i++) {
		const struct spec_rlimit *asked = &spec->rlimits[i];

		/* RLIM_INFINITY is all ones, as UINT64_MAX. */
		if (prlimit(pid, (__rlimit_resource_t)resources[i], NULL, &found) == 0 &&
		    (uint64_t)found.rlim_cur == held(resources[i], asked->soft) &&
		    (uint64_t)found.rlim_max == held(resources[i], asked->hard))
			report_confirm(report, CONTROL_RLIMIT, "rlimit", i, "prlimit: %s is as asked",
			    asked->name);
	}
}
