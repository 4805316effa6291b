# Who the command is by bubblewrap's command line: namespaces, ids and capabilities.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

bw() {
	run "$NSBOX" --bwrap --ro-bind / / "$@"
}
same() {
	[ "$(readlink "/proc/self/ns/$1")" = "$OUT" ]
}

for kind in ipc net uts cgroup pid; do
	bw "--unshare-$kind" --proc /proc readlink "/proc/self/ns/$kind"
	like "$STATUS $OUT" "^0 $kind:" "--unshare-$kind is done"
	refutes "and makes a namespace" same "$kind"
	bw readlink "/proc/self/ns/$kind"
	ok "without it that is the caller's" same "$kind"
done
bw readlink /proc/self/ns/user
if is_root; then
	ok "root gets no user namespace by itself" same user
	bw --unshare-user readlink /proc/self/ns/user
	refutes "and one with --unshare-user" same user
	bw --uid 5 true
	is "$ERR" "bwrap: Specifying --uid requires --unshare-user or --userns" "ids need it"
	bw grep CapEff: /proc/self/status
	is "$OUT" "$(grep CapEff: /proc/self/status)" "its capabilities stay"
	bw --cap-drop ALL grep CapEff: /proc/self/status
	like "$OUT" '0000000000000000' "and go with --cap-drop ALL"
	run setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$NSBOX" --bwrap --ro-bind / / id -u
	is "$STATUS $OUT" "0 0" "uid 0 that may not mount takes a user namespace"
	run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+net_bind_service \
		--ambient-caps=+net_bind_service "$NSBOX" --bwrap --ro-bind / / grep -E 'CapPrm|CapAmb' /proc/self/status
	is "$(xargs <<<"$OUT")" "CapPrm: 0000000000000000 CapAmb: 0000000000000000" "ambient capabilities are dropped"
else
	refutes "an ordinary user gets a user namespace" same user
	bw grep -E 'Cap(Prm|Bnd)' /proc/self/status
	is "$(xargs <<<"$OUT")" "CapPrm: 0000000000000000 CapBnd: 0000000000000000" "and no capabilities"
	bw --uid 5 id -u
	is "$OUT" 5 "--uid counts"
fi
bw --unshare-user --uid 0 --gid 7 --dev /dev sh -c 'id -u; id -g'
is "$(xargs <<<"$OUT")" "0 7" "ids inside are what was asked for"
bw --unshare-user --cap-drop ALL --cap-add CAP_NET_ADMIN grep CapAmb: /proc/self/status
like "$OUT" '0000000000001000' "--cap-add keeps one"
bw --unshare-user --cap-add CAP_NONE true
is "$STATUS $ERR" "1 bwrap: unknown cap: CAP_NONE" "a capability that is none is refused"
bw --unshare-uts --hostname inside uname -n
is "$OUT" inside "--hostname counts"
bw --unshare-net sh -c 'sed 1,2d /proc/net/dev | cut -d: -f1'
like "$(xargs <<<"$OUT")" '^lo( |$)' "a new network has loopback"

bw --unshare-user --disable-userns unshare -U true
isnt "$STATUS" 0 "--disable-userns forbids user namespaces"
bw --unshare-user unshare -U true
status_is 0 "which are to be had otherwise"
bw --unshare-user --disable-userns --assert-userns-disabled true
status_is 0 "--assert-userns-disabled sees it"
bw --assert-userns-disabled true
is "$STATUS $ERR" "1 bwrap: creation of new user namespaces was not disabled as requested" "and refuses without"

# A user namespace that somebody else made, or maps.
if unshare -Ur true 2>/dev/null; then
	unshare -Ur sleep 30 &
	other=$!
	is_mapped() {
		[ "$(readlink "/proc/$other/ns/user")" != "$(readlink /proc/self/ns/user)" ] &&
			grep -q . "/proc/$other/uid_map" && grep -q . "/proc/$other/gid_map"
	}
	wait_until 20 is_mapped || not_ok "the other namespace is made"
	want=$(readlink "/proc/$other/ns/user")
	bw --userns 7 --uid 0 --gid 0 readlink /proc/self/ns/user 7<"/proc/$other/ns/user"
	is "$OUT" "$want" "--userns uses the namespace that is handed over"
	bw --userns 7 true 7</dev/null
	like "$ERR" '^bwrap: Joining specified user namespace failed: ' "and refuses what is none"
	kill $other
	mkfifo "$T/maps" "$T/info"
	"$NSBOX" --bwrap --ro-bind / / --unshare-user --uid 3 --gid 3 --userns-block-fd 7 --info-fd 8 id -u \
		7<>"$T/maps" 8<>"$T/info" >"$T/out" 2>"$T/err" &
	pid=$(sed -n '/child-pid/{s/.*: \([0-9]*\).*/\1/p;q}' "$T/info")
	echo deny >"/proc/$pid/setgroups"
	echo "3 $(id -u) 1" >"/proc/$pid/uid_map"
	echo "3 $(id -g) 1" >"/proc/$pid/gid_map"
	echo >"$T/maps"
	wait $!
	is "$? $(cat "$T/out" "$T/err")" "0 3" "--userns-block-fd lets the caller write the id maps"
else
	not_for "user namespaces of others" "there are none"
fi

# A process tree that somebody else made.
"$NSBOX" --bwrap --ro-bind / / --unshare-user --unshare-pid --info-fd 9 sleep 60 9>"$T/other" &
is_known() {
	pid=$(sed -n 's/.*"child-pid": \([0-9]*\).*/\1/p' "$T/other") && [ -n "$pid" ] && grep -q . "/proc/$pid/uid_map"
}
wait_until 20 is_known || not_ok "the other sandbox is made"
for options in "" --unshare-pid; do
	# shellcheck disable=SC2086 # a word or none
	bw --userns 7 --pidns 8 --proc /proc --json-status-fd 9 $options sh -c 'readlink /proc/self/ns/pid; cat /proc/1/comm; exit 4' \
		7<"/proc/$pid/ns/user" 8<"/proc/$pid/ns/pid" 9>"$T/status"
	if [ -z "$options" ]; then
		is "$STATUS $(xargs <<<"$OUT")" "4 $(readlink "/proc/$pid/ns/pid") nsbox" "--pidns uses the tree that is handed over"
	else
		like "$STATUS $(xargs <<<"$OUT")" '^4 pid:\[[0-9]+\] nsbox$' "and makes one below it with --unshare-pid"
		refutes "which is another" test "$(head -1 <<<"$OUT")" = "$(readlink "/proc/$pid/ns/pid")"
	fi
	is "$(sed -n 's/.*"exit-code": //p' "$T/status")" "4 }" "the status is told${options:+ ($options)}"
done
bw --pidns 8 true 8</dev/null
like "$ERR" '^bwrap: Setting pidns failed: ' "what is none is refused"
kill -9 "$pid"

# Inside each other.
bw --unshare-all --unshare-user --proc /proc --dev /dev "$NSBOX" --bwrap --unshare-user --unshare-net --ro-bind / / \
	--dev /dev echo nested
is "$STATUS $OUT" "0 nested" "a sandbox can be made in a sandbox"

done_testing
