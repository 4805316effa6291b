/*
 * The report as JSON. Whatever is in it, the text is one line of valid JSON in
 * valid UTF-8: a sandboxed command chooses some of these bytes.
 */
#include "core/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/defaults.h"

enum { REPORT_VERSION = 1 };

/* Adds one sequence that a JSON string cannot hold as it is. */
static void add_escaped(struct str *text, const unsigned char *sequence, size_t length)
{
	static const char special[] = "\"\\\b\f\n\r\t";
	static const char letters[] = "\"\\bfnrt";
	const char *found = length == 1 ? strchr(special, (char)sequence[0]) : NULL;

	if (found)
		str_addf(text, "\\%c", letters[found - special]);
	else	/* A C1 control is C2 and then its own number. */
		str_addf(text, "\\u%04x", (unsigned)sequence[length - 1]);
}

void report_json_string(struct str *text, const char *value)
{
	size_t left, length;

	if (!value) {
		str_add(text, "null");
		return;
	}
	str_add_char(text, '"');
	for (left = strlen(value); left > 0; left -= length, value += length) {
		length = str_utf8_length(value, left);
		if (length == 0) {
			str_add(text, "\xef\xbf\xbd");	/* U+FFFD */
			length = 1;
		} else if (str_is_control(value, length) || *value == '"' || *value == '\\') {
			add_escaped(text, (const unsigned char *)value, length);
		} else {
			str_add_bytes(text, value, length);
		}
	}
	str_add_char(text, '"');
}

/* Begins a member; the comma is left out behind an opening brace. */
static void add_key(struct str *text, const char *key)
{
	char last = text->length ? text->data[text->length - 1] : '{';

	if (last != '{')
		str_add_char(text, ',');
	str_addf(text, "\"%s\":", key);
}

static void add_text(struct str *text, const char *key, const char *value)
{
	add_key(text, key);
	report_json_string(text, value);
}

static void add_bool(struct str *text, const char *key, bool value)
{
	add_key(text, key);
	str_add(text, value ? "true" : "false");
}

static void add_figure(struct str *text, const char *key, struct figure figure)
{
	add_key(text, key);
	if (figure.known)
		str_addf(text, "%" PRIu64, figure.value);
	else
		str_add(text, "null");
}

static void add_int(struct str *text, const char *key, bool known, int64_t value)
{
	add_key(text, key);
	if (known)
		str_addf(text, "%" PRId64, value);
	else
		str_add(text, "null");
}

static const char *asked_name(enum want want)
{
	static const char *const names[] = {
		[WANT_NO] = "no",
		[WANT_TRY] = "wanted",
		[WANT_YES] = "required",
	};

	return names[want];
}

/* Counts the required layers; returns how many of them are applied. */
static size_t count_required(const struct report *report, size_t *required)
{
	size_t applied = 0;
	size_t i;

	*required = 0;
	for (i = 0; i < CONTROL_COUNT; i++) {
		if (report->layers[i].asked != WANT_YES)
			continue;
		++*required;
		applied += report->layers[i].state == LAYER_APPLIED;
	}
	return applied;
}

static bool is_confined(const struct report *report)
{
	size_t required;
	size_t applied = count_required(report, &required);

	return report->has_applied && applied == required;
}

static const char *end_phrase(enum end_reason reason)
{
	static const char *const phrases[] = {
		[END_NONE] = "COMMAND has not ended",
		[END_EXITED] = "exited with status",
		[END_SIGNALED] = "ended by signal",
		[END_EXEC_FAILED] = "COMMAND could not be executed",
		[END_SETUP_FAILED] = "building the sandbox failed",
		[END_REFUSED] = "refused",
		[END_WALL_LIMIT] = "ended by the limit of wall time",
		[END_CPU_LIMIT] = "ended by the limit of CPU time",
		[END_MEMORY_LIMIT] = "ended by the limit of memory",
		[END_OUTPUT_LIMIT] = "ended by the limit of output",
		[END_CANCELLED] = "cancelled",
		[END_LAUNCHER_LOST] = "the sandbox was lost",
	};

	return phrases[reason];
}

static void add_summary(struct str *text, const struct report *report)
{
	struct str summary = STR_INIT;
	size_t required;
	size_t applied = count_required(report, &required);

	str_addf(&summary, "%s: %zu of %zu required layers applied; %s",
	    report->backend ? report->backend : "no backend", applied, required,
	    end_phrase(report->end.reason));
	if (report->end.reason == END_EXITED)
		str_addf(&summary, " %" PRId64, report->end.code);
	else if (report->end.reason == END_SIGNALED)
		str_addf(&summary, " %d", report->end.signal);
	else if (report->end.message)
		str_addf(&summary, ": %s", report->end.message);
	add_text(text, "summary", str_text(&summary));
	str_free(&summary);
}

/* What has no meaning on this system is left out where nobody spoke of it. */
static bool is_worth_showing(const struct report *report, enum control control)
{
	const struct layer *layer = &report->layers[control];

	if (control_is_limit(control))
		return false;	/* they have a list of their own */
	return defaults_know(report->defaults, control) || layer->asked != WANT_NO ||
	    !layer->reason || strcmp(layer->reason, REPORT_NOT_ASKED) != 0;
}

static void add_layer(struct str *text, enum control control, const struct layer *layer)
{
	str_add_char(text, '{');
	add_text(text, "name", control_name(control));
	add_text(text, "asked", asked_name(layer->asked));
	add_text(text, "state", layer_state_name(layer->state));
	add_text(text, "by", layer->by);
	add_text(text, "evidence", layer->evidence);
	add_text(text, "errno", layer->sys ? errno_name(layer->sys) : NULL);
	add_text(text, "reason", layer->reason);
	add_text(text, "remedy", layer->remedy);
	str_add_char(text, '}');
}

static void add_layers(struct str *text, const struct report *report)
{
	const char *separator = "";
	size_t i;

	add_key(text, "layers");
	str_add_char(text, '[');
	for (i = 0; i < CONTROL_COUNT; i++) {
		if (!is_worth_showing(report, (enum control)i))
			continue;
		str_add(text, separator);
		add_layer(text, (enum control)i, &report->layers[i]);
		separator = ",";
	}
	str_add_char(text, ']');
}

/* What stays open, as far as it is known. */
static void add_not_covered(struct str *text, const struct report *report)
{
	add_key(text, "not_covered");
	str_add_char(text, '[');
	for (size_t i = 0; i < report->not_covered.count; i++) {
		const char *item = report->not_covered.items[i];
		size_t length = strcspn(item, ":");
		char *name = xstrndup(item, length);

		str_add(text, i == 0 ? "{" : ",{");
		add_text(text, "name", name);
		add_text(text, "reason", item[length] == '\0' ? "" : item + length + 2);
		str_add_char(text, '}');
		free(name);
	}
	str_add_char(text, ']');
}

static void add_limit(struct str *text, enum control control, const struct layer *layer)
{
	str_add_char(text, '{');
	add_text(text, "name", control_name(control));
	add_figure(text, "asked", (struct figure){ layer->limit > 0, layer->limit });
	add_text(text, "unit", report_limit_unit(control));
	add_text(text, "by", layer->by);
	add_text(text, "state", layer_state_name(layer->state));
	add_bool(text, "hit", layer->hit);
	add_text(text, "evidence", layer->evidence);
	add_text(text, "reason", layer->reason);
	add_text(text, "remedy", layer->remedy);
	str_add_char(text, '}');
}

/* The limits that were asked for; nothing is limited that was not. */
static void add_limits(struct str *text, const struct report *report)
{
	const char *separator = "";
	bool all_applied = true;

	add_key(text, "limits");
	str_add_char(text, '[');
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &report->layers[i];

		if (!control_is_limit((enum control)i) || layer->asked == WANT_NO)
			continue;
		str_add(text, separator);
		add_limit(text, (enum control)i, layer);
		separator = ",";
		all_applied &= layer->state == LAYER_APPLIED;
	}
	str_add_char(text, ']');
	add_bool(text, "limits_applied", all_applied);
}

static void add_command(struct str *text, const struct report *report)
{
	char *const *word;

	add_key(text, "command");
	str_add_char(text, '{');
	add_key(text, "argv");
	str_add_char(text, '[');
	for (word = report->argv; word && *word; word++) {
		if (word != report->argv)
			str_add_char(text, ',');
		report_json_string(text, *word);
	}
	str_add_char(text, ']');
	add_text(text, "resolved", report->resolved);
	str_add_char(text, '}');
}

static void add_end(struct str *text, const struct report *report)
{
	add_key(text, "end");
	str_add_char(text, '{');
	add_text(text, "reason", end_reason_name(report->end.reason));
	add_int(text, "code", report->end.code >= 0, report->end.code);
	add_int(text, "signal", report->end.signal > 0, report->end.signal);
	add_text(text, "stage", report->end.stage);
	add_text(text, "errno", report->end.sys ? errno_name(report->end.sys) : NULL);
	add_text(text, "message", report->end.message);
	str_add_char(text, '}');
}

static void add_usage(struct str *text, const struct report *report)
{
	add_key(text, "usage");
	str_add_char(text, '{');
	add_figure(text, "wall_ms", report->usage.wall_ms);
	add_figure(text, "cpu_ms", report->usage.cpu_ms);
	add_figure(text, "user_ms", report->usage.user_ms);
	add_figure(text, "system_ms", report->usage.system_ms);
	add_figure(text, "peak_bytes", report->usage.peak_bytes);
	add_figure(text, "pids_peak", report->usage.pids_peak);
	add_figure(text, "output_bytes", report->usage.output_bytes);
	add_figure(text, "voluntary_switches", report->usage.voluntary_switches);
	add_figure(text, "involuntary_switches", report->usage.involuntary_switches);
	str_add_char(text, '}');
}

static void add_teardown(struct str *text, const struct report *report)
{
	add_key(text, "teardown");
	str_add_char(text, '{');
	add_text(text, "by", report->teardown.by);
	add_figure(text, "survivors_killed", report->teardown.survivors_killed);
	if (report->teardown.has_scratch)
		add_bool(text, "scratch_removed", report->teardown.scratch_removed);
	else
		add_text(text, "scratch_removed", NULL);
	add_bool(text, "confirmed", report->teardown.confirmed);
	str_add_char(text, '}');
}

void report_json_layers(const struct report *report, struct str *text)
{
	add_layers(text, report);
	add_not_covered(text, report);
}

void report_json(const struct report *report, const char *event, struct str *text)
{
	str_add_char(text, '{');
	add_int(text, "version", true, REPORT_VERSION);
	if (event)
		add_text(text, "event", event);
	add_text(text, "request_id", report->request_id);
	add_text(text, "platform", report->platform);
	add_text(text, "backend", report->backend);
	add_text(text, "confinement", report->confinement);
	add_bool(text, "confinement_applied", is_confined(report));
	add_limits(text, report);
	add_text(text, "scratch", report->scratch);
	add_text(text, "network", report->network);
	add_text(text, "reason", end_reason_name(report->end.reason));
	add_summary(text, report);
	report_json_layers(report, text);
	/* No kernel tells us what it refused: a command that failed for that says so itself. */
	add_text(text, "denials", "not observed");
	add_command(text, report);
	add_end(text, report);
	add_usage(text, report);
	add_teardown(text, report);
	str_add(text, "}\n");
}
