# The portable core: standard C only.
noinst_LIBRARIES += src/core/libnscore.a
src_core_libnscore_a_SOURCES = \
	src/core/backend.c \
	src/core/backend.h \
	src/core/backend_pick.c \
	src/core/control.c \
	src/core/control.h \
	src/core/defaults.c \
	src/core/defaults.h \
	src/core/err.c \
	src/core/err.h \
	src/core/host.h \
	src/core/meta.c \
	src/core/meta.h \
	src/core/report.c \
	src/core/report.h \
	src/core/report_json.c \
	src/core/spec.c \
	src/core/spec.h \
	src/core/spec_bwrap.c \
	src/core/spec_bwrap.h \
	src/core/spec_check.c \
	src/core/spec_dump.c \
	src/core/str.c \
	src/core/str.h \
	src/core/value.c \
	src/core/value.h \
	src/core/control.def

# The names of errno values, from the compiler's own <errno.h>.
EXTRA_DIST += src/core/errname.awk
CLEANFILES += src/core/errname.inc
src/core/errname.inc: $(top_srcdir)/src/core/errname.awk
	@$(MKDIR_P) src/core
	$(AM_V_GEN)echo '#include <errno.h>' | $(CC) $(CPPFLAGS) -E -dM - | LC_ALL=C sort \
	    | $(AWK) -f $(top_srcdir)/src/core/errname.awk >$@.tmp && mv $@.tmp $@
src/core/err.$(OBJEXT): src/core/errname.inc
