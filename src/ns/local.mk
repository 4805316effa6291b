# The namespace backend: its parent's part and its child code.
src_linux_libnslinux_a_SOURCES += \
	src/ns/backend_ns.c \
	src/ns/backend_ns.h \
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
