/*
 * A strict judge of JSON, independent of what writes it.
 */
#ifndef NSBOX_TESTS_UNIT_JSON_CHECK_H
#define NSBOX_TESTS_UNIT_JSON_CHECK_H

#include <stddef.h>

/*
 * NULL if `text` is exactly one JSON value (RFC 8259) with nothing but blanks around it, in
 * valid UTF-8 and without a repeated key in one object; else the place of the first fault.
 */
const char *json_fault(const char *text, size_t length);

#endif
