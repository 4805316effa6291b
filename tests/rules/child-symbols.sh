#!/bin/bash
# What runs between clone and exec refers to system calls and pure functions only: the
# other threads' locks and the heap are in an unknown state there.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

nm=${NM:-nm}
cc=${CC:-cc}

# Wrappers that do nothing but the call, and functions that touch only their arguments.
allowed='
syscall __errno_location _exit clone
read write close dup dup2 dup3 fcntl fcntl64 pipe2 lseek lseek64 ioctl
open open64 openat openat64 fstat fstatat fstat64 fstatat64 stat lstat
mkdir mkdirat mknod mknodat symlink symlinkat unlink unlinkat readlink readlinkat
chmod fchmod fchmodat chown fchown fchownat umask ftruncate access faccessat
chdir fchdir chroot mount umount umount2
getpid getppid gettid getuid geteuid getgid getegid
setresuid setresgid setgroups setsid setpgid getsid getpgid prctl
kill wait4 waitid waitpid getrusage sigaction sigemptyset sigfillset sigaddset sigdelset
sigprocmask sigtimedwait sigwaitinfo sigsuspend
getrlimit getrlimit64 setrlimit setrlimit64 prlimit prlimit64
link truncate getpriority setpriority socketpair connect shmget shmctl
socket send recv sendmsg recvmsg sendto recvfrom setsockopt bind poll ppoll
sethostname setdomainname unshare setns tcsetpgrp tcgetpgrp execve execveat
sendfile sendfile64 fstatfs fstatfs64 statfs fsync fchdir getdents64 nanosleep sched_yield
memcpy memmove memset memcmp memchr memrchr strlen strnlen strcmp strncmp strchr strrchr strspn strcspn
explicit_bzero stpcpy stpncpy
'
# What the compiler adds by itself: checked copies, stack protector, sanitizers.
added='^(__(mem|explicit_)[a-z]*_chk|__(read|readlink|readlinkat|poll|recv|stpcpy|stpncpy)_chk|__stack_chk_fail|__chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan|sanitizer|lsan)_.*|__start_asan_globals|__stop_asan_globals|_ITM_.*|__gmon_start__)$'

# child_offences ARCHIVE
child_offences() {
	local undefined
	undefined=$("$nm" -u "$1" 2>&1 | awk 'NF == 2 && ($1 == "U" || $1 == "w" || $1 == "v") { print $2 }' |
	    sed 's/@.*//' | sort -u)
	"$nm" --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$bad/defined"
	[ -s "$bad/defined" ] || echo "$1: defines nothing"
	tr -s ' \n' '\n' <<<"$allowed" | sed '/^$/d' | sort -u - "$bad/defined" >"$bad/fine"
	comm -23 <(printf '%s\n' "$undefined" | sed '/^$/d') "$bad/fine" |
	    grep -vE "$added" | sed "s|^|${1##*/}: refers to |"
	return 0
}

none "child code refers to nothing but system calls" \
    child_offences "$NSBOX_BUILDDIR/src/linux/libnschild.a"

if command -v "$cc" >/dev/null; then
	cat >"$bad/a.c" <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	int outside(void);
	int here(void) { return 1; }
	void *f(void);
	void *f(void) { printf("%d", outside() + here()); close(3); return malloc(3); }
	END
	"$cc" -c -O0 -o "$bad/a.o" "$bad/a.c" && ar cr "$bad/a.a" "$bad/a.o"
	caught "malloc is caught" 'refers to malloc' child_offences "$bad/a.a"
	caught "stdio is caught" 'refers to printf' child_offences "$bad/a.a"
	caught "a function of another library is caught" 'refers to outside' child_offences "$bad/a.a"
	is "$(child_offences "$bad/a.a" | grep -cE "(here|close)\$")" "what is allowed is not caught"
fi
caught "an empty library is caught" 'defines nothing' child_offences /dev/null
plan
