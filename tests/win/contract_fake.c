/*
 * The contract's system: a machine in memory.
 */
#include "win/contract_system.h"
#include "win/fake_win.h"

const char *contract_system_junk(void)
{
	return "C:\\data\\junk.exe";
}

int contract_system_begin(void)
{
	fake_win_boot();
	fake_file_put(contract_system_junk(), "junk");
	return 0;
}

void contract_system_end(void)
{
	fake_win_shutdown();
}
