/*
 * Tests of core/spec.c.
 */
#include "core/spec.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

START_TEST(an_empty_spec_asks_for_nothing_and_is_freed_twice)
{
	struct spec spec;

	spec_init(&spec);
	ck_assert(!spec.frozen);
	ck_assert_ptr_null(spec.command);
	ck_assert_int_eq(spec.network, SPEC_NETWORK_NONE);
	spec_free(&spec);
	spec_free(&spec);
}
END_TEST

START_TEST(twenty_thousand_items_keep_their_order)
{
	struct spec spec;
	size_t i;

	spec_init(&spec);
	for (i = 0; i < 20000; i++) {
		struct spec_fs *fs = spec_add_fs(&spec, SPEC_FS_DIR, "--dir");

		ck_assert_ptr_null(fs->dest);
		ck_assert_ptr_null(fs->source);
		ck_assert_uint_eq(fs->layers.count, 0);
		fs->dest = xasprintf("/%zu", i);
		spec_add_pass_fd(&spec, (int)i + 3);
	}
	ck_assert_uint_eq(spec.fs_count, 20000);
	ck_assert_str_eq(spec.fs[0].dest, "/0");
	ck_assert_str_eq(spec.fs[16384].dest, "/16384");
	ck_assert_str_eq(spec.fs[19999].dest, "/19999");
	ck_assert_int_eq(spec.pass_fds[19999], 20002);
	spec_free(&spec);
	ck_assert_ptr_null(spec.fs);
}
END_TEST

START_TEST(the_command_is_terminated_at_every_length)
{
	struct spec spec;
	size_t i;

	spec_init(&spec);
	for (i = 0; i < 70; i++) {
		spec_add_word(&spec, i % 2 ? "" : "word");
		ck_assert_uint_eq(spec.command_count, i + 1);
		ck_assert_ptr_null(spec.command[i + 1]);
	}
	ck_assert_str_eq(spec.command[0], "word");
	ck_assert_str_eq(spec.command[1], "");
	spec_free(&spec);
	ck_assert_ptr_null(spec.command);
}
END_TEST

START_TEST(nothing_in_a_spec_points_into_what_it_was_made_from)
{
	char pair[] = "NAME=value";
	char word[] = "word";
	struct spec spec;

	spec_init(&spec);
	spec_add_env(&spec, SPEC_ENV_SET, pair, 4, pair + 5);
	spec_add_env(&spec, SPEC_ENV_PASS, pair, 4, NULL);
	spec_add_word(&spec, word);
	memset(pair, 'x', sizeof(pair) - 1);
	memset(word, 'x', sizeof(word) - 1);
	ck_assert_str_eq(spec.env[0].name, "NAME");
	ck_assert_str_eq(spec.env[0].value, "value");
	ck_assert_str_eq(spec.env[1].name, "NAME");
	ck_assert_ptr_null(spec.env[1].value);
	ck_assert_int_eq(spec.env[1].kind, SPEC_ENV_PASS);
	ck_assert_str_eq(spec.command[0], "word");
	spec_free(&spec);
}
END_TEST

START_TEST(everything_a_spec_owns_is_freed_and_it_may_be_used_again)
{
	struct spec spec;
	int round;

	spec_init(&spec);
	for (round = 0; round < 2; round++) {
		struct spec_fs *fs = spec_add_fs(&spec, SPEC_FS_OVERLAY, "--overlay");

		fs->source = xstrdup("/u");
		fs->work = xstrdup("/w");
		fs->dest = xstrdup("/d");
		str_list_add(&fs->layers, "/l");
		spec.hostname = xstrdup("h");
		spec.chdir = xstrdup("/");
		str_list_add(&spec.cap_add, "CAP_CHOWN");
		spec.backend = xstrdup("b");
		spec.id = xstrdup("i");
		spec.report = xstrdup("r");
		spec_add_env(&spec, SPEC_ENV_SET, "A", 1, "b");
		spec_add_pass_fd(&spec, 3);
		spec_add_word(&spec, "true");
		spec_free(&spec);
		ck_assert_ptr_null(spec.hostname);
		ck_assert_uint_eq(spec.env_count, 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		an_empty_spec_asks_for_nothing_and_is_freed_twice,
		twenty_thousand_items_keep_their_order,
		the_command_is_terminated_at_every_length,
		nothing_in_a_spec_points_into_what_it_was_made_from,
		everything_a_spec_owns_is_freed_and_it_may_be_used_again,
	};

	return unit_run("core/spec", tests, UNIT_COUNT(tests));
}
