/*
 * What Landlock can restrict, by its ABI version: landlock(7), and for what is
 * younger than that page include/uapi/linux/landlock.h. The constants are here
 * since the headers of older systems have only some of them.
 */
#ifndef NSBOX_LINUX_LANDLOCK_ABI_H
#define NSBOX_LINUX_LANDLOCK_ABI_H

#include <stdint.h>

/* Rights on files. */
#define ABI_EXECUTE (UINT64_C(1) << 0)
#define ABI_WRITE_FILE (UINT64_C(1) << 1)
#define ABI_READ_FILE (UINT64_C(1) << 2)
#define ABI_READ_DIR (UINT64_C(1) << 3)
#define ABI_REMOVE_DIR (UINT64_C(1) << 4)
#define ABI_REMOVE_FILE (UINT64_C(1) << 5)
#define ABI_MAKE_CHAR (UINT64_C(1) << 6)
#define ABI_MAKE_DIR (UINT64_C(1) << 7)
#define ABI_MAKE_REG (UINT64_C(1) << 8)
#define ABI_MAKE_SOCK (UINT64_C(1) << 9)
#define ABI_MAKE_FIFO (UINT64_C(1) << 10)
#define ABI_MAKE_BLOCK (UINT64_C(1) << 11)
#define ABI_MAKE_SYM (UINT64_C(1) << 12)
#define ABI_REFER (UINT64_C(1) << 13)		/* ABI 2, Linux 5.19 */
#define ABI_TRUNCATE (UINT64_C(1) << 14)	/* ABI 3, Linux 6.2 */
#define ABI_IOCTL_DEV (UINT64_C(1) << 15)	/* ABI 5, Linux 6.10 */
#define ABI_RESOLVE_UNIX (UINT64_C(1) << 16)	/* ABI 9, Linux 7.1 */

/* What is shown is read and executed; what is writable gets all but device nodes and connections to sockets of others. */
#define ABI_SHOWN (ABI_EXECUTE | ABI_READ_FILE | ABI_READ_DIR)
#define ABI_WRITABLE (ABI_WRITE_FILE | ABI_TRUNCATE | ABI_REMOVE_DIR | ABI_REMOVE_FILE | ABI_MAKE_DIR | \
    ABI_MAKE_REG | ABI_MAKE_SOCK | ABI_MAKE_FIFO | ABI_MAKE_SYM | ABI_REFER)
/* What has a meaning for what is no folder; anything else is refused there. */
#define ABI_OF_FILES (ABI_EXECUTE | ABI_READ_FILE | ABI_WRITE_FILE | ABI_TRUNCATE | ABI_IOCTL_DEV)

/* Rights on the network. */
#define ABI_BIND_TCP (UINT64_C(1) << 0)		/* ABI 4, Linux 6.7 */
#define ABI_CONNECT_TCP (UINT64_C(1) << 1)
#define ABI_BIND_UDP (UINT64_C(1) << 2)		/* ABI 10, Linux 7.2 */
#define ABI_SEND_UDP (UINT64_C(1) << 3)

/* Scopes. */
#define ABI_SCOPE_ABSTRACT (UINT64_C(1) << 0)	/* ABI 6, Linux 6.12 */
#define ABI_SCOPE_SIGNAL (UINT64_C(1) << 1)

/* The versions from which on something holds. */
enum {
	ABI_HAS_REFER = 2,
	ABI_HAS_TRUNCATE = 3,
	ABI_HAS_TCP = 4,
	ABI_HAS_IOCTL_DEV = 5,
	ABI_HAS_SCOPES = 6,
	ABI_HAS_LOG_FLAGS = 7,
	ABI_HAS_UNIX = 9,
	ABI_HAS_UDP = 10,
	ABI_NEWEST = 11		/* the newest one that this table knows */
};

/* landlock_restrict_self(2): denials before exec are not written to the audit log (ABI 7). */
enum { ABI_LOG_SAME_EXEC_OFF = 1 };

struct abi_ruleset {
	uint64_t fs, net, scoped;
	uint64_t quiet_fs, quiet_net, quiet_scoped;	/* ABI 10; zero is fine for every older one */
};

/* All rights that a kernel of this ABI can restrict. A newer one than is known counts as the newest that is. */
struct abi_ruleset abi_all(int abi);

/*
 * The kernel's ABI, as it claims; -1 with errno: ENOSYS (none, or a filter hides it), EOPNOTSUPP (switched off at boot),
 * EPERM (a filter).
 */
int abi_ask(void);

/*
 * A new ruleset, close-on-exec. The kernel refuses what it does not know (EINVAL). A descriptor, or -1 with
 * errno.
 */
int abi_create(const struct abi_ruleset *ruleset);

/* Allows `rights` on the file or folder behind `fd` (O_PATH will do) and all below it. 0 or -1 with errno. */
int abi_allow(int ruleset, int fd, uint64_t rights);

#endif
