/*
 * Tests of core/report_json.c: valid JSON whatever is in the report, and each
 * member in its place.
 */
#include "core/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit/json_check.h"
#include "unit/unit.h"

START_TEST(the_judge_of_json_knows_good_from_bad)
{
	static const char *const good[] = { "{}", "[]", " [1, -0.5e+3, \"a\\u00e9\\n\"] ", "null",
		"{\"a\":{\"b\":[true,false]},\"c\":0}", "\"\xf4\x8f\xbf\xbf\"", "-1", "1e5" };
	static const char *const bad[] = { "", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "01",
		"\"\n\"", "\"\\x\"", "\"\\u12g4\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"",
		"{a:1}", "nul", "[1 2]", "{} {}", "\"a", "1.", "+1", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"" };
	size_t i;

	for (i = 0; i < UNIT_COUNT(good); i++)
		ck_assert_msg(!json_fault(good[i], strlen(good[i])), "%s", good[i]);
	for (i = 0; i < UNIT_COUNT(bad); i++)
		ck_assert_msg(json_fault(bad[i], strlen(bad[i])) != NULL, "%s", bad[i]);
}
END_TEST

/* The JSON of a report: valid, and one line. The caller frees it. */
static char *write_json(const struct report *report, const char *event)
{
	struct str text = STR_INIT;
	const char *fault;

	report_json(report, event, &text);
	fault = json_fault(text.data, text.length);
	ck_assert_msg(!fault, "fault before: %.60s", fault);
	ck_assert_ptr_eq(strchr(text.data, '\n'), text.data + text.length - 1);
	return str_take(&text);
}

static void assert_has(const struct report *report, const char *part)
{
	char *text = write_json(report, NULL);

	ck_assert_msg(strstr(text, part) != NULL, "no %s in %s", part, text);
	free(text);
}

static void make(struct report *report, struct spec *spec, enum want want)
{
	size_t i;

	spec_init(spec);
	spec_add_word(spec, "true");
	for (i = 0; i < CONTROL_COUNT; i++)
		spec->policy[i].want = want;
	report_init(report, spec);
}

static void done(struct report *report, struct spec *spec)
{
	report_free(report);
	spec_free(spec);
}

START_TEST(the_members_come_in_their_order)
{
	static const char *const keys[] = { "{\"version\":1,", "\"event\":\"applied\"",
		"\"request_id\":", "\"platform\":", "\"backend\":", "\"confinement\":",
		"\"confinement_applied\":", "\"limits\":[]", "\"limits_applied\":true", "\"scratch\":",
		"\"network\":", "\"reason\":", "\"summary\":", "\"layers\":[{", "\"command\":{\"argv\":",
		"\"resolved\":", "\"end\":{\"reason\":", "\"code\":", "\"signal\":", "\"stage\":",
		"\"errno\":", "\"message\":", "\"usage\":{\"wall_ms\":", "\"cpu_ms\":", "\"user_ms\":",
		"\"system_ms\":", "\"peak_bytes\":", "\"pids_peak\":", "\"voluntary_switches\":",
		"\"involuntary_switches\":", "\"teardown\":{\"by\":", "\"survivors_killed\":",
		"\"scratch_removed\":", "\"confirmed\":" };
	struct report report;
	struct spec spec;
	const char *at;
	char *text;
	size_t i;

	make(&report, &spec, WANT_NO);
	text = write_json(&report, "applied");
	for (i = 0, at = text; i < UNIT_COUNT(keys); i++) {
		at = strstr(at, keys[i]);
		ck_assert_msg(at != NULL, "%s is missing or out of order", keys[i]);
	}
	free(text);
	done(&report, &spec);
}
END_TEST

START_TEST(a_report_in_a_file_has_no_event)
{
	struct report report;
	struct spec spec;
	char *text;

	make(&report, &spec, WANT_NO);
	text = write_json(&report, NULL);
	ck_assert_ptr_null(strstr(text, "\"event\""));
	free(text);
	text = write_json(&report, "ended");
	ck_assert_ptr_nonnull(strstr(text, "{\"version\":1,\"event\":\"ended\",\"request_id\":null,"));
	free(text);
	done(&report, &spec);
}
END_TEST

START_TEST(what_is_not_known_is_null)
{
	struct report report;
	struct spec spec;

	make(&report, &spec, WANT_NO);
	assert_has(&report, "\"request_id\":null,\"platform\":null,\"backend\":null,"
	    "\"confinement\":null,\"confinement_applied\":false,");
	assert_has(&report, "\"scratch\":null,\"network\":\"none\",\"reason\":null,");
	assert_has(&report, "\"command\":{\"argv\":[\"true\"],\"resolved\":null}");
	assert_has(&report, "\"end\":{\"reason\":null,\"code\":null,\"signal\":null,\"stage\":null,"
	    "\"errno\":null,\"message\":null}");
	assert_has(&report, "\"usage\":{\"wall_ms\":null,\"cpu_ms\":null,\"user_ms\":null,"
	    "\"system_ms\":null,\"peak_bytes\":null,\"pids_peak\":null,"
	    "\"output_bytes\":null,\"voluntary_switches\":null,\"involuntary_switches\":null}");
	assert_has(&report, "\"teardown\":{\"by\":null,\"survivors_killed\":null,"
	    "\"scratch_removed\":null,\"confirmed\":false}}\n");
	done(&report, &spec);
}
END_TEST

START_TEST(what_is_known_is_there)
{
	struct report report;
	struct spec spec;

	make(&report, &spec, WANT_NO);
	report.end.reason = END_EXEC_FAILED;
	report.end.sys = ENOENT;
	report.end.stage = xstrdup("exec");
	report.end.message = xstrdup("/no/such: not found");
	assert_has(&report, "\"reason\":\"exec-failed\",\"summary\":\"no backend: 0 of 0 required "
	    "layers applied; COMMAND could not be executed: /no/such: not found\"");
	assert_has(&report, "\"end\":{\"reason\":\"exec-failed\",\"code\":null,\"signal\":null,"
	    "\"stage\":\"exec\",\"errno\":\"ENOENT\",\"message\":\"/no/such: not found\"}");
	report.usage.wall_ms = (struct figure){ true, 0 };
	report.usage.peak_bytes = (struct figure){ true, UINT64_MAX };
	assert_has(&report, "\"wall_ms\":0,\"cpu_ms\":null");
	assert_has(&report, "\"peak_bytes\":18446744073709551615,");
	report.teardown.by = "pid-namespace";
	report.teardown.survivors_killed = (struct figure){ true, 2 };
	report.teardown.has_scratch = true;
	assert_has(&report, "\"teardown\":{\"by\":\"pid-namespace\",\"survivors_killed\":2,"
	    "\"scratch_removed\":false,\"confirmed\":false}");
	report.teardown.scratch_removed = report.teardown.confirmed = true;
	assert_has(&report, "\"scratch_removed\":true,\"confirmed\":true}");
	report.argv = NULL;
	assert_has(&report, "\"argv\":[],");
	done(&report, &spec);
}
END_TEST

START_TEST(a_layer_shows_what_is_known_of_it)
{
	struct report report;
	struct spec spec;

	make(&report, &spec, WANT_YES);
	report.layers[CONTROL_TIME_NAMESPACE].asked = WANT_TRY;
	report_confirm(&report, CONTROL_USER_NAMESPACE, "CLONE_NEWUSER", 0, "uid_map \"0 1\"");
	report_missing(&report, CONTROL_MOUNT_NAMESPACE, EPERM, "set it", "refused");
	report_missing(&report, CONTROL_TIME_NAMESPACE, 0, NULL, "too old");
	assert_has(&report, "[{\"name\":\"user-namespace\",\"asked\":\"required\","
	    "\"state\":\"applied\",\"by\":\"CLONE_NEWUSER\",\"evidence\":\"uid_map \\\"0 1\\\"\","
	    "\"errno\":null,\"reason\":null,\"remedy\":null},");
	assert_has(&report, "{\"name\":\"mount-namespace\",\"asked\":\"required\","
	    "\"state\":\"refused\",\"by\":null,\"evidence\":null,\"errno\":\"EPERM\","
	    "\"reason\":\"refused\",\"remedy\":\"set it\"}");
	assert_has(&report, "{\"name\":\"pid-namespace\",\"asked\":\"required\","
	    "\"state\":\"unconfirmed\",");
	assert_has(&report, "{\"name\":\"time-namespace\",\"asked\":\"wanted\","
	    "\"state\":\"skipped\",");
	done(&report, &spec);
}
END_TEST

START_TEST(layers_of_the_other_system_are_shown_only_where_someone_spoke_of_them)
{
	struct report report;
	struct spec spec;
	char *text;

	make(&report, &spec, WANT_NO);
	text = write_json(&report, NULL);
	ck_assert_ptr_nonnull(strstr(text, "{\"name\":\"seccomp\",\"asked\":\"no\",\"state\":"
	    "\"skipped\",\"by\":null,\"evidence\":null,\"errno\":null,\"reason\":\"not asked for\""));
	ck_assert_ptr_nonnull(strstr(text, "\"name\":\"cgroup\""));
	ck_assert_ptr_null(strstr(text, "\"name\":\"appcontainer\""));
	ck_assert_ptr_null(strstr(text, "\"name\":\"mitigations\""));
	free(text);
	report_missing(&report, CONTROL_JOB, 0, NULL, "not on this system");
	report.layers[CONTROL_UI].asked = WANT_YES;
	text = write_json(&report, NULL);
	ck_assert_ptr_nonnull(strstr(text, "\"name\":\"job\""));
	ck_assert_ptr_nonnull(strstr(text, "\"name\":\"ui\""));
	ck_assert_ptr_null(strstr(text, "\"name\":\"lpac\""));
	free(text);
	done(&report, &spec);
}
END_TEST

START_TEST(confinement_is_applied_only_when_every_required_layer_is)
{
	struct report report;
	struct spec spec;
	size_t i;

	make(&report, &spec, WANT_TRY);
	report.layers[CONTROL_NETWORK].asked = WANT_YES;
	report.layers[CONTROL_MITIGATIONS].asked = WANT_YES;
	report.backend = "namespaces";
	report.has_applied = true;
	assert_has(&report, "\"confinement_applied\":false");
	report_confirm(&report, CONTROL_NETWORK, "by", 0, "evidence");
	assert_has(&report, "\"confinement_applied\":false");
	assert_has(&report, "\"summary\":\"namespaces: 1 of 2 required layers applied; "
	    "COMMAND has not ended\"");
	report_confirm(&report, CONTROL_MITIGATIONS, "by", 0, "evidence");
	assert_has(&report, "\"confinement_applied\":true");
	report.has_applied = false;
	assert_has(&report, "\"confinement_applied\":false");
	report.has_applied = true;
	report.end.reason = END_EXITED;
	report.end.code = 0;
	assert_has(&report, "\"summary\":\"namespaces: 2 of 2 required layers applied; "
	    "exited with status 0\"");
	assert_has(&report, "\"end\":{\"reason\":\"exited\",\"code\":0,\"signal\":null,");
	report.end.reason = END_SIGNALED;
	report.end.code = -1;
	report.end.signal = 9;
	assert_has(&report, "; ended by signal 9\"");
	assert_has(&report, "\"code\":null,\"signal\":9,");
	for (i = END_NONE; i <= END_LAUNCHER_LOST; i++) {
		report.end.reason = (enum end_reason)i;
		free(write_json(&report, "ended"));
	}
	done(&report, &spec);
}
END_TEST

static const struct {
	const char *word;
	const char *json;
} string_table[] = {
	{ "", "\"\"" }, { "a\"b\\c/", "\"a\\\"b\\\\c/\"" },
	{ "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" }, { "\x01\x1b\x1f", "\"\\u0001\\u001b\\u001f\"" },
	{ "\x7f", "\"\\u007f\"" }, { "\xc2\x80\xc2\x9f\xc2\xa0", "\"\\u0080\\u009f\xc2\xa0\"" },
	{ "\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ "\xff", "\"\xef\xbf\xbd\"" }, { "a\x80z", "\"a\xef\xbf\xbdz\"" },
	{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"" }, { "\xc3\"", "\"\xef\xbf\xbd\\\"\"" },
	{ "\xe2\n\xac", "\"\xef\xbf\xbd\\n\xef\xbf\xbd\"" },
};

START_TEST(a_string_is_valid_whatever_bytes_are_in_it)
{
	size_t i;

	for (i = 0; i < UNIT_COUNT(string_table); i++) {
		char *part = xasprintf("\"argv\":[\"true\",%s]", string_table[i].json);
		struct report report;
		struct spec spec;

		make(&report, &spec, WANT_NO);
		spec_add_word(&spec, string_table[i].word);
		report.argv = spec.command;
		assert_has(&report, part);
		free(part);
		done(&report, &spec);
	}
}
END_TEST

START_TEST(every_pair_of_bytes_in_every_text_member_gives_valid_json)
{
	struct report report;
	struct spec spec;
	unsigned first, second;

	make(&report, &spec, WANT_YES);
	report.request_id = xcalloc(3, 1);
	report.end.message = xcalloc(3, 1);
	report.end.reason = END_REFUSED;
	for (first = 1; first < 256; first++) {
		for (second = 1; second < 256; second += first < 0xc0 ? 37 : 3) {
			report.request_id[0] = report.end.message[0] = (char)first;
			report.request_id[1] = report.end.message[1] = (char)second;
			free(write_json(&report, NULL));
		}
	}
	done(&report, &spec);
}
END_TEST

START_TEST(a_mebibyte_of_argument_is_written_whole)
{
	size_t size = 1 << 20;
	char *word = xcalloc(size + 1, 1);
	struct report report;
	struct spec spec;
	char *text;

	memset(word, 'x', size);
	make(&report, &spec, WANT_NO);
	spec_add_word(&spec, word);
	report.argv = spec.command;
	text = write_json(&report, NULL);
	ck_assert_ptr_nonnull(strstr(text, word));
	free(text);
	free(word);
	done(&report, &spec);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_judge_of_json_knows_good_from_bad,
		the_members_come_in_their_order,
		a_report_in_a_file_has_no_event,
		what_is_not_known_is_null,
		what_is_known_is_there,
		a_layer_shows_what_is_known_of_it,
		layers_of_the_other_system_are_shown_only_where_someone_spoke_of_them,
		confinement_is_applied_only_when_every_required_layer_is,
		a_string_is_valid_whatever_bytes_are_in_it,
		every_pair_of_bytes_in_every_text_member_gives_valid_json,
		a_mebibyte_of_argument_is_written_whole,
	};

	return unit_run("core/report_json", tests, UNIT_COUNT(tests));
}
