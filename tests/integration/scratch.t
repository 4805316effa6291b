# The scratch: new, empty, writable, executable, one file system for all its places, and gone.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr "$@"
}
mounts=$(cat /proc/self/mountinfo)

N -- sh -c 'ls -A /work /tmp /dev/shm; pwd'
is "$(xargs <<<"$OUT")" "/dev/shm: /tmp: /work: /work" "the scratch is empty, and the command starts in it"
report_is '.scratch == "/work" and (layer("scratch") | .state == "applied" and .asked == "required")' "the report says where it is"
report_is '.teardown.scratch_removed and .teardown.confirmed' "and that it is gone"
# shellcheck disable=SC2016 # meant for the shell inside
N -- sh -c 'for d in /work /tmp /dev/shm; do mkdir $d/a && echo x >$d/a/b && ln -s b $d/a/c && cat $d/a/c && mkfifo $d/p && ln $d/a/b $d/d; done'
is "$STATUS $(xargs <<<"$OUT")" "0 x x x" "it can be written in all three places"
N -- sh -c 'ls -A /work /tmp /dev/shm'
is "$(xargs <<<"$OUT")" "/dev/shm: /tmp: /work:" "the next run sees nothing of it"
is "$(cat /proc/self/mountinfo)" "$mounts" "the host has no mount of it"
N -- sh -c 'touch /new; touch /usr/new; touch /dev/new; touch /proc/new'
isnt "$STATUS" 0 "other places cannot be written"
is "$(wc -l <<<"$ERR")" 4 "none of them"
N -- stat -c %d /work /tmp /dev/shm
is "$(sort -u <<<"$OUT" | wc -l)" 1 "its places are on one file system"
isnt "$(head -1 <<<"$OUT")" "$(stat -c %d /tmp)" "which is not the host's"
N -- stat -c '%n %a %u' /work /tmp /dev/shm
like "$OUT" "/work 7[0-9]* $EUID" "/work belongs to the command"
like "$OUT" '/tmp 1777' "/tmp is what programs expect of it"
like "$OUT" '/dev/shm 1777' "so is /dev/shm"
N -- sh -c 'cp /usr/bin/env /work/program && /work/program true && cp /work/program /tmp/p && /tmp/p true'
status_is 0 "a program in it can be executed"
N -- sh -c 'printf "#!/bin/sh\necho script\n" >s; chmod +x s; ./s'
is "$OUT" script "so can a script"
N --chdir /tmp -- pwd
is "$OUT" /tmp "--chdir says where the command starts"
N --chdir /no/such -- touch "$T/ran"
is "$STATUS" 125 "a folder that is not there is refused"
like "$ERR" '^nsbox: --chdir /no/such: ENOENT' "the message names option, path and errno"
report_is '.end.errno == "ENOENT" and .end.reason != "exited"' "the report too"
N --chdir relative -- true
status_is 125 "a relative one is refused"
N -- sh -c 'head -c 20000000 /dev/zero >big && stat -c %s big'
is "$OUT" 20000000 "a large file fits"
if has python3; then
	N -- python3 -c 'from multiprocessing import shared_memory as m; s = m.SharedMemory(create=True, size=9); print(s.size >= 9); s.close(); s.unlink()'
	is "$OUT" True "shared memory works"
fi

# Two at once do not see each other, in any of the places.
is_there() {
	[[ $(<"$T/.out") == ready ]]
}
name=nsbox-scratch.$$
nsbox_start --ro /usr -- sh -c "touch /work/$name /tmp/$name /dev/shm/$name; echo ready; exec sleep 20"
wait_until 5 is_there
other=$NSBOX_PID
run "$NSBOX" --ro /usr -- sh -c "ls -A /work /tmp /dev/shm; touch /work/$name && echo touched"
is "$(xargs <<<"$OUT")" "/dev/shm: /tmp: /work: touched" "a second run sees nothing of the first"
refutes "nor does the host" test -e "/tmp/$name" -o -e "/dev/shm/$name" -o -e "/work/$name"
refutes "the first is still there" has_ended "$other"
kill -9 "$other"
nsbox_wait
is "$(cat /proc/self/mountinfo)" "$mounts" "where nsbox is killed, no mount is left either"
done_testing
