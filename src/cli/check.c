/*
 * Formats what was checked (check.h). It knows no backend: rows are controls, columns are the backends of this system.
 */
#include "cli/check.h"

#include <string.h>

#include "core/control.h"

enum { NAME_WIDTH = 20, COLUMN_WIDTH = 14 };

#define GREEN "32"
#define YELLOW "33"
#define RED "31"

/* Whether everything that is wanted by default was confirmed: the required, and the rest where the host has it. */
static bool is_whole(const struct backend_check *check)
{
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &check->report.layers[i];

		if (layer->asked == WANT_YES && layer->state != LAYER_APPLIED)
			return false;
	}
	return check->is_usable && !check->report.weakness;
}

int check_status(const struct backend_check *checks, size_t count)
{
	if (count > 0 && is_whole(&checks[0]))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (checks[i].is_usable)
			return 1;
	}
	return 2;
}

/* `word` in a column; escape sequences take no room. */
static void add_column(struct str *text, const char *word, const char *colour, bool coloured,
    size_t width)
{
	size_t length = strlen(word);

	if (coloured && colour)
		str_addf(text, "\033[%sm%s\033[0m", colour, word);
	else
		str_add(text, word);
	while (length++ < width)
		str_add_char(text, ' ');
}

static const char *verdict(const struct backend_check *check, const char **colour)
{
	if (!check->is_usable) {
		*colour = RED;
		return "not here";
	}
	*colour = is_whole(check) ? GREEN : YELLOW;
	return is_whole(check) ? "whole" : "weaker";
}

static const char *state(const struct backend_check *check, size_t control, const char **colour)
{
	const struct layer *layer = &check->report.layers[control];

	*colour = NULL;
	if ((!check->is_usable && layer->state != LAYER_REFUSED) ||
	    (layer->asked == WANT_NO && layer->state != LAYER_APPLIED))
		return "-";
	if (layer->state == LAYER_APPLIED) {
		*colour = GREEN;
		return "yes";
	}
	*colour = layer->state == LAYER_REFUSED ? RED : YELLOW;
	return "no";
}

/* A limit holds or not by what it is; --check sets none. */
static bool is_shown(const struct backend_check *checks, size_t count, size_t control)
{
	for (size_t i = 0; i < count; i++) {
		if (checks[i].report.layers[control].asked != WANT_NO)
			return true;
	}
	return false;
}

/* Where a line ends nothing stands behind the last word. */
static void end_line(struct str *text)
{
	while (text->length > 0 && text->data[text->length - 1] == ' ')
		text->data[--text->length] = '\0';
	str_add_char(text, '\n');
}

static void add_table(const struct backend_check *checks, size_t count, bool coloured,
    struct str *text)
{
	const char *colour;

	add_column(text, "", NULL, false, NAME_WIDTH);
	for (size_t i = 0; i < count; i++)
		add_column(text, checks[i].backend->name, NULL, false, COLUMN_WIDTH);
	end_line(text);
	add_column(text, "this host", NULL, false, NAME_WIDTH);
	for (size_t i = 0; i < count; i++) {
		const char *word = verdict(&checks[i], &colour);

		add_column(text, word, colour, coloured, COLUMN_WIDTH);
	}
	end_line(text);
	for (size_t control = 0; control < CONTROL_COUNT; control++) {
		if (!is_shown(checks, count, control))
			continue;
		add_column(text, control_name((enum control)control), NULL, false, NAME_WIDTH);
		for (size_t i = 0; i < count; i++) {
			const char *word = state(&checks[i], control, &colour);

			add_column(text, word, colour, coloured, COLUMN_WIDTH);
		}
		end_line(text);
	}
}

/* Why a backend is not here, control by control where they say, else by its message; and what would help. */
static void add_refusals(const struct backend_check *check, struct str *text)
{
	bool has_reason = false;

	if (check->is_usable)
		return;
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &check->report.layers[i];

		if (layer->state != LAYER_REFUSED || !layer->reason)
			continue;
		str_addf(text, "\n%s, %s: %s%s%s\n", check->backend->name, control_name((enum control)i),
		    layer->sys && errno_name(layer->sys) ? errno_name(layer->sys) : "",
		    layer->sys && errno_name(layer->sys) ? ": " : "", layer->reason);
		if (layer->remedy)
			str_addf(text, "  what helps: %s\n", layer->remedy);
		has_reason = true;
	}
	if (!has_reason && check->err.message)
		str_addf(text, "\n%s: %s\n", check->backend->name, check->err.message);
}

static void add_open(const struct backend_check *check, struct str *text)
{
	const struct str_list *open = &check->report.not_covered;

	if (!check->is_usable || open->count == 0)
		return;
	str_addf(text, "\nNot covered by %s:\n", check->backend->name);
	for (size_t i = 0; i < open->count; i++)
		str_addf(text, "  %s\n", open->items[i]);
}

void check_text(const struct backend_check *checks, size_t count, bool colour, struct str *text)
{
	add_table(checks, count, colour, text);
	for (size_t i = 0; i < count; i++)
		add_refusals(&checks[i], text);
	for (size_t i = 0; i < count; i++)
		add_open(&checks[i], text);
}

void check_json(const struct backend_check *checks, size_t count, const char *platform,
    struct str *text)
{
	const char *best = NULL;

	for (size_t i = count; i-- > 0;)
		best = checks[i].is_usable ? checks[i].backend->name : best;
	str_add(text, "{\"version\":1,\"platform\":");
	report_json_string(text, platform);
	str_addf(text, ",\"status\":%d,\"backend\":", check_status(checks, count));
	report_json_string(text, best);
	str_add(text, ",\"backends\":[");
	for (size_t i = 0; i < count; i++) {
		const struct backend_check *check = &checks[i];

		str_add(text, i == 0 ? "{\"name\":" : ",{\"name\":");
		report_json_string(text, check->backend->name);
		str_addf(text, ",\"usable\":%s,\"whole\":%s,\"message\":",
		    check->is_usable ? "true" : "false", is_whole(check) ? "true" : "false");
		report_json_string(text, check->err.message);
		report_json_layers(&check->report, text);
		str_add_char(text, '}');
	}
	str_add(text, "]}\n");
}
