# The Windows backend, in two libraries: all that decides, which is compiled and tested
# everywhere, and what calls Windows.
if SYSTEM_WINDOWS
noinst_LIBRARIES += src/win/libnswin.a src/win/libnswapi.a
else
check_LIBRARIES += src/win/libnswin.a
endif
src_win_libnswin_a_SOURCES = \
	src/win/acl.c \
	src/win/acl.h \
	src/win/args.c \
	src/win/args.h \
	src/win/backends.h \
	src/win/backend_win.c \
	src/win/backend_win.h \
	src/win/command.c \
	src/win/confirm.c \
	src/win/env.c \
	src/win/env.h \
	src/win/fail.c \
	src/win/fail.h \
	src/win/host.c \
	src/win/job.c \
	src/win/journal.c \
	src/win/journal.h \
	src/win/leftover.c \
	src/win/leftover.h \
	src/win/path.c \
	src/win/path.h \
	src/win/places.c \
	src/win/profile.c \
	src/win/refuse.c \
	src/win/relay.c \
	src/win/relay.h \
	src/win/run.h \
	src/win/scratch.c \
	src/win/sid.c \
	src/win/sid.h \
	src/win/sink.c \
	src/win/sink.h \
	src/win/spawn.c \
	src/win/streams.c \
	src/win/wait.c \
	src/win/wapi.h
# The table of backends, the only file that knows them all.
src_win_libnswin_a_SOURCES += src/backends_win.c
src_win_libnswapi_a_SOURCES = \
	src/win/wapi_acl.c \
	src/win/wapi_file.c \
	src/win/wapi_job.c \
	src/win/wapi_process.c \
	src/win/wapi_profile.c \
	src/win/wapi_real.h \
	src/win/wapi_stream.c \
	src/win/wapi_system.c \
	src/win/wapi_table.c \
	src/win/wapi_text.c \
	src/win/wapi_token.c \
	src/win/wapi_tree.c
if SYSTEM_WINDOWS
nsbox_SOURCES += src/win/start.c
endif
EXTRA_DIST += src/win/start.c
