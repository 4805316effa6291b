#!/bin/bash
# Where Windows does not give what is required, nothing runs; where it may be left out, the report
# says layer by layer what is not there. Which layers those are is found out, not assumed.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

marker=$(win_path marker)
if [ -z "$NSBOX_TEST_ALLOW_MISSING" ]; then
	echo "1..0 # SKIP this system has all layers"
	exit 0
fi

run "${nsbox[@]}" --report "$report_path" -- "$child" open "$marker" write
same "a run is refused" 125 "$status"
has "by the name of the layer, the number of the error and its sentence" \
    '^nsbox: required and not in force: appcontainer, .*CreateAppContainerProfile: 0x8[0-9a-f]\{7\}: [A-Z]' "$err"
has "the report says so too" '^refused: not applied: CreateAppContainerProfile: 0x8' "$(layer appcontainer)"
same "and that nothing was applied" "refused false" "$(of_report '"\(.reason) \(.confinement_applied)"')"
[ ! -e marker ]
is $? "the command did not run"
same "nothing of it is left" "" "$(find "$own_folder" -path '*nsbox*' -name 'nsbox.*')"

run "${degraded[@]}" --report "$report_path" -- "$child" open "$marker" write
same "with every layer allowed to be missing it runs" "0:0:" "$status:$out:$err"
[ -e marker ]
is $? "the command ran"
has "the report says that there is no AppContainer" '^skipped: not applied: CreateAppContainerProfile: 0x8' \
    "$(layer appcontainer)"
for name in capabilities filesystem network read-only; do
	has "and nothing that needs one: $name" '^skipped: not applied: there is no AppContainer' "$(layer $name)"
done
has "nor restrictions that cannot be read back" '^skipped: accepted and not confirmed' "$(layer ui)"
has "nor limits of the job that read back as none" '^skipped: accepted and not confirmed' "$(layer teardown)"
has "but the process is in the job" '^applied: the process is in the job' "$(layer job)"
has "and inherits what is in its list" '^applied: inherited are the 3 handles' "$(layer handles)"
same "it is not called a sandbox of another kind" "job host" "$(of_report '"\(.confinement) \(.network)"')"
same "what is not counted is not known" "null null" "$(of_report '"\(.usage.cpu_ms) \(.usage.peak_bytes)"')"
same "its scratch is gone" "true true" \
    "$(of_report '"\(.teardown.confirmed) \(.teardown.scratch_removed)"')"

run "${nsbox[@]}" --allow-missing "$NSBOX_TEST_ALLOW_MISSING" -- "$child" exit 4
same "who asked for no report is told on standard error" "4:nsbox: no AppContainer, as --allow-missing allows: the command may do with files and network whatever you may; see --report" "$status:$err"

run "${nsbox[@]}" --check
has "--check says that there is no sandbox here" '^this host  *not here$' "$out"
has "and why" '^appcontainer, appcontainer: ENOSYS: not applied: CreateAppContainerProfile: 0x8' "$out"
same "with its status" "2:" "$status:$err"
run "${nsbox[@]}" --check --json
same "as JSON too" "false refused" "$(jq -r '"\(.backends[0].usable) \(.backends[0].layers[] | select(.name == "appcontainer") | .state)"' <<<"$out")"

# Each layer alone is enough to refuse.
IFS=, read -ra layers <<<"$NSBOX_TEST_ALLOW_MISSING"
rm -f marker
for name in "${layers[@]}"; do
	others=$(printf '%s\n' "${layers[@]}" | grep -vx "$name" | paste -sd,)
	run "${nsbox[@]}" --allow-missing "$others" --report "$report_path" -- "$child" open "$marker" write
	[ "$status" = 125 ] && [ ! -e marker ] && [[ $err == *"$name"* ]] && [ "$(of_report .reason)" = refused ]
	is $? "without leave to miss $name nothing runs" "$status: $err"
done

# Limits that a job nods at and forgets.
for limit in '--mem 64M' '--pids 5' '--cpu 5s' '--cpus 0.5'; do
	# shellcheck disable=SC2086 # an option and its value
	run "${degraded[@]}" $limit --report "$report_path" -- "$child" open "$marker" write
	name=${limit#--}; name=${name% *}
	[ "$status" = 125 ] && [ ! -e marker ]
	is $? "$limit: what is not confirmed is refused" "$status: $err"
	has "$limit: and the report says what was read back" '^refused: \(accepted and not confirmed\|not applied\)' "$(layer "$name")"
done
run "${nsbox[@]}" --allow-missing "$NSBOX_TEST_ALLOW_MISSING,mem" --mem 64M --report "$report_path" -- "$child" exit 3
same "$limit: with leave to miss it the run goes on" "3 skipped" "$status $(of_report '.limits[0].state')"

# What Windows cannot honour, by name.
while read -r option; do
	# shellcheck disable=SC2086 # an option and its values
	run "${degraded[@]}" $option -- "$child" exit 0
	[ "$status" = 125 ] && [[ $err == "nsbox: "*"${option%% *}"* ]]
	is $? "refused by name: $option" "$status: $err"
done <<'END'
--net host
--uid 5
--gid 5
--hostname x
--cap-add CAP_CHOWN
--rlimit nofile=5
--scratch-size 1M
--scratch-inodes 5
--pass-fd 5
--new-session
--allow-userns
--grace 1
--tmpfs /tmp
--dir /x
--symlink a /b
--bind C:\a C:\b
--ro-bind C:\a /b
--mask C:\a
--file C:\a /b
--ro C:\
--rw C:\windows
--ro C:\nowhere
--ro //server/share
END
plan
