# Runs in the guest as root: restricts user namespaces in each way that the kernel knows, and looks what an ordinary
# user's nsbox makes of it. LEAST_ABI and MOST_ABI say what Landlock the kernel has, 0: none; APPARMOR whether its AppArmor knows
# user namespaces.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

LIMIT=60
user=(setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all env HOME=/home/user TMPDIR="$T/user")
mkdir "$T/user" "$T/victim" "$T/shown"
chmod 777 "$T"
chmod 755 "$T/shown"
(umask 077; echo secret >"$T/victim/secret")
echo shown >"$T/shown/file"
chown -R 1000:1000 "$T/user" "$T/victim" "$T/shown"

"${user[@]}" /nsbox/hostile serve "$T/victim" &
wait_until 30 test -s "$T/victim/ready" || diag "the victim did not start"
read -r port victim <"$T/victim/ready"

# By which means a kernel of this ABI ends everything.
has_scopes=false
[ "$LEAST_ABI" -lt 6 ] || has_scopes=true

alive() {
	pgrep -f "$1" | wc -l
}

# What holds on Landlock, where there is one.
holds() {
	local label=$1 open name answer wrong=''
	run "${user[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro "$T/shown" --ro /nsbox -- \
	    /nsbox/hostile attack "$T/victim" "$T/shown/file" "$port" "$victim"
	status_is 0 "$label: the attacker runs"
	open=" $(jq -r '.not_covered[].name' <<<"$REPORT" | xargs) "
	while read -r name answer; do
		[ "$answer" = WORKS ] || continue
		case $name in
		mode) [[ $open = *' metadata '* ]] ;;
		command_line) [[ $open = *' processes '* ]] ;;
		priority) [[ $open = *' priorities '* ]] ;;
		signal_owner) true ;;
		signal_*) [[ $open = *' signals '* ]] ;;
		*) false ;;
		esac || wrong+="$name "
	done <<<"$OUT"
	is "$wrong" '' "$label: what works is listed as not covered"
	ok "$label: much was tried" [ "$(wc -l <<<"$OUT")" -ge 49 ]
	is "$(cat "$T/victim/secret" "$T/shown/file" | xargs)" 'secret shown' "$label: the files are whole"
	ok "$label: the victim lives" kill -0 "$victim"
	if $has_scopes; then
		unlike "$open" ' signals ' "$label: signals are confined"
		report_is '.teardown.by == "landlock-scope" and .teardown.confirmed' "$label: by the scope"
	else
		like "$open" ' signals ' "$label: that signals are not confined is listed"
		report_is '.teardown.by == "seccomp-gate" and .teardown.confirmed' "$label: by the gate"
	fi
	run "${user[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro /bin -- sh -c \
	    'setsid sleep 777 & (setsid sh -c "trap \"\" TERM; sleep 777 & sleep 777" &); echo x >file; exit 3'
	is "$STATUS $(alive 'sleep 777')" '3 0' "$label: nothing survives"
	"${user[@]}" "$NSBOX" --quiet --ro /usr --ro /lib --ro /lib64 --ro /bin -- sh -c 'setsid sleep 778 & sleep 778' &
	wait_until 30 eval '[ "$(alive "^sleep 778")" = 2 ]'
	kill -9 $!
	ok "$label: nor the death of nsbox" wait_until 30 eval '[ "$(alive "^sleep 778")" = 0 ]'
	wait $! 2>/dev/null
}

# restricted LABEL ERRNO REMEDY: what an ordinary user gets when namespaces are refused like that.
restricted() {
	local label=$1 errno=$2 remedy=$3
	run "${user[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro /bin -- touch ran
	if [ "$MOST_ABI" = 0 ]; then
		status_is 125 "$label: with neither there is no run"
		like "$ERR" "$errno.*$remedy.*Landlock" "$label: the message tells both, and the remedy"
	else
		status_is 0 "$label: it runs"
		report_is ".backend == \"landlock\" and .confinement_applied and ([.layers[] | select(.asked == \"required\" and .state != \"applied\")] == [])" \
		    "$label: on Landlock, with all that is required"
		report_is "[.layers[] | select(.errno != null)] | length == 1 and .[0].errno == \"$errno\" and (.[0].remedy | test(\"$remedy\"))" \
		    "$label: the report has errno and remedy"
		run "${user[@]}" "$NSBOX" --ro /usr --require mount-namespace -- touch ran
		status_is 125 "$label: what is required by name is not done without"
		holds "$label"
	fi
	run "${user[@]}" "$NSBOX" --check
	status_is "$([ "$MOST_ABI" = 0 ] && echo 2 || echo 1)" "$label: --check says what would run"
	like "$OUT" "$errno.*$remedy" "$label: and the remedy"
}

# set_sysctl NAME VALUE: false where this kernel has none.
set_sysctl() {
	local file=/proc/sys/${1//.//}
	[ -w "$file" ] && echo "$2" >"$file"
}

run "${user[@]}" "$NSBOX" --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro /bin -- true
status_is 0 "unrestricted: it runs"
report_is '.backend == "namespaces" and .confinement_applied' "unrestricted: in namespaces"
run "${user[@]}" "$NSBOX" --check
status_is 0 "unrestricted: --check says whole"
run "${user[@]}" "$NSBOX" --backend landlock --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro /bin -- true
is "$STATUS" "$([ "$MOST_ABI" = 0 ] && echo 125 || echo 0)" "unrestricted: Landlock can be asked for where there is one"

if set_sysctl kernel.unprivileged_userns_clone 0; then
	restricted unprivileged_userns_clone EPERM 'unprivileged_userns_clone=1'
	run "$NSBOX" --report "$REPORT_FILE" --ro /usr --ro /lib --ro /lib64 --ro /bin -- true
	report_is '.backend == "namespaces"' "unprivileged_userns_clone: root is not affected"
	set_sysctl kernel.unprivileged_userns_clone 1
fi
before=$(cat /proc/sys/user/max_user_namespaces)
set_sysctl user.max_user_namespaces 0
restricted max_user_namespaces ENOSPC 'max_user_namespaces='
set_sysctl user.max_user_namespaces "$before"
before=$(cat /proc/sys/user/max_net_namespaces)
set_sysctl user.max_net_namespaces 0
restricted max_net_namespaces ENOSPC 'max_net_namespaces='
set_sysctl user.max_net_namespaces "$before"

# As on Ubuntu: refused by a profile, or granted and worth nothing.
if [ "$APPARMOR" = yes ]; then
	mount -t securityfs none /sys/kernel/security 2>/dev/null
	cat /nsbox/apparmor.policy >/sys/kernel/security/apparmor/.load
	is $? 0 "AppArmor: the policy is loaded"
	plain=("${user[@]}")
	for profile in nsbox-denied:EACCES nsbox-nocaps:EPERM; do
		# shellcheck disable=SC2016 # for the shell inside
		user=("${plain[@]}" sh -c 'echo "exec $0" >/proc/self/attr/apparmor/exec || exit 99; exec "$@"' "${profile%:*}")
		run "${user[@]}" cat /proc/self/attr/apparmor/current
		like "$OUT" "^${profile%:*}" "AppArmor: ${profile%:*} is what runs"
		restricted "AppArmor ${profile%:*}" "${profile#*:}" 'userns,'
	done
fi

done_testing
