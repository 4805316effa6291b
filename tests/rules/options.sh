#!/bin/bash
# The option table, --help and the manual page name the same options and controls.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

# Options as `--help` shows them: a line that begins with the option.
options_of_help() {
	"$@" --help | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p' | sort -u
}

# Options that a page describes: the items of its lists.
options_of_page() {
	sed -n 's/^\.It \(.*\)/\1/p' "$1" | tr -s ' ,' '\n' |
	    awk '$0 == "Fl" { flags++; next } flags == 2 { print "--" $0 } { flags = 0 }' |
	    sed 's/^--\\&/--/' | sort -u
}

# Options that the sources' table has a row for.
options_of_table() {
	sed -n 's/^[[:blank:]]*{ "\(--[a-z][a-z-]*\)",.*/\1/p' "$1"/src/cli/native*.c | sort -u
}

controls_of_table() {
	sed -n 's/^CONTROL([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$1/src/core/control.def" | sort -u
}

# differ NAME-A FILE-A NAME-B FILE-B: what only one of them has.
differ() {
	[ -s "$2" ] || echo "$1 names nothing"
	[ -s "$4" ] || echo "$3 names nothing"
	comm -23 "$2" "$4" | sed "s/\$/: in $1, not in $3/"
	comm -13 "$2" "$4" | sed "s/\$/: in $3, not in $1/"
}

page=$NSBOX_SRCDIR/man/nsbox.1
options_of_help "$NSBOX" >"$bad/help"
options_of_page "$page" >"$bad/page"
options_of_table "$NSBOX_SRCDIR" >"$bad/table"
none "--help and the manual page have the same options" differ help "$bad/help" page "$bad/page"
none "--help and the option table have the same options" differ help "$bad/help" table "$bad/table"

# bubblewrap's command line has a table, a help text and a page of its own.
options_of_bwrap_help() {
	"$@" --help | sed -n 's/^    \(--[a-z][a-z0-9-]*\).*/\1/p' | sort -u
}
options_of_bwrap_table() {
	sed -n 's/^\tROW("\(--[a-z][a-z0-9-]*\)",.*/\1/p' "$1/src/cli/bwrap.c" | sort -u
}
options_of_bwrap_help "$NSBOX" --bwrap >"$bad/bwrap-help"
options_of_page "$NSBOX_SRCDIR/man/nsbox-bwrap.1" >"$bad/bwrap-page"
options_of_bwrap_table "$NSBOX_SRCDIR" >"$bad/bwrap-table"
none "the same is true of bubblewrap's command line" differ help "$bad/bwrap-help" page "$bad/bwrap-page"
none "and of its table" differ help "$bad/bwrap-help" table "$bad/bwrap-table"

# A control has to be named in the page of the options that take it.
missing_controls() {
	local control
	[ -f "$2" ] || { echo "$2: no such page"; return; }
	for control in $(controls_of_table "$1"); do
		grep -qE "(^\.It Cm|[ ,]) ?$control( |,|\$)" "$2" || echo "$control: not in $2"
	done
}
none "the manual page has every control" missing_controls "$NSBOX_SRCDIR" "$page"

bad_file page.1 <<'END'
.It Fl Fl one Ar PATH
.It Fl Fl two , Fl Fl three
text about Fl Fl four
END
bad_file src/cli/native.c <<'END'
	{ "--one", 1, "PATH", },
	{ "--five", 1, "PATH", },
END
bad_file src/core/control.def <<'END'
CONTROL(ABSENT, "absent", "x")
END
options_of_page "$bad/page.1" >"$bad/a"
options_of_table "$bad" >"$bad/b"
caught "an option that only the page has is caught" 'three: in page, not in table' differ page "$bad/a" table "$bad/b"
caught "an option that only the table has is caught" 'five: in table, not in page' differ page "$bad/a" table "$bad/b"
caught "an empty list is caught" 'page names nothing' differ page /dev/null table "$bad/b"
caught "a control that the page lacks is caught" 'absent: not in' missing_controls "$bad" "$bad/page.1"
is "$(differ page "$bad/a" table "$bad/b" | grep -c -e one -e four)" "what both have is not caught"
plan
