/*
 * Paths of Windows, journals, and what is refused before anything is made.
 */
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"
#include "win/backend_win.h"
#include "win/journal.h"
#include "win/leftover.h"
#include "win/path.h"
#include "win/win_trial.h"

START_TEST(a_path_has_one_spelling)
{
	static const char *const pairs[][2] = {
		{ "c:\\a\\b", "C:\\a\\b" }, { "C:/a/b/", "C:\\a\\b" }, { "c:/", "C:\\" },
		{ "C:\\a\\\\.\\b", "C:\\a\\b" }, { "C:\\a b\\c.d", "C:\\a b\\c.d" },
		{ "C:\\com10\\connie\\nul1", "C:\\com10\\connie\\nul1" }, { "/work", "/work" },
		{ "C:\\\xc3\xa9", "C:\\\xc3\xa9" },
	};

	for (size_t i = 0; i < UNIT_COUNT(pairs); i++) {
		struct err err = ERR_INIT;
		char *path = NULL;

		ck_assert_msg(path_parse("--ro", pairs[i][0], &path, &err) == 0, "%s", pairs[i][0]);
		ck_assert_str_eq(path, pairs[i][1]);
		ck_assert_int_eq(path_is_plain(pairs[i][0]), strcmp(pairs[i][0], pairs[i][1]) == 0 &&
		    pairs[i][0][0] != '/');
		free(path);
	}
}
END_TEST

START_TEST(what_windows_reads_as_something_else_is_refused)
{
	static const char *const words[] = {
		"", "a", "a\\b", "C:", "C:a", "\\a", "\\\\server\\share", "//server/share", "\\\\?\\C:\\a",
		"\\\\.\\pipe\\x", "C:\\a\\..\\b", "C:\\a:stream", "C:\\a.", "C:\\a \\b", "C:\\nul", "C:\\x\\CON.txt",
		"C:\\com1", "C:\\lpt9.x", "C:\\COM\xc2\xb2", "C:\\a*", "C:\\a?", "C:\\a|b", "C:\\a\"b", "C:\\a<b",
		"C:\\a\nb", "C:\\\xff", "1:\\a", "/a/../b",
	};

	for (size_t i = 0; i < UNIT_COUNT(words); i++) {
		struct err err = ERR_INIT;
		char *path = NULL;

		ck_assert_msg(path_parse("--ro", words[i], &path, &err) < 0, "%s", words[i]);
		ck_assert_int_eq(err.kind, ERR_USAGE);
		ck_assert(str_has_prefix(err.message, "--ro"));
		err_clear(&err);
	}
}
END_TEST

START_TEST(parts_of_a_path_are_found_without_case)
{
	char *parent = path_parent("C:\\a\\b"), *top = path_parent("C:\\a"), *joined = path_join("C:\\", "x");

	ck_assert_str_eq(parent, "C:\\a");
	ck_assert_str_eq(top, "C:\\");
	ck_assert_str_eq(joined, "C:\\x");
	ck_assert_str_eq(path_name("C:\\a\\b"), "b");
	ck_assert(path_is_in("C:\\A\\b", "c:\\a"));
	ck_assert(path_is_in("C:\\a", "C:\\a"));
	ck_assert(path_is_in("C:\\a", "C:\\"));
	ck_assert(!path_is_in("C:\\ab", "C:\\a"));
	ck_assert(!path_is_in("C:\\a", "C:\\a\\b"));
	ck_assert(path_is_root("C:\\"));
	ck_assert(!path_is_root("C:\\a"));
	free(parent);
	free(top);
	free(joined);
}
END_TEST

#define NAME "nsbox.1a.00112233445566778899aabbccddeeff"
#define FILE_NAME NAME ".journal"
#define HEAD "nsbox journal 1\nname " NAME "\npid 26\ncreated 5\n"

START_TEST(a_journal_reads_back_as_it_was_written)
{
	static const char *const texts[] = {
		HEAD "end\n", HEAD "profile yes\nend\n", HEAD "profile yes\nscratch C:\\s\\" NAME "\nend\n",
		HEAD "grant C:\\a\ngrant C:\\b c\nend\n",
	};

	for (size_t i = 0; i < UNIT_COUNT(texts); i++) {
		struct str again = STR_INIT;
		struct journal journal;

		ck_assert_msg(journal_parse(texts[i], FILE_NAME, &journal), "%s", texts[i]);
		journal_compose(&journal, &again);
		ck_assert_str_eq(str_text(&again), texts[i]);
		str_free(&again);
		journal_free(&journal);
	}
}
END_TEST

START_TEST(what_is_no_journal_in_every_detail_is_none)
{
	static const char *const texts[] = {
		"", "end\n", "nsbox journal 1\nend\n", "nsbox journal 2\nname " NAME "\npid 26\ncreated 5\nend\n",
		HEAD, HEAD "end", HEAD "end\nx", HEAD "other x\nend\n", HEAD "scratch C:\\Users\nend\n",
		HEAD "scratch " NAME "\nend\n", HEAD "scratch C:\\a\\..\\" NAME "\nend\n", HEAD "grant C:\\\nend\n",
		HEAD "grant relative\nend\n", HEAD "grant \\\\x\\y\nend\n", HEAD "profile no\nend\n",
		HEAD "name " NAME "\nend\n", HEAD "profile\nend\n", HEAD "pid 99999999999\nend\n",
		HEAD "grant C:\\a\nprofile yes\nend\n", "nsbox journal 1\nname other\npid 26\ncreated 5\nend\n",
		HEAD "scratch C:\\s\\" NAME "\nscratch C:\\t\\" NAME "\nend\n",
	};
	struct journal journal;

	for (size_t i = 0; i < UNIT_COUNT(texts); i++)
		ck_assert_msg(!journal_parse(texts[i], FILE_NAME, &journal), "%s", texts[i]);
	/* Nor one that lies under another name. */
	ck_assert(!journal_parse(HEAD "end\n", "nsbox.1a.00.journal", &journal));
}
END_TEST

START_TEST(only_what_is_provably_ours_is_swept)
{
	static const char *const foreign[] = {
		"nsbox.txt", "x.journal", "nsbox.1a.00112233445566778899aabbccddeeff.journal",
	};
	struct err err = ERR_INIT;
	struct str before = STR_INIT, after = STR_INIT;
	size_t removed = 9;

	fake_win_boot();
	fake_win_add("C:\\Users\\u\\AppData\\Local\\nsbox\\run", true, false);
	for (size_t i = 0; i < UNIT_COUNT(foreign); i++) {
		char *path = xasprintf("C:\\Users\\u\\AppData\\Local\\nsbox\\run\\%s", foreign[i]);

		fake_file_put(path, "nsbox journal 1\nscratch C:\\data\nend\n");
		free(path);
	}
	fake_win_state(&before);
	ck_assert_int_eq(leftover_sweep(LEFTOVER_ALL, &removed, &err), 0);
	ck_assert_uint_eq(removed, 0);
	fake_win_state(&after);
	ck_assert_str_eq(str_text(&after), str_text(&before));
	str_free(&before);
	str_free(&after);
	fake_win_shutdown();
}
END_TEST

START_TEST(a_run_whose_nsbox_lives_is_left_alone)
{
	struct err err = ERR_INIT;
	struct journal journal;
	size_t removed;

	fake_win_boot();
	ck_assert_int_eq(journal_begin(&journal, &err), 0);
	journal.scratch = xasprintf("C:\\data\\%s", journal.name);
	ck_assert_int_eq(journal_write(&journal, &err), 0);
	fake_win_add(journal.scratch, true, false);
	ck_assert_int_eq(leftover_sweep(LEFTOVER_ALL, &removed, &err), 0);
	ck_assert_uint_eq(removed, 0);
	ck_assert_ptr_nonnull(fake_win_text(journal.file));
	/* The number of the process is taken again, by another one. */
	fake_win_restart();
	ck_assert_int_eq(leftover_sweep(LEFTOVER_ALL, &removed, &err), 0);
	ck_assert_uint_eq(removed, 1);
	ck_assert_ptr_null(fake_win_text(journal.file));
	journal_free(&journal);
	fake_win_shutdown();
}
END_TEST

/* Refused with a message that has `why`; nothing was made. */
static void assert_refused(struct trial *trial, enum err_kind kind, const char *why)
{
	struct str before = STR_INIT, after = STR_INIT;

	fake_win_state(&before);
	if (trial->spec.command_count == 0)
		win_trial_command(&trial->spec, "cmd", "exit 0");
	trial_run(trial, &backend_win);
	ck_assert_msg(trial->err.kind == kind, "%s: %s", why, trial->err.message);
	ck_assert_msg(strstr(trial->err.message, why), "%s is not in: %s", why, trial->err.message);
	ck_assert_uint_eq(fake.created, 0);
	fake_win_state(&after);
	ck_assert_str_eq(str_text(&after), str_text(&before));
	str_free(&before);
	str_free(&after);
	trial_free(trial);
}

START_TEST(what_must_not_be_given_away_is_refused)
{
	static const char *const rows[][3] = {
		{ "--ro", "C:\\", "whole drive" }, { "--ro", "C:\\Users\\u", "the user's folder" },
		{ "--rw", "C:\\Users\\u\\AppData\\Local", "the user's" },
		{ "--ro", "C:\\Users\\u\\AppData\\Local\\Temp", "temporary" }, { "--rw", "C:\\Windows", "Windows" },
		{ "--rw", "C:\\Windows\\System32", "Windows" }, { "--ro", "C:\\nowhere", "--ro C:\\nowhere" },
		{ "--ro", "C:\\link", "is a link" }, { "--ro", "C:\\share", "not on this machine" },
		{ "--ro", "C:\\fat", "no access control lists" }, { "--ro", "/usr", "does not begin with a drive" },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		struct trial trial;

		fake_win_boot();
		fake_win_add("C:\\link", true, false);
		fake_win_add("C:\\share", true, false);
		fake_win_add("C:\\fat", true, false);
		win_trial_init(&trial);
		win_trial_show(&trial.spec, rows[i][0], rows[i][1]);
		assert_refused(&trial, ERR_USAGE, rows[i][2]);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(a_read_only_place_in_a_writable_one_is_refused)
{
	struct trial trial;

	fake_win_boot();
	fake_win_add("C:\\data\\in", true, false);
	win_trial_init(&trial);
	win_trial_show(&trial.spec, "--rw", "C:\\data");
	win_trial_show(&trial.spec, "--ro", "C:\\data\\in");
	assert_refused(&trial, ERR_USAGE, "contradicts --rw C:\\data");
	fake_win_shutdown();
}
END_TEST

/* Completes a spec with one option that Windows cannot honour. */
static void ask(struct spec *spec, int which)
{
	switch (which) {
	case 0: spec->network = SPEC_NETWORK_HOST; break;
	case 1: spec->has_uid = true; break;
	case 2: spec->has_gid = true; break;
	case 3: spec->hostname = xstrdup("x"); break;
	case 4: str_list_add(&spec->cap_add, "CAP_CHOWN"); break;
	case 5: spec_add_rlimit(spec, "nofile", 6, 1, 1); break;
	case 6: spec->scratch_bytes = 1; break;
	case 7: spec->scratch_inodes = 1; break;
	case 8: spec_add_pass_fd(spec, 3); break;
	case 9: spec->new_session = true; break;
	case 10: spec->allow_userns = true; break;
	case 11: spec->grace_ns = 1; break;
	case 12: spec_add_fs(spec, SPEC_FS_TMPFS, "--tmpfs")->dest = xstrdup("/t"); break;
	case 13: spec_add_fs(spec, SPEC_FS_MASK, "--mask")->dest = xstrdup("/t"); break;
	default: spec->chdir = xstrdup("/t"); break;
	}
}

START_TEST(what_windows_cannot_honour_is_refused_by_name)
{
	static const char *const options[] = {
		"--net host", "--uid", "--gid", "--hostname", "--cap-add", "--rlimit", "--scratch-size",
		"--scratch-inodes", "--pass-fd", "--new-session", "--allow-userns", "--grace", "--tmpfs", "--mask",
		"--chdir",
	};

	for (size_t i = 0; i < UNIT_COUNT(options); i++) {
		struct trial trial;

		fake_win_boot();
		win_trial_init(&trial);
		ask(&trial.spec, (int)i);
		assert_refused(&trial, ERR_USAGE, options[i]);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(a_command_is_a_program_and_found_without_the_current_folder)
{
	static const struct {
		const char *command;
		enum err_kind kind;
		const char *why;
	} rows[] = {
		{ "nothing", ERR_NOT_FOUND, "no such command" }, { "C:\\nothing.exe", ERR_NOT_FOUND, "no such" },
		{ "C:\\tools", ERR_NOT_EXECUTABLE, "is a folder" }, { "x.BAT", ERR_NOT_EXECUTABLE, "cmd.exe" },
		{ "C:\\x.cmd", ERR_NOT_EXECUTABLE, "cmd.exe" }, { ".\\cmd.exe", ERR_USAGE, "absolute" },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		struct trial trial;

		fake_win_boot();
		win_trial_init(&trial);
		win_trial_command(&trial.spec, rows[i].command, NULL);
		assert_refused(&trial, rows[i].kind, rows[i].why);
	}
	fake_win_shutdown();
}
END_TEST

START_TEST(folders_of_path_that_are_not_absolute_are_not_looked_in)
{
	static const char *const paths[] = { "tools;.;", "C:tools", ";", "\\tools" };

	for (size_t i = 0; i < UNIT_COUNT(paths); i++) {
		struct trial trial;

		fake_win_boot();
		fake_file_put("tools\\x.exe", "x");
		fake_file_put("C:tools\\x.exe", "x");
		fake_file_put("\\tools\\x.exe", "x");
		fake_file_put("\\x.exe", "x");
		win_trial_init(&trial);
		spec_add_env(&trial.spec, SPEC_ENV_SET, "PATH", 4, paths[i]);
		win_trial_command(&trial.spec, "x", NULL);
		assert_refused(&trial, ERR_NOT_FOUND, "no such command");
	}
	fake_win_shutdown();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_path_has_one_spelling,
		what_windows_reads_as_something_else_is_refused,
		parts_of_a_path_are_found_without_case,
		a_journal_reads_back_as_it_was_written,
		what_is_no_journal_in_every_detail_is_none,
		only_what_is_provably_ours_is_swept,
		a_run_whose_nsbox_lives_is_left_alone,
		what_must_not_be_given_away_is_refused,
		a_read_only_place_in_a_writable_one_is_refused,
		what_windows_cannot_honour_is_refused_by_name,
		folders_of_path_that_are_not_absolute_are_not_looked_in,
		a_command_is_a_program_and_found_without_the_current_folder,
	};

	return unit_run("win/path", tests, UNIT_COUNT(tests));
}
