/*
 * What the tests use of Check (libcheck.github.io), for Windows, where it is not
 * to be had: the same words, one process, TAP on standard output.
 */
#ifndef NSBOX_TESTS_WIN_CHECK_CHECK_H
#define NSBOX_TESTS_WIN_CHECK_CHECK_H

#include <stdint.h>
#include <string.h>

typedef struct {
	const char *name;
	void (*run)(int);
} TTest;

#define START_TEST(name_) \
	static void name_##_fn(int _i); \
	static const TTest name_##_test = { #name_, name_##_fn }; \
	static const TTest *const name_ = &name_##_test; \
	static void name_##_fn(int _i __attribute__((unused)))
#define END_TEST

/* Ends the test that runs. */
_Noreturn void check_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define ck_abort_msg(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_assert_msg(condition, ...) \
	((condition) ? (void)0 : check_fail(__FILE__, __LINE__, __VA_ARGS__))
#define ck_assert(condition) ck_assert_msg(condition, "%s", #condition)

#define CHECK_NUMBERS(type, a, op, b) \
	do { \
		type left_ = (type)(a), right_ = (type)(b); \
		ck_assert_msg(left_ op right_, "%s %s %s: %lld, %lld", #a, #op, #b, (long long)left_, \
		    (long long)right_); \
	} while (0)
#define ck_assert_int_eq(a, b) CHECK_NUMBERS(intmax_t, a, ==, b)
#define ck_assert_int_ne(a, b) CHECK_NUMBERS(intmax_t, a, !=, b)
#define ck_assert_uint_eq(a, b) CHECK_NUMBERS(uintmax_t, a, ==, b)
#define ck_assert_uint_gt(a, b) CHECK_NUMBERS(uintmax_t, a, >, b)
#define ck_assert_uint_le(a, b) CHECK_NUMBERS(uintmax_t, a, <=, b)
#define ck_assert_uint_lt(a, b) CHECK_NUMBERS(uintmax_t, a, <, b)

#define CHECK_TEXTS(a, op, b) \
	do { \
		const char *left_ = (a), *right_ = (b); \
		ck_assert_msg(left_ && right_ && strcmp(left_, right_) op 0, "%s %s %s: \"%s\", \"%s\"", #a, \
		    #op, #b, left_ ? left_ : "NULL", right_ ? right_ : "NULL"); \
	} while (0)
#define ck_assert_str_eq(a, b) CHECK_TEXTS(a, ==, b)
#define ck_assert_str_ne(a, b) CHECK_TEXTS(a, !=, b)

#define ck_assert_ptr_eq(a, b) ck_assert_msg((a) == (b), "%s == %s", #a, #b)
#define ck_assert_ptr_null(a) ck_assert_msg(!(a), "%s is not NULL", #a)
#define ck_assert_ptr_nonnull(a) ck_assert_msg(a, "%s is NULL", #a)
#define ck_assert_mem_eq(a, b, length) \
	ck_assert_msg(memcmp(a, b, length) == 0, "%s and %s differ", #a, #b)

#endif
