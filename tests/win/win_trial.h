/*
 * One run of the Windows backend on the fake, as the tests of it make them.
 */
#ifndef NSBOX_TESTS_WIN_WIN_TRIAL_H
#define NSBOX_TESTS_WIN_WIN_TRIAL_H

#include "contract/trial.h"
#include "win/fake_win.h"

/* How a command line is asked for: bits of what it has. */
enum {
	WIN_READ_ONLY = 1,	/* --ro C:\tools */
	WIN_WRITABLE = 2,	/* --rw C:\data */
	WIN_LIMITS = 4,		/* a limit of every kind, none of which is reached */
	WIN_LPAC = 8,		/* --require lpac */
	WIN_DEGRADED = 16,	/* --allow-missing of all that needs a container */
	WIN_OPEN = 32,		/* --ro C:\open, which every container may read */
	WIN_MITIGATIONS = 64,	/* --require mitigations */
	WIN_NESTED = 128,	/* --ro C:\tools --ro C:\tools\sub --rw C:\tools\out, and one of them twice */
	WIN_ALL = WIN_NESTED | WIN_READ_ONLY | WIN_WRITABLE | WIN_LIMITS | WIN_LPAC | WIN_OPEN | WIN_MITIGATIONS
};

/* Runs `cmd /c exit CODE` on the machine as it is. The trial is to be freed. */
void win_trial_run(struct trial *trial, int what, int code);

/* An empty spec with Windows' defaults and no command. */
void win_trial_init(struct trial *trial);
void win_trial_show(struct spec *spec, const char *option, const char *path);
void win_trial_command(struct spec *spec, const char *command, const char *argument);

#endif
