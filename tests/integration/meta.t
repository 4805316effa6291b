# --meta: how a run ended, as the key:value lines that programs made for isolate read.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

M=$T/meta

# N ARG ...: runs nsbox and sets the array `meta` from the file.
N() {
	local line
	rm -f "$M"
	nsbox --ro /usr --meta "$M" "$@"
	declare -gA meta=()
	[ -f "$M" ] || return 0
	while IFS= read -r line; do
		[ -z "${meta[${line%%:*}]+set}" ] || not_ok "a key is there once" "$line"
		meta[${line%%:*}]=${line#*:}
	done <"$M"
}

N -- true
is "$STATUS ${meta[exitcode]} ${meta[status]-none} ${meta[killed]-none} ${meta[exitsig]-none}" \
    "0 0 none none none" "a run that ended well has an exit status and nothing to complain of"
like "${meta[time]}" '^[0-9]+\.[0-9]{3}$' "time is in seconds"
like "${meta[time-wall]}" '^[0-9]+\.[0-9]{3}$' "so is time-wall"
is "$(grep -cvE '^[a-z-]+:.+$' "$M")" 0 "every line is key:value"
is "$ERR" "" "nothing is printed"
N -- sh -c 'exit 3'
is "$STATUS ${meta[exitcode]} ${meta[status]} ${meta[killed]-none}" "3 3 RE none" "an exit status"
# shellcheck disable=SC2016 # meant for the shell inside
N -- sh -c 'kill -SEGV $$'
is "$STATUS ${meta[exitsig]} ${meta[status]} ${meta[exitcode]-none}" "139 11 SG none" "a signal"
N -- sh -c 'sleep 0.3'
like "${meta[time-wall]}" '^0\.[3-9]' "elapsed time is counted"
N -- /no/such
is "$STATUS ${meta[status]} ${meta[exitcode]-none}" "127 XX none" "a command that is not there"
like "${meta[message]}" '/no/such.*ENOENT' "the message says why"
N --ro /no/such -- true
is "$STATUS ${meta[status]} ${meta[time]-none}" "125 XX none" "a set-up that fails"
like "${meta[message]}" '^--ro /no/such: ENOENT' "the message says why"
N --require lpac -- true
is "$STATUS ${meta[status]}" "125 XX" "a run that is refused"
N --net host --require network -- true
is "$STATUS ${meta[status]}" "125 XX" "a contradiction"
N --no-such-option -- true
refutes "a command line that cannot be parsed leaves none" test -e "$M"

N --wall 0.3 -- sleep 9
is "$STATUS ${meta[status]} ${meta[killed]} ${meta[exitcode]-none}" "124 TO 1 none" "a limit of elapsed time"
like "${meta[message]}" wall "whose message says wall"
like "${meta[time-wall]}" '^0\.[3-9]' "it took that long"
N --cpu 0.3 --wall 9 -- sh -c 'while :; do :; done'
is "$STATUS ${meta[status]} ${meta[killed]}" "124 TO 1" "a limit of CPU time"
unlike "${meta[message]}" wall "whose message does not"
like "${meta[time]}" '^(0\.(29|[3-9])|1\.)' "it used that much"
N --out-max 1000 --wall 9 -- yes
is "${meta[status]} ${meta[killed]}" "SG 1" "a limit of output"
like "${meta[message]}" '[Oo]utput' "whose message says so"
if has python3; then
	N --mem 64M --wall 9 -- python3 -c 'x = bytearray(500 << 20); x[::4096] = b"x" * len(x[::4096])'
	if [ "$(jq -r .end.reason <<<"$REPORT")" = memory-limit ]; then
		like "${meta[killed]} ${meta[status]}" '^1 (SG|RE)$' "a limit of memory"
		like "${meta[message]}" '[Mm]emory' "whose message says so"
	else
		is "${meta[status]} ${meta[exitcode]}" "RE 1" "a limit of memory that is an error to the command"
	fi
	like "${meta[max-rss]-1}" '^[0-9]+$' "memory is in KiB"
fi

# The file
echo before >"$M"
nsbox --ro /usr --meta "$M" --report "$T/r" -- sh -c 'exit 4'
ok "it replaces the one before" grep -qx exitcode:4 "$M"
is "$(jq .end.code "$T/r")" 4 "a report can be had too"
nsbox --ro /usr --meta "$T/absent/meta" -- touch "$T/ran"
is "$STATUS" 125 "a folder that is not there is noticed before anything runs"
like "$ERR" "^nsbox: --meta $T/absent/meta: " "the message names the option"
report_is '.end.reason == "refused" and (.end.message | startswith("--meta"))' "the report too"
nsbox --ro /usr --meta "$T/same" --report "$T/same" -- true
is "$STATUS" 125 "one file for both is refused"
nsbox --ro /usr --meta fd:3 -- true
is "$STATUS" 125 "a descriptor is refused"
is "$(find "$T" -name '.nsbox-report*' | wc -l)" 0 "no temporary file is left"
done_testing
