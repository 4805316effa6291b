# Generated command lines, good and damaged, do the same in bubblewrap and here. What may differ,
# and why, is listed in helpers/differential.py.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

has bwrap python3 || skip_all "bubblewrap and python3 are not both installed"
run bwrap --ro-bind / / true
[ "$STATUS" = 0 ] || skip_all "bubblewrap does not work here"

# compare SEED COUNT [bad]
compare() {
	LIMIT=200 run python3 "$NSBOX_SRCDIR/tests/integration/helpers/differential.py" /usr/bin/bwrap "$NSBOX" "$T/files" "$@"
	like "$(tail -1 <<<"$OUT")" '^[0-9]+ alike, [0-9]+ explained, 0 different$' "$2 command lines${3:+, damaged}"
	case $OUT in
	*" 0 different") ;;
	*) diag "$OUT $ERR" ;;
	esac
}
compare 1 150
compare 2 100 bad

done_testing
