# Descriptors: the command gets standard input, output, error and what was passed on purpose.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

echo content >"$T/file"
# The shell inside lists its own; a link is looked at and not opened.
# shellcheck disable=SC2016 # meant for the shell inside
list='cd /proc/$$/fd; set -- *; for fd; do [ ! -L $fd ] || echo $fd; done'
high=1500
ulimit -n 2048 2>/dev/null || high=900

# shellcheck disable=SC2094 # nothing is read
run sh -c "$list" 3<"$T/file" 9>>"$T/file"
like " $(xargs <<<"$OUT") " ' 3 .*9 ' "without nsbox, descriptors are inherited"
# shellcheck disable=SC2094 # nothing is read
nsbox --ro /usr -- sh -c "$list" 3<"$T/file" 9>>"$T/file"
is "$(xargs <<<"$OUT")" "0 1 2" "inherited descriptors are closed"
report_is 'layer("descriptors") | .state == "applied" and .asked == "required"' "the report says so"

# inherit ARG ...: runs nsbox with a folder as descriptor $high, and two more.
inherit() {
	local words
	nsbox_words "$@"
	run perl -e 'use POSIX; my $high = shift; open(my $f, "<", "/"); POSIX::dup2(fileno($f), $_) for $high, 100, 255; exec @ARGV' \
		$high "${words[@]}"
}
if has perl; then
	inherit --ro /usr -- sh -c "$list"
	is "$(xargs <<<"$OUT")" "0 1 2" "so are those with high numbers"
	inherit --ro /usr --pass-fd $high -- sh -c "$list"
	is "$(sort -n <<<"$OUT" | xargs)" "0 1 2 $high" "one with a high number can be passed"
	report_is 'layer("descriptors") | .state == "applied" and (.evidence | contains("1 passed"))' "the report counts it"
else
	skip "descriptors with high numbers are closed" "there is no perl here"
fi
nsbox --ro /usr -- sh -c 'ls -l /proc/1/fd' 3<"$T/file"
unlike "$OUT" "$T/file|/etc" "pid 1 holds nothing of the host that can be seen"

# --pass-fd
nsbox --ro /usr --pass-fd 3 --pass-fd 7 -- sh -c "cat <&3; echo more >&7; $list" 3<"$T/file" 7>>"$T/out" 9<"$T/file"
is "$(xargs <<<"$OUT")" "content 0 1 2 3 7" "what is passed can be used, and no other"
is "$(<"$T/out")" more "also for writing"
nsbox --ro /usr --pass-fd 3 -- sh -c 'cat <&3' 3< <(echo from a pipe)
is "$OUT" "from a pipe" "a pipe can be passed"
nsbox --ro /usr --pass-fd 77 -- touch "$T/ran"
is "$STATUS" 125 "what is not open cannot be passed"
like "$ERR" '^nsbox: --pass-fd 77: EBADF' "the message names option, number and errno"
report_is '.end.reason != "exited" and .end.errno == "EBADF"' "the report too"
for number in 0 2 -1 x 3x 99999999999 2147483648; do
	nsbox --ro /usr --pass-fd $number -- true
	is "$STATUS" 125 "--pass-fd $number is refused"
	like "$ERR" '^nsbox: --pass-fd' "the message names the option"
done
nsbox --ro /usr --pass-fd 3 --pass-fd 3 -- sh -c "$list" 3<"$T/file"
like "$STATUS $(xargs <<<"$OUT")" '^(0 0 1 2 3|125 )$' "one that is passed twice is passed once or refused"

# Closed standard descriptors: nothing of nsbox takes their place.
# The shell's own descriptors are looked at by another process, which alone opens a file.
# shellcheck disable=SC2016 # meant for the shell inside
look='for fd in 0 1 2; do (readlink /proc/$$/fd/$fd >>/t/seen || env echo closed >>/t/seen); done; exit 0'
# shellcheck disable=SC2034 # REPORT is what report_is looks at
for closed in 0 1 2 "0 1" "1 2" "0 1 2"; do
	rm -f "$T/seen" "$REPORT_FILE"
	words="exec"
	for fd in $closed; do
		words="$words $fd>&-"
	done
	bash -c "$words; exec timeout -s KILL 20 \"\$@\"" - "$NSBOX" --report "$REPORT_FILE" \
		--ro /usr --bind "$T" /t -- sh -c "$look" </dev/zero >/dev/zero 2>/dev/zero
	is "$?" 0 "closed at the start: $closed: the command runs"
	REPORT=$(cat "$REPORT_FILE")
	report_is 'layer("descriptors").state == "applied"' "and the report confirms the descriptors"
	wanted=''
	for fd in 0 1 2; do
		case $closed in
		*$fd*) wanted="$wanted (/dev/null|closed)" ;;
		*) wanted="$wanted /dev/zero" ;;
		esac
	done
	like " $(xargs <"$T/seen")" "^$wanted\$" "and finds nothing but /dev/null in their place"
done
# A file that nsbox opens must not land on a standard descriptor either: its report is whole.
bash -c 'exec 0<&- 1>&- 2>&-; exec "$@"' - "$NSBOX" --report "$REPORT_FILE" --ro /usr -- sh -c 'echo noise; echo noise >&2; cat'
REPORT=$(cat "$REPORT_FILE")
report_is '.end.reason == "exited"' "with all three closed, the report is not written over"
done_testing
