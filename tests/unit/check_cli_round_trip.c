/*
 * What --explain prints is an argument file that asks for the same: for command
 * lines made at random of every option of the table, with values of all bytes.
 * The generator starts from a fixed number, so that a failure comes again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"
#include "unit/cli_words.h"
#include "unit/fake_host.h"

enum {
	LINES = 400,		/* command lines */
	OPTIONS_MAX = 12	/* options in one of them */
};

static uint32_t state = 12345;

static unsigned random_below(unsigned limit)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % limit;
}

/* 1 to 12 bytes, any but NUL; `avoid` are left out. */
static void add_noise(struct str *text, const char *avoid)
{
	static const char nasty[] = " \t\n\r\"\\#=-/.,:\x7f\xff";
	unsigned length = 1 + random_below(12);

	while (length > 0) {
		char c = random_below(2) ? nasty[random_below(sizeof(nasty) - 1)]
		    : (char)(1 + random_below(255));

		if (strchr(avoid, c))
			continue;
		str_add_char(text, c);
		length--;
	}
}

static char *make_path(void)
{
	struct str text = STR_INIT;

	/* A letter before and after, so that no component is "..". */
	str_add(&text, random_below(2) ? "/a" : "//./a");
	add_noise(&text, "/");
	str_add(&text, random_below(2) ? "z" : "z/");
	return str_take(&text);
}

static char *make_noise(void)
{
	struct str text = STR_INIT;

	add_noise(&text, "");
	return str_take(&text);
}

static char *make_env(void)
{
	struct str text = STR_INIT;

	add_noise(&text, "=");
	if (random_below(3) > 0) {
		str_add_char(&text, '=');
		if (random_below(4) > 0)
			add_noise(&text, "");
	}
	return str_take(&text);
}

static char *make_duration(void)
{
	static const char *const durations[] = { "1", "0.25s", "1500ms", "2m", "0.000000001" };

	return xstrdup(durations[random_below(sizeof(durations) / sizeof(durations[0]))]);
}

static char *make_size(void)
{
	return xasprintf("%u%s", 1 + random_below(999), (const char *const[]){ "", "K", "MiB" }[random_below(3)]);
}

static char *make_count(void)
{
	return xasprintf("%u", 1 + random_below(70000));
}

static char *make_rate(void)
{
	return xstrdup((const char *const[]){ "0.5", "2", "1.25", "0.001" }[random_below(4)]);
}

static char *make_rlimit(void)
{
	return xstrdup((const char *const[]){ "nofile=64", "core=0:unlimited", "as=1M:2G" }[random_below(3)]);
}

static char *make_number(void)
{
	return xasprintf("%u", random_below(70000));
}

/* Not one that was passed before: that is refused. */
static char *make_fd(void)
{
	static unsigned next = 3;

	return xasprintf("%u", next++ * 7919 % 10007 + 3);
}

static char *make_name(void)
{
	return xasprintf("a-%u.b", random_below(1000));
}

static char *make_net(void)
{
	return xstrdup(random_below(2) ? "none" : "host");
}

/* None that --net host or --keep-env gives away. */
static char *make_required(void)
{
	return xstrdup(random_below(2) ? "root,seccomp" : "scratch");
}

static char *make_missable(void)
{
	return xstrdup(random_below(2) ? "landlock,cgroup" : "ipc");
}

static char *make_file(void)
{
	return random_below(2) ? xasprintf("fd:%u", random_below(3)) : make_path();
}

/* How the values of an option are made; options that are not here are not dumped. */
static const struct {
	const char *name;
	char *(*make[3])(void);
} makers[] = {
	{ "--ro", { make_path } }, { "--rw", { make_path } },
	{ "--ro-bind", { make_noise, make_path } }, { "--ro-bind-try", { make_noise, make_path } },
	{ "--bind", { make_noise, make_path } }, { "--bind-try", { make_noise, make_path } },
	{ "--dev-bind", { make_noise, make_path } }, { "--dev-bind-try", { make_noise, make_path } },
	{ "--tmpfs", { make_path } }, { "--dir", { make_path } },
	{ "--symlink", { make_noise, make_path } }, { "--file", { make_file, make_path } },
	{ "--overlay", { make_noise, make_noise, make_path } }, { "--tmp-overlay", { make_path } },
	{ "--ro-overlay", { make_path } }, { "--overlay-src", { make_noise } },
	{ "--mask", { make_path } }, { "--runtime", { NULL } },
	{ "--env", { make_env } }, { "--keep-env", { NULL } }, { "--net", { make_net } },
	{ "--uid", { make_number } }, { "--gid", { make_number } }, { "--hostname", { make_name } },
	{ "--chdir", { make_path } }, { "--cap-add", { make_noise } }, { "--backend", { make_noise } },
	{ "--require", { make_required } }, { "--allow-missing", { make_missable } },
	{ "--wall", { make_duration } }, { "--cpu", { make_duration } }, { "--mem", { make_size } },
	{ "--pids", { make_count } }, { "--cpus", { make_rate } }, { "--out-max", { make_size } },
	{ "--out-max-each", { make_size } }, { "--rlimit", { make_rlimit } },
	{ "--scratch-size", { make_size } }, { "--scratch-inodes", { make_count } },
	{ "--scratch-dir", { make_path } }, { "--scratch-use", { make_path } },
	{ "--keep-scratch", { NULL } },
	{ "--new-session", { NULL } }, { "--allow-userns", { NULL } },
	{ "--grace", { make_duration } }, { "--pass-fd", { make_fd } }, { "--report", { make_file } },
	{ "--meta", { make_path } }, { "--id", { make_name } }, { "--quiet", { NULL } },
};

enum { MAKERS = sizeof(makers) / sizeof(makers[0]) };

static const struct opt *find_row(const char *name)
{
	size_t count;
	const struct opt *rows = native_options(&count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	ck_abort_msg("%s is not in the table", name);
	return NULL;
}

static void add_option(struct str_list *words, size_t maker)
{
	bool joined = random_below(2) && makers[maker].make[0];

	if (!joined)
		str_list_add(words, makers[maker].name);
	for (int i = 0; i < 3 && makers[maker].make[i]; i++) {
		char *value = makers[maker].make[i]();

		if (joined && i == 0) {
			str_list_take(words, xasprintf("%s=%s", makers[maker].name, value));
			free(value);
		} else {
			str_list_take(words, value);
		}
	}
}

/* What contradicts each other: the first of them that was used is the only one. */
static bool contradicts(const bool *used, const char *name)
{
	static const char *const kinds[] = { "--scratch-size", "--scratch-dir", "--scratch-use" };

	for (size_t i = 0; i < MAKERS; i++) {
		const char *other = makers[i].name;

		for (size_t j = 0; used[i] && j < sizeof(kinds) / sizeof(kinds[0]); j++) {
			if (strcmp(other, kinds[j]) == 0 && strcmp(name, other) != 0 &&
			    str_has_prefix(name, "--scratch") &&
			    !(j == 0 && strcmp(name, "--scratch-inodes") == 0))
				return true;
		}
	}
	return false;
}

/* Adds what has to stand before it, too. */
static void add_any_option(struct str_list *words, bool *used, size_t maker)
{
	const char *name = makers[maker].name;

	/* The count of files goes with the size, and a scratch that is kept with its folder. */
	if (strcmp(name, "--overlay-src") == 0 || strcmp(name, "--scratch-inodes") == 0 ||
	    strcmp(name, "--keep-scratch") == 0 || contradicts(used, name))
		return;
	if (used[maker] && find_row(name)->repeat == OPT_ONCE)
		return;
	used[maker] = true;
	if (strstr(name, "overlay")) {
		size_t layers = 2 + random_below(2);

		while (layers-- > 0)
			str_list_take(words, xasprintf("--overlay-src=a%u", random_below(99)));
	}
	add_option(words, maker);
	if (strcmp(name, "--scratch-size") == 0)
		str_list_add(words, "--scratch-inodes=7");
	if (strcmp(name, "--scratch-dir") == 0)
		str_list_add(words, "--keep-scratch");
}

static void add_command(struct str_list *words)
{
	unsigned count = 1 + random_below(4);

	str_list_add(words, "--");
	str_list_add(words, "true");
	while (--count > 0)
		str_list_take(words, random_below(5) ? make_noise() : xstrdup(""));
}

/* The dump, read back, gives the same dump. */
static void check_round_trip(const struct str_list *words)
{
	char *first = cli_dump((const char *const *)words->items);
	char *second;

	fake_host_reset();
	fake_host_add_text("dump", first);
	second = cli_dump(WORDS("--args", "dump"));
	ck_assert_str_eq(first, second);
	free(first);
	free(second);
}

START_TEST(random_command_lines_survive_the_dump)
{
	for (int i = 0; i < LINES; i++) {
		struct str_list words = STR_LIST_INIT;
		bool used[MAKERS] = { false };
		unsigned count = random_below(OPTIONS_MAX);

		while (count-- > 0)
			add_any_option(&words, used, random_below(MAKERS));
		add_command(&words);
		check_round_trip(&words);
		str_list_free(&words);
	}
}
END_TEST

START_TEST(each_option_survives_the_dump_alone)
{
	for (size_t i = 0; i < MAKERS; i++) {
		struct str_list words = STR_LIST_INIT;
		bool used[MAKERS] = { false };

		add_any_option(&words, used, i);
		add_command(&words);
		check_round_trip(&words);
		str_list_free(&words);
	}
}
END_TEST

START_TEST(all_options_at_once_survive_the_dump)
{
	struct str_list words = STR_LIST_INIT;
	bool used[MAKERS] = { false };

	for (size_t i = 0; i < MAKERS; i++)
		add_any_option(&words, used, i);
	add_command(&words);
	check_round_trip(&words);
	str_list_free(&words);
}
END_TEST

/* A row that is new has to be added to the makers, or named here. */
START_TEST(every_option_of_the_table_is_tried)
{
	static const char *const not_dumped[] = { "--env-file", "--args", "--explain", "--gc", "--check", "--json", "--version",
		"--help" };
	size_t count;
	const struct opt *rows = native_options(&count);

	for (size_t i = 0; i < count; i++) {
		bool found = false;

		for (size_t j = 0; j < MAKERS; j++)
			found |= strcmp(makers[j].name, rows[i].name) == 0;
		for (size_t j = 0; j < sizeof(not_dumped) / sizeof(not_dumped[0]); j++)
			found |= strcmp(not_dumped[j], rows[i].name) == 0;
		ck_assert_msg(found, "%s is not tried", rows[i].name);
	}
}
END_TEST

START_TEST(equal_requests_give_equal_text)
{
	char *first = cli_dump(WORDS("--ro", "/usr/", "--uid=5", "--env", "A=1", "--net", "none", "a"));
	char *second = cli_dump(WORDS("--env=A=1", "--uid", "5", "--ro=//usr", "--", "a"));

	ck_assert_str_eq(first, second);
	free(first);
	free(second);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		random_command_lines_survive_the_dump,
		each_option_survives_the_dump_alone,
		all_options_at_once_survive_the_dump,
		every_option_of_the_table_is_tried,
		equal_requests_give_equal_text,
		NULL
	};

	return cli_run_tests("cli_round_trip", tests);
}
