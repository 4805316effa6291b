/*
 * Groups 1, 2 and 8 on Windows itself: profiles, tokens, and what reads back.
 */
#include "win/real.h"

#include <stdlib.h>
#include <string.h>

#include "win/journal.h"
#include "win/sid.h"
#include "win/wapi.h"

/* Made, known, the right SID, taken, deleted, unknown. */
static void check_profile(const char *name)
{
	char *sid = NULL, *derived = NULL, *again = NULL, *computed = sid_of_container(name);
	bool exists = false;
	uint32_t error = wapi.profile_create(name, &sid);

	if (!real_check(error == 0, "a profile is made", "%s: 0x%08x", name, (unsigned)error)) {
		free(computed);
		return;
	}
	error = wapi.profile_derive(name, &derived);
	real_check(error == 0 && strcmp(sid, derived) == 0 && strcmp(sid, computed) == 0,
	    "its SID is the one that is derived and the one that is computed", "%s %s %s", sid,
	    derived ? derived : "none", computed);
	error = wapi.profile_exists(name, sid, &exists);
	real_check(error == 0 && exists, "it is in the registry or has a folder", "0x%08x", (unsigned)error);
	error = wapi.profile_create(name, &again);
	real_check(error == WAPI_HRESULT(WAPI_ALREADY_EXISTS), "a second one of the name is refused", "0x%08x",
	    (unsigned)error);
	error = wapi.profile_delete(name);
	real_check(error == 0, "it is deleted", "0x%08x", (unsigned)error);
	error = wapi.profile_exists(name, sid, &exists);
	real_check(error == 0 && !exists, "and not known any more", "0x%08x", (unsigned)error);
	error = wapi.profile_delete(name);
	real_check(error == 0, "deleting one that is not there succeeds", "0x%08x", (unsigned)error);
	free(sid);
	free(derived);
	free(again);
	free(computed);
}

void real_profiles(void)
{
	static const char *const odd[] = {
		"", "nsbox/x", "nsbox.01234567890123456789012345678901234567890123456789012345678",
	};
	char *name;
	unsigned wrong = 0;

	if (journal_make_name(1, &name) == 0) {
		check_profile(name);
		free(name);
	}
	for (unsigned i = 0; i < 20; i++) {
		char *text = xasprintf("nsbox.Test-%u.%x", i, i * 7919);
		char *computed = sid_of_container(text), *derived = NULL;

		wrong += wapi.profile_derive(text, &derived) != 0 || strcmp(computed, derived) != 0;
		free(text);
		free(computed);
		free(derived);
	}
	real_check(wrong == 0, "the SIDs of twenty names are computed as Windows does", "%u differ", wrong);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		char *sid = NULL;
		uint32_t error = wapi.profile_create(odd[i], &sid);

		real_note("a profile named '%s': 0x%08x", odd[i], (unsigned)error);
		real_check(i != 2 || error == 0x80070057, "a name of 65 characters is refused", "0x%08x",
		    (unsigned)error);
		if (error == 0)
			wapi.profile_delete(odd[i]);
		free(sid);
	}
}

static void check_token(bool is_lpac)
{
	const char *const plain[] = { "--", real_child(), "token", NULL };
	const char *const lpac[] = { "--require", "lpac", "--", real_child(), "token", NULL };
	struct outcome outcome;
	const char *sid;

	real_nsbox(&outcome, is_lpac ? lpac : plain);
	real_check(outcome.code == 0, is_lpac ? "a less privileged one runs" : "a command runs", "0x%08x: %s",
	    (unsigned)outcome.code, str_text(&outcome.out));
	real_check(strstr(str_text(&outcome.out), "container 1\n") != NULL, "it says that it is in an AppContainer",
	    "%s", str_text(&outcome.out));
	real_check(strstr(str_text(&outcome.out), "capabilities 0\n") != NULL, "without a capability", "%s",
	    str_text(&outcome.out));
	real_check(strstr(str_text(&outcome.out), "integrity 4096\n") != NULL, "of low integrity", "%s",
	    str_text(&outcome.out));
	real_check(strstr(str_text(&outcome.out), is_lpac ? "lpac 1\n" : "lpac 0\n") != NULL,
	    "of the kind that was asked for", "%s", str_text(&outcome.out));
	/* What nsbox read from the suspended child is what the child says of itself. */
	sid = strstr(str_text(&outcome.out), SID_PACKAGE_PREFIX);
	if (real_check(sid != NULL, "it has the SID of one", "%s", str_text(&outcome.out))) {
		char *text = xstrndup(sid, strcspn(sid, "\r\n"));

		real_check(strstr(str_text(&outcome.report), text) != NULL, "which the report has as evidence",
		    "%s", str_text(&outcome.report));
		free(text);
	}
	real_free(&outcome);
}

void real_tokens(void)
{
	check_token(false);
	check_token(true);
}

void real_read_back(void)
{
	static const char *const layers[] = {
		"appcontainer", "capabilities", "filesystem", "network", "read-only", "scratch", "teardown", "job",
		"ui", "handles", "environment", "mitigations", "wall", "cpu", "mem", "pids", "cpus", "output",
	};
	const char *const words[] = {
		"--require", "mitigations", "--wall", "60", "--cpu", "60", "--mem", "512M", "--pids", "20", "--cpus",
		"1", "--out-max", "1M", "--", real_child(), "exit", "3", NULL,
	};
	struct outcome outcome;

	real_nsbox(&outcome, words);
	real_check(outcome.code == 3, "a run with every limit ends as it should", "0x%08x: %s",
	    (unsigned)outcome.code, str_text(&outcome.out));
	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++)
		real_check(real_is_applied(&outcome, layers[i]), "each layer reads back as it was asked for", "%s: %s",
		    layers[i], str_text(&outcome.report));
	real_free(&outcome);
}
