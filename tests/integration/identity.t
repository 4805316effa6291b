# Who the command is inside, and that it is never more than the caller outside.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

chmod 755 "$T"
N() {
	nsbox --ro /usr "$@"
}
# What a process has.
show='grep -E "^(Cap|NoNewPrivs)" /proc/self/status'
none="CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000 CapBnd: 0000000000000000 CapAmb: 0000000000000000 NoNewPrivs: 1"

# Ids
N -- sh -c 'id -u; id -g'
is "$(xargs <<<"$OUT")" "$(id -u) $(id -g)" "by default the ids are the caller's"
report_is 'layer("user-namespace") | .state == "applied" and .by == "CLONE_NEWUSER"' "the report names the user namespace"
N --uid 1234 --gid 4321 -- sh -c 'id -u; id -g; touch f; stat -c "%u %g" f'
is "$(xargs <<<"$OUT")" "1234 4321 1234 4321" "--uid and --gid change what is seen"
report_is 'layer("user-namespace").evidence | contains("1234") and contains("4321")' "the report has the ids that were read back"
N --uid 0 --gid 0 -- sh -c 'id -u; id -g'
is "$(xargs <<<"$OUT")" "0 0" "they can be 0"
N --uid 4294967294 -- id -u
is "$OUT" 4294967294 "they can be large"
nsbox_start --ro /usr --uid 1234 --gid 4321 -- sleep 20
inside() {
	command=$(pgrep -P "$(pgrep -P "$NSBOX_PID")") && [[ $(tr '\0' ' ' <"/proc/$command/cmdline") == "sleep 20 " ]]
}
wait_until 5 inside
is "$(awk '/^[UG]id:/ { print $2, $3, $4, $5 }' "/proc/$command/status" | xargs)" \
	"$(id -u) $(id -u) $(id -u) $(id -u) $(id -g) $(id -g) $(id -g) $(id -g)" "outside, the command has the caller's ids"
kill -9 "$NSBOX_PID"
nsbox_wait
# setid_fails ID: becoming somebody else is not possible.
if has perl; then
	N --uid 0 -- perl -e '$< = $> = 5; print "$< $>"'
	is "$OUT" "0 0" "a command that sees itself as user 0 cannot become another"
fi
N --uid 0 --gid 0 -- chown 5 /work
isnt "$STATUS" 0 "nor give a file away"

# Files that the caller may not read stay closed, whatever the id inside is.
secret=/etc/shadow
if is_root; then
	echo secret >"$T/secret"
	chown 12345:12345 "$T/secret"
	chmod 600 "$T/secret"
	secret=$T/secret
	run cat "$secret"
	is "$OUT" secret "on the host, root reads a file of somebody else"
fi
for ids in "" "--uid 0 --gid 0" "--uid 12345 --gid 12345"; do
	# shellcheck disable=SC2086 # several words
	N --ro "$secret" $ids -- cat "$secret"
	like "$STATUS $ERR" '^1 .*Permission denied' "inside, it cannot be read ${ids:+with }$ids"
done

# Capabilities and set-user-ID
N -- sh -c "$show"
is "$(xargs <<<"$OUT")" "$none" "there are no capabilities, and no_new_privs is set"
report_is '[layer("capabilities"), layer("no-new-privs")] | map(.state) == ["applied", "applied"]' "the report says so"
N --uid 0 -- sh -c "$show"
is "$(xargs <<<"$OUT")" "$none" "nor with user id 0"
N --cap-add CAP_NET_ADMIN -- sh -c "$show"
is "$(grep -e Prm -e Eff -e Bnd <<<"$OUT" | xargs)" "CapPrm: 0000000000001000 CapEff: 0000000000001000 CapBnd: 0000000000001000" \
	"--cap-add keeps the one that was named"
report_is 'layer("capabilities") | .evidence | contains("0000000000001000")' "the report shows which"
N --cap-add CAP_NET_ADMIN --cap-add CAP_KILL --uid 0 -- sh -c "$show"
is "$(grep -e Eff <<<"$OUT" | xargs)" "CapEff: 0000000000001020" "--cap-add can be repeated"
for name in CAP_NONE CAP_ 12x cap; do
	N --cap-add $name -- true
	is "$STATUS" 125 "--cap-add $name is refused"
	like "$ERR" "^nsbox: --cap-add:? .*$name" "the message names it"
done
# shellcheck disable=SC2016 # meant for the shell inside
N -- sh -c 'while read -r a b c d place options rest; do case ,$options, in *,nosuid,*) ;; *) echo $place;; esac; done </proc/self/mountinfo'
is "$OUT" "" "no mount lets set-user-ID bits count"
if is_root; then
	cp /usr/bin/id "$T/id"
	chown 12345 "$T/id"
	chmod 4755 "$T/id"
	run "$T/id" -u
	if [ "$OUT" = 12345 ]; then
		pass "on the host, a set-user-ID program changes the id"
	else
		skip "on the host, a set-user-ID program changes the id" "$T is on a file system where it does not"
	fi
	N --ro-bind "$T/id" /in/id -- sh -c '/in/id -u; /in/id -ru'
	is "$(xargs <<<"$OUT")" "0 0" "inside it gives nothing"
	N --bind "$T" "$T" -- sh -c "cp /usr/bin/id '$T/made'; chmod 4755 '$T/made'"
	is "$(stat -c %u "$T/made")" 0 "what is made inside is the caller's"

	# Case 37: a caller with ambient capabilities, as root and as a user without any other.
	some=+net_raw,+chown
	ambient=(setpriv --inh-caps="$some" --ambient-caps="$some")
	run "${ambient[@]}" sh -c "$show"
	like "$OUT" 'CapAmb:.0*2001' "without nsbox, ambient capabilities are passed on"
	run "${ambient[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c "$show"
	is "$(xargs <<<"$OUT")" "$none" "inside there are none"
	report_is 'layer("capabilities").state == "applied"' "the report says so"
	cp "$NSBOX" "$T/nsbox"
	chmod 755 "$T/nsbox"
	ambient=(setpriv --reuid 12345 --regid 12345 --clear-groups --inh-caps="$some" --ambient-caps="$some")
	run "${ambient[@]}" sh -c "$show"
	like "$OUT" 'CapEff:.0*2001' "a user can have ambient capabilities"
	run "${ambient[@]}" "$T/nsbox" --report fd:2 --ro /usr -- sh -c "$show; id -u"
	is "$(xargs <<<"$OUT")" "$none 12345" "inside there are none"

	# Case 38: user id 0 without CAP_SYS_ADMIN takes a user namespace and runs.
	weak=(setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin)
	run "${weak[@]}" unshare --mount true
	isnt "$STATUS" 0 "user id 0 without CAP_SYS_ADMIN has no mount namespace of its own"
	run "${weak[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c "id -u; $show"
	is "$STATUS $(xargs <<<"$OUT")" "0 0 $none" "nsbox runs all the same"
	report_is '.confinement_applied and layer("user-namespace").state == "applied"' "with all that is required"
fi

# Host name
N -- uname -n
is "$OUT" nsbox "the host name is nsbox"
N --hostname builder.example -- uname -n
is "$OUT" builder.example "--hostname changes it"
report_is 'layer("uts-namespace").state == "applied"' "in a namespace of its own"
isnt "$(uname -n)" builder.example "the host's is as it was"
for name in 'a b' 'a_b' "$(printf 'a%.0s' {1..65})"; do
	N --hostname "$name" -- true
	is "$STATUS" 125 "--hostname ${name:0:10} is refused"
done
for option in --uid --gid; do
	for number in -1 4294967295 4294967296 5x x 1.5 0x10; do
		N $option $number -- touch "$T/ran"
		is "$STATUS" 125 "$option $number is refused"
		like "$ERR" "^nsbox: $option:? .*$number" "the message names option and value"
	done
done
done_testing
