# Ways out that were found open once, and the twin that shows that the way exists without the protection.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1
has python3 || skip_all "there is no python3 here"

echo secret >"$T/secret"
chmod 644 "$T/secret"
chmod 755 "$T"

# --- The host's tree.
nsbox --ro /usr -- sh -c 'cat "/..$0" "/../../..$0" "/proc/1/root$0" "/proc/self/root/..$0"' "$T/secret"
unlike "$OUT" secret "no way up from the root"
for number in 0 1 2 3 4 5 6 7 8 9; do
	nsbox --ro /usr --chdir "/proc/self/fd/$number" -- sh -c "cat .$T/secret ..$T/secret ../..$T/secret"
	unlike "$OUT" secret "--chdir through a magic link ($number) leads nowhere"
done
nsbox --ro /usr --chdir /usr/bin -- pwd
is "$OUT" /usr/bin "--chdir to a folder inside works"

# --- Descriptors of nsbox's own.
for number in 3 4 5 6 7; do
	nsbox --ro /usr --pass-fd "$number" -- sh -c "cat /proc/self/fd/$number/../$T/secret; ls -l /proc/self/fd"
	is "$STATUS" 125 "--pass-fd $number, which the caller did not open, is refused"
	like "$ERR" "--pass-fd $number" "and named"
done
run "$NSBOX" --ro /usr --file fd:5 /x -- cat /x
is "$STATUS" 125 "so is --file fd:5"
run "$NSBOX" --args 5 --ro /usr -- true
is "$STATUS" 125 "so is --args 5"
run "$NSBOX" --ro /usr --pass-fd 5 -- cat /proc/self/fd/5 5<"$T/secret"
is "$OUT" secret "one that the caller opened is passed"

# --- The program's own file (CVE-2019-5736). As root it belongs to root; an ordinary user's copy is his own.
cp "$NSBOX" "$T/own"
chmod 755 "$T/own"
mkdir -p "$T/tree"
printf '#!/proc/self/exe\n' >"$T/tree/entry"
chmod 755 "$T/tree/entry"
mode=$(stat -c %a "$T/own")
cat >"$T/tree/try.py" <<'END'
import os
try: os.chmod("/proc/self/exe", 0o777)
except OSError as error: print(error)
END
run "$T/own" --ro-bind "$T/tree" / --ro /usr -- /entry
is "$(stat -c %a "$T/own")" "$mode" "a script that is run by /proc/self/exe leaves nsbox's file as it is"
# shellcheck disable=SC2016 # meant for the shell inside
run "$T/own" --ro /usr -- sh -c 'readlink /proc/1/exe; ls -l /proc/1/exe'
unlike "$OUT" "$T/own" "pid 1 does not name it"

# --- User namespaces of the command's own.
nsbox --ro /usr -- unshare --user --map-root-user true
isnt "$STATUS" 0 "the command cannot make a user namespace"
report_is 'layer("nested-namespaces") | .state == "applied"' "and the report says so"
nsbox --ro /usr --uid 5 --gid 5 --allow-userns -- unshare --user --map-root-user id -u
is "$STATUS $OUT" "0 0" "with --allow-userns it can"
report_is 'layer("nested-namespaces") | .state == "skipped" and .asked == "no"' "and the report says that too"
nsbox --ro /usr -- sh -c 'echo 9 >/proc/sys/user/max_user_namespaces; unshare --user true'
isnt "$STATUS" 0 "nor give itself the right"

# --- CAP_SYS_ADMIN counts inside and takes nothing away.
mkdir -p "$T/shown"
nsbox --ro /usr --uid 0 --gid 0 --cap-add CAP_SYS_ADMIN --ro-bind "$T/shown" /shown -- \
	sh -c 'mount -t tmpfs none /tmp && echo mounted; mount -o remount,bind,rw /shown; touch /shown/written; umount /shown'
like "$OUT" mounted "with --cap-add CAP_SYS_ADMIN the command can mount"
refutes "and cannot make writable what is shown read-only" test -e "$T/shown/written"

# --- Keys.
keys='
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
key = libc.syscall(ctypes.c_long(248), b"user", b"nsbox-test", b"value", ctypes.c_size_t(5), ctypes.c_int(-3))
print("made" if key > 0 else "none")
'
if [ "$(uname -m)" = x86_64 ]; then
	look='
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
key = libc.syscall(ctypes.c_long(250), ctypes.c_int(10), ctypes.c_int(-3), b"user", b"nsbox-test", ctypes.c_int(0))
print("found" if key > 0 else "not found")
'
	# A session keyring of this test's own, so that nothing stays behind.
	twin='
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(ctypes.c_long(250), ctypes.c_int(1), None)
exec(sys.argv[1])
sys.stdout.flush()
subprocess.run(["/usr/bin/python3", "-c", sys.argv[2]])
subprocess.run([sys.argv[3], "--ro", "/usr", "--", "/usr/bin/python3", "-c", sys.argv[2]])
'
	run python3 -c "$twin" "$keys" "$look" "$NSBOX"
	if [ "${OUT%%$'\n'*}" = made ]; then
		is "$(xargs <<<"$OUT")" "made found not found" "a key of the caller's session is found outside and not inside"
	fi
fi

# --- Signals to the caller's process group.
cat >"$T/group.py" <<'END'
import os, pty, signal, subprocess, sys, time
# A bystander in nsbox's own process group, and a terminal that they share; nsbox's output is a pipe.
nsbox = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    bystander = subprocess.Popen(["sleep", "20"])
    got = subprocess.run(nsbox, stdout=subprocess.PIPE).stdout
    time.sleep(0.2)
    print("bystander", bystander.poll(), got, flush=True)
    bystander.kill()
    os._exit(0)
text = b""
while True:
    try: data = os.read(terminal, 4096)
    except OSError: break
    if not data: break
    text += data
print(text.decode())
END
run python3 "$T/group.py" "$NSBOX" --ro /usr -- python3 -c 'import os, signal
signal.signal(10, signal.SIG_IGN)
try: os.kill(0, 10); print("sent")
except OSError as error: print(error.errno)'
like "$OUT" "bystander None b'1.n'" "a command that shares the terminal in a pipeline cannot signal the caller's process group"
run python3 "$T/group.py" python3 -c 'import os, signal
signal.signal(10, signal.SIG_IGN)
os.kill(0, 10); print("sent")'
unlike "$OUT" "bystander None" "without nsbox it can"

# --- Sockets that no network namespace holds.
vsock='import socket
try: socket.socket(40, socket.SOCK_STREAM); print("made")
except OSError as error: print(error.errno)'
nsbox --ro /usr -- python3 -c "$vsock"
is "$OUT" 97 "AF_VSOCK is refused (EAFNOSUPPORT)"
report_is 'layer("network").evidence | contains("AF_VSOCK")' "and the report says so"

# --- A flood of children does not keep the sandbox from ending with the command.
flood='import os, sys, time
for i in range(8):
    if os.fork() == 0:
        os.setsid()
        while True:
            try:
                if os.fork() == 0: os._exit(0)
            except OSError: pass
time.sleep(0.3)
os._exit(7)'
begin=${EPOCHREALTIME/./}
nsbox --ro /usr -- python3 -c "$flood"
status_is 7 "a flood of children: the status is the command's"
ok "and it ends with the command" [ $(((${EPOCHREALTIME/./} - begin) / 1000)) -lt 5000 ]

# --- What is kept in /proc from the host's root.
if is_root; then
	for file in sys/kernel/core_pattern sysrq-trigger sys/vm/drop_caches; do
		nsbox --ro /usr -- sh -c ": >>/proc/$file"
		isnt "$STATUS" 0 "root cannot open /proc/$file for writing"
	done
	run unshare --user --map-user=1000 --map-group=1000 "$NSBOX" --ro /usr -- sh -c ': >>/proc/sys/kernel/core_pattern'
	isnt "$STATUS" 0 "nor where a user namespace shows him under another number"
	nsbox --ro /usr -- sh -c 'wc -c </proc/kallsyms'
	is "$OUT" 0 "nor read what only root reads of the kernel"
fi

# --- What covers the scratch is not called the scratch.
mkdir "$T/over"
nsbox --ro /usr --bind "$T/over" /work -- touch /work/kept
report_is 'layer("scratch").state == "skipped"' "a bind over /work is not called a scratch"
ok "what it holds is the caller's" test -e "$T/over/kept"
nsbox --ro /usr --require scratch --bind "$T/over" /work -- true
is "$STATUS" 125 "and contradicts --require scratch"
nsbox --ro /usr --dev-bind /dev /dev -- sh -c 'echo x >/dev/null'
status_is 0 "--dev-bind over /dev works"
done_testing
