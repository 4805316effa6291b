# The integration tests with --backend landlock: what namespaces promise holds there as well, but for what
# landlock-differs.txt says, each with its reason.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

[ "$("$NSBOX_BUILDDIR/tests/integration/helpers/abi")" -ge 6 ] ||
	skip_all "with a kernel without scopes the tests could signal what is not theirs"
differs=$NSBOX_SRCDIR/tests/integration/landlock-differs.txt
cat >"$T/nsbox" <<END
#!/bin/sh
case " \$* " in
*" --gc "*) exec "$NSBOX" "\$@" ;;
esac
exec "$NSBOX" --backend landlock --quiet "\$@"
END
chmod 755 "$T" "$T/nsbox"
mkdir "$T/tmp"

# reasons FILE: "REGEX|REASON" for each of its rows.
reasons() {
	sed -n "s/^$1 | \(.*\) | \([^|]*\)$/\1\t\2/p" "$differs"
}

# judge FILE LOG: its failures against the table, and the table against its failures.
judge() {
	local name regex reason unexplained='' stale='' failed
	failed=$(sed -n 's/^not ok [0-9]* - //p' "$2")
	while IFS= read -r name; do
		[ -n "$name" ] || continue
		while IFS=$'\t' read -r regex reason; do
			[[ $name =~ $regex ]] && continue 2
		done < <(reasons "$1")
		unexplained+="$name"$'\n'
	done <<<"$failed"
	is "$unexplained" '' "$1: what differs is explained"
	while IFS=$'\t' read -r regex reason; do
		[[ $reason = sometimes:* ]] || grep -qE -- "$regex" <<<"$failed" || stale+="$regex ($reason)"$'\n'
	done < <(reasons "$1")
	is "$stale" '' "$1: what is explained differs"
	ok "$1: the rest holds" [ "$(grep -c '^ok ' "$2")" -ge 10 ]
	like "$(tail -1 "$2")" '^1\.\.[0-9]+$' "$1: it ran to its end"
}

# Those of a view that is made of mounts are not among them: landlock.t says what is refused there, and what can be had.
files=(background descriptors endings environment launcher-death meta rlimits report terminal escapes programs)
for file in "${files[@]}"; do
	NSBOX=$T/nsbox TMPDIR=$T/tmp bash "$NSBOX_SRCDIR/tests/integration/$file.t" </dev/null >"$T/log" 2>&1
	grep -a -v '^$' "$T/log" | tr -d '\000' >"$T/clean"
	judge "$file" "$T/clean"
done

done_testing
