# Binds and what is made between them: each where it was asked for, in the order in which
# it was asked for, and never anything on the host.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

cd "$T" || exit 1
mkdir -p base/sub/deep empty
echo host >base/file
echo host >base/sub/file
N() {
	nsbox --ro /usr "$@"
}
# What is in the folders of this host that are bound here.
tree() {
	find base empty -printf '%y %m %s %T@ %p\n' | sort -k 5
}
before=$(tree)

# --ro-bind, --bind, --dev-bind and the -try forms
for option in --ro-bind --ro-bind-try; do
	N $option base /in -- sh -c 'cat /in/file /in/sub/file; echo x >/in/file; touch /in/new; mkdir /in/sub/new'
	is "$(xargs <<<"$OUT")" "host host" "$option shows the source at the destination"
	is "$(grep -c 'Read-only file system' <<<"$ERR")" 3 "$option cannot be written"
	report_is 'layer("read-only") | .state == "applied" and (.evidence | contains("/in"))' "$option is reported as read-only"
done
is "$(tree)" "$before" "the host's folders are as they were"
for option in --bind --bind-try --dev-bind --dev-bind-try; do
	rm -f empty/new
	N $option empty /out -- sh -c 'echo inside >/out/new'
	is "$STATUS $(cat empty/new)" "0 inside" "$option can be written, and it reaches the host"
done
rm -f empty/new
N --ro-bind ./base/../base/file /a/b/c/file -- cat /a/b/c/file
is "$OUT" host "a source can be relative, folders on the way to the destination are made"
N --ro-bind ./base/../base/file /a/b/c/file -- stat -c %a /a /a/b
is "$(xargs <<<"$OUT")" "755 755" "with mode 0755"
for option in --ro-bind-try --bind-try --dev-bind-try; do
	N $option no-such /in -- sh -c 'test -e /in'
	status_is 1 "$option of nothing is skipped"
done
for option in --ro-bind --bind --dev-bind; do
	N $option no-such /in -- touch "$T/ran"
	status_is 125 "$option of nothing is refused"
	like "$ERR" "^nsbox: $option .*no-such.*ENOENT" "the message names option, path and errno"
done
N --ro-bind-try base/file/below /in -- true
status_is 125 "a -try form skips what does not exist, and hides no other failure"
refutes "nothing ran" test -e ran

# Devices
N --dev-bind /dev/null /d/null -- sh -c 'echo x >/d/null'
status_is 0 "a device below --dev-bind works"
N --bind /dev/null /d/null -- sh -c 'echo x >/d/null'
like "$STATUS $ERR" '^[12] .*Permission denied' "the same below --bind does not"

# Order
N --tmpfs /x --ro-bind base /x/in -- cat /x/in/file
is "$OUT" host "a bind after a tmpfs is seen"
N --ro-bind base /x/in --tmpfs /x -- ls -A /x
is "$STATUS $OUT" "0 " "a tmpfs after a bind covers it"
N --ro-bind base /in --bind base/sub /in/sub -- sh -c 'echo rw >/in/sub/new; echo x >/in/new'
is "$(cat base/sub/new)" rw "what is writable below what is read-only can be written"
like "$ERR" 'Read-only file system' "and what is around it cannot"
report_is 'layer("read-only").state == "applied"' "the report confirms what is read-only"
rm -f base/sub/new
N --bind base /in --ro-bind base/sub /in/sub -- sh -c 'echo rw >/in/new; echo x >/in/sub/new; rm /in/sub/file'
is "$(cat base/new)" rw "what is around what is read-only can be written"
is "$(grep -c 'Read-only file system' <<<"$ERR")" 2 "what is read-only below what is writable cannot"
ok "and is as it was" test -e base/sub/file
rm -f base/new
N --bind base/sub /in/sub --ro-bind base /in -- sh -c 'echo x >/in/sub/file'
like "$ERR" 'Read-only file system' "a later bind covers an earlier one with another right"

# Places that are made
N --tmpfs /var/cache -- sh -c 'ls -A /var/cache; echo x >/var/cache/new; cat /var/cache/new; touch /var/new'
is "$OUT" x "--tmpfs is empty and writable"
like "$ERR" "/var/new.*Read-only file system" "what is around it is not"
N --dir /a/b --dir /usr --dir /a/b -- sh -c 'stat -c "%F %a" /a/b; ls -A /a/b; touch /a/b/new'
is "$OUT" "directory 755" "--dir makes an empty folder, and none where there is one"
like "$ERR" 'Read-only file system' "which is read-only as the root is"
N --symlink /usr/bin/env /a/link --symlink no/where /dangling -- readlink /a/link /dangling
is "$(xargs <<<"$OUT")" "/usr/bin/env no/where" "--symlink has the text that was given"
printf 'one\ntwo' >file
N --file file /etc/copy -- sh -c 'cat /etc/copy; echo x >/etc/copy'
is "$OUT" "$(<file)" "--file has the content of the file"
N --file file /work/copy -- sh -c 'chmod u+w /work/copy; echo changed >/work/copy; cat /work/copy'
is "$OUT $(xargs <file)" "changed one two" "--file is a copy: the host's file is never written"
N --file fd:7 /etc/copy -- cat /etc/copy 7<file
is "$OUT" "$(<file)" "--file fd:N has what the descriptor gives"
N --file fd:7 /etc/copy -- wc -c /etc/copy 7< <(head -c 300000 /dev/zero)
is "$OUT" "300000 /etc/copy" "also where that is a pipe with more than it holds at once"
N --file fd:7 /etc/copy -- sh -c 'cat <&7' 7<file
isnt "$STATUS" 0 "the descriptor itself is not passed on"
mkfifo fifo
for source in fifo base no-such fd:77 fd:x; do
	N --file $source /f -- touch "$T/ran"
	is "$STATUS" 125 "--file of $source is refused"
	like "$ERR" "^nsbox: --file:? .*${source#fd:}" "and the message names it"
done
for source in fifo base; do
	N --file $source /f -- true
	like "$ERR" 'regular file' "--file of $source: the message says what it has to be"
done

# Places that cannot be taken
ln -s sub base/link
ln -s "$T/empty" base/out
for words in "--tmpfs /l" "--dir /l" "--ro-bind base /l" "--bind base /l" "--file file /l" "--symlink x /l"; do
	# shellcheck disable=SC2086 # several words
	N --symlink /usr /l $words -- touch "$T/ran"
	status_is 125 "${words%% *}: a destination that is a link is refused"
	like "$ERR" "^nsbox: ${words%% *} .*/l" "and the message names it"
done
for words in "--tmpfs" "--dir" "--bind base"; do
	# shellcheck disable=SC2086 # several words
	N --bind base /in $words /in/link -- true
	status_is 125 "${words%% *}: the same where the host has the link"
	# shellcheck disable=SC2086 # several words
	N --bind base /in $words /in/missing -- true
	status_is 125 "${words%% *}: what would have to be made inside a bind is refused"
	like "$ERR" "^nsbox: ${words%% *} .*/in/missing" "and the message names it"
	# shellcheck disable=SC2086 # several words
	N --bind base /in $words /in/sub/deep -- true
	is "$STATUS" 0 "${words%% *}: what is there in a bind can be taken"
	# shellcheck disable=SC2086 # several words
	N --bind base /in $words /in/out/new -- true
done
N --bind base /in --file file /in/missing -- true
status_is 125 "--file: what would have to be made inside a bind is refused"
N --bind base /in --symlink x /in/missing -- true
status_is 125 "--symlink: what would have to be made inside a bind is refused"
N --ro-bind base/file /usr -- true
status_is 125 "a file cannot take the place of a folder"
N --ro-bind base/file /f --ro-bind base /f -- true
status_is 125 "a folder cannot take the place of a file"
for words in "--tmpfs" "--dir" "--symlink x" "--file file" "--mask"; do
	# shellcheck disable=SC2086 # several words
	N $words / -- true
	status_is 125 "${words%% *} cannot take the place of the root"
done
rm base/link base/out
refutes "nothing ran" test -e ran
is "$(tree | cut -d ' ' -f 1-3,5)" "$(cut -d ' ' -f 1-3,5 <<<"$before")" "nothing was made on the host"
done_testing
