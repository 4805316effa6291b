# The namespace backend: its parent's part and its child code.
src_linux_libnslinux_a_SOURCES += \
	src/ns/backend_ns.c \
	src/ns/backend_ns.h \
	src/ns/bwrap_cleaner.c \
	src/ns/bwrap_cover.c \
	src/ns/bwrap_join.c \
	src/ns/bwrap_made.c \
	src/ns/bwrap_message.c \
	src/ns/bwrap_plan.c \
	src/ns/bwrap_prepare.c \
	src/ns/bwrap_run.c \
	src/ns/bwrap_run.h \
	src/ns/bwrap_status.c \
	src/ns/bwrap_steps.h \
	src/ns/confirm_mounts.c \
	src/ns/confirm_mounts.h \
	src/ns/confirm_ns.c \
	src/ns/cover.c \
	src/ns/cover.h \
	src/ns/mount_table.c \
	src/ns/mount_table.h \
	src/ns/mounts.h \
	src/ns/plan_ns.c \
	src/ns/prepare_ns.c \
	src/ns/run.h
src_linux_libnschild_a_SOURCES += \
	src/ns/bwrap_child.c \
	src/ns/bwrap_files.c \
	src/ns/bwrap_init.c \
	src/ns/bwrap_mounts.c \
	src/ns/dev.c \
	src/ns/files.c \
	src/ns/mounts.c \
	src/ns/net.c \
	src/ns/overlay.c \
	src/ns/place.c \
	src/ns/proc.c \
	src/ns/restrict.c \
	src/ns/root.c \
	src/ns/stack.c \
	src/ns/tree.c \
	src/ns/walk.c
