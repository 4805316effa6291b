/*
 * Tests of linux/resolve.c on made-up trees.
 */
#include "linux/resolve.h"

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
static void enter_new_tree(void)
{
	char name[] = "resolve-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
}

static void make_folder(const char *path)
{
	ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void make_link(const char *text, const char *path)
{
	ck_assert_int_eq(symlink(text, path), 0);
}

static int open_root(void)
{
	int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Compares with the path and with "LINK -> TEXT; ..." for the links that were met. */
static void expect(int root, const char *path, const char *result, const char *links)
{
	struct resolved resolved;
	struct str met = STR_INIT;

	ck_assert_msg(resolve_path(root, path, &resolved) == 0, "%s: %s", path, strerror(errno));
	ck_assert_str_eq(resolved.path, result);
	ck_assert_uint_eq(resolved.links.count % 2, 0);
	for (size_t i = 0; i < resolved.links.count; i += 2)
		str_addf(&met, "%s%s -> %s", i ? "; " : "", resolved.links.items[i],
		    resolved.links.items[i + 1]);
	ck_assert_str_eq(str_text(&met), links);
	str_free(&met);
	resolved_free(&resolved);
	resolved_free(&resolved);
}

static void expect_error(int root, const char *path, int error)
{
	struct resolved resolved;

	ck_assert_int_eq(resolve_path(root, path, &resolved), -1);
	ck_assert_msg(errno == error, "%s: %s", path, strerror(errno));
}

START_TEST(slashes_and_dots_go_away)
{
	int root;

	enter_new_tree();
	make_folder("a");
	make_folder("a/b");
	make_file("a/b/c");
	root = open_root();
	expect(root, "/", "/", "");
	expect(root, "//", "/", "");
	expect(root, "/.", "/", "");
	expect(root, "/a", "/a", "");
	expect(root, "//a//b/", "/a/b", "");
	expect(root, "/./a/./b/./c", "/a/b/c", "");
	expect(root, "/a/b/..", "/a", "");
	expect(root, "/a/../a/b/../b/c", "/a/b/c", "");
	close(root);
}
END_TEST

START_TEST(nothing_lies_above_the_root)
{
	int root;

	enter_new_tree();
	make_folder("a");
	make_link("../../../../a", "up");
	make_link("/../..", "top");
	root = open_root();
	expect(root, "/..", "/", "");
	expect(root, "/../../..", "/", "");
	expect(root, "/../a/../../a", "/a", "");
	expect(root, "/up", "/a", "/up -> ../../../../a");
	expect(root, "/top", "/", "/top -> /../..");
	close(root);
}
END_TEST

START_TEST(links_are_noted_in_the_order_in_which_they_are_met)
{
	int root;

	enter_new_tree();
	make_folder("usr");
	make_folder("usr/bin");
	make_folder("usr/etc");
	make_folder("etc");
	make_file("usr/bin/mawk");
	make_link("usr/bin", "bin");
	make_link("/etc/awk", "usr/bin/awk");
	make_link("../bin/mawk", "etc/awk");
	root = open_root();
	expect(root, "/bin", "/usr/bin", "/bin -> usr/bin");
	expect(root, "/bin/mawk", "/usr/bin/mawk", "/bin -> usr/bin");
	expect(root, "/bin/awk", "/usr/bin/mawk", "/bin -> usr/bin; /usr/bin/awk -> /etc/awk; "
	    "/etc/awk -> ../bin/mawk; /bin -> usr/bin");
	expect(root, "/bin/../etc", "/usr/etc", "/bin -> usr/bin");
	close(root);
}
END_TEST

START_TEST(an_absolute_link_stays_below_the_root)
{
	struct resolved resolved;
	struct stat inside, outside;
	int root;

	enter_new_tree();
	make_folder("etc");
	make_file("etc/passwd");
	make_folder("sub");
	make_link("/etc/passwd", "sub/accounts");
	root = open_root();
	ck_assert_int_eq(resolve_path(root, "/sub/accounts", &resolved), 0);
	ck_assert_str_eq(resolved.path, "/etc/passwd");
	ck_assert_int_eq(stat("etc/passwd", &inside), 0);
	ck_assert(resolved.status.st_ino == inside.st_ino && resolved.status.st_dev == inside.st_dev);
	if (stat("/etc/passwd", &outside) == 0)
		ck_assert(outside.st_ino != inside.st_ino || outside.st_dev != inside.st_dev);
	resolved_free(&resolved);
	close(root);
}
END_TEST

START_TEST(the_status_is_that_of_what_it_is)
{
	struct resolved resolved;
	int root;

	enter_new_tree();
	make_folder("folder");
	make_file("file");
	make_link("folder", "link");
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	root = open_root();
	ck_assert_int_eq(resolve_path(root, "/link", &resolved), 0);
	ck_assert(S_ISDIR(resolved.status.st_mode));
	resolved_free(&resolved);
	ck_assert_int_eq(resolve_path(root, "/file", &resolved), 0);
	ck_assert(S_ISREG(resolved.status.st_mode));
	resolved_free(&resolved);
	ck_assert_int_eq(resolve_path(root, "/fifo", &resolved), 0);
	ck_assert(S_ISFIFO(resolved.status.st_mode));
	resolved_free(&resolved);
	close(root);
}
END_TEST

START_TEST(what_does_not_lead_anywhere_is_an_error)
{
	int root;

	enter_new_tree();
	make_file("file");
	make_link("absent", "broken");
	make_link("loop", "loop");
	make_link("ping", "pong");
	make_link("pong", "ping");
	root = open_root();
	expect_error(root, "", ENOENT);
	expect_error(root, "/absent", ENOENT);
	expect_error(root, "/absent/..", ENOENT);
	expect_error(root, "/broken", ENOENT);
	expect_error(root, "/loop", ELOOP);
	expect_error(root, "/ping/x", ELOOP);
	expect_error(root, "/file/x", ENOTDIR);
	expect_error(-1, "absent", ENOENT);
	close(root);
}
END_TEST

/* As the kernel has it, path_resolution(7). */
START_TEST(what_lies_behind_a_file_is_an_error)
{
	int root;

	enter_new_tree();
	make_file("file");
	make_link("file", "link");
	root = open_root();
	expect_error(root, "/file/.", ENOTDIR);
	expect_error(root, "/file/", ENOTDIR);
	expect_error(root, "/file/..", ENOTDIR);
	expect_error(root, "/link/..", ENOTDIR);
	expect_error(root, "/link/../file", ENOTDIR);
	expect_error(root, "/link/", ENOTDIR);
	close(root);
}
END_TEST

START_TEST(forty_links_are_followed_and_no_more)
{
	char text[16], name[16];
	struct resolved resolved;
	int root;

	enter_new_tree();
	make_file("l0");
	for (int i = 1; i <= 41; i++) {
		snprintf(text, sizeof(text), "l%d", i - 1);
		snprintf(name, sizeof(name), "l%d", i);
		make_link(text, name);
	}
	root = open_root();
	ck_assert_int_eq(resolve_path(root, "/l40", &resolved), 0);
	ck_assert_str_eq(resolved.path, "/l0");
	ck_assert_uint_eq(resolved.links.count, 80);
	resolved_free(&resolved);
	expect_error(root, "/l41", ELOOP);
	close(root);
}
END_TEST

START_TEST(a_relative_path_begins_at_the_current_folder)
{
	char *here, *path;

	enter_new_tree();
	make_folder("a");
	make_file("a/file");
	here = realpath(".", NULL);
	ck_assert_ptr_nonnull(here);
	expect(-1, ".", here, "");
	path = xasprintf("%s/a/file", here);
	expect(-1, "a/file", path, "");
	expect(-1, "./a/../a//file", path, "");
	ck_assert_int_eq(chdir("a"), 0);
	expect(-1, "../a/file", path, "");
	free(path);
	free(here);
}
END_TEST

START_TEST(names_may_hold_anything)
{
	int root;

	enter_new_tree();
	make_folder("a b");
	make_file("a b/new\nline");
	make_folder("...");
	make_file(".../..x");
	make_link("a b/new\nline", "back\\slash");
	root = open_root();
	expect(root, "/a b/new\nline", "/a b/new\nline", "");
	expect(root, "/.../..x", "/.../..x", "");
	expect(root, "/back\\slash", "/a b/new\nline", "/back\\slash -> a b/new\nline");
	close(root);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		slashes_and_dots_go_away,
		nothing_lies_above_the_root,
		links_are_noted_in_the_order_in_which_they_are_met,
		an_absolute_link_stays_below_the_root,
		the_status_is_that_of_what_it_is,
		what_does_not_lead_anywhere_is_an_error,
		what_lies_behind_a_file_is_an_error,
		forty_links_are_followed_and_no_more,
		a_relative_path_begins_at_the_current_folder,
		names_may_hold_anything,
	};

	return unit_run("linux/resolve", tests, UNIT_COUNT(tests));
}
