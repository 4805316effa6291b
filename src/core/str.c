/*
 * Growable byte strings, string lists and checked allocation. Running out of
 * memory is the one error that is not a value: it ends the program with the
 * status that means "nsbox itself failed".
 */
#include "core/str.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"

enum { FIRST_SIZE = 64 };

/* _Exit and not abort: 134 would look as if COMMAND had been killed by a signal. */
static _Noreturn void out_of_memory(void)
{
	fputs("nsbox: out of memory\n", stderr);
	_Exit(err_exit_status(ERR_SETUP));
}

void *xcalloc(size_t count, size_t size)
{
	void *memory = count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size);

	if (!memory)
		out_of_memory();
	return memory;
}

void *xreallocarray(void *array, size_t count, size_t size)
{
	void *memory;

	if (size != 0 && count > SIZE_MAX / size)
		out_of_memory();
	/* realloc to nothing may free, and then NULL would not mean failure. */
	memory = realloc(array, count == 0 || size == 0 ? 1 : count * size);
	if (!memory)
		out_of_memory();
	return memory;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
	const char *end = memchr(text, '\0', length);
	size_t count = end ? (size_t)(end - text) : length;
	char *copy;

	if (count == SIZE_MAX)
		out_of_memory();
	copy = xreallocarray(NULL, count + 1, 1);
	memcpy(copy, text, count);
	copy[count] = '\0';
	return copy;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	return text;
}

char *xvasprintf(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0 || length == INT_MAX)
		out_of_memory();
	text = xreallocarray(NULL, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

/* Makes room for `more` bytes and the NUL behind them. */
static void reserve(struct str *str, size_t more)
{
	size_t size = str->size ? str->size : FIRST_SIZE;

	if (more >= SIZE_MAX - str->length)
		out_of_memory();
	while (size <= str->length + more) {
		if (size > SIZE_MAX / 2)
			out_of_memory();
		size *= 2;
	}
	if (size != str->size) {
		str->data = xreallocarray(str->data, size, 1);
		str->size = size;
	}
}

void str_add(struct str *str, const char *text)
{
	str_add_bytes(str, text, strlen(text));
}

void str_add_bytes(struct str *str, const void *bytes, size_t length)
{
	reserve(str, length);
	if (length > 0)
		memcpy(str->data + str->length, bytes, length);
	str->length += length;
	str->data[str->length] = '\0';
}

void str_add_char(struct str *str, char c)
{
	str_add_bytes(str, &c, 1);
}

void str_addf(struct str *str, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	str_add(str, text);
	free(text);
}

const char *str_text(const struct str *str)
{
	return str->data ? str->data : "";
}

char *str_take(struct str *str)
{
	char *text = str->data ? str->data : xstrdup("");

	*str = (struct str)STR_INIT;
	return text;
}

void str_free(struct str *str)
{
	free(str->data);
	*str = (struct str)STR_INIT;
}

/* How long a sequence that begins with `first` is, and the range of its second byte. */
static size_t utf8_expect(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef) {
		if (first == 0xe0)
			*low = 0xa0;	/* below: overlong */
		if (first == 0xed)
			*high = 0x9f;	/* above: surrogates */
		return 3;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		if (first == 0xf0)
			*low = 0x90;	/* below: overlong */
		if (first == 0xf4)
			*high = 0x8f;	/* above: beyond U+10FFFF */
		return 4;
	}
	return 0;
}

size_t str_utf8_length(const char *text, size_t left)
{
	const unsigned char *bytes = (const unsigned char *)text;
	unsigned char low, high;
	size_t length, i;

	if (left == 0)
		return 0;
	length = utf8_expect(bytes[0], &low, &high);
	if (length > left)
		return 0;
	if (length > 1 && (bytes[1] < low || bytes[1] > high))
		return 0;
	for (i = 2; i < length; i++)
		if (bytes[i] < 0x80 || bytes[i] > 0xbf)
			return 0;
	return length;
}

bool str_is_control(const char *sequence, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)sequence;

	if (length == 1)
		return bytes[0] < 0x20 || bytes[0] == 0x7f;
	return length == 2 && bytes[0] == 0xc2 && bytes[1] < 0xa0;
}

void str_add_printable(struct str *str, const char *text, size_t limit)
{
	size_t left = strlen(text);
	size_t shown = 0;

	if (limit == 0)
		limit = SIZE_MAX;
	while (left > 0) {
		size_t length = str_utf8_length(text, left);
		bool plain = length > 0 && !str_is_control(text, length);
		size_t i;

		if (length == 0)
			length = 1;
		if (length > limit - shown) {
			str_add(str, "...");
			return;
		}
		if (plain)
			str_add_bytes(str, text, length);
		for (i = 0; !plain && i < length; i++)
			str_addf(str, "\\x%02x", (unsigned)(unsigned char)text[i]);
		text += length;
		left -= length;
		shown += length;
	}
}

void str_list_add(struct str_list *list, const char *text)
{
	str_list_take(list, xstrdup(text));
}

void str_list_take(struct str_list *list, char *text)
{
	if (list->count + 1 >= list->size) {
		if (list->size > SIZE_MAX / 2 - 4)
			out_of_memory();
		list->size = list->size * 2 + 4;
		list->items = xreallocarray(list->items, list->size, sizeof(*list->items));
	}
	list->items[list->count++] = text;
	list->items[list->count] = NULL;
}

void str_list_free(struct str_list *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct str_list)STR_LIST_INIT;
}

bool str_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}
