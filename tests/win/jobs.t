#!/bin/bash
# Nothing outlives its nsbox.exe: not what the command leaves behind, and not the command itself.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

# until SECONDS CONDITION...
until_true() {
	local end=$((SECONDS + $1))
	shift
	while ! "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.2
	done
}
has_children() { [ "$(children)" -eq "$1" ]; }
left() { find "$own_folder" -path '*nsbox*' -name 'nsbox.*' | wc -l; }

same "at first there is none" 0 "$(children)"
run "${degraded[@]}" --report "$report_path" -- "$child" start 0 start 1 sleep 60000
same "a command may end before its children" "0 exited" "$status $(of_report .reason)"
until_true 20 has_children 0
is $? "they end with it" "$(children)"
same "and are counted" true "$(of_report '.teardown.survivors_killed >= 1 and .teardown.confirmed')"

"${degraded[@]}" -- "$child" start 1 start 1 sleep 120000 >begun 2>err </dev/null &
launcher=$!
until_true 40 grep -q begun begun
is $? "a command with a child and a grandchild has begun" "$(cat begun err)"
same "they are three" 3 "$(children)"
kill -KILL $launcher
wait $launcher 2>/dev/null
until_true 30 has_children 0
is $? "when nsbox is killed they all end" "$(children)"
[ "$(left)" -ge 2 ]
is $? "what it made is still there, and its journal" "$(left)"
run "${nsbox[@]}" --gc
same "--gc removes it" "0:removed 0 scratch folders, 1 run" "$status:$out"
same "all of it" 0 "$(left)"
run "${nsbox[@]}" --gc
same "and there is nothing more to remove" "0:removed 0 scratch folders, 0 runs" "$status:$out"

# A run that goes on is left alone by --gc, and by other runs.
"${degraded[@]}" --report "$report_path" -- "$child" sleep 5000 >begun 2>err </dev/null &
launcher=$!
until_true 40 grep -q begun begun
run "${nsbox[@]}" --gc
same "--gc leaves the living alone" "removed 0 scratch folders, 0 runs" "$out"
run "${degraded[@]}" -- "$child" exit 0
wait $launcher
same "and they end as they would" "0 exited true" "$? $(of_report '"\(.reason) \(.teardown.confirmed)"')"

# The next run takes away what a killed one left.
"${degraded[@]}" -- "$child" sleep 120000 >begun 2>err </dev/null &
launcher=$!
until_true 40 grep -q begun begun
kill -KILL $launcher
wait $launcher 2>/dev/null
until_true 30 has_children 0
run "${degraded[@]}" -- "$child" exit 0
same "the next run sweeps too" 0 "$(left)"

pids=()
for i in 1 2 3 4 5 6; do
	"${degraded[@]}" --report "$(win_path "parallel$i.json")" -- "$child" exit "$i" </dev/null >"parallel$i" 2>&1 &
	pids+=($!)
done
codes=
for pid in "${pids[@]}"; do
	wait "$pid"
	codes+="$? "
done
same "runs beside each other do not disturb each other" "1 2 3 4 5 6 " "$codes"
same "and leave nothing" "0 true" "$(left) $(jq -s 'all(.teardown.confirmed)' parallel*.json)"
plan
