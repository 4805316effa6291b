/*
 * The journal (journal.h): lines of a word and a value. A text that is not
 * exactly what journal_compose writes is not a journal, and nothing that it
 * names is touched.
 */
#include "win/journal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/value.h"
#include "win/fail.h"
#include "win/path.h"
#include "win/wapi.h"

#define FIRST_LINE "nsbox journal 1"
#define SUFFIX ".journal"

enum { RANDOM_BYTES = 16, PID_DIGITS_MAX = 8 };

bool journal_is_name(const char *name)
{
	static const char hex[] = "0123456789abcdef";
	size_t digits;

	if (!str_has_prefix(name, JOURNAL_PREFIX))
		return false;
	name += strlen(JOURNAL_PREFIX);
	digits = strspn(name, hex);
	if (digits == 0 || digits > PID_DIGITS_MAX || name[digits] != '.')
		return false;
	name += digits + 1;
	return strspn(name, hex) == RANDOM_BYTES * 2 && strlen(name) == RANDOM_BYTES * 2;
}

uint32_t journal_make_name(uint32_t pid, char **name)
{
	uint8_t bytes[RANDOM_BYTES];
	struct str text = STR_INIT;
	uint32_t error = wapi.random(bytes, sizeof(bytes));

	if (error)
		return error;
	str_addf(&text, JOURNAL_PREFIX "%" PRIx32 ".", pid);
	for (size_t i = 0; i < sizeof(bytes); i++)
		str_addf(&text, "%02x", bytes[i]);
	*name = str_take(&text);
	return 0;
}

uint32_t journal_folder(char **folder)
{
	char *base;
	uint32_t error = wapi.folder(WAPI_LOCAL_APP_DATA, &base);

	if (error)
		return error;
	*folder = path_join(base, "nsbox\\run");
	free(base);
	return 0;
}

int journal_begin(struct journal *journal, struct err *err)
{
	char *folder = NULL, *file_name;
	uint32_t error;

	*journal = (struct journal){ NULL, NULL, 0, 0, false, NULL, STR_LIST_INIT };
	error = wapi.self(&journal->pid, &journal->created);
	if (!error)
		error = journal_folder(&folder);
	if (!error)
		error = wapi.folder_make(folder);
	if (!error)
		error = journal_make_name(journal->pid, &journal->name);
	if (error) {
		free(folder);
		return fail_set(err, ERR_SETUP, error, "cannot begin the journal of this run");
	}
	file_name = xasprintf("%s" SUFFIX, journal->name);
	journal->file = path_join(folder, file_name);
	free(file_name);
	free(folder);
	return journal_write(journal, err);
}

int journal_write(const struct journal *journal, struct err *err)
{
	struct str text = STR_INIT;
	uint32_t error;

	journal_compose(journal, &text);
	error = wapi.file_replace(journal->file, str_text(&text), text.length);
	str_free(&text);
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot write the journal of this run");
	return 0;
}

uint32_t journal_end(struct journal *journal)
{
	uint32_t error = journal->file ? wapi.file_remove(journal->file) : 0;

	if (error == WAPI_FILE_NOT_FOUND)
		error = 0;
	return error;
}

void journal_free(struct journal *journal)
{
	free(journal->file);
	free(journal->name);
	free(journal->scratch);
	str_list_free(&journal->grants);
	*journal = (struct journal){ NULL, NULL, 0, 0, false, NULL, STR_LIST_INIT };
}

void journal_compose(const struct journal *journal, struct str *text)
{
	str_addf(text, FIRST_LINE "\nname %s\npid %" PRIu32 "\ncreated %" PRIu64 "\n", journal->name,
	    journal->pid, journal->created);
	if (journal->has_profile)
		str_add(text, "profile yes\n");
	if (journal->scratch)
		str_addf(text, "scratch %s\n", journal->scratch);
	for (size_t i = 0; i < journal->grants.count; i++)
		str_addf(text, "grant %s\n", journal->grants.items[i]);
	str_add(text, "end\n");
}

/* A path that this program may have written: absolute, in the one spelling. */
static bool is_own_path(const char *value)
{
	return path_is_plain(value) && !path_is_root(value);
}

static bool parse_number(const char *value, uint64_t maximum, uint64_t *number)
{
	struct err err = ERR_INIT;
	bool is_number = value_parse_number("journal", value, 0, maximum, number, &err) == 0;

	err_clear(&err);
	return is_number;
}

static bool take_name(struct journal *journal, const char *value)
{
	if (journal->name)
		return false;
	journal->name = xstrdup(value);
	return journal_is_name(value);
}

static bool take_pid(struct journal *journal, const char *value)
{
	uint64_t number;

	if (!parse_number(value, UINT32_MAX, &number))
		return false;
	journal->pid = (uint32_t)number;
	return true;
}

static bool take_created(struct journal *journal, const char *value)
{
	return parse_number(value, UINT64_MAX, &journal->created);
}

static bool take_profile(struct journal *journal, const char *value)
{
	journal->has_profile = true;
	return strcmp(value, "yes") == 0;
}

/* A scratch carries the run's name: nothing else is ever removed. */
static bool take_scratch(struct journal *journal, const char *value)
{
	if (journal->scratch || !is_own_path(value) || !journal->name ||
	    strcmp(path_name(value), journal->name) != 0)
		return false;
	journal->scratch = xstrdup(value);
	return true;
}

static bool take_grant(struct journal *journal, const char *value)
{
	str_list_add(&journal->grants, value);
	return is_own_path(value);
}

static bool take_line(struct journal *journal, const char *word, const char *value)
{
	static const struct {
		const char *word;
		bool (*take)(struct journal *, const char *);
	} rows[] = {
		{ "name", take_name }, { "pid", take_pid }, { "created", take_created },
		{ "profile", take_profile }, { "scratch", take_scratch }, { "grant", take_grant },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].take(journal, value);
	return false;
}

static bool parse_lines(char *text, struct journal *journal)
{
	char *line = text;
	bool is_first = true;

	for (char *end = strchr(line, '\n'); end; end = strchr(line, '\n')) {
		char *blank;

		*end = '\0';
		if (strcmp(line, "end") == 0)
			return !is_first && end[1] == '\0';
		blank = strchr(line, ' ');
		if (is_first ? strcmp(line, FIRST_LINE) != 0 : !blank)
			return false;
		if (!is_first) {
			*blank = '\0';
			if (!take_line(journal, line, blank + 1))
				return false;
		}
		is_first = false;
		line = end + 1;
	}
	return false;
}

bool journal_parse(const char *text, const char *name, struct journal *journal)
{
	char *copy = xstrdup(text);
	struct str again = STR_INIT;
	bool is_journal;

	*journal = (struct journal){ NULL, NULL, 0, 0, false, NULL, STR_LIST_INIT };
	is_journal = parse_lines(copy, journal) && journal->name;
	if (is_journal) {
		/* Whatever was taken too leniently above reads differently when it is written again. */
		journal_compose(journal, &again);
		is_journal = strcmp(str_text(&again), text) == 0;
	}
	if (is_journal) {
		char *file = xasprintf("%s" SUFFIX, journal->name);

		is_journal = strcmp(file, name) == 0;
		free(file);
	}
	if (!is_journal)
		journal_free(journal);
	free(copy);
	str_free(&again);
	return is_journal;
}
