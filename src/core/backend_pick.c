/*
 * Picking a backend: the first that can enforce what is required, and, where the host then
 * refuses it as a whole, the next.
 */
#include "core/backend.h"

#include <string.h>

static bool is_auto(const struct spec *spec)
{
	return !spec->backend || strcmp(spec->backend, "auto") == 0;
}

static bool is_candidate(const struct backend *backend, const struct spec *spec)
{
	return is_auto(spec) || strcmp(spec->backend, backend->name) == 0;
}

/* Refuses a name that no backend of this system has. */
static int check_name(const struct backend *const *backends, const struct spec *spec,
    struct err *err)
{
	struct str text = STR_INIT;
	size_t i;

	for (i = 0; backends[i]; i++)
		if (is_candidate(backends[i], spec))
			return 0;
	if (is_auto(spec))
		return err_set(err, ERR_REFUSED, "this system has no backend");
	str_add(&text, "--backend: this system has no backend '");
	str_add_printable(&text, spec->backend, 80);
	str_add(&text, "'; there is auto");
	for (i = 0; backends[i]; i++)
		str_addf(&text, ", %s", backends[i]->name);
	err_set(err, ERR_USAGE, "%s", str_text(&text));
	str_free(&text);
	return -1;
}

/* The option that asked for a control which nobody has by default; NULL: it is a default. */
static const char *option_of(const struct spec *spec, enum control control)
{
	static const char *const options[CONTROL_COUNT] = {
		[CONTROL_WALL] = "--wall", [CONTROL_CPU] = "--cpu", [CONTROL_MEM] = "--mem",
		[CONTROL_PIDS] = "--pids", [CONTROL_CPUS] = "--cpus", [CONTROL_OUTPUT] = "--out-max",
		[CONTROL_OUTPUT_EACH] = "--out-max-each", [CONTROL_RLIMIT] = "--rlimit",
		[CONTROL_SESSION] = "--new-session",
	};

	if (control == CONTROL_SCRATCH_QUOTA)
		return spec->scratch_bytes ? "--scratch-size" : "--scratch-inodes";
	return options[control];
}

/* "network (--require network): EPERM: reason (remedy)" */
static void add_missing(struct str *text, const struct spec *spec, enum control control,
    const struct probe *probe)
{
	const char *name = control_name(control);
	const char *sys = errno_name(probe->controls[control].sys);
	const char *reason = probe->controls[control].reason;
	const char *remedy = probe->controls[control].remedy;

	if (spec->policy[control].required)
		str_addf(text, "%s (--require %s)", name, name);
	else
		str_addf(text, "%s (%s)", name, option_of(spec, control) ? option_of(spec, control) : "default");
	if (sys)
		str_addf(text, ": %s", sys);
	if (reason)
		str_addf(text, ": %s", reason);
	if (remedy)
		str_addf(text, " (%s)", remedy);
}

/* One control that a backend cannot enforce, kept for the report. */
static void note_missing(struct report *report, const struct backend *backend,
    enum control control, const struct probe *probe)
{
	const char *reason = probe->controls[control].reason;

	if (reason)
		report_missing(report, control, probe->controls[control].sys,
		    probe->controls[control].remedy, "%s", reason);
	else
		report_missing(report, control, probe->controls[control].sys,
		    probe->controls[control].remedy, "the backend %s has no means for it",
		    backend->name);
}

/* Whether the backend cannot do what is required; what it does by other means only --require insists on. */
static bool lacks(const struct spec *spec, const struct probe *probe, size_t control)
{
	return spec->policy[control].want == WANT_YES && !probe->controls[control].can &&
	    (spec->policy[control].required || !probe->controls[control].elsewhere);
}

/*
 * Adds to `text` what of the required this probe cannot do, and notes it in `refusals`
 * unless a better backend did so already: what that one can do is not refused by this host.
 * Returns how many controls that are.
 */
static size_t list_missing(const struct backend *backend, const struct spec *spec,
    const struct probe *probe, struct report *refusals, struct str *text)
{
	bool first = !refusals->backend;
	size_t count = 0;
	size_t i;

	for (i = 0; i < CONTROL_COUNT; i++) {
		if (!lacks(spec, probe, i))
			continue;
		str_add(text, count ? "; " : " cannot enforce ");
		add_missing(text, spec, (enum control)i, probe);
		if (first)
			note_missing(refusals, backend, (enum control)i, probe);
		count++;
	}
	refusals->backend = refusals->backend ? refusals->backend : backend->name;
	return count;
}

/* What the picked backend has no means for, and does not have to. */
static void relax(struct report *report, const struct probe *probe)
{
	for (size_t i = 0; i < CONTROL_COUNT; i++) {
		if (probe->controls[i].can || !probe->controls[i].elsewhere)
			continue;
		report_relax(report, (enum control)i);
		if (report->layers[i].asked != WANT_NO)
			report_missing(report, (enum control)i, probe->controls[i].sys,
			    probe->controls[i].remedy, "%s", probe->controls[i].reason);
	}
}

/* Probes one backend; true where it will do, else the reason is added to `text`. */
static bool try_backend(const struct backend *backend, const struct spec *spec,
    struct report *refusals, struct report *report, struct str *text)
{
	struct err failure = ERR_INIT;
	struct probe probe;
	bool will_do = false;

	memset(&probe, 0, sizeof(probe));
	str_addf(text, "%s%s", text->length ? "; backend " : "backend ", backend->name);
	if (backend->probe(&probe, &failure) != 0)
		str_addf(text, " cannot be probed: %s",
		    failure.message ? failure.message : "no reason given");
	else
		will_do = list_missing(backend, spec, &probe, refusals, text) == 0;
	if (will_do)
		relax(report, &probe);
	err_clear(&failure);
	return will_do;
}

/*
 * A backend that was passed over must leave no trace in the layers of the one that was taken,
 * so refusals are written to a report of their own first.
 */
const struct backend *backend_pick(const struct backend *const *backends,
    const struct spec *spec, struct report *report, struct err *err)
{
	const struct backend *picked = NULL;
	struct report refusals;
	struct layer layers[CONTROL_COUNT];
	struct str text = STR_INIT;
	size_t i;

	if (check_name(backends, spec, err) != 0)
		return NULL;
	report_init(&refusals, spec);
	for (i = 0; backends[i] && !picked; i++)
		if (is_candidate(backends[i], spec) && !(is_auto(spec) && i > 0 && backends[i]->is_fallback) &&
		    try_backend(backends[i], spec, &refusals, report, &text))
			picked = backends[i];
	if (picked) {
		report->backend = picked->name;
		report->confinement = picked->name;
	} else {
		memcpy(layers, report->layers, sizeof(layers));
		memcpy(report->layers, refusals.layers, sizeof(layers));
		memcpy(refusals.layers, layers, sizeof(layers));
		err_set(err, ERR_REFUSED, "%s", str_text(&text));
	}
	report_free(&refusals);
	str_free(&text);
	return picked;
}

int backend_run_best(const struct backend *const *backends, const struct spec *spec,
    struct report *report, const struct backend_hooks *hooks, struct err *err)
{
	struct err earlier = ERR_INIT;
	const char *refused = NULL;
	int result;

	for (;;) {
		const struct backend *backend = backend_pick(backends, spec, report, err);

		result = backend == NULL ? -1 : backend_run(backend, spec, report, hooks, err);
		while (backend != NULL && *backends++ != backend)
			continue;
		if (result == 0 || backend == NULL || err->kind != ERR_UNAVAILABLE || !is_auto(spec) ||
		    *backends == NULL)
			break;
		err_clear(&earlier);
		err_move(&earlier, err);
		refused = backend->name;
		report_restart(report, spec);
	}
	if (result < 0 && refused != NULL)
		err_wrap(err, "%s: %s; otherwise", refused, earlier.message);
	err_clear(&earlier);
	return result;
}
