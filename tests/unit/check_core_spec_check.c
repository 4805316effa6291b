/*
 * Tests of core/spec_check.c: each rule from both sides, and what is wanted of
 * each control.
 */
#include "core/spec.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static void make(struct spec *spec)
{
	spec_init(spec);
	spec_add_word(spec, "true");
}

static void assert_fine(struct spec *spec)
{
	struct err err = ERR_INIT;

	ck_assert_msg(spec_check(spec, &err) == 0, "%s", err.message);
	ck_assert(spec->frozen);
}

/* Refused as usage; the message has both words in it; the spec is not frozen. */
static void assert_refused(struct spec *spec, const char *first, const char *second)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(spec_check(spec, &err), -1);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_msg(strstr(err.message, first) != NULL, "%s", err.message);
	ck_assert_msg(strstr(err.message, second) != NULL, "%s", err.message);
	ck_assert(!spec->frozen);
	err_clear(&err);
	spec_free(spec);
}

static void assert_want(const struct spec *spec, enum control control, enum want want)
{
	ck_assert_msg(spec->policy[control].want == want, "%s", control_name(control));
}

START_TEST(a_command_must_be_given)
{
	struct spec spec;

	spec_init(&spec);
	assert_refused(&spec, "no command given", "COMMAND");
}
END_TEST

START_TEST(what_is_wanted_by_default_is_as_documented)
{
	static const enum want wants[CONTROL_COUNT] = {
		WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_TRY,
		WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_NO, WANT_TRY,
		WANT_YES, WANT_YES, WANT_YES, WANT_YES, WANT_NO, WANT_TRY, WANT_YES, WANT_NO,
	};
	struct spec spec;
	size_t i;

	make(&spec);
	assert_fine(&spec);
	ck_assert_int_eq(CONTROL_CGROUP, 24);
	for (i = 0; i < CONTROL_COUNT; i++)
		assert_want(&spec, (enum control)i, wants[i]);
	spec_free(&spec);
}
END_TEST

START_TEST(each_control_can_be_required)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		struct spec spec;

		make(&spec);
		spec.policy[i].required = true;
		assert_fine(&spec);
		assert_want(&spec, (enum control)i, WANT_YES);
		spec_free(&spec);
	}
}
END_TEST

START_TEST(a_control_that_may_miss_is_tried_where_it_is_wanted_at_all)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		struct spec plain, spec;
		enum want before;

		make(&plain);
		assert_fine(&plain);
		before = plain.policy[i].want;
		make(&spec);
		spec.policy[i].may_miss = true;
		assert_fine(&spec);
		assert_want(&spec, (enum control)i, before == WANT_YES ? WANT_TRY : before);
		spec_free(&plain);
		spec_free(&spec);
	}
}
END_TEST

START_TEST(a_control_both_required_and_allowed_to_miss_is_refused)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		char *name = xasprintf("--require %s contradicts", control_name((enum control)i));
		char *other = xasprintf("--allow-missing %s", control_name((enum control)i));
		struct spec spec;

		make(&spec);
		spec.policy[i].required = true;
		spec.policy[i].may_miss = true;
		assert_refused(&spec, name, other);
		free(name);
		free(other);
	}
}
END_TEST

START_TEST(the_network_of_the_host_gives_up_what_it_must_and_no_more)
{
	struct spec spec;

	make(&spec);
	spec.network = SPEC_NETWORK_HOST;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_NETWORK, WANT_NO);
	assert_want(&spec, CONTROL_NETWORK_NAMESPACE, WANT_NO);
	assert_want(&spec, CONTROL_UNIX_SOCKETS, WANT_NO);
	assert_want(&spec, CONTROL_IPC, WANT_YES);
	assert_want(&spec, CONTROL_USER_NAMESPACE, WANT_YES);
	spec_free(&spec);
}
END_TEST

START_TEST(the_network_of_the_host_contradicts_no_network)
{
	struct spec spec;

	make(&spec);
	spec.network = SPEC_NETWORK_HOST;
	spec.policy[CONTROL_NETWORK].required = true;
	assert_refused(&spec, "--net host", "--require network");
	make(&spec);
	spec.network = SPEC_NETWORK_HOST;
	spec.policy[CONTROL_NETWORK_NAMESPACE].required = true;
	assert_refused(&spec, "--net host", "--require network-namespace");
	make(&spec);
	spec.network = SPEC_NETWORK_HOST;
	spec.policy[CONTROL_UNIX_SOCKETS].required = true;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_UNIX_SOCKETS, WANT_YES);
	spec_free(&spec);
}
END_TEST

START_TEST(a_kept_environment_is_not_a_cleared_one)
{
	struct spec spec;

	make(&spec);
	spec.keep_env = true;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_ENVIRONMENT, WANT_NO);
	spec_free(&spec);
	make(&spec);
	spec.keep_env = true;
	spec.policy[CONTROL_ENVIRONMENT].required = true;
	assert_refused(&spec, "--keep-env", "--require environment");
}
END_TEST

START_TEST(a_new_session_is_required_unless_it_may_miss)
{
	struct spec spec;

	make(&spec);
	spec.new_session = true;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_SESSION, WANT_YES);
	spec_free(&spec);
	make(&spec);
	spec.new_session = true;
	spec.policy[CONTROL_SESSION].may_miss = true;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_SESSION, WANT_TRY);
	spec_free(&spec);
}
END_TEST

START_TEST(capabilities_that_were_asked_for_leave_the_others_required_absent)
{
	struct spec spec;

	make(&spec);
	str_list_add(&spec.cap_add, "CAP_CHOWN");
	assert_fine(&spec);
	assert_want(&spec, CONTROL_CAPABILITIES, WANT_YES);
	spec_free(&spec);
}
END_TEST

START_TEST(passed_descriptors_are_sorted_and_not_given_twice)
{
	struct spec spec;

	make(&spec);
	spec_add_pass_fd(&spec, 9);
	spec_add_pass_fd(&spec, 3);
	spec_add_pass_fd(&spec, 2147483647);
	assert_fine(&spec);
	ck_assert_int_eq(spec.pass_fds[0], 3);
	ck_assert_int_eq(spec.pass_fds[1], 9);
	ck_assert_int_eq(spec.pass_fds[2], 2147483647);
	spec_free(&spec);
	make(&spec);
	spec_add_pass_fd(&spec, 9);
	spec_add_pass_fd(&spec, 3);
	spec_add_pass_fd(&spec, 9);
	assert_refused(&spec, "--pass-fd 9", "twice");
	make(&spec);
	spec_add_pass_fd(&spec, 9);
	spec.report = xstrdup("fd:9");
	assert_refused(&spec, "--report fd:9", "--pass-fd 9");
}
END_TEST

static void add_overlay(struct spec *spec, enum spec_overlay kind, const char *option,
    size_t layers)
{
	struct spec_fs *fs = spec_add_fs(spec, SPEC_FS_OVERLAY, option);

	fs->overlay = kind;
	fs->dest = xstrdup("/dest\n");
	while (layers-- > 0)
		str_list_add(&fs->layers, "/layer");
}

START_TEST(an_overlay_needs_its_layers)
{
	static const struct {
		enum spec_overlay kind;
		const char *option;
		size_t least;
		const char *problem;
	} table[] = {
		{ SPEC_OVERLAY_RW, "--overlay", 1, "/dest\\x0a: needs at least one " },
		{ SPEC_OVERLAY_TMP, "--tmp-overlay", 1, "/dest\\x0a: needs at least one " },
		{ SPEC_OVERLAY_RO, "--ro-overlay", 2, "/dest\\x0a: needs at least two " },
	};
	size_t i;

	for (i = 0; i < UNIT_COUNT(table); i++) {
		struct spec spec;

		make(&spec);
		spec_add_fs(&spec, SPEC_FS_DIR, "--dir");
		add_overlay(&spec, table[i].kind, table[i].option, table[i].least);
		assert_fine(&spec);
		spec_free(&spec);
		make(&spec);
		add_overlay(&spec, table[i].kind, table[i].option, 5);
		add_overlay(&spec, table[i].kind, table[i].option, table[i].least - 1);
		assert_refused(&spec, table[i].option, table[i].problem);
	}
}
END_TEST

START_TEST(checking_twice_changes_nothing)
{
	struct spec spec;

	make(&spec);
	assert_fine(&spec);
	spec.policy[CONTROL_SECCOMP].required = true;
	assert_fine(&spec);
	assert_want(&spec, CONTROL_SECCOMP, WANT_NO);
	spec_free(&spec);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_command_must_be_given,
		what_is_wanted_by_default_is_as_documented,
		each_control_can_be_required,
		a_control_that_may_miss_is_tried_where_it_is_wanted_at_all,
		a_control_both_required_and_allowed_to_miss_is_refused,
		the_network_of_the_host_gives_up_what_it_must_and_no_more,
		the_network_of_the_host_contradicts_no_network,
		a_kept_environment_is_not_a_cleared_one,
		a_new_session_is_required_unless_it_may_miss,
		capabilities_that_were_asked_for_leave_the_others_required_absent,
		passed_descriptors_are_sorted_and_not_given_twice,
		an_overlay_needs_its_layers,
		checking_twice_changes_nothing,
	};

	return unit_run("core/spec_check", tests, UNIT_COUNT(tests));
}
