/*
 * Makes the rulesets: one with nothing but scopes, that init and the killer live in,
 * and in it the one that COMMAND gets.
 */
#include "landlock/run.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	const char *path;
	uint64_t rights;
};

/* What every COMMAND gets, where it is there. */
static const struct place places[] = {
	{ "/proc", ABI_READ_FILE | ABI_READ_DIR },
	{ "/dev/null", ABI_READ_FILE | ABI_WRITE_FILE | ABI_TRUNCATE },
	{ "/dev/zero", ABI_READ_FILE | ABI_WRITE_FILE | ABI_TRUNCATE },
	{ "/dev/full", ABI_READ_FILE | ABI_WRITE_FILE | ABI_TRUNCATE },
	{ "/dev/random", ABI_READ_FILE | ABI_WRITE_FILE },
	{ "/dev/urandom", ABI_READ_FILE | ABI_WRITE_FILE },
	/* The caller's terminal, where it is shared; of no use without. */
	{ "/dev/tty", ABI_READ_FILE | ABI_WRITE_FILE | ABI_IOCTL_DEV },
};

static int allow(const struct run *run, int fd, uint64_t rights)
{
	const uint64_t known = abi_all(run->abi).fs;
	struct stat status;

	if (fstat(fd, &status) < 0)
		return -1;
	if (!S_ISDIR(status.st_mode))
		rights &= ABI_OF_FILES;
	return abi_allow(run->ruleset, fd, rights & known);
}

static int allow_path(const struct run *run, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	int result, error;

	if (fd < 0)
		return -1;
	result = allow(run, fd, rights);
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int fail(const struct view_item *item, int error, struct err *err)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, item->source.path, 300);
	err_sys(err, ERR_SETUP, error, "%s %s", item->option, str_text(&shown));
	err->stage = "view";
	str_free(&shown);
	return -1;
}

/* The file that is opened has to be the one that was looked at: it may have been swapped meanwhile. */
static int allow_item(const struct run *run, const struct allowance *allowance, struct err *err)
{
	const struct view_item *item = allowance->item;
	uint64_t rights = ABI_SHOWN | (allowance->is_wide ? ABI_WRITABLE : 0) |
	    (item->devices ? ABI_IOCTL_DEV : 0);
	int fd = open(item->source.path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	int result = 0;

	if (fd < 0)
		return fail(item, errno, err);
	if (fstat(fd, &status) < 0 || status.st_dev != item->source.device ||
	    status.st_ino != item->source.inode)
		result = fail(item, ESTALE, err);
	else if (allow(run, fd, rights) < 0)
		result = fail(item, errno, err);
	close(fd);
	return result;
}

/* The folder that was made, or the one that was looked at, whatever has that name now. */
static int allow_scratch(const struct run *run)
{
	bool is_used = run->used.path != NULL;
	int fd = is_used ? open(run->used.path, O_PATH | O_CLOEXEC | O_NOFOLLOW) :
	    openat(run->disk.dir, "work", O_PATH | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	int result, error;

	if (fd < 0)
		return -1;
	result = allow(run, fd, ABI_SHOWN | ABI_WRITABLE);
	error = errno;
	if (result == 0 && is_used && (fstat(fd, &status) < 0 || status.st_dev != run->used.device ||
	    status.st_ino != run->used.inode)) {
		result = -1;
		error = ESTALE;
	}
	close(fd);
	errno = error;
	return result;
}

static int allow_standard(const struct run *run, struct err *err)
{
	const struct canaries *canaries = &run->canaries;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (allow_path(run, places[i].path, places[i].rights) < 0 && errno != ENOENT)
			return err_sys(err, ERR_SETUP, errno, "cannot allow %s", places[i].path);
	}
	if (allow_scratch(run) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot allow the scratch");
	if (allow_path(run, canaries->setup.read_only, ABI_SHOWN) < 0)
		return err_sys(err, ERR_SETUP, errno, "cannot allow what is tried");
	return 0;
}

/* With a network of the host's its rights are not restricted. */
static struct abi_ruleset everything(const struct run *run)
{
	struct abi_ruleset all = abi_all(run->abi);

	if (run->course.spec->network == SPEC_NETWORK_HOST) {
		all.net = 0;
		all.scoped &= ~(run->allows_unix ? ABI_SCOPE_ABSTRACT : 0);
		all.fs &= ~(run->allows_unix ? ABI_RESOLVE_UNIX : 0);
	}
	if (run->course.spec->policy[CONTROL_UNIX_SOCKETS].may_miss) {
		all.scoped &= ~ABI_SCOPE_ABSTRACT;
		all.fs &= ~ABI_RESOLVE_UNIX;
	}
	return all;
}

/*
 * A kernel may claim more than it has (a backport, a filter in between): then it is taken for the newest that it
 * accepts. Where it accepts nothing there is no Landlock.
 */
static int create(struct run *run, struct err *err)
{
	struct abi_ruleset all;

	do {
		all = everything(run);
		run->ruleset = abi_create(&all);
	} while (run->ruleset < 0 && errno == EINVAL && --run->abi > 0);
	if (run->ruleset < 0)
		return err_sys(err, ERR_UNAVAILABLE, errno, "cannot make a Landlock ruleset");
	return 0;
}

int rules_make(struct run *run, struct err *err)
{
	struct abi_ruleset scopes = { .scoped = ABI_SCOPE_SIGNAL };

	if (create(run, err) < 0)
		return -1;
	for (size_t i = 0; i < run->allowances.count; i++) {
		if (allow_item(run, &run->allowances.items[i], err) < 0)
			return -1;
	}
	if (allow_standard(run, err) < 0)
		return -1;
	if (!run_has_scope(run))
		return 0;
	run->scope = abi_create(&scopes);
	if (run->scope < 0)
		return err_sys(err, ERR_UNAVAILABLE, errno, "cannot make a Landlock ruleset of scopes");
	return 0;
}
