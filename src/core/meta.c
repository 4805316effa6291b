/*
 * The key:value file (meta.h).
 *
 * Keys, units and the two-letter codes are isolate's. What isolate counts of one process,
 * nsbox counts of all of them together. Where nsbox knows more than the codes can say, the
 * message says it; programs that need it should read the report.
 */
#include "core/meta.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	SIGNAL_KILL = 9,
	SIGNAL_TERM = 15
};

/* How each end looks to a judge. */
static const struct {
	const char *status;	/* NULL: what the command's own end says */
	bool killed;		/* nsbox ended it */
	int signal;		/* that nsbox sent, where no other is known */
	const char *message;	/* NULL: the report's */
} ends[] = {
	[END_NONE] = { "XX", false, 0, NULL },
	[END_EXITED] = { NULL, false, 0, NULL },
	[END_SIGNALED] = { NULL, false, 0, NULL },
	[END_EXEC_FAILED] = { "XX", false, 0, NULL },
	[END_SETUP_FAILED] = { "XX", false, 0, NULL },
	[END_REFUSED] = { "XX", false, 0, NULL },
	/* Parsers tell the two times apart by the word "wall". */
	[END_WALL_LIMIT] = { "TO", true, 0, "Time limit exceeded (wall clock)" },
	[END_CPU_LIMIT] = { "TO", true, 0, "Time limit exceeded" },
	[END_MEMORY_LIMIT] = { NULL, true, SIGNAL_KILL, "Memory limit exceeded" },
	[END_OUTPUT_LIMIT] = { NULL, true, SIGNAL_KILL, "Output limit exceeded" },
	[END_CANCELLED] = { NULL, true, SIGNAL_TERM, "Interrupted" },
	[END_LAUNCHER_LOST] = { "XX", false, 0, NULL },
};

static void add_seconds(struct str *text, const char *key, const struct figure *ms)
{
	if (ms->known)
		str_addf(text, "%s:%" PRIu64 ".%03u\n", key, ms->value / 1000,
		    (unsigned)(ms->value % 1000));
}

static void add_number(struct str *text, const char *key, const struct figure *figure,
    uint64_t unit)
{
	if (figure->known)
		str_addf(text, "%s:%" PRIu64 "\n", key, figure->value / unit);
}

/* Whether it was the control group that counted and bounded the memory. */
static bool has_cgroup_memory(const struct report *report)
{
	const struct layer *mem = &report->layers[CONTROL_MEM];

	if (report->layers[CONTROL_CGROUP].state != LAYER_APPLIED)
		return false;
	return !mem->by || str_has_prefix(mem->by, "cgroup");
}

static void add_usage(const struct report *report, struct str *text)
{
	add_seconds(text, "time", &report->usage.cpu_ms);
	add_seconds(text, "time-wall", &report->usage.wall_ms);
	add_number(text, "max-rss", &report->usage.peak_bytes, 1024);
	add_number(text, "csw-voluntary", &report->usage.voluntary_switches, 1);
	add_number(text, "csw-forced", &report->usage.involuntary_switches, 1);
	if (!has_cgroup_memory(report))
		return;
	add_number(text, "cg-mem", &report->usage.peak_bytes, 1024);
	if (report->end.reason == END_MEMORY_LIMIT)
		str_add(text, "cg-oom-killed:1\n");
}

static void add_message(struct str *text, const char *status, const char *message)
{
	str_addf(text, "status:%s\nmessage:", status);
	str_add_printable(text, message ? message : "Failed", 0);
	str_add_char(text, '\n');
}

/* The command ended by itself or was made to: its exit status or signal, and what to call it. */
static void add_own_end(const struct report *report, struct str *text)
{
	const char *message = ends[report->end.reason].message;
	int signal = report->end.signal > 0 ? report->end.signal : ends[report->end.reason].signal;
	bool has_exited = report->end.code >= 0;
	char *own;

	if (has_exited)
		str_addf(text, "exitcode:%" PRId64 "\n", report->end.code);
	else
		str_addf(text, "exitsig:%d\n", signal);
	if (ends[report->end.reason].killed)
		str_add(text, "killed:1\n");
	if (has_exited && report->end.code == 0 && !message)
		return;
	own = has_exited ? xasprintf("Exited with status %" PRId64, report->end.code) :
	    xasprintf("Ended by signal %d", signal);
	add_message(text, has_exited ? "RE" : "SG", message ? message : own);
	free(own);
}

void meta_text(const struct report *report, struct str *text)
{
	const char *status = ends[report->end.reason].status;
	const char *message = ends[report->end.reason].message;

	add_usage(report, text);
	if (!status) {
		add_own_end(report, text);
		return;
	}
	if (ends[report->end.reason].killed)
		str_add(text, "killed:1\n");
	add_message(text, status, message ? message : report->end.message);
}
