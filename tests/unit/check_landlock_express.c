/*
 * Tests of landlock/express.c and linux/landlock_abi.c: what a view comes to, on real folders, and what each ABI can restrict.
 */
#include "landlock/express.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "linux/landlock_abi.h"
#include "unit/files.h"
#include "unit/unit.h"

static char here[4096];

struct trial {
	struct spec spec;
	struct view view;
	struct allowances all;
	struct err err;
	int result;
};

static void begin(struct trial *trial)
{
	memset(trial, 0, sizeof(*trial));
	files_enter_new_folder();
	ck_assert_ptr_nonnull(getcwd(here, sizeof(here) - 100));
	files_make_dir("a");
	files_make_dir("a/b");
	files_make_dir("a/b/c");
	files_make_dir("a-b");
	spec_init(&trial->spec);
	spec_add_word(&trial->spec, "true");
}

static void ask(struct trial *trial, enum spec_fs_kind kind, const char *name, bool read_only)
{
	struct spec_fs *fs = spec_add_fs(&trial->spec, kind, kind == SPEC_FS_MASK ? "--mask" :
	    kind == SPEC_FS_TMPFS ? "--tmpfs" : read_only ? "--ro" : "--rw");

	fs->dest = xasprintf("%s/%s", here, name);
	if (kind == SPEC_FS_BIND) {
		fs->source = xstrdup(fs->dest);
		fs->same_place = true;
	}
	fs->read_only = read_only;
}

static void express(struct trial *trial)
{
	ck_assert_int_eq(spec_check(&trial->spec, &trial->err), 0);
	ck_assert_msg(view_build(&trial->spec, &trial->view, &trial->err) == 0, "%s", trial->err.message);
	trial->result = express_view(&trial->spec, &trial->view, &trial->all, &trial->err);
}

/* "a ro, a/b rw": what is left, in the order of the paths. */
static void expect(const struct trial *trial, const char *wanted)
{
	struct str got = STR_INIT;

	ck_assert_msg(trial->result == 0, "%s", trial->err.message);
	for (size_t i = 0; i < trial->all.count; i++) {
		const char *path = trial->all.items[i].item->source.path;
		const char *name = strstr(path, here) == path ? path + strlen(here) + 1 : path;

		/* The links at the host's top are no allowances; what they lead to was not asked for. */
		str_addf(&got, "%s%s %s", got.length > 0 ? ", " : "", name,
		    trial->all.items[i].is_wide ? "rw" : "ro");
	}
	ck_assert_str_eq(str_text(&got), wanted);
	str_free(&got);
}

static void end(struct trial *trial)
{
	express_free(&trial->all);
	express_free(&trial->all);
	view_free(&trial->view);
	spec_free(&trial->spec);
	err_clear(&trial->err);
}

START_TEST(what_is_asked_for_is_sorted_by_components)
{
	struct trial trial;

	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a-b", true);
	ask(&trial, SPEC_FS_BIND, "a", true);
	ask(&trial, SPEC_FS_BIND, "a/b", false);
	express(&trial);
	expect(&trial, "a ro, a/b rw, a-b ro");
	ck_assert(express_shows(&trial.all, here) == false);
	end(&trial);
}
END_TEST

START_TEST(the_later_covers_the_earlier)
{
	struct trial trial;

	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a/b", false);
	ask(&trial, SPEC_FS_BIND, "a/b/c", true);
	ask(&trial, SPEC_FS_BIND, "a", true);
	express(&trial);
	expect(&trial, "a ro");
	end(&trial);
	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a", false);
	ask(&trial, SPEC_FS_BIND, "a", true);
	express(&trial);
	expect(&trial, "a ro");
	end(&trial);
}
END_TEST

START_TEST(something_narrower_inside_something_wider_is_refused)
{
	struct trial trial;

	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a", false);
	ask(&trial, SPEC_FS_BIND, "a/b", true);
	express(&trial);
	ck_assert_int_eq(trial.result, -1);
	ck_assert_int_eq(trial.err.kind, ERR_REFUSED);
	ck_assert_ptr_nonnull(strstr(trial.err.message, "--allow-missing read-only"));
	end(&trial);
	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a", false);
	ask(&trial, SPEC_FS_BIND, "a/b", true);
	trial.spec.policy[CONTROL_READ_ONLY].may_miss = true;
	express(&trial);
	ck_assert_int_eq(trial.result, 0);
	ck_assert_uint_eq(trial.all.left_out.count, 1);
	end(&trial);
}
END_TEST

START_TEST(masks_count_in_their_order)
{
	struct trial trial;

	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a/b", true);
	ask(&trial, SPEC_FS_BIND, "a-b", true);
	ask(&trial, SPEC_FS_MASK, "a", false);
	express(&trial);
	expect(&trial, "a-b ro");
	end(&trial);
	begin(&trial);
	ask(&trial, SPEC_FS_MASK, "a", false);
	ask(&trial, SPEC_FS_BIND, "a/b", true);
	express(&trial);
	expect(&trial, "a/b ro");
	end(&trial);
	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a", true);
	ask(&trial, SPEC_FS_MASK, "a/b", false);
	express(&trial);
	ck_assert_int_eq(trial.result, -1);
	end(&trial);
	begin(&trial);
	ask(&trial, SPEC_FS_BIND, "a", true);
	ask(&trial, SPEC_FS_MASK, "absent", false);
	express(&trial);
	expect(&trial, "a ro");
	end(&trial);
}
END_TEST

START_TEST(what_is_no_file_of_the_host_is_refused)
{
	struct trial trial;

	begin(&trial);
	ask(&trial, SPEC_FS_TMPFS, "a", false);
	express(&trial);
	ck_assert_int_eq(trial.result, -1);
	ck_assert_ptr_nonnull(strstr(trial.err.message, "--tmpfs"));
	ck_assert_ptr_nonnull(strstr(trial.err.message, "--allow-missing mount-namespace"));
	end(&trial);
}
END_TEST

START_TEST(each_abi_adds_what_it_added)
{
	struct abi_ruleset last = { .fs = 0 };

	ck_assert_uint_eq(abi_all(0).fs, 0);
	ck_assert_uint_eq(abi_all(1).fs, 0x1fff);
	ck_assert_uint_eq(abi_all(2).fs, 0x3fff);
	ck_assert_uint_eq(abi_all(3).fs, 0x7fff);
	ck_assert_uint_eq(abi_all(3).net, 0);
	ck_assert_uint_eq(abi_all(4).net, 3);
	ck_assert_uint_eq(abi_all(5).fs, 0xffff);
	ck_assert_uint_eq(abi_all(5).scoped, 0);
	ck_assert_uint_eq(abi_all(6).scoped, 3);
	ck_assert_uint_eq(abi_all(8).fs, 0xffff);
	ck_assert_uint_eq(abi_all(9).fs, 0x1ffff);
	ck_assert_uint_eq(abi_all(10).net, 15);
	for (int abi = 0; abi < 99; abi++) {
		struct abi_ruleset all = abi_all(abi);

		ck_assert_uint_eq(all.fs & last.fs, last.fs);
		ck_assert_uint_eq(all.net & last.net, last.net);
		ck_assert_uint_eq(all.quiet_fs | all.quiet_net | all.quiet_scoped, 0);
		last = all;
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		what_is_asked_for_is_sorted_by_components,
		the_later_covers_the_earlier,
		something_narrower_inside_something_wider_is_refused,
		masks_count_in_their_order,
		what_is_no_file_of_the_host_is_refused,
		each_abi_adds_what_it_added,
	};

	return unit_run("landlock/express", tests, UNIT_COUNT(tests));
}
