# A terminal that is shared can be used from inside, is given back, and cannot be typed on.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

has python3 || skip_all "there is no python3 here to make terminals"
LIMIT=60

# All tests are made by one program: a terminal is its own controlling one only in a new session.
run python3 "$NSBOX_SRCDIR/tests/integration/helpers/terminal.py" "$NSBOX" "$T"
while read -r word rest; do
	case $word in
	ok) ok "$rest" ;;
	not) not_ok "${rest%% :: *}" "${rest#* :: }" ;;
	skip) skip "${rest%% :: *}" "${rest#* :: }" ;;
	*) diag "$word $rest" ;;
	esac
done <<<"$OUT"
is "$STATUS $ERR" '0 ' "the program that makes the terminals ran to its end"

# Where there is no terminal, the command has none to reach for either.
nsbox --ro /usr -- sh -c 'exec 3</dev/tty'
isnt "$STATUS" 0 "without a terminal /dev/tty leads nowhere"
report_is 'layer("session").state == "applied"' "and the session is the command's own"

done_testing
