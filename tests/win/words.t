#!/bin/bash
# Ten thousand lists of arguments arrive in a C runtime as they were given.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

# Words of what is hard to quote, 40 of them a run, and what child.exe should print of each.
awk 'BEGIN {
	srand(7)
	split("\" \" \\ \\ \\ a b 1 SPACE SPACE TAB % ^ & | < > = - / , ; ( ) ! $ `", part, " ")
	for (n in part)
		count++
	for (list = 0; list < 10000; list++) {
		word = ""
		length_ = int(rand() * 9)
		for (i = 0; i < length_; i++) {
			piece = part[1 + int(rand() * count)]
			word = word (piece == "SPACE" ? " " : piece == "TAB" ? "\t" : piece)
		}
		print word
	}
}' >words
# The text of --args: one word a NUL.
hex() {
	perl -ne 'chomp; print ":", join("", map { sprintf "%04x", ord } split //), "\n"' "$1"
}
hex words >expected
: >found
: >failed
split -l 2000 words part.
for part in part.*; do
	{
		printf '%s\0' -- "$child" args
		tr '\n' '\0' <"$part"
	} >arguments
	timeout 60 "${degraded[@]}" --args "$(win_path arguments)" </dev/null >>found 2>>failed
done
same "no run failed" "" "$(cat failed)"
same "10000 words were taken apart" 10000 "$(wc -l <words | tr -d ' ')"
cmp -s expected found
is $? "and each is as it was" "$(diff expected found | head -5)"

# Not of ASCII, through the command line of nsbox itself.
export LC_ALL=C.UTF-8
run "${degraded[@]}" -- "$child" args 'é' '日本' 'a b' '' '"'
same "words of nsbox's own command line arrive too" ":00e9 :65e5672c :006100200062 : :0022" "$(paste -sd' ' <<<"$out")"
plan
