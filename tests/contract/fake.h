/*
 * A backend that does nothing and can do everything wrong. It understands the
 * commands "exit N", "kill", "missing" and "junk".
 */
#ifndef NSBOX_TESTS_CONTRACT_FAKE_H
#define NSBOX_TESTS_CONTRACT_FAKE_H

#include <stdbool.h>

#include "core/backend.h"

enum fake_step {
	FAKE_PREPARE,
	FAKE_START,
	FAKE_RELEASE,
	FAKE_WAIT,
	FAKE_TEARDOWN,
	FAKE_STEP_COUNT
};

struct fake {
	bool fails[FAKE_STEP_COUNT];
	bool silent;		/* fails without saying why */
	bool withholds;		/* `control` is never confirmed */
	bool refuses;		/* `control` is reported as missing */
	bool unprobed;		/* `control` is what the probe cannot do */
	bool unexplained;	/* ... and it gives no reason */
	bool probe_fails;
	enum control control;
	bool endless;		/* wait succeeds and knows no end */
	bool confuses_status;	/* wait reports another exit status */
	bool leaves_survivor;	/* teardown succeeds without having confirmed it */
	bool ends_early;	/* start records an end of its own before it fails */
	bool late_end;		/* wait records an end before it fails */
	bool lies;		/* applies `control` without evidence */
	int live;		/* runs prepared and not torn down */
	int prepared;		/* runs prepared so far */
};

/* The fake that fake_backend acts as; there is one at a time. */
void fake_use(struct fake *fake);

extern const struct backend fake_backend;

#endif
