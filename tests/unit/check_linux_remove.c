/*
 * Tests of linux/remove.c: a tree goes, whatever is in it, and nothing outside does.
 */
#include "linux/disk_scratch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/files.h"
#include "unit/unit.h"

enum { STRANGER = 65534 };

/* In a folder of its own; "tree" in it is what is removed. */
static void begin(void)
{
	files_enter_new_folder();
	files_make_dir("tree");
}

static void expect_gone(const char *path)
{
	ck_assert_msg(remove_tree(AT_FDCWD, path) == 0, "%s: %s", path, strerror(errno));
	ck_assert(!files_exist(path));
}

static void expect_stays(const char *path, int error)
{
	errno = 0;
	ck_assert_int_eq(remove_tree(AT_FDCWD, path), -1);
	ck_assert_msg(errno == error, "%s: %s", path, strerror(errno));
	ck_assert(files_exist(path));
}

START_TEST(single_entries_of_every_kind_go)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "tree/socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	begin();
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	files_put("tree/file", "");
	ck_assert_int_eq(link("tree/file", "tree/other"), 0);
	ck_assert_int_eq(mkfifo("tree/fifo", 0), 0);
	ck_assert_int_eq(symlink("nowhere", "tree/dangling"), 0);
	expect_gone("tree/socket");
	expect_gone("tree/fifo");
	expect_gone("tree/file");
	expect_gone("tree/other");
	expect_gone("tree/dangling");
	expect_gone("tree");
	/* Nothing is left of what is not there. */
	expect_gone("absent");
	expect_gone("absent");
	ck_assert_int_eq(remove_tree(AT_FDCWD, "absent/below"), 0);
}
END_TEST

START_TEST(a_name_may_hold_any_byte)
{
	char name[] = "tree/?name";

	begin();
	for (int byte = 1; byte < 256; byte++) {
		if (byte == '/')
			continue;
		name[5] = (char)byte;
		files_make_dir(name);
	}
	files_make_dir("tree/...");
	files_put("tree/.../..x", "");
	files_put("tree/-rf", "");
	files_make_dir("tree/ ");
	files_put("tree/ /\n", "");
	expect_gone("tree");
}
END_TEST

START_TEST(links_are_removed_and_not_followed)
{
	begin();
	files_make_dir("outside");
	files_put("outside/file", "");
	ck_assert_int_eq(chmod("outside", 0500), 0);
	ck_assert_int_eq(symlink("../outside", "tree/folder"), 0);
	ck_assert_int_eq(symlink("../outside/file", "tree/file"), 0);
	ck_assert_int_eq(symlink("/", "tree/root"), 0);
	ck_assert_int_eq(symlink("..", "tree/up"), 0);
	ck_assert_int_eq(link("outside/file", "tree/hard"), 0);
	files_make_dir("tree/deep");
	ck_assert_int_eq(symlink("../../outside", "tree/deep/folder"), 0);
	ck_assert_int_eq(symlink("outside", "link"), 0);
	expect_gone("tree");
	expect_gone("link");
	ck_assert(files_exist("outside/file"));
	ck_assert_uint_eq(files_mode("outside"), 0500);
}
END_TEST

START_TEST(folders_without_any_right_go)
{
	begin();
	ck_assert_int_eq(chmod(".", 0755), 0);
	if (geteuid() == 0) {
		ck_assert_int_eq(chown("tree", STRANGER, STRANGER), 0);
		ck_assert_int_eq(chown(".", STRANGER, STRANGER), 0);
		ck_assert_int_eq(setgid(STRANGER), 0);
		ck_assert_int_eq(setuid(STRANGER), 0);
	}
	files_make_dir("tree/a");
	files_make_dir("tree/a/b");
	files_make_dir("tree/a/b/c");
	files_put("tree/a/b/c/file", "");
	files_make_dir("tree/empty");
	files_make_dir("tree/noread");
	files_put("tree/noread/file", "");
	ck_assert_int_eq(chmod("tree/noread", 0333), 0);
	ck_assert_int_eq(chmod("tree/empty", 0), 0);
	ck_assert_int_eq(chmod("tree/a/b/c", 0), 0);
	ck_assert_int_eq(chmod("tree/a/b", 0444), 0);
	ck_assert_int_eq(chmod("tree/a", 0555), 0);
	ck_assert_int_eq(chmod("tree", 0), 0);
	expect_gone("tree");
}
END_TEST

/* A chain of folders; each is entered before the next is made, so that no path is long. */
static void make_chain(unsigned depth, const char *name)
{
	int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ck_assert_int_eq(chdir("tree"), 0);
	for (unsigned i = 0; i < depth; i++) {
		files_make_dir(name);
		if (i % 16 == 0) {
			files_put("file", "");
			ck_assert_int_eq(symlink("/", "link"), 0);
		}
		ck_assert_int_eq(chdir(name), 0);
	}
	ck_assert_int_eq(fchdir(home), 0);
	close(home);
}

START_TEST(depth_needs_no_descriptors_and_no_stack)
{
	const struct rlimit few = { 12, 12 }, small = { 256 << 10, 256 << 10 };
	char name[51];

	begin();
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	/* 150,000 bytes of path, which no call takes. */
	make_chain(3000, name);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_STACK, &small), 0);
	expect_gone("tree");
}
END_TEST

START_TEST(wide_folders_go_and_so_do_wide_trees)
{
	char path[64];

	begin();
	for (unsigned i = 0; i < 3000; i++) {
		snprintf(path, sizeof(path), "tree/folder%u", i);
		files_make_dir(path);
		snprintf(path, sizeof(path), "tree/folder%u/file", i);
		files_put(path, "");
		snprintf(path, sizeof(path), "tree/file%u", i);
		files_put(path, "");
	}
	expect_gone("tree");
}
END_TEST

/* Whether this process may mount, in a mount namespace of its own. */
static bool can_mount(void)
{
	return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

START_TEST(mount_points_are_not_crossed)
{
	begin();
	files_make_dir("tree/disk");
	files_make_dir("tree/bound");
	files_make_dir("tree/deep");
	files_make_dir("tree/deep/er");
	files_put("tree/deep/file", "");
	files_put("tree/deep/er/mounted", "");
	files_make_dir("outside");
	files_put("outside/file", "");
	if (!can_mount())
		return;
	ck_assert_int_eq(mount("none", "tree/disk", "tmpfs", 0, NULL), 0);
	files_put("tree/disk/file", "");
	/* On the same device, so that its number tells nothing. */
	ck_assert_int_eq(mount("outside", "tree/bound", NULL, MS_BIND, NULL), 0);
	ck_assert_int_eq(mount("outside/file", "tree/deep/er/mounted", NULL, MS_BIND, NULL), 0);
	expect_stays("tree", EBUSY);
	ck_assert(files_exist("tree/disk/file"));
	ck_assert(files_exist("tree/bound/file"));
	ck_assert(files_exist("outside/file"));
	ck_assert(!files_exist("tree/deep/file"));
	ck_assert(files_exist("tree/deep/er/mounted"));
	expect_stays("tree/disk", EBUSY);
	ck_assert(files_exist("tree/disk/file"));
	umount("tree/disk");
	umount("tree/bound");
	umount("tree/deep/er/mounted");
	expect_gone("tree");
	ck_assert(files_exist("outside/file"));
}
END_TEST

START_TEST(what_is_foreign_stays_and_all_else_goes)
{
	begin();
	if (geteuid() != 0) {
		/* Only root can make what is another user's. */
		return;
	}
	ck_assert_int_eq(chmod(".", 0755), 0);
	files_make_dir("tree/a");
	files_make_dir("tree/a/foreign");
	files_put("tree/a/foreign/file", "");
	files_make_dir("tree/a/foreign/open");
	ck_assert_int_eq(chmod("tree/a/foreign/open", 0777), 0);
	files_make_dir("tree/a/foreign/open/own");
	files_put("tree/a/foreign/open/own/file", "");
	files_make_dir("tree/z");
	files_put("tree/z/file", "");
	ck_assert_int_eq(chown("tree/a/foreign/open/own", STRANGER, STRANGER), 0);
	ck_assert_int_eq(chown("tree/a", STRANGER, STRANGER), 0);
	ck_assert_int_eq(chown("tree/z", STRANGER, STRANGER), 0);
	ck_assert_int_eq(chown("tree", STRANGER, STRANGER), 0);
	ck_assert_int_eq(chown(".", STRANGER, STRANGER), 0);
	ck_assert_int_eq(setgid(STRANGER), 0);
	ck_assert_int_eq(setuid(STRANGER), 0);
	expect_stays("tree", EACCES);
	ck_assert(files_exist("tree/a/foreign/file"));
	ck_assert(!files_exist("tree/a/foreign/open/own"));
	ck_assert(!files_exist("tree/z"));
}
END_TEST

/* False where the file system or the user cannot. */
static bool set_immutable(const char *path, bool immutable)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int flags = 0;
	bool done;

	done = ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0;
	flags = immutable ? flags | FS_IMMUTABLE_FL : flags & ~FS_IMMUTABLE_FL;
	done = done && ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0;
	close(fd);
	return done;
}

START_TEST(an_immutable_file_is_reported_and_all_else_goes)
{
	begin();
	files_make_dir("tree/a");
	files_put("tree/a/fixed", "");
	files_put("tree/a/file", "");
	files_make_dir("tree/b");
	files_put("tree/b/file", "");
	if (!set_immutable("tree/a/fixed", true))
		return;
	errno = 0;
	int result = remove_tree(AT_FDCWD, "tree");
	int error = errno;
	bool has_rest = files_exist("tree/b") || files_exist("tree/a/file");
	bool has_fixed = files_exist("tree/a/fixed");
	ck_assert(set_immutable("tree/a/fixed", false));
	ck_assert_int_eq(result, -1);
	ck_assert_int_eq(error, EPERM);
	ck_assert(has_fixed && !has_rest);
	expect_gone("tree");
}
END_TEST

/* Makes entries and moves folders about, until it is killed. */
static void disturb(void)
{
	for (unsigned i = 0;; i++) {
		char path[64];

		snprintf(path, sizeof(path), "tree/f%u/g", i % 50);
		mkdir(path, 0755);
		rename(path, "tree/moved");
		snprintf(path, sizeof(path), "tree/moved/file%u", i);
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
		unlink("tree/f1");
		ck_assert(symlink("../outside", "tree/f1") == 0 || errno != 0);
		snprintf(path, sizeof(path), "tree/f%u", i % 50);
		mkdir(path, 0755);
	}
}

START_TEST(a_tree_that_changes_meanwhile_harms_nothing)
{
	pid_t other;

	begin();
	files_make_dir("outside");
	files_put("outside/file", "");
	make_chain(300, "d");
	other = unit_fork();
	ck_assert_int_ge(other, 0);
	if (other == 0)
		disturb();
	for (unsigned i = 0; i < 30; i++) {
		mkdir("tree", 0755);
		(void)remove_tree(AT_FDCWD, "tree");
	}
	kill(other, SIGKILL);
	ck_assert_int_eq(waitpid(other, NULL, 0), other);
	if (files_exist("tree"))
		expect_gone("tree");
	ck_assert(files_exist("outside/file"));
}
END_TEST

START_TEST(two_at_once_are_harmless)
{
	int status;
	pid_t other;

	begin();
	make_chain(500, "d");
	for (unsigned i = 0; i < 500; i++) {
		char path[64];

		snprintf(path, sizeof(path), "tree/f%u", i);
		files_make_dir(path);
		snprintf(path, sizeof(path), "tree/f%u/g", i);
		files_make_dir(path);
	}
	other = unit_fork();
	if (other == 0)
		_exit(remove_tree(AT_FDCWD, "tree") == 0 || errno != EBADF ? 0 : 1);
	(void)remove_tree(AT_FDCWD, "tree");
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert_int_eq(status, 0);
	if (files_exist("tree"))
		expect_gone("tree");
}
END_TEST

START_TEST(no_descriptor_is_left_open)
{
	int before = files_next_descriptor();

	begin();
	make_chain(20, "d");
	expect_gone("tree");
	ck_assert_int_eq(files_next_descriptor(), before);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		single_entries_of_every_kind_go,
		a_name_may_hold_any_byte,
		links_are_removed_and_not_followed,
		folders_without_any_right_go,
		depth_needs_no_descriptors_and_no_stack,
		wide_folders_go_and_so_do_wide_trees,
		mount_points_are_not_crossed,
		what_is_foreign_stays_and_all_else_goes,
		an_immutable_file_is_reported_and_all_else_goes,
		a_tree_that_changes_meanwhile_harms_nothing,
		two_at_once_are_harmless,
		no_descriptor_is_left_open,
	};

	return unit_run("linux/remove", tests, UNIT_COUNT(tests));
}
