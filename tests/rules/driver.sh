#!/bin/bash
# The judge of test output: what must count as a failure does.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

# judged EXPECTED STATUS MUST-WORK NAME <OUTPUT: compares "passed failed skipped".
judged() {
	local shown
	cat >"$bad/log"
	shown=$(awk -v label=x -v status="$2" -v must_work="$3" -v counts="$bad/counts" \
	    -f "$NSBOX_SRCDIR/tests/judge.awk" "$bad/log")
	[ "$(cat "$bad/counts")" = "$1" ]
	is $? "$4" "$(cat "$bad/counts")
$shown"
}

printf "%s\n" "ok 1 - a" "ok 2 - b" "1..2" >"$bad/in"
judged '2 0 0' 0 0 "passed tests are counted" <"$bad/in"
printf '%s\n' 'ok 1 - a' 'not ok 2 - b' '# why' '1..2' >"$bad/in"
judged '1 1 0' 1 0 "a failed test is counted once" <"$bad/in"
printf '%s\n' 'ok 1 - a' 'ok 2 - b' '1..3' >"$bad/in"
judged '2 1 0' 0 0 "fewer tests than planned are a failure" <"$bad/in"
printf '%s\n' 'ok 1 - a' >"$bad/in"
judged '1 1 0' 0 0 "an end before the plan is a failure" <"$bad/in"
printf '%s\n' 'ok 1 - a' '1..1' >"$bad/in"
judged '1 1 0' 139 0 "a bad exit status is a failure" <"$bad/in"
judged '1 1 0' 124 0 "running out of time is a failure" <"$bad/in"
: >"$bad/in"
judged '0 1 0' 0 0 "no output is a failure" <"$bad/in"
echo '1..0' >"$bad/in"
judged '0 1 0' 0 0 "a file without a test is a failure" <"$bad/in"
echo '1..0 # SKIP no such kernel' >"$bad/in"
judged '0 0 1' 0 0 "a whole file may be skipped" <"$bad/in"
printf '%s\n' 'ok 1 - a # SKIP no such kernel' '1..1' >"$bad/in"
judged '0 0 1' 0 0 "a skip with a reason is a skip" <"$bad/in"
judged '0 1 0' 0 1 "a skip where all must work is a failure" <"$bad/in"
printf '%s\n' 'ok 1 - a # SKIP' '1..1' >"$bad/in"
judged '0 1 0' 0 0 "a skip without a reason is a failure" <"$bad/in"
plan
