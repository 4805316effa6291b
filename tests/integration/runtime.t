# --runtime shows what programs need of the host beside /usr, and nothing of its users.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

# Everything that --runtime may show below /etc. What is private is not in it.
nsbox --runtime -- sh -c 'echo /*; echo /etc/*'
status_is 0 "--runtime alone is enough to run sh"
like "$OUT" '/usr' "/usr is there"
unlike "$OUT" '/home|/root|/sys|/boot|/srv|/opt|/mnt' "folders of users and the system are not"
unlike "$OUT" '/etc/(passwd|group|shadow|gshadow|hosts|hostname|resolv.conf|machine-id)' \
    "accounts and settings of the host are not"
report_is 'layer("read-only").state == "applied"' "it is reported as read-only"

nsbox --ro /usr -- sh -c 'test -e /etc'
status_is 1 "without --runtime there is no /etc"

for path in /etc/ld.so.cache /etc/alternatives /etc/ssl/certs /etc/localtime /etc/timezone \
    /bin /sbin /lib /lib64; do
	if [ -e "$path" ]; then
		nsbox --runtime -- sh -c "test -e $path"
		status_is 0 "$path is there as on the host"
	else
		not_for "$path is there" "the host has none"
	fi
done
for path in /etc/ssl/private /etc/shadow /etc/passwd /root /home /var/log /run/user; do
	nsbox --runtime -- sh -c "test -e $path"
	status_is 1 "$path is not"
done

nsbox --runtime -- sh -c 'awk "BEGIN { print 6 }"'
if [[ $(readlink /usr/bin/awk 2>/dev/null) == /etc/alternatives/* ]]; then
	is "$OUT" 6 "a link into /etc/alternatives works inside"
fi

# shellcheck disable=SC2016 # meant for the shell inside
nsbox --runtime -- sh -c 'for p in /usr /etc/ssl/certs /etc/alternatives /etc/ld.so.cache /etc/localtime; do
	test ! -e $p || { test -w $p && echo $p is writable; touch $p/nsbox-test 2>/dev/null && echo made $p/nsbox-test; }; done; exit 0'
is "$OUT" "" "none of it can be written"

# authorities COMMAND...: how many authorities a TLS library finds at its own place.
if [ -s /etc/ssl/certs/ca-certificates.crt ] && has python3; then
	code='import ssl; c = ssl.create_default_context(); print(len(c.get_ca_certs()))'
	wanted=$(/usr/bin/python3 -c "$code")
	nsbox --runtime -- python3 -c "$code"
	is "$OUT" "$wanted" "python finds the certificates that it finds on the host"
	isnt "$OUT" 0 "and there are some"
	nsbox --ro /usr -- python3 -c "$code"
	is "$OUT" 0 "without --runtime it finds none"
else
	skip "python finds certificates" "no python3 or no bundle of certificates here"
fi
if has openssl && [ -s /etc/ssl/certs/ca-certificates.crt ]; then
	# An authority's own certificate is valid by itself only where it is among the trusted.
	sed '/-END CERTIFICATE-/q' /etc/ssl/certs/ca-certificates.crt >"$T/ca.pem"
	nsbox --runtime --file "$T/ca.pem" /in/ca.pem -- openssl verify -no_check_time /in/ca.pem
	is "$OUT" "/in/ca.pem: OK" "openssl trusts an authority of the host"
	nsbox --ro /usr --file "$T/ca.pem" /in/ca.pem -- openssl verify -no_check_time /in/ca.pem
	like "$ERR" 'verification failed' "without --runtime it does not"
else
	skip "openssl trusts the authorities of the host" "no openssl or no bundle of certificates here"
fi
if has date; then
	nsbox --runtime -- date -d @0 +%z%Z
	is "$OUT" "$(env -u TZ date -d @0 +%z%Z)" "the time zone is the host's"
fi
done_testing
