#!/bin/bash
# Ceilings: 400 lines a file, 60 lines a function, 4 levels of nesting, 6 parameters.
# There is no list of exceptions.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

# size_offences TREE: functions are what stands between braces in the first column.
size_offences() {
	(cd "$1" && find src tests -type f \( -name '*.[ch]' -o -name '*.def' \) | sort |
	    xargs awk '
	function check_parameters(    text, open, i, c, depth, commas) {
		text = head
		# The last pair of parentheses before the brace; attributes come before.
		open = match(text, /[A-Za-z_0-9]+\(/)
		if (!open)
			return
		text = substr(text, open + RLENGTH)
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (c == "(")
				depth++
			else if (c == ")" && depth-- == 0)
				break
			else if (c == "," && depth == 0)
				commas++
		}
		if (commas + 1 > 6)
			print FILENAME ":" FNR ": " commas + 1 " parameters, 6 are allowed"
	}
	function end_file() {
		if (lines > 400)
			print file ": " lines " lines, 400 are allowed"
	}
	FNR == 1 {
		end_file()
		file = FILENAME
		start = 0
		head = ""
	}
	{
		lines = FNR
	}
	/^\{/ {
		start = FNR
		if (head ~ /\(/ && head !~ /=/)
			check_parameters()
		next
	}
	/^\}/ {
		if (start && FNR - start + 1 > 60)
			print FILENAME ":" start ": " FNR - start + 1 " lines, 60 are allowed"
		start = 0
		head = ""
		next
	}
	start && /^\t\t\t\t\t+(if|for|while|switch|do)[ \t({]/ {
		print FILENAME ":" FNR ": more than 4 levels of nesting"
	}
	!start {
		head = /[;}]$|^#|^$|\*\/$/ ? "" : head $0
	}
	END {
		end_file()
	}')
}

none "no file or function is too big" size_offences "$NSBOX_SRCDIR"

mkdir -p "$bad/tests"
bad_file src/long.c < <(yes '/* line */' | head -401)
bad_file src/edge.c < <(echo 'int f(int a, int b, int c, int d, int e, int f)'; echo '{'; yes '	x();' | head -58; echo '}'
	yes '/* line */' | head -339)
bad_file src/function.c < <(echo 'int f(void)'; echo '{'; yes '	x();' | head -59; echo '}')
bad_file src/shape.c <<'END'
static int many(int a, int b, int c, int (*d)(int, int),
    int e, int f, int g)
{
	if (a)
		if (b)
			if (c)
				if (e)
					if (f)
						return 1;
}
END
caught "a file of 401 lines is caught" 'long.c: 401 lines' size_offences "$bad"
caught "a function of 61 lines is caught" 'function.c:2: 61 lines' size_offences "$bad"
caught "seven parameters are caught" 'shape.c:3: 7 parameters' size_offences "$bad"
caught "a fifth level of nesting is caught" 'shape.c:8: more than 4' size_offences "$bad"
is "$(size_offences "$bad" | grep -c edge.c)" "what is just within the ceilings is not caught"
plan
