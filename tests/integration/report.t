# The report: whole in every case, true of the run, and never in the way of the command.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

cd "$T" || exit 1
N() {
	nsbox --ro /usr "$@"
}
# What every report has, whatever happened. Later releases may add keys.
top='["backend","command","confinement","confinement_applied","denials","end","layers","limits","limits_applied","network","not_covered","platform","reason","request_id","scratch","summary","teardown","usage","version"]'
shape="def has_all(\$names): \$names - keys == [];
	has_all($top) and .version == 1
	and all(.layers[]; has_all([\"asked\",\"by\",\"errno\",\"evidence\",\"name\",\"reason\",\"remedy\",\"state\"])
		and (.asked | IN(\"required\", \"wanted\", \"no\")) and (.state | IN(\"applied\", \"skipped\", \"refused\", \"unconfirmed\"))
		and (.state != \"applied\" or .evidence != null) and (.state == \"applied\" or .evidence == null or .state == \"unconfirmed\"))
	and (.layers | length == (map(.name) | unique | length) and length >= 20)
	and (.command | has_all([\"argv\",\"resolved\"]))
	and (.end | has_all([\"code\",\"errno\",\"message\",\"reason\",\"signal\",\"stage\"])) and .reason == .end.reason
	and (.usage | has_all([\"cpu_ms\",\"involuntary_switches\",\"peak_bytes\",\"pids_peak\",\"system_ms\",\"user_ms\",\"voluntary_switches\",\"wall_ms\"]))
	and (.teardown | has_all([\"by\",\"confirmed\",\"scratch_removed\",\"survivors_killed\"]))"
whole() {
	report_is "$shape" "$1: the report has all keys"
}

# Case 04: exit codes
for code in 0 1 2 124 125 126 127 128 137 255; do
	N -- sh -c "exit $code"
	is "$STATUS" "$code" "exit status $code comes out"
	report_is ".end.reason == \"exited\" and .end.code == $code and .end.signal == null and .confinement_applied" \
		"and is reported as the command's own"
done
whole "success"
N -- sh -c 'kill -9 $$'
is "$STATUS" 137 "a signal is 128 and its number"
report_is '.end.reason == "signaled" and .end.signal == 9 and .end.code == null' "and is reported as one"
whole "signal"
N -- no-such-command
is "$STATUS" 127 "a command that is not there is 127"
report_is '.end.reason == "exec-failed" and .end.code == null and .end.errno == "ENOENT" and .command.resolved == null' "and is reported as nsbox's answer"
whole "exec failure"
N -- /usr
is "$STATUS" 126 "one that cannot be executed is 126"
report_is '.end.reason == "exec-failed" and .end.errno == "EACCES"' "and is reported as nsbox's answer"
N --ro "$T/no-such" -- true
is "$STATUS" 125 "a request that fails is 125"
report_is '.end.reason == "setup-failed" and .end.code == null and .end.stage != null and (.end.message | contains("--ro"))' "and is reported as nsbox's own"
report_is '[.layers[] | select(.state == "applied")] | length == 0' "nothing is claimed of it"
whole "failed setup"
N --require seccomp -- touch "$T/ran"
is "$STATUS" 125 "a refusal is 125"
report_is '.end.reason == "refused" and (.confinement_applied | not)' "and is reported as a refusal"
whole "refusal"
refutes "the command never ran" test -e ran

# --require and --allow-missing
held=$("$NSBOX" --ro /usr --report fd:1 -- true | jq -r 'select(.event == "ended") | .layers[] | select(.state == "applied") | .name')
ok "many controls hold by default" test "$(wc -l <<<"$held")" -ge 18
for control in $held; do
	N --require "$control" -- true
	is "$STATUS" 0 "$control holds, and can be required"
	report_is "layer(\"$control\") | .state == \"applied\" and .asked == \"required\"" "and the report says so"
done
N --require "$(tr '\n' , <<<"$held" | sed 's/,$//')" -- true
status_is 0 "all of them can be required at once"
# A bare control group is to be had where the caller may make one.
for control in scratch-quota appcontainer lpac filesystem job ui handles mitigations; do
	N --require "$control" -- touch "$T/ran"
	is "$STATUS" 125 "$control does not hold, and requiring it is refused"
	like "$ERR" "^nsbox: .*$control" "the message names it"
	report_is "layer(\"$control\") | .state == \"refused\" and .asked == \"required\" and .reason != null" "and the report says why"
	N --allow-missing "$control" -- true
	is "$STATUS" 0 "with --allow-missing it runs"
	report_is "(layer(\"$control\") | .state == \"skipped\" and .reason != null) and .confinement_applied" "and the report says that it was done without"
done
refutes "nothing that was refused ran" test -e ran
N --require network --require root,ipc -- true
status_is 0 "--require can be repeated and takes lists"

# Where it goes
rm -f r.json
N --report r.json -- sh -c 'test ! -e r.json && echo "{}"'
is "$(jq -r .end.reason r.json)" exited "--report FILE is written at the end"
is "$(jq 'has("event")' r.json)" false "it has no event"
is "$(stat -c %a r.json)" 644 "with the permissions that the umask leaves"
is "$(wc -l <r.json)" 1 "on one line"
echo old >r.json
ln r.json before
N --report r.json --ro "$T/no-such" -- true
is "$(cat before)" old "an older file is replaced and not written over"
is "$(jq -r .end.reason r.json)" setup-failed "also where the run failed"
is "$(find . -name '*r.json*' | wc -l)" 1 "and nothing else is left beside it"
N --report fd:3 -- sh -c 'exit 3' 3>lines
is "$(jq -r .event lines | xargs)" "applied ended" "--report fd:N gets two lines"
is "$(jq -r '"\(.confinement_applied) \(.end.code)"' lines | xargs)" "true null true 3" "the first before the command, the second after"
REPORT=$(head -1 lines)
whole "applied"
REPORT=$(tail -1 lines)
whole "ended"
# shellcheck disable=SC2016,SC2094 # meant for the shell inside; one writes, then the other reads
N --report fd:3 -- sh -c 'read -r line; case $line in *\"event\":\"applied\"*) echo first; esac' 3>lines <lines
is "$OUT" first "the first line is there when the command starts"
N --report fd:3 --ro "$T/no-such" -- true 3>lines
is "$(jq -r .event lines)" ended "a run that fails before gets only the second"
N --report fd:1 -- true
is "$(jq -r .event <<<"$OUT" | xargs)" "applied ended" "standard output can be the one"
for where in no/such/folder/r.json fd:77 fd:x fd: /dev; do
	N --report "$where" -- touch "$T/ran"
	is "$STATUS" 125 "--report $where is refused"
	like "$ERR" "^nsbox: .*--report" "the message names the option"
done
mkdir closed
chmod 500 closed
if ! is_root; then
	N --report closed/r.json -- touch "$T/ran"
	is "$STATUS" 125 "--report into a folder that cannot be written is refused"
fi
if [ -e /dev/full ]; then
	N --report fd:3 -- touch "$T/ran" 3>/dev/full
	is "$STATUS" 125 "where the first line cannot be written, the run is refused"
	like "$ERR" 'ENOSPC' "the message says why"
fi
N --report fd:3 -- touch "$T/ran" 3<r.json
is "$STATUS" 125 "a descriptor that cannot be written is refused"
refutes "the command never ran" test -e ran
N --report fd:3 -- sh -c 'echo >&3' 3>lines
isnt "$STATUS" 0 "the command does not get the descriptor"
run "$NSBOX" --ro /usr --report
is "$STATUS" 125 "--report without a value is refused"

# --id
N --id build:17._- -- true
report_is '.request_id == "build:17._-"' "--id is in the report"
N -- true
report_is '.request_id | test("^[0-9a-f]{16}$")' "without it one is made up"
first=$REPORT
N -- true
isnt "$(jq .request_id <<<"$REPORT")" "$(jq .request_id <<<"$first")" "a new one each time"

# What is in it
# shellcheck disable=SC2016 # not meant to expand
N -- sh -c : 'a"b' $'\xff\x01' 'ü' '${x}'
# shellcheck disable=SC2016 # not meant to expand
report_is '.command.argv == ["sh", "-c", ":", "a\"b", "\ufffd\u0001", "ü", "${x}"]' "arguments are escaped"
report_is ".command.resolved == \"$(readlink -f /usr/bin/sh)\"" "resolved is the file behind all links"
report_is '.backend == "namespaces" and .confinement == "namespaces" and (.platform | test("^linux .* "))' "backend and platform are named"
N -- sh -c 'sleep 0.3'
report_is '.usage.wall_ms >= 300 and .usage.wall_ms < 5000 and .usage.cpu_ms < 300' "time is measured"
N --env SECRET=t0ps3cret -- true
unlike "$REPORT" 't0ps3cret' "the environment is not in the report"

# Case 30 and --quiet
run sh -c 'printf "a\nb\n" | "$NSBOX" --ro /usr -- head -1'
is "$OUT/$ERR" "a/" "standard streams carry nothing of nsbox"
N -- true
is "$OUT/$ERR" "/" "neither without output"
N -- sh -c 'echo out; echo err >&2; exit 9'
is "$OUT/$ERR" "out/err" "nor where the command fails"
N -- sh -c 'kill -9 $$'
is "$OUT/$ERR" "/" "nor where a signal ends it"
N --quiet -- no-such-command
like "$ERR" '^nsbox: ' "--quiet does not hide errors"
N --quiet -- sh -c 'echo out; echo err >&2'
is "$OUT/$ERR" "out/err" "nor what the command says"
run "$NSBOX" --ro /usr -- true
is "$STATUS/$OUT/$ERR" "0//" "without --report nothing is printed"
run "$NSBOX" --version
like "$STATUS/$OUT/$ERR" '^0/nsbox [0-9][^/]*/$' "--version prints one line"
run "$NSBOX" --explain --ro /usr/ --uid=5 -- true 'a b'
printf '%s\n' "$OUT" >explained
first=$OUT
run "$NSBOX" --explain --args explained
is "$OUT" "$first" "--explain prints what asks for the same"
done_testing
