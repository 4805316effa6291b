# Ordinary programs work with nothing of the host but /usr, which they cannot change.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

# N ARG ...: what every test here runs.
N() {
	nsbox --ro /usr -- "$@"
}

# works PROGRAM WANTED ARG ...: PROGRAM with these arguments prints a line that matches.
works() {
	local program=$1 wanted=$2
	shift 2
	if ! has "$program"; then
		skip "$program works" "there is no /usr/bin/$program here"
		return
	fi
	N "$program" "$@"
	is "$STATUS" 0 "$program exits with 0"
	like "$OUT" "$wanted" "$program prints what it should"
	report_is '.end.reason == "exited" and .end.code == 0 and .confinement_applied' \
	    "$program is reported as exited"
}

works sh '^hello$' -c 'echo hello'
works bash '^3 b$' -c 'printf "c\nb\na\nb\n" | sort | uniq -c | sort -rn | { read -r n w; echo "$((n + 1)) $w"; }'
works bash '^one two$' -c 'cat <(echo one two)'
works perl '^perl 42$' -e 'use POSIX; print "perl ", POSIX::floor(42.5), "\n"'
works git '^git version ' --version
works python3 '^python 45 /work$' -c 'import os, json, hashlib; print("python", json.loads("[45]")[0], os.getcwd())'
works sed '^b$' -n 's/a/b/p' /dev/stdin <<<a

# awk is a link that leads out of /usr, through /etc/alternatives, where Debian is the host.
works awk '^7$' 'BEGIN { print 3 + 4 }'
if [[ $(readlink /usr/bin/awk 2>/dev/null) == /etc/alternatives/* ]]; then
	N awk 'BEGIN { while ((getline line < "/etc/alternatives/awk") > 0) print line; print "end" }'
	is "$OUT" end "awk runs from its real file, /etc/alternatives is not visible"
	report_is ".command.resolved == \"$(readlink -f /usr/bin/awk)\"" \
	    "the report names the file behind the link"
	N sh -c 'awk "BEGIN { print 1 }"'
	is "$STATUS" 127 "inside, the same link leads nowhere"
	nsbox --ro /usr --ro /etc/alternatives -- sh -c 'awk "BEGIN { print 1 }"'
	is "$OUT" 1 "with /etc/alternatives it leads to awk"
else
	not_for "awk runs from its real file" "awk is no link into /etc/alternatives here"
fi

if has gcc ld; then
	cat >"$T/prog.c" <<-'END'
	#include <stdio.h>
	#include <sys/stat.h>
	int main(int argc, char **argv)
	{
		struct stat status;
		printf("compiled %d %d\n", argc, stat("/etc/passwd", &status));
		return argv[1] ? argv[1][0] - '0' : 9;
	}
	END
	nsbox --ro /usr --ro-bind "$T" /src -- sh -c 'gcc -Wall -o prog /src/prog.c && ./prog 5'
	status_is 5 "what gcc compiled in the scratch runs there"
	is "$OUT" "compiled 2 -1" "it runs in the same sandbox"
	nsbox --ro /usr --ro-bind "$T" /src -- gcc -o /src/prog /src/prog.c
	isnt "$STATUS" 0 "gcc cannot write where the source is shown read-only"
	like "$ERR" 'Read-only file system' "and says why"
	refutes "nothing was written on the host" test -e "$T/prog"
	report_is '.end.reason == "exited" and (layer("read-only").state == "applied")' \
	    "the failure is the command's own"
else
	skip "gcc compiles in the scratch" "there is no gcc here"
fi

# The same programs cannot change what they were run from.
# shellcheck disable=SC2016 # meant for the shell inside
N sh -c 'for d in /usr /usr/bin /usr/lib; do touch $d/nsbox-test; done'
is "$(grep -c 'Read-only file system' <<<"$ERR")" 3 "a write to /usr fails as read-only"
N no-such-program
status_is 127 "a program that does not exist"
report_is '.end.reason == "exec-failed" and .end.errno == "ENOENT"' "its report"
done_testing
