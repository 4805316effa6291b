# What /proc holds: the command's own processes, and nothing of the host's that could be changed.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr "$@"
}

# Processes
# shellcheck disable=SC2016 # meant for the shell inside
N -- sh -c 'for p in /proc/[0-9]*; do echo ${p#/proc/}; done'
ok "there are at most three processes" test "$(wc -l <<<"$OUT")" -le 3
ok "their numbers begin at 1" test "$(sort -n <<<"$OUT" | sed -n '1p;$p' | xargs)" != "" -a "$(sort -n <<<"$OUT" | tail -1)" -lt 20
like "$(xargs <<<"$OUT")" '^1 ' "the first is 1"
report_is 'layer("pid-namespace") | .state == "applied" and .by == "CLONE_NEWPID"' "the report names the namespace"
# Beyond the numbers that the few processes inside can have.
background sleep 100
pid=$BG_PID
while [ "$pid" -lt 100 ]; do
	background sleep 100
	pid=$BG_PID
done
ok "on the host, a process can be seen and signalled" kill -0 "$pid"
N -- sh -c "test -e /proc/$pid; echo \$?; kill -0 $pid 2>&1"
like "$(xargs <<<"$OUT")" '^1 .*No such process' "inside, it can be neither"
N -- sh -c 'kill -9 -1; exit 7'
status_is 7 "a signal to everybody reaches nobody else"
ok "the host's process is still there" kill -0 "$pid"

# What belongs to the kernel: opened for writing, and nothing is written.
# openable FILE ...: those which can be.
# shellcheck disable=SC2016 # for another shell
openable='for f; do (: >>$f) 2>/dev/null && echo $f; done; exit 0'
kernel=()
for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/kernel/modprobe \
	/proc/sys/vm/drop_caches /proc/sys/net/ipv4/ip_forward /proc/sys/user/max_user_namespaces \
	/proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/mtrr; do
	[ ! -e "$file" ] || kernel+=("$file")
done
if is_root; then
	run sh -c "$openable" - "${kernel[@]}"
	like "$OUT" '/proc/sys/kernel/core_pattern' "on the host, root can open the kernel's settings for writing"
fi
for options in "" "--uid 0 --gid 0" "--uid 0 --cap-add CAP_DAC_OVERRIDE" "--ro /"; do
	# shellcheck disable=SC2086 # several words
	N $options -- sh -c "$openable" - "${kernel[@]}"
	is "$OUT" "" "inside they cannot be${options:+: }$options"
done
# What is written to pressure/ and ns_last_pid counts for the writer and its own namespace.
# shellcheck disable=SC2016 # meant for the shell inside
all='find /proc -path "/proc/[0-9]*" -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o \
	-path /proc/pressure -prune -o -path /proc/sys/kernel/ns_last_pid -prune -o -type f -print 2>/dev/null |
	while read -r f; do (: >>"$f") 2>/dev/null && echo "$f"; done; exit 0'
N -- sh -c "$all"
is "$OUT" "" "nor can any other file of /proc that belongs to no process"
N --uid 0 --gid 0 --cap-add CAP_SYS_ADMIN -- sh -c "mount -o remount,rw,bind /proc/sys; umount /proc/sys; $openable" - "${kernel[@]}"
unlike "$OUT" 'core_pattern|modprobe|sysrq|drop_caches|irq' "with CAP_SYS_ADMIN they cannot be either"
N -- sh -c 'cat /proc/sys/kernel/ostype'
is "$OUT" Linux "they can be read"
N -- sh -c 'mkdir /proc/new || touch /proc/new'
isnt "$STATUS" 0 "nothing can be made in /proc"

# Pid 1 is nsbox, and the file behind it is the host's.
N -- sh -c '(: >>/proc/1/exe) && echo written; cat /proc/1/exe | head -c 4; ls /proc/1/root/ /proc/1/cwd/; cat /proc/1/mem | head -c 1'
is "$OUT" "" "pid 1 gives nothing away: neither its file, its memory nor its folders"
N -- sh -c 'tr "\0" "\n" </proc/1/environ; tr "\0" " " </proc/1/cmdline'
unlike "$OUT" "$T|PATH=|HOME=|--ro" "its environment and arguments hold nothing of the caller's"
# shellcheck disable=SC2016 # meant for the shell inside
N -- sh -c 'echo x >/proc/$$/comm && readlink /proc/self/exe && cat /proc/self/comm'
status_is 0 "what belongs to the command itself works"
N -- sh -c 'kill -9 1; kill -TERM 1; kill -STOP 1; echo still; exit 4'
is "$STATUS $OUT" "4 still" "pid 1 cannot be ended from inside"
done_testing
