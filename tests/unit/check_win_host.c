/*
 * The Windows row of struct host, on a machine in memory: inputs, reports, sweeping.
 */
#include "core/host.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"
#include "win/fake_win.h"

static void assert_refused(int result, struct err *err, const char *why)
{
	ck_assert_int_eq(result, -1);
	ck_assert_msg(strstr(err->message, why) != NULL, "%s is not in: %s", why, err->message);
	err_clear(err);
}

START_TEST(inputs_are_files_and_standard_input)
{
	struct err err = ERR_INIT;
	struct str text = STR_INIT;

	fake_win_boot();
	fake_file_put("C:\\data\\words", "--wall 3\n");
	ck_assert_int_eq(host.read_input("--args", "C:\\data\\words", 9, &text, &err), 0);
	ck_assert_str_eq(str_text(&text), "--wall 3\n");
	str_free(&text);
	ck_assert_int_eq(host.read_input("--args", "0", 100, &text, &err), 0);
	ck_assert_str_eq(str_text(&text), "--wall 5\n");
	str_free(&text);
	assert_refused(host.read_input("--args", "C:\\data\\words", 8, &text, &err), &err,
	    "--args: 'C:\\data\\words' holds more than 8 bytes");
	str_free(&text);
	assert_refused(host.read_input("--args", "3", 8, &text, &err), &err, "--args: '3' is a descriptor");
	assert_refused(host.read_input("--env-file", "C:\\none", 8, &text, &err), &err,
	    "--env-file: 'C:\\none' cannot be read: 0x80070002");
	assert_refused(host.read_input("--env-file", "C:\\data", 8, &text, &err), &err, "cannot be read");
	str_free(&text);
	fake_win_shutdown();
}
END_TEST

static int write_report(const char *name, const char *first, const char *last, struct err *err)
{
	struct report_sink *sink = NULL;
	int result = host.report_open("--report", name, &sink, err);

	if (result == 0)
		result = host.report_write(sink, first, strlen(first), false, err);
	if (result == 0)
		result = host.report_write(sink, last, strlen(last), true, err);
	host.report_close(sink);
	return result;
}

START_TEST(a_report_is_a_whole_file_or_two_lines)
{
	struct err err = ERR_INIT;

	fake_win_boot();
	ck_assert_int_eq(write_report("C:\\data\\r.json", "first\n", "last\n", &err), 0);
	ck_assert_str_eq(fake_win_text("C:\\data\\r.json"), "last\n");
	ck_assert_uint_eq(fake.written.length, 0);
	ck_assert_int_eq(write_report("fd:1", "first\n", "last\n", &err), 0);
	ck_assert_str_eq(str_text(&fake.written), "first\nlast\n");
	fake_win_shutdown();
}
END_TEST

START_TEST(a_report_that_cannot_be_written_is_refused_at_once)
{
	static const char *const rows[][2] = {
		{ "fd:0", "--report fd:0: on Windows only fd:1 and fd:2" }, { "fd:3", "only fd:1" },
		{ "C:\\none\\r.json", "--report C:\\none\\r.json: its folder: 0x80070002" },
		{ "C:\\data", "is a folder" }, { "C:\\data\\", "is not the path of a file" },
		{ "C:\\data\\nul", "is not the path of a file" }, { "C:\\data\\a:b", "its folder" },
		{ "C:\\data\\x.", "is not the path of a file" },
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		fake_win_boot();
		assert_refused(write_report(rows[i][0], "a", "b", &err), &err, rows[i][1]);
	}
	fake_win_boot();
	fake.fail_name = "file_replace";
	assert_refused(write_report("C:\\data\\r.json", "a", "b", &err), &err,
	    "cannot write the report to --report C:\\data\\r.json: 0x80070005");
	fake_win_boot();
	fake.fail_name = "stream_write";
	assert_refused(write_report("fd:2", "a", "b", &err), &err, "cannot write the report to --report fd:2");
	fake_win_shutdown();
}
END_TEST

START_TEST(the_rest_of_the_row_answers)
{
	struct err err = ERR_INIT;
	size_t removed = 7;
	char *id, *other, *platform, *path;

	fake_win_boot();
	ck_assert_int_eq(host.enter(NULL, &err), 0);
	ck_assert_int_eq(host.sweep("C:\\data", &removed, &err), 0);
	ck_assert_uint_eq(removed, 0);
	assert_refused(host.sweep("C:\\none", &removed, &err), &err, "--scratch-dir C:\\none");
	ck_assert_int_eq(host.sweep(NULL, &removed, &err), 0);
	id = host.make_id();
	fake.fail_name = "random";
	other = host.make_id();
	ck_assert_uint_eq(strlen(id), 16);
	ck_assert_uint_eq(strlen(other), 16);
	ck_assert_str_ne(id, other);
	platform = host.platform();
	ck_assert_str_eq(platform, "windows 10.0.0 fake");
	ck_assert(!host.is_terminal());
	ck_assert_ptr_null(host.get_env("NOTHING"));
	ck_assert_int_eq(host.parse_path("--ro", "c:/x", &path, &err), 0);
	ck_assert_str_eq(path, "C:\\x");
	fake.fail_name = "enter";
	assert_refused(host.enter(NULL, &err), &err, "cannot begin");
	free(id);
	free(other);
	free(platform);
	free(path);
	fake_win_shutdown();
}
END_TEST

/* What was swept in part is told, with what is left. */
START_TEST(a_sweep_that_leaves_something_says_so)
{
	struct err err = ERR_INIT;
	size_t removed;

	fake_win_boot();
	fake_win_add("C:\\Users\\u\\AppData\\Local\\nsbox\\run", true, false);
	fake_file_put("C:\\Users\\u\\AppData\\Local\\nsbox\\run\\nsbox.1.00112233445566778899aabbccddeeff.journal",
	    "nsbox journal 1\nname nsbox.1.00112233445566778899aabbccddeeff\npid 1\ncreated 5\n"
	    "grant C:\\data\nend\n");
	fake.fail_name = "acl_read";
	assert_refused(host.sweep(NULL, &removed, &err), &err,
	    "dead runs left what could not be removed: a grant on C:\\data: 0x80070005");
	ck_assert_uint_eq(removed, 0);
	fake.fail_name = NULL;
	ck_assert_int_eq(host.sweep(NULL, &removed, &err), 0);
	ck_assert_uint_eq(removed, 1);
	fake_win_shutdown();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		inputs_are_files_and_standard_input,
		a_report_is_a_whole_file_or_two_lines,
		a_report_that_cannot_be_written_is_refused_at_once,
		the_rest_of_the_row_answers,
		a_sweep_that_leaves_something_says_so,
	};

	return unit_run("win/host", tests, UNIT_COUNT(tests));
}
