/*
 * The contract's system: the one that this runs on.
 */
#include "win/contract_system.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/str.h"
#include "win/wapi.h"

static char *junk;

const char *contract_system_junk(void)
{
	return junk;
}

int contract_system_begin(void)
{
	char *folder;

	if (wapi.enter() != 0 || wapi.folder(WAPI_TEMP, &folder) != 0)
		return -1;
	junk = xasprintf("%s\\nsbox-contract-junk.exe", folder);
	free(folder);
	return wapi.file_replace(junk, "\1\2\3\4 junk\n", 10) == 0 ? 0 : -1;
}

void contract_system_end(void)
{
	wapi.file_remove(junk);
	free(junk);
}
