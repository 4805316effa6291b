/*
 * Tests of linux/sink.c: where a report goes.
 */
#include "linux/sink.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/unit.h"

/* A new folder below the current one, which becomes the current one. */
static void enter_new_folder(void)
{
	char name[] = "sink-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
}

static size_t count_entries(const char *path)
{
	DIR *folder = opendir(path);
	size_t count = 0;

	ck_assert_ptr_nonnull(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void expect_file(const char *path, const char *text)
{
	char got[256] = "";
	FILE *file = fopen(path, "r");

	ck_assert_ptr_nonnull(file);
	got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
	fclose(file);
	ck_assert_str_eq(got, text);
}

static struct report_sink *open_sink(const char *name)
{
	struct report_sink *sink = NULL;
	struct err err = ERR_INIT;

	ck_assert_msg(sink_open("--report", name, &sink, &err) == 0, "%s", err.message);
	ck_assert_ptr_nonnull(sink);
	return sink;
}

static void expect_refused(const char *name, int error)
{
	struct report_sink *sink = NULL;
	struct err err = ERR_INIT;

	ck_assert_msg(sink_open("--report", name, &sink, &err) == -1, "%s", name);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_int_eq(err.sys, error);
	ck_assert_int_eq(strncmp(err.message, "--report", 8), 0);
	ck_assert_ptr_null(sink);
	err_clear(&err);
}

static void write_text(struct report_sink *sink, const char *text, bool last)
{
	struct err err = ERR_INIT;

	ck_assert_msg(sink_write(sink, text, strlen(text), last, &err) == 0, "%s", err.message);
}

START_TEST(a_file_appears_at_the_end_and_whole)
{
	struct report_sink *sink;

	enter_new_folder();
	sink = open_sink("report");
	ck_assert_uint_eq(count_entries("."), 0);
	write_text(sink, "first\n", false);
	ck_assert_int_eq(access("report", F_OK), -1);
	write_text(sink, "last\n", true);
	sink_close(sink);
	expect_file("report", "last\n");
	ck_assert_uint_eq(count_entries("."), 1);
}
END_TEST

START_TEST(a_file_is_replaced_and_not_written_to)
{
	struct stat before, after;
	struct report_sink *sink;
	int reader;

	enter_new_folder();
	put("report", "the one before\n");
	ck_assert_int_eq(stat("report", &before), 0);
	reader = open("report", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(reader, 0);
	sink = open_sink("report");
	expect_file("report", "the one before\n");
	write_text(sink, "new\n", true);
	sink_close(sink);
	ck_assert_int_eq(stat("report", &after), 0);
	ck_assert(before.st_ino != after.st_ino);
	/* Who has it open still reads the whole one before. */
	ck_assert_int_eq(fstat(reader, &after), 0);
	ck_assert_int_eq(after.st_size, 15);
	close(reader);
	expect_file("report", "new\n");
}
END_TEST

START_TEST(the_folder_is_the_one_of_the_beginning)
{
	struct report_sink *sink;

	enter_new_folder();
	ck_assert_int_eq(mkdir("a", 0755), 0);
	sink = open_sink("a/report");
	ck_assert_int_eq(rename("a", "moved"), 0);
	ck_assert_int_eq(mkdir("a", 0755), 0);
	write_text(sink, "text\n", true);
	sink_close(sink);
	ck_assert_uint_eq(count_entries("a"), 0);
	expect_file("moved/report", "text\n");
}
END_TEST

START_TEST(a_missing_folder_is_noticed_before_anything_runs)
{
	enter_new_folder();
	put("file", "");
	expect_refused("absent/report", ENOENT);
	expect_refused("file/report", ENOTDIR);
	ck_assert_uint_eq(count_entries("."), 1);
}
END_TEST

START_TEST(a_folder_is_no_place_for_a_report)
{
	struct report_sink *sink = NULL;
	struct err err = ERR_INIT;

	enter_new_folder();
	ck_assert_int_eq(mkdir("folder", 0755), 0);
	ck_assert_int_eq(sink_open("--report", "folder", &sink, &err), -1);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	err_clear(&err);
	ck_assert_int_eq(sink_open("--report", "folder/", &sink, &err), -1);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	err_clear(&err);
	ck_assert_int_eq(sink_open("--report", "absent/", &sink, &err), -1);
	err_clear(&err);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written_to_is_noticed)
{
	enter_new_folder();
	ck_assert_int_eq(mkdir("locked", 0555), 0);
	/* Root writes everywhere. The user that it becomes has to get there. */
	ck_assert_int_eq(chmod(".", 0755), 0);
	if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
		ck_abort_msg("cannot become another user");
	expect_refused("locked/report", EACCES);
}
END_TEST

START_TEST(a_descriptor_gets_every_text)
{
	struct report_sink *sink;
	char name[32];
	int fd;

	enter_new_folder();
	fd = open("out", O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	snprintf(name, sizeof(name), "fd:%d", fd);
	sink = open_sink(name);
	write_text(sink, "applied\n", false);
	expect_file("out", "applied\n");
	write_text(sink, "ended\n", true);
	sink_close(sink);
	expect_file("out", "applied\nended\n");
	ck_assert_uint_eq(count_entries("."), 1);
	/* It is the caller's, who goes on using it. */
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
	close(fd);
}
END_TEST

START_TEST(a_descriptor_has_to_be_open_for_writing)
{
	char name[32];
	int fd;

	enter_new_folder();
	put("in", "");
	expect_refused("fd:9999", EBADF);
	fd = open("in", O_RDONLY);
	ck_assert_int_ge(fd, 0);
	snprintf(name, sizeof(name), "fd:%d", fd);
	expect_refused(name, 0);
	close(fd);
	fd = open("in", O_PATH);
	ck_assert_int_ge(fd, 0);
	snprintf(name, sizeof(name), "fd:%d", fd);
	expect_refused(name, 0);
	close(fd);
	expect_refused("fd:", 0);
	expect_refused("fd:x", 0);
	expect_refused("fd:1x", 0);
	expect_refused("fd:-1", 0);
	expect_refused("fd:99999999999999999999", 0);
}
END_TEST

START_TEST(what_is_no_regular_file_is_written_to_directly)
{
	struct report_sink *sink;
	char text[16] = "";
	int reader;

	enter_new_folder();
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	/* Without a reader it would wait for ever. */
	expect_refused("fifo", ENXIO);
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(reader, 0);
	sink = open_sink("fifo");
	write_text(sink, "line\n", true);
	sink_close(sink);
	ck_assert_int_eq(read(reader, text, sizeof(text) - 1), 5);
	ck_assert_str_eq(text, "line\n");
	close(reader);
	sink = open_sink("/dev/null");
	write_text(sink, "line\n", true);
	sink_close(sink);
}
END_TEST

START_TEST(a_reader_that_went_away_is_an_error_and_no_death)
{
	struct err err = ERR_INIT;
	struct report_sink *sink;
	char name[32];
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	snprintf(name, sizeof(name), "fd:%d", ends[1]);
	sink = open_sink(name);
	close(ends[0]);
	ck_assert_int_eq(sink_write(sink, "x", 1, true, &err), -1);
	ck_assert_int_eq(err.sys, EPIPE);
	err_clear(&err);
	sink_close(sink);
	close(ends[1]);
}
END_TEST

START_TEST(messages_name_the_option)
{
	struct report_sink *sink = NULL;
	struct err err = ERR_INIT;

	enter_new_folder();
	ck_assert_int_eq(sink_open("--meta", "absent/meta", &sink, &err), -1);
	ck_assert_msg(str_has_prefix(err.message, "--meta absent/meta: "), "%s", err.message);
	ck_assert_int_eq(sink_open("--meta", "fd:x", &sink, &err), -1);
	ck_assert_msg(str_has_prefix(err.message, "--meta"), "%s", err.message);
	ck_assert_int_eq(mkdir("folder", 0755), 0);
	ck_assert_int_eq(sink_open("--meta", "folder/meta", &sink, &err), 0);
	ck_assert_int_eq(rmdir("folder"), 0);
	ck_assert_int_eq(sink_write(sink, "x", 1, true, &err), -1);
	ck_assert_msg(strstr(err.message, " to --meta folder/meta: "), "%s", err.message);
	ck_assert_int_eq(err.sys, ENOENT);
	sink_close(sink);
	err_clear(&err);
}
END_TEST

START_TEST(a_planted_link_is_not_followed)
{
	struct report_sink *sink;

	enter_new_folder();
	put("victim", "untouched\n");
	/* The name that it writes to first is made at random: that of the file itself can be planted. */
	ck_assert_int_eq(symlink("victim", "report"), 0);
	sink = open_sink("report");
	write_text(sink, "text\n", true);
	sink_close(sink);
	expect_file("victim", "untouched\n");
	expect_file("report", "text\n");
	ck_assert_uint_eq(count_entries("."), 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_file_appears_at_the_end_and_whole,
		a_file_is_replaced_and_not_written_to,
		the_folder_is_the_one_of_the_beginning,
		a_missing_folder_is_noticed_before_anything_runs,
		a_folder_is_no_place_for_a_report,
		a_folder_that_cannot_be_written_to_is_noticed,
		a_descriptor_gets_every_text,
		a_descriptor_has_to_be_open_for_writing,
		what_is_no_regular_file_is_written_to_directly,
		a_reader_that_went_away_is_an_error_and_no_death,
		messages_name_the_option,
		a_planted_link_is_not_followed,
	};

	return unit_run("linux/sink", tests, UNIT_COUNT(tests));
}
