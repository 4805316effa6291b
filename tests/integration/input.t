# Bad input is answered with one clear message that names what is wrong, with 125, before
# anything was made and without a word on standard output. Large input works.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

cd "$T" || exit 1
mkdir folder
echo text >file
mkfifo fifo

# refused NAME PATTERN ARG ...: COMMAND would leave a trace on the host.
refused() {
	local name=$1 pattern=$2
	shift 2
	nsbox --ro /usr --bind "$T/folder" /trace "$@"
	is "$STATUS/$OUT" "125/" "$name is refused"
	like "$ERR" "^nsbox: .*($pattern)" "$name: the message names it"
	is "$(wc -l <<<"$ERR")" 1 "$name: in one line"
	ok "$name: the message is short" test "${#ERR}" -lt 1000
	refutes "$name: nothing ran" test -e folder/ran
}
run_it=(-- touch /trace/ran)
nsbox --ro /usr --bind "$T/folder" /trace "${run_it[@]}"
ok "the same without bad input leaves a trace" test -e folder/ran
rm folder/ran

refused "an unknown option" --no-such-option --no-such-option "${run_it[@]}"
refused "an unknown short option" -x -x "${run_it[@]}"
refused "an abbreviated option" --hostnam --hostnam x "${run_it[@]}"
refused "a value for an option that takes none" --runtime --runtime=yes "${run_it[@]}"
refused "an empty value" --ro --ro '' "${run_it[@]}"
refused "an empty value behind an equals sign" --ro --ro= "${run_it[@]}"
refused "an empty source" --ro-bind --ro-bind '' /x "${run_it[@]}"
refused "an empty destination" --ro-bind --ro-bind folder '' "${run_it[@]}"
refused "a relative destination" 'x/y' --ro-bind folder x/y "${run_it[@]}"
refused "a destination that goes up" '/a/\.\./b' --ro-bind folder /a/../b "${run_it[@]}"
refused "a relative --ro" folder --ro folder "${run_it[@]}"
refused "a relative --tmpfs" tmp --tmpfs tmp "${run_it[@]}"
refused "a relative --chdir" tmp --chdir tmp "${run_it[@]}"
refused "a number with something behind it" '5x' --uid 5x "${run_it[@]}"
refused "a number out of range" 99999999999 --gid 99999999999 "${run_it[@]}"
refused "an option that is given twice" --uid --uid 5 --uid 6 "${run_it[@]}"
refused "the same option twice" --hostname --hostname a --hostname a "${run_it[@]}"
refused "a control that does not exist" no-such --require no-such "${run_it[@]}"
refused "an empty name among controls" --require --require network,,root "${run_it[@]}"
refused "a control that is required and may be missing" network --require network --allow-missing network "${run_it[@]}"
refused "a control that is required and given up" network --net host --require network "${run_it[@]}"
refused "an environment that is required and kept" environment --keep-env --require environment "${run_it[@]}"
refused "a variable without a name" --env --env =x "${run_it[@]}"
refused "an unknown backend" no-such --backend no-such "${run_it[@]}"
refused "an empty id" --id --id '' "${run_it[@]}"
refused "an id with blanks" --id --id 'a b' "${run_it[@]}"
refused "an id that is too long" --id --id "$(printf 'a%.0s' {1..129})" "${run_it[@]}"
refused "a missing source" 'no/such.*ENOENT' --ro "$T/no/such" "${run_it[@]}"
refused "a source behind a file" 'file/x.*ENOTDIR' --ro "$T/file/x" "${run_it[@]}"
refused "a missing last value" --ro-bind --ro-bind folder
refused "an option that ends the line" --ro --ro
refused "a mode of options that is not there" --explode --explode=yes "${run_it[@]}"
refused "no command" '[Cc]ommand|COMMAND'
refused "no command behind --" '[Cc]ommand|COMMAND' --
refused "an empty command" '[Cc]ommand|COMMAND' -- ''
long=$(head -c 100000 /dev/zero | tr '\0' x)
refused "a long option" --xxxx "--$long" "${run_it[@]}"
refused "a long word" --uid --uid "$long" "${run_it[@]}"
refused "a long path" --ro --ro "/$long" "${run_it[@]}"
refused "bytes that a terminal would obey" 'x' --hostname $'x\033[2J\n\r' "${run_it[@]}"
unlike "$ERR" $'\033|\r' "they do not reach the terminal"
run env -i "$NSBOX"
is "$STATUS/$OUT" "125/" "no argument at all is refused"
(exec -a "" "$NSBOX" --uid x 2>err)
is "$?" 125 "an empty name of the program does no harm"

# Case 03
nsbox --ro /does/not/exist -- /usr/bin/touch "$T/folder/ran"
is "$STATUS" 125 "a source that does not exist is refused"
like "$ERR" '^nsbox: --ro /does/not/exist: ENOENT' "the message names option, path and errno"
report_is '.end.errno == "ENOENT" and .end.code == null and (.confinement_applied | not)' "the report too"

# Argument files
refused "a FIFO as --args" '--args.*fifo' --args fifo "${run_it[@]}"
refused "a folder as --args" '--args.*folder' --args folder "${run_it[@]}"
refused "a device as --args" '--args.*zero' --args /dev/zero "${run_it[@]}"
refused "an --args that does not exist" '--args.*no-such.*ENOENT' --args no-such "${run_it[@]}"
refused "an --args that is not open" '--args.*77.*EBADF' --args 77 "${run_it[@]}"
# args NAME PATTERN FORMAT: an argument file that printf makes; what it holds is refused.
args() {
	# shellcheck disable=SC2059 # it is one
	printf -- "$3" >args
	refused "$1" "$2" --args args "${run_it[@]}"
}
args "an unknown option in --args" --no-such '--no-such\n'
args "--args in --args" --args '--args other\n'
args "a word in --args that is no option" folder 'folder\n'
args "a missing value in --args" --ro-bind '--ro-bind\nfolder\n'
args "a missing value in a list of words" --ro-bind '--ro-bind\0folder\0'
args "an empty value in a list of words" --ro '--ro\0\0--uid\0005\0'
args "a quote that does not end" '["'"'"']|quot' '--env "A=\n'
# shellcheck disable=SC1003 # one backslash
args "an escape that does not exist" '\\' '--env "A=\\q"\n'
args "an escape that stands for NUL" 'x00|NUL' '--env "A=\\x00"\n'
args "a second command" '[Cc]ommand|COMMAND' '--\ntrue\n'

# shellcheck disable=SC2016 # meant for the shell inside
printf -- '--env\0A=1\n2\0--env\0B=\0--\0sh\0-c\0printf %%s "$A$B"\0' >args
nsbox --ro /usr --args args
is "$STATUS/$OUT" "0/1"$'\n'"2" "a list of words can hold all but NUL, and the command"
printf '%s\n' '# comment' '' '--env=A=1 "2"' '--env "B=\x41\n\"b"' '--ro-bind "'"$T"'/folder" /in' '--setting-of-none' |
	sed '$d' >args
# shellcheck disable=SC2016 # meant for the shell inside
nsbox --ro /usr --args args -- sh -c 'echo "$A"; echo "$B"; ls -d /in'
is "$STATUS $(xargs -d '\n' <<<"$OUT")" "0 1 \"2\" A \"b /in" "lines have values verbatim and quoted"
nsbox --ro /usr --args 5 -- sh -c 'ls -d /in' 5<args
is "$OUT" /in "--args reads a descriptor"
nsbox --ro /usr --args 5 -- sh -c 'ls -d /in' 5< <(cat args)
is "$OUT" /in "which can be a pipe"
nsbox --ro /usr --args 0 -- cat < <(echo --hostname x)
is "$STATUS/$OUT" "0/" "standard input can be one"
# shellcheck disable=SC2016 # meant for the shell inside
nsbox --ro /usr --args 5 -- sh -c 'test -e /proc/$$/fd/5' 5<args
status_is 1 "the command does not get it"

# 1 MiB of option text, and the limits of it
{ printf -- '--env A='; head -c 1000000 /dev/zero | tr '\0' x; echo; } >args
nsbox --ro /usr --args args -- true
is "$STATUS/${ERR:0:200}" "126/${ERR:0:200}" "a variable that the kernel does not take makes the command fail"
report_is '.end.reason == "exec-failed" and .end.errno == "E2BIG"' "and the report says why"
seq -f "--env V%.0f=${long:0:90}" 10500 >args
nsbox --ro /usr --args args -- sh -c 'env | grep -c ^V'
is "$STATUS/$OUT" "0/10500" "a mebibyte of options works"
{ head -c 1048576 /dev/zero | tr '\0' '#'; echo; echo '--hostname long'; } >args
nsbox --ro /usr --args args -- uname -n
is "$OUT" long "so does a comment of a mebibyte"
head -c 1048576 /dev/urandom >args
refused "a mebibyte of noise" '' --args args "${run_it[@]}"
head -c 1048576 /dev/zero >args
refused "a mebibyte of NUL" '' --args args "${run_it[@]}"

# Case 23: many options; the time has to be linear, and is given room for a slow machine.
mkdir many
(cd many && seq 20000 | xargs touch)
seq -f "--ro $T/many/%.0f" 20000 >args
begin=${EPOCHREALTIME/./}
nsbox --ro /usr --args args -- sh -c "ls '$T/many' | wc -l"
took=$((${EPOCHREALTIME/./} - begin))
is "$STATUS/$OUT" "0/20000" "20,000 --ro lines work"
ok "in less than 5 s" test "$took" -lt 5000000
report_is '.confinement_applied and layer("read-only").state == "applied"' "and are confirmed"
yes -- "--ro $T/folder" | head -20000 >args
begin=${EPOCHREALTIME/./}
nsbox --ro /usr --args args -- ls -A "$T"
took=$((${EPOCHREALTIME/./} - begin))
is "$STATUS/$OUT" "0/folder" "20,000 times the same --ro works"
ok "in less than 5 s" test "$took" -lt 5000000
seq -f "--ro-bind $T/folder /many/%.0f" 2000 >args
begin=${EPOCHREALTIME/./}
nsbox --ro /usr --args args -- sh -c 'ls /many | wc -l'
took=$((${EPOCHREALTIME/./} - begin))
is "$STATUS/$OUT" "0/2000" "2,000 binds work"
ok "in less than 5 s" test "$took" -lt 5000000
report_is '.confinement_applied and layer("root").state == "applied"' "and are confirmed"
nsbox --ro /usr --args <(cat args) -- true
is "$STATUS" 0 "the shell's own way to name a pipe works"
done_testing
