/*
 * The options of environment, network, identity, policy, report and the verbs.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"
#include "unit/fake_host.h"

START_TEST(env_sets_or_passes)
{
	struct parsed parsed;
	const struct spec_env *env;

	ACCEPTED(&parsed, "--env", "A=b=c", "--env=B", "--env", "C=", "--env=D=e");
	env = parsed.command.spec.env;
	ck_assert_uint_eq(parsed.command.spec.env_count, 4);
	ck_assert_int_eq(env[0].kind, SPEC_ENV_SET);
	ck_assert_str_eq(env[0].name, "A");
	ck_assert_str_eq(env[0].value, "b=c");
	ck_assert_int_eq(env[1].kind, SPEC_ENV_PASS);
	ck_assert_str_eq(env[1].name, "B");
	ck_assert_ptr_null(env[1].value);
	ck_assert_str_eq(env[2].value, "");
	ck_assert_str_eq(env[3].name, "D");
	cli_free(&parsed);
	REFUSED("--env: ", "--env", "=x");
	REFUSED("--env: NAME[=VALUE] is empty", "--env", "");
}
END_TEST

START_TEST(an_env_file_holds_one_variable_a_line)
{
	fake_host_add_text("f", "# comment\nA=1 # not one\n\n \t\nB\n C=x\nD=\"q\"\nE=");
	DUMPS("--env X=0\n--env \"A=1 # not one\"\n--env B\n--env \" C=x\"\n--env \"D=\\\"q\\\"\"\n"
	    "--env E=\n--env Y=9\n--\ntrue\n",
	    "--env", "X=0", "--env-file", "f", "--env", "Y=9", "true");
	fake_host_add_text("g", "");
	DUMPS("--\ntrue\n", "--env-file", "g", "true");
}
END_TEST

START_TEST(a_bad_env_file_is_refused)
{
	fake_host_add_text("f", "A=1\n\n=x\n");
	REFUSED("--env-file: 'f': line 3: NAME: ", "--env-file", "f");
	fake_host_add_file("g", "A=1\0B=2", 7);
	REFUSED("--env-file: 'g': holds a NUL byte", "--env-file", "g");
	REFUSED("--env-file: open h: ENOENT", "--env-file", "h");
}
END_TEST

START_TEST(flags_are_stored)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "true");
	ck_assert(!parsed.command.spec.keep_env && !parsed.command.spec.new_session);
	ck_assert(!parsed.command.spec.quiet);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--keep-env", "--new-session", "--quiet");
	ck_assert(parsed.command.spec.keep_env && parsed.command.spec.new_session);
	ck_assert(parsed.command.spec.quiet);
	cli_free(&parsed);
}
END_TEST

START_TEST(net_is_none_or_host)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "true");
	ck_assert_int_eq(parsed.command.spec.network, SPEC_NETWORK_NONE);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--net", "none");
	ck_assert_int_eq(parsed.command.spec.network, SPEC_NETWORK_NONE);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--net=host");
	ck_assert_int_eq(parsed.command.spec.network, SPEC_NETWORK_HOST);
	cli_free(&parsed);
	REFUSED("--net: 'Host' is neither none nor host", "--net", "Host");
	REFUSED("--net: 'host ' is", "--net", "host ");
}
END_TEST

START_TEST(ids_are_numbers)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--uid", "0", "--gid=4294967294");
	ck_assert(parsed.command.spec.has_uid && parsed.command.spec.has_gid);
	ck_assert_uint_eq(parsed.command.spec.uid, 0);
	ck_assert_uint_eq(parsed.command.spec.gid, 4294967294u);
	cli_free(&parsed);
	ACCEPTED(&parsed, "true");
	ck_assert(!parsed.command.spec.has_uid && !parsed.command.spec.has_gid);
	cli_free(&parsed);
}
END_TEST

START_TEST(a_number_with_anything_else_is_refused)
{
	static const char *const options[] = { "--uid", "--gid", "--pass-fd" };
	static const char *const bad[] = { "abc", "5x", "-1", "+5", " 5", "5 ", "0x5", "5.0", "1e1",
		"4294967295", "18446744073709551621", "99999999999999999999999", "\xd9\xa5" };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			char *start = xasprintf("%s: '", options[i]);

			REFUSED(start, options[i], bad[j]);
			free(start);
		}
	}
}
END_TEST

START_TEST(a_host_name_is_one)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--hostname", "a-1.b");
	ck_assert_str_eq(parsed.command.spec.hostname, "a-1.b");
	cli_free(&parsed);
	REFUSED("--hostname: ", "--hostname", "a b");
	REFUSED("--hostname: NAME is empty", "--hostname", "");
	REFUSED("--hostname: ", "--hostname",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
}
END_TEST

START_TEST(chdir_is_absolute)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--chdir", "/a//b/");
	ck_assert_str_eq(parsed.command.spec.chdir, "/a/b");
	cli_free(&parsed);
	ACCEPTED(&parsed, "--chdir=/");
	ck_assert_str_eq(parsed.command.spec.chdir, "/");
	cli_free(&parsed);
	REFUSED("--chdir: 'a'", "--chdir", "a");
	REFUSED("--chdir: '/a/..'", "--chdir", "/a/..");
}
END_TEST

START_TEST(capabilities_are_kept_as_written)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--cap-add", "CAP_NET_RAW", "--cap-add=no such");
	ck_assert_uint_eq(parsed.command.spec.cap_add.count, 2);
	ck_assert_str_eq(parsed.command.spec.cap_add.items[0], "CAP_NET_RAW");
	ck_assert_str_eq(parsed.command.spec.cap_add.items[1], "no such");
	cli_free(&parsed);
	REFUSED("--cap-add: CAP is empty", "--cap-add=");
}
END_TEST

START_TEST(any_backend_but_auto_is_stored)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--backend", "auto");
	ck_assert_ptr_null(parsed.command.spec.backend);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--backend", "what");
	ck_assert_str_eq(parsed.command.spec.backend, "what");
	cli_free(&parsed);
}
END_TEST

START_TEST(controls_come_in_lists)
{
	struct parsed parsed;
	const struct spec_policy *policy;

	ACCEPTED(&parsed, "--require", "network,pid-namespace", "--require=root", "--allow-missing",
	    "seccomp,seccomp", "--allow-missing", "landlock");
	policy = parsed.command.spec.policy;
	for (int i = 0; i < CONTROL_COUNT; i++) {
		ck_assert_int_eq(policy[i].required, i == CONTROL_NETWORK || i == CONTROL_PID_NAMESPACE
		    || i == CONTROL_ROOT);
		ck_assert_int_eq(policy[i].may_miss, i == CONTROL_SECCOMP || i == CONTROL_LANDLOCK);
	}
	cli_free(&parsed);
}
END_TEST

START_TEST(an_unknown_control_is_refused_with_all_names)
{
	REFUSED("--require: 'net' is no control; the controls are user-namespace mount-namespace",
	    "--require", "network,net");
	REFUSED(" cgroup", "--require", "x");
	REFUSED("--allow-missing: 'Network' is no", "--allow-missing", "Network");
	REFUSED("--allow-missing: ' root' is no", "--allow-missing", "network, root");
	REFUSED("--require: '' is no control", "--require", "network,");
	REFUSED("--require: '' is no control", "--require", ",network");
	REFUSED("--require: '' is no control", "--require", "network,,root");
	REFUSED("--require: CONTROL,... is empty", "--require", "");
}
END_TEST

START_TEST(descriptors_above_two_are_passed)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--pass-fd", "3", "--pass-fd=2147483647");
	ck_assert_uint_eq(parsed.command.spec.pass_fds_count, 2);
	ck_assert_int_eq(parsed.command.spec.pass_fds[0], 3);
	ck_assert_int_eq(parsed.command.spec.pass_fds[1], INT_MAX);
	cli_free(&parsed);
	REFUSED("--pass-fd: '2'", "--pass-fd", "2");
	REFUSED("--pass-fd: '2147483648'", "--pass-fd", "2147483648");
}
END_TEST

START_TEST(a_report_goes_to_a_file_or_descriptor)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--report", "a b");
	ck_assert_str_eq(parsed.command.spec.report, "a b");
	cli_free(&parsed);
	ACCEPTED(&parsed, "--report=fd:7");
	ck_assert_str_eq(parsed.command.spec.report, "fd:7");
	cli_free(&parsed);
	REFUSED("--report: '7x'", "--report", "fd:7x");
	REFUSED("--report: ''", "--report", "fd:");
	REFUSED("--report: given more than once", "--report", "a", "--report", "b");
}
END_TEST

START_TEST(an_id_is_short_and_plain)
{
	struct parsed parsed;
	char id[130];

	ACCEPTED(&parsed, "--id", "aZ0._:-");
	ck_assert_str_eq(parsed.command.spec.id, "aZ0._:-");
	cli_free(&parsed);
	memset(id, 'i', sizeof(id));
	id[128] = '\0';
	ACCEPTED(&parsed, "--id", id);
	cli_free(&parsed);
	id[128] = 'i';
	id[129] = '\0';
	REFUSED("--id: 'iiii", "--id", id);
	REFUSED("--id: 'a b'", "--id", "a b");
	REFUSED("--id: '\xc3\xa4'", "--id", "\xc3\xa4");
	REFUSED("--id: 'a\\x0a'", "--id", "a\n");
	REFUSED("--id: ID is empty", "--id=");
}
END_TEST

START_TEST(the_command_is_kept_word_by_word)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--", "sh", "-c", "", "--", "--ro");
	ck_assert_uint_eq(parsed.command.spec.command_count, 5);
	ck_assert_str_eq(parsed.command.spec.command[0], "sh");
	ck_assert_str_eq(parsed.command.spec.command[2], "");
	ck_assert_str_eq(parsed.command.spec.command[4], "--ro");
	ck_assert_ptr_null(parsed.command.spec.command[5]);
	cli_free(&parsed);
}
END_TEST

START_TEST(verbs_are_known)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "true", "--help");
	ck_assert_int_eq(parsed.command.verb, NATIVE_RUN);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--explain", "true");
	ck_assert_int_eq(parsed.command.verb, NATIVE_EXPLAIN);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--version");
	ck_assert_int_eq(parsed.command.verb, NATIVE_VERSION);
	cli_free(&parsed);
	ACCEPTED(&parsed, "--help");
	ck_assert_int_eq(parsed.command.verb, NATIVE_HELP);
	cli_free(&parsed);
}
END_TEST

START_TEST(garbage_is_collected_without_a_run)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--gc", "--scratch-dir", "/p");
	ck_assert_int_eq(parsed.command.verb, NATIVE_GC);
	ck_assert_str_eq(parsed.command.spec.scratch_dir, "/p");
	cli_free(&parsed);
	REFUSED("--gc: 'true' is a command", "--gc", "true");
	REFUSED("--gc contradicts --ro", "--ro", "/usr", "--gc");
	REFUSED("--gc contradicts --report", "--gc", "--report", "r");
	REFUSED("--meta: 'fd:3' is a descriptor", "--meta", "fd:3", "true");
}
END_TEST

START_TEST(help_and_version_look_at_nothing_behind_them)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--explain", "--overlay-src", "/x", "--help", "--elephant");
	ck_assert_int_eq(parsed.command.verb, NATIVE_HELP);
	cli_free(&parsed);
	fake_host_add_text("f", "--version\n--elephant\n");
	ACCEPTED(&parsed, "--args", "f", "--elephant");
	ck_assert_int_eq(parsed.command.verb, NATIVE_VERSION);
	cli_free(&parsed);
	REFUSED("unknown option --elephant", "--explain", "--elephant");
}
END_TEST

START_TEST(contradictions_are_found_by_the_check)
{
	struct parsed parsed;

	ACCEPTED(&parsed, "--require", "network", "--net", "host", "true");
	ck_assert_int_eq(spec_check(&parsed.command.spec, &parsed.err), -1);
	ck_assert_ptr_nonnull(strstr(parsed.err.message, "--net host"));
	cli_free(&parsed);
	ACCEPTED(&parsed, "--report", "f", "--meta", "f", "true");
	ck_assert_int_eq(spec_check(&parsed.command.spec, &parsed.err), -1);
	ck_assert_str_eq(parsed.err.message, "--report contradicts --meta: both name the same file");
	cli_free(&parsed);
	ACCEPTED(&parsed, "--require", "root", "--allow-missing", "root", "true");
	ck_assert_int_eq(spec_check(&parsed.command.spec, &parsed.err), -1);
	cli_free(&parsed);
}
END_TEST

/* Every row that may be given once, given twice. */
START_TEST(no_option_is_silently_overridden)
{
	static const char *const twice[][2] = {
		{ "--runtime", NULL }, { "--keep-env", NULL }, { "--net", "none" }, { "--uid", "1" },
		{ "--gid", "1" }, { "--hostname", "a" }, { "--chdir", "/a" }, { "--backend", "auto" },
		{ "--new-session", NULL }, { "--grace", "1" }, { "--report", "a" }, { "--id", "a" }, { "--quiet", NULL },
		{ "--explain", NULL },
	};

	for (size_t i = 0; i < sizeof(twice) / sizeof(twice[0]); i++) {
		const char *const *row = twice[i];
		char *message = xasprintf("%s: given more than once", row[0]);

		if (row[1])
			REFUSED(message, row[0], row[1], row[0], row[1]);
		else
			REFUSED(message, row[0], row[0]);
		free(message);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		env_sets_or_passes,
		an_env_file_holds_one_variable_a_line,
		a_bad_env_file_is_refused,
		flags_are_stored,
		net_is_none_or_host,
		ids_are_numbers,
		a_number_with_anything_else_is_refused,
		a_host_name_is_one,
		chdir_is_absolute,
		capabilities_are_kept_as_written,
		any_backend_but_auto_is_stored,
		controls_come_in_lists,
		an_unknown_control_is_refused_with_all_names,
		descriptors_above_two_are_passed,
		a_report_goes_to_a_file_or_descriptor,
		an_id_is_short_and_plain,
		the_command_is_kept_word_by_word,
		verbs_are_known,
		garbage_is_collected_without_a_run,
		help_and_version_look_at_nothing_behind_them,
		contradictions_are_found_by_the_check,
		no_option_is_silently_overridden,
		NULL
	};

	return cli_run_tests("cli_setters", tests);
}
