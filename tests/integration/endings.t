# How a command ends, or why it could not begin, is told in the exit status, the message and the report.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr -- "$@"
}

# The command's own numbers come out as they are, also those that nsbox uses itself.
for code in 0 1 2 99 124 125 126 127 128 137 255; do
	N sh -c "exit $code"
	status_is "$code" "the command's own $code comes out"
	report_is ".end.reason == \"exited\" and .end.code == $code and .end.signal == null" \
	    "$code is reported as the command's own"
	is "$ERR" '' "nothing is said about $code"
done

# Not found.
N /no/such
status_is 127 "a command that is not there is 127"
report_is '.end.reason == "exec-failed" and .end.errno == "ENOENT"' \
    "it is reported as exec-failed with ENOENT"
like "$ERR" '^nsbox: .*/no/such.*ENOENT' "the message names the command and the errno"
N no-such-word
status_is 127 "a word that is in no folder of the PATH is 127"
like "$ERR" 'no-such-word.*ENOENT' "the message names the word"
nsbox --ro /usr --env PATH= -- true
status_is 127 "an empty PATH finds nothing"
N /usr/bin/sh/true
status_is 127 "a command below a file is 127"
report_is '.end.reason == "exec-failed" and .end.errno == "ENOTDIR"' "it is reported with ENOTDIR"

# Found, and not executable.
mkdir "$T/files"
printf '\001\002junk\377' >"$T/files/junk"
printf 'echo text\n' >"$T/files/text"
chmod 755 "$T/files/junk" "$T/files"
chmod 644 "$T/files/text"
for case in "junk ENOEXEC" "text EACCES" "../files EACCES"; do
	name=${case% *} errno=${case#* }
	nsbox --ro /usr --ro-bind "$T/files" /files -- "/files/$name"
	status_is 126 "$name is 126"
	report_is ".end.reason == \"exec-failed\" and .end.errno == \"$errno\" and .end.code == null" \
	    "$name is reported as exec-failed with $errno"
	like "$ERR" "$name.*$errno" "the message names $name and $errno"
done
cp "$T/files/text" "$T/files/script"
sed -i '1i #!/bin/sh' "$T/files/script"
chmod 755 "$T/files/script"
nsbox --ro /usr --ro-bind "$T/files" /files -- /files/script
is "$STATUS $OUT" '0 text' "the same as a script with the right to execute it runs"

# A file that is not executable does not hide one later in the PATH.
mkdir "$T/early"
printf 'no program\n' >"$T/early/true"
nsbox --ro /usr --ro-bind "$T/early" /early --env PATH=/early:/usr/bin -- true
status_is 0 "the search goes on behind a file that cannot be executed"
nsbox --ro /usr --ro-bind "$T/early" /early --env PATH=/early:/nowhere -- true
status_is 126 "if there is no other, that one is what is wrong"

# More arguments than the kernel takes.
head -c 200000 /dev/zero | tr '\0' x >"$T/long"
{ echo --ro; echo /usr; echo --; echo /usr/bin/true; cat "$T/long"; echo; } >"$T/args"
nsbox --args "$T/args"
status_is 126 "a word that is too long for the kernel is 126"
report_is '.end.errno == "E2BIG"' "it is reported with E2BIG"
{ echo --ro; echo /usr; echo --; echo /usr/bin/true; head -c 100000 "$T/long"; echo; } >"$T/args"
nsbox --args "$T/args"
status_is 0 "a word of half that length is fine"

# Signals.
for case in "KILL 9" "TERM 15" "ABRT 6" "SEGV 11" "USR1 10" "PIPE 13" "HUP 1"; do
	name=${case% *} number=${case#* }
	N sh -c "kill -$name \$\$"
	status_is $((128 + number)) "a command that ends by SIG$name is $((128 + number))"
	report_is ".end.reason == \"signaled\" and .end.signal == $number and .end.code == null" \
	    "it is reported as signaled by $number"
	is "$ERR" '' "nothing is said about SIG$name"
done
if has python3; then
	N python3 -c 'import os; os.abort()'
	status_is 134 "abort() is 134"
else
	skip "abort() is 134" "there is no python3 here"
fi

# An interpreter that is not visible: the loader, and that of a script.
mkdir "$T/alone"
cp /usr/bin/true "$T/alone/program"
printf '#!/opt/none -x\necho\n' >"$T/alone/script"
printf '#!/opt/none\r\necho\n' >"$T/alone/dos"
chmod 755 "$T/alone"/*
# Bytes 64 on hold the program headers of a 64-bit ELF file; the loader's name lies behind them.
loader=$(head -c 4096 /usr/bin/true | tr '\0' '\n' | grep -a -m1 '^/lib.*ld.*\.so')
nsbox --ro-bind "$T/alone" /alone -- /alone/program
if [ -n "$loader" ]; then
	status_is 127 "a program whose loader is not visible is 127"
	like "$ERR" "/alone/program.*$loader.*--ro $loader" \
	    "the message names program, loader and the option that shows it"
	report_is '.end.reason == "exec-failed" and .end.errno == "ENOENT"' "it is reported so"
	report_is ".end.message | contains(\"$loader\")" "the report names the loader too"
	nsbox --ro-bind "$T/alone" /alone --ro /usr --ro "$loader" -- /alone/program
	status_is 0 "with the loader and its libraries the program runs"
else
	skip "a program whose loader is not visible is 127" "/usr/bin/true names no loader here"
fi
nsbox --ro /usr --ro-bind "$T/alone" /alone -- /alone/script
status_is 127 "a script whose interpreter is not visible is 127"
like "$ERR" '/alone/script.*/opt/none.*--ro /opt/none' \
    "the message names script, interpreter and the option"
nsbox --ro /usr --ro-bind "$T/alone" /alone --ro-bind /usr/bin/echo /opt/none -- /alone/script
is "$STATUS $OUT" '0 -x /alone/script' "with it the script runs"
nsbox --ro /usr --ro-bind "$T/alone" /alone --ro-bind /usr/bin/echo /opt/none -- /alone/dos
status_is 127 "a script with DOS line ends asks for another interpreter"
like "$ERR" '/opt/none\\x0d' "the message shows the carriage return that is in its name"

# Where nsbox itself refuses, the command never ran.
nsbox --ro /usr --ro /does/not/exist -- sh -c 'echo ran'
status_is 125 "what cannot be shown is 125"
is "$OUT" '' "the command did not run"
like "$ERR" '--ro /does/not/exist.*ENOENT' "the message names option, path and errno"
report_is '.end.reason == "setup-failed" or .end.reason == "refused"' "it is not reported as the command's end"
report_is '.end.code == null and .end.signal == null' "no code and no signal are made up"

done_testing
