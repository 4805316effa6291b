# Helpers for the integration tests: TAP, and running nsbox. A test file starts with
#
#	. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1
#
# and ends with done_testing. No file depends on another; each has a folder of its own, $T,
# which is removed at the end. tests/run says what the environment holds.
#
# Results
#	ok NAME [COMMAND ...]		passes; with a command: passes if that succeeds
#	not_ok NAME [TEXT ...]		fails; the text explains why
#	refutes NAME COMMAND ...	passes if the command fails
#	is GOT WANTED NAME		the same text
#	isnt GOT UNWANTED NAME
#	like GOT PATTERN NAME		GOT matches the extended regular expression
#	unlike GOT PATTERN NAME
#	skip NAME REASON		a test that cannot be made here, and why
#	not_for NAME WHY		a test that has no meaning for this user or on this host, which
#					is no skip: nothing could make it work here
#	skip_all REASON			the same for a whole file; ends it
#	diag TEXT ...			explains a failure
#	done_testing			prints the plan; the last line of a file
#
# Running
#	run COMMAND ...			runs it with a time limit (LIMIT seconds, 20) and sets
#					OUT, ERR, STATUS and, if it wrote $REPORT_FILE, REPORT
#	nsbox ARG ...			run "$NSBOX" --report "$REPORT_FILE" ARG ...; without the
#					first option where there is a --report among ARG already
#	nsbox_start ARG ...		the same in the background; NSBOX_PID is nsbox itself
#	nsbox_wait			waits for it, then sets what run sets
#	status_is N NAME		STATUS is N; shows ERR where it is not
#	report_is JQ-EXPRESSION NAME	the expression is true of the report; layer("NAME") is short
#					for .layers[] | select(.name == "NAME")
#	background COMMAND ...		starts it; BG_PID; killed when the file ends
#	wait_until SECONDS COMMAND ...	until the command succeeds; fails after that time
#
# About the host
#	is_root				whether this user has id 0 and may do anything
#	has PROGRAM ...			whether all of these are in /usr/bin

export LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
umask 022

LIMIT=20
T=$(mktemp -d "${TMPDIR:-/tmp}/${0##*/}.XXXXXX") || exit 1
REPORT_FILE=$T/.report.json
OUT='' ERR='' STATUS='' REPORT='' NSBOX_PID='' BG_PID=''
tests=0

# Runs at the end, however that comes about. Only what this file started is killed.
clean_up() {
	local pid
	for pid in $(jobs -rp); do
		kill -9 "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	cd /
	chmod -R u+rwX "$T" 2>/dev/null
	rm -rf "$T"
}
trap clean_up EXIT
trap 'exit 143' TERM

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

pass() {
	echo "ok $((++tests)) - $1"
}

not_ok() {
	echo "not ok $((++tests)) - $1"
	shift
	[ $# = 0 ] || diag "$@"
	return 0
}

ok() {
	local name=$1
	shift
	if [ $# = 0 ] || "$@"; then
		pass "$name"
	else
		not_ok "$name" "failed: $*"
	fi
}

refutes() {
	local name=$1
	shift
	if "$@"; then
		not_ok "$name" "succeeded: $*"
	else
		pass "$name"
	fi
}

is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		not_ok "$3" "got:    $1"
		diag "wanted: $2"
		[ -z "$ERR" ] || diag "stderr: $ERR"
	fi
}

isnt() {
	if [ "$1" != "$2" ]; then
		pass "$3"
	else
		not_ok "$3" "got, and must not: $1"
	fi
}

like() {
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		not_ok "$3" "got:     $1"
		diag "pattern: $2"
		[ -z "$ERR" ] || diag "stderr:  $ERR"
	fi
}

unlike() {
	if [[ ! $1 =~ $2 ]]; then
		pass "$3"
	else
		not_ok "$3" "got:               $1"
		diag "must not match it: $2"
	fi
}

skip() {
	echo "ok $((++tests)) - $1 # SKIP $2"
}

not_for() {
	diag "not for this user or host: $1: $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$tests"
}

# Sets OUT, ERR and REPORT from what a run left. NUL bytes are dropped.
# shellcheck disable=SC2034 # OUT is for the test files
collect() {
	{
		OUT=$(<"$T/.out")
		ERR=$(<"$T/.err")
		REPORT=''
		[ ! -f "$REPORT_FILE" ] || REPORT=$(<"$REPORT_FILE")
	} 2>/dev/null
}

run() {
	local begin=$SECONDS
	rm -f "$REPORT_FILE"
	timeout -s KILL "$LIMIT" "$@" >"$T/.out" 2>"$T/.err"
	STATUS=$?
	collect
	[ $((SECONDS - begin)) -lt "$LIMIT" ] || not_ok "a run ends in time" "$*"
	return 0
}

# Sets the array `words` to the command line of nsbox for these arguments.
nsbox_words() {
	local word
	words=("$NSBOX" --report "$REPORT_FILE" "$@")
	for word in "$@"; do
		case $word in
		--) break ;;
		--report|--report=*) words=("$NSBOX" "$@"); break ;;
		esac
	done
}

nsbox() {
	local words
	nsbox_words "$@"
	run "${words[@]}"
}

# The shell starts it with SIGINT and SIGQUIT ignored and with /dev/null as standard input,
# as it does with all jobs in the background.
nsbox_start() {
	local words
	rm -f "$REPORT_FILE"
	nsbox_words "$@"
	"${words[@]}" >"$T/.out" 2>"$T/.err" &
	NSBOX_PID=$!
}

has_ended() {
	case $(sed -n 's/^State:[[:blank:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) in
	''|Z) return 0 ;;
	esac
	return 1
}

nsbox_wait() {
	if ! wait_until "$LIMIT" has_ended "$NSBOX_PID"; then
		not_ok "nsbox in the background ends in time"
		kill -9 "$NSBOX_PID"
	fi
	# The braces keep the shell's remark on a signal out of the output.
	{ wait "$NSBOX_PID"; } 2>/dev/null
	STATUS=$?
	collect
}

status_is() {
	is "$STATUS" "$1" "$2"
}

report_is() {
	local answer
	answer=$(printf '%s' "$REPORT" | jq -s -e \
	    "def layer(\$n): .layers[] | select(.name == \$n); length == 1 and (.[0] | ($1))" 2>&1)
	if [ "$answer" = true ]; then
		pass "$2"
	else
		not_ok "$2" "not true of the report: $1 ($answer)"
		diag "report: ${REPORT:-none}"
		[ -z "$ERR" ] || diag "stderr: $ERR"
	fi
}

# shellcheck disable=SC2034 # BG_PID is for the test files
background() {
	"$@" &
	BG_PID=$!
}

wait_until() {
	local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
	shift
	until "$@"; do
		[ "${EPOCHREALTIME/./}" -lt "$end" ] || return 1
		sleep 0.02
	done
}

is_root() {
	[ "$EUID" = 0 ]
}

has() {
	local program
	for program in "$@"; do
		[ -x "/usr/bin/$program" ] || return 1
	done
}
