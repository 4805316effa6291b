# The Landlock backend: its parent's part and its child code.
src_linux_libnslinux_a_SOURCES += \
	src/linux/landlock_abi.h \
	src/linux/landlock_ask.c \
	src/landlock/backend_landlock.c \
	src/landlock/backend_landlock.h \
	src/linux/landlock_calls.h \
	src/landlock/canaries.c \
	src/landlock/confirm_landlock.c \
	src/landlock/express.c \
	src/landlock/express.h \
	src/landlock/filters.c \
	src/landlock/filters.h \
	src/landlock/not_covered.c \
	src/landlock/plan_landlock.c \
	src/landlock/prepare_landlock.c \
	src/landlock/probes.h \
	src/landlock/rules.c \
	src/landlock/run.h \
	src/landlock/steps.h
src_linux_libnschild_a_SOURCES += \
	src/landlock/probes.c \
	src/landlock/steps.c
