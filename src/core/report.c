/*
 * The state of a report: what was asked of each layer, what was confirmed, and
 * how the run ended. Nothing here looks at the host; backends tell it what they
 * read back, and a layer that nobody confirmed stays unconfirmed.
 */
#include "core/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static uint64_t limit_of(const struct spec_limits *limits, enum control control)
{
	switch (control) {
	case CONTROL_WALL:
		return (limits->wall_ns + 999999) / 1000000;
	case CONTROL_CPU:
		return (limits->cpu_ns + 999999) / 1000000;
	case CONTROL_MEM:
		return limits->mem_bytes;
	case CONTROL_PIDS:
		return limits->pids;
	case CONTROL_CPUS:
		return limits->cpus_milli;
	case CONTROL_OUTPUT:
		return limits->output_bytes;
	case CONTROL_OUTPUT_EACH:
		return limits->output_each_bytes;
	default:
		return 0;
	}
}

const char *report_limit_unit(enum control control)
{
	static const char *const units[CONTROL_COUNT] = {
		[CONTROL_WALL] = "ms", [CONTROL_CPU] = "ms", [CONTROL_MEM] = "bytes",
		[CONTROL_PIDS] = "processes", [CONTROL_CPUS] = "millicpus",
		[CONTROL_OUTPUT] = "bytes", [CONTROL_OUTPUT_EACH] = "bytes",
	};

	return units[control];
}

void report_init(struct report *report, const struct spec *spec)
{
	size_t i;

	memset(report, 0, sizeof(*report));
	report->defaults = spec->defaults;
	report->request_id = spec->id ? xstrdup(spec->id) : NULL;
	report->network = spec->network == SPEC_NETWORK_HOST ? "host" : "none";
	report->argv = spec->command;
	report->end.code = -1;
	for (i = 0; i < CONTROL_COUNT; i++) {
		struct layer *layer = &report->layers[i];

		layer->asked = spec->policy[i].want;
		layer->items = 1;
		layer->limit = limit_of(&spec->limits, (enum control)i);
		if (layer->asked == WANT_NO) {
			layer->state = LAYER_SKIPPED;
			layer->reason = xstrdup(spec->policy[i].may_miss ?
			    "allowed to be missing, and not asked for" : REPORT_NOT_ASKED);
		}
	}
}

/* Forgets what was confirmed. */
static void layer_reset(struct layer *layer)
{
	free(layer->seen);
	free(layer->evidence);
	layer->seen = NULL;
	layer->evidence = NULL;
	layer->by = NULL;
	layer->confirmed = 0;
}

void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		layer_reset(&report->layers[i]);
		free(report->layers[i].reason);
		free(report->layers[i].remedy);
	}
	free(report->request_id);
	free(report->platform);
	free(report->scratch);
	free(report->weakness);
	str_list_free(&report->not_covered);
	free(report->resolved);
	free(report->end.stage);
	free(report->end.message);
	memset(report, 0, sizeof(*report));
}

static bool is_missing(const struct layer *layer)
{
	return layer->state == LAYER_REFUSED || layer->state == LAYER_SKIPPED;
}

void report_expect(struct report *report, enum control control, size_t items)
{
	struct layer *layer = &report->layers[control];

	if (is_missing(layer))
		return;
	layer_reset(layer);
	layer->items = items;
	layer->state = items == 0 ? LAYER_APPLIED : LAYER_UNCONFIRMED;
	if (items == 0)
		layer->evidence = xstrdup("nothing to confirm");
}

/* Counts one item; false where it is none of this layer's or was counted before. */
static bool layer_count(struct layer *layer, size_t item)
{
	if (layer->items == 0)
		return item == 0;
	if (item >= layer->items)
		return false;
	if (!layer->seen)
		layer->seen = xcalloc(layer->items, 1);
	if (layer->seen[item])
		return false;
	layer->seen[item] = 1;
	layer->confirmed++;
	return true;
}

void report_confirm(struct report *report, enum control control, const char *by, size_t item,
    const char *evidence, ...)
{
	struct layer *layer = &report->layers[control];
	va_list args;

	if (is_missing(layer) || !layer_count(layer, item))
		return;
	if (item == 0 || !layer->by) {
		free(layer->evidence);
		va_start(args, evidence);
		layer->evidence = xvasprintf(evidence, args);
		va_end(args);
		layer->by = by;
	}
	if (layer->confirmed == layer->items)
		layer->state = LAYER_APPLIED;
}

void report_missing(struct report *report, enum control control, int sys, const char *remedy,
    const char *reason, ...)
{
	struct layer *layer = &report->layers[control];
	va_list args;

	if (layer->asked != WANT_NO && is_missing(layer))
		return;
	layer_reset(layer);
	layer->state = layer->asked == WANT_YES ? LAYER_REFUSED : LAYER_SKIPPED;
	layer->sys = sys;
	free(layer->reason);
	va_start(args, reason);
	layer->reason = xvasprintf(reason, args);
	va_end(args);
	free(layer->remedy);
	layer->remedy = remedy ? xstrdup(remedy) : NULL;
}

void report_require(struct report *report, enum control control)
{
	struct layer *layer = &report->layers[control];

	layer_reset(layer);
	layer->asked = WANT_YES;
	layer->state = LAYER_UNCONFIRMED;
	free(layer->reason);
	layer->reason = NULL;
}

void report_relax(struct report *report, enum control control)
{
	struct layer *layer = &report->layers[control];

	if (layer->asked != WANT_YES)
		return;
	layer->asked = WANT_TRY;
	if (layer->state == LAYER_REFUSED)
		layer->state = LAYER_SKIPPED;
}

void report_restart(struct report *report, const struct spec *spec)
{
	struct report old = *report;
	size_t i;

	report_init(report, spec);
	free(report->request_id);
	report->request_id = old.request_id;
	report->platform = old.platform;
	old.request_id = old.platform = NULL;
	for (i = 0; i < CONTROL_COUNT; i++) {
		if (old.layers[i].state == LAYER_REFUSED)
			report_missing(report, (enum control)i, old.layers[i].sys, old.layers[i].remedy,
			    "%s", old.layers[i].reason);
	}
	report_free(&old);
}

/* "network: EPERM: reason (remedy)" */
static void add_failed_layer(struct str *text, enum control control, const struct layer *layer)
{
	str_addf(text, "%s%s", text->length ? "; " : "", control_name(control));
	if (layer->sys)
		str_addf(text, ": %s", errno_name(layer->sys) ? errno_name(layer->sys) : "error");
	if (layer->reason)
		str_addf(text, ": %s", layer->reason);
	else if (layer->items > 1)
		str_addf(text, ": only %zu of %zu confirmed", layer->confirmed, layer->items);
	else
		str_add(text, ": nothing confirmed it");
	if (layer->remedy)
		str_addf(text, " (%s)", layer->remedy);
}

int report_check_required(const struct report *report, struct err *err)
{
	struct str failed = STR_INIT;
	int sys = 0;
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		const struct layer *layer = &report->layers[i];

		if (layer->asked != WANT_YES || layer->state == LAYER_APPLIED)
			continue;
		add_failed_layer(&failed, (enum control)i, layer);
		if (!sys)
			sys = layer->sys;
	}
	if (failed.length == 0)
		return 0;
	err_set(err, ERR_REFUSED, "required and not in force: %s", str_text(&failed));
	err->sys = sys;
	str_free(&failed);
	return -1;
}

static enum end_reason reason_of_error(enum err_kind kind)
{
	switch (kind) {
	case ERR_USAGE:
	case ERR_REFUSED:
	case ERR_UNAVAILABLE:
		return END_REFUSED;
	case ERR_NOT_FOUND:
	case ERR_NOT_EXECUTABLE:
		return END_EXEC_FAILED;
	case ERR_LOST:
		return END_LAUNCHER_LOST;
	case ERR_NONE:
	case ERR_SETUP:
		break;
	}
	return END_SETUP_FAILED;
}

void report_end_error(struct report *report, const struct err *err)
{
	if (report->end.reason != END_NONE)
		return;
	report->end.reason = reason_of_error(err->kind);
	report->end.status = err->kind == ERR_NONE ? err_exit_status(ERR_SETUP) :
	    err_exit_status(err->kind);
	report->end.sys = err->sys;
	free(report->end.stage);
	report->end.stage = err->stage ? xstrdup(err->stage) : NULL;
	free(report->end.message);
	report->end.message = err->message ? xstrdup(err->message) : NULL;
}

/* What the system takes: on Windows all 32 bits, whichever sign they have as an int. */
static int status_of_code(const struct report *report)
{
	return report->end.code >= 0 ? (int)(uint32_t)report->end.code : 125;
}

/*
 * COMMAND was ended from outside. What it made of that is passed on, but never as
 * success: `instead` stands for an exit status of 0.
 */
static int status_of_ended(const struct report *report, int instead)
{
	if (report->end.code > 0)
		return status_of_code(report);
	if (report->end.code == 0)
		return instead;
	return report->end.signal > 0 ? 128 + report->end.signal : 125;
}

static int status_of_exec(const struct report *report)
{
	if (report->end.status)
		return report->end.status;
	return err_exit_status(report->end.sys == ENOENT ? ERR_NOT_FOUND : ERR_NOT_EXECUTABLE);
}

int report_exit_status(const struct report *report)
{
	switch (report->end.reason) {
	case END_EXITED:
		return status_of_code(report);
	case END_SIGNALED:
		return report->end.signal > 0 ? 128 + report->end.signal : 125;
	case END_WALL_LIMIT:
	case END_CPU_LIMIT:
		return 124;
	case END_MEMORY_LIMIT:
	case END_OUTPUT_LIMIT:
		return status_of_ended(report, 125);
	case END_CANCELLED:
		return status_of_ended(report, 128 + 15);	/* as if by SIGTERM */
	case END_EXEC_FAILED:
		return status_of_exec(report);
	case END_NONE:
	case END_SETUP_FAILED:
	case END_REFUSED:
	case END_LAUNCHER_LOST:
		break;
	}
	return 125;
}

const char *layer_state_name(enum layer_state state)
{
	static const char *const names[] = {
		[LAYER_UNCONFIRMED] = "unconfirmed",
		[LAYER_APPLIED] = "applied",
		[LAYER_SKIPPED] = "skipped",
		[LAYER_REFUSED] = "refused",
	};

	return names[state];
}

const char *end_reason_name(enum end_reason reason)
{
	static const char *const names[] = {
		[END_NONE] = NULL,
		[END_EXITED] = "exited",
		[END_SIGNALED] = "signaled",
		[END_EXEC_FAILED] = "exec-failed",
		[END_SETUP_FAILED] = "setup-failed",
		[END_REFUSED] = "refused",
		[END_WALL_LIMIT] = "wall-limit",
		[END_CPU_LIMIT] = "cpu-limit",
		[END_MEMORY_LIMIT] = "memory-limit",
		[END_OUTPUT_LIMIT] = "output-limit",
		[END_CANCELLED] = "cancelled",
		[END_LAUNCHER_LOST] = "launcher-lost",
	};

	return names[reason];
}

void report_set_figure(struct figure *figure, uint64_t value)
{
	figure->known = true;
	figure->value = value;
}

void report_raise_figure(struct figure *figure, uint64_t value)
{
	if (!figure->known || figure->value < value)
		report_set_figure(figure, value);
}
