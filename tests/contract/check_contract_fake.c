/*
 * The contract, kept by the fake backend while it behaves. It is the simplest
 * example of a backend's contract test; check_contract_bites.c lets it
 * misbehave.
 */
#include "contract/fake.h"
#include "contract/fake_subject.h"

int main(void)
{
	/* There is one thing it cannot do, so that no case has nothing to say. */
	struct fake fake = { .unprobed = true, .control = CONTROL_APPCONTAINER };

	fake_use(&fake);
	return contract_main(&fake_subject);
}
