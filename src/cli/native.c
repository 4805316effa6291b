/*
 * The option table of nsbox's own command line. Parser, help and the checks of
 * the manual page all read it; an option is a row and a setter.
 */
#include "cli/native.h"

#include <string.h>

#include "cli/apply.h"
#include "core/host.h"
#include "core/str.h"

#define VIEW "What the command sees"
#define ENVIRONMENT "Environment"
#define NETWORK "Network"
#define LIMITS "Limits (over all processes together)"
#define SCRATCH "Scratch"
#define IDENTITY "Identity"
#define POLICY "Policy"
#define REPORT "Report"
#define INPUT "Options from a file"
#define OTHER "Other"

static const struct opt rows[] = {
	{ "--ro", 1, "PATH", VIEW, OPT_REPEAT, APPLY_READ_ONLY, apply_same_place,
	  "show PATH of the host at the same place, read-only" },
	{ "--rw", 1, "PATH", VIEW, OPT_REPEAT, 0, apply_same_place,
	  "the same, writable: changes reach the host" },
	{ "--ro-bind", 2, "SRC DEST", VIEW, OPT_REPEAT, APPLY_READ_ONLY, apply_bind,
	  "show SRC of the host at DEST, read-only" },
	{ "--ro-bind-try", 2, "SRC DEST", VIEW, OPT_REPEAT, APPLY_READ_ONLY | APPLY_OPTIONAL,
	  apply_bind, "the same; skipped where there is no SRC" },
	{ "--bind", 2, "SRC DEST", VIEW, OPT_REPEAT, 0, apply_bind,
	  "show SRC of the host at DEST, writable" },
	{ "--bind-try", 2, "SRC DEST", VIEW, OPT_REPEAT, APPLY_OPTIONAL, apply_bind,
	  "the same; skipped where there is no SRC" },
	{ "--dev-bind", 2, "SRC DEST", VIEW, OPT_REPEAT, APPLY_DEVICES, apply_bind,
	  "like --bind, and device nodes work" },
	{ "--dev-bind-try", 2, "SRC DEST", VIEW, OPT_REPEAT, APPLY_DEVICES | APPLY_OPTIONAL,
	  apply_bind, "the same; skipped where there is no SRC" },
	{ "--tmpfs", 1, "DEST", VIEW, OPT_REPEAT, SPEC_FS_TMPFS, apply_place,
	  "an empty file system in memory, writable, gone afterwards" },
	{ "--dir", 1, "DEST", VIEW, OPT_REPEAT, SPEC_FS_DIR, apply_place,
	  "an empty folder" },
	{ "--symlink", 2, "TARGET DEST", VIEW, OPT_REPEAT, 0, apply_symlink,
	  "a symbolic link at DEST that reads TARGET" },
	{ "--file", 2, "SRC DEST", VIEW, OPT_REPEAT, 0, apply_file,
	  "a copy of the file SRC, or of what descriptor fd:N holds" },
	{ "--overlay-src", 1, "SRC", VIEW, OPT_REPEAT, 0, apply_overlay_src,
	  "a lower layer, bottom first, of the overlay that follows" },
	{ "--overlay", 3, "UPPER WORK DEST", VIEW, OPT_REPEAT, SPEC_OVERLAY_RW, apply_overlay,
	  "the layers at DEST; changes go to UPPER on the host" },
	{ "--tmp-overlay", 1, "DEST", VIEW, OPT_REPEAT, SPEC_OVERLAY_TMP, apply_overlay,
	  "the layers at DEST; changes are gone afterwards" },
	{ "--ro-overlay", 1, "DEST", VIEW, OPT_REPEAT, SPEC_OVERLAY_RO, apply_overlay,
	  "the layers at DEST, read-only" },
	{ "--mask", 1, "PATH", VIEW, OPT_REPEAT, SPEC_FS_MASK, apply_place,
	  "hide PATH behind an empty file or folder" },
	{ "--runtime", 0, NULL, VIEW, OPT_ONCE, 0, apply_runtime,
	  "show what ordinary programs need of the host, read-only" },

	{ "--env", 1, "NAME[=VALUE]", ENVIRONMENT, OPT_REPEAT, 0, apply_env,
	  "set NAME, or pass the caller's value of it" },
	{ "--env-file", 1, "FILE", ENVIRONMENT, OPT_REPEAT, 0, apply_env_file,
	  "the same for each line of FILE" },
	{ "--keep-env", 0, NULL, ENVIRONMENT, OPT_ONCE, 0, apply_keep_env,
	  "pass the caller's whole environment" },

	{ "--net", 1, "none|host", NETWORK, OPT_ONCE, 0, apply_net,
	  "no network (the default), or the host's" },

	{ "--wall", 1, "T", LIMITS, OPT_ONCE, 0, apply_wall,
	  "elapsed time: 10, 1.5s, 200ms, 2m" },
	{ "--cpu", 1, "T", LIMITS, OPT_ONCE, 0, apply_cpu,
	  "CPU time of all processes, ended ones included" },
	{ "--mem", 1, "SIZE", LIMITS, OPT_ONCE, 0, apply_mem,
	  "memory: 64M, 1GiB" },
	{ "--pids", 1, "N", LIMITS, OPT_ONCE, 0, apply_pids,
	  "processes and threads at a time" },
	{ "--cpus", 1, "N", LIMITS, OPT_ONCE, 0, apply_cpus,
	  "rate of CPU time, in processors: 0.5, 2" },
	{ "--out-max", 1, "SIZE", LIMITS, OPT_ONCE, 0, apply_out_max,
	  "bytes of standard output and standard error together" },
	{ "--out-max-each", 1, "SIZE", LIMITS, OPT_ONCE, 0, apply_out_max_each,
	  "bytes of each of the two" },
	{ "--rlimit", 1, "NAME=SOFT[:HARD]", LIMITS, OPT_REPEAT, 0, apply_rlimit,
	  "a resource limit of each process: nofile=64, core=0" },

	{ "--scratch-size", 1, "SIZE", SCRATCH, OPT_ONCE, 0, apply_scratch_size,
	  "bytes that all writable places hold together" },
	{ "--scratch-inodes", 1, "N", SCRATCH, OPT_ONCE, 0, apply_scratch_inodes,
	  "files and folders that they hold together" },
	{ "--scratch-dir", 1, "PARENT", SCRATCH, OPT_ONCE, 0, apply_scratch_dir,
	  "on disk: a new folder below PARENT, removed afterwards" },
	{ "--scratch-use", 1, "DIR", SCRATCH, OPT_ONCE, 0, apply_scratch_use,
	  "/work is this empty folder of yours, which stays" },
	{ "--keep-scratch", 0, NULL, SCRATCH, OPT_ONCE, 0, apply_keep_scratch,
	  "leave the folder below PARENT; the report names it" },

	{ "--uid", 1, "N", IDENTITY, OPT_ONCE, 0, apply_uid,
	  "user id inside; the caller's own by default" },
	{ "--gid", 1, "N", IDENTITY, OPT_ONCE, 0, apply_gid,
	  "group id inside; the caller's own by default" },
	{ "--hostname", 1, "NAME", IDENTITY, OPT_ONCE, 0, apply_hostname,
	  "host name inside; nsbox by default" },
	{ "--chdir", 1, "DIR", IDENTITY, OPT_ONCE, 0, apply_chdir,
	  "working folder inside; /work by default" },
	{ "--cap-add", 1, "CAP", IDENTITY, OPT_REPEAT, 0, apply_cap_add,
	  "keep this capability, which counts inside only" },

	{ "--backend", 1, "NAME", POLICY, OPT_ONCE, 0, apply_backend,
	  "auto (the default), namespaces or landlock" },
	{ "--require", 1, "CONTROL,...", POLICY, OPT_REPEAT, 0, apply_require,
	  "do not run without these controls" },
	{ "--allow-missing", 1, "CONTROL,...", POLICY, OPT_REPEAT, 0, apply_allow_missing,
	  "run also where this host cannot enforce these controls" },
	{ "--allow-userns", 0, NULL, POLICY, OPT_ONCE, 0, apply_allow_userns,
	  "the command may make user namespaces of its own" },
	{ "--new-session", 0, NULL, POLICY, OPT_ONCE, 0, apply_new_session,
	  "start a new session also where a terminal is shared" },
	{ "--grace", 1, "T", POLICY, OPT_ONCE, 0, apply_grace,
	  "from a signal that asks for the end to SIGKILL; 5s" },
	{ "--pass-fd", 1, "N", POLICY, OPT_REPEAT, 0, apply_pass_fd,
	  "leave descriptor N open for the command" },

	{ "--report", 1, "FILE|fd:N", REPORT, OPT_ONCE, 0, apply_report,
	  "write what was confirmed, and how it ended, as JSON" },
	{ "--meta", 1, "FILE", REPORT, OPT_ONCE, 0, apply_meta,
	  "write how it ended as key:value lines, as isolate does" },
	{ "--id", 1, "ID", REPORT, OPT_ONCE, 0, apply_id,
	  "name of this run in the report" },
	{ "--quiet", 0, NULL, REPORT, OPT_ONCE, 0, apply_quiet,
	  "print no notes; errors are still printed" },

	{ "--args", 1, "FD|FILE", INPUT, OPT_REPEAT, 0, apply_args,
	  "read options, and the command, from a descriptor or file" },

	{ "--explain", 0, NULL, OTHER, OPT_ONCE, NATIVE_EXPLAIN, apply_verb,
	  "print what was asked in canonical form and stop" },
	{ "--check", 0, NULL, OTHER, OPT_ONCE, NATIVE_CHECK, apply_verb,
	  "try what this host can enforce, print it and stop" },
	{ "--json", 0, NULL, OTHER, OPT_ONCE, 0, apply_json,
	  "with --check: as one JSON object" },
	{ "--gc", 0, NULL, OTHER, OPT_ONCE, NATIVE_GC, apply_verb,
	  "remove what killed runs left, below --scratch-dir too, and stop" },
	{ "--version", 0, NULL, OTHER, OPT_ONCE, NATIVE_VERSION, apply_verb,
	  "print the version and stop" },
	{ "--help", 0, NULL, OTHER, OPT_ONCE, NATIVE_HELP, apply_verb,
	  "print this text and stop" },
};

const struct opt *native_options(size_t *count)
{
	*count = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

static int add_command_word(void *context, const char *word, bool first, struct err *err)
{
	struct apply *apply = context;

	if (first && apply->spec->command_count > 0)
		return opt_refuse(err, "COMMAND", word,
		    "is a second command; an --args file has given one");
	spec_add_word(apply->spec, word);
	return 0;
}

static int parse_words(int argc, char **argv, struct opt_parser *parser, struct err *err)
{
	struct opt_input input;

	opt_input_init(&input, parser);
	for (int i = 1; i < argc; i++) {
		int result = opt_word(&input, argv[i], err);

		if (result != 0)
			return result;
	}
	return opt_end(&input, err);
}

/* What stands alone, and with what it may be given: a run besides is refused rather than half obeyed. */
static const struct alone {
	enum native_verb verb;
	const char *allowed[4];	/* the first is the verb's own */
} alone[] = {
	{ NATIVE_GC, { "--gc", "--scratch-dir", "--args", NULL } },
	{ NATIVE_CHECK, { "--check", "--json", "--args", NULL } },
};

static bool is_allowed(const struct alone *verb, const char *name)
{
	for (size_t i = 0; verb->allowed[i] != NULL; i++) {
		if (strcmp(verb->allowed[i], name) == 0)
			return true;
	}
	return false;
}

static int check_alone(const struct alone *verb, const struct opt_parser *parser,
    const struct spec *spec, struct err *err)
{
	for (size_t i = 0; i < parser->count; i++) {
		if (parser->seen[i] && !is_allowed(verb, parser->rows[i].name))
			return err_set(err, ERR_USAGE, "%s contradicts %s", verb->allowed[0],
			    parser->rows[i].name);
	}
	if (spec->command_count > 0)
		return opt_refuse(err, verb->allowed[0], spec->command[0], "is a command; it runs none");
	return 0;
}

static int check_verb(const struct apply *apply, struct err *err)
{
	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
		if (alone[i].verb == apply->verb)
			return check_alone(&alone[i], apply->parser, apply->spec, err);
	}
	if (apply->json && apply->verb != NATIVE_VERSION && apply->verb != NATIVE_HELP)
		return err_set(err, ERR_USAGE, "--json needs --check");
	return 0;
}

int native_parse(int argc, char **argv, struct native_command *command, struct err *err)
{
	struct opt_parser parser;
	struct apply apply = { .spec = &command->spec, .parser = &parser, .verb = NATIVE_RUN };
	int result;

	spec_init(&command->spec);
	command->spec.defaults = host.defaults;
	opt_parser_init(&parser, rows, sizeof(rows) / sizeof(rows[0]));
	parser.context = &apply;
	parser.word = add_command_word;
	result = parse_words(argc, argv, &parser, err);
	if (result == 0)
		result = apply_end(&apply, err);
	if (result == 0)
		result = check_verb(&apply, err);
	command->verb = apply.verb;
	command->json = apply.json;
	opt_parser_free(&parser);
	str_list_free(&apply.layers);
	return result < 0 ? -1 : 0;
}

void native_free(struct native_command *command)
{
	spec_free(&command->spec);
}
