/*
 * bubblewrap's command line: what is accepted, in which order it counts, and what is said
 * about what is refused. The messages are those that clients look for.
 */
#include "cli/bwrap.h"

#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"
#include "unit/fake_host.h"

static struct bwrap_command command;
static struct err err;

/* Parses the words behind the program's name. */
static int parse(const char *const *words)
{
	char *argv[64] = { (char *)(uintptr_t)"bwrap" };
	int argc = 1;

	for (; words[argc - 1] != NULL; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc - 1];
	bwrap_free(&command);
	err_clear(&err);
	return bwrap_parse(argc, argv, &command, &err);
}

#define GOOD(...) ck_assert_msg(parse(WORDS(__VA_ARGS__)) == 0, "refused: %s", err.message)
#define BAD(text, ...) do { \
	ck_assert_int_eq(parse(WORDS(__VA_ARGS__)), -1); \
	ck_assert_str_eq(err.message, text); \
} while (0)

static const struct spec_fs *request(size_t index)
{
	ck_assert_uint_lt(index, command.spec.fs_count);
	return &command.spec.fs[index];
}

START_TEST(operations_keep_their_order)
{
	GOOD("--tmpfs", "/", "--ro-bind", "/usr", "usr", "--dev-bind-try", "a", "/b/../c/", "--proc", "/p", "x", "--dir");
	ck_assert_uint_eq(command.spec.fs_count, 4);
	ck_assert_int_eq(request(0)->kind, SPEC_FS_TMPFS);
	ck_assert(request(1)->read_only && !request(1)->optional);
	ck_assert_str_eq(request(1)->dest, "usr");
	ck_assert(request(2)->devices && request(2)->optional && !request(2)->read_only);
	ck_assert_str_eq(request(2)->dest, "/b/../c/");
	ck_assert_int_eq(request(3)->kind, SPEC_FS_PROC);
	ck_assert_uint_eq(command.spec.command_count, 2);
	ck_assert_str_eq(command.spec.command[1], "--dir");
	ck_assert(command.spec.frozen);
}
END_TEST

START_TEST(a_modifier_belongs_to_the_next_operation)
{
	GOOD("--perms", "0700", "--size", "0x1000", "--tmpfs", "/t", "--tmpfs", "/u", "x");
	ck_assert_uint_eq(request(0)->mode, 0700);
	ck_assert_uint_eq(request(0)->size, 0x1000);
	ck_assert_uint_eq(request(1)->mode, 0755);
	ck_assert_uint_eq(request(1)->size, 0);
	BAD("--perms must be followed by an option that creates a file", "--perms", "1", "--bind", "/", "/", "x");
	BAD("--size must be followed by --tmpfs", "--size", "1", "--dir", "/x", "x");
	BAD("--perms given twice for the same action", "--perms", "1", "--perms", "1", "--dir", "/x", "x");
	BAD("--perms takes an octal argument <= 07777", "--perms", "8", "--dir", "/x", "x");
	BAD("--perms takes an octal argument <= 07777", "--perms", "10000", "--dir", "/x", "x");
	BAD("--size takes a non-zero number of bytes", "--size", "1k", "--tmpfs", "/x", "x");
	BAD("--size (for tmpfs) is limited to 9223372036854775807", "--size", "9223372036854775808", "--tmpfs",
	    "/x", "x");
	/* At the end it is ignored. */
	GOOD("--perms", "0700", "--", "x");
}
END_TEST

START_TEST(layers_belong_to_the_overlay_that_follows)
{
	GOOD("--overlay-src", "/a", "--overlay-src", "/b", "--overlay", "/u", "/w", "/d", "x");
	ck_assert_uint_eq(request(0)->layers.count, 2);
	ck_assert_str_eq(request(0)->source, "/u");
	ck_assert_str_eq(request(0)->dest, "/d");
	BAD("--overlay requires at least one --overlay-src", "--overlay", "/u", "/w", "/d", "x");
	BAD("--ro-overlay requires at least two --overlay-src", "--overlay-src", "/a", "--ro-overlay", "/d", "x");
	BAD("--overlay-src must be followed by another --overlay-src or one of --overlay, --tmp-overlay, or "
	    "--ro-overlay", "--overlay-src", "/a", "--dir", "/d", "x");
	BAD("--overlay-src must be followed by another --overlay-src or one of --overlay, --tmp-overlay, or "
	    "--ro-overlay", "--overlay-src", "/a", "x");
}
END_TEST

START_TEST(an_option_without_its_values_is_refused)
{
	BAD("--bind takes two arguments", "--bind", "/");
	BAD("--args takes an argument", "--args");
	BAD("--chdir takes one argument", "--chdir");
	BAD("--overlay takes three arguments", "--overlay-src", "/", "--overlay", "a", "b");
	BAD("Unknown option --chdir=/", "--chdir=/", "x");
	BAD("Unknown option --unshare-us", "--unshare-us", "x");
	BAD("Unknown option -h", "-h");
	BAD("--bind-try does not take an empty path argument", "--bind-try", "", "/x", "x");
	BAD("Invalid fd: 0x3", "--sync-fd", "0x3", "x");
	BAD("Invalid fd: -1", "--info-fd", "-1", "x");
	BAD("Invalid uid: 2147483648", "--uid", "2147483648", "x");
	GOOD("--sync-fd", " +3", "x");
}
END_TEST

START_TEST(contradictions_are_refused)
{
	BAD("--userns is not compatible with --unshare-user", "--userns", "5", "--unshare-user", "x");
	BAD("--userns is not compatible with --unshare-user-try", "--userns", "5", "--unshare-all", "x");
	BAD("--disable-userns requires --unshare-user", "--disable-userns", "x");
	BAD("--userns-block-fd requires --info-fd", "--unshare-user", "--userns-block-fd", "5", "x");
	BAD("Specifying --as-pid-1 requires --unshare-pid", "--as-pid-1", "x");
	BAD("Specifying --as-pid-1 and --lock-file is not permitted", "--unshare-pid", "--as-pid-1",
	    "--lock-file", "/l", "x");
	BAD("Specifying --hostname requires --unshare-uts", "--hostname", "h", "x");
	fake_host_add_file("7", "12345678", 8);
	BAD("--seccomp cannot be combined with --add-seccomp-fd", "--add-seccomp-fd", "7", "--seccomp", "8", "x");
	fake_host_reset();
	BAD("--add-seccomp-fd cannot be combined with --seccomp", "--seccomp", "8", "--add-seccomp-fd", "7", "x");
	BAD("labeling not supported on this system", "--exec-label", "l", "x");
	BAD("unknown cap: CAP_NONE", "--cap-add", "CAP_NONE", "x");
	BAD("setenv failed", "--setenv", "A=B", "c", "x");
}
END_TEST

START_TEST(the_last_of_a_repeated_option_counts_with_a_warning)
{
	GOOD("--chdir", "/a", "--level-prefix", "--chdir", "/b", "x");
	ck_assert_str_eq(command.spec.chdir, "/b");
	ck_assert_uint_eq(command.warnings.count, 1);
	ck_assert_str_eq(command.warnings.items[0], "<4>bwrap: Only the last --chdir option will take effect");
	GOOD("--sync-fd", "3", "--sync-fd", "4", "--dir", "/a", "--dir", "/b", "x");
	ck_assert_uint_eq(command.warnings.count, 0);
	ck_assert_uint_eq(command.spec.bwrap->sync_count, 2);
	BAD("--argv0 used multiple times", "--argv0", "a", "--argv0", "b", "x");
}
END_TEST

START_TEST(the_network_is_kept_by_what_comes_last)
{
	GOOD("--unshare-all", "--share-net", "x");
	ck_assert(!(command.spec.bwrap->unshare & SPEC_UNSHARE_NET));
	ck_assert(command.spec.bwrap->unshare & SPEC_UNSHARE_PID);
	GOOD("--share-net", "--unshare-all", "x");
	ck_assert(command.spec.bwrap->unshare & SPEC_UNSHARE_NET);
}
END_TEST

START_TEST(more_options_come_from_a_descriptor)
{
	fake_host_add_file("7", "--setenv\0A\0b\0cmd\0--dir", 22);
	fake_host_add_file("8", "--args\0" "7", 9);
	fake_host_add_file("9", "--perms\0" "700", 12);
	GOOD("--args", "7", "x", "y");
	ck_assert_uint_eq(command.spec.env_count, 1);
	ck_assert_str_eq(command.spec.env[0].value, "b");
	ck_assert_str_eq(command.spec.command[0], "x");
	ck_assert_uint_eq(command.spec.fs_count, 0);
	BAD("--args not supported in arguments file", "--args", "8", "x");
	BAD("--perms must be followed by an option that creates a file", "--args", "9", "--dir", "/x", "x");
	BAD("Can't read --args data: No such file or directory", "--args", "77", "x");
	fake_host_reset();
}
END_TEST

START_TEST(filters_come_whole)
{
	fake_host_add_file("7", "12345678", 8);
	fake_host_add_file("8", "1234567", 7);
	GOOD("--add-seccomp-fd", "7", "--add-seccomp-fd", "7", "x");
	ck_assert_uint_eq(command.spec.bwrap->program_count, 2);
	ck_assert_uint_eq(command.spec.bwrap->programs[1].length, 8);
	BAD("Invalid seccomp data, must be multiple of 8", "--add-seccomp-fd", "8", "x");
	fake_host_reset();
}
END_TEST

START_TEST(help_and_version_count_where_they_stand)
{
	GOOD("--dir", "/x", "--version", "--nope");
	ck_assert_int_eq(command.verb, BWRAP_VERSION_VERB);
	GOOD("--help", "--nope");
	ck_assert_int_eq(command.verb, BWRAP_HELP);
	GOOD("--dir", "/x");
	ck_assert_int_eq(command.verb, BWRAP_USAGE);
	GOOD("--debug-opt=print-assumed-kernel");
	ck_assert_int_eq(command.verb, BWRAP_KERNEL);
	BAD("Unknown --debug-opt value: x", "--debug-opt=x", "c");
	BAD("Unknown option --nope", "--nope", "--help");
}
END_TEST

START_TEST(the_help_has_every_option)
{
	struct str text = STR_INIT;
	size_t count;
	const struct opt *rows = bwrap_options(&count);

	bwrap_help("/a/bwrap", &text);
	ck_assert(str_has_prefix(str_text(&text), "usage: /a/bwrap [OPTIONS...] [--] COMMAND [ARGS...]\n"));
	ck_assert_uint_eq(count, 68);
	for (size_t i = 0; i < count; i++) {
		char *line = xasprintf("\n    %s ", rows[i].name);

		ck_assert_ptr_nonnull(strstr(str_text(&text), line));
		free(line);
	}
	ck_assert_ptr_nonnull(strstr(str_text(&text), "This is nsbox"));
	str_free(&text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		operations_keep_their_order,
		a_modifier_belongs_to_the_next_operation,
		layers_belong_to_the_overlay_that_follows,
		an_option_without_its_values_is_refused,
		contradictions_are_refused,
		the_last_of_a_repeated_option_counts_with_a_warning,
		the_network_is_kept_by_what_comes_last,
		more_options_come_from_a_descriptor,
		filters_come_whole,
		help_and_version_count_where_they_stand,
		the_help_has_every_option,
		NULL
	};

	return cli_run_tests("cli_bwrap", tests);
}
