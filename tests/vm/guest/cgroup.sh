# Limits held by control groups, run by root in a virtual machine where nothing but this uses them.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

groups=/sys/fs/cgroup
controllers='+memory +pids +cpu'

# in_group GROUP COMMAND ...: as the ordinary user, in that group.
cat >"$T/in_group" <<'END'
echo $$ >"/sys/fs/cgroup/$1/cgroup.procs" || exit 99
shift
exec setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all env HOME=/home/user "$@"
END
chmod 777 "$T"

in_group() {
	run bash "$T/in_group" "$@"
}

# user ARG ...: nsbox, run by the ordinary user in a leaf of the group that is his.
user() {
	in_group given/leaf "$NSBOX" --report "$REPORT_FILE" --ro /usr "$@"
}

# left GROUP: the groups of runs in it.
left() {
	(cd "$groups/$1" && for name in nsbox-*; do
		[ ! -d "$name" ] || echo "$name"
	done)
}

is_empty() {
	! grep -q 'populated 1' "$groups/$1"/nsbox-*/cgroup.events
}

# own_group GROUP: makes it and gives it to the user.
own_group() {
	mkdir "$groups/$1"
	chown 1000:1000 "$groups/$1" "$groups/$1"/cgroup.{procs,threads,subtree_control}
}

# limits_are EXPRESSION WANTED NAME: of each limit in the report.
limits_are() {
	is "$(printf '%s' "$REPORT" | jq -r "[.limits[] | $1 | tostring] | join(\" \")")" "$2" "$3"
}

mount -t cgroup2 cgroup2 "$groups"

# Nobody has been given anything yet.
mkdir "$groups/others"
in_group others "$NSBOX" --report "$REPORT_FILE" --ro /usr --require cgroup -- true
status_is 125 "without a group of the user's own --require cgroup is refused"
like "$ERR" 'cgroup.*EACCES' "the refusal says why"
in_group others "$NSBOX" --report "$REPORT_FILE" --ro /usr -- true
status_is 0 "without --require the same command runs"

# Root in the hierarchy's root, where no controller is enabled.
nsbox --ro /usr --require cgroup -- true
status_is 0 "root has a group without any controller"
is "$(cat "$groups/cgroup.subtree_control")" '' "nothing was enabled in the hierarchy's root"

echo "$controllers" >"$groups/cgroup.subtree_control"
nsbox --ro /usr --mem 64M --pids 20 --cpus 0.5 -- true
limits_are '.by + "=" + .state' 'cgroup2=applied cgroup2=applied cgroup2=applied' "root's limits hold where the root's controllers are enabled"
is "$(left .)" '' "no group is left in the root"

own_group given
own_group given/leaf
echo "$controllers" >"$groups/given/cgroup.subtree_control"

user --require cgroup -- true
report_is 'layer("cgroup") | .state == "applied" and .by == "cgroup2"' "in a group that was given --require cgroup holds"

user --mem 64M --pids 20 --cpus 0.5 --cpu 5 -- true
status_is 0 "all limits at once"
limits_are '.name + "=" + .by' 'cpu=cgroup2 mem=cgroup2 pids=cgroup2 cpus=cgroup2' "are all held by the group"
if [ -e "$groups/given/pids.peak" ]; then
	report_is '.usage | .peak_bytes > 100000 and .peak_bytes < 67108864 and .pids_peak >= 1 and .pids_peak < 20' "the peaks of memory and processes are known"
else
	report_is '.usage | .pids_peak != 0 and .peak_bytes != 0' "a kernel that knows no peaks is not misunderstood"
fi
is "$(left given)$(left given/leaf)" '' "no group is left"

# Memory: tail holds all of a line that does not end.
user --mem 32M -- sh -c 'head -c 50M /dev/zero | tail -n 1 >/dev/null; echo survived'
report_is '.end.reason == "memory-limit" and .limits[0].hit' "what takes too much memory ends by memory-limit"
is "$OUT" '' "nothing of it survives"
user --mem 64M -- sh -c 'head -c 8M /dev/zero | tail -n 1 | wc -c'
is "$STATUS $OUT" "0 8388608" "what takes less is not hindered"
limits_are '.hit' 'false' "and its limit was not reached"
is "$(left given)" '' "no group is left after the kernel has killed"

processes='for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait; echo all'
user --pids 5 -- sh -c "$processes"
limits_are '.hit' 'true' "a fork too many is refused"
report_is '.usage.pids_peak | . == null or . <= 6' "there were never more processes, pid 1 counted"
user --pids 30 -- sh -c "$processes"
is "$STATUS $OUT" "0 all" "fewer are not hindered"
limits_are '.hit' 'false' "and their limit was not reached"

spin='while :; do :; done'
user --cpus 0.5 -- timeout 1.5 sh -c "$spin"
report_is '.usage.cpu_ms < .usage.wall_ms * 0.65 and .usage.cpu_ms > .usage.wall_ms * 0.3' "half a processor is half of the time"
user -- timeout 0.7 sh -c "$spin"
report_is '.usage.cpu_ms > .usage.wall_ms * 0.65' "without the limit it is more"

user --cpu 1 -- sh -c "($spin) & ($spin) & wait"
report_is '.end.reason == "cpu-limit" and .usage.cpu_ms > 900 and .usage.cpu_ms < 1100' "two processes together use up one second"
status_is 124 "and that is a time limit"
is "$(left given)$(left given/leaf)" '' "no group is left after a limit has ended it"

# A killed launcher leaves its group; whoever comes next removes it.
has_group() {
	grep -qs 'populated 1' "$groups"/given/nsbox-*.run/cgroup.events
}

kill_a_run() {
	bash "$T/in_group" given/leaf "$NSBOX" --ro /usr --mem 64M -- sleep 60 &
	BG_PID=$!
	wait_until 10 has_group || diag "no group was made"
	kill -9 "$BG_PID"
	{ wait "$BG_PID"; } 2>/dev/null
	wait_until 10 is_empty given
}
mkdir "$groups/given/nsbox-theirs"
kill_a_run
is "$(left given | wc -l)" 2 "a launcher that was killed leaves its group, empty"
user --mem 64M -- true
is "$STATUS $(left given)" "0 nsbox-theirs" "the next run removes it, and nothing else"
kill_a_run
in_group given/leaf "$NSBOX" --gc
is "$STATUS $(left given)" "0 nsbox-theirs" "--gc removes it, and nothing else"
rmdir "$groups/given/nsbox-theirs"

for i in 1 2 3 4; do
	bash "$T/in_group" given/leaf "$NSBOX" --ro /usr --id same --mem 64M --report "$T/same$i" -- sh -c 'sleep 0.2; exit 7' &
done
wait
is "$(cat "$T"/same? | jq -r '.end.code' | tr '\n' ' ')" "7 7 7 7 " "runs of one name at the same time do not disturb one another"
is "$(left given)" '' "and leave nothing"

# What is inside sees a hierarchy that begins with its own group, and the limits are not in it.
user --allow-userns --mem 64M -- unshare -UrmC sh -c 'mount -t cgroup2 cgroup2 /tmp || exit 9
	test -w /tmp/cgroup.procs || exit 8; echo 500M >/tmp/memory.max'
isnt "$STATUS" 9 "inside, the own group can be looked at"
isnt "$STATUS" 8 "and written, as far as it goes"
isnt "$STATUS" 0 "but no limit is there"
like "$ERR" 'memory.max' "to be lifted"

# Other views of the hierarchy from outside.
in_group given/leaf unshare -UrC "$NSBOX" --report "$REPORT_FILE" --ro /usr --mem 64M -- true
limits_are '.by + "=" + .state' 'cgroup2=applied' "in a control group namespace below the mount's root"
in_group given/leaf unshare -UrmC sh -c "mount -t cgroup2 cgroup2 $groups; exec $NSBOX --report $REPORT_FILE --ro /usr --require cgroup -- true"
status_is 0 "in a control group namespace with a mount of its own"
in_group given/leaf unshare -Urm sh -c "mkdir $T/'a b'; mount --rbind $groups $T/'a b'; mount -t tmpfs tmpfs $groups
	exec $NSBOX --report $REPORT_FILE --ro /usr --mem 64M -- true"
limits_are '.by + "=" + .state' 'cgroup2=applied' "wherever it is mounted"
in_group given/leaf unshare -Urm sh -c "mount -o remount,bind,ro $groups; exec $NSBOX --report $REPORT_FILE --ro /usr --require cgroup -- true"
status_is 125 "on a read-only mount --require cgroup is refused"
like "$ERR" 'read-only' "the refusal names the mount"
in_group given/leaf unshare -Urm sh -c "mount -t tmpfs tmpfs $groups; exec $NSBOX --report $REPORT_FILE --ro /usr --require cgroup -- true"
status_is 125 "without a mount in sight --require cgroup is refused"
is "$(left given)$(left given/leaf)" '' "no group is left by any of them"

# Alone in a group that was given: nsbox moves to a leaf for the time of the run.
own_group job
in_group job "$NSBOX" --report "$REPORT_FILE" --ro /usr --mem 64M --pids 9 -- true
limits_are '.by + "=" + .state' 'cgroup2=applied cgroup2=applied' "alone in a group, its controllers are used"
is "$(cat "$groups/job/cgroup.subtree_control")$(left job)" '' "and the group is as it was"
in_group job sh -c "$NSBOX --report $REPORT_FILE --ro /usr --mem 64M -- true; exit \$?"
status_is 0 "beside another process it is not changed"
is "$(cat "$groups/job/cgroup.subtree_control")$(left job)" '' "and nothing is left in it"

done_testing
