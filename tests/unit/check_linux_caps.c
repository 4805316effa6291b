/*
 * Tests of linux/caps.c: names of capabilities.
 */
#include "linux/caps.h"

#include <string.h>

#include <linux/capability.h>

#include "unit/unit.h"

static void expect(const char *names, uint64_t wanted)
{
	struct str_list list = STR_LIST_INIT;
	struct err err = ERR_INIT;
	uint64_t set = ~UINT64_C(0);

	for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		str_list_take(&list, xstrndup(at, length));
		at += length;
	}
	ck_assert_msg(caps_parse(&list, &set, &err) == 0, "%s: %s", names, err.message);
	ck_assert_uint_eq(set, wanted);
	str_list_free(&list);
	err_clear(&err);
}

static void expect_refused(const char *name)
{
	struct str_list list = STR_LIST_INIT;
	struct err err = ERR_INIT;
	uint64_t set;

	str_list_add(&list, "CAP_CHOWN");
	str_list_add(&list, name);
	ck_assert_msg(caps_parse(&list, &set, &err) == -1, "%s", name);
	ck_assert_int_eq(err.kind, ERR_USAGE);
	ck_assert_int_eq(strncmp(err.message, "--cap-add ", 10), 0);
	str_list_free(&list);
	err_clear(&err);
}

START_TEST(names_may_be_written_in_every_usual_way)
{
	uint64_t raw = UINT64_C(1) << CAP_NET_RAW;

	expect("", 0);
	expect("CAP_NET_RAW", raw);
	expect("cap_net_raw", raw);
	expect("net_raw", raw);
	expect("NET_RAW", raw);
	expect("Cap_Net_Raw", raw);
	expect("NET_RAW CAP_NET_RAW", raw);
	expect("CAP_CHOWN net_raw", raw | UINT64_C(1) << CAP_CHOWN);
	/* In the upper word of the kernel's two. */
	expect("CAP_AUDIT_READ", UINT64_C(1) << CAP_AUDIT_READ);
}
END_TEST

START_TEST(all_is_every_one_that_this_kernel_has)
{
	struct str_list list = STR_LIST_INIT;
	struct err err = ERR_INIT;
	uint64_t set = 0;

	str_list_add(&list, "all");
	ck_assert_int_eq(caps_parse(&list, &set, &err), 0);
	/* Without a gap, and at least those of Linux 4.9. */
	ck_assert_uint_eq(set & (set + 1), 0);
	ck_assert(set >> CAP_AUDIT_READ & 1);
	str_list_free(&list);
}
END_TEST

START_TEST(what_is_no_name_is_refused)
{
	static const char *const names[] = {
		"CAP_", "cap", "CAP_NOTHING", "CAP_NET_RAW ", " CAP_NET_RAW", "CAP_NET_RAW,CAP_CHOWN",
		"CAP_NET_RAW+ep", "cap_net_raw=ep", "-CAP_CHOWN", "ALLES", "CAP_ALL", "CAP_CAP_CHOWN", "\033",
	};

	for (size_t i = 0; i < UNIT_COUNT(names); i++)
		expect_refused(names[i]);
}
END_TEST

START_TEST(a_number_is_no_name)
{
	static const char *const names[] = { "0", "13", "cap_13", "CAP_0", "63", "64", "-1" };

	for (size_t i = 0; i < UNIT_COUNT(names); i++)
		expect_refused(names[i]);
}
END_TEST

START_TEST(a_strange_name_is_shown_printable)
{
	struct str_list list = STR_LIST_INIT;
	struct err err = ERR_INIT;
	uint64_t set;

	str_list_add(&list, "\033[2J");
	ck_assert_int_eq(caps_parse(&list, &set, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.message, "\\x1b[2J"));
	ck_assert_ptr_null(strchr(err.message, '\033'));
	str_list_free(&list);
	err_clear(&err);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		names_may_be_written_in_every_usual_way,
		all_is_every_one_that_this_kernel_has,
		what_is_no_name_is_refused,
		a_number_is_no_name,
		a_strange_name_is_shown_printable,
	};

	return unit_run("linux/caps", tests, UNIT_COUNT(tests));
}
