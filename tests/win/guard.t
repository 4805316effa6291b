#!/bin/bash
# What is said of Wine here: that it has none of these layers. Should a later one have any, this fails, and
# NSBOX_TEST_ALLOW_MISSING of tests/win/run, and what the documents say, have to be looked at again.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

if [ -z "$NSBOX_WINE" ]; then
	echo "1..0 # SKIP this is not Wine"
	exit 0
fi
all=appcontainer,capabilities,lpac,filesystem,network,read-only,scratch,teardown,ui,mitigations,mem,pids,cpu,cpus
run "${nsbox[@]}" --allow-missing "$all" --mem 64M --pids 5 --cpu 50s --cpus 0.5 --report "$report_path" -- "$child" exit 0
same "a run without all of them goes on" "0 exited" "$status $(of_report .reason)"
for name in ${all//,/ }; do
	case $name in lpac) continue ;; esac
	has "Wine has no $name" '^skipped: ' "$(layer "$name")"
done
has "and says why: no profile" 'CreateAppContainerProfile: 0x8' "$(layer appcontainer)"
for name in mem pids cpu; do
	has "$name reads back as nothing" 'read back \(without its flag \)\?0' "$(layer $name)"
done
has "mitigations are not answered at all" 'what the buffer held before' "$(layer mitigations)"
plan
