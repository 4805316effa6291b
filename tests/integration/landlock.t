# Where namespaces are refused: what is chosen, what is said about it, what cannot be had, and that nothing survives.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

helpers=$NSBOX_BUILDDIR/tests/integration/helpers
capped=$helpers/nsbox-capped
abi=$("$helpers/abi") || skip_all "$helpers/abi was not built"
[ "$abi" -ge 1 ] || skip_all "this kernel has no Landlock"
chmod 755 "$T"

# In a user namespace in which no other can be made, without a capability.
# shellcheck disable=SC2016 # for the shell that it starts
refused=(unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces
	exec setpriv --securebits=+noroot,+noroot_locked --inh-caps=-all --bounding-set=-all -- "$@"' sh)
# L ARG...: nsbox on Landlock, with the report.
L() {
	nsbox --backend landlock --quiet --ro /usr "$@"
}

# --- Choosing.
run "${refused[@]}" "$NSBOX" --ro /usr --report "$REPORT_FILE" -- true
status_is 0 "no user namespaces: it runs on Landlock"
report_is '.backend == "landlock" and .confinement == "landlock" and .confinement_applied' "the report says so"
report_is 'layer("user-namespace") | .state == "skipped" and .asked == "wanted" and .errno == "ENOSPC" and (.reason | test("switched off")) and (.remedy | test("max_user_namespaces"))' \
    "and what was refused, by which errno, and what helps"
report_is '[.layers[] | select(.asked == "required" and .state != "applied")] == []' "all that is required is applied"
is "$ERR" '' "with a report nothing is printed"
run "${refused[@]}" "$NSBOX" --ro /usr -- echo out
is "$OUT $(grep -c . <<<"$ERR")" 'out 1' "without one, it is one line on standard error"
like "$ERR" '^nsbox: weaker sandbox.*sysctl user.max_user_namespaces' "with cause and remedy"
run "${refused[@]}" "$NSBOX" --quiet --ro /usr -- echo out
is "$OUT $ERR" 'out ' "--quiet leaves it out"
run "${refused[@]}" "$NSBOX" --ro /usr --require mount-namespace -- touch "$T/ran"
status_is 125 "what is required by name is not done without"
like "$ERR" 'ENOSPC.*landlock.*--require mount-namespace' "the message tells both refusals"
run "${refused[@]}" "$NSBOX" --backend namespaces --ro /usr -- touch "$T/ran"
status_is 125 "a backend that is named has no other"
run "${refused[@]}" env NSBOX_TEST_LANDLOCK_ABI=-38 "$capped" --ro /usr --report "$REPORT_FILE" -- touch "$T/ran"
status_is 125 "with neither there is no run"
like "$ERR" 'ENOSPC.*ENOSYS' "the message tells both"
report_is '.end.reason == "refused"' "and the report"
ok "nothing of all that ran" test ! -e "$T/ran"
SECRET=hidden run "${refused[@]}" "$NSBOX" --quiet --ro /usr --env KEPT=kept -- sh -c 'env; cat /proc/[0-9]*/environ 2>/dev/null | tr "\0" "\n"'
unlike "$OUT" hidden "the caller's environment is nowhere there either"
like "$OUT" KEPT=kept "what is set is"

for calls in EPERM:clone3,clone-new,unshare ENOSYS:clone3,clone-new EPERM:mount,fsopen,open_tree EACCES:mount,fsopen,open_tree; do
	run "$helpers/deny" "$calls" -- "$NSBOX" --ro /usr --report "$REPORT_FILE" -- true
	status_is 0 "$calls: it runs"
	report_is '.backend == "landlock" and ([.layers[] | select(.errno != null and .remedy != null)] | length) == 1' \
	    "$calls: on Landlock, with the cause"
done
if is_root || unshare -Ur true 2>/dev/null; then
	# shellcheck disable=SC2016 # for the shell inside
	run unshare -Urm sh -c 'mount --bind /dev/null /proc/meminfo && exec "$@"' sh \
	    unshare -m "$NSBOX" --ro /usr --report "$REPORT_FILE" -- true
	status_is 0 "a masked /proc: it runs"
	report_is '.backend == "namespaces" or (.backend == "landlock" and (layer("mount-namespace") | .errno == "EPERM" and (.reason | test("masked")) and (.remedy | test("unmask"))))' \
	    "and the report names the mask, where this kernel minds it"
	run unshare -Urm sh -c 'mount --bind /dev/null /proc/meminfo && exec "$@"' sh \
	    unshare -m "$NSBOX" --require mount-namespace --ro /usr -- true
	[ "$STATUS" = 0 ] || like "$ERR" 'masked.*unmask' "required by name, the refusal names the mask"
fi

# --- On top of namespaces, as a second wall.
S() {
	nsbox --ro /usr "$@"
}
S --require landlock -- true
report_is '.backend == "namespaces" and (layer("landlock") | .state == "applied" and (.evidence | test("EACCES .before: works")))' \
    "in namespaces it lies on top, and was tried"
# shellcheck disable=SC2016 # for the shell inside
write='for f in /work/x /tmp/x /dev/shm/x /t/x "$1/x"; do echo x >$f && mv $f $f.y && rm $f.y || echo "$f"; done
	echo x >/dev/null; (: >/dev/tty) 2>/dev/null; (echo x >/dev/full) 2>/dev/null; mkdir /work/d && echo x >/work/d/x && mv /work/d/x /work/e && ln /work/e /work/f
	mkfifo /work/p && ln -s p /work/l && truncate -s 0 "$1/one" && cat <"$1/one"; echo out >>/dev/stdout'
mkdir -p "$T/rw"
echo one >"$T/rw/one"
S --tmpfs /t --rw "$T/rw" -- sh -c "$write" sh "$T/rw"
is "$OUT" out "whatever was writable is so"
S --overlay-src /usr/lib --tmp-overlay /o --rw "$T/rw/one" -- sh -c "echo x >/o/new && rm -r /o/new && echo new >$T/rw/one && cat $T/rw/one"
is "$OUT" new "overlays and files as well"
NSBOX_TEST_LANDLOCK_ABI=-38 run "$capped" --ro /usr --report "$REPORT_FILE" -- true
report_is '.confinement_applied and (layer("landlock") | .state == "skipped" and .errno == "ENOSYS")' "without it, namespaces are enough"
NSBOX_TEST_LANDLOCK_ABI=-38 run "$capped" --ro /usr --require landlock -- touch "$T/ran"
status_is 125 "unless it is required"
for most in 1 2 3 4 5; do
	NSBOX_TEST_LANDLOCK_ABI=$most run "$capped" --ro /usr --tmpfs /t --rw "$T/rw" --report "$REPORT_FILE" -- sh -c "$write" sh "$T/rw"
	is "$OUT" out "ABI $most: whatever was writable is so"
	report_is 'layer("landlock").state == "applied"' "ABI $most: it lies on top"
done
S --allow-userns -- unshare -Urm mount -t tmpfs none /tmp
# Real root cannot map itself without a capability that it does not have in here.
is_root || is "$STATUS" 0 "--allow-userns: what is to mount can"
report_is 'layer("landlock").state == "skipped"' "--allow-userns takes the layer away"

# --- What is said in advance.
"$NSBOX" --check --json >"$T/check"
is "$? $(jq -r '.status, .backend, (.backends | map(.name) | join(" "))' "$T/check" | xargs)" \
    "0 0 namespaces namespaces landlock" "--check: whole"
is "$("$NSBOX" --check | grep -c "$(printf '\033')")" 0 "without colour where there is no terminal"
"${refused[@]}" "$NSBOX" --check >"$T/check"
is "$? $(grep -c 'what helps: sysctl user.max_user_namespaces' "$T/check")" "1 1" "--check where namespaces are refused: weaker, with the remedy"
NSBOX_TEST_LANDLOCK_ABI=-95 "${refused[@]}" "$capped" --check >"$T/check"
is "$? $(grep -c 'lsm=' "$T/check")" "2 1" "--check where nothing is left"
NSBOX_TEST_LANDLOCK_ABI=2 "$capped" --check --json | jq -e '.backends[1].not_covered | map(.name) | contains(["signals"])' >"$T/check"
is "$(cat "$T/check")" true "what stays open is found by trying"

# --- What cannot be expressed is refused, and by name left out.
mkdir -p "$T/rw/in" "$T/ro/hidden"
echo file >"$T/ro/file"
while read -r control option words; do
	eval "set -- $words"
	L "$@" -- touch "$T/rw/ran"
	status_is 125 "$words: refused"
	like "$ERR" "^nsbox: $option.*--allow-missing $control" "the message names it, and the control"
	L "$@" --allow-missing "$control" -- true
	status_is 0 "$words: left out with --allow-missing $control"
	[ "$control" != mount-namespace ] ||
		report_is '[.not_covered[] | select(.name == "left-out")] | length == 1' "and listed"
done <<END
mount-namespace --ro-bind --ro-bind '$T/ro' /elsewhere
mount-namespace --bind --bind '$T/rw' /elsewhere
mount-namespace --tmpfs --tmpfs /elsewhere
mount-namespace --dir --dir /elsewhere
mount-namespace --symlink --symlink usr /elsewhere
mount-namespace --file --file '$T/ro/file' /elsewhere
mount-namespace --tmp-overlay --overlay-src '$T/ro' --tmp-overlay /elsewhere
mount-namespace --mask --ro '$T/ro' --mask '$T/ro/hidden'
read-only --ro --rw '$T/rw' --ro '$T/rw/in'
uts-namespace --hostname --hostname other
user-namespace --uid --uid 7
user-namespace --gid --gid 7
user-namespace --cap-add --cap-add CAP_CHOWN
END
L --scratch-size 1M -- true
status_is 125 "a quota is refused"
like "$ERR" 'scratch-quota' "and named"
ok "nothing of all that ran" test ! -e "$T/rw/ran"

# --- What can.
L --ro "$T/ro" --rw "$T/rw" -- sh -c "cat $T/ro/file && echo new >$T/rw/new && mkdir $T/rw/d && mv $T/rw/new $T/rw/d && ! touch $T/ro/no && ! rm $T/ro/file"
status_is 0 "what is shown is read, what is writable is written"
is "$OUT $(cat "$T/rw/d/new")" "file new" "on the host"
L --ro-bind "$T/ro" "$T/ro" --mask /nowhere --mask "$T/rw" -- sh -c "cat $T/ro/file; ! ls $T/rw"
is "$STATUS $OUT" "0 file" "a bind to its own place is one, and what is not shown is hidden"
L --rw "$T/rw" --ro "$T/rw" -- touch "$T/rw/x"
status_is 1 "of two for one place the later counts"
L --ro "$T/rw" --rw "$T/rw/in" -- touch "$T/rw/in/x"
status_is 0 "something writable inside something read-only"
L -- sh -c 'echo x >file; cat file; pwd; echo $HOME $TMPDIR'
scratch=$(jq -r .scratch <<<"$REPORT")
is "$(xargs <<<"$OUT")" "x $scratch $scratch $scratch" "the scratch is where the report and the environment say"
ok "and gone" test ! -e "$scratch"
L --scratch-dir "$T" --keep-scratch -- sh -c 'echo kept >file'
scratch=$(jq -r .scratch <<<"$REPORT")
is "$(cat "$scratch/file") $(find "${scratch%/work}" -type f -o -type s | wc -l)" "kept 1" "--keep-scratch keeps it, and nothing else"
rm -rf "${scratch%/work}"
mkdir "$T/use"
L --scratch-use "$T/use" -- sh -c 'echo used >file'
is "$(cat "$T/use/file")" used "--scratch-use is used"
cp /usr/bin/true "$T/ro/sort"
PATH=$T/ro:/usr/bin L -- sort --version
like "$OUT" 'coreutils' "the search goes on behind a program that is not shown"
L --chdir "$T/ro" --ro "$T/ro" -- cat file
is "$OUT" file "--chdir to what is shown"
L --chdir "$T/ro" -- true
status_is 125 "and to nothing else"
L -- sh -c 'cat /etc/shadow'
is "$STATUS" 1 "the command's own error is untouched"
report_is '.denials == "not observed" and .end.reason == "exited"' "the report does not claim that nothing was refused"

# --- Nothing survives, whoever dies. (As root a kernel without scopes lets a command reach everything of root's.)
alive() {
	pgrep -x "$mark" | wc -l
}
gone() {
	[ "$(alive)" = 0 ]
}
background sleep 600
bystander=$BG_PID
has python3 || skip_all "there is no python3"
brood='import os, sys, time
for i in range(12):
    if os.fork() == 0:
        if i % 2:
            os.setsid()
        import signal
        for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)
        if i % 3 == 0 and os.fork(): os._exit(0)
        os.execv(sys.argv[1], [sys.argv[1], "500"])
print("up", flush=True)
time.sleep(500)'
mark=brood$$
cp /usr/bin/sleep "$T/ro/$mark"
for most in 1 5 6; do
	[ "$most" -le "$abi" ] || continue
	export NSBOX_TEST_LANDLOCK_ABI=$most
	for victim in nsbox nsbox-init sandbox-killer; do
		[ "$most" -ge 6 ] || [ "$victim" != sandbox-killer ] || continue
		"$capped" --backend landlock --quiet --ro /usr --ro "$T/ro" -- python3 -c "$brood" "$T/ro/$mark" >"$T/brood" 2>&1 &
		launcher=$!
		wait_until 20 test -s "$T/brood" || diag "it does not start"
		wait_until 20 eval '[ "$(alive)" -ge 12 ]' || diag "only $(alive) are up"
		pid=$launcher
		[ "$victim" = nsbox ] || pid=$(pgrep -P "$launcher" nsbox-init)
		[ "$victim" != sandbox-killer ] || pid=$(pgrep -P "$pid" sandbox-killer)
		kill -9 "$pid"
		ok "ABI $most, $victim is killed: nothing is left" wait_until 20 gone
		{ wait "$launcher"; } 2>/dev/null
		status=$?
		[ "$victim" = nsbox ] || is "$status" 125 "ABI $most: that is no end of the command's"
	done
	"$capped" --backend landlock --quiet --ro /usr --ro "$T/ro" --report "$REPORT_FILE" -- python3 -c "${brood/time.sleep(500)/sys.exit(3)}" "$T/ro/$mark" >/dev/null 2>&1
	STATUS=$? REPORT=$(<"$REPORT_FILE")
	status_is 3 "ABI $most: the status is the command's"
	ok "ABI $most: nothing is left" gone
	report_is '.teardown.confirmed and .teardown.survivors_killed >= 8' "ABI $most: what was killed is counted"
	report_is ".teardown.by == \"$([ "$most" -ge 6 ] && echo landlock-scope || echo seccomp-gate)\"" "ABI $most: by the right means"
done
unset NSBOX_TEST_LANDLOCK_ABI
ok "a bystander lives" kill -0 "$bystander"

# A caller's own children are not the sandbox's.
run sh -c "sleep 30 & echo \$! >$T/child; exec \"\$@\"" sh "$NSBOX" --backend landlock --quiet --ro /usr -- true
is "$STATUS $(kill "$(cat "$T/child")" && echo lives)" "0 lives" "children that nsbox had before are left alone"

done_testing
