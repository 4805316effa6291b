# Whatever ends nsbox, SIGKILL too, ends everything in its sandbox.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1
# The shell remarks on every kill; the braces around wait do not catch all of them.
exec 2>/dev/null

# A program of a name that nothing else has: nsbox and its child show it in their title, and so do the processes
# in the sandbox.
mark=death$$x$RANDOM
mkdir "$T/bin"
cp /usr/bin/sleep "$T/bin/$mark"
sandbox=("$NSBOX" --ro /usr --ro-bind "$T/bin" /opt/bin --env PATH=/opt/bin:/usr/bin)
mounts=$(wc -l </proc/self/mountinfo)

# How many processes there are with the mark; zombies have no command line.
alive() {
	local file words count=0
	for file in /proc/[0-9]*/cmdline; do
		words=()
		mapfile -d '' words <"$file"
		[[ ${words[*]} != *"$mark"* ]] || count=$((count + 1))
	done 2>/dev/null
	echo "$count"
}

all_gone() {
	[ "$(alive)" = 0 ]
}

are_alive() {
	[ "$(alive)" -ge "$1" ]
}

# Of a command that is a shell the title of nsbox and pid 1 says nothing: init is looked at by number.
all_ended() {
	all_gone && has_ended "$init"
}

# start N ARG ...: in the background, and waits until N processes show the mark.
start() {
	local count=$1
	shift
	"${sandbox[@]}" -- "$@" >/dev/null 2>&1 &
	NSBOX_PID=$!
	wait_until 10 are_alive "$count" || diag "$(alive) alive, expected $count"
}

# Kills nsbox; how many milliseconds later everything is gone, in took.
kill_and_measure() {
	local begin init
	init=$(cat "/proc/$NSBOX_PID/task/$NSBOX_PID/children")
	init=${init%% *}
	begin=${EPOCHREALTIME/./}
	kill -9 "$NSBOX_PID"
	wait_until 5 all_ended
	took=$(((${EPOCHREALTIME/./} - begin) / 1000))
	{ wait "$NSBOX_PID"; } 2>/dev/null
}

# dies NAME N ARG ...: the best of three counts, since the machine may be busy.
dies() {
	local name=$1 best=99999
	shift
	for _ in 1 2 3; do
		start "$@"
		kill_and_measure
		[ "$took" -ge "$best" ] || best=$took
		[ "$best" -ge 500 ] || break
	done
	if [ "$best" -lt 500 ]; then
		ok "$name"
	else
		not_ok "$name" "$(alive) alive after $best ms"
	fi
}

# The marks are those of nsbox, of pid 1 if its title shows it, and of the command. What the
# title of the first two is was seen at the first start.
"${sandbox[@]}" -- "$mark" 30 >/dev/null 2>&1 &
NSBOX_PID=$!
wait_until 10 pgrep -f "^$mark 30" >/dev/null
launchers=$(($(alive) - 1))
ok "the launcher and pid 1 can be told by their title" [ "$launchers" = 2 ]
kill_and_measure
ok "the command dies with nsbox" [ "$took" -lt 5000 ]

dies "within half a second" $((launchers + 1)) "$mark" 30
dies "a child in a session of its own too" 3 sh -c "setsid $mark 30 & $mark 30"
dies "an orphan in a session of its own too" 3 \
    sh -c "(setsid $mark 30 &); exec sh -c '$mark 30; :'"
dies "those that ignore every signal too" 2 \
    sh -c "trap '' TERM HUP INT QUIT; $mark 30; :"
dies "a stopped command too" 2 sh -c "$mark 30 & kill -STOP \$!; kill -STOP \$\$; :"

# Without the sandbox an orphan stays: this sees what is there.
sh -c "(setsid '$T/bin/$mark' 30 &) ; exit 0" >/dev/null 2>&1
wait_until 5 are_alive 1
ok "without nsbox an orphan in its own session stays" are_alive 1
pkill -9 -f "$T/bin/$mark 30"
wait_until 5 all_gone

# Other deaths than SIGKILL: what nsbox cannot catch or does not.
for signal in ABRT SEGV ALRM; do
	start $((launchers + 1)) "$mark" 30
	kill "-$signal" "$NSBOX_PID"
	wait_until 3 all_gone
	ok "death by SIG$signal leaves nothing" all_gone
	kill -9 "$NSBOX_PID" 2>/dev/null
	{ wait "$NSBOX_PID"; } 2>/dev/null
done

# At any moment of the set-up and of the end.
left=0
for ((i = 0; i < 100; i++)); do
	"${sandbox[@]}" -- "$mark" 0.002 >/dev/null 2>&1 &
	pid=$!
	read -rt "0.$(printf %04d $((RANDOM % 60)))" _ <> <(:)
	kill -9 "$pid" 2>/dev/null
	{ wait "$pid"; } 2>/dev/null
	((i % 10)) || wait_until 3 all_gone || left=$((left + 1))
done
ok "killed at any moment of the set-up nothing is left running" [ "$left" = 0 ]
wait_until 3 all_gone
ok "nothing is left running in the end" all_gone
is "$(wc -l </proc/self/mountinfo)" "$mounts" "nothing is left mounted"

# nsbox depends on no thread of its caller.
if has python3; then
	run python3 -c '
import subprocess, sys, threading, time
held = []
def start():
    held.append(subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE))
thread = threading.Thread(target=start)
thread.start()
thread.join()
time.sleep(0.3)
print(held[0].poll(), held[0].stdout.read().decode().strip(), held[0].wait())
' "${sandbox[@]}" -- sh -c 'sleep 1; echo lives; exit 5'
	is "$OUT" 'None lives 5' "the end of the thread that started nsbox is not its own"
else
	skip "the end of the thread that started nsbox is not its own" "there is no python3 here"
fi

# The death of the caller is not that of nsbox: like any program it goes on, and the command with it.
bash -c '"${@:3}" >"$1" 2>&1 & echo $! >"$2"; kill -9 $$' - "$T/out" "$T/pid" \
    "${sandbox[@]}" -- sh -c 'sleep 0.5; echo lives' 2>/dev/null
ok "nsbox lives on where its caller is killed" wait_until 10 grep -q lives "$T/out"

done_testing
