# Ways out of the Landlock backend, and ways in which it could harm others: each was one once.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

helpers=$NSBOX_BUILDDIR/tests/integration/helpers
abi=$("$helpers/abi") || skip_all "$helpers/abi was not built"
[ "$abi" -ge 1 ] || skip_all "this kernel has no Landlock"
has python3 || skip_all "there is no python3"
chmod 755 "$T"

L() {
	nsbox --backend landlock --quiet --ro /usr "$@"
}

# A pair of datagram sockets is no way to make the socket that is refused: one of it can be led to any other.
server='import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1]); s.settimeout(float(sys.argv[2])); open(sys.argv[1] + ".up", "w")
try: print(s.recv(99).decode())
except OSError: print("nothing")'
client='import socket, sys
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    a, b = socket.socketpair(socket.AF_UNIX, kind); a.send(b"x"); b.recv(1)
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.sendto(b"out", sys.argv[1])'
for case in inside outside; do
	python3 -c "$server" "$T/$case" 5 >"$T/got" &
	wait_until 20 test -e "$T/$case.up"
	if [ "$case" = inside ]; then
		L -- python3 -c "$client" "$T/$case"
		like "$ERR" 'Address family not supported' "streams come in pairs, datagram sockets do not"
	else
		python3 -c "$client" "$T/$case"
	fi
	wait $!
	is "$(<"$T/got")" "$([ "$case" = inside ] && echo nothing || echo out)" "$case: what the server got"
done

# Rights of others are not given away by a mode.
cp /usr/bin/true "$T/prog"
L -- sh -c "chmod 6755 $T/prog; python3 -c 'import os; os.open(\"s\", os.O_CREAT, 0o4755)'; mkdir -m 2755 d; touch ok; chmod 755 ok; ls -l"
is "$(stat -c %a "$T/prog")" 755 "no file becomes setuid"
unlike "$OUT" '[sS][-r]|[sS] ' "not in the scratch either"
like "$OUT" '-rwxr-xr-x .* ok' "other modes can be set"
chmod 4755 "$T/prog"
is "$(stat -c %a "$T/prog")" 4755 "outside it can"

# A mask covers what was asked for before it, and what is asked for later covers the mask.
mkdir -p "$T/m/x"
echo secret >"$T/m/x/f"
L --ro "$T/m/x" --mask "$T/m" -- cat "$T/m/x/f"
is "$STATUS $OUT" "1 " "a mask over a folder that holds something shown hides it"
L --mask "$T/m" --ro "$T/m/x" -- cat "$T/m/x/f"
is "$STATUS $OUT" "0 secret" "what is asked for later is shown"

# The command cannot make its own teardown fail, nor a sweeper take the scratch of a living run.
L -- sh -c 'chmod 0 ..; exit 4'
is "$STATUS" 4 "a folder above the scratch without a mode changes nothing"
report_is '.teardown.scratch_removed and .teardown.confirmed' "it is removed"
export TMPDIR=$T/tmp
mkdir "$TMPDIR"
nsbox_start --backend landlock --quiet --ro /usr -- sh -c 'pwd; chmod 1700 ..; sleep 2; echo alive >file && cat file'
wait_until 20 grep -q nsbox- "$T/.out"
for i in 1 2 3; do
	"$NSBOX" --backend landlock --quiet --ro /usr -- true
done
nsbox_wait
is "$STATUS $(tail -1 <<<"$OUT")" "0 alive" "a living run is not swept, whatever mode its folder has"
is "$(find "$TMPDIR" -mindepth 1 | wc -l)" 0 "nothing is left of them"
unset TMPDIR

# Who came to nsbox because it takes in orphans is not killed.
for most in 99 5; do
	export NSBOX_TEST_LANDLOCK_ABI=$most
	sh -c "sh -c 'setsid sleep 60 & echo \$! >$T/orphan; sleep 0.3' & exec \"\$@\"" sh \
	    "$helpers/nsbox-capped" --backend landlock --quiet --ro /usr -- sleep 1
	ok "an orphan of the caller's lives (ABI at most $most)" kill "$(<"$T/orphan")"
done
unset NSBOX_TEST_LANDLOCK_ABI

# A filter outside that refuses keyrings, as containers have: then they are refused inside as well.
run "$helpers/deny" EPERM:keyctl -- "$NSBOX" --backend landlock --quiet --report "$REPORT_FILE" --ro /usr -- true
status_is 0 "where keyrings are refused already it runs"
run "$NSBOX" --backend landlock --quiet --ro /usr --ro "$NSBOX_BUILDDIR" -- "$NSBOX" --backend landlock --quiet --ro /usr -- echo inner
is "$OUT" inner "also inside itself"

# Wherever the scratch is, and whatever is masked.
mkdir "$T/here"
L --ro "$T" --scratch-dir "$T/here" -- sh -c 'touch file && ls'
is "$STATUS $OUT" "0 file" "a scratch inside what is shown"
is "$(find "$T/here" -mindepth 1 | wc -l)" 0 "is removed"
L --ro /tmp --ro /var/tmp -- true
[ "$STATUS" = 0 ] || like "$ERR" 'no place' "without a place for what must not be seen, that is said"
(umask 0777; exec "$NSBOX" --backend landlock --quiet --ro /usr -- true)
is "$?" 0 "whatever the umask"
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
	use=$(mktemp -d /dev/shm/nsbox-test.XXXXXX)
	L --scratch-use "$use" -- touch file
	is "$STATUS $(ls "$use")" "0 file" "a scratch on another file system"
	rm -rf "$use"
fi
long=$T/$(printf 'l%.0s' {1..90})
mkdir "$long"
TMPDIR=$long L --allow-missing unix-sockets -- true
report_is '[.not_covered[].name] | contains(["unix-sockets"])' "what could not be tried is listed as open"

done_testing
