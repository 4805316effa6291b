/*
 * What holds of the suspended child, read from the child itself: its token, what
 * that token may do with files, its mitigations. Nothing is taken from what was asked
 * for; where Windows does not answer, nothing is confirmed.
 */
#include "win/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "win/acl.h"
#include "win/fail.h"

enum {
	INTEGRITY_LOW = 0x1000,
	READ_DATA = 0x1
};

static void confirm_container(const struct run *run, struct report *report,
    const struct wapi_token *token)
{
	uint32_t error = token->is_container.error ? token->is_container.error :
	    token->sid_error ? token->sid_error : token->integrity.error;

	if (error)
		fail_layer(report, CONTROL_APPCONTAINER, "reading the child's token", error);
	else if (token->is_container.value == 0)
		report_missing(report, CONTROL_APPCONTAINER, 0, NULL,
		    "not applied: the child's token is not that of an AppContainer");
	else if (!token->sid || strcmp(token->sid, run->sid) != 0)
		report_missing(report, CONTROL_APPCONTAINER, 0, NULL,
		    "the child's token is that of another AppContainer: %s", token->sid ? token->sid : "none");
	else if (token->integrity.value > INTEGRITY_LOW)
		report_missing(report, CONTROL_APPCONTAINER, 0, NULL,
		    "the child's integrity level is 0x%" PRIx32 " and not low", token->integrity.value);
	else
		report_confirm(report, CONTROL_APPCONTAINER, "SECURITY_CAPABILITIES", 0,
		    "%s, integrity 0x%" PRIx32, token->sid, token->integrity.value);
}

static void confirm_capabilities(struct report *report, const struct wapi_token *token)
{
	if (token->capabilities.error)
		fail_layer(report, CONTROL_CAPABILITIES, "reading the capabilities of the token",
		    token->capabilities.error);
	else if (token->capabilities.value > 0)
		report_missing(report, CONTROL_CAPABILITIES, 0, NULL, "the token has %" PRIu32 " capabilities",
		    token->capabilities.value);
	else
		report_confirm(report, CONTROL_CAPABILITIES, "SECURITY_CAPABILITIES", 0, "the token has none");
}

static void confirm_lpac(struct report *report, const struct wapi_token *token)
{
	if (token->is_lpac.error)
		fail_layer(report, CONTROL_LPAC, "reading the kind of the token", token->is_lpac.error);
	else if (token->is_lpac.value != 1)
		report_missing(report, CONTROL_LPAC, 0, NULL, "the token is that of an ordinary AppContainer");
	else
		report_confirm(report, CONTROL_LPAC, "ALL_APPLICATION_PACKAGES_POLICY", 0,
		    "the token is that of a less privileged AppContainer");
}

/* Adds why a path is not as it has to be; true where it is. `allowed` and `denied` are masks. */
static bool is_access(void *token, const char *path, uint32_t allowed, uint32_t denied,
    struct str *fault)
{
	uint32_t granted = 0;
	uint32_t error = wapi.token_access(token, path, &granted);
	char *text;

	if (error) {
		text = fail_text(error);
		str_addf(fault, "access to %s cannot be checked: %s", path, text);
		free(text);
		return false;
	}
	if ((granted & allowed) == allowed && (granted & denied) == 0)
		return true;
	str_addf(fault, "access to %s is 0x%" PRIx32 ", which %s", path, granted,
	    granted & denied ? "is too much" : "is too little");
	return false;
}

/* What is of the user's own must be closed, what was given must be open. */
static void confirm_filesystem(const struct run *run, struct report *report, void *token)
{
	struct str fault = STR_INIT;
	char *profile = NULL;
	uint32_t error = wapi.folder(WAPI_USER_PROFILE, &profile);
	bool is_right;

	if (error) {
		fail_layer(report, CONTROL_FILESYSTEM, "finding the user's folder", error);
		return;
	}
	is_right = is_access(token, profile, 0, READ_DATA | ACL_CHANGES, &fault) &&
	    is_access(token, run->journal.file, 0, READ_DATA | ACL_CHANGES, &fault) &&
	    is_access(token, run->scratch, ACL_WRITE, 0, &fault);
	for (size_t i = 0; i < run->places_count && is_right; i++)
		if (!run->places[i].read_only)
			is_right = is_access(token, run->places[i].path, ACL_WRITE, 0, &fault);
	if (is_right)
		report_confirm(report, CONTROL_FILESYSTEM, "AccessCheck", 0,
		    "with the child's token: %s and %s closed, %s open", profile, run->journal.file, run->scratch);
	else
		report_missing(report, CONTROL_FILESYSTEM, 0, NULL, "%s", str_text(&fault));
	free(profile);
	str_free(&fault);
}

static void confirm_read_only(const struct run *run, struct report *report, void *token)
{
	size_t count = 0;

	for (size_t i = 0; i < run->places_count; i++)
		count += run->places[i].read_only;
	report_expect(report, CONTROL_READ_ONLY, count);
	if (count == 0)
		report_confirm(report, CONTROL_READ_ONLY, "AppContainer", 0, "nothing was asked to be shown");
	for (size_t i = 0, item = 0; i < run->places_count; i++) {
		struct str fault = STR_INIT;

		if (!run->places[i].read_only)
			continue;
		if (is_access(token, run->places[i].path, ACL_READ, ACL_CHANGES, &fault))
			report_confirm(report, CONTROL_READ_ONLY, "AccessCheck", item++,
			    "%s can be read and not changed", run->places[i].path);
		else
			report_missing(report, CONTROL_READ_ONLY, 0, NULL, "%s %s: %s", run->places[i].option,
			    run->places[i].path, str_text(&fault));
		str_free(&fault);
	}
}

/*
 * Nothing of the child says that it has no network: it follows from its token, as long as the SID is not exempt
 * and the service runs that enforces it.
 */
static void confirm_network(const struct run *run, struct report *report)
{
	bool is_exempt = true, runs = false;
	uint32_t error = wapi.loopback_exempt(run->sid, &is_exempt);

	if (error) {
		fail_layer(report, CONTROL_NETWORK, "the exemptions from network isolation cannot be read", error);
		return;
	}
	error = wapi.service_runs("BFE", &runs);
	if (error)
		fail_layer(report, CONTROL_NETWORK, "the state of the Base Filtering Engine cannot be read", error);
	else if (is_exempt)
		report_missing(report, CONTROL_NETWORK, 0, NULL, "the AppContainer is exempt from network isolation");
	else if (!runs)
		report_missing(report, CONTROL_NETWORK, 0, "start the service BFE",
		    "the Base Filtering Engine does not run, and nothing would keep the network away");
	else if (report->layers[CONTROL_APPCONTAINER].state != LAYER_APPLIED ||
	    report->layers[CONTROL_CAPABILITIES].state != LAYER_APPLIED)
		report_missing(report, CONTROL_NETWORK, 0, NULL,
		    "it would follow from an AppContainer without capabilities, which is not confirmed");
	else
		report_confirm(report, CONTROL_NETWORK, "AppContainer", 0, "inferred: a token without capabilities, "
		    "not exempt from network isolation, and the Base Filtering Engine runs");
}

/* The bit that is looked for in the answer to each question. */
static uint32_t fault_of_mitigation(const struct run *run, enum wapi_mitigation which,
    const char **fault)
{
	uint32_t first = 0, second = 0;
	uint32_t error = wapi.mitigation_get(run->process, which, 0, &first);

	if (!error)
		error = wapi.mitigation_get(run->process, which, UINT32_MAX, &second);
	if (error)
		*fault = "reading back";
	else if (first != second)
		*fault = "accepted and not confirmed: the answer is what the buffer held before";
	else if (!(first & 1))
		*fault = "accepted and not in force";
	return error;
}

static void confirm_mitigations(const struct run *run, struct report *report)
{
	const char *fault = NULL;
	uint32_t error = 0;

	if (run->mitigations_error) {
		fail_layer(report, CONTROL_MITIGATIONS, "not applied", run->mitigations_error);
		return;
	}
	for (int i = 0; i < WAPI_MITIGATION_COUNT && !fault; i++)
		error = fault_of_mitigation(run, (enum wapi_mitigation)i, &fault);
	if (error)
		fail_layer(report, CONTROL_MITIGATIONS, fault, error);
	else if (fault)
		report_missing(report, CONTROL_MITIGATIONS, 0, NULL, "%s", fault);
	else
		report_confirm(report, CONTROL_MITIGATIONS, "MITIGATION_POLICY", 0,
		    "read back: no extension points, no fonts of others, no remote images");
}

static void confirm_made(const struct run *run, struct report *report)
{
	if (run->listed_count > 0)
		report_confirm(report, CONTROL_HANDLES, "HANDLE_LIST", 0,
		    "inherited are the %zu handles of the list and no other", run->listed_count);
	if (!run->spec->keep_env)
		report_confirm(report, CONTROL_ENVIRONMENT, "CreateProcess", 0,
		    "a block of its own with %zu variables", run->env.count);
	else
		report_missing(report, CONTROL_ENVIRONMENT, 0, NULL, "the caller's environment is passed");
}

static void confirm_token(const struct run *run, struct report *report)
{
	struct wapi_token facts;
	void *token = NULL;
	uint32_t error = wapi.token_open(run->process, &token);

	memset(&facts, 0, sizeof(facts));
	if (error) {
		facts.is_container.error = facts.integrity.error = facts.capabilities.error =
		    facts.is_lpac.error = facts.sid_error = error;
	} else {
		wapi.token_read(token, &facts);
	}
	confirm_container(run, report, &facts);
	confirm_capabilities(report, &facts);
	if (run->spec->policy[CONTROL_LPAC].want != WANT_NO)
		confirm_lpac(report, &facts);
	confirm_filesystem(run, report, token);
	confirm_read_only(run, report, token);
	confirm_network(run, report);
	free(facts.sid);
	if (token)
		wapi.close(token);
}

void confirm_child(const struct run *run, struct report *report)
{
	job_confirm(run, report);
	confirm_made(run, report);
	if (run->spec->policy[CONTROL_MITIGATIONS].want != WANT_NO)
		confirm_mitigations(run, report);
	/* Without a container profile.c has said already why nothing of this holds. */
	if (run->sid)
		confirm_token(run, report);
}
