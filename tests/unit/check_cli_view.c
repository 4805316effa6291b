/*
 * The options that say what the command sees of the file system.
 */
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"

/* The only request of these words. */
static const struct spec_fs *only_request(struct parsed *parsed, const char *const *words)
{
	cli_parse(parsed, words);
	ck_assert_msg(parsed->result == 0, "refused: %s", parsed->err.message);
	ck_assert_uint_eq(parsed->command.spec.fs_count, 1);
	ck_assert_str_eq(parsed->command.spec.fs[0].option, words[0]);
	return &parsed->command.spec.fs[0];
}

START_TEST(ro_and_rw_show_the_same_place)
{
	static const char *const options[] = { "--rw", "--ro" };

	for (int i = 0; i < 2; i++) {
		struct parsed parsed;
		const struct spec_fs *fs = only_request(&parsed, WORDS(options[i], "//usr/./share/"));

		ck_assert_int_eq(fs->kind, SPEC_FS_BIND);
		ck_assert_str_eq(fs->source, "/usr/share");
		ck_assert_str_eq(fs->dest, "/usr/share");
		ck_assert(fs->same_place);
		ck_assert_int_eq(fs->read_only, i);
		ck_assert(!fs->devices && !fs->optional);
		cli_free(&parsed);
	}
}
END_TEST

START_TEST(each_bind_says_what_it_is)
{
	static const struct {
		const char *option;
		bool read_only, devices, optional;
	} binds[] = {
		{ "--ro-bind", true, false, false }, { "--ro-bind-try", true, false, true },
		{ "--bind", false, false, false }, { "--bind-try", false, false, true },
		{ "--dev-bind", false, true, false }, { "--dev-bind-try", false, true, true },
	};

	for (size_t i = 0; i < sizeof(binds) / sizeof(binds[0]); i++) {
		struct parsed parsed;
		const struct spec_fs *fs = only_request(&parsed, WORDS(binds[i].option, "a/../b/", "/c/"));

		ck_assert_int_eq(fs->kind, SPEC_FS_BIND);
		ck_assert_str_eq(fs->source, "a/../b/");
		ck_assert_str_eq(fs->dest, "/c");
		ck_assert(!fs->same_place);
		ck_assert_int_eq(fs->read_only, binds[i].read_only);
		ck_assert_int_eq(fs->devices, binds[i].devices);
		ck_assert_int_eq(fs->optional, binds[i].optional);
		cli_free(&parsed);
	}
}
END_TEST

START_TEST(places_have_a_destination_only)
{
	static const struct {
		const char *option;
		enum spec_fs_kind kind;
	} places[] = {
		{ "--tmpfs", SPEC_FS_TMPFS }, { "--dir", SPEC_FS_DIR }, { "--mask", SPEC_FS_MASK },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct parsed parsed;
		const struct spec_fs *fs = only_request(&parsed, WORDS(places[i].option, "/a//b"));

		ck_assert_int_eq(fs->kind, places[i].kind);
		ck_assert_str_eq(fs->dest, "/a/b");
		ck_assert_ptr_null(fs->source);
		cli_free(&parsed);
	}
}
END_TEST

START_TEST(a_symlink_keeps_its_text)
{
	struct parsed parsed;
	const struct spec_fs *fs = only_request(&parsed, WORDS("--symlink", "../x//y/", "/a/b"));

	ck_assert_int_eq(fs->kind, SPEC_FS_SYMLINK);
	ck_assert_str_eq(fs->source, "../x//y/");
	ck_assert_str_eq(fs->dest, "/a/b");
	cli_free(&parsed);
}
END_TEST

START_TEST(a_file_comes_from_a_path_or_descriptor)
{
	static const char *const sources[] = { "a/b", "fd:0", "fd:2147483647", "./fd:x" };

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct parsed parsed;
		const struct spec_fs *fs = only_request(&parsed, WORDS("--file", sources[i], "/etc/x"));

		ck_assert_int_eq(fs->kind, SPEC_FS_FILE);
		ck_assert_str_eq(fs->source, sources[i]);
		ck_assert_str_eq(fs->dest, "/etc/x");
		cli_free(&parsed);
	}
	REFUSED("--file: 'x'", "--file", "fd:x", "/etc/x");
	REFUSED("--file: ''", "--file", "fd:", "/etc/x");
	REFUSED("--file: '-1'", "--file", "fd:-1", "/etc/x");
	REFUSED("--file: '2147483648'", "--file", "fd:2147483648", "/etc/x");
	REFUSED("--file: ' 3'", "--file", "fd: 3", "/etc/x");
}
END_TEST

START_TEST(an_overlay_takes_the_layers_before_it)
{
	struct parsed parsed;
	const struct spec_fs *fs;

	ACCEPTED(&parsed, "--overlay-src", "/l1", "--overlay-src=l2", "--overlay", "up", "/work dir", "/d/",
	    "--overlay-src", "/l3", "--tmp-overlay", "/e",
	    "--overlay-src", "/l4", "--overlay-src", "/l5", "--ro-overlay", "/f");
	ck_assert_uint_eq(parsed.command.spec.fs_count, 3);
	fs = parsed.command.spec.fs;
	ck_assert_int_eq(fs[0].kind, SPEC_FS_OVERLAY);
	ck_assert_int_eq(fs[0].overlay, SPEC_OVERLAY_RW);
	ck_assert_uint_eq(fs[0].layers.count, 2);
	ck_assert_str_eq(fs[0].layers.items[0], "/l1");
	ck_assert_str_eq(fs[0].layers.items[1], "l2");
	ck_assert_str_eq(fs[0].source, "up");
	ck_assert_str_eq(fs[0].work, "/work dir");
	ck_assert_str_eq(fs[0].dest, "/d");
	ck_assert_int_eq(fs[1].overlay, SPEC_OVERLAY_TMP);
	ck_assert_uint_eq(fs[1].layers.count, 1);
	ck_assert_ptr_null(fs[1].source);
	ck_assert_int_eq(fs[2].overlay, SPEC_OVERLAY_RO);
	ck_assert_uint_eq(fs[2].layers.count, 2);
	cli_free(&parsed);
}
END_TEST

START_TEST(layers_go_to_the_very_next_request)
{
	static const struct {
		const char *words[4];
	} between[] = {
		{ { "--ro", "/a" } }, { { "--rw", "/a" } }, { { "--bind", "/a", "/b" } },
		{ { "--tmpfs", "/a" } }, { { "--dir", "/a" } }, { { "--mask", "/a" } },
		{ { "--symlink", "/a", "/b" } }, { { "--file", "/a", "/b" } }, { { "--runtime" } },
	};

	for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
		const char *const *words = between[i].words;
		char *message = xasprintf("%s: follows --overlay-src", words[0]);

		REFUSED(message, "--overlay-src", "/l", words[0], words[1], words[2]);
		free(message);
	}
	DUMPS("--overlay-src /l\n--tmp-overlay /d\n--quiet\n--\ntrue\n",
	    "--overlay-src", "/l", "--quiet", "--tmp-overlay", "/d", "true");
}
END_TEST

START_TEST(layers_and_overlays_need_each_other)
{
	REFUSED("--overlay-src: no --overlay", "--overlay-src", "/l", "--", "true");
	REFUSED("--overlay: needs at least one --overlay-src", "--overlay", "/u", "/w", "/d");
	REFUSED("--tmp-overlay: needs at least one", "--tmp-overlay", "/d");
	REFUSED("--ro-overlay: needs at least two", "--overlay-src", "/l", "--ro-overlay", "/d");
}
END_TEST

START_TEST(the_runtime_needs_no_value)
{
	struct parsed parsed;

	ck_assert_int_eq(only_request(&parsed, WORDS("--runtime"))->kind, SPEC_FS_RUNTIME);
	cli_free(&parsed);
	REFUSED("--runtime: given more than once", "--runtime", "--runtime");
}
END_TEST

START_TEST(same_place_options_take_no_relative_path)
{
	REFUSED("--ro: 'usr' is not an absolute path", "--ro", "usr");
	REFUSED("--rw: './x' is not an absolute path", "--rw", "./x");
	REFUSED("--ro: '/usr/../etc'", "--ro", "/usr/../etc");
}
END_TEST

/* Options that end in DEST, with what comes before it. */
static const struct {
	const char *option;
	const char *before[3];
	bool takes_root;
} destinations[] = {
	{ "--ro-bind", { "/x" }, true }, { "--ro-bind-try", { "/x" }, true },
	{ "--bind", { "/x" }, true }, { "--bind-try", { "/x" }, true },
	{ "--dev-bind", { "/x" }, true }, { "--dev-bind-try", { "/x" }, true },
	{ "--ro", { NULL }, true }, { "--rw", { NULL }, true },
	{ "--tmpfs", { NULL }, false }, { "--dir", { NULL }, false }, { "--mask", { NULL }, false },
	{ "--symlink", { "/x" }, false }, { "--file", { "/x" }, false },
	{ "--overlay", { "/x", "/y" }, false },
	{ "--tmp-overlay", { NULL }, false }, { "--ro-overlay", { NULL }, false },
};

/* The words of row `i` with this DEST. */
static void words_for(size_t i, const char *dest, const char *words[10])
{
	const char *const *before = destinations[i].before;
	size_t count = 0;

	if (strstr(destinations[i].option, "overlay")) {
		words[count++] = "--overlay-src";
		words[count++] = "/l";
		words[count++] = "--overlay-src";
		words[count++] = "/l";
	}
	words[count++] = destinations[i].option;
	while (*before)
		words[count++] = *before++;
	words[count++] = dest;
	words[count] = NULL;
}

START_TEST(a_bad_destination_is_refused_everywhere)
{
	static const char *const bad[] = { "", "x", "./x", "..", "/..", "/a/..", "/a/../b", "/../" };
	size_t count = sizeof(destinations) / sizeof(destinations[0]);

	for (size_t i = 0; i < count; i++) {
		char *start = xasprintf("%s: ", destinations[i].option);
		const char *words[10];

		for (size_t j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			words_for(i, bad[j], words);
			cli_expect_refusal(words, start);
		}
		free(start);
	}
}
END_TEST

START_TEST(only_binds_take_the_root)
{
	size_t count = sizeof(destinations) / sizeof(destinations[0]);

	for (size_t i = 0; i < count; i++) {
		const char *words[10];
		struct parsed parsed;

		words_for(i, "//./", words);
		cli_parse(&parsed, words);
		ck_assert_int_eq(parsed.result, destinations[i].takes_root ? 0 : -1);
		if (parsed.result == 0)
			ck_assert_str_eq(parsed.command.spec.fs[0].dest, "/");
		else
			ck_assert_ptr_nonnull(strstr(parsed.err.message, "is the root"));
		cli_free(&parsed);
	}
}
END_TEST

START_TEST(dots_that_are_names_are_taken)
{
	DUMPS("--dir /...\n--dir /..a\n--dir /a..\n--\ntrue\n", "--dir", "/...", "--dir", "/..a",
	    "--dir", "/a..", "true");
}
END_TEST

START_TEST(an_empty_source_is_refused)
{
	REFUSED("--ro-bind: SRC is empty", "--ro-bind", "", "/x");
	REFUSED("--symlink: TARGET is empty", "--symlink", "", "/x");
	REFUSED("--overlay: WORK is empty", "--overlay", "/x", "", "/y");
	REFUSED("--overlay-src: SRC is empty", "--overlay-src=");
}
END_TEST

START_TEST(a_path_of_a_mebibyte_is_shown_in_part)
{
	char *path = xcalloc((1 << 20) + 1, 1);
	struct parsed parsed;

	memset(path, 'p', 1 << 20);
	cli_parse(&parsed, WORDS("--ro", path));
	ck_assert_int_eq(parsed.result, -1);
	ck_assert_uint_lt(strlen(parsed.err.message), 400);
	cli_free(&parsed);
	path[0] = '/';
	ACCEPTED(&parsed, "--ro", path);
	ck_assert_uint_eq(strlen(parsed.command.spec.fs[0].dest), 1 << 20);
	cli_free(&parsed);
	free(path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		ro_and_rw_show_the_same_place,
		each_bind_says_what_it_is,
		places_have_a_destination_only,
		a_symlink_keeps_its_text,
		a_file_comes_from_a_path_or_descriptor,
		an_overlay_takes_the_layers_before_it,
		layers_go_to_the_very_next_request,
		layers_and_overlays_need_each_other,
		the_runtime_needs_no_value,
		same_place_options_take_no_relative_path,
		a_bad_destination_is_refused_everywhere,
		only_binds_take_the_root,
		dots_that_are_names_are_taken,
		an_empty_source_is_refused,
		a_path_of_a_mebibyte_is_shown_in_part,
		NULL
	};

	return cli_run_tests("cli_view", tests);
}
