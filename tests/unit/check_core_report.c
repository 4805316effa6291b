/*
 * Tests of core/report.c: every way of a layer from one state to another.
 */
#include "core/report.h"

#include <errno.h>
#include <string.h>

#include "unit/unit.h"

/* A report in which every layer is asked for as `want`. */
static void make(struct report *report, struct spec *spec, enum want want)
{
	size_t i;

	spec_init(spec);
	for (i = 0; i < CONTROL_COUNT; i++)
		spec->policy[i].want = want;
	report_init(report, spec);
}

static void done(struct report *report, struct spec *spec)
{
	report_free(report);
	spec_free(spec);
}

START_TEST(a_new_report_claims_nothing)
{
	static const enum want wants[] = { WANT_NO, WANT_TRY, WANT_YES };
	struct report report;
	struct spec spec;
	size_t i, j;

	for (i = 0; i < UNIT_COUNT(wants); i++) {
		make(&report, &spec, wants[i]);
		for (j = 0; j < CONTROL_COUNT; j++) {
			ck_assert_int_eq(report.layers[j].asked, wants[i]);
			ck_assert_int_eq(report.layers[j].state,
			    wants[i] == WANT_NO ? LAYER_SKIPPED : LAYER_UNCONFIRMED);
			ck_assert_ptr_null(report.layers[j].by);
			ck_assert_ptr_null(report.layers[j].evidence);
		}
		ck_assert(!report.has_applied);
		ck_assert_int_eq(report.end.reason, END_NONE);
		ck_assert_int_eq(report.end.code, -1);
		ck_assert_int_eq(report_exit_status(&report), 125);
		ck_assert(!report.usage.wall_ms.known);
		ck_assert(!report.teardown.confirmed);
		ck_assert_ptr_null(report.backend);
		done(&report, &spec);
		report_free(&report);
	}
}
END_TEST

START_TEST(a_figure_is_raised_and_never_lowered)
{
	struct figure figure = { 0 };

	report_raise_figure(&figure, 0);
	ck_assert(figure.known);
	report_raise_figure(&figure, 500);
	ck_assert_uint_eq(figure.value, 500);
	report_raise_figure(&figure, 499);
	ck_assert_uint_eq(figure.value, 500);
}
END_TEST

START_TEST(what_the_spec_says_is_in_the_report)
{
	struct report report;
	struct spec spec;

	spec_init(&spec);
	spec.id = xstrdup("run-1");
	spec_add_word(&spec, "true");
	report_init(&report, &spec);
	ck_assert_str_eq(report.request_id, "run-1");
	ck_assert_str_eq(report.network, "none");
	ck_assert_str_eq(report.argv[0], "true");
	report_free(&report);
	spec.network = SPEC_NETWORK_HOST;
	report_init(&report, &spec);
	ck_assert_str_eq(report.network, "host");
	done(&report, &spec);
}
END_TEST

START_TEST(one_confirmation_applies_a_layer_of_one)
{
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_NETWORK];

	make(&report, &spec, WANT_YES);
	report_confirm(&report, CONTROL_NETWORK, "CLONE_NEWNET", 0, "ns/net is %d", 42);
	ck_assert_int_eq(layer->state, LAYER_APPLIED);
	ck_assert_str_eq(layer->by, "CLONE_NEWNET");
	ck_assert_str_eq(layer->evidence, "ns/net is 42");
	report_confirm(&report, CONTROL_NETWORK, "other", 0, "other");
	ck_assert_str_eq(layer->evidence, "ns/net is 42");
	ck_assert_uint_eq(layer->confirmed, 1);
	ck_assert_int_eq(report.layers[CONTROL_IPC].state, LAYER_UNCONFIRMED);
	done(&report, &spec);
}
END_TEST

START_TEST(a_layer_of_several_needs_each_of_them_once)
{
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_READ_ONLY];

	make(&report, &spec, WANT_YES);
	report_expect(&report, CONTROL_READ_ONLY, 3);
	report_confirm(&report, CONTROL_READ_ONLY, "b", 2, "third");
	report_confirm(&report, CONTROL_READ_ONLY, "b", 2, "third");
	report_confirm(&report, CONTROL_READ_ONLY, "b", 2, "third");
	report_confirm(&report, CONTROL_READ_ONLY, "b", 3, "none of them");
	report_confirm(&report, CONTROL_READ_ONLY, "b", (size_t)-1, "none of them");
	ck_assert_int_eq(layer->state, LAYER_UNCONFIRMED);
	ck_assert_uint_eq(layer->confirmed, 1);
	ck_assert_str_eq(layer->evidence, "third");
	report_confirm(&report, CONTROL_READ_ONLY, "a", 0, "first");
	ck_assert_int_eq(layer->state, LAYER_UNCONFIRMED);
	report_confirm(&report, CONTROL_READ_ONLY, "b", 1, "second");
	ck_assert_int_eq(layer->state, LAYER_APPLIED);
	ck_assert_str_eq(layer->evidence, "first");
	ck_assert_str_eq(layer->by, "a");
	done(&report, &spec);
}
END_TEST

START_TEST(a_layer_of_one_is_not_applied_by_a_foreign_item)
{
	struct report report;
	struct spec spec;

	make(&report, &spec, WANT_YES);
	report_confirm(&report, CONTROL_IPC, "b", 1, "none of it");
	ck_assert_int_eq(report.layers[CONTROL_IPC].state, LAYER_UNCONFIRMED);
	ck_assert_ptr_null(report.layers[CONTROL_IPC].by);
	ck_assert_ptr_null(report.layers[CONTROL_IPC].evidence);
	done(&report, &spec);
}
END_TEST

START_TEST(where_there_is_nothing_to_confirm_it_is_applied)
{
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_READ_ONLY];

	make(&report, &spec, WANT_YES);
	report_expect(&report, CONTROL_READ_ONLY, 0);
	ck_assert_int_eq(layer->state, LAYER_APPLIED);
	ck_assert_ptr_nonnull(layer->evidence);
	report_confirm(&report, CONTROL_READ_ONLY, "by", 0, "no bind was asked for");
	ck_assert_int_eq(layer->state, LAYER_APPLIED);
	ck_assert_str_eq(layer->by, "by");
	ck_assert_str_eq(layer->evidence, "no bind was asked for");
	done(&report, &spec);
}
END_TEST

START_TEST(expecting_more_takes_back_what_was_applied)
{
	struct report report;
	struct spec spec;
	struct layer *layer = &report.layers[CONTROL_ROOT];

	make(&report, &spec, WANT_YES);
	report_confirm(&report, CONTROL_ROOT, "by", 0, "one");
	report_expect(&report, CONTROL_ROOT, 2);
	ck_assert_int_eq(layer->state, LAYER_UNCONFIRMED);
	ck_assert_ptr_null(layer->evidence);
	report_confirm(&report, CONTROL_ROOT, "by", 0, "one");
	ck_assert_int_eq(layer->state, LAYER_UNCONFIRMED);
	report_confirm(&report, CONTROL_ROOT, "by", 1, "two");
	ck_assert_int_eq(layer->state, LAYER_APPLIED);
	done(&report, &spec);
}
END_TEST

START_TEST(what_is_missing_is_skipped_or_refused_as_it_was_asked)
{
	static const struct {
		enum want want;
		enum layer_state state;
	} table[] = {
		{ WANT_NO, LAYER_SKIPPED }, { WANT_TRY, LAYER_SKIPPED }, { WANT_YES, LAYER_REFUSED },
	};
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_IPC];
	size_t i;

	for (i = 0; i < UNIT_COUNT(table); i++) {
		make(&report, &spec, table[i].want);
		report_missing(&report, CONTROL_IPC, EPERM, "do %s", "because of %d", 7);
		ck_assert_int_eq(layer->state, table[i].state);
		ck_assert_int_eq(layer->sys, EPERM);
		ck_assert_str_eq(layer->reason, "because of 7");
		ck_assert_str_eq(layer->remedy, "do %s");
		done(&report, &spec);
	}
}
END_TEST

START_TEST(what_is_refused_or_skipped_is_never_applied_afterwards)
{
	static const enum want wants[] = { WANT_NO, WANT_TRY, WANT_YES };
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_IPC];
	size_t i;

	for (i = 0; i < UNIT_COUNT(wants); i++) {
		enum layer_state state;

		make(&report, &spec, wants[i]);
		report_missing(&report, CONTROL_IPC, 0, NULL, "reason");
		state = layer->state;
		report_expect(&report, CONTROL_IPC, 0);
		report_expect(&report, CONTROL_IPC, 1);
		report_confirm(&report, CONTROL_IPC, "by", 0, "evidence");
		ck_assert_int_eq(layer->state, state);
		ck_assert_ptr_null(layer->by);
		ck_assert_ptr_null(layer->evidence);
		ck_assert_str_eq(layer->reason, "reason");
		done(&report, &spec);
	}
}
END_TEST

START_TEST(a_layer_found_missing_later_is_not_applied_any_more)
{
	struct report report;
	struct spec spec;
	const struct layer *layer = &report.layers[CONTROL_IPC];

	make(&report, &spec, WANT_YES);
	report_confirm(&report, CONTROL_IPC, "by", 0, "evidence");
	report_missing(&report, CONTROL_IPC, EIO, NULL, "gone");
	ck_assert_int_eq(layer->state, LAYER_REFUSED);
	ck_assert_ptr_null(layer->by);
	ck_assert_ptr_null(layer->evidence);
	report_missing(&report, CONTROL_IPC, EPERM, "remedy", "second reason");
	ck_assert_str_eq(layer->reason, "gone");
	ck_assert_int_eq(layer->sys, EIO);
	ck_assert_ptr_null(layer->remedy);
	done(&report, &spec);
}
END_TEST

START_TEST(each_required_layer_that_is_not_applied_is_named)
{
	struct report report;
	struct spec spec;
	struct err err = ERR_INIT;
	size_t i;

	make(&report, &spec, WANT_YES);
	for (i = 0; i < CONTROL_COUNT; i++)
		if (i != CONTROL_ROOT && i != CONTROL_IPC && i != CONTROL_SCRATCH)
			report_confirm(&report, (enum control)i, "by", 0, "evidence");
	report_expect(&report, CONTROL_ROOT, 3);
	report_confirm(&report, CONTROL_ROOT, "by", 1, "evidence");
	report_missing(&report, CONTROL_IPC, EPERM, "allow it", "the kernel refuses");
	ck_assert_int_eq(report_check_required(&report, &err), -1);
	ck_assert_int_eq(err.kind, ERR_REFUSED);
	ck_assert_int_eq(err.sys, EPERM);
	ck_assert_str_eq(err.message, "required and not in force: root: only 1 of 3 confirmed; "
	    "ipc: EPERM: the kernel refuses (allow it); scratch: nothing confirmed it");
	err_clear(&err);
	done(&report, &spec);
}
END_TEST

START_TEST(only_required_layers_are_required)
{
	struct report report;
	struct spec spec;
	struct err err = ERR_INIT;

	make(&report, &spec, WANT_TRY);
	ck_assert_int_eq(report_check_required(&report, &err), 0);
	report_missing(&report, CONTROL_IPC, EPERM, NULL, "reason");
	ck_assert_int_eq(report_check_required(&report, &err), 0);
	ck_assert_ptr_null(err.message);
	report.layers[CONTROL_UI].asked = WANT_YES;
	ck_assert_int_eq(report_check_required(&report, &err), -1);
	err_clear(&err);
	report_confirm(&report, CONTROL_UI, "by", 0, "evidence");
	ck_assert_int_eq(report_check_required(&report, &err), 0);
	done(&report, &spec);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_new_report_claims_nothing,
		a_figure_is_raised_and_never_lowered,
		what_the_spec_says_is_in_the_report,
		one_confirmation_applies_a_layer_of_one,
		a_layer_of_several_needs_each_of_them_once,
		a_layer_of_one_is_not_applied_by_a_foreign_item,
		where_there_is_nothing_to_confirm_it_is_applied,
		expecting_more_takes_back_what_was_applied,
		what_is_missing_is_skipped_or_refused_as_it_was_asked,
		what_is_refused_or_skipped_is_never_applied_afterwards,
		a_layer_found_missing_later_is_not_applied_any_more,
		each_required_layer_that_is_not_applied_is_named,
		only_required_layers_are_required,
	};

	return unit_run("core/report", tests, UNIT_COUNT(tests));
}
