# The environment: what the command gets, what it is given, and what nobody can read.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

# E VARIABLE=VALUE ... -- ARG ...: nsbox with these variables and no others.
E() {
	local variables=() words
	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	nsbox_words --ro /usr "$@"
	run env -i "${variables[@]}" "${words[@]}"
}
# shellcheck disable=SC2001 # each line
names() {
	sed 's/=.*//' <<<"$OUT" | sort | xargs
}
caller=(PATH=/usr/bin:/bin LANG=C LC_ALL=C.UTF-8 HOME=/root SECRET=h0hum LD_PRELOAD=/none.so
	TMPDIR=/var/tmp USER=somebody XDG_RUNTIME_DIR=/run/user/0 BASH_ENV=/etc/profile)

E "${caller[@]}" -- -- env
is "$(names)" "HOME LANG LC_ALL PATH TEMP TMP TMPDIR" "only known variables are passed"
is "$(sort <<<"$OUT" | xargs)" "HOME=/work LANG=C LC_ALL=C.UTF-8 PATH=/usr/bin:/bin TEMP=/work TMP=/work TMPDIR=/work" \
	"with these values"
report_is 'layer("environment") | .state == "applied" and .asked == "required"' "the report says so"
E -- -- env
is "$(sort <<<"$OUT" | xargs)" "HOME=/work PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin TEMP=/work TMP=/work TMPDIR=/work" \
	"without anything of the caller's there is a PATH of its own"
run env -i "${caller[@]}" LD_PRELOAD= env
like "$OUT" 'SECRET=h0hum' "without nsbox the command gets all"

# --env
E "${caller[@]}" -- --env LEVEL=3 --env SECRET --env NOT_SET --env EMPTY= --env A=b=c -- env
is "$(names)" "A EMPTY HOME LANG LC_ALL LEVEL PATH SECRET TEMP TMP TMPDIR" "--env adds what the caller has or says"
like "$OUT" $'(^|\n)SECRET=h0hum(\n|$)' "a name takes the caller's value"
like "$OUT" $'(^|\n)EMPTY=(\n|$)' "a value can be empty"
like "$OUT" $'(^|\n)A=b=c(\n|$)' "a value can hold an equals sign"
E A=1 -- --env X=1 --env A --env X=2 --env A=3 -- env
like "$OUT" $'(^|\n)X=2(\n|$)' "a later one counts"
like "$OUT" $'(^|\n)A=3(\n|$)' "also after the caller's"
E -- --env X=1 --env X -- env
like "$OUT" $'(^|\n)X=1(\n|$)' "a name that the caller lacks takes nothing away"
# shellcheck disable=SC2016 # meant for the shell inside
E -- --env HOME=/tmp --env TMPDIR=/tmp -- sh -c 'echo $HOME $TMPDIR $TMP'
is "$OUT" "/tmp /tmp /work" "the known ones can be changed"
E -- --env PATH=/nowhere -- env
status_is 127 "the command is found with the PATH that it gets"
E PATH=/nowhere -- --env PATH=/usr/bin -- env
status_is 0 "and not with the caller's"

# --env-file
cat >"$T/settings" <<'END'
# a comment
PLAIN=value

 BLANK = in front
QUOTED="kept" 'too'
FROM_CALLER
NOT_SET
END
E FROM_CALLER=yes -- --env-file "$T/settings" -- env
is "$(grep -e PLAIN -e BLANK -e QUOTED -e FROM_CALLER -e NOT_SET <<<"$OUT" | sort)" \
	"$(printf '%s\n' ' BLANK = in front' 'FROM_CALLER=yes' 'PLAIN=value' "QUOTED=\"kept\" 'too'" | sort)" \
	"--env-file takes lines as they are"
E -- --env-file 9 -- env 9<"$T/settings"
like "$OUT" 'PLAIN=value' "--env-file reads a descriptor"
E -- --env-file 9 -- env 9< <(echo PIPED=1)
like "$OUT" 'PIPED=1' "which can be a pipe"
E -- --env-file "$T/settings" --env PLAIN=later -- env
like "$OUT" 'PLAIN=later' "a later --env counts"
E -- --env PLAIN=earlier --env-file "$T/settings" -- env
like "$OUT" 'PLAIN=value' "a later --env-file counts"
E -- --env-file "$T/none" -- env
is "$STATUS" 125 "an --env-file that does not exist is refused"
like "$ERR" "^nsbox: --env-file .*$T/none.*ENOENT" "the message names option, path and errno"
echo '=value' >"$T/bad"
E -- --env-file "$T/bad" -- env
is "$STATUS" 125 "a line without a name is refused"
like "$ERR" "^nsbox: --env-file" "the message names the option"

# --keep-env
E "${caller[@]}" LD_PRELOAD= -- --keep-env --env USER=other -- env
like "$OUT" $'(^|\n)SECRET=h0hum(\n|$)' "--keep-env passes all"
like "$OUT" $'(^|\n)USER=other(\n|$)' "and --env changes it"
report_is 'layer("environment") | .state == "skipped" and .asked == "no"' "the report does not claim that it was cleared"

# Case 20: the caller's environment and arguments can be read nowhere.
# shellcheck disable=SC2016 # meant for the shell inside
E SECRET=h0hum -- --env K=t0ps3cret -- env -u K sh -c '
	for pid in /proc/[0-9]*; do
		[ $pid = /proc/$$ ] || { echo $pid; cat $pid/environ $pid/cmdline; }
	done | tr "\0" "\n"; echo end'
unlike "$OUT" 'h0hum|t0ps3cret' "inside, no process shows the caller's variables or arguments"
like "$OUT" '/proc/1.*end' "pid 1 was among them"
E SECRET=h0hum -- --env SECRET -- sh -c 'cat /proc/[0-9]*/environ | tr "\0" "\n"'
like "$OUT" 'h0hum' "what is passed on purpose is seen"

# exposed PID ...: what the kernel tells about these processes to those who may ask.
exposed() {
	local pid
	for pid in "$@"; do
		tr '\0' '\n' <"/proc/$pid/cmdline"
		tr '\0' '\n' <"/proc/$pid/environ"
	done 2>/dev/null
}
sleeps() {
	[[ $(<"$T/.out") == ready ]]
}
export SECRET=h0hum
nsbox_start --ro /usr --env K=t0ps3cret --env SECRET -- sh -c 'echo ready; exec sleep 20'
wait_until 5 sleeps
init=$(pgrep -P "$NSBOX_PID")
command=$(pgrep -P "$init")
ok "the sandbox is up" test -n "$command"
unlike "$(exposed "$NSBOX_PID" "$init")" 'h0hum|t0ps3cret' "on the host, neither nsbox nor its init shows them"
like "$(exposed "$command")" 't0ps3cret' "the command's own environment has them"
kill -9 "$NSBOX_PID"
nsbox_wait
echo >"$T/t0ps3cret"
background tail -s 5 -f "$T/t0ps3cret" 2>/dev/null
sleep 0.2
like "$(exposed "$BG_PID")" 't0ps3cret.*h0hum' "a program that does nothing about it shows both"
done_testing
