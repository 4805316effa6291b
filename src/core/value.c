/*
 * Strict parsers for the values a user writes. A word is taken whole or
 * refused; nothing is clamped, guessed or skipped.
 */
#include "core/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

/* How much of a refused word a message shows. */
enum { SHOWN = 80 };

enum { HOSTNAME_MAX = 64 };	/* __NEW_UTS_LEN */

static const uint64_t duration_max_ns = UINT64_C(100) * 365 * 86400 * 1000000000;

/* OPTION: 'WORD' PROBLEM */
static int refuse(struct err *err, const char *option, const char *word, const char *problem)
{
	struct str shown = STR_INIT;

	str_add_printable(&shown, word, SHOWN);
	err_set(err, ERR_USAGE, "%s: '%s' %s", option, str_text(&shown), problem);
	str_free(&shown);
	return -1;
}

/* Reads the digits that a word begins with; false where they are more than 64 bits. */
static bool read_digits(const char *word, unsigned base, uint64_t *value)
{
	uint64_t sum = 0;

	/* What is below '0' becomes a large number, so one comparison finds the end. */
	for (; (unsigned)(*word - '0') < base; word++) {
		unsigned digit = (unsigned)(*word - '0');

		if (sum > (UINT64_MAX - digit) / base)
			return false;
		sum = sum * base + digit;
	}
	*value = sum;
	return true;
}

static bool all_digits(const char *word)
{
	return *word && word[strspn(word, "0123456789")] == '\0';
}

int value_parse_number(const char *option, const char *word, uint64_t minimum,
    uint64_t maximum, uint64_t *value, struct err *err)
{
	uint64_t number;
	char *problem;

	if (!all_digits(word))
		return refuse(err, option, word, "is not a whole number in decimal digits");
	if (read_digits(word, 10, &number) && number >= minimum && number <= maximum) {
		*value = number;
		return 0;
	}
	problem = xasprintf("is not between %" PRIu64 " and %" PRIu64, minimum, maximum);
	refuse(err, option, word, problem);
	free(problem);
	return -1;
}

int value_parse_c(const char *word, int base, uint64_t maximum, uint64_t *value)
{
	const char *start = word + strspn(word, " \t\n\v\f\r");
	unsigned long long number;
	char *end;

	/* strtoull would take a minus sign, and wrap around. */
	if (*start == '-')
		return -1;
	errno = 0;
	number = strtoull(start, &end, base);
	if (errno != 0 || end == start || *end != '\0' || number > maximum)
		return -1;
	*value = number;
	return 0;
}

int value_parse_mode(const char *option, const char *word, unsigned *mode, struct err *err)
{
	uint64_t number;

	if (!*word || word[strspn(word, "01234567")] != '\0')
		return refuse(err, option, word, "is not a file mode in octal digits");
	if (!read_digits(word, 8, &number) || number > 07777)
		return refuse(err, option, word, "is above 7777, the largest file mode");
	*mode = (unsigned)number;
	return 0;
}

/* Finds the length of the unit that a duration ends with. */
static bool find_unit(const char *suffix, uint64_t *unit)
{
	static const struct {
		const char *suffix;
		uint64_t nanoseconds;
	} units[] = {
		{ "", 1000000000 }, { "s", 1000000000 },
		{ "ms", 1000000 }, { "m", UINT64_C(60000000000) },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(suffix, units[i].suffix) == 0) {
			*unit = units[i].nanoseconds;
			return true;
		}
	}
	return false;
}

/*
 * The nanoseconds in `count` fraction digits of a unit. False where a digit stands
 * for less than a nanosecond.
 */
static bool add_fraction(const char *digits, size_t count, uint64_t unit, uint64_t *sum)
{
	for (; count > 0; count--, digits++) {
		if (unit % 10 != 0)
			return false;
		unit /= 10;
		*sum += (uint64_t)(*digits - '0') * unit;
	}
	return true;
}

int value_parse_duration(const char *option, const char *word, uint64_t *nanoseconds,
    struct err *err)
{
	const char *shape = "is not a duration (such as 10, 1.5s, 200ms or 2m)";
	size_t whole = strspn(word, "0123456789");
	const char *fraction = word + whole;
	uint64_t count, sum, unit;
	size_t digits = 0;

	if (*fraction == '.') {
		fraction++;
		digits = strspn(fraction, "0123456789");
		if (digits == 0)
			return refuse(err, option, word, shape);
	}
	if (whole == 0 || !find_unit(fraction + digits, &unit))
		return refuse(err, option, word, shape);
	if (!read_digits(word, 10, &count) || count > duration_max_ns / unit)
		return refuse(err, option, word, "is longer than 100 years");
	sum = count * unit;
	if (!add_fraction(fraction, digits, unit, &sum))
		return refuse(err, option, word, "has more digits than nanoseconds can hold");
	if (sum > duration_max_ns)
		return refuse(err, option, word, "is longer than 100 years");
	if (sum == 0)
		return refuse(err, option, word, "is no time at all");
	*nanoseconds = sum;
	return 0;
}

int value_parse_milli(const char *option, const char *word, uint64_t maximum, uint64_t *milli,
    struct err *err)
{
	size_t whole = strspn(word, "0123456789");
	const char *fraction = word + whole;
	uint64_t number, sum;
	size_t digits = 0;

	if (*fraction == '.') {
		fraction++;
		digits = strspn(fraction, "0123456789");
		if (digits == 0)
			whole = 0;
	}
	if (whole == 0 || fraction[digits] != '\0')
		return refuse(err, option, word, "is not a number (such as 2, 1.5 or 0.25)");
	if (!read_digits(word, 10, &number) || number > maximum / 1000)
		return refuse(err, option, word, "is too large");
	sum = number * 1000;
	if (!add_fraction(fraction, digits, 1000, &sum))
		return refuse(err, option, word, "has more than three digits behind the point");
	if (sum == 0 || sum > maximum)
		return refuse(err, option, word, sum == 0 ? "is nothing at all" : "is too large");
	*milli = sum;
	return 0;
}

/* Reads a unit into the power of two it stands for. */
static bool find_shift(const char *suffix, unsigned *shift)
{
	static const char letters[] = "KMGT";
	const char *letter;

	*shift = 0;
	if (!*suffix)
		return true;
	letter = strchr(letters, *suffix);
	if (!letter)
		return false;
	*shift = 10 * (unsigned)(letter - letters + 1);
	return suffix[1] == '\0' || strcmp(suffix + 1, "iB") == 0;
}

int value_parse_size(const char *option, const char *word, uint64_t *bytes, struct err *err)
{
	size_t digits = strspn(word, "0123456789");
	uint64_t count;
	unsigned shift;

	if (digits == 0 || !find_shift(word + digits, &shift))
		return refuse(err, option, word,
		    "is not a size in bytes (such as 4096, 64K, 16M, 2GiB)");
	if (!read_digits(word, 10, &count) || count > (uint64_t)INT64_MAX >> shift)
		return refuse(err, option, word, "is too large for a size");
	if (count == 0)
		return refuse(err, option, word, "is not at least one byte");
	*bytes = count << shift;
	return 0;
}

/* The length of the component at `at`. */
static size_t component_length(const char *at)
{
	return strcspn(at, "/");
}

int value_parse_dest(const char *option, const char *word, char **path, struct err *err)
{
	struct str result = STR_INIT;
	const char *at = word;

	if (!*word)
		return err_set(err, ERR_USAGE, "%s: the path is empty", option);
	if (*word != '/')
		return refuse(err, option, word, "is not an absolute path");
	while (*at) {
		size_t length = component_length(at);

		if (length == 2 && memcmp(at, "..", 2) == 0) {
			str_free(&result);
			return refuse(err, option, word, "has a '..' component");
		}
		if (length > 0 && !(length == 1 && *at == '.')) {
			str_add_char(&result, '/');
			str_add_bytes(&result, at, length);
		}
		at += length;
		at += strspn(at, "/");
	}
	if (result.length == 0)
		str_add_char(&result, '/');
	*path = str_take(&result);
	return 0;
}

int value_parse_source(const char *option, const char *word, char **path, struct err *err)
{
	if (!*word)
		return err_set(err, ERR_USAGE, "%s: the path is empty", option);
	*path = xstrdup(word);
	return 0;
}

int value_check_env_name(const char *option, const char *name, unsigned long length,
    struct err *err)
{
	char *copy;

	if (length == 0)
		return err_set(err, ERR_USAGE, "%s: the name of the variable is empty", option);
	if (memchr(name, '\0', length))
		return err_set(err, ERR_USAGE, "%s: the name of the variable has a NUL byte in it",
		    option);
	if (!memchr(name, '=', length))
		return 0;
	copy = xstrndup(name, length);
	refuse(err, option, copy, "is not the name of a variable: it has a '=' in it");
	free(copy);
	return -1;
}

int value_check_hostname(const char *option, const char *word, struct err *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ" "0123456789-.";
	size_t length = strlen(word);

	if (length == 0)
		return err_set(err, ERR_USAGE, "%s: the host name is empty", option);
	if (length > HOSTNAME_MAX)
		return refuse(err, option, word, "is longer than 64 bytes");
	if (strspn(word, allowed) != length)
		return refuse(err, option, word,
		    "has something else than letters, digits, '-' and '.' in it");
	return 0;
}
