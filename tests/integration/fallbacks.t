# Older kernels and containers: without a newer call the sandbox is the same; without one that nothing can replace
# there is none, and nsbox says why.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

deny=$NSBOX_BUILDDIR/tests/integration/helpers/deny
[ -x "$deny" ] || skip_all "$deny was not built"
"$deny" EPERM:sethostname -- true || skip_all "system call filters cannot be installed here"
mounts=$(wc -l </proc/self/mountinfo)

# What is shown: a file and a folder to write, one that is a link on the way, and one that is not to be written.
mkdir -p "$T/host/rw" "$T/host/ro" "$T/real/inner"
ln -s real "$T/link"
echo old >"$T/host/ro/file"
echo inner >"$T/real/inner/file"
options=(--ro /usr --rw "$T/host/rw" --ro "$T/host/ro" --ro "$T/link/inner"
    --ro-bind "$T/real" /a/b/c --tmpfs /t --mask "$T/host/ro/file")
cat >"$T/script" <<END
fails() { if "\$@" 2>/dev/null; then echo "works, and must not: \$*"; fi; }
works() { "\$@" 2>&1 || echo "fails, and must not: \$*"; }
errno() { LC_ALL=C; "\$@" 2>&1 | grep -q 'Read-only file system' || echo "not EROFS: \$*"; }
errno touch /usr/new /new $T/host/ro/new /a/b/c/new $T/link/inner/new /usr/share/new
errno mkdir /a/new
works touch $T/host/rw/new /work/new /tmp/new /dev/shm/new /t/new
works test "\$(cat $T/link/inner/file)" = inner
works test "\$(readlink $T/link)" = real
works test "\$(cat /a/b/c/inner/file)" = inner
works test "\$(cat $T/host/ro/file)" = ''
works test -c /dev/null
works test -c /dev/full
works sh -c 'echo x >/dev/null'
fails test -e /sys
fails test -e /etc
works test "\$(readlink /proc/self/root)" = /
works test "\$(cat /proc/1/comm)" = nsbox-init
works test "\$(ls /proc | grep -c '^[0-9]')" -le 5
fails sh -c 'echo x >/proc/sys/kernel/hostname'
works test "\$(uname -n)" = nsbox
works test "\$(ls /proc/self/fd | wc -l)" = 4
works test "\$(pwd)" = /work
grep -v '^[^ ]* [^ ]* [^ ]* [^ ]* [^ ]* [^ ]*nosuid' /proc/self/mountinfo | sed 's/^/not nosuid: /'
grep -E '(shared|master):' /proc/self/mountinfo | sed 's/^/not private: /'
echo end
END

# same NAME WORD ...: with these calls denied (none: nothing) the sandbox is as promised.
same() {
	local name=$1
	shift
	rm -f "$T/host/rw/new"
	run "$deny" "$@" -- "$NSBOX" --backend namespaces --report "$REPORT_FILE" "${options[@]}" -- sh -s <"$T/script"
	is "$STATUS $OUT" '0 end' "$name: the view is as promised"
	ok "$name: what was written is on the host" [ -f "$T/host/rw/new" ]
	report_is '.confinement_applied and ([.layers[] | select(.asked == "required") | .state] | unique == ["applied"])' \
	    "$name: everything that is required was confirmed"
	report_is '.end.reason == "exited" and .teardown.confirmed' "$name: the end is as promised"
	run "$deny" "$@" -- "$NSBOX" --backend namespaces --report "$REPORT_FILE" --ro /usr --pass-fd 9 -- \
	    sh -c 'cat <&9; ls /proc/self/fd | wc -l' 9<<<given 8</dev/null 200</dev/null
	is "$OUT" $'given\n5' "$name: descriptors are closed but the one that is passed"
}

mount_calls=fsopen,fsconfig,fsmount,open_tree,move_mount
same "with every call"
same "without clone3" ENOSYS:clone3
report_is 'layer("time-namespace") | .state == "applied" or (.state == "skipped" and .reason != null)' \
    "without clone3: what became of the time namespace is told"
same "without openat2" ENOSYS:openat2
same "without close_range" ENOSYS:close_range
report_is 'layer("descriptors").by != "close_range"' "without close_range: the report does not claim it"
same "without mount_setattr" ENOSYS:mount_setattr
report_is 'layer("read-only").by != "mount_setattr"' "without mount_setattr: the report does not claim it"
same "without the new mount calls" "ENOSYS:$mount_calls"
same "without the new mount calls and mount_setattr" "ENOSYS:$mount_calls,mount_setattr"
same "without fsopen" ENOSYS:fsopen
same "without open_tree" ENOSYS:open_tree
same "without move_mount" ENOSYS:move_mount
same "without pidfd_open" ENOSYS:pidfd_open
same "as on Linux 4.19" "ENOSYS:clone3,openat2,close_range,mount_setattr,pidfd_open,$mount_calls"

# What is mounted below what is shown read-only is read-only too, also mount by mount. A mount of our own
# needs privilege of our own.
for words in '' ENOSYS:mount_setattr "ENOSYS:$mount_calls,mount_setattr,openat2"; do
	mkdir -p "$T/tree/sub"
	# shellcheck disable=SC2016,SC2086 # the inner shell expands; no word or one
	run unshare -Urm sh -c 'mount -t tmpfs none "$1/sub" && shift && exec "$@"' - "$T/tree" \
	    "$deny" $words -- "$NSBOX" --backend namespaces --ro /usr --ro-bind "$T/tree" /tree --bind "$T/tree" /rw -- \
	    sh -c 'touch /tree/sub/x; touch /rw/sub/y && ls /rw/sub'
	if [[ $ERR == unshare:* ]]; then
		skip "submounts are read-only (${words:-every call})" "user namespaces cannot be nested here"
		continue
	fi
	is "$OUT" y "a mount below a writable bind is writable (${words:-every call})"
	like "$ERR" '/tree/sub/x.*Read-only' "one below a read-only bind is not (${words:-every call})"
done

# refused NAME PATTERN WORD ...: 125, the message matches, nothing ran and nothing is left.
refused() {
	local name=$1 pattern=$2
	shift 2
	run "$deny" "$@" -- "$NSBOX" --backend namespaces --report "$REPORT_FILE" "${options[@]}" -- sh -c 'echo ran'
	is "$STATUS $OUT" '125 ' "$name: 125, and the command does not run"
	like "$ERR" "^nsbox: $pattern" "$name: the message says what is wrong"
	is "$(wc -l <<<"$ERR")" 1 "$name: in one line"
	report_is '(.end.reason == "refused" or .end.reason == "setup-failed") and (.confinement_applied | not)' \
	    "$name: the report says so"
	report_is '.end.code == null and .end.errno != null and .end.stage != null' \
	    "$name: with errno and stage"
}

remedy='[.layers[] | select(.state == "refused" and .errno != null and .reason != null and .remedy != null)] | length >= 1'
refused "no new process" '.*EPERM.*(refuses|filter).*' EPERM:clone3,clone
report_is "$remedy" "no new process: cause and remedy are in the report's layer"
refused "a container's filter" '.*EPERM.*seccomp profile' ENOSYS:clone3 EPERM:clone-new,unshare,mount
report_is "$remedy" "a container's filter: cause and remedy are in the report's layer"
report_is 'layer("user-namespace") | .state == "refused" and .errno == "EPERM"' \
    "a container's filter: it is the user namespace that is refused"
refused "clone hidden" '.*ENOSYS' ENOSYS:clone3,clone
report_is "$remedy" "clone hidden: cause and remedy are in the report's layer"
refused "no pivot_root" '.*(root).*EPERM' EPERM:pivot_root
refused "no mount at all" '.*EPERM' "EPERM:mount,$mount_calls,mount_setattr"
refused "no new file systems" '.*EPERM' EPERM:mount,fsopen
refused "no umount" '.*EPERM' EPERM:umount2
refused "no host name" '.*EPERM' EPERM:sethostname
refused "a mount call that fails otherwise" '.*ENOMEM' ENOMEM:move_mount
is "$(wc -l </proc/self/mountinfo)" "$mounts" "nothing is left mounted"

# Where a call is forbidden and not missing, nothing less is done in silence.
run "$deny" EPERM:mount_setattr -- "$NSBOX" --backend namespaces --report "$REPORT_FILE" --ro /usr -- sh -c 'touch /usr/.nsbox-new'
if [ "$STATUS" = 125 ]; then
	ok "a forbidden mount_setattr is refused"
else
	like "$ERR" 'Read-only' "a forbidden mount_setattr makes nothing writable"
fi

# The administrator allows no user namespaces.
run unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' - \
    "$NSBOX" --backend namespaces --report "$REPORT_FILE" --ro /usr -- sh -c 'echo ran'
if [[ $ERR == unshare:* ]]; then
	skip "no user namespaces allowed" "user namespaces cannot be nested here"
else
	is "$STATUS $OUT" '125 ' "no user namespaces allowed: 125, and the command does not run"
	like "$ERR" 'ENOSPC.*max_user_namespaces' "the message names errno and the setting"
	report_is 'layer("user-namespace") | .state == "refused" and .errno == "ENOSPC" and (.remedy | contains("max_user_namespaces"))' \
	    "the report names them in the layer"
fi

done_testing
