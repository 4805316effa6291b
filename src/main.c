/*
 * nsbox: parses the command line, runs the steps from the spec to the report,
 * and turns the end into an exit status. Errors become text here and nowhere
 * else. A command line that cannot be parsed leaves no report; everything
 * after that does, where one was asked for.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/bwrap_session.h"
#include "cli/help.h"
#include "cli/native.h"
#include "core/backend.h"
#include "core/host.h"
#include "core/meta.h"
#include "core/report.h"
#include "core/spec.h"
#include "core/str.h"

enum { CHECKED_MAX = 8 };	/* backends of one system */

/* One run: what is needed from the parsed command line to the written report. */
struct session {
	int argc;
	char **argv;
	struct spec *spec;
	struct report report;
	struct report_sink *sink;	/* NULL: no report was asked for */
	struct report_sink *meta;	/* the key:value file, likewise */
};

static void print_line(const char *message)
{
	struct str line = STR_INIT;

	str_add(&line, "nsbox: ");
	str_add_printable(&line, message, 0);
	str_add_char(&line, '\n');
	/* Where standard error cannot be written to, there is nobody left to tell. */
	(void)fwrite(line.data, 1, line.length, stderr);
	str_free(&line);
}

static void print_error(const struct err *err)
{
	print_line(err->message ? err->message : "failed");
}

/* Writes all of `text` to standard output, and sees that it got there. */
static int print_text(const char *text, struct err *err)
{
	errno = 0;
	if (fputs(text, stdout) == EOF || fflush(stdout) == EOF || ferror(stdout))
		return err_sys(err, ERR_SETUP, errno, "standard output");
	return 0;
}

static int print_help(struct err *err)
{
	struct str text = STR_INIT;
	size_t count;
	const struct opt *rows = native_options(&count);
	int result;

	help_text(rows, count, &text);
	result = print_text(str_text(&text), err);
	str_free(&text);
	return result;
}

static int print_spec(struct spec *spec, struct err *err)
{
	struct str text = STR_INIT;
	int result;

	if (spec_check(spec, err) < 0)
		return -1;
	spec_dump(spec, &text);
	result = print_text(str_text(&text), err);
	str_free(&text);
	return result;
}

static int collect_garbage(const struct spec *spec, struct err *err)
{
	size_t folders = 0, others = 0;
	char *line;
	int result;

	if (spec->scratch_dir && host.sweep(spec->scratch_dir, &folders, err) < 0)
		return -1;
	if (host.sweep(NULL, &others, err) < 0)
		return -1;
	line = xasprintf("removed %zu scratch folder%s, %zu %s%s\n", folders,
	    folders == 1 ? "" : "s", others, host.leftover, others == 1 ? "" : "s");
	result = print_text(line, err);
	free(line);
	return result;
}

/* A descriptor gets a line for each event, a file the whole report. */
static bool reports_events(const struct session *session)
{
	return session->sink && str_has_prefix(session->spec->report, "fd:");
}

static int write_report(struct session *session, const char *event, bool last, struct err *err)
{
	struct str text = STR_INIT;
	int result;

	report_json(&session->report, event, &text);
	result = host.report_write(session->sink, str_text(&text), text.length, last, err);
	str_free(&text);
	return result;
}

static int write_meta(struct session *session, struct err *err)
{
	struct str text = STR_INIT;
	int result;

	meta_text(&session->report, &text);
	result = host.report_write(session->meta, str_text(&text), text.length, true, err);
	str_free(&text);
	return result;
}

/* Nothing of the arguments is needed once the run is prepared. */
static int forget_caller(void *context, struct err *err)
{
	struct session *session = context;
	const char *command = session->spec->command[0];
	const char *slash = strrchr(command, '/');
	char *title = xasprintf("nsbox: %s", slash ? slash + 1 : command);
	int result;

	result = host.forget(session->argc, session->argv, title, err);
	free(title);
	session->argc = 0;
	session->argv = NULL;
	return result;
}

static int write_applied(void *context, struct report *report, struct err *err)
{
	struct session *session = context;
	const struct spec *spec = session->spec;

	/* No other backend has to be prepared any more. */
	host.forget_environment();
	if (report->weakness && !spec->report && !spec->quiet)
		print_line(report->weakness);
	if (!reports_events(session))
		return 0;
	return write_report(session, "applied", false, err);
}

static int run_sandbox(struct session *session, struct err *err)
{
	const struct backend_hooks hooks = {
		.context = session,
		.prepared = forget_caller,
		.applied = write_applied,
	};

	return backend_run_best(host.backends, session->spec, &session->report, &hooks, err);
}

static void begin_report(struct session *session)
{
	const struct spec *spec = session->spec;

	report_init(&session->report, spec);
	free(session->report.platform);
	session->report.platform = host.platform();
	free(session->report.request_id);
	session->report.request_id = spec->id ? xstrdup(spec->id) : host.make_id();
}

/* Opens all that were asked for, so that those that can be written say why another cannot. */
static int open_sinks(struct session *session, struct err *err)
{
	const struct spec *spec = session->spec;
	struct err meta_err = ERR_INIT;
	int result = 0;

	if (spec->report)
		result = host.report_open("--report", spec->report, &session->sink, err);
	if (spec->meta && host.report_open("--meta", spec->meta, &session->meta, &meta_err) < 0) {
		if (result == 0)
			err_move(err, &meta_err);
		result = -1;
	}
	err_clear(&meta_err);
	return result;
}

/* Writes what is to be written at the end. 0, or -1 where one of them could not be; it is printed. */
static int write_ends(struct session *session)
{
	struct err err = ERR_INIT;
	int result = 0;

	if (session->sink && write_report(session,
	    reports_events(session) ? "ended" : NULL, true, &err) < 0) {
		print_error(&err);
		result = -1;
	}
	if (session->meta && write_meta(session, &err) < 0) {
		print_error(&err);
		result = -1;
	}
	err_clear(&err);
	return result;
}

/* Writes the last report and returns the exit status. */
static int end_session(struct session *session, int result, struct err *err)
{
	int status;

	if (result < 0) {
		report_end_error(&session->report, err);
		print_error(err);
	}
	status = report_exit_status(&session->report);
	/* COMMAND may have ended well and its sandbox not. */
	if (result < 0 && status == 0)
		status = err_exit_status(err->kind);
	return write_ends(session) < 0 ? err_exit_status(ERR_SETUP) : status;
}

static int run_session(struct session *session, struct err *err)
{
	struct err check_err = ERR_INIT;
	int result = spec_check(session->spec, &check_err);
	int status;

	begin_report(session);
	if (open_sinks(session, err) < 0)
		result = -1;
	else if (result < 0)
		err_move(err, &check_err);
	else
		result = run_sandbox(session, err);
	status = end_session(session, result, err);
	host.report_close(session->sink);
	host.report_close(session->meta);
	report_free(&session->report);
	err_clear(&check_err);
	return status;
}

/* Tries every backend with a spec of which only the command is made up: it is never run. */
static int check_host(struct session *session, bool json, struct err *err)
{
	const struct backend_hooks hooks = { .context = session, .prepared = forget_caller };
	const char *term = host.get_env("TERM"), *no_colour = host.get_env("NO_COLOR");
	bool colour = host.is_terminal() && (!no_colour || !*no_colour) && term && strcmp(term, "dumb") != 0;
	struct backend_check checks[CHECKED_MAX];
	char *platform = host.platform();
	struct str text = STR_INIT;
	size_t count = 0;
	int status = -1;

	spec_add_word(session->spec, host.idle_command);
	if (spec_check(session->spec, err) == 0) {
		for (; count < CHECKED_MAX && host.backends[count]; count++)
			backend_check(host.backends[count], session->spec, &hooks, &checks[count]);
		host.forget_environment();
		if (json)
			check_json(checks, count, platform, &text);
		else
			check_text(checks, count, colour, &text);
		if (print_text(str_text(&text), err) == 0)
			status = check_status(checks, count);
	}
	while (count > 0)
		backend_check_free(&checks[--count]);
	str_free(&text);
	free(platform);
	return status;
}

/* Does what was asked; returns the exit status. Messages about a run are printed by it. */
static int do_command(int argc, char **argv, struct native_command *command, struct err *err)
{
	struct session session = { .argc = argc, .argv = argv, .spec = &command->spec };
	int result;

	switch (command->verb) {
	case NATIVE_RUN:
		return run_session(&session, err);
	case NATIVE_EXPLAIN:
		result = print_spec(&command->spec, err);
		break;
	case NATIVE_CHECK:
		result = check_host(&session, command->json, err);
		if (result >= 0)
			return result;
		break;
	case NATIVE_GC:
		result = collect_garbage(&command->spec, err);
		break;
	case NATIVE_VERSION:
		result = print_text("nsbox " PACKAGE_VERSION "\n", err);
		break;
	case NATIVE_HELP:
	default:
		result = print_help(err);
		break;
	}
	if (result == 0)
		return 0;
	print_error(err);
	return err_exit_status(err->kind);
}

int main(int argc, char **argv)
{
	struct native_command command;
	struct err err = ERR_INIT;
	int status;

	if (host.enter(argv, &err) < 0) {
		print_error(&err);
		status = err_exit_status(err.kind);
		err_clear(&err);
		return status;
	}
	if (bwrap_is_meant(argc, argv))
		return bwrap_session(argc, argv);
	if (native_parse(argc, argv, &command, &err) < 0) {
		print_error(&err);
		status = err_exit_status(err.kind);
	} else {
		status = do_command(argc, argv, &command, &err);
	}
	native_free(&command);
	err_clear(&err);
	return status;
}
