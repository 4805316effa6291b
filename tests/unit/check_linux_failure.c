/*
 * Tests of linux/failure.c and linux/refusal.c: the sentences for what the child could only say in numbers.
 */
#include "linux/failure.h"

#include <errno.h>
#include <string.h>

#include "core/str.h"
#include "unit/unit.h"

static const struct step steps[] = {
	{ .name = "bind", .option = "--ro-bind", .source = "/srv/a", .dest = "/b", .item = 0 },
	{ .name = "bind", .option = "--ro", .source = "/usr", .dest = "/usr", .item = 1 },
	{ .name = "tmpfs", .option = "--tmpfs", .dest = "/t\033[2J", .item = 2 },
	{ .name = "ids", .item = STEP_NO_ITEM },
	{ .name = "root", .item = STEP_NO_ITEM },
	{ .name = "hostname", .item = STEP_NO_ITEM },
	{ .name = "loopback", .item = STEP_NO_ITEM },
	{ .name = "proc", .item = STEP_NO_ITEM },
	{ .name = "pivot-root", .item = STEP_NO_ITEM },
	{ .name = "something-new", .item = STEP_NO_ITEM },
	{ .name = "directory", .dest = "/no/such", .item = STEP_NO_ITEM },
};

enum { BIND, SAME, TMPFS, IDS, ROOT, HOSTNAME, LOOPBACK, PROC, PIVOT, STRANGE, DIRECTORY };

static const struct candidate candidates[] = {
	{ "/usr/bin/first", false },
	{ "/usr/bin/second", true },
};

static const struct plan plan = {
	.steps = steps, .step_count = UNIT_COUNT(steps),
	.candidates = candidates, .candidate_count = UNIT_COUNT(candidates),
};

static void fail_step(uint32_t step, int error, enum step_detail detail, struct err *err)
{
	struct record record = {
		.kind = RECORD_FAILED, .step = step, .error = error, .detail = detail,
	};

	ck_assert_int_eq(failure_of_step(&plan, &record, err), -1);
}

/* The message has to hold all of these, in this order; the list ends with NULL. */
static void expect_message(const struct err *err, const char *const *parts)
{
	const char *at = err->message;

	for (; *parts != NULL; parts++) {
		const char *found = strstr(at, *parts);

		ck_assert_msg(found != NULL, "\"%s\" is not in \"%s\"", *parts, err->message);
		at = found + strlen(*parts);
	}
}

#define EXPECT_MESSAGE(err, ...) expect_message(err, (const char *const[]){ __VA_ARGS__, NULL })

START_TEST(a_request_is_named_as_it_was_written)
{
	struct err err = ERR_INIT;

	fail_step(BIND, ENOENT, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	ck_assert_int_eq(err.sys, ENOENT);
	ck_assert_str_eq(err.stage, "bind");
	ck_assert_int_eq(strncmp(err.message, "--ro-bind /srv/a /b: ENOENT: ", 29), 0);
	err_clear(&err);
	fail_step(SAME, EACCES, DETAIL_SOURCE, &err);
	ck_assert_int_eq(strncmp(err.message, "--ro /usr: EACCES: ", 19), 0);
	err_clear(&err);
	fail_step(TMPFS, EPERM, DETAIL_NONE, &err);
	ck_assert_int_eq(strncmp(err.message, "--tmpfs /t\\x1b[2J: EPERM: ", 26), 0);
	err_clear(&err);
}
END_TEST

START_TEST(each_detail_has_its_own_remedy)
{
	static const struct {
		enum step_detail detail;
		const char *words;
	} rows[] = {
		{ DETAIL_SOURCE_CHANGED, "not what it was" },
		{ DETAIL_ON_HOST, "folder of the host" },
		{ DETAIL_SYMLINK, "symbolic link" },
		{ DETAIL_TYPE, "place of a folder" },
		{ DETAIL_LAUNCHER_GONE, "supervisor" },
	};
	struct err err = ERR_INIT;
	struct str plain = STR_INIT;

	fail_step(BIND, EINVAL, DETAIL_NONE, &err);
	str_add(&plain, err.message);
	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		fail_step(BIND, EINVAL, rows[i].detail, &err);
		ck_assert(str_has_prefix(err.message, str_text(&plain)));
		EXPECT_MESSAGE(&err, " (", rows[i].words, ")");
	}
	/* Numbers from the child that mean nothing change nothing. */
	fail_step(BIND, EINVAL, DETAIL_COUNT, &err);
	ck_assert_str_eq(err.message, str_text(&plain));
	fail_step(BIND, EINVAL, (enum step_detail)UINT32_MAX, &err);
	ck_assert_str_eq(err.message, str_text(&plain));
	str_free(&plain);
	err_clear(&err);
}
END_TEST

START_TEST(a_step_that_nobody_asked_for_says_what_it_was_doing)
{
	struct err err = ERR_INIT;

	fail_step(PIVOT, EINVAL, DETAIL_NONE, &err);
	EXPECT_MESSAGE(&err, "cannot change the root", "EINVAL");
	ck_assert_int_eq(err.kind, ERR_SETUP);
	fail_step(STRANGE, EIO, DETAIL_NONE, &err);
	EXPECT_MESSAGE(&err, "cannot build the sandbox", "EIO");
	fail_step(DIRECTORY, ENOENT, DETAIL_NONE, &err);
	EXPECT_MESSAGE(&err, "/no/such", "ENOENT");
	err_clear(&err);
}
END_TEST

START_TEST(a_host_that_refuses_namespaces_is_told_from_other_failures)
{
	static const uint32_t refusing[] = { IDS, ROOT, HOSTNAME, LOOPBACK };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < UNIT_COUNT(refusing); i++) {
		fail_step(refusing[i], EPERM, DETAIL_NONE, &err);
		ck_assert_int_eq(err.kind, ERR_UNAVAILABLE);
		fail_step(refusing[i], EACCES, DETAIL_NONE, &err);
		ck_assert_int_eq(err.kind, ERR_UNAVAILABLE);
		fail_step(refusing[i], ENOMEM, DETAIL_NONE, &err);
		ck_assert_int_eq(err.kind, ERR_SETUP);
	}
	fail_step(BIND, EPERM, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	err_clear(&err);
}
END_TEST

START_TEST(a_record_that_makes_no_sense_is_survived)
{
	struct record record = { .kind = RECORD_EXEC_FAILED, .candidate = UINT32_MAX, .error = -5 };
	struct err err = ERR_INIT;

	fail_step(UNIT_COUNT(steps), ENOENT, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	fail_step(UINT32_MAX, ENOENT, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	fail_step(BIND, -1, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	err_clear(&err);
	ck_assert_int_eq(failure_of_exec(&plan, "word", &record, &err), -1);
	ck_assert_int_ne(err.kind, ERR_NONE);
	err_clear(&err);
}
END_TEST

static void exec_fail(const char *word, int error, const char *head, struct err *err)
{
	struct record record = { .kind = RECORD_EXEC_FAILED, .candidate = 1, .error = error };

	record.head_length = (uint32_t)strlen(head);
	memcpy(record.head, head, strlen(head));
	err_clear(err);
	ck_assert_int_eq(failure_of_exec(&plan, word, &record, err), -1);
	ck_assert_str_eq(err->stage, "exec");
	ck_assert_int_eq(err->sys, error);
}

START_TEST(not_found_is_told_from_not_executable)
{
	static const int not_found[] = { ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG };
	static const int not_executable[] = { EACCES, ENOEXEC, EPERM, E2BIG, EISDIR, ETXTBSY, ENOMEM };
	struct err err = ERR_INIT;

	for (size_t i = 0; i < UNIT_COUNT(not_found); i++) {
		exec_fail("word", not_found[i], "", &err);
		ck_assert_int_eq(err.kind, ERR_NOT_FOUND);
		EXPECT_MESSAGE(&err, "word", errno_name(not_found[i]));
	}
	for (size_t i = 0; i < UNIT_COUNT(not_executable); i++) {
		exec_fail("word", not_executable[i], "#!/bin/sh\n", &err);
		ck_assert_int_eq(err.kind, ERR_NOT_EXECUTABLE);
		EXPECT_MESSAGE(&err, "word", errno_name(not_executable[i]));
	}
	err_clear(&err);
}
END_TEST

START_TEST(a_missing_interpreter_is_named_with_the_option_that_shows_it)
{
	struct err err = ERR_INIT;

	exec_fail("word", ENOENT, "#!/opt/none -x\n", &err);
	ck_assert_int_eq(err.kind, ERR_NOT_FOUND);
	EXPECT_MESSAGE(&err, "/usr/bin/second", "/opt/none", "ENOENT", "--ro /opt/none");
	/* Without a readable head there is no such guess. */
	exec_fail("word", ENOENT, "", &err);
	ck_assert_ptr_null(strstr(err.message, "--ro"));
	exec_fail("word", ENOENT, "echo\n", &err);
	ck_assert_ptr_null(strstr(err.message, "--ro"));
	err_clear(&err);
}
END_TEST

/* What the layer says after a refusal at this stage with this errno. */
static void explain(int error, const char *stage, struct report *report, struct err *err)
{
	err_clear(err);
	err_sys(err, ERR_UNAVAILABLE, error, "cannot start a process in new namespaces");
	err->stage = stage;
	failure_explain_refusal(report, err);
}

START_TEST(a_refusal_gets_a_cause_and_a_remedy_in_message_and_layer)
{
	static const int errors[] = { EPERM, EACCES, ENOSPC, ENOSYS, EINVAL };
	struct layer *layer;
	struct err err = ERR_INIT;
	struct report report;
	struct spec spec;

	for (size_t i = 0; i < UNIT_COUNT(errors); i++) {
		spec_init(&spec);
		spec_add_word(&spec, "true");
		ck_assert_int_eq(spec_check(&spec, &err), 0);
		report_init(&report, &spec);
		explain(errors[i], i % 2 ? "root" : "clone", &report, &err);
		layer = &report.layers[i % 2 ? CONTROL_MOUNT_NAMESPACE : CONTROL_USER_NAMESPACE];
		ck_assert_int_eq(layer->state, LAYER_REFUSED);
		ck_assert_int_eq(layer->sys, errors[i]);
		ck_assert_ptr_nonnull(layer->remedy);
		ck_assert_ptr_nonnull(layer->reason);
		EXPECT_MESSAGE(&err, errno_name(errors[i]), " (", "; ", layer->remedy, ")");
		report_free(&report);
		spec_free(&spec);
	}
	err_clear(&err);
}
END_TEST

START_TEST(a_masked_proc_is_explained)
{
	struct err err = ERR_INIT;
	struct report report;
	struct spec spec;

	spec_init(&spec);
	spec_add_word(&spec, "true");
	ck_assert_int_eq(spec_check(&spec, &err), 0);
	report_init(&report, &spec);
	fail_step(PROC, EPERM, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_UNAVAILABLE);
	failure_explain_refusal(&report, &err);
	EXPECT_MESSAGE(&err, "/proc", "EPERM", "masked", "unmask");
	ck_assert_int_eq(report.layers[CONTROL_MOUNT_NAMESPACE].state, LAYER_REFUSED);
	fail_step(PROC, ENOMEM, DETAIL_NONE, &err);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	ck_assert_ptr_null(strstr(err.message, "masked"));
	report_free(&report);
	spec_free(&spec);
	err_clear(&err);
}
END_TEST

START_TEST(an_errno_that_no_cause_is_known_for_is_not_explained_away)
{
	struct err err = ERR_INIT;
	struct report report;
	struct spec spec;

	spec_init(&spec);
	spec_add_word(&spec, "true");
	ck_assert_int_eq(spec_check(&spec, &err), 0);
	report_init(&report, &spec);
	explain(EDOM, "clone", &report, &err);
	ck_assert_int_eq(report.layers[CONTROL_USER_NAMESPACE].state, LAYER_REFUSED);
	ck_assert_int_eq(report.layers[CONTROL_USER_NAMESPACE].sys, EDOM);
	EXPECT_MESSAGE(&err, "EDOM");
	report_free(&report);
	spec_free(&spec);
	err_clear(&err);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_request_is_named_as_it_was_written,
		each_detail_has_its_own_remedy,
		a_step_that_nobody_asked_for_says_what_it_was_doing,
		a_host_that_refuses_namespaces_is_told_from_other_failures,
		a_masked_proc_is_explained,
		a_record_that_makes_no_sense_is_survived,
		not_found_is_told_from_not_executable,
		a_missing_interpreter_is_named_with_the_option_that_shows_it,
		a_refusal_gets_a_cause_and_a_remedy_in_message_and_layer,
		an_errno_that_no_cause_is_known_for_is_not_explained_away,
	};

	return unit_run("linux/failure", tests, UNIT_COUNT(tests));
}
