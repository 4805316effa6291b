dnl Probes for compiler and linker flags. A flag counts as accepted only where it
dnl neither fails nor warns.

dnl NSBOX_CC_FLAG(VARIABLE, FLAG, [IF-REFUSED]): appends FLAG where the compiler takes it.
AC_DEFUN([NSBOX_CC_FLAG], [
	AS_VAR_PUSHDEF([cache], [nsbox_cv_cc_flag_$2])
	AC_CACHE_CHECK([whether $CC accepts $2], [cache], [
		nsbox_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -Werror $2"
		AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int nsbox_probe; ]])],
			[AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
		CFLAGS=$nsbox_saved_CFLAGS
	])
	AS_VAR_IF([cache], [yes], [AS_VAR_APPEND([$1], [" $2"])], [$3])
	AS_VAR_POPDEF([cache])
])

dnl NSBOX_LD_FLAG(VARIABLE, FLAG, [IF-REFUSED]): the same for the linker.
AC_DEFUN([NSBOX_LD_FLAG], [
	AS_VAR_PUSHDEF([cache], [nsbox_cv_ld_flag_$2])
	AC_CACHE_CHECK([whether the linker accepts $2], [cache], [
		nsbox_saved_LDFLAGS=$LDFLAGS
		LDFLAGS="$LDFLAGS $2"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
		LDFLAGS=$nsbox_saved_LDFLAGS
	])
	AS_VAR_IF([cache], [yes], [AS_VAR_APPEND([$1], [" $2"])], [$3])
	AS_VAR_POPDEF([cache])
])

dnl NSBOX_FORTIFY(VARIABLE): the highest level that the C library takes with the
dnl caller's own CFLAGS. Without optimisation the library warns, and there is none.
AC_DEFUN([NSBOX_FORTIFY], [
	AC_CACHE_CHECK([which level of _FORTIFY_SOURCE works], [nsbox_cv_fortify], [
		nsbox_cv_fortify=none
		nsbox_saved_CFLAGS=$CFLAGS
		for nsbox_level in 3 2; do
			CFLAGS="$nsbox_saved_CFLAGS -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$nsbox_level"
			AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
				#include <string.h>
				#ifndef __OPTIMIZE__
				#error not optimising
				#endif
				]], [[char b[4]; memset(b, 0, sizeof b); return b[0];]])],
				[nsbox_cv_fortify=$nsbox_level; break])
		done
		CFLAGS=$nsbox_saved_CFLAGS
	])
	AS_CASE([$nsbox_cv_fortify],
		[none], [],
		[AS_VAR_APPEND([$1],
			[" -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$nsbox_cv_fortify"])])
])

dnl NSBOX_HARDENING(CPPFLAGS, CFLAGS, LDFLAGS)
AC_DEFUN([NSBOX_HARDENING], [
	NSBOX_FORTIFY([$1])
	NSBOX_CC_FLAG([$2], [-fstack-protector-strong])
	NSBOX_CC_FLAG([$2], [-fcf-protection])
	NSBOX_CC_FLAG([$2], [-fPIE])
	NSBOX_LD_FLAG([NSBOX_PIE], [-pie])
	NSBOX_LD_FLAG([$3], [-Wl,-z,relro])
	NSBOX_LD_FLAG([$3], [-Wl,-z,now])
])

dnl NSBOX_WINDOWS(CPPFLAGS, CFLAGS): Windows 10 1809 is the oldest that is meant. The printf functions
dnl are mingw-w64's own, which know C99's formats; gcc checks them as if they were Microsoft's, so
dnl formats are checked where the same files are compiled for Linux.
AC_DEFUN([NSBOX_WINDOWS], [
	AS_VAR_APPEND([$1], [" -D_WIN32_WINNT=0x0A00 -DNTDDI_VERSION=0x0A000006 -DUNICODE -D_UNICODE"])
	AS_VAR_APPEND([$1], [" -D__USE_MINGW_ANSI_STDIO=1"])
	AS_VAR_APPEND([$2], [" -Wno-format"])
])

dnl NSBOX_SANITIZERS(CFLAGS, LDFLAGS): asked for by name, so without them there is no build.
AC_DEFUN([NSBOX_SANITIZERS], [
	NSBOX_LD_FLAG([$2], [-fsanitize=address,undefined],
		[AC_MSG_ERROR([--enable-sanitizers: the compiler or its runtime is missing])])
	AS_VAR_APPEND([$1],
		[" -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"])
])

dnl NSBOX_STATIC_LIBC: whether a static program can be linked.
AC_DEFUN([NSBOX_STATIC_LIBC], [
	AC_CACHE_CHECK([for a static C library], [nsbox_cv_static_libc], [
		nsbox_saved_LDFLAGS=$LDFLAGS
		LDFLAGS="$LDFLAGS -static"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[nsbox_cv_static_libc=yes], [nsbox_cv_static_libc=no])
		LDFLAGS=$nsbox_saved_LDFLAGS
	])
	AM_CONDITIONAL([HAVE_STATIC_LIBC], [test "$nsbox_cv_static_libc" = yes])
])
