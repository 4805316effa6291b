# --mask hides what is there, and makes nothing on the host: neither where nothing is there nor
# where nsbox is killed.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

cd "$T" || exit 1
mkdir -p base/folder base/empty
echo secret >base/folder/file
echo secret >base/file
ln -s file base/link
ln -s nowhere base/dangling
chmod 600 base/file

for show in "--ro-bind" "--bind"; do
	nsbox --ro /usr $show base /in -- sh -c 'cat /in/file /in/folder/file'
	is "$(xargs <<<"$OUT")" "secret secret" "$show: without --mask all is seen"
	nsbox --ro /usr $show base /in --mask /in/file --mask /in/folder -- sh -c '
		cat /in/file; ls -A /in/folder; cat /in/folder/file; test -f /in/file && test -d /in/folder && ls /in'
	is "$(xargs <<<"$OUT")" "dangling empty file folder link" "$show: a masked file and folder are empty and still there"
	nsbox --ro /usr $show base /in --mask /in/file --mask /in/folder -- sh -c '
		echo x >/in/file; touch /in/folder/new; rm -f /in/file; rmdir /in/folder; mv /in/folder /in/other'
	is "$(grep -c -e 'Read-only file system' -e 'Permission denied' -e busy <<<"$ERR")" 5 "$show: they cannot be written, removed or renamed"
	report_is '.confinement_applied and layer("root").state == "applied"' "$show: the report confirms the view"
done
is "$(cat base/file base/folder/file | xargs)" "secret secret" "the host's files are as they were"
nsbox --ro /usr --bind base /in --mask /in/file -- sh -c 'echo twin >/in/folder/file'
is "$(cat base/folder/file)" twin "what is not masked can be written"
nsbox --ro /usr --mask /in --ro-bind base /in -- cat /in/file
is "$OUT" secret "a bind that comes later covers nothing that was masked: there was nothing"
nsbox --ro /usr --ro-bind base /in --mask /in --ro-bind base/folder /in -- cat /in/file
is "$OUT" twin "a bind over a masked folder shows its own source"

# Links and what is absent
nsbox --ro /usr --ro-bind base /in --mask /in/link -- sh -c 'cat /in/link; cat /in/file'
unlike "$OUT" 'secret.*secret' "what a masked link leads to cannot be read through it"
nsbox --ro /usr --bind base /in --mask /in/absent --mask /in/no/such/file --mask /no/where -- ls -A /in
is "$STATUS $(xargs <<<"$OUT")" "0 dangling empty file folder link" "where there is nothing, nothing is done"
report_is '.end.code == 0 and .confinement_applied' "and it is no failure"

# Case 22: the lists of folders are the same before and after, also after SIGKILL.
lists() {
	find "$T/base" "$T/cwd" -printf '%y %m %s %T@ %p\n' | sort
	ls -A /run /dev/shm
	find /tmp -maxdepth 1 -name '*nsbox*'
}
mkdir cwd
cd cwd || exit 1
before=$(lists)
nsbox --ro / --mask "$PWD/.absent" --mask "$PWD/.a/b" --mask "$T/base/file" -- true
status_is 0 "--ro / with what is absent masked works"
is "$(lists)" "$before" "and nothing is made on the host"
nsbox --ro / --rw "$PWD" --mask "$PWD/.absent" --mask "$PWD/.a/b" -- sh -c 'test -e .absent'
status_is 1 "the same in a writable bind works"
is "$(lists)" "$before" "and nothing is made on the host"
nsbox --ro / --bind "$T/base" "$T/base" --mask "$T/base/file" -- cat "$T/base/file"
is "$OUT" "" "a file in a writable bind is masked"
is "$(lists)" "$before" "and nothing is changed on the host"
nsbox_start --ro / --rw "$PWD" --rw "$T/base" --mask "$PWD/.absent" --mask "$T/base/folder" -- sleep 20
wait_until 5 pgrep -P "$NSBOX_PID" >/dev/null
sleep 0.2
kill -9 "$NSBOX_PID"
nsbox_wait
status_is 137 "nsbox was killed"
is "$(lists)" "$before" "and nothing is left on the host"
done_testing
