/*
 * Child code, and the supervisor's: the table of what each ABI can restrict (landlock_abi.h).
 */
#include "linux/landlock_abi.h"

#include <stddef.h>

#include "linux/landlock_calls.h"

struct added {
	int abi;
	struct abi_ruleset rights;
};

static const struct added table[] = {
	{ 1, { .fs = ABI_EXECUTE | ABI_WRITE_FILE | ABI_READ_FILE | ABI_READ_DIR | ABI_REMOVE_DIR |
	    ABI_REMOVE_FILE | ABI_MAKE_CHAR | ABI_MAKE_DIR | ABI_MAKE_REG | ABI_MAKE_SOCK |
	    ABI_MAKE_FIFO | ABI_MAKE_BLOCK | ABI_MAKE_SYM } },
	{ ABI_HAS_REFER, { .fs = ABI_REFER } },
	{ ABI_HAS_TRUNCATE, { .fs = ABI_TRUNCATE } },
	{ ABI_HAS_TCP, { .net = ABI_BIND_TCP | ABI_CONNECT_TCP } },
	{ ABI_HAS_IOCTL_DEV, { .fs = ABI_IOCTL_DEV } },
	{ ABI_HAS_SCOPES, { .scoped = ABI_SCOPE_ABSTRACT | ABI_SCOPE_SIGNAL } },
	{ ABI_HAS_UNIX, { .fs = ABI_RESOLVE_UNIX } },
	{ ABI_HAS_UDP, { .net = ABI_BIND_UDP | ABI_SEND_UDP } },
};

struct abi_ruleset abi_all(int abi)
{
	struct abi_ruleset all = { .fs = 0 };

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].abi > abi)
			break;
		all.fs |= table[i].rights.fs;
		all.net |= table[i].rights.net;
		all.scoped |= table[i].rights.scoped;
	}
	return all;
}

int abi_create(const struct abi_ruleset *ruleset)
{
	/* All zeros behind what an older kernel knows is fine with it. */
	return (int)syscall(SYS_landlock_create_ruleset, ruleset, sizeof(*ruleset), 0u);
}

int abi_allow(int ruleset, int fd, uint64_t rights)
{
	struct {
		uint64_t rights;
		int32_t fd;
	} __attribute__((packed)) rule = { rights, fd };

	return (int)syscall(SYS_landlock_add_rule, ruleset, CALLS_PATH_BENEATH, &rule, 0u);
}
