/*
 * Strict parsers for what a user writes as a value. The whole word is parsed
 * or the word is refused: no leading blanks, no sign where none makes sense,
 * no trailing garbage, no silent clamping. `option` is the option as written
 * and begins every message; ERR_USAGE is the kind. Nothing is stored unless
 * the return value is 0.
 */
#ifndef NSBOX_CORE_VALUE_H
#define NSBOX_CORE_VALUE_H

#include <stdint.h>

#include "core/err.h"

/* Decimal digits only, minimum <= value <= maximum. */
int value_parse_number(const char *option, const char *word, uint64_t minimum,
    uint64_t maximum, uint64_t *value, struct err *err);

/*
 * As strtoull(3) takes it, which is how other programs' command lines are read: blanks and a plus
 * sign in front, and a prefix for base 0. The whole word, 0 to `maximum`, or -1. No message.
 */
int value_parse_c(const char *word, int base, uint64_t maximum, uint64_t *value);

/* Octal digits only, at most 07777 (a file mode). */
int value_parse_mode(const char *option, const char *word, unsigned *mode, struct err *err);

/*
 * A duration: digits with an optional fraction ("1.5"), then nothing or "s"
 * (seconds), "ms" or "m" (minutes). Result in nanoseconds, at least one, at most
 * 100 years. More digits than nanoseconds can hold are refused.
 */
int value_parse_duration(const char *option, const char *word, uint64_t *nanoseconds,
    struct err *err);

/*
 * A size in bytes: digits, then nothing, or K M G T with or without "iB"
 * (both powers of 1024). Zero and anything above INT64_MAX are refused.
 */
int value_parse_size(const char *option, const char *word, uint64_t *bytes, struct err *err);

/*
 * A decimal number with at most three digits behind the point, at least 0.001; the result
 * is in thousandths and at most `maximum`.
 */
int value_parse_milli(const char *option, const char *word, uint64_t maximum, uint64_t *milli,
    struct err *err);

/*
 * A path inside the sandbox: absolute, not empty, without a ".." component.
 * Repeated and trailing slashes and "." components are removed. The result is
 * allocated and owned by the caller.
 */
int value_parse_dest(const char *option, const char *word, char **path, struct err *err);

/* A path on the host: not empty. Kept as written; allocated, owned by the caller. */
int value_parse_source(const char *option, const char *word, char **path, struct err *err);

/* A name for an environment variable: not empty, no '='. `length` bytes of `name` are looked at. */
int value_check_env_name(const char *option, const char *name, unsigned long length,
    struct err *err);

/* A host name: 1 to 64 bytes (Linux: __NEW_UTS_LEN), letters, digits, '-' and '.'. */
int value_check_hostname(const char *option, const char *word, struct err *err);

#endif
