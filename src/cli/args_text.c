/*
 * The argument file reader. In lines, `--name REST` stands for an option with
 * its values; values that are not on the line are the next lines; behind a line
 * `--` each line is a word of the command. A word that begins with a double
 * quote may hold any byte but NUL by an escape. It decodes in place: a decoded
 * word is never longer than what it was written as.
 */
#include "cli/args_text.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t"

struct reader {
	struct opt_input input;
	char *at;
	char *end;
	size_t number;		/* of the current line or word, from 1 */
};

static int refuse(struct err *err, const char *why)
{
	return err_set(err, ERR_USAGE, "%s", why);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Decodes what follows a backslash. Returns how many bytes that was, or -1. */
static int decode_escape(const char *at, char *byte, struct err *err)
{
	static const char letters[] = "nrt\\\"";
	static const char bytes[] = "\n\r\t\\\"";
	const char *letter;
	int high, low;

	if (*at != 'x') {
		letter = *at != '\0' ? strchr(letters, *at) : NULL;
		if (!letter)
			return refuse(err,
			    "a backslash in quotes is followed by none of n r t x \\ \"");
		*byte = bytes[letter - letters];
		return 1;
	}
	high = hex_digit(at[1]);
	low = high < 0 ? -1 : hex_digit(at[2]);
	if (low < 0)
		return refuse(err, "\\x in quotes is not followed by two hexadecimal digits");
	if (high == 0 && low == 0)
		return refuse(err, "\\x00 is in quotes, and no value can hold a NUL byte");
	*byte = (char)(high * 16 + low);
	return 3;
}

/*
 * Decodes the quoted word that begins at `word`, to where it stands. Returns what
 * follows the closing quote, or NULL with *err filled in.
 */
static char *unquote(char *word, struct err *err)
{
	char *out = word;
	char *at = word + 1;

	while (*at != '"' && *at != '\0') {
		int length;

		if (*at != '\\') {
			*out++ = *at++;
			continue;
		}
		length = decode_escape(at + 1, out, err);
		if (length < 0)
			return NULL;
		out++;
		at += 1 + length;
	}
	if (*at == '\0') {
		refuse(err, "the closing quote is missing");
		return NULL;
	}
	*out = '\0';
	return at + 1;
}

/* The whole line is one word. */
static int take_line(struct reader *reader, char *line, struct err *err)
{
	if (line[0] == '"') {
		const char *rest = unquote(line, err);

		if (!rest)
			return -1;
		if (rest[strspn(rest, BLANKS)] != '\0')
			return refuse(err, "something follows the closing quote");
	}
	return opt_word(&reader->input, line, err);
}

/* Cuts the first word off a line; NULL with *err filled in where it is ill-formed. */
static char *cut_word(char *line, struct err *err)
{
	char *rest;

	if (line[0] != '"') {
		rest = line + strcspn(line, BLANKS);
	} else {
		rest = unquote(line, err);
		if (!rest)
			return NULL;
		if (*rest != '\0' && strchr(BLANKS, *rest) == NULL) {
			refuse(err, "something follows the closing quote");
			return NULL;
		}
	}
	if (*rest != '\0')
		*rest++ = '\0';
	return rest + strspn(rest, BLANKS);
}

/* The line holds several values of one option. */
static int take_values(struct reader *reader, const char *name, char *line, struct err *err)
{
	while (*line != '\0') {
		char *word = line;
		int result;

		if (opt_missing(&reader->input) == 0)
			return err_set(err, ERR_USAGE, "%s: too many values", name);
		line = cut_word(word, err);
		if (!line)
			return err_wrap(err, "%s", name);
		result = opt_word(&reader->input, word, err);
		if (result != 0)
			return result;
	}
	return 0;
}

static int take_rest(struct reader *reader, const char *name, char *rest, struct err *err)
{
	if (reader->input.in_command)
		return refuse(err,
		    "-- does not stand alone on its line; the command follows it, one word a line");
	if (opt_missing(&reader->input) == 0)
		return err_set(err, ERR_USAGE, "%s: takes no value", name);
	if (opt_missing(&reader->input) == 1)
		return take_line(reader, rest, err);
	return take_values(reader, name, rest, err);
}

static int take_option_line(struct reader *reader, char *line, struct err *err)
{
	char *rest = line + strcspn(line, "=" BLANKS);
	int result;

	if (*rest == '=') {
		rest = NULL;
	} else if (*rest != '\0') {
		*rest++ = '\0';
		rest += strspn(rest, BLANKS);
	}
	result = opt_word(&reader->input, line, err);
	if (result != 0 || !rest || *rest == '\0')
		return result;
	return take_rest(reader, line, rest, err);
}

static int read_line(struct reader *reader, char *line, struct err *err)
{
	if (reader->input.in_command || opt_missing(&reader->input) > 0)
		return take_line(reader, line, err);
	if (line[0] == '#' || line[strspn(line, BLANKS)] == '\0')
		return 0;
	if (line[0] != '-')
		return opt_refuse(err, "option expected", line,
		    "is none; a command follows a line --, one word a line");
	return take_option_line(reader, line, err);
}

static int read_lines(struct reader *reader, struct err *err)
{
	while (reader->at < reader->end) {
		char *line = reader->at;
		char *newline = memchr(line, '\n', (size_t)(reader->end - line));
		int result;

		if (newline)
			*newline = '\0';
		reader->at = newline ? newline + 1 : reader->end;
		reader->number++;
		result = read_line(reader, line, err);
		if (result < 0)
			return err_wrap(err, "line %zu", reader->number);
		if (result > 0)
			return result;
	}
	return opt_end(&reader->input, err);
}

static int read_words(struct reader *reader, struct err *err)
{
	while (reader->at < reader->end) {
		const char *word = reader->at;
		int result;

		reader->at += strlen(word) + 1;
		reader->number++;
		result = opt_word(&reader->input, word, err);
		if (result < 0)
			return err_wrap(err, "word %zu", reader->number);
		if (result > 0)
			return result;
	}
	return opt_end(&reader->input, err);
}

int args_text_read(struct opt_parser *parser, struct str *text, struct err *err)
{
	struct reader reader = { .at = text->data, .end = text->data };

	if (text->length == 0)
		return 0;
	opt_input_init(&reader.input, parser);
	reader.end += text->length;
	if (memchr(text->data, '\0', text->length))
		return read_words(&reader, err);
	return read_lines(&reader, err);
}
