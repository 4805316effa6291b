/*
 * Tests of linux/environment.c: what COMMAND's environment is made of.
 */
#include "linux/environment.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/unit.h"

/* A spec that asks for nothing; changes are added by the test. */
static void set(struct spec *spec, const char *name, const char *value)
{
	spec_add_env(spec, SPEC_ENV_SET, name, strlen(name), value);
}

static void pass(struct spec *spec, const char *name)
{
	spec_add_env(spec, SPEC_ENV_PASS, name, strlen(name), NULL);
}

/* All variables, one a line. */
static char *listed(const struct environment *environment)
{
	struct str text = STR_INIT;
	size_t count = 0;

	for (; environment->variables[count]; count++)
		str_addf(&text, "%s\n", environment->variables[count]);
	ck_assert_uint_eq(count, environment->count);
	return str_take(&text);
}

static void build(const struct spec *spec, const char *const *caller, const char *scratch,
    struct environment *environment)
{
	/* Nothing writes to the strings; the type is that of environ(7). */
	environment_build(spec, (char *const *)(uintptr_t)caller, scratch, environment);
}

static void expect(const struct spec *spec, const char *const *caller, const char *text)
{
	struct environment environment;
	char *got;

	build(spec, caller, "/work", &environment);
	got = listed(&environment);
	ck_assert_str_eq(got, text);
	free(got);
	environment_free(&environment);
}

#define WITH_SCRATCH(between) "HOME=/work\n" between "TEMP=/work\nTMP=/work\nTMPDIR=/work\n"

static const char standard_path[] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

START_TEST(only_path_and_language_of_the_caller_pass)
{
	static const char *const caller[] = {
		"SECRET=h", "PATH=/opt/bin", "LANG=de_DE.UTF-8", "LC_ALL=C", "LC_CTYPE=C", "HOME=/root",
		"TMPDIR=/var/tmp", "LD_PRELOAD=/x.so", "PATHS=1", "PAT=1", NULL,
	};
	struct spec spec;

	spec_init(&spec);
	expect(&spec, caller, WITH_SCRATCH("LANG=de_DE.UTF-8\nLC_ALL=C\nPATH=/opt/bin\n"));
	spec_free(&spec);
}
END_TEST

START_TEST(a_caller_without_anything_leaves_a_path)
{
	static const char *const empty[] = { NULL };
	struct spec spec;
	char *text = xasprintf("HOME=/work\nPATH=%s\nTEMP=/work\nTMP=/work\nTMPDIR=/work\n",
	    standard_path);

	spec_init(&spec);
	expect(&spec, empty, text);
	expect(&spec, NULL, text);
	spec_free(&spec);
	free(text);
}
END_TEST

START_TEST(an_empty_path_of_the_caller_stays_empty)
{
	static const char *const caller[] = { "PATH=", "LANG=", NULL };
	struct spec spec;

	spec_init(&spec);
	expect(&spec, caller, WITH_SCRATCH("LANG=\nPATH=\n"));
	spec_free(&spec);
}
END_TEST

START_TEST(changes_count_in_order_and_the_last_wins)
{
	static const char *const caller[] = { "PATH=/bin", "TERM=vt100", "GONE", NULL };
	struct spec spec;

	spec_init(&spec);
	set(&spec, "A", "1");
	set(&spec, "A", "2");
	set(&spec, "AB", "3");
	set(&spec, "HOME", "/elsewhere");
	set(&spec, "PATH", "/first");
	set(&spec, "PATH", "/second");
	pass(&spec, "TERM");
	pass(&spec, "ABSENT");
	set(&spec, "EMPTY", "");
	set(&spec, "EQUALS", "a=b=c");
	expect(&spec, caller, "A=2\nAB=3\nEMPTY=\nEQUALS=a=b=c\nHOME=/elsewhere\nPATH=/second\n"
	    "TEMP=/work\nTERM=vt100\nTMP=/work\nTMPDIR=/work\n");
	spec_free(&spec);
}
END_TEST

START_TEST(a_passed_value_wins_over_an_earlier_set_one)
{
	static const char *const caller[] = { "PATH=/bin", "X=caller", NULL };
	struct spec spec;

	spec_init(&spec);
	set(&spec, "X", "set");
	pass(&spec, "X");
	expect(&spec, caller, "HOME=/work\nPATH=/bin\nTEMP=/work\nTMP=/work\nTMPDIR=/work\nX=caller\n");
	spec_free(&spec);
	spec_init(&spec);
	set(&spec, "Y", "set");
	pass(&spec, "Y");
	expect(&spec, caller, "HOME=/work\nPATH=/bin\nTEMP=/work\nTMP=/work\nTMPDIR=/work\nY=set\n");
	spec_free(&spec);
}
END_TEST

START_TEST(the_whole_environment_passes_where_it_is_kept)
{
	/* What is no variable at all cannot be passed on as one. */
	static const char *const caller[] = {
		"SECRET=h", "=C:=x", "NOTHING", "HOME=/root", "Z=1", "Z=2", "", "TMPDIR=/t", NULL,
	};
	struct spec spec;
	char *text = xasprintf("HOME=/work\nPATH=%s\nSECRET=changed\nTEMP=/work\nTMP=/work\n"
	    "TMPDIR=/work\nZ=2\n", standard_path);

	spec_init(&spec);
	spec.keep_env = true;
	set(&spec, "SECRET", "changed");
	expect(&spec, caller, text);
	spec_free(&spec);
	free(text);
}
END_TEST

START_TEST(a_value_is_found_by_its_whole_name)
{
	static const char *const caller[] = { "PATH=/bin", NULL };
	struct environment environment;
	struct spec spec;

	spec_init(&spec);
	set(&spec, "AB", "2");
	build(&spec, caller, "/scratch", &environment);
	ck_assert_str_eq(environment_get(&environment, "PATH"), "/bin");
	ck_assert_str_eq(environment_get(&environment, "TMP"), "/scratch");
	ck_assert_ptr_null(environment_get(&environment, "A"));
	ck_assert_ptr_null(environment_get(&environment, "ABC"));
	environment_free(&environment);
	environment_free(&environment);
	spec_free(&spec);
}
END_TEST

START_TEST(all_strings_are_in_one_block_that_can_be_wiped)
{
	static const char *const caller[] = { "PATH=/bin", NULL };
	struct environment environment;
	struct spec spec;
	size_t sum = 0;

	spec_init(&spec);
	set(&spec, "SECRET", "in the block");
	build(&spec, caller, "/work", &environment);
	for (size_t i = 0; i < environment.count; i++) {
		const char *variable = environment.variables[i];

		ck_assert(variable >= environment.block);
		ck_assert(variable + strlen(variable) < environment.block + environment.block_size);
		sum += strlen(variable) + 1;
	}
	ck_assert_uint_eq(sum, environment.block_size);
	environment_free(&environment);
	spec_free(&spec);
}
END_TEST

/* By name alone: in whole strings '=' would sort behind digits. */
static bool is_before(const char *left, const char *right)
{
	size_t left_length = strcspn(left, "="), right_length = strcspn(right, "=");
	size_t shorter = left_length < right_length ? left_length : right_length;
	int order = memcmp(left, right, shorter);

	return order < 0 || (order == 0 && left_length < right_length);
}

START_TEST(twenty_thousand_variables_are_no_matter)
{
	static const char *const caller[] = { "PATH=/bin", NULL };
	struct environment environment;
	struct spec spec;
	char name[16], value[16];

	spec_init(&spec);
	/* Each twice, the second time in the opposite order. */
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		set(&spec, name, "first");
	}
	for (int i = 19999; i >= 0; i--) {
		snprintf(name, sizeof(name), "V%d", i);
		snprintf(value, sizeof(value), "%d", i);
		set(&spec, name, value);
	}
	build(&spec, caller, "/work", &environment);
	ck_assert_uint_eq(environment.count, 20005);
	for (size_t i = 0; i + 1 < environment.count; i++)
		ck_assert(is_before(environment.variables[i], environment.variables[i + 1]));
	ck_assert_str_eq(environment_get(&environment, "V0"), "0");
	ck_assert_str_eq(environment_get(&environment, "V19999"), "19999");
	environment_free(&environment);
	spec_free(&spec);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		only_path_and_language_of_the_caller_pass,
		a_caller_without_anything_leaves_a_path,
		an_empty_path_of_the_caller_stays_empty,
		changes_count_in_order_and_the_last_wins,
		a_passed_value_wins_over_an_earlier_set_one,
		the_whole_environment_passes_where_it_is_kept,
		a_value_is_found_by_its_whole_name,
		all_strings_are_in_one_block_that_can_be_wiped,
		twenty_thousand_variables_are_no_matter,
	};

	return unit_run("linux/environment", tests, UNIT_COUNT(tests));
}
