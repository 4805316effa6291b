# What every backend on Linux shares, in two libraries: the parent's part, and
# the code that runs between clone and exec (tests/rules/child-symbols.sh looks
# at what the second refers to).
if SYSTEM_LINUX
noinst_LIBRARIES += src/linux/libnslinux.a src/linux/libnschild.a
endif
src_linux_libnslinux_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBCAP_CFLAGS) $(LIBSECCOMP_CFLAGS)
src_linux_libnslinux_a_SOURCES = \
	src/linux/backends.h \
	src/linux/caps.c \
	src/linux/caps.h \
	src/linux/cgroup.c \
	src/linux/cgroup.h \
	src/linux/cgroup_find.c \
	src/linux/cgroup_find.h \
	src/linux/cgroup_read.c \
	src/linux/cgroup_sweep.c \
	src/linux/cgroup_sweep.h \
	src/linux/cgroup_text.c \
	src/linux/cgroup_text.h \
	src/linux/child.h \
	src/linux/command.c \
	src/linux/command.h \
	src/linux/confirm.c \
	src/linux/confirm.h \
	src/linux/course.c \
	src/linux/course.h \
	src/linux/course_prepare.c \
	src/linux/cpu_table.c \
	src/linux/cpu_table.h \
	src/linux/disk_lock.c \
	src/linux/disk_lock.h \
	src/linux/disk_scratch.c \
	src/linux/disk_scratch.h \
	src/linux/environment.c \
	src/linux/environment.h \
	src/linux/environment_replay.c \
	src/linux/failure.c \
	src/linux/failure.h \
	src/linux/family.c \
	src/linux/family.h \
	src/linux/folder.c \
	src/linux/folder.h \
	src/linux/gate.c \
	src/linux/gate.h \
	src/linux/guard.c \
	src/linux/guard.h \
	src/linux/host.c \
	src/linux/input.c \
	src/linux/input.h \
	src/linux/interpreter.c \
	src/linux/interpreter.h \
	src/linux/landlock_abi.h \
	src/linux/landlock_ask.c \
	src/linux/landlock_calls.h \
	src/linux/limiter.c \
	src/linux/limiter.h \
	src/linux/mountline.h \
	src/linux/process.c \
	src/linux/process.h \
	src/linux/procfs.c \
	src/linux/procfs.h \
	src/linux/reexec.c \
	src/linux/reexec.h \
	src/linux/refusal.c \
	src/linux/relay.c \
	src/linux/relay.h \
	src/linux/remove.c \
	src/linux/resolve.c \
	src/linux/resolve.h \
	src/linux/rlimits.c \
	src/linux/rlimits.h \
	src/linux/runtime.c \
	src/linux/runtime.h \
	src/linux/sample.c \
	src/linux/sample.h \
	src/linux/scratch_use.c \
	src/linux/scratch_use.h \
	src/linux/sink.c \
	src/linux/sink.h \
	src/linux/step.h \
	src/linux/steps.c \
	src/linux/steps.h \
	src/linux/supervise.c \
	src/linux/supervise.h \
	src/linux/sys.h \
	src/linux/sysfilter.c \
	src/linux/sysfilter.h \
	src/linux/terminal.c \
	src/linux/terminal.h \
	src/linux/view.c \
	src/linux/view.h \
	src/linux/view_items.c
src_linux_libnschild_a_SOURCES = \
	src/linux/child.c \
	src/linux/fds.c \
	src/linux/init.c \
	src/linux/landlock_abi.c \
	src/linux/mountline.c \
	src/linux/reach.c \
	src/linux/rlimits_child.c \
	src/linux/start.c
