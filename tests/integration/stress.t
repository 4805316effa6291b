# Many runs: at the same time, one after another, and killed at any moment. Nothing of one is seen in another, and
# nothing stays. NSBOX_STRESS=10 makes ten times as many.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

scale=${NSBOX_STRESS:-1}
parallel=64
in_a_row=$((100 * scale))
killed=$((20 + 20 * scale))

# A program of a name that nothing else has: see launcher-death.t.
mark=stress$$x$RANDOM
mkdir "$T/bin" "$T/tmp" "$T/disk" "$T/runs"
cp /usr/bin/sleep "$T/bin/$mark"
export TMPDIR=$T/tmp
sandbox=("$NSBOX" --ro /usr --ro-bind "$T/bin" /opt/bin --env PATH=/opt/bin:/usr/bin)
limits=(--wall 240 --cpu 60 --mem 1G --pids 60 --out-max 1M --scratch-size 4M --scratch-inodes 100)

# How many processes there are with the mark.
alive() {
	local file words count=0
	for file in /proc/[0-9]*/cmdline; do
		words=()
		mapfile -d '' words <"$file"
		[[ ${words[*]} != *"$mark"* ]] || count=$((count + 1))
	done 2>/dev/null
	echo "$count"
}

all_gone() {
	[ "$(alive)" = 0 ]
}

# Names of control groups of nsbox in which no process is.
empty_groups() {
	local events
	find /sys/fs/cgroup -type d -name '*nsbox*' 2>/dev/null | while read -r folder; do
		events=$(<"$folder/cgroup.events")
		[[ $events == *'populated 1'* ]] || echo "$folder"
	done 2>/dev/null | sort
}

# Those that stay: somebody else's run may just begin or end.
left_groups() {
	local groups
	groups=$(empty_groups)
	[ -z "$groups" ] || sleep 1
	comm -12 <(echo "$groups") <(empty_groups) | grep -c .
}

# Sets `state`: whatever could be left by a run, but for what is in "$T/disk".
look() {
	local fds=(/proc/$$/fd/*)
	# shellcheck disable=SC2009 # states are asked for, not names
	state="processes $(alive), zombies $(ps -o stat= --ppid $$ | grep -c Z), mounts $(wc -l </proc/self/mountinfo),"
	state+=" groups $(left_groups), files $(find "$T/tmp" -mindepth 1 | wc -l), descriptors ${#fds[@]}"
}

look
before=$state

# --- At the same time.
# one I: exit status, output, and content of the scratch depend on I. Each waits inside for all others, which
# would never come if one had to end before the next can begin.
mkdir "$T/meet"
one() {
	local extra=()
	[ $(($1 % 2)) = 0 ] || extra=("${limits[@]:0:10}" --scratch-dir "$T/disk")
	[ $(($1 % 3)) != 0 ] || extra+=(--hostname "host$1")
	timeout -s KILL 250 "${sandbox[@]}" --bind "$T/meet" /meet --id "run-$1" --report "$T/runs/$1.json" "${extra[@]}" -- sh -c \
	    "ls -A /work /tmp | grep -v : ; echo $1 >/work/$1; echo $1 >/tmp/x; : >/meet/$1;
	    while set -- /meet/* && [ \$# -lt $parallel ]; do sleep 0.3; done; cat /work/* /tmp/*; exit $(($1 % 50))" \
	    >"$T/runs/$1.out" 2>"$T/runs/$1.err"
	echo $? >"$T/runs/$1.status"
}
pids=()
for ((i = 0; i < parallel; i++)); do
	one "$i" &
	pids+=($!)
done
wait "${pids[@]}"
wrong=''
for ((i = 0; i < parallel; i++)); do
	got="$(<"$T/runs/$i.status") $(xargs <"$T/runs/$i.out")$(<"$T/runs/$i.err")"
	[ "$got" = "$((i % 50)) $i $i" ] || wrong+="$i: $got"$'\n'
	said=$(jq -r '"\(.request_id) \(.end.reason) \(.end.code) \(.confinement_applied) \(.limits_applied) \(.teardown.confirmed) \(.teardown.scratch_removed)"' \
	    "$T/runs/$i.json" 2>&1)
	[ "$said" = "run-$i exited $((i % 50)) true true true true" ] || wrong+="$i: report: $said"$'\n'
	[ "$(wc -l <"$T/runs/$i.json")" = 1 ] || wrong+="$i: report is not one line"$'\n'
done
is "$wrong" '' "$parallel at the same time: each has its own output, status and report"
is "$(find "$T/meet" -type f | wc -l)" "$parallel" "they were inside at the same time, not one after another"
look
is "$state" "$before" "nothing is left of them"
is "$(find "$T/disk" -mindepth 1 -type d | wc -l)" 0 "no scratch either"

# --- One after another.
wrong=0
begin=${EPOCHREALTIME/./}
for ((i = 0; i < in_a_row; i++)); do
	case $((i % 4)) in
	0) options=() ;;
	1) options=("${limits[@]}") ;;
	2) options=(--scratch-dir "$T/disk" --tmpfs /t --dir /d) ;;
	3) options=(--report "$T/r") ;;
	esac
	timeout -s KILL 20 "${sandbox[@]}" "${options[@]}" -- sh -c ": >/work/x; $mark 9 & exit 3" >/dev/null 2>&1
	[ $? = 3 ] || wrong=$((wrong + 1))
done
took=$(((${EPOCHREALTIME/./} - begin) / 1000))
is "$wrong" 0 "$in_a_row one after another work (took $took ms)"
look
is "$state" "$before" "nothing is left of them"
is "$(find "$T/disk" -mindepth 1 -type d | wc -l)" 0 "no scratch either"

# --- Killed at any moment.
for ((i = 0; i < killed; i++)); do
	case $((i % 3)) in
	0) options=() ;;
	1) options=("${limits[@]}") ;;
	2) options=(--scratch-dir "$T/disk" --cpu 60 --pids 50) ;;
	esac
	"${sandbox[@]}" "${options[@]}" -- sh -c "mkdir -p /work/a/b; : >/tmp/x; setsid $mark 0.03 & $mark 0.03" >/dev/null 2>&1 &
	pid=$!
	read -rt "0.$(printf %04d $((RANDOM % 500)))" _ <> <(:)
	kill -9 "$pid" 2>/dev/null
	{ wait "$pid"; } 2>/dev/null
done
wait_until 1 all_gone
ok "$killed killed at any moment: a second later nothing of them runs" all_gone
kill_left=$(find "$T/disk" -mindepth 1 -maxdepth 1 -type d | wc -l)
diag "$kill_left scratches were left"
timeout -s KILL 20 "${sandbox[@]}" --cpu 60 --scratch-dir "$T/disk" -- true
is $? 0 "the next run works"
is "$(find "$T/disk" -mindepth 1 -type d | wc -l)" 0 "and sweeps what they left on disk"
look
is "$state" "$before" "nothing else is left of them"

done_testing
