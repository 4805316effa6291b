/*
 * Tests of linux/input.c: files and descriptors that options name.
 */
#include "linux/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/unit.h"

enum { LIMIT = 1 << 20 };

static void enter_new_folder(void)
{
	char name[] = "input-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
}

static void put(const char *path, const void *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

static void expect(const char *name, size_t limit, const void *bytes, size_t length)
{
	struct str text = STR_INIT;
	struct err err = ERR_INIT;

	ck_assert_msg(input_read("--args", name, limit, &text, &err) == 0, "%s", err.message);
	ck_assert_uint_eq(text.length, length);
	ck_assert_int_eq(memcmp(str_text(&text), bytes, length), 0);
	str_free(&text);
}

/* Returns the message, which the caller frees. */
static char *refused(const char *name, size_t limit, int error)
{
	struct str text = STR_INIT;
	struct err err = ERR_INIT;
	char *message;

	ck_assert_msg(input_read("--args", name, limit, &text, &err) == -1, "%s", name);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_int_eq(err.sys, error);
	ck_assert_int_eq(strncmp(err.message, "--args", 6), 0);
	message = xstrdup(err.message);
	err_clear(&err);
	str_free(&text);
	return message;
}

static void expect_refused(const char *name, size_t limit, int error)
{
	free(refused(name, limit, error));
}

/* A pipe that holds `text`, its writing end closed; the reading end. */
static int filled_pipe(const char *text)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	close(ends[1]);
	return ends[0];
}

START_TEST(a_file_is_read_whole)
{
	static const char bytes[] = "a\0b\n\377";

	enter_new_folder();
	put("file", bytes, sizeof(bytes));
	put("empty", "", 0);
	ck_assert_int_eq(symlink("file", "link"), 0);
	expect("file", LIMIT, bytes, sizeof(bytes));
	expect("./file", LIMIT, bytes, sizeof(bytes));
	expect("link", LIMIT, bytes, sizeof(bytes));
	expect("empty", LIMIT, "", 0);
}
END_TEST

START_TEST(the_limit_is_exact)
{
	char *bytes = xcalloc(200000, 1);

	enter_new_folder();
	put("file", bytes, 200000);
	expect("file", 200000, bytes, 200000);
	expect_refused("file", 199999, 0);
	expect_refused("file", 0, 0);
	free(bytes);
}
END_TEST

START_TEST(what_has_no_end_is_refused_by_path)
{
	char *message;

	enter_new_folder();
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(mkdir("folder", 0755), 0);
	message = refused("fifo", LIMIT, 0);
	ck_assert_ptr_nonnull(strstr(message, "--args fifo"));
	ck_assert_ptr_nonnull(strstr(message, "not a regular file"));
	free(message);
	expect_refused("folder", LIMIT, 0);
	expect_refused("/dev/zero", LIMIT, 0);
	expect_refused("/dev/null", LIMIT, 0);
}
END_TEST

START_TEST(what_is_not_there_is_refused)
{
	enter_new_folder();
	put("file", "", 0);
	expect_refused("absent", LIMIT, ENOENT);
	expect_refused("file/x", LIMIT, ENOTDIR);
	expect_refused("9999", LIMIT, EBADF);
	expect_refused("/dev/fd/9999", LIMIT, EBADF);
	/* Digits are always a descriptor, whatever files there are. */
	put("9998", "text", 4);
	expect_refused("9998", LIMIT, EBADF);
	expect("./9998", LIMIT, "text", 4);
	expect_refused("99999999999999999999", LIMIT, 0);
	expect_refused("2147483648", LIMIT, 0);
}
END_TEST

START_TEST(a_descriptor_may_be_a_pipe_and_is_closed_afterwards)
{
	static const char *const forms[] = { "%d", "/dev/fd/%d", "/proc/self/fd/%d" };

	for (size_t i = 0; i < UNIT_COUNT(forms); i++) {
		int fd = filled_pipe("from a pipe");
		struct str name = STR_INIT;

		if (i == 0)
			str_addf(&name, "%d", fd);
		else
			str_addf(&name, "%.*s%d", (int)strlen(forms[i]) - 2, forms[i], fd);
		expect(str_text(&name), LIMIT, "from a pipe", 11);
		ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
		ck_assert_int_eq(errno, EBADF);
		str_free(&name);
	}
}
END_TEST

START_TEST(a_descriptor_has_the_same_limit)
{
	char name[16];
	int fd = filled_pipe("123456");

	snprintf(name, sizeof(name), "%d", fd);
	expect_refused(name, 5, 0);
}
END_TEST

START_TEST(a_descriptor_that_cannot_be_read_is_refused)
{
	char name[16];
	int fd;

	enter_new_folder();
	fd = open("file", O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	snprintf(name, sizeof(name), "%d", fd);
	expect_refused(name, LIMIT, EBADF);
	fd = open(".", O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	snprintf(name, sizeof(name), "%d", fd);
	expect_refused(name, LIMIT, EISDIR);
}
END_TEST

START_TEST(only_the_exact_forms_are_descriptors)
{
	enter_new_folder();
	put("7x", "1", 1);
	put("+7", "2", 1);
	put(" 7", "3", 1);
	put("-1", "4", 1);
	expect("7x", LIMIT, "1", 1);
	expect("+7", LIMIT, "2", 1);
	expect(" 7", LIMIT, "3", 1);
	expect("-1", LIMIT, "4", 1);
	expect_refused("/dev/fd/", LIMIT, 0);
	expect_refused("", LIMIT, ENOENT);
}
END_TEST

START_TEST(a_strange_name_is_shown_printable)
{
	char *message = refused("\033[2J", LIMIT, ENOENT);

	ck_assert_ptr_nonnull(strstr(message, "\\x1b[2J"));
	ck_assert_ptr_null(strchr(message, '\033'));
	free(message);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_file_is_read_whole,
		the_limit_is_exact,
		what_has_no_end_is_refused_by_path,
		what_is_not_there_is_refused,
		a_descriptor_may_be_a_pipe_and_is_closed_afterwards,
		a_descriptor_has_the_same_limit,
		a_descriptor_that_cannot_be_read_is_refused,
		only_the_exact_forms_are_descriptors,
		a_strange_name_is_shown_printable,
	};

	return unit_run("linux/input", tests, UNIT_COUNT(tests));
}
