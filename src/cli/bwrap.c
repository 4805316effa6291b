/*
 * The option table of bubblewrap's command line and the loop over its words. The grammar
 * has no --option=value and no abbreviations, and ends at `--` or at the first word that
 * does not begin with a dash. It refuses what bubblewrap refuses, in its words, which
 * clients read.
 */
#include "cli/bwrap.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bwrap_apply.h"
#include "core/host.h"

enum { ARGS_MAX = 64 << 20 };

static const struct opt rows[] = {
#define ROW(name, values, metavars, repeat, detail, set, help) \
	{ name, values, metavars, NULL, repeat, detail, set, help }
	ROW("--help", 0, NULL, OPT_REPEAT, BWRAP_HELP, bwrap_set_verb, "show this text"),
	ROW("--version", 0, NULL, OPT_REPEAT, BWRAP_VERSION_VERB, bwrap_set_verb, "show the version"),
	ROW("--args", 1, "FD", OPT_REPEAT, 0, bwrap_set_args, "read more options, ended by NUL bytes, from FD"),
	ROW("--argv0", 1, "VALUE", OPT_REPEAT, 0, bwrap_set_argv0, "COMMAND sees VALUE as its name, argv[0]"),
	ROW("--level-prefix", 0, NULL, OPT_REPEAT, BWRAP_LEVEL_PREFIX, bwrap_set_flag,
	    "begin messages with <3> for errors and <4> for warnings"),
	ROW("--unshare-all", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_USER_TRY | SPEC_UNSHARE_IPC |
	    SPEC_UNSHARE_PID | SPEC_UNSHARE_NET | SPEC_UNSHARE_UTS | SPEC_UNSHARE_CGROUP_TRY,
	    bwrap_set_unshare, "all namespaces that this knows, where the host has them"),
	ROW("--share-net", 0, NULL, OPT_REPEAT, 0, bwrap_set_share_net,
	    "keep the caller's network, behind --unshare-all"),
	ROW("--unshare-user", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_USER, bwrap_set_unshare,
	    "a user namespace (an ordinary user gets one anyway)"),
	ROW("--unshare-user-try", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_USER_TRY, bwrap_set_unshare,
	    "the same where the host has them"),
	ROW("--unshare-ipc", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_IPC, bwrap_set_unshare, "an IPC namespace"),
	ROW("--unshare-pid", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_PID, bwrap_set_unshare, "a process tree"),
	ROW("--unshare-net", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_NET, bwrap_set_unshare,
	    "a network with nothing but loopback"),
	ROW("--unshare-uts", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_UTS, bwrap_set_unshare, "a host name"),
	ROW("--unshare-cgroup", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_CGROUP, bwrap_set_unshare,
	    "a view of control groups"),
	ROW("--unshare-cgroup-try", 0, NULL, OPT_REPEAT, SPEC_UNSHARE_CGROUP_TRY, bwrap_set_unshare,
	    "the same where the host has it"),
	ROW("--userns", 1, "FD", OPT_ONCE, SPEC_FD_USERNS, bwrap_set_fd, "use the user namespace FD"),
	ROW("--userns2", 1, "FD", OPT_ONCE, SPEC_FD_USERNS2, bwrap_set_fd,
	    "go to the user namespace FD when all is set up"),
	ROW("--disable-userns", 0, NULL, OPT_REPEAT, BWRAP_DISABLE_USERNS, bwrap_set_flag,
	    "no further user namespaces inside"),
	ROW("--assert-userns-disabled", 0, NULL, OPT_REPEAT, BWRAP_ASSERT_USERNS_DISABLED, bwrap_set_flag,
	    "fail where further user namespaces can be made"),
	ROW("--pidns", 1, "FD", OPT_ONCE, SPEC_FD_PIDNS, bwrap_set_fd, "use the process tree FD"),
	ROW("--uid", 1, "UID", OPT_ONCE, 'u', bwrap_set_id, "user id inside"),
	ROW("--gid", 1, "GID", OPT_ONCE, 'g', bwrap_set_id, "group id inside"),
	ROW("--hostname", 1, "NAME", OPT_ONCE, 0, bwrap_set_hostname, "host name inside, with --unshare-uts"),
	ROW("--chdir", 1, "DIR", OPT_ONCE, 0, bwrap_set_chdir, "where COMMAND starts"),
	ROW("--clearenv", 0, NULL, OPT_REPEAT, 0, bwrap_set_clearenv, "empty the environment"),
	ROW("--setenv", 2, "VAR VALUE", OPT_REPEAT, 0, bwrap_set_setenv, "set a variable"),
	ROW("--unsetenv", 1, "VAR", OPT_REPEAT, 0, bwrap_set_unsetenv, "remove a variable"),
	ROW("--lock-file", 1, "DEST", OPT_REPEAT, 0, bwrap_set_lock, "hold a shared lock on DEST meanwhile"),
	ROW("--sync-fd", 1, "FD", OPT_REPEAT, 0, bwrap_set_sync, "hold FD open meanwhile"),
	ROW("--bind", 2, "SRC DEST", OPT_REPEAT, 0, bwrap_set_bind, "show SRC of the host at DEST"),
	ROW("--bind-try", 2, "SRC DEST", OPT_REPEAT, BWRAP_OPTIONAL, bwrap_set_bind,
	    "the same; nothing where there is no SRC"),
	ROW("--dev-bind", 2, "SRC DEST", OPT_REPEAT, BWRAP_DEVICES, bwrap_set_bind,
	    "the same, and device nodes work"),
	ROW("--dev-bind-try", 2, "SRC DEST", OPT_REPEAT, BWRAP_DEVICES | BWRAP_OPTIONAL, bwrap_set_bind,
	    "the same; nothing where there is no SRC"),
	ROW("--ro-bind", 2, "SRC DEST", OPT_REPEAT, BWRAP_READ_ONLY, bwrap_set_bind,
	    "show SRC of the host at DEST, read-only"),
	ROW("--ro-bind-try", 2, "SRC DEST", OPT_REPEAT, BWRAP_READ_ONLY | BWRAP_OPTIONAL, bwrap_set_bind,
	    "the same; nothing where there is no SRC"),
	ROW("--bind-fd", 2, "FD DEST", OPT_REPEAT, 0, bwrap_set_bind_fd, "show what FD stands for at DEST"),
	ROW("--ro-bind-fd", 2, "FD DEST", OPT_REPEAT, BWRAP_READ_ONLY, bwrap_set_bind_fd,
	    "the same, read-only"),
	ROW("--remount-ro", 1, "DEST", OPT_REPEAT, SPEC_FS_REMOUNT_RO, bwrap_set_place,
	    "make the mount at DEST read-only, not those below"),
	ROW("--overlay-src", 1, "SRC", OPT_REPEAT, 0, bwrap_set_layer,
	    "a layer, bottom first, of the overlay that follows"),
	ROW("--overlay", 3, "RWSRC WORKDIR DEST", OPT_REPEAT, SPEC_OVERLAY_RW, bwrap_set_overlay,
	    "the layers at DEST; changes go to RWSRC"),
	ROW("--tmp-overlay", 1, "DEST", OPT_REPEAT, SPEC_OVERLAY_TMP, bwrap_set_overlay,
	    "the layers at DEST; changes are gone afterwards"),
	ROW("--ro-overlay", 1, "DEST", OPT_REPEAT, SPEC_OVERLAY_RO, bwrap_set_overlay,
	    "the layers at DEST, read-only"),
	ROW("--exec-label", 1, "LABEL", OPT_REPEAT, 0, bwrap_set_label, "SELinux label of COMMAND"),
	ROW("--file-label", 1, "LABEL", OPT_REPEAT, 0, bwrap_set_label, "SELinux label of new files"),
	ROW("--proc", 1, "DEST", OPT_REPEAT, SPEC_FS_PROC, bwrap_set_place, "procfs at DEST"),
	ROW("--dev", 1, "DEST", OPT_REPEAT, SPEC_FS_DEV, bwrap_set_place, "a small /dev at DEST"),
	ROW("--tmpfs", 1, "DEST", OPT_REPEAT, SPEC_FS_TMPFS, bwrap_set_place,
	    "an empty file system in memory at DEST"),
	ROW("--mqueue", 1, "DEST", OPT_REPEAT, SPEC_FS_MQUEUE, bwrap_set_place, "POSIX message queues at DEST"),
	ROW("--dir", 1, "DEST", OPT_REPEAT, SPEC_FS_DIR, bwrap_set_place, "a folder"),
	ROW("--file", 2, "FD DEST", OPT_REPEAT, BWRAP_COPY, bwrap_set_data, "a file that holds what FD holds"),
	ROW("--bind-data", 2, "FD DEST", OPT_REPEAT, 0, bwrap_set_data,
	    "the same in memory, mounted at DEST"),
	ROW("--ro-bind-data", 2, "FD DEST", OPT_REPEAT, BWRAP_READ_ONLY, bwrap_set_data,
	    "the same, read-only"),
	ROW("--symlink", 2, "SRC DEST", OPT_REPEAT, 0, bwrap_set_symlink, "a link at DEST that reads SRC"),
	ROW("--seccomp", 1, "FD", OPT_ONCE, SPEC_FD_SECCOMP, bwrap_set_fd,
	    "put COMMAND under the system call filter in FD"),
	ROW("--add-seccomp-fd", 1, "FD", OPT_REPEAT, 0, bwrap_set_program,
	    "the same; several are kept, in order"),
	ROW("--block-fd", 1, "FD", OPT_ONCE, SPEC_FD_BLOCK, bwrap_set_fd,
	    "wait for FD when all is set up, before COMMAND runs"),
	ROW("--userns-block-fd", 1, "FD", OPT_ONCE, SPEC_FD_USERNS_BLOCK, bwrap_set_fd,
	    "wait for FD before set-up; the caller writes the id maps"),
	ROW("--info-fd", 1, "FD", OPT_ONCE, SPEC_FD_INFO, bwrap_set_fd, "write about the sandbox to FD"),
	ROW("--json-status-fd", 1, "FD", OPT_ONCE, SPEC_FD_STATUS, bwrap_set_fd,
	    "write start and end to FD as lines of JSON"),
	ROW("--new-session", 0, NULL, OPT_REPEAT, BWRAP_NEW_SESSION, bwrap_set_flag, "a session of its own"),
	ROW("--die-with-parent", 0, NULL, OPT_REPEAT, BWRAP_DIE_WITH_PARENT, bwrap_set_flag,
	    "end with the process that started this one"),
	ROW("--as-pid-1", 0, NULL, OPT_REPEAT, BWRAP_AS_PID_1, bwrap_set_flag,
	    "COMMAND itself is process 1 of its tree"),
	ROW("--cap-add", 1, "CAP", OPT_REPEAT, 1, bwrap_set_capability, "COMMAND keeps the capability CAP"),
	ROW("--cap-drop", 1, "CAP", OPT_REPEAT, 0, bwrap_set_capability, "COMMAND loses the capability CAP"),
	ROW("--perms", 1, "OCTAL", OPT_REPEAT, 0, bwrap_set_mode,
	    "mode of what the next option makes (--dir --file --bind-data --ro-bind-data --tmpfs)"),
	ROW("--size", 1, "BYTES", OPT_REPEAT, 0, bwrap_set_size, "size of the next --tmpfs"),
	ROW("--chmod", 2, "OCTAL PATH", OPT_REPEAT, 0, bwrap_set_chmod, "change the mode of PATH"),
	ROW("--not-a-security-boundary", 0, NULL, OPT_REPEAT, BWRAP_NOT_A_BOUNDARY, bwrap_set_flag,
	    "accepted; nothing is left out for it"),
#undef ROW
};

const struct opt *bwrap_options(size_t *count)
{
	*count = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

static const struct opt *find_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	}
	return NULL;
}

static int refuse_few(const struct opt *row, struct err *err)
{
	static const char *const counts[] = { "no arguments", "an argument", "two arguments", "three arguments" };
	/* Two say it otherwise. */
	bool says_one = strcmp(row->name, "--chdir") == 0 || strcmp(row->name, "--remount-ro") == 0;

	return err_set(err, ERR_USAGE, "%s takes %s", row->name,
	    says_one ? "one argument" : counts[row->values]);
}

static void note_repeat(struct bwrap_apply *apply, const struct opt *row)
{
	bool *seen = &apply->seen[row - rows];

	if (*seen && row->repeat == OPT_ONCE)
		str_list_take(&apply->command->warnings, xasprintf("%sbwrap: Only the last %s option will take "
		    "effect", apply->command->has_level_prefix ? "<4>" : "", row->name));
	*seen = true;
}

/* What waits for a following option was to be taken by this one. */
static int check_waiting(const struct bwrap_apply *apply, const struct opt *row, struct err *err)
{
	if (row->set == bwrap_set_mode || row->set == bwrap_set_size || row->set == bwrap_set_layer)
		return 0;
	if (apply->has_mode)
		return err_set(err, ERR_USAGE, "--perms must be followed by an option that creates a file");
	if (apply->has_size)
		return err_set(err, ERR_USAGE, "--size must be followed by --tmpfs");
	if (apply->layers.count > 0)
		return err_set(err, ERR_USAGE, "--overlay-src must be followed by another --overlay-src or one "
		    "of --overlay, --tmp-overlay, or --ro-overlay");
	return 0;
}

static int take_option(struct bwrap_apply *apply, char *const *words, size_t count, struct err *err)
{
	static const struct opt debug = { .name = "--debug-opt", .set = bwrap_set_debug };
	const struct opt *row = find_row(words[0]);
	const char *const *values = (const char *const *)words + 1;
	int result;

	if (!row && str_has_prefix(words[0], "--debug-opt=")) {
		const char *value = words[0] + strlen("--debug-opt=");

		return debug.set(apply, &debug, &value, err);
	}
	if (!row) {
		struct str shown = STR_INIT;

		str_add_printable(&shown, words[0], OPT_SHOWN_MAX);
		err_set(err, ERR_USAGE, "Unknown option %s", str_text(&shown));
		str_free(&shown);
		return -1;
	}
	if (row->values >= count)
		return refuse_few(row, err);
	note_repeat(apply, row);
	result = row->set(apply, row, values, err);
	return result == 0 ? check_waiting(apply, row, err) : result;
}

/* Takes options from the front; *used is how many words were options. 0, -1, or 1: stop. */
static int take_options(struct bwrap_apply *apply, char *const *words, size_t count, size_t *used,
    struct err *err)
{
	size_t at = 0;
	int result = 0;

	while (result == 0 && at < count && words[at][0] == '-') {
		const struct opt *row;

		if (strcmp(words[at], "--") == 0) {
			at++;
			break;
		}
		row = find_row(words[at]);
		result = take_option(apply, words + at, count - at, err);
		at += 1 + (row ? row->values : 0);
	}
	*used = at;
	return result;
}

BWRAP_SETTER(bwrap_set_verb)
{
	struct bwrap_apply *apply = context;

	(void)values;
	(void)err;
	apply->command->verb = (enum bwrap_verb)opt->detail;
	return 1;
}

/* Words of the text, each ended by NUL; the last one may lack it. */
static void split(const struct str *text, struct str_list *words)
{
	for (size_t at = 0; at < text->length;) {
		const char *word = text->data + at;

		str_list_add(words, word);
		at += strlen(word) + 1;
	}
}

/*
 * A command in there, and whatever follows it, counts for nothing: parsing stops there
 * without a word.
 */
BWRAP_SETTER(bwrap_set_args)
{
	struct bwrap_apply *apply = context;
	struct str text = STR_INIT;
	struct str_list words = STR_LIST_INIT;
	char *digits;
	size_t used;
	int fd, result;

	if (apply->in_args)
		return err_set(err, ERR_USAGE, "--args not supported in arguments file");
	if (bwrap_parse_fd(values[0], &fd, err) < 0)
		return -1;
	digits = xasprintf("%d", fd);
	result = host.read_input(opt->name, digits, ARGS_MAX, &text, err);
	free(digits);
	if (result < 0) {
		str_free(&text);
		return err_set(err, ERR_USAGE, "Can't read --args data: %s",
		    err->sys ? strerror(err->sys) : "too much");
	}
	split(&text, &words);
	apply->in_args = true;
	result = take_options(apply, words.items, words.count, &used, err);
	apply->in_args = false;
	str_list_free(&words);
	str_free(&text);
	return result;
}

static int parse(int argc, char **argv, struct bwrap_apply *apply, struct err *err)
{
	size_t used = 0;
	int result = take_options(apply, argv + 1, argc > 0 ? (size_t)argc - 1 : 0, &used, err);

	if (result != 0)
		return result < 0 ? -1 : 0;
	for (int i = 1 + (int)used; i < argc; i++)
		spec_add_word(apply->spec, argv[i]);
	if (apply->spec->command_count == 0) {
		apply->command->verb = BWRAP_USAGE;
		return 0;
	}
	return bwrap_check(apply, err);
}

int bwrap_parse(int argc, char **argv, struct bwrap_command *command, struct err *err)
{
	struct bwrap_apply apply = { .spec = &command->spec, .command = command };
	int result;

	memset(command, 0, sizeof(*command));
	spec_init(&command->spec);
	command->spec.bwrap = spec_bwrap_new();
	apply.seen = xcalloc(sizeof(rows) / sizeof(rows[0]), sizeof(*apply.seen));
	result = parse(argc, argv, &apply, err);
	free(apply.seen);
	str_list_free(&apply.layers);
	return result;
}

void bwrap_free(struct bwrap_command *command)
{
	spec_free(&command->spec);
	str_list_free(&command->warnings);
}
