/*
 * Tests of linux/disk_scratch.c: what is made, what is removed, what is kept.
 */
#include "linux/disk_scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/files.h"
#include "unit/scratches.h"
#include "unit/unit.h"

static void expect_removed(struct disk_scratch *scratch)
{
	struct err err = ERR_INIT;

	ck_assert_msg(disk_scratch_remove(scratch, &err) == 0, "%s", err.message);
	ck_assert_uint_eq(files_count("p"), 0);
	ck_assert_int_eq(scratch->dir, -1);
	ck_assert_int_eq(scratch->lock, -1);
	ck_assert_ptr_null(scratch->path);
	/* Twice is harmless. */
	ck_assert_int_eq(disk_scratch_remove(scratch, &err), 0);
}

static void expect_refused(const char *parent, const char *id, int error)
{
	struct disk_scratch scratch = DISK_SCRATCH_INIT;
	struct err err = ERR_INIT;

	ck_assert_int_eq(disk_scratch_make(&scratch, parent, id, &err), -1);
	ck_assert_int_eq(err.kind, ERR_SETUP);
	ck_assert_msg(err.sys == error, "%s", err.message);
	ck_assert_msg(str_has_prefix(err.message, "--scratch-dir "), "%s", err.message);
	ck_assert_int_eq(scratch.dir, -1);
	ck_assert_int_eq(scratch.parent, -1);
	ck_assert_ptr_null(scratch.name);
	err_clear(&err);
}

START_TEST(what_is_made_is_private_and_complete)
{
	struct disk_scratch scratch;
	char path[4096], line[300] = "";
	FILE *file;

	scratches_begin();
	scratch = scratches_make("one");
	ck_assert_uint_eq(files_count("p"), 1);
	ck_assert_uint_eq(files_mode("p/nsbox-one"), 0700);
	ck_assert_uint_eq(files_mode("p/nsbox-one/work"), 0700);
	ck_assert_uint_eq(files_mode("p/nsbox-one/tmp"), 01777);
	ck_assert_uint_eq(files_mode("p/nsbox-one/shm"), 01777);
	ck_assert_uint_eq(files_mode("p/nsbox-one/" SCRATCHES_LOCK), 0600);
	ck_assert_uint_eq(files_count("p/nsbox-one"), 4);
	ck_assert_str_eq(scratch.name, "nsbox-one");
	ck_assert_ptr_nonnull(realpath("p/nsbox-one", path));
	ck_assert_str_eq(scratch.path, path);
	file = fopen("p/nsbox-one/" SCRATCHES_LOCK, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
	ck_assert_int_eq(fgetc(file), EOF);
	fclose(file);
	snprintf(path, sizeof(path), " pid %ld start ", (long)getpid());
	ck_assert_msg(str_has_prefix(line, "nsbox-scratch 1 nsbox-one boot ") && strstr(line, path), "%s", line);
	ck_assert(!strstr(line, "start 0\n"));
	expect_removed(&scratch);
}
END_TEST

START_TEST(neither_mask_nor_parent_changes_the_modes)
{
	struct disk_scratch scratch;

	scratches_begin();
	ck_assert_int_eq(chmod("p", 02755), 0);
	umask(0777);
	scratch = scratches_make("one");
	ck_assert_uint_eq(umask(022), 0777);
	ck_assert_uint_eq(files_mode("p/nsbox-one"), 0700);
	ck_assert_uint_eq(files_mode("p/nsbox-one/work"), 0700);
	ck_assert_uint_eq(files_mode("p/nsbox-one/tmp"), 01777);
	ck_assert_uint_eq(files_mode("p/nsbox-one/" SCRATCHES_LOCK), 0600);
	expect_removed(&scratch);
}
END_TEST

START_TEST(it_must_not_exist_before)
{
	scratches_begin();
	ck_assert_int_eq(mkdir("p/nsbox-one", 0700), 0);
	files_put("p/nsbox-one/file", "");
	ck_assert_int_eq(symlink("..", "p/nsbox-two"), 0);
	files_put("p/nsbox-three", "");
	expect_refused("p", "one", EEXIST);
	expect_refused("p", "two", EEXIST);
	expect_refused("p", "three", EEXIST);
	ck_assert_uint_eq(files_count("p"), 3);
	ck_assert_uint_eq(files_count("p/nsbox-one"), 1);
}
END_TEST

START_TEST(a_parent_that_is_none_is_refused)
{
	scratches_begin();
	files_put("file", "");
	expect_refused("absent", "x", ENOENT);
	expect_refused("file", "x", ENOTDIR);
	ck_assert_int_eq(chmod(".", 0755), 0);
	ck_assert_int_eq(chmod("p", 0555), 0);
	if (geteuid() == 0)
		ck_assert(setgid(65534) == 0 && setuid(65534) == 0);
	expect_refused("p", "x", EACCES);
	ck_assert_uint_eq(files_count("p"), 0);
}
END_TEST

START_TEST(all_content_is_removed)
{
	struct disk_scratch scratch;

	scratches_begin();
	files_put("outside", "");
	scratch = scratches_make("one");
	files_put("p/nsbox-one/work/file", "x");
	ck_assert_int_eq(mkdir("p/nsbox-one/work/locked", 0700), 0);
	files_put("p/nsbox-one/work/locked/file", "x");
	ck_assert_int_eq(chmod("p/nsbox-one/work/locked", 0), 0);
	ck_assert_int_eq(chmod("p/nsbox-one/work", 0), 0);
	ck_assert_int_eq(symlink("../../../outside", "p/nsbox-one/tmp/link"), 0);
	ck_assert_int_eq(mkfifo("p/nsbox-one/shm/fifo", 0600), 0);
	files_put("p/nsbox-one/beside", "x");
	expect_removed(&scratch);
	ck_assert(files_exist("outside"));
}
END_TEST

START_TEST(only_the_folder_that_was_made_is_removed)
{
	struct disk_scratch scratch;
	struct err err = ERR_INIT;

	scratches_begin();
	scratch = scratches_make("one");
	ck_assert_int_eq(rename("p/nsbox-one", "p/moved"), 0);
	ck_assert_int_eq(mkdir("p/nsbox-one", 0700), 0);
	files_put("p/nsbox-one/file", "mine");
	ck_assert_int_eq(disk_scratch_remove(&scratch, &err), -1);
	ck_assert_int_eq(err.kind, ERR_LOST);
	ck_assert_ptr_nonnull(strstr(err.message, "nsbox-one"));
	err_clear(&err);
	ck_assert(files_exist("p/nsbox-one/file"));
}
END_TEST

START_TEST(what_is_kept_is_never_swept)
{
	struct disk_scratch scratch;

	scratches_begin();
	scratch = scratches_make("one");
	files_put("p/nsbox-one/work/result", "x");
	disk_scratch_keep(&scratch);
	ck_assert_int_eq(scratch.dir, -1);
	disk_scratch_keep(&scratch);
	ck_assert_int_eq(disk_scratch_sweep("p"), 0);
	ck_assert(files_exist("p/nsbox-one/work/result"));
	ck_assert(!files_exist("p/nsbox-one/" SCRATCHES_LOCK));
}
END_TEST

START_TEST(many_at_once_do_not_disturb_each_other)
{
	enum { WORKERS = 8, ROUNDS = 30 };
	pid_t pids[WORKERS];

	scratches_begin();
	for (unsigned i = 0; i < WORKERS; i++) {
		pids[i] = unit_fork();
		ck_assert_int_ge(pids[i], 0);
		if (pids[i] == 0) {
			scratches_make_and_remove(i, ROUNDS);
			_exit(0);
		}
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		int status;

		ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_uint_eq(files_count("p"), 0);
}
END_TEST

START_TEST(no_descriptor_is_left_open)
{
	struct disk_scratch scratch;
	int before;

	scratches_begin();
	scratches_make_dead("dead");
	before = files_next_descriptor();
	scratch = scratches_make("one");
	expect_removed(&scratch);
	scratch = scratches_make("two");
	disk_scratch_keep(&scratch);
	expect_refused("p", "two", EEXIST);
	ck_assert_int_eq(files_next_descriptor(), before);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		what_is_made_is_private_and_complete,
		neither_mask_nor_parent_changes_the_modes,
		it_must_not_exist_before,
		a_parent_that_is_none_is_refused,
		all_content_is_removed,
		only_the_folder_that_was_made_is_removed,
		what_is_kept_is_never_swept,
		many_at_once_do_not_disturb_each_other,
		no_descriptor_is_left_open,
	};

	return unit_run("linux/disk_scratch", tests, UNIT_COUNT(tests));
}
