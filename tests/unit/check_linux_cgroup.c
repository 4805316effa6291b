/*
 * Tests of what control groups' files, names and paths mean (linux/cgroup_text.c), and of what is done to
 * folders (linux/cgroup_sweep.c, linux/cgroup_find.c) as far as an ordinary folder can stand for a group.
 */
#include "linux/cgroup_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/cgroup.h"
#include "linux/cgroup_find.h"
#include "linux/cgroup_sweep.h"
#include "unit/unit.h"

static char *made;	/* the test's own folder */

static int folder(void)
{
	const char *parent = getenv("TMPDIR");
	int fd;

	made = xasprintf("%s/cgroup.XXXXXX", parent != NULL ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(made));
	fd = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	return fd;
}

static void fill(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

START_TEST(controllers_are_whole_words)
{
	static const struct {
		const char *text;
		unsigned set;
	} rows[] = {
		{ "", 0 }, { "\n", 0 }, { "cpuset cpu io memory hugetlb pids rdma misc\n", CGROUP_CONTROLLERS },
		{ "memory\n", CGROUP_MEMORY }, { "pids memory", CGROUP_PIDS | CGROUP_MEMORY },
		{ "cpuset\n", 0 }, { "cpu", CGROUP_CPU }, { "memoryx xpids cp\n", 0 }, { "  pids  \n", CGROUP_PIDS },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++)
		ck_assert_msg(cgroup_parse_set(rows[i].text) == rows[i].set, "%s", rows[i].text);
}
END_TEST

START_TEST(a_set_is_written_as_the_kernel_reads_it)
{
	static const struct {
		unsigned set;
		char sign;
		const char *text;
	} rows[] = {
		{ CGROUP_CONTROLLERS, '+', "+memory +pids +cpu" }, { CGROUP_PIDS, '-', "-pids" }, { 0, '+', "" },
		{ CGROUP_MEMORY | CGROUP_CPU, '-', "-memory -cpu" },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		char *text = cgroup_format_set(rows[i].set, rows[i].sign);

		ck_assert_str_eq(text, rows[i].text);
		free(text);
	}
}
END_TEST

START_TEST(each_limit_needs_its_controller)
{
	struct spec_limits limits = { 0 };

	limits.wall_ns = limits.cpu_ns = limits.output_bytes = 1;
	ck_assert_uint_eq(cgroup_needed(&limits), 0);
	limits.mem_bytes = 1;
	ck_assert_uint_eq(cgroup_needed(&limits), CGROUP_MEMORY);
	limits.pids = 1;
	limits.cpus_milli = 1;
	ck_assert_uint_eq(cgroup_needed(&limits), CGROUP_CONTROLLERS);
	ck_assert_uint_eq(cgroup_count(CGROUP_CONTROLLERS), 3);
	ck_assert_uint_eq(cgroup_count(CGROUP_PIDS), 1);
	ck_assert_uint_eq(cgroup_count(0), 0);
}
END_TEST

START_TEST(a_key_is_found_at_a_lines_begin)
{
	static const char stat[] = "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\nnr_periods 0\n";
	static const char events[] = "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n";
	uint64_t number = 77;

	ck_assert(cgroup_parse_key(stat, "usage_usec", &number));
	ck_assert_uint_eq(number, 1234567);
	ck_assert(cgroup_parse_key(stat, "nr_periods", &number));
	ck_assert_uint_eq(number, 0);
	ck_assert(cgroup_parse_key(events, "oom_kill", &number));
	ck_assert_uint_eq(number, 3);
	ck_assert(cgroup_parse_key("populated 1\nfrozen 0", "frozen", &number));
	ck_assert_uint_eq(number, 0);
	ck_assert(!cgroup_parse_key(stat, "usec", &number));
	ck_assert(!cgroup_parse_key(events, "oom_k", &number));
	ck_assert(!cgroup_parse_key(events, "kill", &number));
	ck_assert(!cgroup_parse_key("", "max", &number));
	ck_assert(!cgroup_parse_key("max\n", "max", &number));
	ck_assert(!cgroup_parse_key("max x\n", "max", &number));
	ck_assert(!cgroup_parse_key("max 1x\n", "max", &number));
	ck_assert(!cgroup_parse_key("max 18446744073709551616\n", "max", &number));
}
END_TEST

START_TEST(a_number_is_the_whole_file)
{
	uint64_t number;

	ck_assert(cgroup_parse_number("4096\n", &number));
	ck_assert_uint_eq(number, 4096);
	ck_assert(cgroup_parse_number("0", &number));
	ck_assert_uint_eq(number, 0);
	ck_assert(!cgroup_parse_number("max\n", &number));
	ck_assert(!cgroup_parse_number("", &number));
	ck_assert(!cgroup_parse_number("1 2\n", &number));
	ck_assert(!cgroup_parse_number("1\n2\n", &number));
}
END_TEST

START_TEST(processes_are_found_and_counted)
{
	size_t others;

	ck_assert(cgroup_parse_pids("12\n", 12, &others));
	ck_assert_uint_eq(others, 0);
	ck_assert(cgroup_parse_pids("1\n12\n123\n", 12, &others));
	ck_assert_uint_eq(others, 2);
	ck_assert(!cgroup_parse_pids("1\n123\n", 12, &others));
	ck_assert_uint_eq(others, 2);
	/* 0: a process that this pid namespace has no number for. It is somebody all the same. */
	ck_assert(cgroup_parse_pids("0\n0\n12\n", 12, &others));
	ck_assert_uint_eq(others, 2);
	ck_assert(!cgroup_parse_pids("", 12, &others));
	ck_assert_uint_eq(others, 0);
}
END_TEST

START_TEST(the_own_group_is_in_the_line_of_version_2)
{
	static const struct {
		const char *text, *path;
	} rows[] = {
		{ "0::/\n", "/" }, { "0::/user.slice/a b\n", "/user.slice/a b" },
		{ "9:name=systemd:/x\n4:memory:/y\n0::/z\n", "/z" }, { "0::/../x", "/../x" },
		{ "9:name=systemd:/x\n", NULL }, { "", NULL }, { "10::/x\n", NULL }, { "0::\n", NULL },
		{ "0::/gone (deleted)\n", NULL }, { "0::/a:b::/c\n", "/a:b::/c" },
		{ "1:name=0::/x:/\n0::/y\n", "/y" },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		char *path = cgroup_parse_own(rows[i].text);

		if (rows[i].path == NULL)
			ck_assert_msg(path == NULL, "%s", rows[i].text);
		else
			ck_assert_str_eq(path, rows[i].path);
		free(path);
	}
}
END_TEST

START_TEST(the_way_from_a_mount_to_the_group)
{
	static const struct {
		const char *root, *own;
		const char *rest;	/* NULL: none */
		unsigned above;
	} rows[] = {
		{ "/", "/", "", 0 }, { "/", "/a/b", "a/b", 0 }, { "/a", "/a", "", 0 }, { "/a", "/a/b", "b", 0 },
		{ "/a", "/ab", NULL, 0 }, { "/a/b", "/a", NULL, 0 }, { "/b", "/a/b", NULL, 0 },
		/* The namespace begins below the mount's root. */
		{ "/..", "/", "", 1 }, { "/../..", "/x/y", "x/y", 2 },
		/* The group lies outside the namespace; the mount shows it, or does not. */
		{ "/..", "/../x", "x", 0 }, { "/../..", "/../x", NULL, 2 }, { "/", "/../x", NULL, 0 },
		{ "/..", "/../../x", NULL, 0 }, { "/../x", "/", NULL, 0 }, { "/../x", "/../x/y", "y", 0 },
		/* Two dots are a component only alone. */
		{ "/", "/a..b/..c/d..", "a..b/..c/d..", 0 }, { "/", "/a/../b", NULL, 0 },
		{ "a", "/a", NULL, 0 }, { "/", "a", NULL, 0 },
	};

	for (size_t i = 0; i < UNIT_COUNT(rows); i++) {
		const char *rest = NULL;
		unsigned above;
		bool found = cgroup_path_below(rows[i].root, rows[i].own, &rest, &above);

		ck_assert_msg(found == (rows[i].rest != NULL), "%s %s", rows[i].root, rows[i].own);
		if (found) {
			ck_assert_str_eq(rest, rows[i].rest);
			ck_assert_uint_eq(above, rows[i].above);
		}
	}
}
END_TEST

START_TEST(names_are_nsboxs_own)
{
	static const char *const theirs[] = {
		"nsbox-", "nsbox-x", "nsbox.run", "xnsbox-a.run", "nsbox-a.runx", "nsbox-a.self", "", ".run", "user.slice",
	};
	char *name = cgroup_name_run("0123abcd", 0), *second = cgroup_name_run("0123abcd", 2);
	char *strange = cgroup_name_run("a/../b\n\xff", 0), *longer;
	char id[1000];

	ck_assert_str_eq(name, "nsbox-0123abcd.run");
	ck_assert_str_eq(second, "nsbox-0123abcd.2.run");
	ck_assert_str_eq(strange, "nsbox-a_.._b__.run");
	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	longer = cgroup_name_run(id, 99);
	ck_assert_uint_lt(strlen(longer), 255);
	ck_assert(cgroup_name_is_ours(name) && cgroup_name_is_ours(second) && cgroup_name_is_ours(longer));
	ck_assert(cgroup_name_is_ours(CGROUP_NAME_LEAF));
	for (size_t i = 0; i < UNIT_COUNT(theirs); i++)
		ck_assert_msg(!cgroup_name_is_ours(theirs[i]), "%s", theirs[i]);
	free(name);
	free(second);
	free(strange);
	free(longer);
}
END_TEST

START_TEST(a_quota_is_never_below_what_the_kernel_takes)
{
	static const uint64_t rates[] = { 1, 2, 9, 10, 11, 500, 1000, 1500, 64000, 1000000 };

	for (size_t i = 0; i < UNIT_COUNT(rates); i++) {
		uint64_t quota, period;

		cgroup_quota(rates[i], &quota, &period);
		ck_assert_uint_ge(quota, 1000);
		ck_assert_uint_le(period, 1000000);
		ck_assert_uint_eq(quota * 1000, rates[i] * period);
	}
}
END_TEST

static bool exists(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A folder that looks like the group of a run. */
static int make_run(int dir, const char *name, const char *events)
{
	int fd;

	ck_assert_int_eq(mkdirat(dir, name, 0755), 0);
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	if (events != NULL)
		fill(fd, "cgroup.events", events);
	return fd;
}

START_TEST(a_tree_of_folders_is_removed_bottom_up)
{
	int dir = folder(), run = make_run(dir, "nsbox-a.run", NULL);

	ck_assert_int_eq(mkdirat(run, "inside", 0755), 0);
	ck_assert_int_eq(mkdirat(run, "inside/b", 0755), 0);
	ck_assert_int_eq(mkdirat(run, "inside/b/c", 0755), 0);
	ck_assert_int_eq(mkdirat(run, "d", 0755), 0);
	ck_assert_int_eq(cgroup_remove_tree(dir, "nsbox-a.run", run, 0), 0);
	ck_assert(!exists(dir, "nsbox-a.run"));
	/* What has gone need not be removed. */
	ck_assert_int_eq(cgroup_remove_tree(dir, "nsbox-a.run", run, 0), 0);
	close(run);
	close(dir);
	rmdir(made);
}
END_TEST

/* In an ordinary folder files hinder rmdir: what would be removed is what stands without its file. */
START_TEST(only_dead_groups_are_swept)
{
	int dir = folder(), alive, unknown, busy, other;

	busy = make_run(dir, "nsbox-busy.run", "populated 1\nfrozen 0\n");
	unknown = make_run(dir, "nsbox-unknown.run", NULL);
	other = make_run(dir, "nsbox-other", "populated 0\nfrozen 0\n");
	alive = make_run(dir, "nsbox-alive.run", "populated 0\nfrozen 0\n");
	ck_assert_int_eq(symlinkat("nsbox-other", dir, "nsbox-link.run"), 0);
	ck_assert_int_eq(cgroup_lock(alive), 0);
	ck_assert_uint_eq(cgroup_sweep_below(dir), 0);
	ck_assert(exists(dir, "nsbox-busy.run") && exists(dir, "nsbox-unknown.run"));
	ck_assert(exists(dir, "nsbox-other") && exists(dir, "nsbox-alive.run"));
	/* The lock is held by whoever has made the group, and a sweeper cannot take it. */
	int second = openat(dir, "nsbox-alive.run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(flock(second, LOCK_EX | LOCK_NB), -1);
	close(alive);
	ck_assert_int_eq(flock(second, LOCK_EX | LOCK_NB), 0);
	close(second);
	unlinkat(busy, "cgroup.events", 0);
	unlinkat(other, "cgroup.events", 0);
	unlinkat(dir, "nsbox-alive.run/cgroup.events", 0);
	unlinkat(dir, "nsbox-link.run", 0);
	unlinkat(dir, "nsbox-busy.run", AT_REMOVEDIR);
	unlinkat(dir, "nsbox-unknown.run", AT_REMOVEDIR);
	unlinkat(dir, "nsbox-other", AT_REMOVEDIR);
	unlinkat(dir, "nsbox-alive.run", AT_REMOVEDIR);
	close(busy);
	close(unknown);
	close(other);
	close(dir);
	ck_assert_int_eq(rmdir(made), 0);
}
END_TEST

START_TEST(no_group_is_harmless)
{
	struct cgroup cgroup = CGROUP_INIT;
	uint64_t number;

	ck_assert(!cgroup_cpu_ns(&cgroup, &number));
	ck_assert(!cgroup_oom_kills(&cgroup, &number));
	ck_assert(!cgroup_pids_refused(&cgroup, &number));
	cgroup_kill(&cgroup);
	ck_assert_int_eq(cgroup_remove(&cgroup), 0);
	cgroup.reason = xstrdup("none");
	ck_assert_int_eq(cgroup_remove(&cgroup), 0);
	ck_assert_ptr_null(cgroup.reason);
}
END_TEST

START_TEST(finding_says_why_not)
{
	struct cgroup_home home;

	/* Whatever this host has: a group, or a reason, and never both. */
	ck_assert_int_eq(cgroup_find(&home), home.own >= 0);
	ck_assert_int_eq(home.reason != NULL, home.own < 0);
	cgroup_home_free(&home);
	cgroup_home_free(&home);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		controllers_are_whole_words,
		a_set_is_written_as_the_kernel_reads_it,
		each_limit_needs_its_controller,
		a_key_is_found_at_a_lines_begin,
		a_number_is_the_whole_file,
		processes_are_found_and_counted,
		the_own_group_is_in_the_line_of_version_2,
		the_way_from_a_mount_to_the_group,
		names_are_nsboxs_own,
		a_quota_is_never_below_what_the_kernel_takes,
		a_tree_of_folders_is_removed_bottom_up,
		only_dead_groups_are_swept,
		no_group_is_harmless,
		finding_says_why_not,
	};

	return unit_run("linux/cgroup", tests, UNIT_COUNT(tests));
}
