/*
 * The pure parts of the Windows backend: command lines, environments, SIDs and
 * access control lists.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"
#include "win/acl.h"
#include "win/args.h"
#include "win/env.h"
#include "win/relay.h"
#include "win/sid.h"

/* A literal where nobody writes to it. */
#define W(text) ((char *)(uintptr_t)(text))

/* Takes a line apart by the rules of Microsoft's C runtime, written down from their description. */
static size_t take_apart(const char *line, char words[][256], size_t limit)
{
	size_t count = 0;

	/* The first word: up to the closing quote, nothing escapes. */
	if (*line == '"') {
		size_t length = strcspn(++line, "\"");

		memcpy(words[count], line, length);
		words[count++][length] = '\0';
		line += length + 1;
	}
	while (*line && count < limit) {
		bool is_quoted = false;
		size_t length = 0;

		line += strspn(line, " \t");
		if (!*line)
			break;
		while (*line && (is_quoted || (*line != ' ' && *line != '\t'))) {
			size_t backslashes = strspn(line, "\\");
			bool has_quote = line[backslashes] == '"';
			size_t plain = has_quote ? backslashes / 2 : backslashes;

			line += backslashes;
			memset(words[count] + length, '\\', plain);
			length += plain;
			if (has_quote && backslashes % 2 == 0)
				is_quoted = !is_quoted;
			else if (*line && (has_quote || is_quoted || (*line != ' ' && *line != '\t')))
				words[count][length++] = *line;
			else
				continue;
			line++;
		}
		words[count++][length] = '\0';
	}
	return count;
}

static void assert_round_trip(char *const *words, size_t count)
{
	static char parsed[8][256];
	struct str line = STR_INIT;
	struct err err = ERR_INIT;

	ck_assert_int_eq(args_join(words, &line, &err), 0);
	ck_assert_msg(take_apart(str_text(&line), parsed, 8) == count, "%s", str_text(&line));
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(strcmp(parsed[i], words[i]) == 0, "%s: %s", str_text(&line), parsed[i]);
	str_free(&line);
}

START_TEST(each_word_comes_apart_as_it_was)
{
	static const char *const samples[] = {
		"a", "", "a b", "\\", "\\\\", "\\\"", "\"", "a\\", "a b\\", "a b\\\\", "\\\"a b", "\t", "a\"b",
		"\\\\\"", "C:\\a b\\", "--x=\"y z\"", "a\\\\b", "\"\"", "\\\\server\\share\\",
	};

	for (size_t i = 0; i < UNIT_COUNT(samples); i++)
		for (size_t j = 0; j < UNIT_COUNT(samples); j++) {
			char *words[] = { W("C:\\x y\\z.exe"), W(samples[i]), W(samples[j]), NULL };

			assert_round_trip(words, 3);
		}
}
END_TEST

START_TEST(ten_thousand_lists_of_words_come_apart_as_they_were)
{
	static const char alphabet[] = "\"\"\\\\\\ \tab";
	uint32_t random = 1;
	char text[3][16];

	for (int i = 0; i < 10000; i++) {
		char *words[] = { W("p"), text[0], text[1], text[2], NULL };

		for (size_t j = 0; j < 3; j++) {
			size_t length = (random = random * 1664525 + 1013904223) >> 28;

			for (size_t k = 0; k < length; k++) {
				random = random * 1664525 + 1013904223;
				text[j][k] = alphabet[(random >> 24) % (sizeof(alphabet) - 1)];
			}
			text[j][length] = '\0';
		}
		assert_round_trip(words, 4);
	}
}
END_TEST

START_TEST(what_windows_cannot_pass_is_refused)
{
	char *quoted[] = { W("a\"b"), NULL };
	char *invalid[] = { W("a"), W("\xff"), NULL };
	char *big = xcalloc(40000, 1);
	char *large[] = { W("a"), big, NULL };
	char **const lists[] = { quoted, invalid, large };

	memset(big, 'x', 32763);
	for (size_t i = 0; i < UNIT_COUNT(lists); i++) {
		struct str line = STR_INIT;
		struct err err = ERR_INIT;

		ck_assert_int_eq(args_join(lists[i], &line, &err), -1);
		ck_assert_int_eq(err.kind, ERR_USAGE);
		str_free(&line);
		err_clear(&err);
	}
	/* One less: "a" in quotes, a blank, and this. */
	big[32762] = '\0';
	{
		struct str line = STR_INIT;
		struct err err = ERR_INIT;

		ck_assert_int_eq(args_join(large, &line, &err), 0);
		ck_assert_uint_eq(line.length, 32766);
		str_free(&line);
	}
	free(big);
}
END_TEST

/* Published SIDs of packages that come with Windows. */
START_TEST(a_sid_is_the_one_that_windows_computes)
{
	uint8_t digest[SHA256_SIZE];
	char *edge = sid_of_container("Microsoft.MicrosoftEdge_8wekyb3d8bbwe");
	char *upper = sid_of_container("MICROSOFT.MICROSOFTEDGE_8WEKYB3D8BBWE");

	ck_assert_str_eq(edge, "S-1-15-2-3624051433-2125758914-1423191267-1740899205-1073925389-3782572162-"
	    "737981194");
	ck_assert_str_eq(upper, edge);
	/* FIPS 180-4, and a text that needs a second block. */
	sid_sha256("abc", 3, digest);
	ck_assert_mem_eq(digest, "\xba\x78\x16\xbf\x8f\x01\xcf\xea", 8);
	sid_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
	ck_assert_mem_eq(digest, "\x24\x8d\x6a\x61\xd2\x06\x38\xb8", 8);
	sid_sha256("", 0, digest);
	ck_assert_mem_eq(digest, "\xe3\xb0\xc4\x42\x98\xfc\x1c\x14", 8);
	free(edge);
	free(upper);
}
END_TEST

static void build(struct spec *spec, char *const *caller, struct env *env)
{
	env_build(spec, caller, "C:\\s", env);
}

START_TEST(an_environment_is_sorted_without_case_and_has_each_name_once)
{
	char *caller[] = { W("=C:=C:\\x"), W("path=C:\\p"), W("SECRET=1"),
	    W("SystemRoot=C:\\Windows"), W("broken"), NULL };
	struct spec spec;
	struct env env;
	const char *last = "";

	spec_init(&spec);
	spec_add_env(&spec, SPEC_ENV_SET, "b", 1, "1");
	spec_add_env(&spec, SPEC_ENV_SET, "B", 1, "2");
	spec_add_env(&spec, SPEC_ENV_SET, "temp", 4, "mine");
	spec_add_env(&spec, SPEC_ENV_PASS, "Path", 4, NULL);
	spec_add_env(&spec, SPEC_ENV_PASS, "NOT_THERE", 9, NULL);
	build(&spec, caller, &env);
	ck_assert_str_eq(env_get(&env, "B"), "2");
	ck_assert_str_eq(env_get(&env, "TEMP"), "mine");
	ck_assert_str_eq(env_get(&env, "PATH"), "C:\\p");
	ck_assert_str_eq(env_get(&env, "systemroot"), "C:\\Windows");
	ck_assert_str_eq(env_get(&env, "LocalAppData"), "C:\\s");
	ck_assert_ptr_null(env_get(&env, "SECRET"));
	ck_assert_ptr_null(env_get(&env, "NOT_THERE"));
	for (const char *at = env.block.data; *at; at += strlen(at) + 1) {
		ck_assert(*at != '=');
		ck_assert_msg(strncasecmp(last, at, strcspn(at, "=")) <= 0, "%s behind %s", at, last);
		last = at;
	}
	/* Two NULs end the block. */
	ck_assert_uint_eq(env.block.data[env.block.length - 1], 0);
	ck_assert_uint_eq(env.block.data[env.block.length - 2], 0);
	env_free(&env);
	spec_free(&spec);
}
END_TEST

START_TEST(the_whole_environment_is_passed_only_where_that_was_asked_for)
{
	char *caller[] = { W("SECRET=1"), W("=C:=C:\\x"), W("TEMP=C:\\caller"), NULL };
	struct spec spec;
	struct env env;

	spec_init(&spec);
	spec.keep_env = true;
	build(&spec, caller, &env);
	ck_assert_str_eq(env_get(&env, "SECRET"), "1");
	ck_assert_str_eq(env_get(&env, "TEMP"), "C:\\s");
	env_free(&env);
	build(&spec, NULL, &env);
	ck_assert_ptr_null(env_get(&env, "SECRET"));
	env_free(&env);
	spec_free(&spec);
}
END_TEST

#define OWN "S-1-15-2-1-2-3-4-5-6-7"

static struct wapi_acl list(struct wapi_ace *aces, size_t count)
{
	return (struct wapi_acl){ false, aces, count };
}

START_TEST(a_grant_is_one_entry_with_exactly_what_was_asked_for)
{
	struct wapi_ace aces[] = {
		{ true, 3, ACL_READ, W(OWN) }, { true, 3, 0x1f01ff, W("S-1-5-18") }, { true, 3, ACL_READ, W(OWN) },
	};
	struct wapi_acl one = list(aces, 2), none = list(aces + 1, 1), twice = list(aces, 3);

	ck_assert(acl_has_grant(&one, OWN, ACL_READ, true));
	ck_assert(!acl_has_grant(&one, OWN, ACL_READ, false));
	ck_assert(!acl_has_grant(&one, OWN, ACL_WRITE, true));
	ck_assert(!acl_has_grant(&none, OWN, ACL_READ, true));
	ck_assert(!acl_has_grant(&twice, OWN, ACL_READ, true));
	aces[0].allows = false;
	ck_assert(!acl_has_grant(&one, OWN, ACL_READ, true));
	aces[0] = (struct wapi_ace){ true, 0, ACL_READ, W(OWN) };
	ck_assert(acl_has_grant(&one, OWN, ACL_READ, false));
	ck_assert(!acl_has_grant(&one, OWN, ACL_READ, true));
}
END_TEST

START_TEST(only_what_all_packages_may_do_here_is_open)
{
	struct wapi_ace aces[] = {
		{ true, 0, ACL_READ, W(ACL_ALL_PACKAGES) }, { false, 0, 1, W("S-1-1-0") },
	};
	struct wapi_acl open = list(aces, 1), denied = list(aces, 2);

	ck_assert(acl_allows_packages(&open, ACL_READ));
	ck_assert(!acl_allows_packages(&open, ACL_WRITE));
	ck_assert(!acl_allows_packages(&denied, ACL_READ));
	aces[0].flags = WAPI_ACE_INHERIT_ONLY;
	ck_assert(!acl_allows_packages(&open, ACL_READ));
}
END_TEST

START_TEST(a_scratch_belongs_to_the_user_and_the_container)
{
	char *with = acl_of_scratch("S-1-5-21-1", OWN);
	char *without = acl_of_scratch("S-1-5-21-1", NULL);

	ck_assert_str_eq(with, "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;S-1-5-21-1)"
	    "(A;OICI;0x1301bf;;;" OWN ")");
	ck_assert_str_eq(without, "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;S-1-5-21-1)");
	/* Reading changes nothing, and neither right lets the list or the owner be changed. */
	ck_assert_uint_eq(ACL_READ & ACL_CHANGES, 0);
	ck_assert_uint_eq((ACL_READ | ACL_WRITE) & 0x000c0000, 0);
	free(with);
	free(without);
}
END_TEST

START_TEST(output_is_counted_to_the_byte)
{
	struct spec_limits limits = { .output_bytes = 10, .output_each_bytes = 8 };
	struct spec_limits none = { .wall_ns = 0 };
	struct relay relay;

	relay_init(&relay, &limits);
	ck_assert_uint_eq(relay_allow(&relay, 0, 8), 8);
	ck_assert_int_eq(relay.hit, CONTROL_COUNT);
	ck_assert_uint_eq(relay_allow(&relay, 0, 1), 0);
	ck_assert_int_eq(relay.hit, CONTROL_OUTPUT_EACH);
	ck_assert_uint_eq(relay_allow(&relay, 1, 5), 2);
	ck_assert_uint_eq(relay_carried(&relay), 10);
	/* The first that was reached is the reason. */
	ck_assert_int_eq(relay.hit, CONTROL_OUTPUT_EACH);
	relay_init(&relay, &none);
	ck_assert_uint_eq(relay_allow(&relay, 1, SIZE_MAX / 2), SIZE_MAX / 2);
	ck_assert_int_eq(relay.hit, CONTROL_COUNT);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		each_word_comes_apart_as_it_was,
		ten_thousand_lists_of_words_come_apart_as_they_were,
		what_windows_cannot_pass_is_refused,
		a_sid_is_the_one_that_windows_computes,
		an_environment_is_sorted_without_case_and_has_each_name_once,
		the_whole_environment_is_passed_only_where_that_was_asked_for,
		a_grant_is_one_entry_with_exactly_what_was_asked_for,
		only_what_all_packages_may_do_here_is_open,
		a_scratch_belongs_to_the_user_and_the_container,
		output_is_counted_to_the_byte,
	};

	return unit_run("win/text", tests, UNIT_COUNT(tests));
}
