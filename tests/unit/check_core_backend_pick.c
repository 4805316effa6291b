/*
 * Tests of core/backend.c's choice.
 */
#include "core/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

/* What two made-up backends can do, most preferred first. */
static int probe_all(struct probe *probe, struct err *err)
{
	size_t i;

	(void)err;
	for (i = 0; i < CONTROL_COUNT; i++)
		probe->controls[i].can = true;
	return 0;
}

static int probe_no_user_namespace(struct probe *probe, struct err *err)
{
	probe_all(probe, err);
	probe->controls[CONTROL_USER_NAMESPACE].can = false;
	probe->controls[CONTROL_USER_NAMESPACE].sys = EPERM;
	probe->controls[CONTROL_USER_NAMESPACE].reason = "the host forbids it";
	probe->controls[CONTROL_USER_NAMESPACE].remedy = "allow it";
	return 0;
}

static int probe_no_network(struct probe *probe, struct err *err)
{
	probe_all(probe, err);
	probe->controls[CONTROL_NETWORK].can = false;
	return 0;
}

static int probe_nothing(struct probe *probe, struct err *err)
{
	(void)probe;
	(void)err;
	return 0;
}

static int probe_broken(struct probe *probe, struct err *err)
{
	(void)probe;
	return err_sys(err, ERR_SETUP, EIO, "open");
}

/* The choice calls nothing but probe. */
#define BACKEND(label, function) { .name = label, .probe = function }

static const struct backend strong = BACKEND("strong", probe_all);
static const struct backend hindered = BACKEND("hindered", probe_no_user_namespace);
static const struct backend weak = BACKEND("weak", probe_no_network);
static const struct backend useless = BACKEND("useless", probe_nothing);
static const struct backend broken = BACKEND("broken", probe_broken);

struct choice {
	struct spec spec;
	struct report report;
	struct err err;
};

static void choice_init(struct choice *choice, const char *name)
{
	memset(choice, 0, sizeof(*choice));
	spec_init(&choice->spec);
	spec_add_word(&choice->spec, "true");
	choice->spec.backend = name ? xstrdup(name) : NULL;
}

static const struct backend *choose(struct choice *choice, const struct backend *first,
    const struct backend *second)
{
	const struct backend *const backends[] = { first, second, NULL };

	ck_assert_int_eq(spec_check(&choice->spec, &choice->err), 0);
	report_init(&choice->report, &choice->spec);
	return backend_pick(backends, &choice->spec, &choice->report, &choice->err);
}

static void choice_free(struct choice *choice)
{
	report_free(&choice->report);
	spec_free(&choice->spec);
	err_clear(&choice->err);
}

START_TEST(the_first_that_can_is_picked)
{
	struct choice choice;

	choice_init(&choice, NULL);
	ck_assert_ptr_eq(choose(&choice, &strong, &weak), &strong);
	ck_assert_str_eq(choice.report.backend, "strong");
	ck_assert_int_eq(choice.err.kind, ERR_NONE);
	choice_free(&choice);
}
END_TEST

START_TEST(one_that_cannot_is_passed_over_without_a_trace)
{
	const struct backend *const unfit[] = { &hindered, &useless, &broken, &weak };
	size_t i, j;

	for (i = 0; i < UNIT_COUNT(unfit); i++) {
		struct choice choice;

		choice_init(&choice, NULL);
		ck_assert_ptr_eq(choose(&choice, unfit[i], &strong), &strong);
		ck_assert_str_eq(choice.report.backend, "strong");
		ck_assert_ptr_null(choice.err.message);
		for (j = 0; j < CONTROL_COUNT; j++)
			ck_assert_int_ne(choice.report.layers[j].state, LAYER_REFUSED);
		choice_free(&choice);
	}
}
END_TEST

START_TEST(a_fallback_is_not_taken_for_what_the_better_one_lacks)
{
	static const struct backend fallback = { .name = "fallback", .probe = probe_all, .is_fallback = true };
	struct choice choice;

	choice_init(&choice, NULL);
	ck_assert_ptr_null(choose(&choice, &hindered, &fallback));
	ck_assert_int_eq(choice.err.kind, ERR_REFUSED);
	choice_free(&choice);
	/* By name, or where nothing better is left, it is. */
	choice_init(&choice, "fallback");
	ck_assert_ptr_eq(choose(&choice, &hindered, &fallback), &fallback);
	choice_free(&choice);
	choice_init(&choice, NULL);
	ck_assert_ptr_eq(choose(&choice, &fallback, &strong), &fallback);
	choice_free(&choice);
}
END_TEST

START_TEST(what_is_not_required_does_not_count)
{
	struct choice choice;

	choice_init(&choice, NULL);
	choice.spec.policy[CONTROL_USER_NAMESPACE].may_miss = true;
	ck_assert_ptr_eq(choose(&choice, &hindered, &strong), &hindered);
	choice_free(&choice);
	choice_init(&choice, NULL);
	choice.spec.network = SPEC_NETWORK_HOST;
	ck_assert_ptr_eq(choose(&choice, &weak, &strong), &weak);
	choice_free(&choice);
}
END_TEST

START_TEST(where_none_can_each_control_is_named_with_option_reason_and_remedy)
{
	struct choice choice;
	const struct layer *layers = choice.report.layers;

	choice_init(&choice, NULL);
	choice.spec.policy[CONTROL_NETWORK].required = true;
	ck_assert_ptr_null(choose(&choice, &hindered, &weak));
	ck_assert_int_eq(choice.err.kind, ERR_REFUSED);
	ck_assert_str_eq(choice.err.message, "backend hindered cannot enforce user-namespace "
	    "(default): EPERM: the host forbids it (allow it); backend weak cannot enforce "
	    "network (--require network)");
	ck_assert_ptr_null(choice.report.backend);
	ck_assert_int_eq(layers[CONTROL_USER_NAMESPACE].state, LAYER_REFUSED);
	ck_assert_int_eq(layers[CONTROL_USER_NAMESPACE].sys, EPERM);
	ck_assert_str_eq(layers[CONTROL_USER_NAMESPACE].reason, "the host forbids it");
	ck_assert_str_eq(layers[CONTROL_USER_NAMESPACE].remedy, "allow it");
	/* The better one could have done it. */
	ck_assert_int_eq(layers[CONTROL_NETWORK].state, LAYER_UNCONFIRMED);
	choice_free(&choice);
}
END_TEST

START_TEST(a_control_without_a_reason_gets_one_in_the_report)
{
	struct choice choice;

	choice_init(&choice, NULL);
	ck_assert_ptr_null(choose(&choice, &weak, NULL));
	ck_assert_int_eq(choice.report.layers[CONTROL_NETWORK].state, LAYER_REFUSED);
	ck_assert_str_eq(choice.report.layers[CONTROL_NETWORK].reason,
	    "the backend weak has no means for it");
	choice_free(&choice);
}
END_TEST

START_TEST(several_controls_are_all_named)
{
	struct choice choice;
	size_t i;

	choice_init(&choice, NULL);
	ck_assert_ptr_null(choose(&choice, &broken, &useless));
	ck_assert_ptr_nonnull(strstr(choice.err.message,
	    "backend broken cannot be probed: open: EIO: "));
	for (i = 0; i < CONTROL_COUNT; i++) {
		char *part = xasprintf(" %s (default)", control_name((enum control)i));
		bool wanted = choice.spec.policy[i].want == WANT_YES;

		ck_assert_int_eq(strstr(choice.err.message, part) != NULL, wanted);
		ck_assert_int_eq(choice.report.layers[i].state == LAYER_REFUSED, wanted);
		free(part);
	}
	choice_free(&choice);
}
END_TEST

START_TEST(a_backend_asked_for_by_name_is_the_only_candidate)
{
	struct choice choice;

	choice_init(&choice, "strong");
	ck_assert_ptr_eq(choose(&choice, &weak, &strong), &strong);
	choice_free(&choice);
	choice_init(&choice, "hindered");
	ck_assert_ptr_null(choose(&choice, &strong, &hindered));
	ck_assert_int_eq(choice.err.kind, ERR_REFUSED);
	ck_assert_ptr_null(strstr(choice.err.message, "strong"));
	choice_free(&choice);
	choice_init(&choice, "auto");
	ck_assert_ptr_eq(choose(&choice, &weak, &strong), &strong);
	choice_free(&choice);
}
END_TEST

START_TEST(a_name_that_no_backend_has_is_refused_with_those_there_are)
{
	struct choice choice;

	choice_init(&choice, "stro\x1bng");
	ck_assert_ptr_null(choose(&choice, &strong, &weak));
	ck_assert_int_eq(choice.err.kind, ERR_USAGE);
	ck_assert_str_eq(choice.err.message, "--backend: this system has no backend "
	    "'stro\\x1bng'; there is auto, strong, weak");
	ck_assert_ptr_null(choice.report.backend);
	choice_free(&choice);
	choice_init(&choice, NULL);
	ck_assert_ptr_null(choose(&choice, NULL, NULL));
	ck_assert_int_eq(choice.err.kind, ERR_REFUSED);
	choice_free(&choice);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_first_that_can_is_picked,
		one_that_cannot_is_passed_over_without_a_trace,
		a_fallback_is_not_taken_for_what_the_better_one_lacks,
		what_is_not_required_does_not_count,
		where_none_can_each_control_is_named_with_option_reason_and_remedy,
		a_control_without_a_reason_gets_one_in_the_report,
		several_controls_are_all_named,
		a_backend_asked_for_by_name_is_the_only_candidate,
		a_name_that_no_backend_has_is_refused_with_those_there_are,
	};

	return unit_run("core/backend pick", tests, UNIT_COUNT(tests));
}
