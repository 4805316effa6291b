# Judges what one test file printed (TAP) and how it ended.
#
# Variables: label (whose run, which file), status (exit status), must_work
# (1: a skip is a failure), counts (file that gets "passed failed skipped").
# Prints every failing test with its output, and every skip with its reason.

function close_test(    i) {
	if (failing)
		for (i = 1; i <= held; i++)
			print "    " text[i]
	held = 0
	failing = 0
}

function fail(what) {
	print "FAIL " label ": " what
	failed++
}

function skip(what, reason) {
	if (reason == "") {
		fail(what " (skipped without a reason)")
		failing = 1
	} else if (must_work == 1) {
		fail(what " (must work here, but was skipped: " reason ")")
	} else {
		print "SKIP " label ": " what ": " reason
		skipped++
	}
}

function reason_of(line) {
	sub(/^.*# *[Ss][Kk][Ii][Pp][^ ]* */, "", line)
	sub(/ +$/, "", line)
	return line
}

function name_of(line) {
	sub(/^(not )?ok *[0-9]* *-? */, "", line)
	sub(/ *# *[Ss][Kk][Ii][Pp].*$/, "", line)
	return line
}

/^(not )?ok([ \t]|$)/ {
	# What follows a failing line explains it; what came before does too.
	if ($0 ~ /^not ok/) {
		if (failing)
			close_test()
		fail(name_of($0))
		failing = 1
	} else {
		close_test()
		if ($0 ~ /# *[Ss][Kk][Ii][Pp]/)
			skip(name_of($0), reason_of($0))
		else
			passed++
	}
	seen++
	next
}

/^1\.\.[0-9]+/ {
	has_plan = 1
	plan = substr($1, 4) + 0
	if (plan == 0 && $0 ~ /# *[Ss][Kk][Ii][Pp]/) {
		skip("the whole file", reason_of($0))
		whole = 1
	}
	next
}

/^Bail out!/ {
	fail($0)
	next
}

{
	text[++held] = $0
}

END {
	before = failed
	if (status == 124 || status == 137)
		fail("did not end in time")
	else if (!has_plan)
		fail("ended with status " status " before its plan")
	else if (seen != plan && !whole)
		fail("planned " plan " tests, ran " seen + 0)
	else if (!seen && !whole)
		fail("holds no test")
	else if (status != 0 && status != 77 && !failed)
		fail("ended with status " status)
	if (failed > before)
		failing = 1
	close_test()
	print passed + 0, failed + 0, skipped + 0 >counts
}
