#!/bin/bash
# A run as its caller sees it: exit statuses, streams, limits of time and output, the environment.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

for code in 0 1 7 124 255; do
	run "${degraded[@]}" -- "$child" exit $code
	same "exit status $code is passed on" "$code::" "$status:$out:$err"
done
# All 32 bits, which a shell of another system does not see.
for code in 0 259 3221225477 4294967295 256 2147483648; do
	run "${degraded[@]}" --report "$report_path" -- "$child" exit $code
	same "the report has exit code $code" "$code exited" "$(of_report '"\(.end.code) \(.reason)"')"
done
run "${degraded[@]}" --report "$report_path" -- "$child" crash
same "a crash is an exit by its exception" 3221225477 "$(of_report .end.code)"
has "with a word about it" 'ended by an exception or could not begin: 0xc0000005' "$(of_report .end.message)"

run "${degraded[@]}" --report "$report_path" -- "$child" exit 4294967295
same "a negative exit code is none" null "$(of_report .end.message)"

run "${degraded[@]}" --report "$report_path" -- no-such-program
same "a command that is not there is 127" "127 exec-failed ENOENT" "$status $(of_report '"\(.reason) \(.end.errno)"')"
printf 'junk' >junk.exe
run "${degraded[@]}" --report "$report_path" -- "$(win_path junk.exe)"
same "a file that is no program is 126" "126 exec-failed" "$status $(of_report '"\(.reason)"')"
run "${degraded[@]}" -- 'C:\x.bat'
same "a script of cmd.exe is refused" "126:nsbox: C:\\x.bat: is read by cmd.exe, to which arguments cannot be passed safely (run cmd.exe /c yourself)" "$status:$err"
run "${degraded[@]}" -- cmd /c 'echo hi& exit 4'
same "cmd.exe runs one that it is asked to" "4:hi" "$status:$out"

head -c 1000000 /dev/urandom >input
timeout 60 "${degraded[@]}" -- "$child" cat <input >output 2>err
same "standard input and output carry any bytes" "$(sha256sum <input)" "$(sha256sum <output)"
timeout 60 "${degraded[@]}" -- "$child" cat </dev/null >output
same "an empty input is an end" "0 0" "$? $(wc -c <output)"
run "${degraded[@]}" --report "$report_path" -- "$child" write 5000 err
same "standard error is a stream of its own" "0 5000 5000" "$(wc -c <out) $(wc -c <err) $(of_report .usage.output_bytes)"

run "${degraded[@]}" --out-max 1000 --report "$report_path" -- "$child" write 1001
same "one byte too many ends the run" "125 output-limit 1000 true" \
    "$status $(of_report .reason) $(wc -c <out) $(of_report '.limits[] | select(.name == "output") | .hit')"
run "${degraded[@]}" --out-max 1000 --report "$report_path" -- "$child" write 1000
same "just as many do not" "0 exited 1000" "$status $(of_report .reason) $(wc -c <out)"
run "${degraded[@]}" --out-max-each 1000 --report "$report_path" -- "$child" write 1001 err
same "each stream has its limit" "output-limit 1000" "$(of_report .reason) $(wc -c <err)"
# It never ends by itself, and it writes far more than a pipe holds.
run "${degraded[@]}" --out-max 1M --wall 50 --report "$report_path" -- "$child" write 2000000000
same "an endless writer is ended" "output-limit 1048576" "$(of_report .reason) $(wc -c <out)"

run "${degraded[@]}" --wall 1s --report "$report_path" -- "$child" sleep 50000
same "the time is limited" "124 wall-limit begun" "$status $(of_report .reason) $out"
[ "$(of_report .usage.wall_ms)" -ge 1000 ] && [ "$(of_report .usage.wall_ms)" -lt 30000 ]
is $? "and not much more of it passes" "$(of_report .usage.wall_ms)"
run "${degraded[@]}" --wall 50s --report "$report_path" -- "$child" sleep 10
same "who is faster is not ended" "0 exited" "$status $(of_report .reason)"
# What only a system below Wine has: FIFOs, and SIGINT, of which Wine makes Ctrl-C.
if [ -n "$NSBOX_WINE" ]; then
	# A reader that does not read keeps nobody from the deadline.
	mkfifo fifo
	sleep 50 <fifo &
	reader=$!
	rm -f report.json
	timeout 40 "${degraded[@]}" --wall 2s --report "$report_path" -- "$child" write 2000000 >fifo 2>err
	same "a reader that does not read is not waited for" "124 wall-limit" "$? $(of_report .reason)"
	kill $reader
	wait $reader 2>/dev/null
	"${degraded[@]}" --report "$report_path" -- "$child" sleep 60000 >begun 2>err </dev/null &
	launcher=$!
	for _ in {1..200}; do
		grep -q begun begun && break
		sleep 0.1
	done
	kill -INT $launcher
	wait $launcher
	same "Ctrl-C ends the sandbox and leaves nothing" "130 cancelled 2 true" \
	    "$? $(of_report '"\(.reason) \(.end.signal) \(.teardown.confirmed)"')"
fi

SECRET=x run "${degraded[@]}" --env A=b --env 'C=d e' -- cmd /c set
has "the environment has what was given" '^A=b$' "$out"
has "with blanks in it" '^C=d e$' "$out"
has "TEMP is in the scratch" '^TEMP=.*\\nsbox\\scratch\\nsbox\.' "$out"
[ "$(grep -ci '^secret=' <<<"$out")" = 0 ]
is $? "and nothing of the caller's" "$out"
SECRET=x run "${degraded[@]}" --keep-env -- cmd /c set
has "unless that was asked for" '^SECRET=x$' "$out"
run "${degraded[@]}" -- cmd /c cd
has "the current folder is the scratch" '\\nsbox\\scratch\\nsbox\.' "$out"
run "${degraded[@]}" --chdir 'C:\windows' -- cmd /c cd
same "or the one that was named" 'C:\windows' "$(tr '[:upper:]' '[:lower:]' <<<"$out" | sed 's/^c/C/')"

run "${degraded[@]}" --report fd:1 -- "$child" exit 2
same "a stream gets a line before and one after" "applied ended" "$(jq -r .event <<<"$out" | paste -sd' ')"
run "${degraded[@]}" --report fd:7 -- "$child" exit 2
same "other descriptors are refused" "125:nsbox: --report fd:7: on Windows only fd:1 and fd:2 can be named" "$status:$err"
run "${degraded[@]}" --meta "$(win_path meta)" -- "$child" exit 3
same "--meta says how it ended" "exitcode:3 status:RE" "$(grep -e ^exitcode -e ^status meta | paste -sd' ')"

mkdir -p parent use
run "${degraded[@]}" --scratch-dir "$(win_path parent)" --keep-scratch --report "$report_path" -- cmd /c 'echo x>note'
same "a scratch can be kept" "0 1" "$status $(find parent -name note | wc -l)"
run "${degraded[@]}" --scratch-dir "$(win_path parent)" -- cmd /c 'mkdir a\b & echo x>a\b\c & attrib +r a\b\c'
same "and is removed otherwise, whatever is in it" 1 "$(find parent -mindepth 1 -maxdepth 1 | wc -l)"
run "${degraded[@]}" --scratch-use "$(win_path use)" -- cmd /c 'echo x>note'
same "or it is a folder of the caller's" "0 x" "$status $(tr -d '\r' <use/note)"
plan
