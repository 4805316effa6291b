# The scratch on disk: --scratch-dir, --keep-scratch, --scratch-use and --gc.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

P=$T/parent
mkdir "$P"

N() {
	nsbox --ro /usr --scratch-dir "$P" "$@"
}
is_empty() {
	[ -z "$(ls -A "$1")" ]
}

# The shape
is_empty "$P" || diag "the parent is not empty"
N -- sh -c 'pwd; ls -A /work /tmp /dev/shm; stat -c %d /work /tmp /dev/shm | sort -u'
is "$STATUS $(xargs <<<"$OUT")" "0 /work /dev/shm: /tmp: /work: $(stat -c %d "$P")" \
    "all writable places are empty and on the parent's disk"
report_is '.teardown.scratch_removed and .teardown.confirmed' "the report says that it is gone"
ok "which it is" is_empty "$P"
N -- stat -c '%n %a %u' /work /tmp /dev/shm
like "$OUT" "/work 700 $EUID" "/work belongs to the command alone"
like "$OUT" '/tmp 1777' "/tmp is what programs expect of it"
like "$OUT" '/dev/shm 1777' "so is /dev/shm"
report_is ".scratch | startswith(\"$P/nsbox-\")" "the report names the folder on the host"
N -- sh -c 'cp /usr/bin/env p && ./p true && touch /tmp/a /dev/shm/a && ln p q && mkfifo f && mv q /work/r'
status_is 0 "it can be written in all three places, and programs in it run"
N -- sh -c 'ls -A /work/.. | grep -c nsbox; ls -A /tmp/.. | grep -c nsbox-lock'
is "$(xargs <<<"$OUT")" "0 0" "the lock file cannot be seen inside"
N -- sh -c 'touch /new; touch /usr/new'
is "$(wc -l <<<"$ERR")" 2 "nothing else can be written"
ok "nothing of these runs is left" is_empty "$P"

# While it runs
nsbox_start --ro /usr --scratch-dir "$P" -- sh -c 'echo x >file; echo ready; exec sleep 20'
is_ready() {
	[[ $(<"$T/.out") == ready ]]
}
wait_until 5 is_ready
live=$(ls -d "$P"/nsbox-*)
is "$(stat -c %a "$live")" 700 "the folder has mode 0700"
is "$(cat "$live/work/file")" x "what the command writes is in it"
ok "the lock file says whose it is" grep -q "^nsbox-scratch 1 ${live##*/} boot .* pid $NSBOX_PID start [1-9]" \
    "$live/.nsbox-lock"
run "$NSBOX" --ro /usr --scratch-dir "$P" -- true
ok "another run leaves it alone" test -f "$live/work/file"
run "$NSBOX" --gc --scratch-dir "$P"
is "$STATUS $OUT" "0 removed 0 scratch folders, 0 control groups" "so does --gc"
ok "it is there after both" test -f "$live/work/file"
# Killed: the next run with the same parent sweeps, or --gc.
kill -9 "$NSBOX_PID"
nsbox_wait
ok "SIGKILL leaves the folder" test -f "$live/work/file"
swept_by_run() {
	"$NSBOX" --ro /usr --scratch-dir "$P" -- true && [ ! -e "$live" ]
}
ok "the next run with the same parent removes it" wait_until 5 swept_by_run
ok "and leaves nothing of its own" is_empty "$P"
nsbox_start --ro /usr --scratch-dir "$P" -- sh -c 'mkdir -p a/b; echo x >a/b/c; chmod 0 a/b a .; echo ready; exec sleep 20'
wait_until 5 is_ready
kill -9 "$NSBOX_PID"
nsbox_wait
swept_by_gc() {
	run "$NSBOX" --gc --scratch-dir "$P"
	[ "$OUT" = "removed 1 scratch folder, 0 control groups" ]
}
ok "--gc removes it and says so" wait_until 5 swept_by_gc
status_is 0 "with success"
ok "nothing is left" is_empty "$P"
run "$NSBOX" --gc
is "$STATUS $OUT" "0 removed 0 scratch folders, 0 control groups" "--gc needs no parent"
run "$NSBOX" --gc --scratch-dir "$T/absent"
is "$STATUS" 125 "a parent that is not there is refused"
like "$ERR" "^nsbox: --scratch-dir $T/absent: ENOENT" "by name"
run "$NSBOX" --gc -- true
is "$STATUS" 125 "--gc runs no command"

# What is not a dead run's stays.
mkdir -m 700 "$P/nsbox-x" "$T/outside"
touch "$P/nsbox-x/mine" "$T/outside/mine" "$P/nsbox-file"
printf 'nsbox-scratch 1 nsbox-link boot 0 pid 1 start 1\n' >"$T/outside/.nsbox-lock"
chmod 600 "$T/outside/.nsbox-lock"
ln -s "$T/outside" "$P/nsbox-link"
N -- true
run "$NSBOX" --gc --scratch-dir "$P"
is "$OUT" "removed 0 scratch folders, 0 control groups" "what others planted is not counted"
is "$(ls "$P" | xargs)" "nsbox-file nsbox-link nsbox-x" "nor touched"
ok "not the content of a folder without a lock file" test -f "$P/nsbox-x/mine"
ok "nor what a link leads to" test -f "$T/outside/mine"
rm -r "$P"/nsbox-*

# Whatever the command leaves, it goes, and nothing outside.
mkdir "$T/shown"
echo kept >"$T/shown/file"
chmod 500 "$T/shown"
N --ro-bind "$T/shown" /shown -- sh -c '
	mkdir -p a/b/c && touch a/b/c/file && mkfifo a/fifo && ln a/b/c/file a/hard
	ln -s /shown a/folder; ln -s /shown/file a/link; ln -s "$1" a/host; ln -s / a/root; ln -s . a/self
	mkdir "$(printf "new\nline")" "$(printf "\377\001\033")" " " -- -rf; touch "*" "\\"
	mkdir none && touch none/file && chmod 0 none
	mkdir readonly && touch readonly/file && chmod 555 readonly
	chmod 0 a/b/c a/b a; chmod 0 /work; mkdir /tmp/x /dev/shm/x; chmod 0 /tmp/x; chmod 0 /tmp' - "$T/shown"
status_is 0 "a command leaves strange things"
report_is '.teardown.scratch_removed and .teardown.confirmed' "the report says that they are gone"
ok "they are" is_empty "$P"
is "$(cat "$T/shown/file") $(stat -c %a "$T/shown")" "kept 500" "what links led to is as it was"

if has python3; then
	N -- python3 -c '
import os, socket
s = socket.socket(socket.AF_UNIX); s.bind("/work/socket")
for b in range(1, 256):
    if b != 47 and b != 46:
        os.mkdir(b"/work/" + bytes([b]))
for i in range(3000):
    os.mkdir("d" * 100); open("file", "w").close(); os.chdir("d" * 100)
os.chdir("/tmp")
for i in range(2000):
    os.mkdir("w%d" % i); os.mkdir("w%d/x" % i)
print("left")'
	is "$STATUS $OUT" "0 left" "a command leaves 3,000 levels, sockets and names of every byte"
	ok "they are gone" is_empty "$P"
	# shellcheck disable=SC2016 # meant for the shell inside
	run bash -c 'ulimit -n 64; exec "$@"' - "$NSBOX" --ro /usr --report "$REPORT_FILE" --scratch-dir "$P" -- python3 -c '
import os
for i in range(3000):
    os.mkdir("deep"); os.chmod(".", 0o300); os.chdir("deep")'
	status_is 0 "3,000 levels where 64 descriptors are allowed"
	report_is '.teardown.scratch_removed and .teardown.confirmed' "the report says that they are gone"
	ok "they are" is_empty "$P"
else
	skip "3,000 levels" "there is no python3 here"
fi

# --keep-scratch
N --keep-scratch -- sh -c 'echo 42 >answer; echo tmp >/tmp/file'
status_is 0 "with --keep-scratch"
report_is ".teardown.confirmed and (.scratch | startswith(\"$P/nsbox-\"))" "the report names the folder"
kept=$(jq -r .scratch <<<"$REPORT")
is "$(cat "$kept/work/answer" "$kept/tmp/file" | xargs)" "42 tmp" "which stays"
is "$(stat -c %a "$kept")" 700 "with its mode"
run "$NSBOX" --gc --scratch-dir "$P"
is "$(cat "$kept/work/answer")" 42 "no sweep takes it"
rm -r "$kept"
nsbox --ro /usr --keep-scratch -- true
is "$STATUS" 125 "without --scratch-dir it is refused"

# Parents that are none
nsbox --ro /usr --scratch-dir "$T/absent" -- touch "$T/ran"
is "$STATUS" 125 "a parent that is not there is refused"
like "$ERR" "^nsbox: --scratch-dir $T/absent: ENOENT" "the message names option, path and errno"
report_is '.end.errno == "ENOENT" and .end.reason == "setup-failed"' "the report too"
touch "$T/plain"
nsbox --ro /usr --scratch-dir "$T/plain" -- true
is "$STATUS ${ERR##*: ENOTDIR*}" "125 " "a parent that is a file is refused"
mkdir -m 555 "$T/closed"
if is_root; then
	not_for "a parent that cannot be written is refused" "root writes everywhere"
else
	nsbox --ro /usr --scratch-dir "$T/closed" -- true
	is "$STATUS" 125 "a parent that cannot be written is refused"
	like "$ERR" "^nsbox: --scratch-dir $T/closed: EACCES" "by name"
fi
nsbox --ro /usr --scratch-dir "$P" --scratch-size 1M -- true
is "$STATUS" 125 "a quota, which a disk does not have, is refused"

# A failure afterwards leaves nothing.
N -- /no/such
is "$STATUS" 127 "where there is no such command"
ok "no folder is left" is_empty "$P"
N --ro /no/such -- true
is "$STATUS" 125 "where the set-up fails"
ok "no folder is left either" is_empty "$P"

# --scratch-use
U=$T/use
mkdir "$U"
nsbox --ro /usr --scratch-use "$U" -- sh -c 'pwd; ls -A; echo 42 >answer; touch /tmp/other'
is "$STATUS $OUT" "0 /work" "--scratch-use starts empty"
is "$(ls -A "$U") $(cat "$U/answer")" "answer 42" "the results, and nothing else, stay in it"
report_is ".scratch == \"$U\" and .teardown.confirmed" "the report names it"
nsbox --ro /usr --scratch-use "$U" -- true
is "$STATUS" 125 "a folder that is not empty is refused"
like "$ERR" "^nsbox: --scratch-use $U" "by name"
ok "and left alone" test -f "$U/answer"
nsbox --ro /usr --scratch-use "$T/absent" -- true
is "$STATUS" 125 "one that is not there is refused"
like "$ERR" "^nsbox: --scratch-use $T/absent: ENOENT" "by name"
refutes "and not made" test -e "$T/absent"
nsbox --ro /usr --scratch-use "$T/plain" -- true
is "$STATUS" 125 "a file is refused"
mkdir "$T/foreign"
if is_root; then
	chown 65534 "$T/foreign"
	nsbox --ro /usr --scratch-use "$T/foreign" -- true
else
	nsbox --ro /usr --scratch-use /proc/sys -- true
fi
is "$STATUS" 125 "somebody else's is refused"
like "$ERR" "^nsbox: --scratch-use " "by name"
nsbox --ro /usr --scratch-use "$U" --scratch-dir "$P" -- true
is "$STATUS" 125 "two scratches are a contradiction"

# Many at once, and killed at any moment
many() {
	local pids=() pid failed=0
	for _ in {1..16}; do
		"$NSBOX" --ro /usr --scratch-dir "$P" -- sh -c 'echo x >f && cat f >/dev/null' &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || failed=$((failed + 1))
	done
	[ "$failed" = 0 ]
}
ok "16 at once work" many
ok "and leave nothing" is_empty "$P"
for ((i = 0; i < 60; i++)); do
	"$NSBOX" --ro /usr --scratch-dir "$P" -- sh -c 'mkdir -p a/b/c; chmod 0 a; sleep 0.01' >/dev/null 2>&1 &
	pid=$!
	read -rt "0.0$(printf %03d $((RANDOM % 400)))" _ <> <(:)
	kill -9 "$pid" 2>/dev/null
	{ wait "$pid"; } 2>/dev/null
done
swept() {
	"$NSBOX" --gc --scratch-dir "$P" >/dev/null
	is_empty "$P"
}
ok "what 60 runs killed at any moment left is swept" wait_until 5 swept
done_testing
