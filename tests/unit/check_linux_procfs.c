/*
 * Tests of linux/procfs.c: what is read of /proc may come from hostile processes.
 */
#include "linux/mountline.h"
#include "linux/procfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "unit/unit.h"

static void expect_mounts(const char *text, size_t count, struct procfs_mounts *mounts)
{
	ck_assert_msg(procfs_parse_mounts(xstrdup(text), mounts) == 0, "%s", text);
	ck_assert_uint_eq(mounts->count, count);
}

static void expect_fault(const char *text)
{
	struct procfs_mounts mounts;

	errno = 0;
	ck_assert_msg(procfs_parse_mounts(xstrdup(text), &mounts) == -1, "%s", text);
	ck_assert_int_eq(errno, EPROTO);
	ck_assert_uint_eq(mounts.count, 0);
	procfs_mounts_free(&mounts);
}

START_TEST(a_line_is_taken_apart)
{
	struct procfs_mounts mounts;
	const struct procfs_mount *mount;

	expect_mounts("36 35 98:0 /mnt1 /mnt2 ro,nosuid,noatime master:1 - ext3 /dev/root rw,errors=continue\n",
	    1, &mounts);
	mount = &mounts.items[0];
	ck_assert_uint_eq(mount->id, 36);
	ck_assert_uint_eq(mount->parent, 35);
	ck_assert_str_eq(mount->device, "98:0");
	ck_assert_str_eq(mount->root, "/mnt1");
	ck_assert_str_eq(mount->point, "/mnt2");
	ck_assert_str_eq(mount->options, "ro,nosuid,noatime");
	ck_assert_str_eq(mount->type, "ext3");
	ck_assert(mount->read_only && mount->nosuid && !mount->nodev && !mount->noexec);
	ck_assert(mount->has_peer);
	procfs_mounts_free(&mounts);
	procfs_mounts_free(&mounts);
}
END_TEST

START_TEST(options_are_whole_words_of_the_mount_alone)
{
	struct procfs_mounts mounts;

	/* The last field belongs to the file system and says nothing about this mount. */
	expect_mounts("1 0 0:1 / / rw,relatime - tmpfs none ro,nosuid,nodev,noexec\n"
	    "2 1 0:2 / /a rw,errors=remount-ro,nodevx,xnosuid - tmpfs none rw\n"
	    "3 1 0:3 / /b nosuid,nodev,noexec,ro - tmpfs none rw\n"
	    "4 1 0:4 / /c noexec - tmpfs none rw\n", 4, &mounts);
	ck_assert(!mounts.items[0].read_only && !mounts.items[0].nosuid);
	ck_assert(!mounts.items[0].nodev && !mounts.items[0].noexec);
	ck_assert(!mounts.items[1].read_only && !mounts.items[1].nodev && !mounts.items[1].nosuid);
	ck_assert(mounts.items[2].read_only && mounts.items[2].nosuid);
	ck_assert(mounts.items[2].nodev && mounts.items[2].noexec);
	ck_assert(mounts.items[3].noexec && !mounts.items[3].read_only);
	procfs_mounts_free(&mounts);
}
END_TEST

START_TEST(optional_fields_may_be_any_number)
{
	static const struct {
		const char *fields;
		bool has_peer;
	} rows[] = {
		{ "", false },
		{ "shared:1 ", true },
		{ "master:7 ", true },
		{ "shared:1 master:2 ", true },
		{ "unbindable ", false },
		{ "propagate_from:3 ", false },
		{ "master:7 propagate_from:3 ", true },
		{ "something-new:1 another ", false },
		{ "not-shared:1 ", false },
	};
	struct procfs_mounts mounts;

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		char *text = xasprintf("7 1 0:9 / /x rw %s- tmpfs none rw\n", rows[i].fields);

		expect_mounts(text, 1, &mounts);
		ck_assert_msg(mounts.items[0].has_peer == rows[i].has_peer, "%s", rows[i].fields);
		ck_assert_str_eq(mounts.items[0].type, "tmpfs");
		procfs_mounts_free(&mounts);
		free(text);
	}
}
END_TEST

START_TEST(escapes_are_undone)
{
	struct procfs_mounts mounts;

	expect_mounts("7 1 0:9 /a\\040b /x\\040y\\011z\\012n\\134o rw - tmpfs none rw\n"
	    "8 1 0:9 / /tail\\04 rw - tmpfs none rw\n"
	    "9 1 0:9 / /no\\089\\x41\\ rw - tmpfs none rw\n"
	    "10 1 0:9 / /twice\\134040 rw - tmpfs none rw\n", 4, &mounts);
	ck_assert_str_eq(mounts.items[0].root, "/a b");
	ck_assert_str_eq(mounts.items[0].point, "/x y\tz\nn\\o");
	ck_assert_str_eq(mounts.items[1].point, "/tail\\04");
	ck_assert_str_eq(mounts.items[2].point, "/no\\089\\x41\\");
	/* Once, not twice: this is the name "twice\040". */
	ck_assert_str_eq(mounts.items[3].point, "/twice\\040");
	procfs_mounts_free(&mounts);
}
END_TEST

static const char whole[] = "36 35 98:0 / /mnt rw shared:1 - ext3 /dev/root rw";

START_TEST(malformed_lines_are_refused)
{
	static const char *const lines[] = {
		"\n", "x\n", "36\n", "36 35 98:0 / /mnt\n", "36 35 98:0 / /mnt rw\n",
		"36 35 98:0 / /mnt rw -\n", "36 35 98:0 / /mnt rw - \n", "36 35 98:0 / /mnt rw shared:1 ext3\n",
		"a 35 98:0 / /mnt rw - ext3 x rw\n", "-1 35 98:0 / /mnt rw - ext3 x rw\n",
		"36 b 98:0 / /mnt rw - ext3 x rw\n", "36x 35 98:0 / /mnt rw - ext3 x rw\n",
		"4294967296 35 98:0 / /mnt rw - ext3 x rw\n", "99999999999 35 98:0 / /mnt rw - ext3 x rw\n",
		" 36 35 98:0 / /mnt rw - ext3 x rw\n", "36  98:0 / /mnt rw - ext3 x rw\n",
	};

	for (size_t i = 0; i < UNIT_COUNT(lines); i++) {
		char *behind = xasprintf("%s\n%s", whole, lines[i]);

		expect_fault(lines[i]);
		expect_fault(behind);
		free(behind);
	}
}
END_TEST

START_TEST(a_truncated_line_is_refused_or_is_whole)
{
	struct procfs_mounts mounts;

	for (size_t length = 0; length < sizeof(whole); length++) {
		char *text = xasprintf("%.*s\n", (int)length, whole);
		int result = procfs_parse_mounts(text, &mounts);

		/* From the type on it says all that is asked of it. */
		ck_assert_int_eq(result, length > strcspn(whole, "-") + 2 ? 0 : -1);
		if (result == 0)
			ck_assert_int_eq(strncmp(mounts.items[0].type, "ext3", strlen(mounts.items[0].type)), 0);
		procfs_mounts_free(&mounts);
	}
}
END_TEST

START_TEST(many_mounts_keep_their_order)
{
	struct procfs_mounts mounts;
	struct str text = STR_INIT;

	for (unsigned i = 0; i < 30000; i++)
		str_addf(&text, "%u %u 0:%u / /m%u rw - tmpfs none rw\n", i + 1, i, i, i);
	expect_mounts(str_text(&text), 30000, &mounts);
	ck_assert_str_eq(mounts.items[29999].point, "/m29999");
	ck_assert_uint_eq(mounts.items[29999].id, 30000);
	procfs_mounts_free(&mounts);
	expect_mounts("", 0, &mounts);
	procfs_mounts_free(&mounts);
	str_free(&text);
}
END_TEST

START_TEST(the_mounts_of_this_process_can_be_parsed)
{
	int proc = procfs_open(), self;
	struct procfs_mounts mounts;
	struct str text = STR_INIT;

	ck_assert_int_ge(proc, 0);
	self = procfs_open_process(proc, getpid());
	ck_assert_int_ge(self, 0);
	ck_assert_int_eq(procfs_read(self, "mountinfo", &text), 0);
	ck_assert_int_eq(procfs_parse_mounts(str_take(&text), &mounts), 0);
	ck_assert_uint_gt(mounts.count, 0);
	procfs_mounts_free(&mounts);
	ck_assert_uint_ne(procfs_namespace(self, "ns/net"), 0);
	ck_assert_uint_eq(procfs_namespace(self, "ns/none"), 0);
	errno = 0;
	ck_assert_int_eq(procfs_read(self, "no-such-file", &text), -1);
	ck_assert_int_eq(errno, ENOENT);
	str_free(&text);
	close(self);
	errno = 0;
	ck_assert_int_eq(procfs_open_process(proc, INT32_MAX), -1);
	ck_assert_int_eq(errno, ENOENT);
	close(proc);
}
END_TEST

START_TEST(a_field_is_found_by_its_whole_key_at_a_lines_begin)
{
	static const char status[] = "Name:\tNoNewPrivs:\t1\nUmask:\t0022\nNSpid:\t12\t1\nEmpty:\n"
	    "CapInh:\t0000\nCapInhX:\t1\nXCapInh:\t2\nLast: \t end";

	ck_assert_int_eq(strncmp(procfs_field(status, "Umask"), "0022\n", 5), 0);
	ck_assert_int_eq(strncmp(procfs_field(status, "NSpid"), "12\t1\n", 5), 0);
	ck_assert_int_eq(strncmp(procfs_field(status, "CapInh"), "0000\n", 5), 0);
	ck_assert_str_eq(procfs_field(status, "Last"), "end");
	/* A process names itself; its name is no line. */
	ck_assert_ptr_null(procfs_field(status, "NoNewPrivs"));
	ck_assert_ptr_null(procfs_field(status, "CapIn"));
	ck_assert_ptr_null(procfs_field(status, "end"));
	ck_assert_int_eq(*procfs_field(status, "Empty"), '\n');
	ck_assert_ptr_null(procfs_field("", "Umask"));
	ck_assert_ptr_null(procfs_field(NULL, "Umask"));
}
END_TEST

START_TEST(below_is_judged_by_components)
{
	static const struct {
		const char *path, *folder;
		bool is_below;
	} rows[] = {
		{ "/", "/", true }, { "/a", "/", true }, { "/a/b", "/a", true }, { "/a", "/a", true },
		{ "/ab", "/a", false }, { "/a", "/ab", false }, { "/", "/a", false },
		{ "/b/a", "/a", false }, { "/usr/local", "/usr", true }, { "/usrlocal", "/usr", false },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++)
		ck_assert_msg(mountline_is_below(rows[i].path, rows[i].folder) == rows[i].is_below, "%s %s",
		    rows[i].path, rows[i].folder);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_line_is_taken_apart,
		options_are_whole_words_of_the_mount_alone,
		optional_fields_may_be_any_number,
		escapes_are_undone,
		malformed_lines_are_refused,
		a_truncated_line_is_refused_or_is_whole,
		many_mounts_keep_their_order,
		the_mounts_of_this_process_can_be_parsed,
		a_field_is_found_by_its_whole_key_at_a_lines_begin,
		below_is_judged_by_components,
	};

	return unit_run("linux/procfs", tests, UNIT_COUNT(tests));
}
