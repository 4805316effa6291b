# Reads `cc -E -dM` output for <errno.h> and writes one ERRNO_NAME(NAME) line for
# each error number, so that nsbox names errors as the system it was built for does.
# Of two names for one number the established one is taken. POSIX awk only.

BEGIN {
	alias["EWOULDBLOCK"] = alias["ENOTSUP"] = alias["EDEADLOCK"] = 1
	skip["ELAST"] = 1	# a count, not an error
}

{ sub(/\r$/, "") }

$1 == "#define" && NF == 3 && $2 ~ /^E[A-Z0-9]+$/ && !($2 in skip) {
	if (!($2 in value))
		order[++count] = $2
	value[$2] = $3
}

# Follows `#define EWOULDBLOCK EAGAIN` to a number; 0 where there is none.
function number_of(name, depth) {
	for (depth = 0; depth < 8 && (name in value); depth++)
		name = value[name]
	return name ~ /^[0-9]+$/ ? name + 0 : 0
}

END {
	for (i = 1; i <= count; i++) {
		number = number_of(order[i])
		if (number == 0)
			continue
		if (!(number in best) || (best[number] in alias))
			best[number] = order[i]
	}
	for (i = 1; i <= count; i++) {
		number = number_of(order[i])
		if (number != 0 && best[number] == order[i])
			print "ERRNO_NAME(" order[i] ")"
	}
}
