/*
 * Growable byte strings and checked allocation. Running out of memory ends
 * the program with a message (STYLE: the single exception to "only main
 * exits"); no function here returns NULL.
 */
#ifndef NSBOX_CORE_STR_H
#define NSBOX_CORE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

void *xcalloc(size_t count, size_t size);
/* Grows an array to hold `count` items; aborts on overflow or lack of memory. */
void *xreallocarray(void *array, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* A string that grows. `data` is NUL-terminated once anything was added, else NULL. */
struct str {
	char *data;
	size_t length;		/* bytes before the terminating NUL */
	size_t size;		/* bytes allocated */
};

#define STR_INIT { 0, 0, 0 }

void str_add(struct str *str, const char *text);
void str_add_bytes(struct str *str, const void *bytes, size_t length);
void str_add_char(struct str *str, char c);
void str_addf(struct str *str, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text so far, "" where nothing was added. Valid until the next change. */
const char *str_text(const struct str *str);
/* Hands the text over to the caller, who frees it; the string is empty afterwards. Never NULL. */
char *str_take(struct str *str);
void str_free(struct str *str);

/*
 * Appends `text` so that a terminal or log shows every byte and obeys none:
 * control characters, DEL, C1 controls and bytes that are not UTF-8 become
 * \xHH, a backslash stays itself. At most `limit` input bytes are shown, then
 * "..." (0: no limit). Messages use it for whatever a stranger wrote.
 */
void str_add_printable(struct str *str, const char *text, size_t limit);

/*
 * The length of the valid UTF-8 sequence (1 to 4 bytes) at the start of `left` bytes
 * of text, 0 where there is none: overlong forms, surrogates, values above U+10FFFF
 * and truncated sequences are not valid.
 */
size_t str_utf8_length(const char *text, size_t left);
/* Whether a valid sequence of this length is a C0 or C1 control character or DEL. */
bool str_is_control(const char *sequence, size_t length);

/* A list of owned strings, NULL-terminated once anything was added. */
struct str_list {
	char **items;
	size_t count;
	size_t size;
};

#define STR_LIST_INIT { 0, 0, 0 }

/* Adds a copy of `text`. */
void str_list_add(struct str_list *list, const char *text);
/* Adds `text` itself, which the list then owns. */
void str_list_take(struct str_list *list, char *text);
void str_list_free(struct str_list *list);

bool str_has_prefix(const char *text, const char *prefix);

#endif
