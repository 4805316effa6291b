# bubblewrap's operations on the file system: each in its place, in the order as written.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

bw() {
	run "$NSBOX" --bwrap "$@"
}

# What makes programs run, without the host's root.
runtime=(--ro-bind /usr /usr)
for link in bin lib lib64; do
	[ ! -L "/$link" ] || runtime+=(--symlink "$(readlink "/$link")" "/$link")
done

mkdir -p "$T/w/sub" "$T/r"
echo word >"$T/r/file"
ln -s sub "$T/w/link"
ln -s /etc "$T/w/absolute"

bw --ro-bind / / sh -c "cat '$T/r/file'; echo x >'$T/r/new'"
is "$OUT" word "--ro-bind shows the host"
refutes "and nothing is written through it" test -e "$T/r/new"
bw --ro-bind / / --bind "$T/r" "$T/r" sh -c "echo x >'$T/r/new'"
ok "--bind lets it be written" test -s "$T/r/new"
bw "${runtime[@]}" sh -c 'ls -A / | grep -v -e "^bin$" -e "^lib"'
is "$OUT" usr "nothing is there that was not named"

bw "${runtime[@]}" --bind "$T/r" /o --tmpfs /o ls -A /o
is "$STATUS $OUT" "0 " "what comes later covers what came before"
bw "${runtime[@]}" --tmpfs /o --ro-bind "$T/r/file" /o/f ls -A /o
is "$OUT" f "and not the other way round"
bw "${runtime[@]}" --tmpfs /etc --ro-bind /etc/passwd /etc/passwd ls -A /etc
is "$OUT" passwd "a source is the host's, also where it is covered inside"

# --- Destinations
bw "${runtime[@]}" --bind "$T/w" /w --tmpfs /w/link true
is "$STATUS $ERR" "1 bwrap: Can't mount on symlink destination /w/link" "a destination that is a link is refused"
bw "${runtime[@]}" --bind "$T/w" /w --dir /w/link/made ls /w/sub
is "$OUT" made "a link above it is followed inside"
bw "${runtime[@]}" --bind "$T/w" /w --dir /w/absolute/nsbox-made true
is "$STATUS $ERR" "1 bwrap: Can't mkdir parents for /w/absolute/nsbox-made: No such file or directory" \
	"and never to the host"
refutes "where nothing was made" test -e /etc/nsbox-made
bw "${runtime[@]}" --proc /proc --dir /m --symlink /proc/self/root /m/l --dir /m/l/made true
is "$STATUS $ERR" "1 bwrap: Can't mkdir parents for /m/l/made: Too many levels of symbolic links" \
	"a magic link is refused"
bw "${runtime[@]}" --dir relative/x --dir /a/../b sh -c 'ls -d /relative/x /a /b'
is "$STATUS" 0 "a destination is relative to the new root, and .. stays in it"
bw "${runtime[@]}" --ro-bind /etc/passwd /p/q/file stat -c %a /p /p/q
is "$(xargs <<<"$OUT")" "755 755" "folders on the way are made 0755"
bw "${runtime[@]}" --perms 0700 --dir /p/q stat -c %a /p /p/q
is "$(xargs <<<"$OUT")" "700 700" "and as --perms says where it keeps others out"
bw "${runtime[@]}" --ro-bind "$T/r" /etc/x --ro-bind "$T/r/file" /etc/x/none true
like "$ERR" '^bwrap: .*/etc/x/none: Read-only file system$' "nothing is made below a read-only bind"
bw --bind / / --dir "$T/r/file" true
is "$ERR" "bwrap: Destination is not a directory $T/r/file" "a file is no folder"

# --- Sources
bw "${runtime[@]}" --ro-bind-try "$T/none" /n sh -c 'test ! -e /n'
is "$STATUS" 0 "-try skips a source that is not there"
bw "${runtime[@]}" --bind "$T/w" /w --dir /w/early --bind "$T/none" /n true
is "$STATUS $ERR" "1 bwrap: Can't find source path $T/none: No such file or directory" "without it the run ends"
refutes "before anything is made" test -e "$T/w/early"
bw "${runtime[@]}" --ro-bind-try "$T/r/file/x" /n true
is "$ERR" "bwrap: Can't find source path $T/r/file/x: Not a directory" "-try is about that alone"
bw "${runtime[@]}" --ro-bind-fd 7 /d ls /d 7<"$T/w"
is "$STATUS $(xargs <<<"$OUT")" "0 absolute link sub" "a descriptor is a source"

# However much is shown, what the sandbox is made on is in the way of nothing.
ln -s ../../../../../../../../../../etc/passwd "$T/up"
all=()
for folder in /sys /mnt /media /srv /opt /tmp; do
	[ ! -d "$folder" ] || all+=(--bind "$folder" "$folder")
done
bw "${runtime[@]}" "${all[@]}" --ro-bind "$T/up" /shown sh -c 'grep -c "^root:" /shown'
is "$STATUS $OUT" "0 1" "a link that climbs leads where it leads on the host"

# --- Files and folders
bw "${runtime[@]}" --file 6 /f --ro-bind-data 7 /d --symlink there /l sh -c 'cat /f /d; readlink /l; stat -c %a /f; echo x >/d' \
	6<<<one 7<<<two
is "$(xargs <<<"$OUT")" "one two there 666" "data comes from descriptors"
isnt "$STATUS" 0 "and what was asked to be read-only is"
bw "${runtime[@]}" --symlink x /s --symlink x /s readlink /s
is "$OUT" x "the same link twice is one"
bw "${runtime[@]}" --symlink x /s --symlink y /s true
is "$ERR" "bwrap: Can't make symlink at /s: existing destination is x" "another is refused"
bw "${runtime[@]}" --dir /d --chmod 0700 /d --perms 1750 --size 65536 --tmpfs /t sh -c 'stat -c %a /d /t; stat -fc %b:%S /t'
is "$(xargs <<<"$OUT")" "700 1750 16:4096" "--chmod, --perms and --size count"
bw "${runtime[@]}" --tmpfs /t --tmpfs /t/s --remount-ro /t sh -c '! echo 2>/dev/null >/t/x; echo >/t/s/x && echo sub'
is "$STATUS $OUT" "0 sub" "--remount-ro is about one mount"
bw "${runtime[@]}" --dir /q --remount-ro /q true
isnt "$STATUS" 0 "which has to be one"
bw "${runtime[@]}" --remount-ro / sh -c 'echo x >/x'
isnt "$STATUS" 0 "the root can be made read-only"
bw "${runtime[@]}" sh -c 'echo x >/x'
is "$STATUS" 0 "and is not by itself"

# --- Devices and processes
bw "${runtime[@]}" --dev /dev --unshare-pid --proc /proc \
	sh -c 'echo x >/dev/null && head -c1 /dev/zero | wc -c; readlink /dev/core; ls -d /dev/shm; cat /proc/1/comm'
is "$(xargs <<<"$OUT")" "1 /proc/kcore /dev/shm nsbox" "--dev and --proc are new"
bw --ro-bind / / --ro-bind /dev/null "$T/r/file" cat "$T/r/file"
isnt "$STATUS" 0 "a device is none below a plain bind"
bw --ro-bind / / --dev-bind /dev/null "$T/r/file" cat "$T/r/file"
is "$STATUS $OUT" "0 " "and works below --dev-bind"

# --- Overlays
bw "${runtime[@]}" --overlay-src "$T/r" --tmp-overlay /o sh -c 'cat /o/file; echo x >/o/made; ls /o'
is "$(xargs <<<"$OUT")" "word file made new" "--tmp-overlay can be written"
refutes "and the host does not see it" test -e "$T/r/made"

# --- Ways of older kernels do the same.
for way in openat mount-setattr; do
	bw "--debug-opt=force-$way-fallback" --ro-bind / / --bind "$T/w" "$T/w" --ro-bind "$T/r" "$T/w/sub" --tmpfs "$T/r" \
		sh -c "echo x >'$T/w/$way' && ! echo x 2>/dev/null >'$T/w/sub/file' && ! echo 2>/dev/null >/usr/x && ls -A '$T/r'"
	is "$STATUS $OUT" "0 " "the same with force-$way-fallback"
	ok "and a writable bind reaches the host" test -e "$T/w/$way"
done

# --- What the host mounts later stays out.
mkdir "$T/base"
# later PROGRAM WORD...: mounts something on a shared mount while the program runs, and prints what it sees.
later() {
	# shellcheck disable=SC2016 # meant for the shell inside
	run unshare -Urm sh -c 'base=$1; shift; mount -t tmpfs none "$base" && mount --make-shared "$base" &&
		mkdir "$base/later" && mkfifo "$base/ready" "$base/go" || exit
		"$@" sh -c "echo >\$0/ready; read x <\$0/go; ls -A \$0/later" "$base" &
		read x <"$base/ready"; mount -t tmpfs none "$base/later" && touch "$base/later/x" && echo >"$base/go"; wait' \
		- "$T/base" "$@"
}
if unshare -Urm true 2>/dev/null; then
	later "$NSBOX" --bwrap --ro-bind / /
	is "$STATUS $OUT" "0 " "what the host mounts later stays out"
	later env
	is "$STATUS $OUT" "0 x" "while others see it"
else
	not_for "what the host mounts later stays out" "no user namespaces"
fi

done_testing
