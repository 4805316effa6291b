# Tests. tests/run runs them all and sums up; HACKING.md says how to add one.
if HAVE_CHECK
check_LIBRARIES += tests/libnstest.a tests/libnshost.a
check_PROGRAMS += \
	tests/unit/check_cli_args_text \
	tests/unit/check_cli_check \
	tests/unit/check_cli_bwrap \
	tests/unit/check_cli_help \
	tests/unit/check_cli_linear \
	tests/unit/check_cli_opt \
	tests/unit/check_cli_round_trip \
	tests/unit/check_cli_setters \
	tests/unit/check_cli_view \
	tests/unit/check_core_backend \
	tests/unit/check_core_backend_best \
	tests/unit/check_core_backend_pick \
	tests/unit/check_core_control \
	tests/unit/check_core_err \
	tests/unit/check_core_meta \
	tests/unit/check_core_report \
	tests/unit/check_core_report_end \
	tests/unit/check_core_report_json \
	tests/unit/check_core_spec \
	tests/unit/check_core_spec_check \
	tests/unit/check_core_spec_dump \
	tests/unit/check_core_value \
	$(WIN_CHECKS) \
	tests/contract/check_contract_bites \
	tests/contract/check_contract_fake
if SYSTEM_LINUX
check_PROGRAMS += \
	tests/unit/check_core_str \
	tests/unit/check_landlock_express \
	tests/unit/check_landlock_filters \
	tests/unit/check_linux_caps \
	tests/unit/check_linux_cgroup \
	tests/unit/check_linux_command \
	tests/unit/check_linux_disk_lock \
	tests/unit/check_linux_disk_scratch \
	tests/unit/check_linux_environment \
	tests/unit/check_linux_failure \
	tests/unit/check_linux_family \
	tests/unit/check_linux_guard \
	tests/unit/check_linux_input \
	tests/unit/check_linux_interpreter \
	tests/unit/check_linux_limiter \
	tests/unit/check_linux_procfs \
	tests/unit/check_linux_relay \
	tests/unit/check_linux_remove \
	tests/unit/check_linux_resolve \
	tests/unit/check_linux_runtime \
	tests/unit/check_linux_sample \
	tests/unit/check_linux_sink \
	tests/contract/check_contract_landlock \
	tests/contract/check_contract_ns
endif
if SYSTEM_WINDOWS
check_PROGRAMS += tests/win/child tests/win/real
endif
endif
tests_unit_check_cli_args_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_args_text_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_check_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_check_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_bwrap_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_bwrap_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_help_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_help_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_linear_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_linear_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_opt_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_opt_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_round_trip_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_round_trip_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_setters_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_setters_LDADD = $(UNIT_LIBS)
tests_unit_check_cli_view_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_cli_view_LDADD = $(UNIT_LIBS)
tests_unit_check_core_backend_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_backend_LDADD = $(UNIT_LIBS)
tests_unit_check_core_backend_best_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_backend_best_LDADD = $(UNIT_LIBS)
tests_unit_check_core_backend_pick_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_backend_pick_LDADD = $(UNIT_LIBS)
tests_unit_check_core_control_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_control_LDADD = $(UNIT_LIBS)
tests_unit_check_core_err_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_err_LDADD = $(UNIT_LIBS)
tests_unit_check_core_meta_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_meta_LDADD = $(UNIT_LIBS)
tests_unit_check_core_report_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_LDADD = $(UNIT_LIBS)
tests_unit_check_core_report_end_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_end_LDADD = $(UNIT_LIBS)
tests_unit_check_core_report_json_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_report_json_LDADD = $(UNIT_LIBS)
tests_unit_check_core_spec_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_LDADD = $(UNIT_LIBS)
tests_unit_check_core_spec_check_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_check_LDADD = $(UNIT_LIBS)
tests_unit_check_core_spec_dump_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_spec_dump_LDADD = $(UNIT_LIBS)
tests_unit_check_core_str_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_str_LDADD = $(UNIT_LIBS)
tests_unit_check_core_value_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_core_value_LDADD = $(UNIT_LIBS)
tests_unit_check_landlock_express_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_landlock_express_LDADD = $(UNIT_LIBS)
tests_unit_check_landlock_filters_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_landlock_filters_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_caps_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_caps_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_cgroup_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_cgroup_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_command_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_command_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_disk_lock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_disk_lock_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_disk_scratch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_disk_scratch_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_environment_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_environment_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_failure_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_failure_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_family_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_family_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_guard_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_guard_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_input_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_input_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_interpreter_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_interpreter_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_limiter_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_limiter_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_procfs_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_procfs_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_relay_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_relay_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_remove_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_remove_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_resolve_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_resolve_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_runtime_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_runtime_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_sample_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_sample_LDADD = $(UNIT_LIBS)
tests_unit_check_linux_sink_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_linux_sink_LDADD = $(UNIT_LIBS)
tests_unit_check_win_faults_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_win_faults_LDADD = $(WIN_LIBS)
tests_unit_check_win_host_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_win_host_LDADD = $(WIN_LIBS)
tests_unit_check_win_path_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_win_path_LDADD = $(WIN_LIBS)
tests_unit_check_win_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_win_text_LDADD = $(WIN_LIBS)
tests_contract_check_contract_win_CPPFLAGS = $(TEST_CPPFLAGS)
if SYSTEM_WINDOWS
tests_contract_check_contract_win_SOURCES = \
	tests/contract/check_contract_win.c \
	tests/win/contract_windows.c
tests_contract_check_contract_win_LDADD = $(CONTRACT_LIBS)
else
tests_contract_check_contract_win_SOURCES = tests/contract/check_contract_win.c
tests_contract_check_contract_win_LDADD = $(WIN_LIBS)
endif
tests_win_child_LDFLAGS = -static -municode
tests_win_child_LDADD = -lws2_32
tests_win_real_SOURCES = \
	tests/win/real.c \
	tests/win/real.h \
	tests/win/real_files.c \
	tests/win/real_jobs.c \
	tests/win/real_profile.c \
	tests/win/real_rest.c
tests_win_real_CPPFLAGS = $(TEST_CPPFLAGS)
tests_win_real_LDFLAGS = -static
tests_win_real_LDADD = $(nsbox_LDADD)
tests_unit_check_win_run_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_check_win_run_LDADD = $(WIN_LIBS)
tests_contract_check_contract_bites_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_bites_LDADD = $(CONTRACT_LIBS)
tests_contract_check_contract_fake_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_fake_LDADD = $(CONTRACT_LIBS)
tests_contract_check_contract_landlock_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_landlock_LDADD = $(CONTRACT_LIBS)
tests_contract_check_contract_ns_CPPFLAGS = $(TEST_CPPFLAGS)
tests_contract_check_contract_ns_LDADD = $(CONTRACT_LIBS)

# Makes system calls fail, for the tests of fallbacks.
if SYSTEM_LINUX
check_PROGRAMS += tests/integration/helpers/deny tests/integration/helpers/fault \
	tests/integration/helpers/hostile

tests_integration_helpers_hostile_SOURCES = \
	tests/integration/helpers/hostile.c \
	tests/integration/helpers/hostile.h \
	tests/integration/helpers/hostile_files.c \
	tests/integration/helpers/hostile_network.c \
	tests/integration/helpers/hostile_process.c

# The program itself, but for what it takes the kernel's Landlock to be.
check_PROGRAMS += tests/integration/helpers/nsbox-capped tests/integration/helpers/abi
tests_integration_helpers_abi_SOURCES = tests/integration/helpers/abi.c src/linux/landlock_ask.c
tests_integration_helpers_nsbox_capped_SOURCES = src/main.c tests/integration/helpers/abi_capped.c
tests_integration_helpers_nsbox_capped_LDFLAGS = $(nsbox_LDFLAGS)
tests_integration_helpers_nsbox_capped_LDADD = $(nsbox_LDADD)
endif

# Units may have a host that is made up; the contract is tested on the real one.
if SYSTEM_WINDOWS
CHECK_PLACE = -I$(top_srcdir)/tests/win/check
endif
TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests $(CHECK_PLACE) $(CHECK_CFLAGS)
UNIT_LIBS = tests/libnstest.a tests/libnshost.a $(nsbox_LDADD) $(CHECK_LIBS)
CONTRACT_LIBS = tests/libnstest.a $(nsbox_LDADD) $(CHECK_LIBS)
# The Windows backend on a machine in memory, on whatever system this is.
check_LIBRARIES += tests/libnswinfake.a
WIN_CHECKS = \
	tests/contract/check_contract_win \
	tests/unit/check_win_faults \
	tests/unit/check_win_host \
	tests/unit/check_win_path \
	tests/unit/check_win_run \
	tests/unit/check_win_text
WIN_LIBS = tests/libnswinfake.a tests/libnstest.a src/win/libnswin.a tests/libnswinfake.a \
	src/core/libnscore.a $(CHECK_LIBS)
tests_libnswinfake_a_CPPFLAGS = $(TEST_CPPFLAGS)
tests_libnswinfake_a_SOURCES = \
	tests/win/contract_fake.c \
	tests/win/contract_system.h \
	tests/win/fake_files.c \
	tests/win/fake_processes.c \
	tests/win/fake_system.c \
	tests/win/fake_win.h \
	tests/win/win_trial.c \
	tests/win/win_trial.h
tests_libnshost_a_CPPFLAGS = $(TEST_CPPFLAGS)
tests_libnshost_a_SOURCES = tests/unit/fake_host.c
tests_libnstest_a_CPPFLAGS = $(TEST_CPPFLAGS)
tests_libnstest_a_SOURCES = \
	tests/unit/cli_words.c \
	tests/unit/cli_words.h \
	tests/unit/fake_host.h \
	tests/unit/json_check.c \
	tests/unit/json_check.h \
	tests/unit/unit.h \
	tests/contract/contract.c \
	tests/contract/contract.h \
	tests/contract/fake.c \
	tests/contract/fake.h \
	tests/contract/fake_subject.c \
	tests/contract/fake_subject.h \
	tests/contract/trial.c \
	tests/contract/trial.h
if SYSTEM_LINUX
tests_libnstest_a_SOURCES += \
	tests/unit/bpf.c \
	tests/unit/bpf.h \
	tests/unit/files.c \
	tests/unit/files.h \
	tests/unit/made_up_proc.c \
	tests/unit/made_up_proc.h \
	tests/unit/scratches.c \
	tests/unit/scratches.h \
	tests/unit/unit.c \
	tests/contract/real_subject.c \
	tests/contract/real_subject.h
else
tests_libnstest_a_SOURCES += tests/win/unit_win.c
endif
EXTRA_DIST += tests/win

EXTRA_DIST += tests/run tests/judge.awk tests/rules tests/integration tests/bench/run

# Builds everything and the tests, without running them.
check-programs: all-am $(check_LIBRARIES) $(check_PROGRAMS)

# NSBOX_TESTS picks test files by shell pattern: make check NSBOX_TESTS='*/view*'
check-local: nsbox$(EXEEXT)
if SYSTEM_WINDOWS
	bash $(top_srcdir)/tests/win/run $(top_srcdir) $(top_builddir)
else
	NM='$(NM)' bash $(top_srcdir)/tests/run $(top_srcdir) $(top_builddir)
endif

clean-local:
	rm -rf tests/logs

# The program for other kernels: their root holds no libraries.
CLEANFILES += tests/vm/nsbox-static
tests/vm/nsbox-static: $(nsbox_OBJECTS) $(nsbox_DEPENDENCIES)
	$(AM_V_CCLD)$(MKDIR_P) tests/vm && $(CC) $(CFLAGS) -static -o $@ $(nsbox_OBJECTS) \
	    src/cli/libnscli.a $(SYSTEM_ARCHIVES) src/core/libnscore.a -lcap

EXTRA_DIST += tests/vm

# The tests that need other kernels, by themselves.
check-vm: nsbox$(EXEEXT)
	NSBOX_TESTS='tests/vm/*' NM='$(NM)' bash $(top_srcdir)/tests/run $(top_srcdir) $(top_builddir)

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

.PHONY: bench check-programs check-vm
