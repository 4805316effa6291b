# --out-max and --out-max-each: to the byte, in order, and whatever reads or does not read at the other end.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

# Runs nsbox in a pipeline: P OPTION ... -- COMMAND | reader. The exit status goes to a file.
P() {
	rm -f "$T/status" "$REPORT_FILE"
	timeout -s KILL "$LIMIT" "$NSBOX" --report "$REPORT_FILE" --ro /usr "$@" 2>"$T/.err"
	echo $? >"$T/status"
}

# After a pipeline.
seen() {
	STATUS=$(<"$T/status")
	ERR=$(<"$T/.err")
	REPORT=''
	[ ! -f "$REPORT_FILE" ] || REPORT=$(<"$REPORT_FILE")
}

N() {
	nsbox --ro /usr "$@"
}

size() {
	stat -c %s "$1"
}

ms_since() {
	echo $(((${EPOCHREALTIME/./} - $1) / 1000))
}

# --- To the byte.
begin=${EPOCHREALTIME/./}
count=$(P --out-max 1M -- yes | wc -c)
took=$(ms_since "$begin")
seen
is "$count" 1048576 "exactly 1 MiB of an endless output is handed on"
ok "at once (took $took ms)" [ "$took" -lt 6000 ]
status_is 137 "the command was killed, not left to find its pipe closed"
report_is '.end.reason == "output-limit" and .reason == "output-limit"' "the reason is output-limit"
report_is '(.limits | length) == 1 and (.limits[0] | .name == "output" and .asked == 1048576 and .unit == "bytes"
    and .by == "pipe" and .state == "applied" and .hit)' "the report has the limit and its mechanism"
report_is '.usage.output_bytes == 1048576' "and the bytes that were handed on"
is "$ERR" '' "nothing is printed about it"
for bytes in 1 4095 4096 4097 65535 65536 65537 200001; do
	count=$(P --out-max "$bytes" -- yes | wc -c)
	is "$count" "$bytes" "exactly $bytes bytes"
done
for bytes in 1 4096 65536 100000; do
	count=$(P --out-max "$bytes" -- head -c "$bytes" /dev/zero | wc -c)
	seen
	is "$count $STATUS" "$bytes 0" "exactly as many as allowed ($bytes) are no fault"
	report_is ".end.reason == \"exited\" and (.limits[0].hit | not) and .usage.output_bytes == $bytes" \
	    "the limit of $bytes was not hit"
	count=$(P --out-max "$bytes" -- head -c $((bytes + 1)) /dev/zero | wc -c)
	seen
	is "$count" "$bytes" "one more than $bytes is not handed on"
	report_is ".end.reason == \"output-limit\" and .limits[0].hit and .usage.output_bytes == $bytes" "and is the limit"
done

# --- The two streams together.
N --out-max 100 -- sh -c 'head -c 60 /dev/zero; head -c 60 /dev/zero >&2; sleep 5'
is $(($(size "$T/.out") + $(size "$T/.err"))) 100 "both streams together are handed on to the byte"
report_is '.limits[0].hit and .end.reason == "output-limit" and .usage.output_bytes == 100 and .usage.wall_ms < 2000' \
    "the report says so"
N --out-max 120 -- sh -c 'head -c 60 /dev/zero; head -c 60 /dev/zero >&2'
is "$STATUS $(size "$T/.out") $(size "$T/.err")" '0 60 60' "what fits comes out where it belongs"
# shellcheck disable=SC2016 # meant for the shell inside
count=$(P --out-max 10M -- sh -c 'i=0; while [ $i -lt 2000 ]; do echo out$i; echo err$i >&2; i=$((i + 1)); done' 2>/dev/null | wc -l)
is "$count $(wc -l <"$T/.err")" '2000 2000' "two streams of many lines are complete"

# --- The order, where both are the same pipe.
{
	# shellcheck disable=SC2016 # meant for the shell inside
	timeout -s KILL "$LIMIT" "$NSBOX" --ro /usr --out-max 10M -- sh -c \
	    'i=0; while [ $i -lt 2000 ]; do echo $i; i=$((i + 1)); echo $i >&2; i=$((i + 1)); done' 2>&1
} | cat >"$T/mixed"
ok "the order stays where both streams are one pipe" cmp -s "$T/mixed" <(seq 0 1999; seq 2000 2000 | sed d)
# shellcheck disable=SC2016 # meant for the shell inside
timeout -s KILL "$LIMIT" "$NSBOX" --ro /usr --out-max 10M -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; echo $i >&2; done' >"$T/mixed" 2>&1
is "$(xargs <"$T/mixed")" '1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8' "and where they are one file"
count=$({ timeout -s KILL "$LIMIT" "$NSBOX" --ro /usr --out-max 1000 -- sh -c 'yes & yes >&2' 2>&1; } | wc -c)
is "$count" 1000 "one pipe for both has the one limit"

# --- Each by itself.
N --out-max-each 100 -- sh -c 'head -c 100 /dev/zero; head -c 100 /dev/zero >&2'
is "$STATUS $(size "$T/.out") $(size "$T/.err")" '0 100 100' "--out-max-each allows as many on each"
report_is '.end.reason == "exited" and .usage.output_bytes == 200 and (.limits | length) == 1 and .limits[0].name == "output-each"' \
    "the report counts them together"
for fd in 1 2; do
	N --out-max-each 100 -- sh -c "head -c 50 /dev/zero; head -c 50 /dev/zero >&2; head -c 51 /dev/zero >&$fd; sleep 5"
	file=$T/.out
	[ "$fd" = 1 ] || file=$T/.err
	is "$(($(size "$T/.out") + $(size "$T/.err"))) $(size "$file")" '150 100' \
	    "one more on descriptor $fd is not handed on"
	report_is '.end.reason == "output-limit" and .limits[0].hit and .usage.wall_ms < 2000' "and is the limit"
done
N --out-max-each 100 --out-max 150 -- sh -c 'head -c 100 /dev/zero; head -c 100 /dev/zero >&2'
is $(($(size "$T/.out") + $(size "$T/.err"))) 150 "of both limits the lower one holds"
report_is '[.limits[] | select(.hit) | .name] == ["output"]' "and is named"
{
	timeout -s KILL "$LIMIT" "$NSBOX" --ro /usr --out-max-each 100 -- sh -c 'head -c 80 /dev/zero; head -c 80 /dev/zero >&2' 2>&1
} | wc -c >"$T/count"
is "$(<"$T/count")" 160 "--out-max-each counts each also where both are one pipe"

# --- Readers.
sum=$(P --out-max 200M -- head -c 100000000 /dev/zero | cksum)
seen
is "$sum" "$(head -c 100000000 /dev/zero | cksum)" "100 MB come through unharmed"
report_is '.usage.output_bytes == 100000000 and .end.reason == "exited"' "and are counted"
# shellcheck disable=SC2016 # meant for awk inside
sum=$(P --out-max 20M -- awk 'BEGIN { for (i = 0; i < 900000; i++) print i * i }' | cksum)
is "$sum" "$(awk 'BEGIN { for (i = 0; i < 900000; i++) print i * i }' | cksum)" "so does text that is not uniform"
sum=$(P --out-max 10M -- head -c 1000000 /dev/zero | { sleep 0.5; head -c 300000; sleep 0.5; cat; } | wc -c)
is "$sum" 1000000 "a slow reader gets everything"
# What fits into pipes and buffers has been written when the command ends, and not been read.
sum=$(P --grace 300ms --out-max 10M -- head -c 150000 /dev/zero | { sleep 1.5; wc -c; })
seen
is "$sum $STATUS" '150000 0' "so does one that begins to read after the command has ended"
report_is '.end.reason == "exited" and .usage.output_bytes == 150000' "and that is what the report says"
sum=$(P --wall 1 --out-max 10M -- head -c 150000 /dev/zero | { sleep 2; wc -c; })
seen
report_is '.end.reason == "exited" and ([.limits[] | .hit] | any | not)' "a command that ended in time did not reach --wall, however slow the reader"
begin=${EPOCHREALTIME/./}
out=$(P --out-max 10M -- yes | head -1)
took=$(ms_since "$begin")
seen
is "$out" y "a reader may close"
report_is '.end.reason == "signaled" and .end.signal == 13 and ([.limits[] | .hit] | any | not)' "the command gets SIGPIPE then, as it does without a limit"
ok "it ends at once (took $took ms)" [ "$took" -lt 6000 ]
begin=${EPOCHREALTIME/./}
rm -f "$T/status"
# shellcheck disable=SC2216 # that it does not read is the point
P --wall 1 --grace 500ms --out-max 10M -- yes | sleep 4 &
reader=$!
wait_until 8 test -s "$T/status"
took=$(ms_since "$begin")
seen
ok "a reader that never reads does not hold up --wall (took $took ms)" [ "$took" -ge 1000 -a "$took" -lt 6000 ]
report_is '.end.reason == "wall-limit" and .usage.wall_ms < 1400' "the reason is wall-limit"
status_is 124 "and the exit status"
wait "$reader"
mkfifo "$T/fifo"
exec 9<>"$T/fifo"
"$NSBOX" --report "$T/r" --ro /usr --out-max 10M --grace 300ms -- sh -c 'trap "" TERM; yes' >&9 &
pid=$!
sleep 0.5
kill -TERM "$pid"
begin=${EPOCHREALTIME/./}
ok "nor a signal that asks for the end" wait_until 3 has_ended "$pid"
REPORT=$(<"$T/r")
report_is '.end.reason == "cancelled"' "which is reported as cancelled"
kill -9 "$pid" 2>/dev/null
{ wait "$pid"; } 2>/dev/null
exec 9>&-
if has python3; then
	# A terminal whose other end is not read takes some, and then no more.
	run python3 -c '
import os, pty, subprocess, sys, time
master, slave = pty.openpty()
begin = time.time()
child = subprocess.Popen(sys.argv[1:], stdout=slave, stderr=subprocess.DEVNULL)
try:
    child.wait(6)
except subprocess.TimeoutExpired:
    child.kill()
print(child.returncode, time.time() - begin < 3)
' "$NSBOX" --ro /usr --wall 1 --grace 500ms --out-max 10M -- yes
	is "$OUT" '124 True' "a terminal that nobody reads does not hold up --wall"
	run python3 -c '
import socket, subprocess, sys, time
ours, theirs = socket.socketpair()
begin = time.time()
child = subprocess.Popen(sys.argv[1:], stdout=theirs, stderr=subprocess.DEVNULL)
try:
    child.wait(6)
except subprocess.TimeoutExpired:
    child.kill()
print(child.returncode, time.time() - begin < 3)
' "$NSBOX" --ro /usr --wall 1 --grace 500ms --out-max 10M -- yes
	is "$OUT" '124 True' "nor does a socket"
	# The caller's own end may be non-blocking, and must stay as it was.
	run python3 -c '
import fcntl, os, subprocess, sys, threading
r, w = os.pipe()
os.set_blocking(w, False)
total = []
def read():
    n = 0
    while True:
        got = os.read(r, 1000)
        if not got: break
        n += len(got)
    total.append(n)
child = subprocess.Popen(sys.argv[1:], stdout=w)
thread = threading.Thread(target=read); thread.start()
child.wait()
state = os.get_blocking(w)
os.close(w); thread.join()
print(child.returncode, total[0], state)
' "$NSBOX" --ro /usr --out-max 10M -- head -c 3000000 /dev/zero
	is "$OUT" '0 3000000 False' "a pipe that does not block gets everything"
else
	skip "a terminal that nobody reads does not hold up --wall" "there is no python3 here"
fi

# --- Writers.
begin=${EPOCHREALTIME/./}
out=$(P --out-max 1M -- sh -c 'sleep 9 & echo done')
seen
is "$STATUS $out" '0 done' "a child in the background does not hold the pipe"
ok "nor nsbox" [ "$(ms_since "$begin")" -lt 8000 ]
out=$(P --out-max 1M -- sh -c '(sleep 0.2; echo late) & echo early; sleep 0.6; exit 4')
seen
is "$STATUS $(xargs <<<"$out")" '4 early late' "what children write counts and comes out"
N --out-max 1000 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do head -c 200 /dev/zero & done; wait; sleep 1'
is "$(size "$T/.out")" 1000 "the limit is that of all processes together"
out=$(P --out-max 1M -- sh -c 'exec >&-; echo error >&2; exit 6')
seen
is "$STATUS $ERR" '6 error' "a stream that the command closes is no fault"
# shellcheck disable=SC2016 # meant for the shell inside
out=$(printf 'a\nb\nc\n' | P --out-max 1M -- sh -c 'read x; echo $x'; cat)
is "$(xargs <<<"$out")" a "standard input is the command's own"
# shellcheck disable=SC2016 # meant for the shell inside
out=$({ P --out-max 1M -- sh -c 'read x; echo "got $x"'; read -r next; echo "next $next"; } < <(printf 'one\n'; sleep 0.5; printf 'two\n'))
is "$(xargs <<<"$out")" 'got one next two' "and nothing of it is taken that the command did not read"

# --- Where it goes.
"$NSBOX" --ro /usr --out-max 10 -- yes >"$T/file" 2>/dev/null
is "$(size "$T/file")" 10 "a file gets as much"
echo before >"$T/file"
"$NSBOX" --ro /usr --out-max 1M -- echo after >>"$T/file"
is "$(xargs <"$T/file")" 'before after' "a file that is appended to is"
"$NSBOX" --ro /usr --out-max 1M --report "$T/r" -- sh -c 'echo x; exit 3' >/dev/null
is $? 3 "/dev/null takes all"
"$NSBOX" --ro /usr --out-max 1M --report "$T/r" -- sh -c 'yes | head -c 1000; exit 3' >/dev/full 2>/dev/null
isnt $? 0 "a full device is not a success"
if has script; then
	run script -qec "$NSBOX --ro /usr --out-max 1M -- sh -c 'echo to a terminal; exit 3'" /dev/null </dev/null
	is "$STATUS $(tr -d '\r' <<<"$OUT")" '3 to a terminal' "a terminal gets it too"
	run script -qec "$NSBOX --ro /usr --out-max 5 -- echo 123456789" /dev/null </dev/null
	is "$(tr -d '\r' <<<"$OUT")" 12345 "as much as is allowed"
else
	skip "a terminal gets it too" "there is no script(1) here"
fi
"$NSBOX" --ro /usr --out-max 1M -- sh -c 'exit 3' >&- 2>&-
is $? 3 "closed streams are no fault"

# --- The usage without a limit.
N -- echo hello
report_is '.usage.output_bytes == null and .limits == []' "without a limit the bytes are not known"
N --out-max 1M -- true
report_is '.usage.output_bytes == 0' "with one none is 0"

done_testing
