/*
 * The fake backend. Its one file-scope variable says how it behaves: the
 * functions of a backend have no place to be told so.
 */
#include "contract/fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/value.h"

struct run {
	const struct spec *spec;
};

static struct fake *current;

void fake_use(struct fake *fake)
{
	current = fake;
}

static int fail(enum fake_step step, enum err_kind kind, struct err *err)
{
	static const char *const names[] = { "prepare", "start", "release", "wait", "teardown" };

	if (!current->fails[step])
		return 0;
	if (!current->silent)
		err_sys(err, kind, EIO, "fake %s", names[step]);
	return -1;
}

static int fake_probe(struct probe *probe, struct err *err)
{
	size_t i;

	if (current->probe_fails)
		return err_set(err, ERR_SETUP, "the fake probe failed");
	for (i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].can = true;
	if (!current->unprobed)
		return 0;
	probe->controls[current->control].can = false;
	if (current->unexplained)
		return 0;
	probe->controls[current->control].sys = EPERM;
	probe->controls[current->control].reason = "the fake has it not";
	probe->controls[current->control].remedy = "take a real one";
	return 0;
}

static int fake_prepare(const struct spec *spec, struct run **run, struct err *err)
{
	if (fail(FAKE_PREPARE, ERR_SETUP, err) != 0)
		return -1;
	*run = xcalloc(1, sizeof(**run));
	(*run)->spec = spec;
	current->live++;
	current->prepared++;
	return 0;
}

static void confirm(struct report *report, enum control control)
{
	bool meant = control == current->control;

	if (meant && current->refuses)
		report_missing(report, control, EPERM, "take a real one", "the fake has it not");
	else if (meant && current->lies)
		report->layers[control].state = LAYER_APPLIED;
	else if (!meant || !(current->withholds || current->unprobed))
		report_confirm(report, control, "fake", 0, "the fake says so");
}

static int fake_start(struct run *run, struct report *report, struct err *err)
{
	size_t i;

	(void)run;
	for (i = 0; i < CONTROL_COUNT; i++)
		confirm(report, (enum control)i);
	if (current->ends_early)
		report->end.reason = END_CANCELLED;
	return fail(FAKE_START, ERR_SETUP, err);
}

static bool is_command(const struct run *run, const char *name)
{
	return strcmp(run->spec->command[0], name) == 0;
}

static int fake_release(struct run *run, struct report *report, struct err *err)
{
	(void)report;
	if (fail(FAKE_RELEASE, ERR_SETUP, err) != 0)
		return -1;
	if (is_command(run, "missing"))
		return err_sys(err, ERR_NOT_FOUND, ENOENT, "missing");
	if (is_command(run, "junk"))
		return err_sys(err, ERR_NOT_EXECUTABLE, ENOEXEC, "junk");
	return 0;
}

static int fake_wait(struct run *run, struct report *report, struct err *err)
{
	uint64_t status = 0;

	if (current->fails[FAKE_WAIT] && !current->late_end)
		return fail(FAKE_WAIT, ERR_SETUP, err);
	if (current->endless)
		return 0;
	if (is_command(run, "kill")) {
		report->end.reason = END_SIGNALED;
		report->end.signal = 9;
		return fail(FAKE_WAIT, ERR_SETUP, err);
	}
	if (value_parse_number("fake", run->spec->command[1], 0, 255, &status, err) != 0)
		return -1;
	report->end.reason = END_EXITED;
	report->end.code = (int)status + current->confuses_status;
	return fail(FAKE_WAIT, ERR_SETUP, err);
}

static int fake_teardown(struct run *run, struct report *report, struct err *err)
{
	current->live--;
	free(run);
	report->teardown.by = "fake";
	report->teardown.survivors_killed = (struct figure){ true, 0 };
	report->teardown.confirmed = !current->leaves_survivor;
	return fail(FAKE_TEARDOWN, ERR_SETUP, err);
}

const struct backend fake_backend = {
	.name = "fake",
	.probe = fake_probe,
	.prepare = fake_prepare,
	.start = fake_start,
	.release = fake_release,
	.wait = fake_wait,
	.teardown = fake_teardown,
};
