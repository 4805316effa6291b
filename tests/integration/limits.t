# Limits over everything in the sandbox together: time, processor time, memory, processes; and what the report
# says of each. Output has a file of its own.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr "$@"
}

# limit NAME CONDITION TEXT: the condition is true of this limit in the report.
limit_is() {
	report_is "[.limits[] | select(.name == \"$1\")] | length == 1 and (.[0] | $2)" "$3"
}

# between LOW HIGH NUMBER NAME
# The upper bounds of times are wider than what is promised: a busy machine must not fail them.
between() {
	if [[ $3 =~ ^[0-9]+$ ]] && [ "$3" -ge "$1" ] && [ "$3" -le "$2" ]; then
		pass "$4"
	else
		not_ok "$4" "got $3, wanted $1 to $2"
		diag "report: ${REPORT:-none}"
	fi
}

usage() {
	jq -r ".usage.$1" <<<"$REPORT" 2>/dev/null
}

# ended REASON STATUS NAME
ended() {
	report_is ".end.reason == \"$1\" and .confinement_applied and .teardown.confirmed" "$3: $1"
	status_is "$2" "$3: exit status $2"
}

# python CODE: the word list for a command.
python() {
	has python3 || skip_all "there is no python3 here"
	command=(python3 -c "import mmap, os, signal, sys, threading, time
def spin(seconds):
    while time.process_time() < seconds:
        pass
$1")
}

wait_for_output() {
	grep -q "$1" "$T/.out"
}

# What holds the limits here. That it is named truly is shown by what follows.
by() {
	jq -r ".limits[] | select(.name == \"$1\") | .by" <<<"$REPORT"
}
N --cpu 9 --mem 1G --pids 99 -- true
by_mem=$(by mem) by_cpu=$(by cpu) by_pids=$(by pids)
like "$STATUS $by_mem $by_cpu $by_pids" '^0 (cgroup2|poll) (cgroup2|poll) (cgroup2|rlimit|poll)$' \
    "there is something to hold each limit"
! is_root || isnt "$by_pids" rlimit "root is not held by a resource limit"
# A group that cannot hold memory is none.
has_cgroup=false
[ "$by_mem" != cgroup2 ] || has_cgroup=true

# Nothing is limited that was not asked for.
N -- true
report_is '.limits == [] and .limits_applied == true' "what was not asked for is not in the report"
N -- cat /proc/self/limits
is "$OUT" "$(cat /proc/self/limits)" "nor is any resource limit another than the caller's"

# --- Elapsed time.
begin=${EPOCHREALTIME/./}
N --wall 1 -- sleep 9
between 1000 5000 $(((${EPOCHREALTIME/./} - begin) / 1000)) "--wall 1 ends a sleep in time"
ended wall-limit 124 "--wall 1"
between 1000 4000 "$(usage wall_ms)" "the report says when"
limit_is wall '.asked == 1000 and .unit == "ms" and .by == "supervisor" and .state == "applied" and .hit' \
    "the limit is in the report, and was hit"
report_is '.limits_applied and (.limits | length) == 1 and .reason == "wall-limit" and .end.code == null' \
    "and no other"
is "$ERR" '' "nothing is printed about it"
N --wall 1 -- sh -c 'exit 124'
ended exited 124 "a command's own 124"
limit_is wall '.state == "applied" and (.hit | not)' "its limit was not hit"

python 'spin(9)'
N --wall 1 -- "${command[@]}"
ended wall-limit 124 "a busy command"
between 1000 4000 "$(usage wall_ms)" "a busy command is ended in time"
# shellcheck disable=SC2016 # meant for the shell inside
N --wall 1 -- sh -c 'kill -STOP $$; sleep 9'
ended wall-limit 124 "a stopped command"
between 1000 4000 "$(usage wall_ms)" "a stopped command is ended in time"
N --wall 1 -- sh -c 'trap "" TERM INT HUP QUIT ALRM; while :; do sleep 9; done'
between 1000 4000 "$(usage wall_ms)" "one that ignores signals is, without any grace"
N --wall 1 -- sh -c 'for i in 1 2 3; do (setsid sh -c "trap \"\" TERM HUP; sleep 99 & sleep 99" &) done; sleep 9'
ended wall-limit 124 "daemons in sessions of their own"
report_is '.teardown.survivors_killed >= 6' "they are killed and counted"
for value in 300ms 0.3 0.3s 0.005m; do
	N --wall "$value" -- sleep 9
	between 300 4000 "$(usage wall_ms)" "--wall $value"
done
N --wall 5 -- sh -c 'sleep 9 & exit 3'
ended exited 3 "the end of the command is the end, whatever runs on"

# --- Processor time.
N --cpu 1 --wall 9 -- sh -c 'while :; do :; done & while :; do :; done'
ended cpu-limit 124 "--cpu 1 over two processes"
between 1000 1500 "$(usage cpu_ms)" "it holds within a tenth"
limit_is cpu ".asked == 1000 and .unit == \"ms\" and .by == \"$by_cpu\" and .state == \"applied\" and .hit" \
    "the report names it and its mechanism"
limit_is wall '.hit | not' "the other limit was not hit"
python 'for i in range(99):
    if os.fork() == 0:
        spin(.1)
        os._exit(0)
    os.wait()'
N --cpu 1 --wall 9 -- "${command[@]}"
ended cpu-limit 124 "children that have ended and were waited for count"
between 1000 1500 "$(usage cpu_ms)" "what they used is in the sum"
python 'for i in range(99):
    if os.fork() == 0:
        if os.fork() == 0:
            spin(.1)
            print(".", end="", flush=True)
        os._exit(0)
    os.wait()
    time.sleep(.1)'
N --cpu 1 --wall 20 -- "${command[@]}"
ended cpu-limit 124 "orphans that pid 1 waits for count"
between 6 15 ${#OUT} "they are counted whole"
for size in .2 .03; do
	python "signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for i in range(int(5 / $size)):
    pid = os.fork()
    if pid == 0:
        spin($size)
        print('.', end='', flush=True)
        os._exit(0)
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass"
	N --cpu 1 --wall 20 -- "${command[@]}"
	ended cpu-limit 124 "children of $size s whose parent ignores SIGCHLD count"
	# bc is not everywhere.
	# Of each that nobody waits for, up to 20 ms may go unseen.
	most=$(awk "BEGIN { print int(1.5 / ($size > .1 ? $size : $size - .02)) }")
	between 1 "$most" ${#OUT} "of those of $size s no more end than fit"
done
python 'def work():
    end = time.process_time() + 9
    while time.process_time() < end:
        pass
for i in range(3):
    threading.Thread(target=work).start()'
N --cpu 500ms --wall 9 -- "${command[@]}"
ended cpu-limit 124 "threads count"
between 500 1000 "$(usage cpu_ms)" "--cpu 500ms"
N --cpu 1 --wall 9 -- sleep 1.5
ended exited 0 "time that is slept does not count"
N --cpu 5 --wall 500ms -- sh -c 'while :; do :; done'
ended wall-limit 124 "of two limits the one that was reached is the reason"
N --cpu 1 -- sh -c 'exit 9'
ended exited 9 "a limit that is not reached changes nothing"

# --- Memory.
python 'x = bytearray(500 << 20)
time.sleep(1)'
N --mem 64M -- "${command[@]}"
if [ "$STATUS" = 1 ]; then
	like "$ERR" MemoryError "500 MiB do not fit into --mem 64M"
else
	report_is '.end.reason == "memory-limit"' "500 MiB do not fit into --mem 64M"
	status_is 137 "it is ended by SIGKILL"
fi
limit_is mem ".hit and .asked == 67108864 and .unit == \"bytes\" and .by == \"$by_mem\" and .state == \"applied\"" \
    "the report names the limit and its mechanism"
report_is '.usage.peak_bytes > 50000000' "the peak is in the report"
python 'x = bytearray(30 << 20)
time.sleep(.3)'
N --mem 64M -- "${command[@]}"
ended exited 0 "30 MiB fit into --mem 64M"
limit_is mem '.hit | not' "the limit was not hit"
report_is '.usage.peak_bytes > 31457280 and .usage.peak_bytes < 67108864' "the peak is what was used"
python 'for i in range(int(sys.argv[1])):
    if os.fork() == 0:
        x = bytearray(10 << 20)
        time.sleep(1)
        os._exit(0)
for i in range(int(sys.argv[1])):
    os.wait()'
N --mem 128M -- "${command[@]}" 20
limit_is mem .hit "many small ones together do not"
N --mem 128M -- "${command[@]}" 4
ended exited 0 "a few do"
python 'x = bytearray(60 << 20)
for i in range(6):
    if os.fork() == 0:
        time.sleep(.5)
        os._exit(0)
for i in range(6):
    os.wait()'
N --mem 128M -- "${command[@]}"
ended exited 0 "what is shared after fork counts once"
report_is '.usage.peak_bytes < 134217728' "in the peak too"
for place in /tmp /work /dev/shm /t; do
	N --mem 64M --tmpfs /t -- sh -c "head -c 100M /dev/zero >$place/f; sleep 0.5"
	limit_is mem .hit "files in $place are memory"
	N --mem 64M --tmpfs /t -- sh -c "head -c 30M /dev/zero >$place/f; sleep 0.2"
	ended exited 0 "as many in $place as fit"
done
python 'x = mmap.mmap(-1, 200 << 20)
for i in range(0, len(x), 4096):
    x[i] = 1
time.sleep(.5)'
N --mem 64M -- "${command[@]}"
limit_is mem .hit "shared memory without a name counts"
python 'fd = os.memfd_create("x")
os.truncate(fd, 200 << 20)
x = mmap.mmap(fd, 200 << 20)
for i in range(0, len(x), 4096):
    x[i] = 1
time.sleep(.5)'
N --mem 64M -- "${command[@]}"
limit_is mem .hit "a mapped memfd counts"
python 'fd = os.open("/tmp/f", os.O_RDWR | os.O_CREAT)
os.write(fd, bytes(40 << 20))
x = mmap.mmap(fd, 40 << 20)
sum(x[i] for i in range(0, len(x), 4096))
y = bytearray(20 << 20)
for i in range(5):
    if os.fork() == 0:
        time.sleep(.5)
        os._exit(0)
for i in range(5):
    os.wait()'
N --mem 110M -- "${command[@]}"
ended exited 0 "a file of the scratch that is mapped counts once"
mkdir "$T/disk"
head -c 3000000 /dev/zero >"$T/disk/file"
N --mem 64M --bind "$T/disk" /tmp -- sh -c 'sleep 0.3; head -c 1000 /dev/zero >/tmp/x'
ended exited 0 "a folder of the host at /tmp is not the sandbox's memory"
N --mem 64M --bind "$T/disk" /tmp -- sh -c 'head -c 100M /dev/zero >/work/f; sleep 0.5'
limit_is mem .hit "the scratch is, also where /tmp is another"
N --mem 64M --scratch-dir "$T/disk" -- sh -c 'head -c 100M /dev/zero >/tmp/f; sleep 0.3'
ended exited 0 "nor is a scratch on disk"

# A command's own SIGKILL is not a limit's.
# shellcheck disable=SC2016 # meant for the shell inside
N --mem 64M --cpu 9 --wall 9 --pids 50 -- sh -c 'kill -9 $$'
ended signaled 137 "a command's own SIGKILL with limits on"
report_is '.end.signal == 9 and ([.limits[] | .hit] | any | not)' "no limit was hit"
N --mem 64M -- sh -c 'exit 137'
ended exited 137 "a command's own 137"

# --- Processes.
hold='n = 0
try:
    for i in range(int(sys.argv[1])):
        if os.fork() == 0:
            time.sleep(.6)
            os._exit(0)
        n += 1
except OSError as error:
    print(error.errno, end=" ")
print(n)
time.sleep(.6)'
python "$hold"
N --pids 32 -- "${command[@]}" 20
is "$STATUS $OUT" '0 20' "20 processes fit into --pids 32"
limit_is pids ".asked == 32 and .unit == \"processes\" and .by == \"$by_pids\" and .state == \"applied\" and (.hit | not)" \
    "the report names the limit and its mechanism"
report_is '.usage.pids_peak == 21' "the peak is in the report"
N --pids 32 -- "${command[@]}" 60
if [ "$by_pids" = poll ]; then
	status_is 137 "60 do not: everything is killed"
	report_is '.end.reason == "signaled" and .end.signal == 9' "it is reported as the end by a signal"
else
	is "$STATUS $OUT" '0 11 31' "60 do not: EAGAIN, for exactly those that are too many"
fi
limit_is pids .hit "the limit was hit"
python 'for i in range(500):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
print("all")'
N --pids 32 -- "${command[@]}"
is "$STATUS $OUT" '0 all' "500 one after another fit"
limit_is pids '.hit | not' "without hitting it"
python 'n = 0
try:
    for i in range(int(sys.argv[1])):
        threading.Thread(target=time.sleep, args=(.5,)).start()
        n += 1
except RuntimeError:
    print("refused", end=" ", flush=True)
print(n)
time.sleep(.5)'
N --pids 32 -- "${command[@]}" 20
is "$STATUS $OUT" '0 20' "threads are processes: 20 fit"
N --pids 32 -- "${command[@]}" 60
if [ "$by_pids" = poll ]; then
	status_is 137 "60 do not"
else
	is "$OUT" 'refused 31' "60 do not"
fi
python "$hold"
nsbox_start --ro /usr --pids 32 -- "${command[@]}" 25
wait_until 5 wait_for_output 25
run "$NSBOX" --ro /usr --pids 32 -- "${command[@]}" 25
is "$STATUS $OUT" '0 25' "the limit is that of one sandbox, not of all of this user"
nsbox_wait
status_is 0 "for both"
N --pids 1 -- true
status_is 0 "--pids 1 leaves the command itself"

# --- Fork bombs. The host has to stay usable meanwhile.
bomb_ends() {
	local name=$1 slowest=0 begin all=${EPOCHREALTIME/./} took
	shift
	nsbox_start --ro /usr --pids 64 --wall 2 "$@"
	while ! has_ended "$NSBOX_PID" && [ $(((${EPOCHREALTIME/./} - all) / 1000)) -lt 10000 ]; do
		begin=${EPOCHREALTIME/./}
		/usr/bin/true
		took=$(((${EPOCHREALTIME/./} - begin) / 1000))
		[ "$took" -le "$slowest" ] || slowest=$took
		sleep 0.1
	done
	nsbox_wait
	between 0 9000 $(((${EPOCHREALTIME/./} - all) / 1000)) "$name ends in time"
	between 0 5000 "$slowest" "$name: the host stays usable"
	report_is '.confinement_applied and .teardown.confirmed and ([.limits[] | .hit] | any)' "$name: the report says by which limit"
}
bomb_ends "a fork bomb" -- sh -c 'f() { f | f & }; f; sleep 9'
python 'for s in range(1, 65):
    try:
        signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() > 0:
                os._exit(0)
    except OSError:
        pass'
bomb_ends "one that ignores signals, forks twice and leaves its session" -- "${command[@]}"
bomb_ends "the same with all limits on" --cpu 60 --mem 4G -- "${command[@]}"
N -- true
status_is 0 "the next run works"

# --- Processor rate and control groups: held by a control group, or refused.
if $has_cgroup; then	# a whole one, with controllers
	N --cpus 0.5 -- true
	limit_is cpus '.by == "cgroup2" and .state == "applied" and .asked == 500 and .unit == "millicpus"' \
	    "--cpus is held by a control group"
	N --require cgroup --mem 64M -- true
	report_is 'layer("cgroup") | .state == "applied" and .asked == "required"' "--require cgroup is met"
else
	N --cpus 0.5 -- sh -c 'echo ran'
	is "$STATUS $OUT" '125 ' "--cpus without a control group is refused before the command runs"
	like "$ERR" '^nsbox: .*cpus: .*control group' "the message says what is missing"
	limit_is cpus '.state == "refused" and .asked == 500 and .unit == "millicpus" and .by == null and .remedy != null and .reason != null' \
	    "the report says why and what helps"
	report_is '.end.reason == "refused" and (.limits_applied | not)' "and that it was refused"
	N --cpus 0.5 --allow-missing cpus -- sh -c 'echo ran'
	is "$STATUS $OUT" '0 ran' "--allow-missing cpus runs without"
	limit_is cpus '.state == "skipped" and .by == null and .reason != null' "and the report says so"
	report_is '.limits_applied | not' "it does not say that all limits hold"
	N --require cgroup --mem 64M -- sh -c 'echo ran'
	is "$STATUS $OUT" '125 ' "--require cgroup without one is refused before the command runs"
	like "$ERR" 'cgroup' "the message names it"
	report_is '.end.reason == "refused" and (layer("cgroup") | .state == "refused" and .reason != null and .remedy != null)' \
	    "so does the report, with the remedy"
	N --mem 64M --report "$REPORT_FILE" -- true
	is "$STATUS" 0 "without --require the weaker mechanism will do"
	limit_is mem '.by == "poll" and .state == "applied"' "and is named"
fi

# --- All of them together.
N --wall 9 --cpu 9 --mem 256M --pids 50 --out-max 1M --out-max-each 1M --rlimit core=0 -- sh -c 'sleep 0.1; exit 5'
ended exited 5 "all limits together"
report_is '[.limits[].name] == ["wall", "cpu", "mem", "pids", "output", "output-each", "rlimit"]
    and .limits_applied and ([.limits[] | .state == "applied" and (.hit | not) and .evidence != null] | all)' \
    "each is in the report, with its evidence"
report_is '.usage | [.wall_ms, .cpu_ms, .peak_bytes, .pids_peak, .output_bytes] | all(type == "number")' \
    "and the usage is known"
N --mem 256M --pids 50 -- true
report_is '.usage | .peak_bytes != 0 and .pids_peak != 0' "what was not seen is not 0"

# --- Cancelled.
nsbox_start --ro /usr --wall 9 --mem 64M --grace 300ms -- sh -c 'trap "" TERM; echo ready; while :; do sleep 1; done'
wait_until 5 wait_for_output ready
kill -TERM "$NSBOX_PID"
nsbox_wait
report_is '.end.reason == "cancelled" and ([.limits[] | .hit] | any | not)' "an end by signal is cancelled, not a limit"
nsbox_start --ro /usr --wall 1 -- sh -c 'trap "" TERM; echo ready; while :; do sleep 1; done'
wait_until 5 wait_for_output ready
kill -TERM "$NSBOX_PID"
nsbox_wait
between 1000 5000 "$(usage wall_ms)" "the deadline holds within the grace period"

done_testing
