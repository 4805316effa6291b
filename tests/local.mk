# Tests. tests/run runs them all and sums up; HACKING.md says how to add one.
if HAVE_CHECK
check_LIBRARIES += tests/libnstest.a
check_PROGRAMS += \
	tests/unit/check_cli_args_text \
	tests/unit/check_cli_help \
	tests/unit/check_cli_linear \
	tests/unit/check_cli_opt \
	tests/unit/check_cli_round_trip \
	tests/unit/check_cli_setters \
	tests/unit/check_cli_view \
	tests/unit/check_core_backend \
	tests/unit/check_core_backend_pick \
	tests/unit/check_core_control \
	tests/unit/check_core_err \
	tests/unit/check_core_report \
	tests/unit/check_core_report_end \
	tests/unit/check_core_report_json \
	tests/unit/check_core_spec \
	tests/unit/check_core_spec_check \
	tests/unit/check_core_spec_dump \
	tests/unit/check_core_str \
	tests/unit/check_core_value \
	tests/contract/check_contract_bites \
	tests/contract/check_contract_fake \
	tests/contract/check_contract_ns
endif
tests_unit_check_cli_args_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_args_text_LDADD = $(TEST_LIBS)
tests_unit_check_cli_help_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_help_LDADD = $(TEST_LIBS)
tests_unit_check_cli_linear_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_linear_LDADD = $(TEST_LIBS)
tests_unit_check_cli_opt_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_opt_LDADD = $(TEST_LIBS)
tests_unit_check_cli_round_trip_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_round_trip_LDADD = $(TEST_LIBS)
tests_unit_check_cli_setters_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_setters_LDADD = $(TEST_LIBS)
tests_unit_check_cli_view_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_view_LDADD = $(TEST_LIBS)
tests_unit_check_core_backend_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_backend_LDADD = $(TEST_LIBS)
tests_unit_check_core_backend_pick_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_backend_pick_LDADD = $(TEST_LIBS)
tests_unit_check_core_control_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_control_LDADD = $(TEST_LIBS)
tests_unit_check_core_err_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_err_LDADD = $(TEST_LIBS)
tests_unit_check_core_report_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_LDADD = $(TEST_LIBS)
tests_unit_check_core_report_end_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_end_LDADD = $(TEST_LIBS)
tests_unit_check_core_report_json_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_json_LDADD = $(TEST_LIBS)
tests_unit_check_core_spec_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_LDADD = $(TEST_LIBS)
tests_unit_check_core_spec_check_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_check_LDADD = $(TEST_LIBS)
tests_unit_check_core_spec_dump_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_dump_LDADD = $(TEST_LIBS)
tests_unit_check_core_str_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_str_LDADD = $(TEST_LIBS)
tests_unit_check_core_value_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_value_LDADD = $(TEST_LIBS)
tests_contract_check_contract_bites_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_bites_LDADD = $(TEST_LIBS)
tests_contract_check_contract_fake_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_fake_LDADD = $(TEST_LIBS)
tests_contract_check_contract_ns_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_ns_LDADD = $(TEST_LIBS)

TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests $(CHECK_CFLAGS)
TEST_LIBS = tests/libnstest.a $(nsbox_LDADD) $(CHECK_LIBS)
tests_libnstest_a_CPPFLAGS = $(TEST_CPPFLAGS)
tests_libnstest_a_SOURCES = \
	tests/unit/cli_words.c \
	tests/unit/cli_words.h \
	tests/unit/fake_host.c \
	tests/unit/fake_host.h \
	tests/unit/json_check.c \
	tests/unit/json_check.h \
	tests/unit/unit.c \
	tests/unit/unit.h \
	tests/contract/contract.c \
	tests/contract/contract.h \
	tests/contract/fake.c \
	tests/contract/fake.h \
	tests/contract/fake_subject.c \
	tests/contract/fake_subject.h \
	tests/contract/trial.c \
	tests/contract/trial.h

EXTRA_DIST += tests/run tests/judge.awk tests/rules tests/integration tests/bench/run

# Builds everything and the tests, without running them.
check-programs: all-am $(check_LIBRARIES) $(check_PROGRAMS)

# NSBOX_TESTS picks test files by shell pattern: make check NSBOX_TESTS='*/view*'
check-local: nsbox$(EXEEXT)
	NM='$(NM)' bash $(top_srcdir)/tests/run $(top_srcdir) $(top_builddir)

clean-local:
	rm -rf tests/logs

# Benchmarks are measured by hand, never judged by `make check`.
EXTRA_PROGRAMS += tests/bench/bench tests/bench/floor
CLEANFILES += tests/bench/bench tests/bench/floor tests/bench/floor-static
BENCH_NEEDS = nsbox tests/bench/bench tests/bench/floor
if HAVE_STATIC_LIBC
EXTRA_PROGRAMS += tests/bench/floor-static
BENCH_NEEDS += tests/bench/floor-static
endif
tests_bench_floor_static_SOURCES = tests/bench/floor.c
tests_bench_floor_static_CFLAGS = $(AM_CFLAGS)
tests_bench_floor_static_LDFLAGS = -static

bench: $(BENCH_NEEDS)
	bash $(top_srcdir)/tests/bench/run $(top_srcdir) $(top_builddir)

.PHONY: bench check-programs
