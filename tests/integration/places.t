# Odd places to be started from: the sandbox is the same, or nsbox says why there is none.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr -- "$@"
}

# refuses NAME PATTERN: what was just run did not run the command, and said why.
refuses() {
	is "$STATUS $OUT" '125 ' "$1: 125, and the command does not run"
	like "$ERR" "^nsbox: .*$2" "$1: the message says why"
}

nested=yes
unshare -Urm true 2>/dev/null || nested=''

# As pid 1 of a pid namespace, as in a container.
run unshare -Urpf --mount-proc "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'sleep 8.1 & exit 3'
if [ "$nested" ]; then
	status_is 3 "as pid 1 the status is the command's"
	report_is '.confinement_applied and .teardown.confirmed' "as pid 1 all is confirmed"
else
	skip "as pid 1" "user namespaces cannot be nested here"
fi

# In another nsbox.
nsbox --ro / --ro-bind "$NSBOX" /tmp/nsbox -- /tmp/nsbox --ro /usr -- sh -c 'echo inner; exit 4'
if [ "$STATUS" = 4 ]; then
	is "$OUT" inner "in another nsbox it works"
else
	refuses "in another nsbox" '(EPERM|ENOSPC|EACCES|proc)'
fi

# In a chroot no user namespace can be had.
if is_root; then
	mkdir "$T/root"
	# shellcheck disable=SC2016 # the inner shell expands
	run unshare -m sh -c 'mount --bind / "$1" && mount --rbind /proc "$1/proc" && shift && exec "$@"' - "$T/root" \
	    chroot "$T/root" "$NSBOX" --backend namespaces --ro /usr -- sh -c 'echo ran'
	refuses "in a chroot" '.*chroot'
else
	not_for "in a chroot" "only root can make one"
fi

# Without a /proc, and with one that is masked, as in containers.
if is_root; then
	run unshare -m sh -c 'umount -l /proc && exec "$@"' - "$NSBOX" --ro /usr -- sh -c 'echo ran'
	refuses "without a /proc" '/proc'
	run unshare -mpf --mount-proc sh -c 'mount -t tmpfs none /proc/sys && exec "$@"' - \
	    setpriv --reuid=65534 --regid=65534 --clear-groups "$NSBOX" --backend namespaces --ro /usr -- sh -c 'echo ran'
	refuses "with a masked /proc" '.*EPERM.*mask.*'
	unlike "$ERR" '^nsbox: Operation not permitted' "the message is not a blank one"
else
	not_for "without a /proc" "only root can unmount it"
	not_for "with a masked /proc" "only root can mask it"
fi

# As cron has it: no environment, no input; and with no standard streams at all.
run env -i "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'echo "$HOME $PATH"' <&-
is "$STATUS $OUT" '0 /work /usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin' \
    "without an environment and with standard input closed"
"$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'exit 5' <&- >&- 2>&-
is $? 5 "with all standard streams closed"
run env -u HOME "$NSBOX" --ro /usr -- sh -c 'echo "$HOME"'
is "$OUT" /work "with HOME unset"

# In a folder that is gone.
mkdir "$T/gone"
OUT=$(cd "$T/gone" && rmdir "$T/gone" && exec timeout -s KILL 20 "$NSBOX" --ro /usr -- pwd 2>&1)
is "$OUT" /work "in a folder that was removed"
mkdir "$T/gone"
OUT=$(cd "$T/gone" && rmdir "$T/gone" && exec timeout -s KILL 20 "$NSBOX" --ro /usr --ro-bind ./x /x -- echo ran 2>&1)
is "$? ${OUT%%:*}" '125 nsbox' "a relative path there is refused"

# The file mask is the caller's; what nsbox makes does not depend on it.
modes=''
for mask in 0022 0000 0077 0777; do
	OUT=$(umask "$mask" && exec "$NSBOX" --ro /usr --dir /d/e -- \
	    sh -c 'umask; stat -c %a /d /d/e /work /tmp /dev/null' 2>&1)
	is "${OUT%%$'\n'*}" "$mask" "the command has the caller's file mask $mask"
	[ -n "$modes" ] || modes=${OUT#*$'\n'}
	is "${OUT#*$'\n'}" "$modes" "what nsbox makes has the same modes with $mask"
done

# Few descriptors, few processes.
run prlimit --nofile=16 "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'ulimit -n; exit 6'
is "$STATUS $OUT" '6 16' "with 16 descriptors it works, and the command has the limit"
report_is '.confinement_applied' "and all is confirmed"
run prlimit --nofile=4 "$NSBOX" --ro /usr -- sh -c 'echo ran'
is "$STATUS $OUT" '125 ' "with four it is refused"
like "$ERR" 'EMFILE' "and the message names EMFILE"

# 64 at once, each with its own input, output and scratch.
for ((i = 0; i < 64; i++)); do
	echo "input $i" | timeout -s KILL 60 "$NSBOX" --quiet --ro /usr -- \
	    sh -c "cat >/work/file; sleep 0.1; cat /work/file; ls /work | wc -l; exit $i" >"$T/parallel.$i" 2>&1 &
	pids[i]=$!
done
wrong=''
for ((i = 0; i < 64; i++)); do
	wait "${pids[i]}"
	[ "$? $(tr '\n' ' ' <"$T/parallel.$i")" = "$i input $i 1 " ] || wrong+=" $i: $(cat "$T/parallel.$i")"
done
is "$wrong" '' "64 at once do not get into each other's way"

# 300 in a row leave nothing.
mkdir "$T/tmp"
mounts=$(wc -l </proc/self/mountinfo)
files=$(find "$T/tmp" | wc -l)
before=$(pgrep -cx 'nsbox|nsbox-init')
bad=0
for ((i = 0; i < 300; i++)); do
	TMPDIR=$T/tmp "$NSBOX" --ro /usr -- true || bad=$((bad + 1))
done
is "$bad" 0 "300 in a row all work"
is "$(wc -l </proc/self/mountinfo)" "$mounts" "they leave no mount"
is "$(find "$T/tmp" | wc -l)" "$files" "they leave no file"
none_left() {
	[ "$(pgrep -cx 'nsbox|nsbox-init')" -le "$before" ]
}
ok "they leave no process" wait_until 10 none_left

done_testing
