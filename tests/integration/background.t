# The end of the command ends everything in its sandbox; nobody waits for what it left behind.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

# A length of sleep that no other process has, so that ours can be told.
mark=$((7000 + RANDOM % 900)).$((100000 + $$ % 900000))1

# sleepers SECONDS: how many processes of this user sleep that long.
sleepers() {
	local file count=0
	for file in /proc/[0-9]*/cmdline; do
		[ "$(tr '\0' ' ' 2>/dev/null <"$file")" != "sleep $1 " ] || count=$((count + 1))
	done 2>/dev/null
	echo "$count"
}

no_sleeper() {
	[ "$(sleepers "$1")" = 0 ]
}

N() {
	nsbox --ro /usr -- "$@"
}

# took_less MILLISECONDS NAME: since the last call of begin.
begin() {
	started=${EPOCHREALTIME/./}
}

took_less() {
	local took=$((${EPOCHREALTIME/./} - started))
	if [ "$took" -lt $(($1 * 1000)) ]; then
		ok "$2"
	else
		not_ok "$2" "took $((took / 1000)) ms"
	fi
}

begin
N sh -c 'sleep 8.1 & exit 3'
took_less 6000 "a background child delays nothing"
status_is 3 "the status is the command's"
report_is '.end.reason == "exited" and .end.code == 3' "the end is the command's"
report_is '.teardown.survivors_killed == 1 and .teardown.confirmed' "the report counts what had to be killed"

N sh -c 'exit 3'
report_is '.teardown.survivors_killed == 0 and .teardown.confirmed' "where nothing was left, nothing is counted"
N sh -c 'true & true & wait; exit 3'
report_is '.teardown.survivors_killed == 0' "what ended by itself is not counted"
N sh -c 'for i in 1 2 3 4 5 6 7; do sleep 8.1 & done; exit 0'
report_is '.teardown.survivors_killed == 7' "each of seven is counted"

# With the twin it is seen that this really looks for what it says.
N sh -c "sleep $mark & exit 0"
ok "nothing is left running" no_sleeper "$mark"
sh -c "sleep $mark & exit 0" >/dev/null 2>&1
refutes "without nsbox it stays" no_sleeper "$mark"
for file in /proc/[0-9]*/cmdline; do
	if [ "$(tr '\0' ' ' 2>/dev/null <"$file")" = "sleep $mark " ]; then
		pid=${file#/proc/}
		kill -9 "${pid%/cmdline}"
	fi
done 2>/dev/null

# Ways to get out of the reach of whoever started one.
for way in "setsid sleep $mark & exit 0" "(setsid sh -c 'setsid sleep $mark & exit 0' &) ; exit 0" \
    "nohup sleep $mark & exit 0" "trap '' TERM HUP INT; sleep $mark & exit 0"; do
	begin
	N sh -c "$way"
	took_less 6000 "no delay: $way"
	ok "nothing left: $way" no_sleeper "$mark"
done

# A reader at the end of a pipe sees its end although a child in the background has it open.
begin
out=$(timeout -s KILL 20 "$NSBOX" --ro /usr -- sh -c 'sleep 8.1 & echo out; exit 0' | cat)
took_less 6000 "a pipe that a background child holds does not hang the reader"
is "$out" out "the reader got what was written"

# A command that closes its streams and stays is waited for: the pipe's end is not its end.
begin
out=$(timeout -s KILL 20 "$NSBOX" --ro /usr -- sh -c 'exec >&- 2>&-; sleep 0.5; exit 4' | cat
    echo "${PIPESTATUS[0]}")
is "$out" 4 "a command that closed its streams is still waited for"

# Something that forks without end is ended too.
if has python3; then
	begin
	N python3 -c '
import os, sys, time
for i in range(20):
    if os.fork() == 0:
        os.setsid()
        while True:
            if os.fork() > 0:
                os._exit(0)
            time.sleep(0.001)
time.sleep(0.3)
sys.exit(6)'
	took_less 15000 "processes that fork all the time are ended"
	status_is 6 "the status is the command's"
	report_is '.teardown.confirmed and .teardown.survivors_killed >= 1' "that nothing is left was confirmed"
else
	skip "processes that fork all the time are ended" "there is no python3 here"
fi

# Orphans are reaped while the command runs: pid 1 leaves no zombies.
N sh -c 'for i in 1 2 3 4 5; do (true &); done; sleep 0.3
grep -l "^State:.Z" /proc/[0-9]*/status; exit 0'
is "$OUT" '' "orphans are reaped"

done_testing
