# What the tests of a build for Windows share: TAP, and running nsbox.exe. Sourced by tests/win/*.t.
# shellcheck shell=bash

set -u
: "${NSBOX_BUILDDIR:?}" "${TMPDIR:?}" "${NSBOX_WINE?}"
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1
mkdir -p "$TMPDIR/${0##*/}" && cd "$TMPDIR/${0##*/}" || exit 1

# same NAME EXPECTED FOUND
same() {
	[ "$2" = "$3" ]
	is $? "$1" "expected: $2
found: $3"
}

# has NAME PATTERN TEXT
has() {
	grep -q -e "$2" <<<"$3"
	is $? "$1" "expected a line with: $2; found: $3"
}

# The path of a file as Windows names it.
win_path() {
	if [ -n "$NSBOX_WINE" ]; then
		local path
		path=$(realpath -m "$1")
		printf 'Z:%s' "${path//\//\\}"
	else
		cygpath -w "$1"
	fi
}

# An array, so that what is started in the background is nsbox itself.
nsbox=("$NSBOX_BUILDDIR/nsbox.exe")
[ -z "$NSBOX_WINE" ] || nsbox=("$NSBOX_WINE" "${nsbox[@]}")
# With what this system has no means for left out, layer by layer.
degraded=("${nsbox[@]}")
[ -z "$NSBOX_TEST_ALLOW_MISSING" ] || degraded+=(--quiet --allow-missing "$NSBOX_TEST_ALLOW_MISSING")
# Wine shows every file; a container sees no program that is not shown to it.
[ -n "$NSBOX_WINE" ] || degraded+=(--ro "$(win_path "$NSBOX_BUILDDIR/tests/win")")
# Where nsbox keeps its journals and scratches.
if [ -n "$NSBOX_WINE" ]; then
	own_folder=$WINEPREFIX/drive_c/users
else
	own_folder=$(cygpath -u "$LOCALAPPDATA")/nsbox
fi
child=$(win_path "$NSBOX_BUILDDIR/tests/win/child.exe")
report_path=$(win_path report.json)

# run COMMAND...: $out, $err and $status of it.
run() {
	timeout 60 "$@" </dev/null >out 2>err
	status=$?
	out=$(tr -d '\r' <out) err=$(tr -d '\r' <err)
}

# of_report FILTER: a value of the report.
of_report() {
	jq -r "$1" report.json | tr -d '\r'
}

# layer NAME: its state and reason.
layer() {
	jq -r --arg name "$1" '(.layers + .limits)[] | select(.name == $name) | "\(.state): \(.reason // .evidence)"' report.json | tr -d '\r'
}

# How many processes of this test run that are called child.exe.
children() {
	local pid count=0
	if [ -z "$NSBOX_WINE" ]; then
		tasklist | grep -c '^child\.exe'
		return
	fi
	for pid in $(pgrep -x 'child(\.exe)?'); do
		! grep -qzxF "WINEPREFIX=$WINEPREFIX" "/proc/$pid/environ" 2>/dev/null || count=$((count + 1))
	done
	echo "$count"
}
