/*
 * Tests of linux/command.c: which files a word may be.
 */
#include "linux/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/unit.h"

/* "PATH" one a line, those tried only behind a dangling link marked by "? ". */
static void expect(const char *word, const char *path, const char *text)
{
	struct str listed = STR_INIT;
	struct command command;

	command_find(word, path, &command);
	for (size_t i = 0; i < command.count; i++)
		str_addf(&listed, "%s%s\n", command.candidates[i].if_dangling ? "? " : "",
		    command.candidates[i].path);
	ck_assert_str_eq(str_text(&listed), text);
	str_free(&listed);
	command_free(&command);
	command_free(&command);
}

/* A new folder below the current one; its absolute path without links. */
static char *new_folder(void)
{
	char name[] = "command-XXXXXX";
	char *path;

	ck_assert_ptr_nonnull(mkdtemp(name));
	path = realpath(name, NULL);
	ck_assert_ptr_nonnull(path);
	return path;
}

static void make_file(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fclose(file), 0);
	free(path);
}

static void make_link(const char *text, const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);

	ck_assert_int_eq(symlink(text, path), 0);
	free(path);
}

START_TEST(a_word_is_looked_for_in_every_folder_of_the_path)
{
	expect("no-such", "/nowhere/a:/nowhere/b:/nowhere/c",
	    "/nowhere/a/no-such\n/nowhere/b/no-such\n/nowhere/c/no-such\n");
	expect("no-such", "/nowhere/", "/nowhere//no-such\n");
}
END_TEST

START_TEST(an_empty_entry_is_the_current_folder)
{
	expect("no-such", ":/nowhere", "./no-such\n/nowhere/no-such\n");
	expect("no-such", "/nowhere:", "/nowhere/no-such\n./no-such\n");
	expect("no-such", "/nowhere::/other", "/nowhere/no-such\n./no-such\n/other/no-such\n");
	expect("no-such", ":", "./no-such\n./no-such\n");
	expect("no-such", "relative", "relative/no-such\n");
}
END_TEST

START_TEST(a_word_with_a_slash_is_taken_as_it_is)
{
	expect("./no-such", "/nowhere", "./no-such\n");
	expect("a/b", "/nowhere", "a/b\n");
	expect("/nowhere/x", "/nowhere", "/nowhere/x\n");
}
END_TEST

START_TEST(without_a_path_there_is_still_one_candidate)
{
	expect("no-such", NULL, "no-such\n");
	expect("no-such", "", "no-such\n");
	expect("", "/nowhere", "\n");
}
END_TEST

START_TEST(behind_a_link_comes_what_it_really_is)
{
	char *folder = new_folder();
	char *text = xasprintf("%s/name\n? %s/real\n/nowhere/name\n", folder, folder);
	char *path = xasprintf("%s:/nowhere", folder);
	char *word = xasprintf("%s/name", folder);
	char *alone = xasprintf("%s/name\n? %s/real\n", folder, folder);

	make_file(folder, "real");
	make_link("middle", folder, "name");
	make_link("real", folder, "middle");
	expect("name", path, text);
	expect(word, "/nowhere", alone);
	free(alone);
	free(word);
	free(path);
	free(text);
	free(folder);
}
END_TEST

START_TEST(a_plain_file_and_a_broken_link_have_no_second_candidate)
{
	char *folder = new_folder();
	char *plain = xasprintf("%s/real\n", folder);
	char *broken = xasprintf("%s/broken\n", folder);

	make_file(folder, "real");
	make_link("absent", folder, "broken");
	make_link("loop", folder, "loop");
	expect("real", folder, plain);
	expect("broken", folder, broken);
	free(broken);
	broken = xasprintf("%s/loop\n", folder);
	expect("loop", folder, broken);
	free(broken);
	free(plain);
	free(folder);
}
END_TEST

START_TEST(a_path_of_a_thousand_folders_is_tried_in_order)
{
	struct command command;
	struct str path = STR_INIT;

	for (int i = 0; i < 1000; i++)
		str_addf(&path, "%s/nowhere/%d", i ? ":" : "", i);
	command_find("x", str_text(&path), &command);
	ck_assert_uint_eq(command.count, 1000);
	ck_assert_str_eq(command.candidates[0].path, "/nowhere/0/x");
	ck_assert_str_eq(command.candidates[999].path, "/nowhere/999/x");
	command_free(&command);
	str_free(&path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_word_is_looked_for_in_every_folder_of_the_path,
		an_empty_entry_is_the_current_folder,
		a_word_with_a_slash_is_taken_as_it_is,
		without_a_path_there_is_still_one_candidate,
		behind_a_link_comes_what_it_really_is,
		a_plain_file_and_a_broken_link_have_no_second_candidate,
		a_path_of_a_thousand_folders_is_tried_in_order,
	};

	return unit_run("linux/command", tests, UNIT_COUNT(tests));
}
