# What is mounted below the source of a bind is shown with it and as read-only as it is; what
# is mounted there later does not appear. Each test has a mount namespace of its own.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

export T NSBOX
own=(unshare --mount)
is_root || own=(unshare --user --map-root-user --mount)
run "${own[@]}" mount -t tmpfs none /mnt
[ "$STATUS" = 0 ] || skip_all "nothing can be mounted here, even in a mount namespace: $ERR"

# with_mounts SCRIPT: runs it in a folder below which something is mounted, as a mount that
# passes on what is mounted below it later. `show WORDS -- ARG ...` runs sh with these arguments
# in what $START starts.
cat >"$T/prelude" <<'END'
set -e
cd "$T"
mkdir -p base
mount -t tmpfs none base
mkdir -p base/sub base/later
mount -t tmpfs none base/sub
mount -t tmpfs none base/sub
echo sub >base/sub/file
mount --make-rshared base
# tell and wait: one line each way
rm -f go ready
mkfifo go ready
exec 7<>go 8<>ready
END
with_mounts() {
	{ cat "$T/prelude"; cat; } >"$T/script"
	run "${own[@]}" sh "$T/script"
}

with_mounts <<'END'
"$NSBOX" --report .report.json --ro /usr --ro-bind base /in -- sh -c 'cat /in/sub/file; echo x >/in/sub/file; touch /in/sub/new /in/new'
END
is "$OUT" sub "what is mounted below a source is shown"
is "$(grep -c 'Read-only file system' <<<"$ERR")" 3 "and is as read-only as the bind"
report_is 'layer("read-only") | .state == "applied" and (.evidence | contains("/in"))' "the report says so"

with_mounts <<'END'
"$NSBOX" --report .report.json --ro /usr --bind base /in -- sh -c 'echo inside >/in/sub/file; touch /in/new'
cat base/sub/file
test -e base/new && echo made
END
is "$(xargs <<<"$OUT")" "inside made" "below --bind both can be written, and it reaches the host"

# undo: tries to make what is read-only writable, then says what is in the file.
# shellcheck disable=SC2016 # meant for the shell inside
undo='umount /in/sub; umount -l /in/sub; for m in /in /in/sub /usr; do mount -o remount,rw,bind $m; done; echo x >/in/sub/file; cat /in/sub/file'
with_mounts <<END
"\$NSBOX" --ro /usr --uid 0 --ro-bind base /in -- sh -c '$undo'
"\$NSBOX" --allow-userns --ro /usr --uid 5 --gid 5 --ro-bind base /in -- unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /tmp && echo tmp; $undo'
END
is "$(xargs <<<"$OUT")" "sub tmp sub" "it cannot be made writable from inside, not even in a namespace of the command's own"
with_mounts <<END
"\$NSBOX" --ro /usr --uid 0 --cap-add CAP_SYS_ADMIN --ro-bind base /in -- sh -c 'mount -t tmpfs none /tmp && echo tmp; $undo'
cat base/sub/file
END
is "$(xargs <<<"$OUT")" "tmp sub sub" "nor with CAP_SYS_ADMIN, which counts towards the sandbox and never the host"

# What the host mounts later, with and without nsbox. The program inside says that it is ready
# and waits; then the mount is made, and the program looks.
# shellcheck disable=SC2016 # meant for the shell inside
look='cat "$0/sub/file"; echo ready >&8; read -r line <&7; cat "$0/later/file" 2>/dev/null; grep -c "$0/later" /proc/self/mountinfo'
with_mounts <<END
"\$NSBOX" --report .report.json --ro /usr --pass-fd 7 --pass-fd 8 --ro-bind base /in -- sh -c '$look' /in &
read -r line <&8
mount -t tmpfs none base/later
echo later >base/later/file
echo go >&7
wait
END
is "$(xargs <<<"$OUT")" "sub 0" "what the host mounts later does not appear"
with_mounts <<END
unshare --mount --propagation slave sh -c '$look' "\$PWD/base" &
read -r line <&8
mount -t tmpfs none base/later
echo later >base/later/file
echo go >&7
wait
END
is "$(xargs <<<"$OUT")" "sub later 1" "in a mount namespace that is not private, it does"

# A mount inside does not reach the host either.
with_mounts <<'END'
"$NSBOX" --report .report.json --ro /usr --uid 0 --cap-add CAP_SYS_ADMIN --bind base /in -- sh -c 'mount -t tmpfs none /in/later && touch /in/later/inside && ls /in/later'
ls base/later
END
is "$(xargs <<<"$OUT")" inside "what is mounted inside does not appear on the host"
report_is 'layer("mount-namespace") | .state == "applied" and .by == "CLONE_NEWNS"' "the report names the mount namespace"

# Covered mounts: what a later mount hides on the host stays hidden.
with_mounts <<'END'
mkdir base/secret
mount -t tmpfs none base/secret
echo secret >base/secret/file
mount -t tmpfs none base/secret
"$NSBOX" --ro /usr --ro-bind base /in -- sh -c 'umount /in/secret 2>/dev/null; ls /in/secret'
END
is "$STATUS $OUT" "0 " "what a mount of the host covers stays covered"
done_testing
