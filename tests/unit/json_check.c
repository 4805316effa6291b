/*
 * A strict judge of JSON. Each function moves the cursor behind what it read
 * and returns 0, or leaves it at the fault and returns -1.
 */
#include "unit/json_check.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH_MAX = 16, KEYS_MAX = 64 };

struct cursor {
	const char *at;
	const char *end;
	int depth;
};

static int read_value(struct cursor *cursor);

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at && strchr(" \t\r\n", *cursor->at))
		cursor->at++;
}

static bool take(struct cursor *cursor, char c)
{
	if (cursor->at == cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

static int read_escape(struct cursor *cursor)
{
	int i;

	if (cursor->at == cursor->end || !*cursor->at || !strchr("\"\\/bfnrtu", *cursor->at))
		return -1;
	if (*cursor->at++ != 'u')
		return 0;
	for (i = 0; i < 4; i++, cursor->at++)
		if (cursor->at == cursor->end || !*cursor->at ||
		    !strchr("0123456789abcdefABCDEF", *cursor->at))
			return -1;
	return 0;
}

/* Decodes one code point and compares it with the least that its length may stand for. */
static int read_code_point(struct cursor *cursor)
{
	static const unsigned long least[] = { 0x20, 0x80, 0x800, 0x10000 };
	unsigned long point = (unsigned char)*cursor->at;
	int more = point < 0x80 ? 0 : point < 0xc0 ? -1 : point < 0xe0 ? 1 : point < 0xf0 ? 2 :
	    point < 0xf8 ? 3 : -1;
	int i;

	if (more < 0 || cursor->end - cursor->at <= more)
		return -1;
	if (more > 0)
		point &= 0x3fU >> more;
	for (i = 1; i <= more; i++) {
		unsigned long next = (unsigned char)cursor->at[i];

		if ((next & 0xc0) != 0x80)
			return -1;
		point = point << 6 | (next & 0x3f);
	}
	if (point < least[more] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return -1;
	cursor->at += more + 1;
	return 0;
}

static int read_string(struct cursor *cursor)
{
	if (!take(cursor, '"'))
		return -1;
	while (cursor->at < cursor->end) {
		if (take(cursor, '"'))
			return 0;
		if (take(cursor, '\\') ? read_escape(cursor) : read_code_point(cursor))
			return -1;
	}
	return -1;
}

static int read_digits(struct cursor *cursor)
{
	const char *start = cursor->at;

	while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9')
		cursor->at++;
	return cursor->at == start ? -1 : 0;
}

static int read_number(struct cursor *cursor)
{
	take(cursor, '-');
	if (!take(cursor, '0') && read_digits(cursor) != 0)
		return -1;
	if (take(cursor, '.') && read_digits(cursor) != 0)
		return -1;
	if (!take(cursor, 'e') && !take(cursor, 'E'))
		return 0;
	if (!take(cursor, '+'))
		take(cursor, '-');
	return read_digits(cursor);
}

static int read_word(struct cursor *cursor, const char *word)
{
	for (; *word; word++)
		if (!take(cursor, *word))
			return -1;
	return 0;
}

static int read_array(struct cursor *cursor)
{
	skip_blanks(cursor);
	if (take(cursor, ']'))
		return 0;
	for (;;) {
		if (read_value(cursor) != 0)
			return -1;
		if (take(cursor, ']'))
			return 0;
		if (!take(cursor, ','))
			return -1;
	}
}

struct keys {
	const char *start[KEYS_MAX];
	size_t length[KEYS_MAX];
	int count;
};

static int read_key(struct cursor *cursor, struct keys *keys)
{
	const char *start;
	size_t length;
	int i;

	skip_blanks(cursor);
	start = cursor->at;
	if (read_string(cursor) != 0 || keys->count == KEYS_MAX)
		return -1;
	length = (size_t)(cursor->at - start);
	for (i = 0; i < keys->count; i++)
		if (keys->length[i] == length && memcmp(keys->start[i], start, length) == 0)
			return -1;
	keys->start[keys->count] = start;
	keys->length[keys->count++] = length;
	skip_blanks(cursor);
	return take(cursor, ':') ? 0 : -1;
}

static int read_object(struct cursor *cursor)
{
	struct keys keys = { .count = 0 };

	skip_blanks(cursor);
	if (take(cursor, '}'))
		return 0;
	for (;;) {
		if (read_key(cursor, &keys) != 0 || read_value(cursor) != 0)
			return -1;
		if (take(cursor, '}'))
			return 0;
		if (!take(cursor, ','))
			return -1;
	}
}

static int read_bare(struct cursor *cursor)
{
	if (cursor->at == cursor->end)
		return -1;
	switch (*cursor->at) {
	case '"':
		return read_string(cursor);
	case 't':
		return read_word(cursor, "true");
	case 'f':
		return read_word(cursor, "false");
	case 'n':
		return read_word(cursor, "null");
	default:
		return read_number(cursor);
	}
}

static int read_value(struct cursor *cursor)
{
	int result;

	if (++cursor->depth > DEPTH_MAX)
		return -1;
	skip_blanks(cursor);
	if (take(cursor, '{'))
		result = read_object(cursor);
	else if (take(cursor, '['))
		result = read_array(cursor);
	else
		result = read_bare(cursor);
	skip_blanks(cursor);
	cursor->depth--;
	return result;
}

const char *json_fault(const char *text, size_t length)
{
	struct cursor cursor = { text, text + length, 0 };

	if (read_value(&cursor) != 0 || cursor.at != cursor.end)
		return cursor.at;
	return NULL;
}
