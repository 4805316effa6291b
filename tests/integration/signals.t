# Signals to nsbox reach the command, and how that ends is told.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

env --default-signal=INT true 2>/dev/null || skip_all "env of coreutils 8.31 is needed"

# begin ENV-OPTION... -- ARG ...: nsbox in the background with signals as env sets them. A shell ignores
# SIGINT and SIGQUIT for what it starts in the background.
begin() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	rm -f "$REPORT_FILE"
	: >"$T/.out"
	env --default-signal "${options[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr "${@:2}" \
	    >"$T/.out" 2>"$T/.err" &
	NSBOX_PID=$!
}

says() {
	grep -q "$1" "$T/.out"
}

ready() {
	wait_until 10 says ready || not_ok "the command begins" "$(cat "$T/.out" "$T/.err")"
}

# The pid outside of the sandbox's pid 1, and of the command.
init_pid() {
	cat "/proc/$NSBOX_PID/task/$NSBOX_PID/children"
}

command_pid() {
	local init
	init=$(init_pid)
	init=${init%% *}
	cat "/proc/$init/task/$init/children"
}

forever='echo ready; while :; do sleep 0.05; done'

# A request to end is the command's to answer.
begin -- -- sh -c "trap 'echo seen; exit 9' TERM; $forever"
ready
kill -TERM "$NSBOX_PID"
nsbox_wait
status_is 9 "the command's answer to TERM is the status"
like "$OUT" seen "the command saw it"
report_is '.end.reason == "cancelled" and .end.code == 9' "it is reported as cancelled"

begin -- -- sh -c "$forever"
ready
kill -TERM "$NSBOX_PID"
nsbox_wait
status_is 143 "a command that TERM ends is 143"
report_is '.end.reason == "cancelled" and .end.signal == 15' "it is reported as cancelled by the signal"

begin -- -- sh -c "trap 'exit 9' TERM; echo ready; sleep 0.2; exit 4"
ready
nsbox_wait
status_is 4 "without a signal it ends as it does"
report_is '.end.reason == "exited" and .end.code == 4' "it is reported as exited"

# One that ignores it is killed when the grace period is over, and not before.
for grace in 1 300ms; do
	begin -- --grace "$grace" -- sh -c "trap '' TERM; $forever"
	ready
	started=${EPOCHREALTIME/./}
	kill -TERM "$NSBOX_PID"
	nsbox_wait
	took=$(((${EPOCHREALTIME/./} - started) / 1000))
	isnt "$STATUS" 0 "a command that ignores TERM does not end in 0"
	report_is '.end.reason == "cancelled"' "it is reported as cancelled"
	report_is '.teardown.confirmed' "nothing is left of it"
	[ "$grace" = 1 ] && least=1000 || least=300
	[ "$took" -ge "$least" ] && [ "$took" -lt $((least + 1900)) ]
	is $? 0 "it had $grace (and took $took ms)"
done

# What it started ignores it too, and is killed with it.
begin -- --grace 300ms -- sh -c "trap '' TERM; sh -c 'trap \"\" TERM; sleep 20' & $forever"
ready
kill -TERM "$NSBOX_PID"
nsbox_wait
isnt "$STATUS" 0 "a tree that ignores TERM does not end in 0"
report_is '.end.reason == "cancelled" and .teardown.confirmed' "all of it is gone"

# Every signal that is promised is forwarded, and to the command alone.
for signal in TERM INT HUP QUIT USR1 USR2 WINCH; do
	begin -- -- sh -c "trap 'echo got $signal; exit 7' $signal; $forever"
	ready
	kill "-$signal" "$NSBOX_PID"
	nsbox_wait
	is "$STATUS ${OUT##*$'\n'}" "7 got $signal" "SIG$signal is forwarded"
done
for signal in USR1 USR2 WINCH; do
	begin -- -- sh -c "trap 'echo got; exit 0' $signal; $forever"
	ready
	kill "-$signal" "$NSBOX_PID"
	nsbox_wait
	report_is '.end.reason == "exited" and .end.code == 0' "SIG$signal is no request to end"
done
begin -- -- sh -c "trap 'n=\$((n + 1)); echo got \$n' USR1; trap 'exit 3' USR2; $forever"
ready
for n in 1 2 3 4 5; do
	kill -USR1 "$NSBOX_PID"
	wait_until 10 says "got $n"
done
kill -USR2 "$NSBOX_PID"
nsbox_wait
is "$STATUS $(grep -c got <<<"$OUT")" '3 5' "five times is five times"

# What the command does to pid 1 of its sandbox, or sends it, changes nothing.
nsbox --ro /usr -- sh -c 'for s in TERM INT HUP ALRM USR1 QUIT KILL STOP CHLD; do kill -$s 1; done; sleep 0.2; exit 6'
status_is 6 "the command cannot end the sandbox by a signal to pid 1"
report_is '.end.reason == "exited"' "nor is that a cancellation"

# Killed from outside.
begin -- -- sh -c "$forever"
ready
kill -9 "$(command_pid)"
nsbox_wait
status_is 137 "the command killed from outside is 137"
report_is '.end.reason == "signaled" and .end.signal == 9' "it is reported as signaled"
begin -- -- sh -c "$forever"
ready
init=$(init_pid)
kill -9 "${init%% *}"
nsbox_wait
status_is 125 "the sandbox killed from outside is 125"
report_is '.end.reason == "launcher-lost" and .end.code == null' "it is reported as lost"
like "$ERR" '^nsbox: .*killed from outside' "the message says so"

# How the caller has its signals is how the command has them.
signals='grep -E "^Sig(Blk|Ign)" /proc/self/status'
for options in --default-signal --ignore-signal=INT,HUP --ignore-signal=TERM,USR1 --block-signal=USR1,TERM \
    --ignore-signal=PIPE "--block-signal=INT --ignore-signal=QUIT"; do
	read -ra words <<<"$options"
	outside=$(env --default-signal "${words[@]}" sh -c "$signals")
	run env --default-signal "${words[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c "$signals"
	is "$OUT" "$outside" "the command has its signals as the caller: $options"
done
run env --default-signal "$NSBOX" --report fd:2 --ro /usr -- sh -c "$signals"
is "$OUT" "$(env --default-signal sh -c "$signals")" "also with a report to a descriptor"
begin --ignore-signal=INT,HUP -- -- sh -c "$forever"
ready
kill -INT "$NSBOX_PID"
kill -HUP "$NSBOX_PID"
sleep 0.3
kill -USR1 "$NSBOX_PID"
nsbox_wait
status_is 138 "a command whose caller ignores INT and HUP, as nohup does, lives on"
run env --ignore-signal=CHLD "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'true; exit 8'
status_is 8 "a caller that ignores SIGCHLD gets the status"
report_is '.end.reason == "exited" and .teardown.confirmed' "and the report"

# Before the command runs: nsbox is held by a report that nobody reads, in a pipe that is full.
mkfifo "$T/full"

hold() {
	exec 7<>"$T/full"
	dd if=/dev/zero of="$T/full" oflag=nonblock bs=4096 2>/dev/null
	env --default-signal "$@" >"$T/.out" 2>"$T/.err" &
	NSBOX_PID=$!
	wait_until 10 held || not_ok "nsbox is held" "$(cat "$T/.err")"
}

# Its child waits at the barrier, and it sleeps in the write.
held() {
	[ -n "$(init_pid)" ] && [ "$(cut -d ' ' -f 3 "/proc/$NSBOX_PID/stat")" = S ] &&
	    sleep 0.05 && [ "$(cut -d ' ' -f 3 "/proc/$NSBOX_PID/stat")" = S ]
}

reads() {
	[ "$(readlink "/proc/$1/fd/0")" = "$T/full" ]
}

# Reads all that comes until nsbox has ended; what is of the report goes to REPORT.
let_go() {
	{
		exec 7>&-
		exec tr -d '\0' <"$T/full" >"$T/lines"
	} &
	local reader=$!
	# The reader has to have it open before the last writer closes it.
	wait_until 10 reads "$reader"
	exec 7>&-
	nsbox_wait
	wait "$reader" 2>/dev/null
	REPORT=$(tail -1 "$T/lines")
}

hold "$NSBOX" --report fd:7 --ro /usr -- sleep 5
kill -USR1 "$NSBOX_PID"
let_go
status_is 138 "a USR1 from before the command ran reaches it"
report_is '.end.reason == "signaled" and .end.signal == 10' "it is reported as signaled"

ran=0 told=0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	hold "$NSBOX" --report fd:7 --ro /usr -- sh -c 'trap "exit 5" TERM; echo ran; sleep 2'
	kill -TERM "$NSBOX_PID"
	let_go
	if [[ $ERR == *"before the command ran"* ]]; then
		told=$((told + 1))
		[ -z "$OUT" ] || ran=$((ran + 1))
	fi
	[ "$STATUS" != 0 ] || ran=$((ran + 100))
done
is "$ran" 0 "what is said not to have run did not (of $told cancelled before it ran)"
report_is '.end.reason == "cancelled"' "a TERM from before the command ran is reported as cancelled"

done_testing
