#!/bin/bash
# Every manual page is clean mdoc.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

man_offences() {
	local page
	for page in "$1"/man/*.[1-8]; do
		[ -e "$page" ] || { echo "no manual page"; return; }
		mandoc -Tlint -W warning "$page"
		sed -n '/^\.Dd/q; 1,20p' "$page" | grep -q . && ! grep -q '^\.Dd' "$page" &&
			echo "$page: not mdoc"
	done
	return 0
}

if command -v mandoc >/dev/null; then
	none "mandoc has nothing to say about the manual pages" man_offences "$NSBOX_SRCDIR"
	bad_file man/bad.1 <<'END'
.Dd January 1, 2026
.Dt BAD 1
.Os
.Sh NAME
.Nm bad
.Nd sample
.Sh DESCRIPTION
.Bl -tag
.It Fl x
END
	caught "an unclosed list is caught" 'bad.1' man_offences "$bad"
else
	skip "mandoc has nothing to say about the manual pages" "mandoc is not installed"
fi
plan
