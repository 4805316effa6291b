# Every system call that the set-up makes fails, one at a time. Then either the sandbox is whole all the
# same, or the command does not run, the message names what failed, and nothing is left behind.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

fault=$NSBOX_BUILDDIR/tests/integration/helpers/fault
[ -x "$fault" ] || skip_all "tests/integration/helpers/fault was not built"
"$fault" list -- "$NSBOX" --version >/dev/null 2>&1 ||
	skip_all "a filter that hands on system calls cannot be installed here"

mkdir "$T/rw" "$T/ro" "$T/tmp" "$T/disk" "$T/reports"
echo content >"$T/ro/file"
export TMPDIR=$T/tmp

# What the command says of its sandbox: whatever does not depend on the time.
# shellcheck disable=SC2016 # meant for the shell inside
inside='echo ran >/rw/ran
cut -d" " -f5- /proc/self/mountinfo | sed "s/ master:[0-9]*//; s/nsbox-[0-9a-f]*/nsbox-ID/; s/,nr_inodes=[0-9]*//" | sort
grep -E "^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp|SigBlk|SigIgn|Umask)" /proc/self/status
env | sort; id; pwd; uname -n; ls -A / /work /tmp /dev /dev/shm /d; cat /f; readlink /s
readlink /proc/1/exe; cat /proc/1/environ 2>/dev/null | wc -c
ls /proc >/tmp/list; grep -c "^[0-9]" /tmp/list; rm /tmp/list; wc -l </proc/net/dev
for fd in /proc/self/fd/*; do echo "${fd##*/}"; done
cat /proc/self/limits'

words=("$NSBOX" --backend namespaces --quiet --ro /usr --tmpfs /t --dir /d --symlink /target /s --file "$T/ro/file" /f --bind "$T/rw" /rw
	--ro-bind "$T/ro" /ro --mask /ro/file --env FAULT=1 --rlimit nofile=50 --rlimit core=0
	--wall 60 --cpu 60 --mem 1G --pids 50 --out-max 1M)
command=(--report "$T/report" -- sh -c "$inside")

# The names of calls, for messages.
declare -A call_names
while read -r name number; do
	call_names[$number]=$name
done < <(echo '#include <sys/syscall.h>' | cc -E -dM - 2>/dev/null |
	sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\1 \2/p')

# run_fault WORD ...: what `fault` takes. Sets status, out, err, report.
run_fault() {
	rm -f "$T/report" "$T/rw/ran"
	"$fault" "$@" -- "${words[@]}" "${options[@]}" "${command[@]}" >"$T/out" 2>"$T/err"
	status=$?
	out=$(<"$T/out") err=$(<"$T/err") report=''
	[ ! -f "$T/report" ] || report=$(<"$T/report")
} 2>/dev/null

judge_run() {
	[[ $report == *'"confinement_applied":true'* && $report == *'"limits_applied":true'* ]] ||
		what+='; it ran, and not all was applied'
	[[ $report == *'"reason":"exited"'* ]] || what+='; it is not reported as exited'
	[ "$out" = "$usual" ] ||
		what+="; the sandbox was another: $(diff <(echo "$usual") <(echo "$out") | grep '^[<>]' | head -5 | tr '\n' ' ')"
	[ -z "$err" ] || what+='; it worked and said something'
}

# judge_refusal ERRNO: the message names it, or the layers that do not hold in its consequence.
judge_refusal() {
	[ ! -e "$T/rw/ran" ] || what+='; the command ran'
	[[ $err == nsbox:*"$1"* || $err == "nsbox: required and not in force: "* ]] ||
		what+="; the message does not name $1"
	[ "$(grep -vc '^nsbox: cannot write the report' <<<"$err")" -le 1 ] || what+='; the message is not one line'
	if [ -n "$report" ]; then
		[[ $report == *'"reason":"setup-failed"'* || $report == *'"reason":"refused"'* ]] ||
			what+='; it is reported as something else'
		[[ $report == *'"stage":"'* ]] || what+='; no stage is named'
	elif [[ $err != *report* ]]; then
		what+='; there is no report'
	fi
}

# judge ERRNO: sets `what` to why what nsbox did is wrong, empty where it is right.
judge() {
	what=''
	case $status in
	0) judge_run ;;
	125) judge_refusal "$1" ;;
	95) what='; processes were left behind' ;;
	97) what='; it does not end' ;;
	*) what="; it ends with $status" ;;
	esac
	# A lock file of the parent may stay.
	[ -z "$(find "$T/tmp" "$T/disk" -mindepth 1 ! -type f)" ] || what+='; folders were left behind'
	[ -z "$(find "$T/tmp" "$T/disk" -type f -size +0)" ] || what+='; files were left behind'
	rm -rf "${T:?}"/tmp/* "${T:?}"/disk/*
	what=${what#; }
}

# errors_of NAME: which errors this call is made to fail with.
errors_of() {
	case $1 in
	openat|openat2|open_tree|fsopen|fsmount|pipe2|socket|socketpair|signalfd4|clone3|fcntl|dup*)
		echo EPERM ENOMEM EMFILE ;;
	mkdirat|symlinkat|mount|move_mount|fsconfig|write|renameat*|ftruncate)
		echo EPERM ENOMEM ENOSPC ;;
	*)
		echo EPERM ENOMEM ;;
	esac
}

# occurrences COUNT: the first, the last, and all where there are few.
occurrences() {
	case $1 in
	[1-4]) seq "$1" ;;
	*) echo 1 2 $(($1 / 2)) $(($1 - 1)) "$1" ;;
	esac
}

# fail_call CASE CALL COUNT: one call, in all the ways.
fail_call() {
	local name=${call_names[$2]:-$2} bad='' error nth
	for error in $(errors_of "$name"); do
		for nth in $(occurrences "$3"); do
			run_fault "$2" "$nth" "$error"
			# Two processes may share the calls of this name otherwise than when they were counted.
			[ "$status" != 96 ] || continue
			judge "$error"
			[ -z "$report" ] || printf '%s\n' "$report" >>"$T/reports/$1"
			[ -z "$what" ] || bad+="call $nth of $3, $error: $what (stderr: ${err:-nothing})"$'\n'
			faults=$((faults + 1))
		done
	done
	if [ -z "$bad" ]; then
		pass "$1: $name"
	else
		not_ok "$1: $name" "$bad"
	fi
}

# each_fault CASE OPTION ...: all calls that a run with these options makes, and that were not in a case
# before as often.
declare -A seen
each_fault() {
	local case=$1 calls call count
	options=("${@:2}") faults=0
	run_fault list
	is "$status $err" '0 ' "$case: a run in which nothing fails"
	[ "$status" = 0 ] || return
	mapfile -t calls < <(grep '^call ' "$T/out")
	run_fault 0 1000000 EPERM
	usual=$out
	for call in "${calls[@]}"; do
		read -r _ call count <<<"$call"
		[ "${seen[$call]:-0}" = "$count" ] || fail_call "$case" "$call" "$count"
		seen[$call]=$count
	done
	ok "$case: there were faults" [ "$faults" -gt 20 ]
	is "$(jq -c 'select(.version != 1 or .end.reason == null)' "$T/reports/$case" 2>&1)" '' \
	    "$case: every report is valid"
}

each_fault "in memory" --scratch-size 4M --scratch-inodes 500
each_fault "on disk" --scratch-dir "$T/disk"

done_testing
