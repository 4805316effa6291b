/*
 * The contract, kept by the Windows backend: on a machine in memory, and, where
 * this is built for Windows, on that. NSBOX_TEST_ALLOW_MISSING has the names of controls, with
 * commas, that this system has no means for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/contract.h"
#include "core/defaults.h"
#include "win/backend_win.h"
#include "win/contract_system.h"

static void allow_missing(struct spec *spec)
{
	const char *at = getenv("NSBOX_TEST_ALLOW_MISSING");

	while (at && *at) {
		size_t length = strcspn(at, ",");
		enum control control = control_find(at, length);

		if (control != CONTROL_COUNT)
			spec->policy[control].may_miss = true;
		at += length + (at[length] == ',');
	}
}

static void exits(struct spec *spec, int status)
{
	char *script = xasprintf("exit %d", status);

	allow_missing(spec);
	spec_add_word(spec, "cmd");
	spec_add_word(spec, "/c");
	spec_add_word(spec, script);
	free(script);
}

static void is_missing(struct spec *spec)
{
	allow_missing(spec);
	spec_add_word(spec, "C:\\no\\such\\command.exe");
}

static void is_no_program(struct spec *spec)
{
	allow_missing(spec);
	spec_add_word(spec, contract_system_junk());
}

int main(void)
{
	static const struct contract_subject subject = {
		.backend = &backend_win,
		.defaults = defaults_windows,
		.exits = exits,
		.kills_itself = NULL,
		.is_missing = is_missing,
		.is_no_program = is_no_program,
	};
	int status;

	if (contract_system_begin() < 0) {
		puts("Bail out! the file that is no program cannot be made");
		return EXIT_FAILURE;
	}
	status = contract_main(&subject);
	contract_system_end();
	return status;
}
