/*
 * Tests of core/spec_dump.c: every option, the order, and the quoting of every
 * byte.
 */
#include "core/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static void assert_dump(struct spec *spec, const char *expected)
{
	struct str text = STR_INIT;
	struct err err = ERR_INIT;

	ck_assert_msg(spec_check(spec, &err) == 0, "%s", err.message);
	spec_dump(spec, &text);
	ck_assert_str_eq(str_text(&text), expected);
	str_free(&text);
	spec_free(spec);
}

static struct spec_fs *add(struct spec *spec, enum spec_fs_kind kind, const char *option,
    const char *source, const char *dest)
{
	struct spec_fs *fs = spec_add_fs(spec, kind, option);

	fs->source = source ? xstrdup(source) : NULL;
	fs->dest = dest ? xstrdup(dest) : NULL;
	return fs;
}

START_TEST(a_command_alone_is_a_dash_line_and_its_words)
{
	struct spec spec;

	spec_init(&spec);
	spec_add_word(&spec, "sh");
	spec_add_word(&spec, "-c");
	spec_add_word(&spec, "echo \"$A\"; exit 1");
	spec_add_word(&spec, "");
	spec_add_word(&spec, "--");
	assert_dump(&spec, "--\nsh\n-c\n\"echo \\\"$A\\\"; exit 1\"\n\"\"\n--\n");
}
END_TEST

START_TEST(every_request_for_the_view_is_written_as_it_was_asked)
{
	struct spec spec;
	struct spec_fs *fs;

	spec_init(&spec);
	add(&spec, SPEC_FS_BIND, "--ro", "/usr/", "/usr")->same_place = true;
	add(&spec, SPEC_FS_BIND, "--rw", "rel", "/x/rel")->same_place = true;
	add(&spec, SPEC_FS_BIND, "--ro-bind-try", "a b", "/b");
	add(&spec, SPEC_FS_TMPFS, "--tmpfs", NULL, "/t");
	add(&spec, SPEC_FS_DIR, "--dir", NULL, "/d");
	add(&spec, SPEC_FS_SYMLINK, "--symlink", "../target", "/l");
	add(&spec, SPEC_FS_FILE, "--file", "fd:7", "/f");
	add(&spec, SPEC_FS_MASK, "--mask", NULL, "/m");
	add(&spec, SPEC_FS_RUNTIME, "--runtime", NULL, NULL);
	fs = add(&spec, SPEC_FS_OVERLAY, "--overlay", "/up", "/o");
	fs->overlay = SPEC_OVERLAY_RW;
	fs->work = xstrdup("/work dir");
	str_list_add(&fs->layers, "/low 1");
	str_list_add(&fs->layers, "/low2");
	fs = add(&spec, SPEC_FS_OVERLAY, "--tmp-overlay", NULL, "/p");
	fs->overlay = SPEC_OVERLAY_TMP;
	str_list_add(&fs->layers, "/low3");
	spec_add_word(&spec, "true");
	assert_dump(&spec,
	    "--ro /usr/\n--rw rel\n--ro-bind-try \"a b\" /b\n--tmpfs /t\n--dir /d\n"
	    "--symlink ../target /l\n--file fd:7 /f\n--mask /m\n--runtime\n"
	    "--overlay-src \"/low 1\"\n--overlay-src /low2\n--overlay /up \"/work dir\" /o\n"
	    "--overlay-src /low3\n--tmp-overlay /p\n--\ntrue\n");
}
END_TEST

START_TEST(every_other_option_is_written_in_its_fixed_order)
{
	struct spec spec;

	spec_init(&spec);
	spec.quiet = true;
	spec.id = xstrdup("id 1");
	spec.report = xstrdup("fd:5");
	spec_add_pass_fd(&spec, 10);
	spec_add_pass_fd(&spec, 9);
	spec.new_session = true;
	spec.grace_ns = 1500000000;
	spec.policy[CONTROL_TEARDOWN].may_miss = true;
	spec.policy[CONTROL_USER_NAMESPACE].may_miss = true;
	spec.policy[CONTROL_SCRATCH_QUOTA].required = true;
	spec.policy[CONTROL_PID_NAMESPACE].required = true;
	spec.backend = xstrdup("namespaces");
	str_list_add(&spec.cap_add, "CAP_CHOWN");
	str_list_add(&spec.cap_add, "CAP_KILL");
	spec.chdir = xstrdup("/work/a");
	spec.hostname = xstrdup("box");
	spec.has_uid = spec.has_gid = true;
	spec.uid = 0;
	spec.gid = UINT32_MAX;
	spec.network = SPEC_NETWORK_HOST;
	spec_add_env(&spec, SPEC_ENV_PASS, "TERM", 4, NULL);
	spec_add_env(&spec, SPEC_ENV_SET, "A", 1, "");
	spec_add_env(&spec, SPEC_ENV_SET, "B", 1, "x y=z");
	spec.keep_env = true;
	add(&spec, SPEC_FS_DIR, "--dir", NULL, "/d");
	spec_add_word(&spec, "true");
	assert_dump(&spec,
	    "--dir /d\n--keep-env\n--env TERM\n--env A=\n--env \"B=x y=z\"\n--net host\n"
	    "--uid 0\n--gid 4294967295\n--hostname box\n--chdir /work/a\n--cap-add CAP_CHOWN\n"
	    "--cap-add CAP_KILL\n--backend namespaces\n--require pid-namespace,scratch-quota\n"
	    "--allow-missing user-namespace,teardown\n--new-session\n--grace 1.5\n--pass-fd 9\n--pass-fd 10\n"
	    "--report fd:5\n--id \"id 1\"\n--quiet\n--\ntrue\n");
}
END_TEST

/* What a word of this one byte has to look like. */
static void expect_byte(unsigned byte, char *expected)
{
	const char *named = memchr("\nn\tt\rr", (int)byte, 6);

	if (byte == '"' || byte == '\\')
		snprintf(expected, 16, "\"\\%c\"", (int)byte);
	else if (byte < 0x20 && named)
		snprintf(expected, 16, "\"\\%c\"", named[1]);
	else if (byte < 0x20 || byte > 0x7e)
		snprintf(expected, 16, "\"\\x%02x\"", byte);
	else if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	    (byte >= '0' && byte <= '9') || strchr("_./:=@%+,-", (int)byte))
		snprintf(expected, 16, "%c", (int)byte);
	else
		snprintf(expected, 16, "\"%c\"", (int)byte);
}

START_TEST(every_byte_is_bare_quoted_or_escaped_as_the_rule_says)
{
	unsigned byte;

	for (byte = 1; byte < 256; byte++) {
		char word[2] = { (char)byte, '\0' };
		char expected[16], text[32];
		struct spec spec;

		spec_init(&spec);
		spec_add_word(&spec, word);
		expect_byte(byte, expected);
		snprintf(text, sizeof(text), "--\n%s\n", expected);
		assert_dump(&spec, text);
	}
}
END_TEST

START_TEST(equal_specs_give_equal_text_whatever_the_order_of_sets)
{
	struct str texts[2] = { STR_INIT, STR_INIT };
	size_t i;

	for (i = 0; i < 2; i++) {
		struct err err = ERR_INIT;
		struct spec spec;

		spec_init(&spec);
		spec_add_pass_fd(&spec, i ? 4 : 8);
		spec_add_pass_fd(&spec, i ? 8 : 4);
		spec_add_word(&spec, "true");
		ck_assert_int_eq(spec_check(&spec, &err), 0);
		spec_dump(&spec, &texts[i]);
		spec_free(&spec);
	}
	ck_assert_str_eq(str_text(&texts[0]), str_text(&texts[1]));
	str_free(&texts[0]);
	str_free(&texts[1]);
}
END_TEST

START_TEST(a_mebibyte_of_word_is_written_whole)
{
	size_t size = 1 << 20;
	char *word = xcalloc(size + 1, 1);
	struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct spec spec;

	memset(word, '"', size);
	spec_init(&spec);
	spec_add_word(&spec, word);
	ck_assert_int_eq(spec_check(&spec, &err), 0);
	spec_dump(&spec, &text);
	ck_assert_uint_eq(text.length, 3 + 2 + 2 * size + 1);
	str_free(&text);
	spec_free(&spec);
	free(word);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_command_alone_is_a_dash_line_and_its_words,
		every_request_for_the_view_is_written_as_it_was_asked,
		every_other_option_is_written_in_its_fixed_order,
		every_byte_is_bare_quoted_or_escaped_as_the_rule_says,
		equal_specs_give_equal_text_whatever_the_order_of_sets,
		a_mebibyte_of_word_is_written_whole,
	};

	return unit_run("core/spec_dump", tests, UNIT_COUNT(tests));
}
