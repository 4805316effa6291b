/*
 * Runs of the Windows backend (win_trial.h).
 */
#include "win/win_trial.h"

#include <stdlib.h>
#include <string.h>

#include "core/defaults.h"
#include "win/backend_win.h"

static const enum control of_container[] = {
	CONTROL_APPCONTAINER, CONTROL_CAPABILITIES, CONTROL_FILESYSTEM, CONTROL_NETWORK, CONTROL_READ_ONLY,
};

void win_trial_init(struct trial *trial)
{
	trial_init(trial, defaults_windows);
}

void win_trial_show(struct spec *spec, const char *option, const char *path)
{
	struct spec_fs *fs = spec_add_fs(spec, SPEC_FS_BIND, option);

	fs->source = xstrdup(path);
	fs->dest = xstrdup(path);
	fs->same_place = true;
	fs->read_only = strcmp(option, "--ro") == 0;
}

void win_trial_command(struct spec *spec, const char *command, const char *argument)
{
	spec_add_word(spec, command);
	if (!argument)
		return;
	spec_add_word(spec, "/c");
	spec_add_word(spec, argument);
}

static void add_limits(struct spec_limits *limits)
{
	limits->wall_ns = UINT64_C(60000000000);
	limits->cpu_ns = UINT64_C(60000000000);
	limits->mem_bytes = 1 << 20;
	limits->pids = 7;
	limits->cpus_milli = 1500;
	limits->output_bytes = 1000;
	limits->output_each_bytes = 900;
}

static void complete(struct spec *spec, int what, int code)
{
	char *argument = xasprintf("exit %d", code);

	if (what & WIN_READ_ONLY)
		win_trial_show(spec, "--ro", "C:\\tools");
	if (what & WIN_WRITABLE)
		win_trial_show(spec, "--rw", "C:\\data");
	if (what & WIN_NESTED) {
		win_trial_show(spec, "--ro", "C:\\tools");
		win_trial_show(spec, "--ro", "C:\\tools\\sub");
		win_trial_show(spec, "--rw", "C:\\tools\\out");
		win_trial_show(spec, "--ro", "C:\\tools");
	}
	if (what & WIN_OPEN)
		win_trial_show(spec, "--ro", "C:\\open");
	if (what & WIN_LIMITS)
		add_limits(&spec->limits);
	spec->policy[CONTROL_LPAC].required = (what & WIN_LPAC) != 0;
	spec->policy[CONTROL_MITIGATIONS].required = (what & WIN_MITIGATIONS) != 0;
	for (size_t i = 0; i < sizeof(of_container) / sizeof(of_container[0]); i++)
		spec->policy[of_container[i]].may_miss = (what & WIN_DEGRADED) != 0;
	win_trial_command(spec, "cmd", argument);
	free(argument);
}

void win_trial_run(struct trial *trial, int what, int code)
{
	win_trial_init(trial);
	complete(&trial->spec, what, code);
	trial_run(trial, &backend_win);
}
