# What the rules share: TAP, and self-tests. Sourced by the rules; runs nothing itself.
#
# A rule is a function that takes a source tree (and what else it needs), prints one
# line for each offence and nothing where all is well. Its self-test gives it a tiny bad
# tree and expects the offence to be named: a rule that cannot fail guards nothing.
# shellcheck shell=bash

set -u
: "${NSBOX_SRCDIR:?}"
tests=0
bad=$(mktemp -d) || exit 1
trap 'rm -rf "$bad"' EXIT

# is STATUS NAME [OUTPUT]
is() {
	tests=$((tests + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		[ -z "${3:-}" ] || printf '%s\n' "$3" | sed 's/^/# /'
	fi
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# none NAME COMMAND...: passes where the command prints nothing and succeeds.
none() {
	local name=$1 output status=0
	shift
	output=$("$@" 2>&1) || status=1
	[ -z "$output" ] || status=1
	is "$status" "$name" "$output"
}

# caught NAME PATTERN COMMAND...: passes where the output has a line with PATTERN.
caught() {
	local name=$1 pattern=$2 output status=0
	shift 2
	output=$("$@" 2>&1)
	grep -q -e "$pattern" <<<"$output" || status=1
	is "$status" "$name" "expected a line with: $pattern; got: $output"
}

# bad_file PATH: writes standard input into the tree of bad samples.
bad_file() {
	mkdir -p "$bad/$(dirname "$1")"
	cat >"$bad/$1"
}

plan() {
	echo "1..$tests"
}
