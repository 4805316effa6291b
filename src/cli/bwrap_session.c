/*
 * A run by bubblewrap's command line. What it prints, and its exit status 1 for whatever
 * fails before COMMAND runs, are part of that command line.
 */
#include "cli/bwrap_session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/bwrap.h"
#include "core/backend.h"
#include "core/host.h"
#include "core/report.h"

enum { BWRAP_FAILED = 1 };

bool bwrap_is_meant(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "";
	const char *slash = strrchr(name, '/');
	const char *variable = host.get_env("NSBOX_BWRAP");

	return strcmp(slash ? slash + 1 : name, "bwrap") == 0 || (variable && strcmp(variable, "1") == 0) ||
	    (argc > 1 && strcmp(argv[1], "--bwrap") == 0);
}

static void print_line(const char *prefix, const char *text)
{
	struct str line = STR_INIT;

	str_add(&line, prefix);
	str_add_printable(&line, text, 0);
	str_add_char(&line, '\n');
	/* Where standard error cannot be written to, there is nobody left to tell. */
	(void)fwrite(line.data, 1, line.length, stderr);
	str_free(&line);
}

static int print_out(const char *text)
{
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) {
		print_line("bwrap: standard output: ", strerror(errno));
		return BWRAP_FAILED;
	}
	return 0;
}

static int fail(const struct bwrap_command *command, const struct err *err)
{
	print_line(command->has_level_prefix ? "<3>bwrap: " : "bwrap: ", err->message ? err->message : "failed");
	return BWRAP_FAILED;
}

static int show_help(const char *name, bool is_error)
{
	struct str text = STR_INIT;
	int status = BWRAP_FAILED;

	bwrap_help(name, &text);
	if (is_error)
		(void)fputs(str_text(&text), stderr);
	else
		status = print_out(str_text(&text));
	str_free(&text);
	return status;
}

static int run(const struct bwrap_command *command, struct err *err)
{
	struct report report;
	int status;

	if (!host.bwrap) {
		err_set(err, ERR_REFUSED, "this system cannot do what bubblewrap's command line asks for");
		return fail(command, err);
	}
	report_init(&report, &command->spec);
	if (backend_run(host.bwrap, &command->spec, &report, NULL, err) < 0)
		status = fail(command, err);
	else
		status = report_exit_status(&report);
	report_free(&report);
	return status;
}

static int obey(const char *name, const struct bwrap_command *command, struct err *err)
{
	switch (command->verb) {
	case BWRAP_RUN:
		return run(command, err);
	case BWRAP_VERSION_VERB:
		return print_out("bubblewrap " BWRAP_VERSION "\n");
	case BWRAP_KERNEL:
		/* Older ones are found out about as they are met. */
		return print_out("0.0.0\n");
	case BWRAP_USAGE:
		return show_help(name, true);
	case BWRAP_HELP:
	default:
		return show_help(name, false);
	}
}

int bwrap_session(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "bwrap";
	struct bwrap_command command;
	struct err err = ERR_INIT;
	int result, status;

	if (argc > 1 && strcmp(argv[1], "--bwrap") == 0) {
		argv++;
		argc--;
	}
	result = bwrap_parse(argc, argv, &command, &err);
	for (size_t i = 0; i < command.warnings.count; i++)
		print_line("", command.warnings.items[i]);
	status = result < 0 ? fail(&command, &err) : obey(name, &command, &err);
	bwrap_free(&command);
	err_clear(&err);
	return status;
}
