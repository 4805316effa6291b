# A hostile program under the Landlock backend, for each ABI that this kernel can be taken for: what it tries is refused, or
# the report lists it as not covered. Without the sandbox it works.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

helpers=$NSBOX_BUILDDIR/tests/integration/helpers
[ -x "$helpers/hostile" ] || skip_all "tests/integration/helpers/hostile was not built"
cp "$helpers/hostile" "$T/hostile" || exit 1
chmod 755 "$T"
mkdir "$T/victim" "$T/shown" "$T/own"
(umask 077; echo secret >"$T/victim/secret")
echo shown >"$T/shown/file"

# By what name of not_covered an attempt may work after all.
declare -A covers=(
	[mode]=metadata [command_line]=processes [priority]=priorities
	[signal_it]=signals [signal_thread]=signals [signal_queue]=signals [signal_pidfd]=signals
	# Whom a signal goes to can be set; whether it arrives is decided when it is sent.
	[signal_owner]=any
)
# What needs privilege, a device or a kernel that is not there fails outside as well.
never='by_handle|inherited|mount_it|packet|raw|queue|shared_memory|read_memory|terminal|x32|socketcall|vsock|keyring|tcp_garbage|io_uring|access_3|user_namespace.*|take_descriptor|trace'

background "$T/hostile" serve "$T/victim"
server=$BG_PID
wait_until 20 test -s "$T/victim/ready" || { diag "the victim did not start"; exit 1; }
read -r port pid <"$T/victim/ready"
is "$pid" "$server" "the victim is there"

# attack FILE COMMAND...: sets the associative array `result`.
attack() {
	local name answer
	declare -gA result=()
	run "${@:1}"
	while read -r name answer; do
		result[$name]=$answer
	done <<<"$OUT"
}

# The twin: outside, what is not a matter of privilege works.
cd "$T/own" || exit 1
attack "$T/hostile" attack "$T/victim" "$T/shown/file" "$port" "$pid"
echo secret >"$T/victim/secret"
works=0
for name in "${!result[@]}"; do
	[ "${result[$name]}" = WORKS ] && works=$((works + 1))
	[[ $name =~ ^($never)$ || $name = unlink_read_only || ${result[$name]} = WORKS ]] ||
		not_ok "outside: $name works" "${result[$name]}"
done
ok "outside, $works attempts work" [ "$works" -ge 24 ]
is "${result[unlink_read_only]}" WORKS "outside, the file can be removed"
echo shown >"$T/shown/file"
cd / || exit 1

# judge LABEL ABI: what was tried, against what the report says.
judge() {
	local label=$1 abi=$2 name open wrong=''
	open=$(jq -r '.not_covered[].name' <<<"$REPORT" | xargs)
	for name in "${!result[@]}"; do
		[ "${result[$name]}" = WORKS ] || continue
		[[ ${covers[$name]:-none} = any || " $open " = *" ${covers[$name]:-none} "* ]] ||
			wrong+="$name works, and only this is listed: $open"$'\n'
	done
	is "$wrong" '' "$label: what works is listed as not covered"
	ok "$label: everything was tried" [ "${#result[@]}" -ge 49 ]
	is "${result[tcp]} ${result[tcp_garbage]} ${result[udp]} ${result[netlink]} ${result[vsock]} ${result[raw]}" \
	    "EAFNOSUPPORT EAFNOSUPPORT EAFNOSUPPORT EAFNOSUPPORT EAFNOSUPPORT EAFNOSUPPORT" "$label: no sockets"
	is "${result[io_uring]} ${result[socketcall]} ${result[x32]}" "ENOSYS ENOSYS ENOSYS" \
	    "$label: nor by io_uring or another ABI"
	is "${result[read_secret]} ${result[write_secret]} ${result[truncate_secret]} ${result[rename_secret]}" \
	    "EACCES EACCES EACCES EACCES" "$label: the secret stays one"
	is "${result[write_read_only]} ${result[truncate_read_only]} ${result[open_truncate]} ${result[access_3]} ${result[reopen]}" \
	    "EACCES EACCES EACCES EACCES EACCES" "$label: what is read-only stays so"
	is "$(cat "$T/victim/secret" "$T/shown/file" | xargs)" "secret shown" "$label: both are whole"
	is "${result[trace]} ${result[environment]} ${result[memory]} ${result[inherited]}" "EPERM EACCES EACCES EBADF" \
	    "$label: the victim cannot be traced or read, nor a descriptor be had"
	if [ "$abi" -ge 6 ]; then
		is "${result[signal_it]} ${result[signal_thread]} ${result[signal_queue]} ${result[signal_pidfd]}" \
		    "EPERM EPERM EPERM EPERM" "$label: nor signalled"
	else
		like " $open " ' signals ' "$label: that it can be signalled is listed"
	fi
	ok "$label: the victim lives" kill -0 "$server"
}

words=(--quiet --ro /usr --ro "$T/shown" --ro "$T/hostile" -- "$T/hostile" attack "$T/victim" "$T/shown/file" "$port" "$pid")
attack "$NSBOX" --report "$REPORT_FILE" --backend landlock "${words[@]}" 9<"$T/victim/secret"
status_is 0 "it runs"
judge "as it is" "$("$helpers/abi")"
for abi in 1 2 3 4 5 6; do
	export NSBOX_TEST_LANDLOCK_ABI=$abi
	attack "$helpers/nsbox-capped" --report "$REPORT_FILE" --backend landlock "${words[@]}" 9<"$T/victim/secret"
	judge "ABI $abi" "$abi"
done
unset NSBOX_TEST_LANDLOCK_ABI

# Opened on purpose: then the report says what that means.
attack "$NSBOX" --report "$REPORT_FILE" --backend landlock --allow-missing unix-sockets "${words[@]}"
is "${result[unix_path]} ${result[unix_abstract]} ${result[tcp]}" "WORKS WORKS EAFNOSUPPORT" \
    "--allow-missing unix-sockets opens them, and nothing else"
report_is '[.not_covered[].name] | contains(["unix-sockets", "abstract-sockets"])' "the report lists both"
report_is 'layer("unix-sockets").state == "skipped"' "and the layer is not applied"
attack "$NSBOX" --report "$REPORT_FILE" --backend landlock --net host "${words[@]}"
is "${result[tcp]} ${result[udp]}" "WORKS WORKS" "--net host opens the network"
report_is '.network == "host" and layer("network").asked == "no"' "and is reported"

done_testing
