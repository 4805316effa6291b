#!/bin/bash
# Every source file is in a fragment of the Makefile, so that `make dist` ships it and the
# build uses it. A test that is not listed would never run.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

# unlisted TREE
unlisted() {
	local file
	(cd "$1" && find src tests/unit tests/contract man -type f \
	    \( -name '*.[ch]' -o -name '*.def' -o -name '*.awk' -o -name '*.[1-8]' \) | sort
	    find . -maxdepth 1 -name '*.md' | sed 's|^\./||') |
	while read -r file; do
		case $file in
		tests/*/check_*.c) file=${file%.c} ;;
		esac
		grep -qE "(^|[[:blank:]])$file( |\$)" "$1"/*/local.mk "$1"/*/*/local.mk "$1"/Makefile.am ||
			echo "$file: in no local.mk"
	done
}

none "every file is listed" unlisted "$NSBOX_SRCDIR"

mkdir -p "$bad/src/core" "$bad/tests/unit" "$bad/tests/contract" "$bad/man"
touch "$bad/src/core/listed.c" "$bad/src/core/forgotten.c" "$bad/tests/unit/check_x.c" "$bad/Makefile.am"
printf '\tsrc/core/listed.c \\\n' >"$bad/src/core/local.mk"
touch "$bad/tests/local.mk" "$bad/LOST.md"
caught "a forgotten source is caught" 'src/core/forgotten.c' unlisted "$bad"
caught "a forgotten test is caught" 'tests/unit/check_x' unlisted "$bad"
caught "a forgotten document is caught" 'LOST.md' unlisted "$bad"
is "$(unlisted "$bad" | grep -c 'core/listed.c')" "what is listed is not caught"
plan
