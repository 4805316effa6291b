#!/bin/bash
# Calls that are not used here, and marks of unfinished work.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

sources() {
	find src -type f \( -name '*.[ch]' -o -name '*.def' \) | sort
}

# Comments may speak of what the code must not call.
without_comments() {
	grep -vE '^[^:]*:[0-9]+:[[:blank:]]*(\* |/\*([^*]|\*[^/])*$)'
}

# banned_offences TREE
banned_offences() {
	cd "$1" || return 1
	call_offences | without_comments
	unfinished_offences
}

call_offences() {
	local call='(^|[^A-Za-z0-9_.>])'
	# They parse carelessly, overflow, or start a shell.
	sources | xargs grep -nHE "$call(atoi|atol|atoll|atof|sprintf|vsprintf|strcpy|strcat|strtok|strtok_r|gets|system|popen)[[:blank:]]*\("
	# One place parses numbers.
	sources | grep -v '^src/core/value\.c$' |
	    xargs grep -nHE "$call(strtol|strtoul|strtoll|strtoull|strtoimax|strtoumax)[[:blank:]]*\("
	# Only main ends the program, and str.c where memory is short.
	sources | grep -vE '^src/(main|core/str)\.c$' |
	    xargs grep -nHE "$call(exit|abort|quick_exit)[[:blank:]]*\("
}

unfinished_offences() {
	find . -type f \( -path './src/*' -o -path './tests/*' -o -path './man/*' -o -path './m4/*' \
	    -o -name '*.md' -o -name '*.ac' -o -name '*.am' -o -name bootstrap \) \
	    ! -path './build*' ! -path './tests/logs/*' \
	    ! -name '*.[oa]' ! -path './src/core/errname.inc' | sort >"$bad/.list"
	xargs grep -nHIE '\b(TO[D]O|FIX[M]E|XX[X])\b' <"$bad/.list"
	# Markdown may end a line with blanks on purpose; nothing here needs it.
	xargs grep -nHIE '[[:blank:]]+$' <"$bad/.list"
	return 0
}

none "no banned call, no mark of unfinished work, no blank at a line's end" \
    banned_offences "$NSBOX_SRCDIR"

bad_file src/core/value.c <<'END'
strtoul(word, &end, 10);
END
bad_file src/cli/a.c <<'END'
	n = atoi(word);
	n = strtol(word, 0, 0);
	/* like system (3),
	 * system(3), that is */
	my_system(word); x->system(1);
	if (system (word))
		exit(1);
	/* MARK later */
	blankEND_OF_LINE
END
# This file is looked at too.
sed -i "s/MARK/$(printf 'TO%s' DO)/; s/END_OF_LINE/ /" "$bad/src/cli/a.c"
caught "atoi is caught" 'src/cli/a.c:1:' banned_offences "$bad"
caught "strtol outside the parsers is caught" 'src/cli/a.c:2:' banned_offences "$bad"
caught "system is caught" 'src/cli/a.c:6:' banned_offences "$bad"
caught "exit outside main is caught" 'src/cli/a.c:7:' banned_offences "$bad"
caught "a mark of unfinished work is caught" 'src/cli/a.c:8:' banned_offences "$bad"
caught "a blank at the end of a line is caught" 'src/cli/a.c:9:' banned_offences "$bad"
is "$(banned_offences "$bad" | grep -c -e 'value.c' -e 'a.c:[345]:')" "what is allowed is not caught"
plan
