# --rlimit: each name, read back inside; and bad values of all limits, which are refused before anything ran.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr "$@"
}

# limit_of TITLE: "SOFT HARD" as the command sees it.
limit_of() {
	sed -n "s/^$1  *\([^ ]*\)  *\([^ ]*\) .*/\1 \2/p" <<<"$OUT"
}

# own_hard TITLE
own_hard() {
	sed -n "s/^$1  *[^ ]*  *\([^ ]*\) .*/\1/p" /proc/self/limits
}

# Each name, with a value that is below anybody's own.
while read -r name value title; do
	hard=$(own_hard "$title")
	[ "$hard" = unlimited ] || [ "$hard" -ge "$value" ] || value=$hard
	N --rlimit "$name=$value" -- cat /proc/self/limits
	is "$STATUS $(limit_of "$title")" "0 $value $value" "--rlimit $name=$value"
	report_is '.limits | length == 1 and (.[0] | .name == "rlimit" and .by == "rlimit" and .state == "applied" and .asked == null
	    and (.hit | not) and .evidence != null)' "and $name is in the report"
done <<'END'
as 8000000000 Max address space
core 4096 Max core file size
cpu 100 Max cpu time
data 8000000000 Max data size
fsize 5000000 Max file size
locks 20 Max file locks
memlock 40960 Max locked memory
msgqueue 40960 Max msgqueue size
nice 0 Max nice priority
nofile 30 Max open files
nproc 400 Max processes
rss 50000000 Max resident set
rtprio 0 Max realtime priority
rttime 1000000 Max realtime timeout
sigpending 50 Max pending signals
stack 4194304 Max stack size
END

N --rlimit nofile=20:30 -- cat /proc/self/limits
is "$(limit_of 'Max open files')" '20 30' "soft and hard"
N --rlimit nofile=20:30 --rlimit core=0 --rlimit fsize=1M:2M --rlimit stack=4M -- cat /proc/self/limits
is "$(limit_of 'Max open files'), $(limit_of 'Max core file size'), $(limit_of 'Max file size'), $(limit_of 'Max stack size')" \
    '20 30, 0 0, 1048576 2097152, 4194304 4194304' "several, and units"
report_is '.limits_applied and (.limits | length) == 1 and .confinement_applied' "all of them are confirmed"
if [ "$(own_hard 'Max file size')" = unlimited ]; then
	N --rlimit fsize=1M:unlimited -- cat /proc/self/limits
	is "$(limit_of 'Max file size')" '1048576 unlimited' "unlimited is a value"
	N --rlimit fsize=unlimited -- cat /proc/self/limits
	is "$(limit_of 'Max file size')" 'unlimited unlimited' "for both"
else
	not_for "unlimited is a value" "the caller's own limits are lower"
fi

# They hold.
N --rlimit nofile=10 -- sh -c 'ulimit -n 100 2>/dev/null || echo refused; ulimit -n'
is "$(xargs <<<"$OUT")" 'refused 10' "a hard limit cannot be raised inside"
N --rlimit nofile=10:20 -- sh -c 'ulimit -n 15 && ulimit -n'
is "$OUT" 15 "a soft one can, below it"
N --rlimit fsize=1M -- sh -c 'head -c 2M /dev/zero >f; stat -c %s f'
is "$(tail -1 <<<"$OUT")" 1048576 "a file ends at fsize"
N --rlimit cpu=1 --wall 9 -- sh -c 'while :; do :; done'
report_is '.end.reason == "signaled" and (.limits | map(select(.name == "wall")) | .[0].hit | not)' "cpu is the kernel's, for one process, and no limit of nsbox's"
like "$STATUS" '^(152|137)$' "it ends by its signal"

# However small, it is the command that they meet, and nothing that builds the sandbox.
for small in nofile=3 fsize=0 nproc=1 core=0 memlock=0 sigpending=0 msgqueue=0 locks=0 nofile=3:3; do
	N --ro / --tmpfs /t --dir /d --file "$NSBOX_SRCDIR/tests/integration/lib.sh" /f --rlimit "$small" -- true
	report_is '.end.reason == "exited" or .end.reason == "signaled" or .end.reason == "exec-failed"' "--rlimit $small does not keep the sandbox from being built"
done
for small in as=1000 data=0 stack=0 nofile=0; do
	N --rlimit "$small" -- true
	isnt "$STATUS" '' "--rlimit $small ends"
	report_is '.end.reason != null and .teardown.confirmed' "and is reported"
done
# What nsbox does for the run is not bounded by it.
N --rlimit fsize=10 --rlimit nofile=5 --out-max 1M -- echo a line that is longer than ten bytes
is "$STATUS $OUT" '0 a line that is longer than ten bytes' "output through a pipe is not a file"
ok "the report is larger than the command's fsize" [ "${#REPORT}" -gt 10 ]

# Refused where it cannot be had.
hard=$(own_hard 'Max open files')
N --rlimit "nofile=10:$((hard + 1))" -- sh -c 'echo ran'
is "$STATUS $OUT" '125 ' "above the caller's own hard limit: refused"
like "$ERR" '^nsbox: .*(rlimit|resource limit).*EPERM' "the message names it"
report_is '.end.reason == "setup-failed" or .end.reason == "refused"' "so does the report"
N --rlimit "nofile=$hard" -- sh -c 'ulimit -n'
is "$STATUS $OUT" "0 $hard" "just as high is fine"

# refused WORD ...: refused before anything ran, with a message of one line that names the option.
refused() {
	N "$@" -- touch "$T/ran"
	if [ "$STATUS" != 125 ] || [ -e "$T/ran" ]; then
		not_ok "$* is refused" "status $STATUS"
	else
		like "$ERR" "^nsbox: [^
]*$1[^
]*\$" "$* is refused, and the message names it"
	fi
}

refused --rlimit nothing=1
like "$ERR" 'nofile' "the names that there are are listed"
refused --rlimit NOFILE=1
for value in nofile nofile= =5 nofile=x nofile=-1 nofile=1: nofile=:1 nofile=1:x nofile=2:1 nofile=1:2:3 nofile=1.5 \
    nofile=99999999999999999999 nofile=unlimited:5 'nofile= 5' nofile=5s nofile=0x10; do
	refused --rlimit "$value"
done
for value in 0 -1 x '' 1x 1.5.5 '1 ' ' 1' 1h 1e3 inf nan unlimited 99999999999999999999 0x1 +1 1,5 . 1.s; do
	refused --wall "$value"
	refused --cpu "$value"
	refused --grace "$value"
done
for value in 0 -1 x '' 1x '1 M' 1MM 1MB 1.5 1.5M unlimited 99999999999999999999 99999999999T 0x1 +1 1ib; do
	refused --mem "$value"
	refused --out-max "$value"
	refused --out-max-each "$value"
done
for value in 0 -1 x '' 1.5 1K 99999999999999999999 4194305; do
	refused --pids "$value"
done
for value in 0 -1 x '' 0.0001 1.5s 1x 99999999999999999999 1001 .; do
	refused --cpus "$value"
done
for option in "--wall 1" "--cpu 1" "--mem 64M" "--pids 9" "--cpus 1" "--out-max 1M" "--out-max-each 1M" "--grace 1"; do
	# shellcheck disable=SC2086 # two words
	refused $option $option
done
for value in 1 1.5 500ms 2s 1m 0.5m; do
	N --wall "$value" --cpu "$value" --grace "$value" -- true
	is "$STATUS" 0 "the duration $value is none of these"
done
for value in 67108864 64M 65536K 64MiB 1G 65536KiB; do
	N --mem "$value" --out-max "$value" -- true
	is "$STATUS" 0 "the size $value neither"
	report_is '[.limits[] | .asked] | all(. == 67108864 or . == 1073741824)' "and is understood"
done

done_testing
