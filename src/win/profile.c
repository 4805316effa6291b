/*
 * The AppContainer of a run: a profile with a name that nobody has used, and
 * the SID that Windows gives for it, checked two ways. One that exists already is never
 * adopted: it would bring its files and grants along.
 */
#include "win/run.h"

#include <stdlib.h>
#include <string.h>

#include "win/fail.h"
#include "win/leftover.h"
#include "win/sid.h"

enum { ATTEMPTS = 3 };

/* What there cannot be without a container. */
static const enum control dependent[] = {
	CONTROL_APPCONTAINER, CONTROL_CAPABILITIES, CONTROL_LPAC, CONTROL_FILESYSTEM, CONTROL_NETWORK,
	CONTROL_READ_ONLY,
};

/* Why the SID cannot be trusted; NULL: all three are the same. */
static const char *fault_of_sid(const char *name, const char *sid, uint32_t *error)
{
	char *derived = NULL;
	char *computed = sid_of_container(name);
	const char *fault = NULL;

	*error = wapi.profile_derive(name, &derived);
	if (*error)
		fault = "the SID of its name cannot be asked for";
	else if (strcmp(sid, derived) != 0 || strcmp(sid, computed) != 0)
		fault = "its SID is not the one of its name";
	free(derived);
	free(computed);
	return fault;
}

/*
 * Windows did not make it: whether nothing of it is there, so that nothing has to be taken away. What
 * cannot be looked at stays in the journal.
 */
static void forget_profile(struct run *run, struct err *err)
{
	char *sid = sid_of_container(run->journal.name);
	bool exists = true;

	if (wapi.profile_exists(run->journal.name, sid, &exists) == 0 && !exists) {
		run->journal.has_profile = false;
		journal_write(&run->journal, err);
	}
	free(sid);
}

/* A run without a container goes on only where nothing that needs one is required. */
static int go_without(struct report *report, int sys, const char *reason, struct err *err)
{
	struct str required = STR_INIT;

	for (size_t i = 0; i < sizeof(dependent) / sizeof(dependent[0]); i++) {
		const struct layer *layer = &report->layers[dependent[i]];

		report_missing(report, dependent[i], i == 0 ? sys : 0, NULL, i == 0 ? "not applied: %s" :
		    "not applied: there is no AppContainer (%s)", reason);
		if (layer->asked == WANT_YES)
			str_addf(&required, "%s%s", required.length ? ", " : "", control_name(dependent[i]));
	}
	if (required.length == 0)
		return 0;
	err_set(err, ERR_REFUSED, "required and not in force: %s: %s", str_text(&required), reason);
	err->sys = sys;
	str_free(&required);
	return -1;
}

static int fail_profile(struct run *run, struct report *report, uint32_t error, struct err *err)
{
	struct err failure = ERR_INIT;
	char *text = fail_text(error);
	char *reason = xasprintf("CreateAppContainerProfile: %s", text);
	int result;

	forget_profile(run, &failure);
	result = failure.kind != ERR_NONE ? -1 :
	    go_without(report, fail_errno(error), reason, err);
	if (failure.kind != ERR_NONE)
		err_move(err, &failure);
	free(reason);
	free(text);
	return result;
}

static int check_sid(struct run *run, struct report *report, struct err *err)
{
	uint32_t error;
	const char *fault = fault_of_sid(run->journal.name, run->sid, &error);
	char *text, *reason;
	int result;

	if (!fault)
		return 0;
	text = error ? fail_text(error) : NULL;
	reason = xasprintf("%s%s%s", fault, text ? ": " : "", text ? text : "");
	free(text);
	free(run->sid);
	run->sid = NULL;
	result = go_without(report, error ? fail_errno(error) : 0, reason, err);
	free(reason);
	return result;
}

static uint32_t create(const char *name, char **sid)
{
	void *lock = NULL;
	uint32_t error = leftover_lock(&lock);

	if (!error)
		error = wapi.profile_create(name, sid);
	if (lock)
		wapi.unlock(lock);
	return error;
}

int profile_make(struct run *run, struct report *report, struct err *err)
{
	uint32_t error = 0;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (journal_begin(&run->journal, err) < 0)
			return -1;
		run->journal.has_profile = true;
		if (journal_write(&run->journal, err) < 0)
			return -1;
		error = create(run->journal.name, &run->sid);
		if (!error)
			return check_sid(run, report, err);
		if (error != WAPI_HRESULT(WAPI_ALREADY_EXISTS) || i + 1 == ATTEMPTS)
			break;
		/* Somebody else's: it must not be in our journal. */
		run->journal.has_profile = false;
		error = journal_end(&run->journal);
		if (error)
			return fail_set(err, ERR_SETUP, error, "cannot remove the journal %s", run->journal.file);
		journal_free(&run->journal);
	}
	if (error == WAPI_HRESULT(WAPI_ALREADY_EXISTS))
		run->journal.has_profile = false;
	return fail_profile(run, report, error, err);
}
