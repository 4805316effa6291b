# The command lines: portable, on top of the core.
noinst_LIBRARIES += src/cli/libnscli.a
src_cli_libnscli_a_SOURCES = \
	src/cli/apply.h \
	src/cli/apply_env.c \
	src/cli/apply_limit.c \
	src/cli/apply_policy.c \
	src/cli/apply_view.c \
	src/cli/args_text.c \
	src/cli/args_text.h \
	src/cli/check.c \
	src/cli/check.h \
	src/cli/bwrap.c \
	src/cli/bwrap.h \
	src/cli/bwrap_apply.h \
	src/cli/bwrap_check.c \
	src/cli/bwrap_help.c \
	src/cli/bwrap_process.c \
	src/cli/bwrap_session.c \
	src/cli/bwrap_session.h \
	src/cli/bwrap_view.c \
	src/cli/help.c \
	src/cli/help.h \
	src/cli/native.c \
	src/cli/native.h \
	src/cli/opt.c \
	src/cli/opt.h
