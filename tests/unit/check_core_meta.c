/*
 * Tests of core/meta.c: reports and the exact text of their key:value files.
 */
#include "core/meta.h"

#include <string.h>

#include "unit/unit.h"

struct example {
	const char *name;
	enum end_reason reason;
	int code;		/* -1: did not exit */
	int signal;
	const char *message;
	const char *text;
};

static const struct example examples[] = {
	{ "a run that ended well has no status", END_EXITED, 0, 0, NULL,
	  "exitcode:0\n" },
	{ "an exit status", END_EXITED, 3, 0, NULL,
	  "exitcode:3\nstatus:RE\nmessage:Exited with status 3\n" },
	{ "a signal", END_SIGNALED, -1, 11, NULL,
	  "exitsig:11\nstatus:SG\nmessage:Ended by signal 11\n" },
	{ "the command's own SIGKILL is not nsbox's", END_SIGNALED, -1, 9, NULL,
	  "exitsig:9\nstatus:SG\nmessage:Ended by signal 9\n" },
	{ "elapsed time", END_WALL_LIMIT, -1, 9, NULL,
	  "killed:1\nstatus:TO\nmessage:Time limit exceeded (wall clock)\n" },
	{ "CPU time", END_CPU_LIMIT, -1, 9, NULL,
	  "killed:1\nstatus:TO\nmessage:Time limit exceeded\n" },
	{ "a time limit stays one where the command still exits", END_CPU_LIMIT, 0, 0, NULL,
	  "killed:1\nstatus:TO\nmessage:Time limit exceeded\n" },
	{ "memory", END_MEMORY_LIMIT, -1, 9, NULL,
	  "exitsig:9\nkilled:1\nstatus:SG\nmessage:Memory limit exceeded\n" },
	{ "memory, the signal not known", END_MEMORY_LIMIT, -1, 0, NULL,
	  "exitsig:9\nkilled:1\nstatus:SG\nmessage:Memory limit exceeded\n" },
	{ "memory, of a child", END_MEMORY_LIMIT, 0, 0, NULL,
	  "exitcode:0\nkilled:1\nstatus:RE\nmessage:Memory limit exceeded\n" },
	{ "output", END_OUTPUT_LIMIT, -1, 9, NULL,
	  "exitsig:9\nkilled:1\nstatus:SG\nmessage:Output limit exceeded\n" },
	{ "cancelled", END_CANCELLED, -1, 15, NULL,
	  "exitsig:15\nkilled:1\nstatus:SG\nmessage:Interrupted\n" },
	{ "cancelled is no success", END_CANCELLED, 0, 0, NULL,
	  "exitcode:0\nkilled:1\nstatus:RE\nmessage:Interrupted\n" },
	{ "set-up", END_SETUP_FAILED, -1, 0, "--ro /x: ENOENT: No such file or directory",
	  "status:XX\nmessage:--ro /x: ENOENT: No such file or directory\n" },
	{ "refused", END_REFUSED, -1, 0, "cgroup: no",
	  "status:XX\nmessage:cgroup: no\n" },
	{ "exec", END_EXEC_FAILED, -1, 0, "/no: ENOENT",
	  "status:XX\nmessage:/no: ENOENT\n" },
	{ "lost", END_LAUNCHER_LOST, -1, 0, "lost",
	  "status:XX\nmessage:lost\n" },
	{ "lost, and what had ended before does not count", END_LAUNCHER_LOST, 0, 0, "lost",
	  "status:XX\nmessage:lost\n" },
	{ "no message", END_SETUP_FAILED, -1, 0, NULL,
	  "status:XX\nmessage:Failed\n" },
	{ "a message is one line", END_SETUP_FAILED, -1, 0, "a\nexitcode:0\n\x1b[1m",
	  "status:XX\nmessage:a\\x0aexitcode:0\\x0a\\x1b[1m\n" },
	{ "not ended", END_NONE, -1, 0, NULL,
	  "status:XX\nmessage:Failed\n" },
};

static void begin_report(struct report *report)
{
	struct spec spec;

	spec_init(&spec);
	report_init(report, &spec);
	spec_free(&spec);
}

static void expect_text(const struct report *report, const char *name, const char *wanted)
{
	struct str text = STR_INIT;

	meta_text(report, &text);
	ck_assert_msg(strcmp(str_text(&text), wanted) == 0, "%s:\n%s", name, str_text(&text));
	str_free(&text);
}

START_TEST(each_end_has_its_lines)
{
	for (size_t i = 0; i < UNIT_COUNT(examples); i++) {
		struct report report;

		begin_report(&report);
		report.end.reason = examples[i].reason;
		report.end.code = examples[i].code;
		report.end.signal = examples[i].signal;
		report.end.message = examples[i].message ? xstrdup(examples[i].message) : NULL;
		expect_text(&report, examples[i].name, examples[i].text);
		report_free(&report);
	}
}
END_TEST

static void set(struct figure *figure, uint64_t value)
{
	figure->known = true;
	figure->value = value;
}

START_TEST(figures_have_isolates_units)
{
	struct report report;

	begin_report(&report);
	report.end.reason = END_EXITED;
	report.end.code = 0;
	set(&report.usage.cpu_ms, 1007);
	set(&report.usage.wall_ms, 61050);
	set(&report.usage.peak_bytes, (3 << 20) + 1023);
	set(&report.usage.voluntary_switches, 12);
	set(&report.usage.involuntary_switches, 0);
	expect_text(&report, "figures", "time:1.007\ntime-wall:61.050\nmax-rss:3072\n"
	    "csw-voluntary:12\ncsw-forced:0\nexitcode:0\n");
	set(&report.usage.cpu_ms, 0);
	report.usage.wall_ms.known = false;
	report.usage.peak_bytes.known = false;
	report.usage.voluntary_switches.known = false;
	report.usage.involuntary_switches.known = false;
	expect_text(&report, "what is not known has no line", "time:0.000\nexitcode:0\n");
	set(&report.usage.cpu_ms, UINT64_MAX);
	expect_text(&report, "large", "time:18446744073709551.615\nexitcode:0\n");
	report_free(&report);
}
END_TEST

START_TEST(a_control_group_has_lines_of_its_own)
{
	struct layer *mem, *cgroup;
	struct report report;

	begin_report(&report);
	mem = &report.layers[CONTROL_MEM];
	cgroup = &report.layers[CONTROL_CGROUP];
	set(&report.usage.peak_bytes, 64 << 20);
	report.end.reason = END_MEMORY_LIMIT;
	report.end.signal = 9;
	cgroup->state = LAYER_APPLIED;
	mem->by = "cgroup2";
	expect_text(&report, "bounded by the group", "max-rss:65536\ncg-mem:65536\ncg-oom-killed:1\n"
	    "exitsig:9\nkilled:1\nstatus:SG\nmessage:Memory limit exceeded\n");
	report.end.reason = END_SIGNALED;
	expect_text(&report, "a SIGKILL that was not for memory", "max-rss:65536\ncg-mem:65536\n"
	    "exitsig:9\nstatus:SG\nmessage:Ended by signal 9\n");
	mem->by = "poll";
	report.end.reason = END_MEMORY_LIMIT;
	expect_text(&report, "a group without memory", "max-rss:65536\n"
	    "exitsig:9\nkilled:1\nstatus:SG\nmessage:Memory limit exceeded\n");
	mem->by = "cgroup2";
	cgroup->state = LAYER_SKIPPED;
	expect_text(&report, "no group", "max-rss:65536\n"
	    "exitsig:9\nkilled:1\nstatus:SG\nmessage:Memory limit exceeded\n");
	report_free(&report);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		each_end_has_its_lines,
		figures_have_isolates_units,
		a_control_group_has_lines_of_its_own,
	};

	return unit_run("core/meta", tests, UNIT_COUNT(tests));
}
