# What the command sees: nothing but the standard places and what was shown to it.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

links=''
for link in bin lib lib32 lib64 libx32 sbin; do
	[ ! -L "/$link" ] || [[ $(readlink -f "/$link") != /usr/* ]] || links="$links $link"
done
sorted() {
	tr ' ' '\n' <<<"$*" | sed '/^$/d' | sort | xargs
}

# The root
nsbox --ro /usr -- ls -A /
is "$(xargs <<<"$OUT")" "$(sorted "$links dev proc tmp usr work")" "/ holds the standard places and what was bound"
report_is 'layer("root").state == "applied" and layer("root").asked == "required"' "the report says so"
isnt "$(xargs <<<"$(ls -A /)")" "$(xargs <<<"$OUT")" "the host's / holds more"
for link in $links; do
	nsbox --ro /usr -- readlink "/$link"
	is "$OUT" "$(readlink "/$link")" "the link /$link is recreated"
done
nsbox --ro /usr -- ls -A /dev
is "$(xargs <<<"$OUT")" "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero" "/dev is minimal"
for path in /home /root /etc /sys /var /run /boot "$HOME" "$T" "$NSBOX"; do
	nsbox --ro /usr -- sh -c "test -e '$path' || test -L '$path'"
	status_is 1 "$path is not there"
done
nsbox --ro /usr -- sh -c 'touch /new; mkdir /dev/new; echo x >/usr/bin/env; touch /dev/new; mkdir /usr/new'
is "$(grep -c 'Read-only file system' <<<"$ERR")" 5 "/, /dev and /usr cannot be written"
nsbox --ro /usr -- sh -c 'touch /work/new /tmp/new /dev/shm/new && echo x >/dev/null && head -c 3 /dev/zero | wc -c'
is "$STATUS $OUT" "0 3" "the scratch can, and devices work"
report_is 'layer("read-only") | .state == "applied" and (.evidence | contains("/usr"))' "the report names /usr"

# --ro: links on the way, files, folders
mkdir -p "$T/real/deep" "$T/other"
echo content >"$T/real/deep/file"
echo other >"$T/real/neighbour"
ln -s real "$T/first"
ln -s first/deep "$T/second"
ln -s "$T/second/file" "$T/absolute"
nsbox --ro /usr --ro "$T/second" -- sh -c "cd '$T' && readlink first second && cat second/file first/deep/file real/deep/file"
is "$(xargs <<<"$OUT")" "real first/deep content content content" "links on the way are recreated"
nsbox --ro /usr --ro "$T/second" -- ls -A "$T/real"
is "$OUT" deep "nothing beside the source is shown"
nsbox --ro /usr --ro "$T/absolute" -- sh -c "cat '$T/absolute' && ls -A '$T/real/deep'"
is "$(xargs <<<"$OUT")" "content file" "a link to a file shows the file"
nsbox --ro /usr --ro "$T/real/deep/file" -- sh -c "cat '$T/real/deep/file'; echo more >>'$T/real/deep/file'"
is "$OUT" content "--ro of a file shows it"
like "$ERR" 'Read-only file system' "and it cannot be written"
is "$(<"$T/real/deep/file")" content "the host's file is as it was"
nsbox --ro /usr --ro "$T/real/deep/file" --ro "$T/real/neighbour" -- ls -A "$T/real"
is "$(xargs <<<"$OUT")" "deep neighbour" "two of one folder are shown, and no others"
nsbox --ro /usr --ro "$T/first/../first/./deep//" -- cat "$T/real/deep/file"
status_is 125 "--ro of a path that goes up is refused"
nsbox --ro /usr --ro "$T/no/such" -- true
status_is 125 "--ro of what does not exist is refused"
like "$ERR" "^nsbox: --ro .*$T/no/such.*ENOENT" "the message names option, path and errno"
report_is '.end.reason != "exited" and (.confinement_applied | not) and .end.errno == "ENOENT"' "the report too"

# --rw
nsbox --ro /usr --rw "$T/other" -- sh -c "echo inside >'$T/other/new'"
status_is 0 "--rw can be written"
is "$(<"$T/other/new")" inside "and it reaches the host"
nsbox --ro /usr --ro "$T/other" -- sh -c "echo denied >'$T/other/new'; rm '$T/other/new'; echo x >'$T/other/newer'"
is "$(grep -c 'Read-only file system' <<<"$ERR")" 3 "the same with --ro cannot"
is "$(<"$T/other/new")" inside "and nothing reaches the host"

# --ro /
marker=$(mktemp /tmp/nsbox-view.XXXXXX)
for option in "--ro /" "--ro-bind / /"; do
	# shellcheck disable=SC2086 # several words
	nsbox $option -- sh -c "ls -A /tmp /work /dev/shm; test -e /sys && echo sys; test -e '$marker' && echo marker; ls -d /etc"
	is "$(xargs <<<"$OUT")" "/dev/shm: /tmp: /work: /etc" "$option shows the root, with own /tmp and /work, without /sys"
	# shellcheck disable=SC2086 # several words
	nsbox $option -- sh -c 'for pid in /proc/[0-9]*; do echo; done; ls /dev'
	is "$(xargs <<<"$OUT")" "fd full null ptmx pts random shm stderr stdin stdout tty urandom zero" "$option has a /dev of its own"
	[ "$(grep -c '^$' <<<"$OUT")" -le 4 ]
	is $? 0 "$option has a /proc of its own"
	# shellcheck disable=SC2086 # several words
	nsbox $option -- sh -c "touch /new /etc/new '$T/new'"
	is "$(grep -c -e 'Read-only file system' -e 'Permission denied' <<<"$ERR")" 3 "$option cannot be written"
done
refutes "nothing was made on the host" test -e "$T/new"
nsbox --ro / -- cat "$T/real/neighbour"
is "$OUT" other "--ro / shows files of the host"
rm -f "$marker"
nsbox --ro / --rw "$T/other" -- sh -c "echo again >'$T/other/new' && echo x >'$T/x'"
like "$ERR" 'Read-only file system' "--rw below --ro / leaves the rest read-only"
is "$(<"$T/other/new")" again "and can be written"

# Nothing at all
nsbox -- /usr/bin/true
status_is 127 "without any option there is no program"
report_is '.end.reason == "exec-failed" and layer("root").state == "applied"' "in a sandbox that was complete"
done_testing
