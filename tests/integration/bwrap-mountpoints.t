# Mount points that have to be made in a folder of the host are gone when the sandbox is.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

mkdir "$T/w"
masks=(--bind "$T/w" "$T/w" --ro-bind /dev/null "$T/w/file" --tmpfs "$T/w/folder/below")
bw() {
	run "$NSBOX" --bwrap --ro-bind / / "${masks[@]}" "$@"
}
left() {
	(cd "$T/w" && find . -mindepth 1 | sort | xargs)
}
nothing_left() {
	[ -z "$(left)" ]
}
all="./file ./folder ./folder/below"

bw sh -c "cd '$T/w' && find . -mindepth 1 | sort"
is "$(xargs <<<"$OUT")" "$all" "they are there inside"
is "$(left)" "" "and gone afterwards"
bw --unshare-pid true
is "$STATUS $(left)" "0 " "also with a process tree of its own"
bw --chdir /none true
is "$STATUS $(left)" "1 " "and after a set-up that failed"
bw /no/such
is "$STATUS $(left)" "1 " "and where there was no command"
bw sh -c "echo x >'$T/w/other'"
is "$(left)" "./other" "what the command makes stays"
rm "$T/w/other"

# What was there before, or was filled since, is not ours.
: >"$T/w/file"
mkdir -p "$T/w/folder/below"
bw true
is "$(left)" "$all" "what was there before stays"
rm -r "$T/w/file" "$T/w/folder"
mkfifo "$T/block"
"$NSBOX" --bwrap --ro-bind / / "${masks[@]}" --block-fd 9 true 9<>"$T/block" &
wait_until 10 test -e "$T/w/folder/below" || not_ok "it is made"
echo filled >"$T/w/folder/new"
echo >"$T/block"
wait $!
is "$(left)" "./folder ./folder/new" "what something was put into stays"
rm -r "$T/w/folder"

# The masks hold as long as anybody is inside.
for options in --unshare-pid ""; do
	rm -f "$T/survived"
	# shellcheck disable=SC2086 # a word or none
	run "$NSBOX" --bwrap --dev-bind / / "${masks[@]}" $options \
		sh -c "(sleep 4; touch '$T/survived') >/dev/null 2>&1 </dev/null & exit 3"
	is "$STATUS $(left)" "3 $all" "they stay while a background process does${options:+ ($options)}"
	ok "which lives on" wait_until 20 test -e "$T/survived"
	ok "and go with it" wait_until 20 nothing_left
done

# Killed launchers
for options in --unshare-pid ""; do
	rm -f "$T/info" "$T/begun"
	# shellcheck disable=SC2086 # a word or none
	"$NSBOX" --bwrap --dev-bind / / "${masks[@]}" $options --json-status-fd 9 \
		sh -c "touch '$T/begun'; exec sleep 60" 9>"$T/info" &
	launcher=$!
	wait_until 10 test -e "$T/begun" || not_ok "the command begins"
	# The process that is to clean up is started as soon as the command is.
	sleep 0.3
	kill -9 $launcher
	{ wait $launcher; } 2>/dev/null
	is "$(left)" "$all" "they stay where only the launcher was killed${options:+ ($options)}"
	kill -9 "$(sed -n 's/.*"child-pid": \([0-9]*\).*/\1/p' "$T/info")"
	ok "and go with the sandbox" wait_until 20 nothing_left
done

done_testing
