# bubblewrap's process model: who runs, what they inherit, how it ends.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

bw() {
	run "$NSBOX" --bwrap "$@"
}

# --- By which name
ln -s "$NSBOX" "$T/bwrap"
run "$T/bwrap" --version
is "$OUT" "bubblewrap 0.13.1" "called bwrap it is bubblewrap"
run env NSBOX_BWRAP=1 "$NSBOX" --version
is "$OUT" "bubblewrap 0.13.1" "and with NSBOX_BWRAP=1"
run env NSBOX_BWRAP=0 "$NSBOX" --version
like "$OUT" '^nsbox ' "and else nsbox"
run "$T/bwrap" --help
like "$OUT" "^usage: $T/bwrap \[OPTIONS\.\.\.\] \[--\] COMMAND \[ARGS\.\.\.\]" "the usage says its name"
bw --ro-bind / /
is "$STATUS" 1 "no command is an error"
like "$ERR" '^usage: ' "with the usage"

# --- How it ends
bw --ro-bind / / sh -c 'exit 7'
status_is 7 "the exit status is the command's"
# shellcheck disable=SC2016 # meant for the shell inside
bw --ro-bind / / --unshare-pid sh -c 'kill -KILL $$'
status_is 137 "or 128 and its signal"
bw --ro-bind / / /no/such
is "$STATUS $ERR" "1 bwrap: execvp /no/such: No such file or directory" "a command that is not there"
bw --ro-bind / / /etc/passwd
is "$STATUS $ERR" "1 bwrap: execvp /etc/passwd: Permission denied" "one that cannot be executed"
printf '#!/no/interpreter\n' >"$T/script"
printf 'echo plain $1\n' >"$T/plain"
chmod +x "$T/script" "$T/plain"
bw --ro-bind / / "$T/script"
like "$ERR" "^bwrap: execvp $T/script: No such file or directory .*/no/interpreter" "a missing interpreter is named"
bw --ro-bind / / "$T/plain" text
is "$OUT" "plain text" "a text without one is the shell's"
# shellcheck disable=SC2016
bw --ro-bind / / --argv0 other sh -c 'echo $0'
is "$OUT" other "--argv0 is its name"

# --- What it inherits
bw --ro-bind / / sh -c 'umask; ls /proc/self/fd | grep "^[89]"' 9</dev/null 8</dev/null
is "$(xargs <<<"$OUT")" "$(umask) 8 9" "umask and descriptors are the caller's"
bw --ro-bind / / --sync-fd 9 --bind-fd 8 /mnt ls /proc/self/fd 9</dev/null 8<"$T"
unlike "$(xargs <<<"$OUT")" " [89]" "but for those that options name"
run env -i PATH=/usr/bin:/bin A=1 "$NSBOX" --bwrap --ro-bind / / --setenv B 2 --unsetenv A --chdir / env
is "$(xargs <<<"$OUT")" "PATH=/usr/bin:/bin B=2 PWD=/" "so is the environment, as changed"
bw --ro-bind / / --setenv A 1 --clearenv --setenv B 2 --chdir /usr /usr/bin/env
is "$(xargs <<<"$OUT")" "B=2 PWD=/usr" "--clearenv forgets what came before"
bw --ro-bind / / --setenv PATH /nowhere true
is "$ERR" "bwrap: execvp true: No such file or directory" "PATH is the one that was set"
# shellcheck disable=SC2016
(cd "$T" && exec "$NSBOX" --bwrap --ro-bind / / sh -c 'pwd; echo $PWD') >"$T/out"
is "$(xargs <"$T/out")" "$T $T" "the folder is the caller's"
# shellcheck disable=SC2016
bw --tmpfs / --ro-bind /usr /usr --ro-bind /bin /bin --ro-bind /lib /lib --ro-bind-try /lib64 /lib64 --dir /h \
	--setenv HOME /h sh -c 'echo $PWD'
is "$OUT" /h "or home where that is not there"
bw --ro-bind / / --chdir /none true
is "$STATUS $ERR" "1 bwrap: Can't chdir to /none: No such file or directory" "--chdir has to be there"
run env SECRET=word "$NSBOX" --bwrap --ro-bind / / --unshare-pid --proc /proc --unsetenv SECRET \
	sh -c 'tr "\0" "\n" </proc/1/environ | grep -c word'
is "$OUT" 0 "process 1 has nothing of the caller's environment"

# --- Background
begin=${EPOCHREALTIME/./}
out=$("$NSBOX" --bwrap --dev-bind / / --unshare-pid sh -c "(sleep 6; echo late >'$T/late') >/dev/null 2>&1 </dev/null & exit 4")
is "$?$out" 4 "the run ends with the command"
ok "and who reads its output is not kept waiting" test $((${EPOCHREALTIME/./} - begin)) -lt 5500000
ok "what it left in the background lives on" wait_until 20 test -s "$T/late"
# shellcheck disable=SC2016
bw --dev-bind / / --unshare-pid --as-pid-1 sh -c 'echo $$; (sleep 1; echo late >'"$T/late1"') >/dev/null 2>&1 & exit 4'
is "$STATUS $OUT" "4 1" "--as-pid-1 makes the command process 1"
sleep 1.5
refutes "with which everything ends" test -e "$T/late1"

# --- Signals
# inside_of FILE: the sandbox's first process.
inside_of() {
	sed -n 's/.*"child-pid": \([0-9]*\).*/\1/p' "$1"
}
is_alive() {
	! has_ended "$1"
}
for options in "" --die-with-parent; do
	rm -f "$T/info" "$T/ready"
	# shellcheck disable=SC2086 # a word or none
	"$NSBOX" --bwrap --dev-bind / / --unshare-pid $options --info-fd 8 sh -c "touch '$T/ready'; exec sleep 60" 8>"$T/info" &
	launcher=$!
	wait_until 10 test -e "$T/ready" || not_ok "the command starts"
	inside=$(inside_of "$T/info")
	kill -TERM $launcher
	{ wait $launcher; } 2>/dev/null
	is "$?" 143 "a signal ends the launcher${options:+ ($options)}"
	if [ -z "$options" ]; then
		ok "and not the sandbox" is_alive "$inside"
		kill -9 "$inside"
	else
		ok "and the sandbox with --die-with-parent" wait_until 10 has_ended "$inside"
	fi
done
rm -f "$T/info" "$T/ready"
# shellcheck disable=SC2016
bash -c '"$1" --bwrap --dev-bind / / --unshare-pid --die-with-parent --info-fd 8 \
	sh -c "touch $2/ready; exec sleep 60" 8>"$2/info" & wait' - "$NSBOX" "$T" &
launcher=$!
wait_until 10 test -e "$T/ready" || not_ok "the command starts"
kill -9 $launcher
ok "--die-with-parent is about who started the launcher" wait_until 10 has_ended "$(inside_of "$T/info")"

# A thread that started it may end: it is the process that counts.
if has python3; then
	rm -f "$T/ready" "$T/inside"
	background python3 -c 'import subprocess, sys, threading, time
thread = threading.Thread(target=lambda: subprocess.Popen(sys.argv[1:]))
thread.start()
thread.join()
time.sleep(60)' "$NSBOX" --bwrap --dev-bind / / --die-with-parent \
		sh -c "echo \$\$ >'$T/inside'; sleep 1; touch '$T/ready'; exec sleep 60"
	ok "the sandbox outlives the thread that started it" wait_until 20 test -e "$T/ready"
	kill -9 "$BG_PID"
	ok "and not the process" wait_until 20 has_ended "$(cat "$T/inside")"
else
	skip "the sandbox outlives the thread that started it" "no python3"
fi

# --- A host that refuses namespaces
run unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"' - \
	"$NSBOX" --bwrap --ro-bind / / true
like "$STATUS $ERR" '^1 bwrap: (Creating new namespace failed|No permissions to create).*max_user_namespaces' \
	"a host without user namespaces: cause and remedy are named"

# --- Descriptors to speak through
bw --ro-bind / / --unshare-net --unshare-pid --info-fd 8 --json-status-fd 9 sh -c 'exit 42' 8>"$T/info" 9>"$T/status"
is "$(sed 's/[0-9][0-9]*/N/' "$T/info" | tr '\n' ' ')" \
	'{     "child-pid": N,     "mnt-namespace": N,     "net-namespace": N,     "pid-namespace": N } ' "--info-fd"
is "$(sed 's/"\([a-z-]*-[np][a-z]*\)": [0-9]*/"\1": N/g' "$T/status")" \
	'{ "child-pid": N, "mnt-namespace": N, "net-namespace": N, "pid-namespace": N }
{ "exit-code": 42 }' "--json-status-fd"
bw --ro-bind / / --json-status-fd 9 --chdir /none true 9>"$T/status"
is "$(jq -s 'map(keys) | flatten | sort | join(" ")' "$T/status")" '"child-pid errno error mnt-namespace"' \
	"a run that did not begin has no exit-code, and says why"
mkfifo "$T/block"
"$NSBOX" --bwrap --dev-bind / / --block-fd 9 touch "$T/begun" 9<>"$T/block" &
sleep 0.5
refutes "--block-fd holds the command" test -e "$T/begun"
echo >"$T/block"
wait $!
ok "until there is something to read" test -e "$T/begun"
mkfifo "$T/sync"
"$NSBOX" --bwrap --dev-bind / / --unshare-pid --sync-fd 9 sh -c "(sleep 1; touch '$T/last') & exit 5" 9>"$T/sync" &
cat "$T/sync"
ok "--sync-fd is open as long as anybody is inside" test -e "$T/last"
wait $!
is $? 5 "and the exit status is the command's"
touch "$T/lock"
can_lock() {
	python3 -c 'import fcntl, sys; fcntl.lockf(open(sys.argv[1], "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)' "$T/lock" 2>/dev/null
}
if has python3; then
	mkfifo "$T/hold"
	"$NSBOX" --bwrap --dev-bind / / --lock-file "$T/lock" sh -c "touch '$T/locked'; read x <'$T/hold'" &
	holder=$!
	wait_until 10 test -e "$T/locked" || not_ok "the command starts"
	refutes "--lock-file is locked meanwhile" can_lock
	echo >"$T/hold"
	wait $holder
	ok "and not afterwards" can_lock
else
	skip "--lock-file" "no python3"
fi
bw --ro-bind / / --lock-file /none true
is "$ERR" "bwrap: Unable to open lock file /none: No such file or directory" "a lock file has to be there"

# --- A filter that allows everything
printf '\x06\0\0\0\0\0\xff\x7f' >"$T/allow"
bw --ro-bind / / --seccomp 7 grep Seccomp: /proc/self/status 7<"$T/allow"
like "$OUT" '2$' "--seccomp filters the command"
bw --ro-bind / / --add-seccomp-fd 7 --add-seccomp-fd 8 grep Seccomp_filters: /proc/self/status 7<"$T/allow" 8<"$T/allow"
like "$OUT" '2$' "--add-seccomp-fd adds one more"
bw --ro-bind / / grep Seccomp: /proc/self/status
like "$OUT" '0$' "and there is none by itself"
printf '\x06\0\0' >"$T/half"
bw --ro-bind / / --seccomp 7 true 7<"$T/half"
is "$ERR" "bwrap: Invalid seccomp data, must be multiple of 8" "half an instruction is refused"

# --- Many
for ((i = 0; i < 12000; i++)); do printf '%s\0' --setenv A b; done >"$T/args"
# shellcheck disable=SC2016
bw --ro-bind / / --args 7 sh -c 'echo $A' 7<"$T/args"
is "$OUT" b "the number of arguments has no limit"

done_testing
