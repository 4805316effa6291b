/*
 * Tests of cli/check.c on made-up answers of two backends.
 */
#include "cli/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/json_check.h"
#include "unit/unit.h"

static const struct backend strong = { .name = "strong" }, weak = { .name = "weak" };

struct answers {
	struct spec spec;
	struct backend_check checks[2];
};

static void confirm_all(struct report *report)
{
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		if (report->layers[i].asked == WANT_YES)
			report_confirm(report, (enum control)i, "it", 0, "so");
	}
}

/* Both can all; the second is the weaker by what it is. */
static void begin(struct answers *answers)
{
	struct err err = ERR_INIT;

	memset(answers, 0, sizeof(*answers));
	spec_init(&answers->spec);
	spec_add_word(&answers->spec, "true");
	ck_assert_int_eq(spec_check(&answers->spec, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		struct backend_check *check = &answers->checks[i];

		check->backend = i == 0 ? &strong : &weak;
		report_init(&check->report, &answers->spec);
		check->is_usable = true;
		confirm_all(&check->report);
	}
	answers->checks[1].report.weakness = xstrdup("weaker");
	str_list_add(&answers->checks[1].report.not_covered, "names: can be seen");
}

static void end(struct answers *answers)
{
	for (size_t i = 0; i < 2; i++)
		backend_check_free(&answers->checks[i]);
	spec_free(&answers->spec);
}

static void refuse(struct backend_check *check)
{
	report_missing(&check->report, CONTROL_USER_NAMESPACE, EPERM, "allow it", "the host forbids it");
	check->is_usable = false;
	err_set(&check->err, ERR_REFUSED, "cannot");
}

static void expect(const struct answers *answers, int status, const char *const *in, size_t in_count,
    const char *not_in)
{
	struct str text = STR_INIT, json = STR_INIT;

	ck_assert_int_eq(check_status(answers->checks, 2), status);
	check_text(answers->checks, 2, false, &text);
	for (size_t i = 0; i < in_count; i++)
		ck_assert_msg(strstr(str_text(&text), in[i]) != NULL, "%s not in:\n%s", in[i], str_text(&text));
	ck_assert_ptr_null(strstr(str_text(&text), not_in));
	ck_assert_ptr_null(strchr(str_text(&text), '\033'));
	ck_assert_ptr_null(strstr(str_text(&text), " \n"));
	check_json(answers->checks, 2, "here", &json);
	ck_assert_msg(json_fault(str_text(&json), json.length) == NULL, "%s", str_text(&json));
	str_free(&text);
	str_free(&json);
}

START_TEST(all_that_can_be_is_whole)
{
	static const char *const in[] = { "this host           whole         weaker\n",
		"user-namespace      yes           yes\n", "Not covered by weak:\n  names: can be seen\n" };
	struct answers answers;

	begin(&answers);
	expect(&answers, 0, in, UNIT_COUNT(in), "what helps");
	end(&answers);
}
END_TEST

START_TEST(a_refusal_has_its_reason_and_its_remedy)
{
	static const char *const in[] = { "this host           not here      weaker\n",
		"user-namespace      no            yes\n", "strong, user-namespace: EPERM: the host forbids it\n",
		"  what helps: allow it\n" };
	struct answers answers;

	begin(&answers);
	refuse(&answers.checks[0]);
	expect(&answers, 1, in, UNIT_COUNT(in), "whole");
	end(&answers);
}
END_TEST

START_TEST(where_nothing_would_run_it_is_said)
{
	static const char *const in[] = { "this host           not here      not here\n",
		"\nweak: no such thing here\n" };
	struct answers answers;

	begin(&answers);
	refuse(&answers.checks[0]);
	answers.checks[1].is_usable = false;
	err_set(&answers.checks[1].err, ERR_UNAVAILABLE, "no such thing here");
	expect(&answers, 2, in, UNIT_COUNT(in), "Not covered");
	end(&answers);
}
END_TEST

START_TEST(one_layer_less_is_not_whole)
{
	static const char *const in[] = { "this host           weaker        weaker\n" };
	struct answers answers;

	begin(&answers);
	report_free(&answers.checks[0].report);
	report_init(&answers.checks[0].report, &answers.spec);
	expect(&answers, 1, in, UNIT_COUNT(in), "whole");
	end(&answers);
}
END_TEST

START_TEST(colour_is_for_terminals)
{
	struct str text = STR_INIT;
	struct answers answers;

	begin(&answers);
	check_text(answers.checks, 2, true, &text);
	ck_assert_ptr_nonnull(strstr(str_text(&text), "\033[32mwhole\033[0m"));
	ck_assert_ptr_nonnull(strstr(str_text(&text), "\033[33mweaker\033[0m"));
	str_free(&text);
	end(&answers);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		all_that_can_be_is_whole,
		a_refusal_has_its_reason_and_its_remedy,
		where_nothing_would_run_it_is_said,
		one_layer_less_is_not_whole,
		colour_is_for_terminals,
	};

	return unit_run("cli/check", tests, UNIT_COUNT(tests));
}
