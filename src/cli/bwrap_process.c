/*
 * Setters of bubblewrap's options about namespaces, identity, environment, descriptors and
 * the process.
 */
#include "cli/bwrap_apply.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/host.h"
#include "core/value.h"

/* Of one filter: 4096 instructions of 8 bytes are the kernel's limit. */
enum { PROGRAM_MAX = 1 << 20, INSTRUCTION_SIZE = 8 };

static int refuse_number(const char *what, const char *word, struct err *err)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, word, OPT_SHOWN_MAX);
	err_set(err, ERR_USAGE, "Invalid %s: %s", what, str_text(&shown));
	str_free(&shown);
	return -1;
}

int bwrap_parse_fd(const char *word, int *fd, struct err *err)
{
	uint64_t number;

	if (value_parse_c(word, 10, INT_MAX, &number) < 0)
		return refuse_number("fd", word, err);
	*fd = (int)number;
	return 0;
}

static struct spec_bwrap *bwrap_of(void *context)
{
	struct bwrap_apply *apply = context;

	return apply->spec->bwrap;
}

BWRAP_SETTER(bwrap_set_unshare)
{
	(void)values;
	(void)err;
	bwrap_of(context)->unshare |= (unsigned)opt->detail;
	return 0;
}

BWRAP_SETTER(bwrap_set_share_net)
{
	(void)opt;
	(void)values;
	(void)err;
	bwrap_of(context)->unshare &= ~(unsigned)SPEC_UNSHARE_NET;
	return 0;
}

BWRAP_SETTER(bwrap_set_fd)
{
	if (opt->detail == SPEC_FD_SECCOMP && bwrap_of(context)->program_count > 0)
		return err_set(err, ERR_USAGE, "--seccomp cannot be combined with --add-seccomp-fd");
	return bwrap_parse_fd(values[0], &bwrap_of(context)->fds[opt->detail], err);
}

BWRAP_SETTER(bwrap_set_sync)
{
	int fd;

	(void)opt;
	if (bwrap_parse_fd(values[0], &fd, err) < 0)
		return -1;
	spec_bwrap_add_sync(bwrap_of(context), fd);
	return 0;
}

BWRAP_SETTER(bwrap_set_lock)
{
	(void)opt;
	(void)err;
	str_list_add(&bwrap_of(context)->lock_files, values[0]);
	return 0;
}

BWRAP_SETTER(bwrap_set_flag)
{
	struct bwrap_apply *apply = context;
	struct spec_bwrap *bwrap = apply->spec->bwrap;
	bool *const flags[] = {
		[BWRAP_NEW_SESSION] = &apply->spec->new_session,
		[BWRAP_DIE_WITH_PARENT] = &bwrap->die_with_parent,
		[BWRAP_AS_PID_1] = &bwrap->as_pid_1,
		[BWRAP_DISABLE_USERNS] = &bwrap->disable_userns,
		[BWRAP_ASSERT_USERNS_DISABLED] = &bwrap->assert_userns_disabled,
		[BWRAP_LEVEL_PREFIX] = &apply->command->has_level_prefix,
	};

	(void)values;
	(void)err;
	if (opt->detail != BWRAP_NOT_A_BOUNDARY)
		*flags[opt->detail] = true;
	return 0;
}

BWRAP_SETTER(bwrap_set_id)
{
	struct bwrap_apply *apply = context;
	bool is_user = opt->detail == 'u';
	uint64_t number;

	if (value_parse_c(values[0], 10, INT_MAX, &number) < 0)
		return refuse_number(is_user ? "uid" : "gid", values[0], err);
	if (is_user) {
		apply->spec->uid = (uint32_t)number;
		apply->spec->has_uid = true;
	} else {
		apply->spec->gid = (uint32_t)number;
		apply->spec->has_gid = true;
	}
	return 0;
}

static void replace(char **text, const char *value)
{
	free(*text);
	*text = xstrdup(value);
}

BWRAP_SETTER(bwrap_set_hostname)
{
	struct bwrap_apply *apply = context;

	(void)opt;
	(void)err;
	replace(&apply->spec->hostname, values[0]);
	return 0;
}

BWRAP_SETTER(bwrap_set_chdir)
{
	struct bwrap_apply *apply = context;

	(void)opt;
	(void)err;
	replace(&apply->spec->chdir, values[0]);
	return 0;
}

BWRAP_SETTER(bwrap_set_argv0)
{
	if (bwrap_of(context)->argv0)
		return err_set(err, ERR_USAGE, "%s used multiple times", opt->name);
	bwrap_of(context)->argv0 = xstrdup(values[0]);
	return 0;
}

BWRAP_SETTER(bwrap_set_clearenv)
{
	struct bwrap_apply *apply = context;

	(void)opt;
	(void)values;
	(void)err;
	spec_add_env(apply->spec, SPEC_ENV_CLEAR, "", 0, NULL);
	return 0;
}

static int add_env(struct bwrap_apply *apply, enum spec_env_kind kind, const char *name, const char *value)
{
	if (name[0] == '\0' || strchr(name, '='))
		return -1;
	spec_add_env(apply->spec, kind, name, strlen(name), value);
	return 0;
}

BWRAP_SETTER(bwrap_set_setenv)
{
	(void)opt;
	if (add_env(context, SPEC_ENV_SET, values[0], values[1]) < 0)
		return err_set(err, ERR_USAGE, "setenv failed");
	return 0;
}

BWRAP_SETTER(bwrap_set_unsetenv)
{
	(void)opt;
	if (add_env(context, SPEC_ENV_UNSET, values[0], NULL) < 0)
		return err_set(err, ERR_USAGE, "unsetenv failed");
	return 0;
}

BWRAP_SETTER(bwrap_set_capability)
{
	bool is_all = strlen(values[0]) == 3 && (values[0][0] | 32) == 'a' && (values[0][1] | 32) == 'l' &&
	    (values[0][2] | 32) == 'l';
	int number = is_all ? -1 : host.find_capability(values[0]);
	struct str shown = STR_INIT;

	if (is_all || number >= 0) {
		spec_bwrap_add_capability(bwrap_of(context), opt->detail != 0, number);
		return 0;
	}
	str_add_printable(&shown, values[0], OPT_SHOWN_MAX);
	err_set(err, ERR_USAGE, "unknown cap: %s", str_text(&shown));
	str_free(&shown);
	return -1;
}

BWRAP_SETTER(bwrap_set_program)
{
	struct spec_bwrap *bwrap = bwrap_of(context);
	struct str text = STR_INIT;
	char *digits;
	int fd, result;

	if (bwrap->fds[SPEC_FD_SECCOMP] >= 0)
		return err_set(err, ERR_USAGE, "--add-seccomp-fd cannot be combined with --seccomp");
	if (bwrap_parse_fd(values[0], &fd, err) < 0)
		return -1;
	digits = xasprintf("%d", fd);
	result = host.read_input(opt->name, digits, PROGRAM_MAX, &text, err);
	free(digits);
	if (result < 0) {
		err_set(err, ERR_USAGE, "Can't read seccomp data: %s",
		    err->sys ? strerror(err->sys) : "too much");
	} else if (text.length % INSTRUCTION_SIZE != 0) {
		result = err_set(err, ERR_USAGE, "Invalid seccomp data, must be multiple of %d",
		    INSTRUCTION_SIZE);
	} else {
		size_t length = text.length;

		spec_bwrap_add_program(bwrap, str_take(&text), length);
	}
	str_free(&text);
	return result;
}

/* As a bubblewrap without SELinux answers. */
BWRAP_SETTER(bwrap_set_label)
{
	(void)context;
	(void)opt;
	(void)values;
	return err_set(err, ERR_USAGE, "labeling not supported on this system");
}

/* For tests, and not in the help. */
BWRAP_SETTER(bwrap_set_debug)
{
	struct bwrap_apply *apply = context;

	if (strcmp(values[0], "print-assumed-kernel") == 0) {
		apply->command->verb = BWRAP_KERNEL;
		return 1;
	}
	if (strcmp(values[0], "force-openat-fallback") == 0)
		apply->spec->bwrap->old_open = true;
	else if (strcmp(values[0], "force-mount-setattr-fallback") == 0)
		apply->spec->bwrap->old_attributes = true;
	else
		return err_set(err, ERR_USAGE, "Unknown %s value: %s", opt->name, values[0]);
	return 0;
}
