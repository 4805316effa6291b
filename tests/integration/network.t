# Network: nothing of the host's can be reached unless --net host was said.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

has perl || skip_all "there is no perl here to make connections with"
chmod 755 "$T"

# Listens on the host's loopback, on an abstract and on a named socket; tells the port.
cat >"$T/listen.pl" <<'END'
use Socket;
my ($folder) = @ARGV;
socket(my $tcp, AF_INET, SOCK_STREAM, 0) or die;
bind($tcp, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die;
listen($tcp, 50) or die;
socket(my $abstract, AF_UNIX, SOCK_STREAM, 0) or die;
bind($abstract, pack_sockaddr_un("\0$folder")) or die;
listen($abstract, 50) or die;
socket(my $named, AF_UNIX, SOCK_STREAM, 0) or die;
mkdir "$folder/named";
bind($named, pack_sockaddr_un("$folder/named/socket")) or die;
listen($named, 50) or die;
my ($port) = unpack_sockaddr_in(getsockname($tcp));
open(my $file, ">", "$folder/port.new") or die;
print $file $port;
close($file);
rename("$folder/port.new", "$folder/port");
sleep 100;
END
# Tries to reach what it is told, and says how that ended.
cat >"$T/reach.pl" <<'END'
use Socket; use Errno;
my ($what, @where) = @ARGV;
my ($family, $address) =
    $what eq "abstract" ? (AF_UNIX, pack_sockaddr_un("\0$where[0]")) :
    $what eq "named" ? (AF_UNIX, pack_sockaddr_un($where[0])) :
    $what eq "tcp6" || $what eq "udp6" ? (AF_INET6, pack_sockaddr_in6($where[1], Socket::inet_pton(AF_INET6, $where[0]))) :
    (AF_INET, pack_sockaddr_in($where[1], inet_aton($where[0])));
socket(my $socket, $family, $what =~ /udp/ ? SOCK_DGRAM : SOCK_STREAM, 0) or print("no socket: $!\n"), exit;
$SIG{ALRM} = sub { print "sent\n"; exit };
alarm 1;
if (connect($socket, $address)) { print "connected\n"; exit }
for my $name (keys %!) { print "$name\n" if $!{$name} && $name !~ /^EWOULD/ }
END
background perl "$T/listen.pl" "$T"
wait_until 5 test -e "$T/port" || skip_all "nothing can listen on the loopback here"
port=$(<"$T/port")

# reach OPTION ... -- WHAT WHERE ...
reach() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	nsbox --ro /usr --ro-bind "$T/reach.pl" /reach.pl "${options[@]}" -- perl /reach.pl "$@"
}

reach -- tcp 127.0.0.1 "$port"
is "$OUT" ECONNREFUSED "a listener on the host's loopback cannot be reached"
report_is '.network == "none" and (layer("network") | .state == "applied" and .asked == "required")' "the report says so"
report_is 'layer("network-namespace") | .state == "applied" and .by == "CLONE_NEWNET"' "and names the namespace"
reach --net none -- tcp 127.0.0.1 "$port"
is "$OUT" ECONNREFUSED "--net none is the same"
reach --net host -- tcp 127.0.0.1 "$port"
is "$OUT" connected "--net host reaches it"
report_is '.network == "host" and (layer("network") | .state == "skipped" and .asked == "no") and (layer("network-namespace").state == "skipped")' \
	"the report does not claim otherwise"
report_is '.confinement_applied' "and what else was asked holds"
run perl "$T/reach.pl" tcp 127.0.0.1 "$port"
is "$OUT" connected "so does the host itself"

for where in "tcp 192.0.2.1 80" "tcp 198.51.100.1 443" "udp 192.0.2.1 53" "udp 224.0.0.1 5353" \
	"tcp6 2001:db8::1 80" "udp6 2001:db8::1 53" "tcp 169.254.169.254 80"; do
	# shellcheck disable=SC2086 # several words
	reach -- $where
	like "$OUT" '^(ENETUNREACH|no socket: Address family not supported.*|EADDRNOTAVAIL)$' "$where cannot be reached"
done
reach -- tcp 192.0.2.1 80
is "$OUT" ENETUNREACH "for other addresses the network is unreachable"

# Abstract and named sockets
reach -- abstract "$T"
is "$OUT" ECONNREFUSED "an abstract socket of the host cannot be reached"
report_is 'layer("unix-sockets").state == "applied"' "the report says so"
reach --net host -- abstract "$T"
is "$OUT" connected "--net host reaches it"
report_is 'layer("unix-sockets") | .state == "skipped" and .asked == "no"' "the report does not claim otherwise"
reach -- named "$T/named/socket"
is "$OUT" ENOENT "a named socket that is not shown cannot be reached"
reach --bind "$T/named" /named -- named /named/socket
is "$OUT" connected "one that is shown can"

# What is inside
nsbox --ro /usr -- sh -c 'sed 1,2d /proc/net/dev | sed "s/:.*//" | xargs'
is "$OUT" lo "the loopback is the only interface"
nsbox --ro /usr -- sh -c 'sed 1d /proc/net/route; cat /proc/net/arp | sed 1d'
is "$OUT" "" "there are no routes"
nsbox --ro /usr --net host -- cat /proc/net/dev
is "$(sed 's/:.*//' <<<"$OUT" | xargs)" "$(sed 's/:.*//' /proc/net/dev | xargs)" "--net host shows the host's interfaces"
cat >"$T/own.pl" <<'END'
use Socket;
socket(my $server, AF_INET, SOCK_STREAM, 0) or die "socket: $!";
bind($server, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!";
listen($server, 1) or die;
if (!fork) { socket(my $c, AF_INET, SOCK_STREAM, 0); connect($c, getsockname($server)) or die "connect: $!"; print $c "over loopback"; exit }
accept(my $s, $server); print <$s>;
END
nsbox --ro /usr --ro-bind "$T/own.pl" /own.pl -- perl /own.pl
is "$OUT" "over loopback" "127.0.0.1 works inside"
if has ip; then
	nsbox --ro /usr -- ip -o link
	like "$OUT" '^1: lo: <LOOPBACK,UP' "ip shows the loopback, up"
	is "$(wc -l <<<"$OUT")" 1 "and no other interface"
fi

# Neither can be changed
nsbox --ro /usr --require network,network-namespace,unix-sockets -- true
status_is 0 "what holds can be required"
nsbox --ro /usr --net host --require network -- touch "$T/ran"
status_is 125 "what --net host gives up cannot be required"
like "$ERR" 'network' "the message names it"
nsbox --ro /usr --net other -- true
is "$STATUS" 125 "another word for --net is refused"
done_testing
