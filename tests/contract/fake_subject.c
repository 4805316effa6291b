/*
 * The commands that the fake backend understands.
 */
#include "contract/fake_subject.h"

#include <stdlib.h>

#include "contract/fake.h"

static void exits(struct spec *spec, int status)
{
	char *word = xasprintf("%d", status);

	spec_add_word(spec, "exit");
	spec_add_word(spec, word);
	free(word);
}

static void kills_itself(struct spec *spec)
{
	spec_add_word(spec, "kill");
}

static void is_missing(struct spec *spec)
{
	spec_add_word(spec, "missing");
}

static void is_no_program(struct spec *spec)
{
	spec_add_word(spec, "junk");
}

const struct contract_subject fake_subject = {
	.backend = &fake_backend,
	.exits = exits,
	.kills_itself = kills_itself,
	.is_missing = is_missing,
	.is_no_program = is_no_program,
};
