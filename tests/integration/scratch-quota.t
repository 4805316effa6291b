# The quota of the scratch: bytes and files, exact, over everything writable together.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

N() {
	nsbox --ro /usr "$@"
}

quota='layer("scratch-quota") | .state == "applied" and .asked == "required" and .by != null'

# Prints how many empty files can be made in these folders by turns.
# shellcheck disable=SC2016 # meant for the shell inside
fill='n=0
while :; do
	for d in "$@"; do
		if ! true >"$d/f$n"; then echo $n; exit; fi
		n=$((n + 1))
	done
done 2>/dev/null'

# Prints how many bytes one file takes.
# shellcheck disable=SC2016 # meant for the shell inside
pour='dd if=/dev/zero bs=4096 of="$1/big" 2>&1 | sed -n "s/^\([0-9]*\) bytes.*/\1/p"'

# --- As it was reported: more bytes and more files than there is room for.
N --scratch-size 16M --scratch-inodes 500 -- dd if=/dev/zero of=big bs=1M count=64
isnt "$STATUS" 0 "64 MiB do not fit into 16 MiB"
like "$ERR" 'No space left' "it is ENOSPC"
report_is "$quota" "the report has the quota"
report_is 'layer("scratch-quota") | .by == "tmpfs" and (.evidence | test("16777216|16 ?M|16384 ?[kK]")) and (.evidence | test("500"))' \
    "and names its mechanism, bytes and files"
report_is '.end.reason == "exited"' "reaching it is the command's affair"
# shellcheck disable=SC2016 # meant for the shell inside
N --scratch-size 16M --scratch-inodes 500 -- sh -c 'i=0; while [ $i -lt 900 ]; do true >f$i || exit 7; i=$((i + 1)); done'
isnt "$STATUS" 0 "900 files do not fit into 500"
like "$ERR" 'No space left|cannot create' "it is ENOSPC too"

# --- Exactly so many.
for inodes in 1 10 500 5000; do
	N --scratch-inodes "$inodes" -- sh -c "$fill" - /work
	is "$STATUS $OUT" "0 $inodes" "--scratch-inodes $inodes: so many fit, and not one more"
done
N --scratch-inodes 60 -- sh -c "$fill" - /work /tmp /dev/shm
is "$OUT" 60 "all places share it"
N --scratch-inodes 60 --tmpfs /t --tmpfs /u/v -- sh -c "$fill" - /t /work /u/v /tmp
is "$OUT" 60 "--tmpfs too"
N --scratch-inodes 5 -- sh -c 'mkdir a && ln -s a b && mkfifo c && : >d && : >e && ! mkdir f && rm d && mkdir f && echo fits'
is "$(xargs <<<"$OUT")" fits "folders, links and pipes count, and what is removed makes room"
N --scratch-inodes 3 -- sh -c 'touch a && ln a b && ln b c && ! ln a d && echo full'
is "$OUT" full "a hard link counts as a file of its own"
for size in 4K 64K 1M 16M; do
	bytes=$((${size%[KM]} * ($([ "${size#*M}" = "$size" ] && echo 1 || echo 1024)) * 1024))
	N --scratch-size "$size" -- sh -c "$pour" - /work
	is "$OUT" "$bytes" "--scratch-size $size: $bytes bytes fit, and not one more"
done
# shellcheck disable=SC2016 # meant for the shell inside
N --scratch-size 1M --tmpfs /t -- sh -c 'for d in /work /tmp /dev/shm /t; do head -c 262144 /dev/zero >$d/f || exit 1; done; echo fits; echo >/t/g || echo full'
is "$(xargs <<<"$OUT")" "fits full" "all places share the bytes too"
N --scratch-size 1M -- sh -c 'head -c 1M /dev/zero >a && ! head -c 1 /dev/zero >b; rm a; head -c 1M /dev/zero >c && echo again'
is "$(xargs <<<"$OUT")" again "what is removed makes room"
N --scratch-size 1M -- df --output=size,avail -B1 /work
is "$(tail -1 <<<"$OUT" | xargs)" "1048576 1048576" "the command sees what it has"
N --scratch-inodes 500 -- df --output=iavail /work
is "$(tail -1 <<<"$OUT" | xargs)" 500 "and how many files"
N --scratch-size 1000 -- sh -c 'echo x >a && echo wrote'
is "$STATUS $OUT" '0 wrote' "a size that is no multiple of a page leaves a page"

# --- What nsbox itself puts there, or what is elsewhere, does not count.
echo content >"$T/source"
mkdir "$T/host"
many=()
for ((i = 0; i < 40; i++)); do
	many+=(--dir "/d/$i" --symlink x "/l/$i" --ro-bind "$T/source" "/b/$i" --file "$T/source" "/f/$i")
done
N --scratch-inodes 100 "${many[@]}" -- sh -c "$fill" - /work /tmp
is "$STATUS $OUT" '0 100' "folders, links, binds and files of options do not take from the quota"
N --scratch-size 64K "${many[@]}" -- sh -c "$pour" - /work
is "$OUT" 65536 "nor do their bytes"
head -c 300000 /dev/zero >"$T/large"
N --scratch-size 64K --file "$T/large" /f/large -- sh -c "wc -c </f/large; $pour" - /work
is "$(xargs <<<"$OUT")" '300000 65536' "a --file larger than the quota neither"
N --scratch-size 64K --scratch-inodes 9 --file "$T/large" /work/large -- sh -c "wc -c <large; $fill" - /tmp
is "$(xargs <<<"$OUT")" '300000 9' "nor one in the scratch"
N --scratch-size 64K --scratch-inodes 9 --file fd:3 /f/x -- sh -c "wc -c </f/x; $fill" - /work 3<"$T/large"
is "$(xargs <<<"$OUT")" '300000 9' "nor one from a descriptor"
N --scratch-inodes 9 --bind "$T/host" /host -- sh -c "$fill" - /host /work
is "$OUT" 19 "what is bound from the host is not the scratch"
is "$(find "$T/host" -type f | wc -l)" 10 "and was written there"
N --scratch-size 1M --scratch-inodes 9 --mask /masked -- sh -c ': >/masked/x; : >/new'
isnt "$STATUS" 0 "nothing else can be written"

# --- Without: the other kind, or none.
N --scratch-inodes 5 -- sh -c 'head -c 20M /dev/zero >a && stat -c %s a'
is "$OUT" 20971520 "a quota of files is none of bytes"
report_is "$quota" "and is in the report"
# shellcheck disable=SC2016 # meant for the shell inside
N --scratch-size 1M -- sh -c 'i=0; while [ $i -lt 2000 ]; do true >f$i || exit 7; i=$((i + 1)); done; echo $i'
is "$OUT" 2000 "a quota of bytes is none of files"
N -- true
report_is 'layer("scratch-quota") | .state == "skipped" and .asked == "no"' "without one the report says that none was asked for"
N -- df --output=size -B1 /work
ok "and there is room" [ "$(tail -1 <<<"$OUT")" -gt 67108864 ]

# --- With other options.
N --scratch-size 1M --mem 64M -- sh -c "$pour" - /tmp
is "$OUT" 1048576 "a quota below --mem"
N --scratch-size 200M --mem 32M -- sh -c "$pour; sleep 0.5" - /tmp
report_is '.end.reason == "memory-limit" or ([.limits[] | .hit] | any)' "a quota above --mem: memory is the limit"
# shellcheck disable=SC2016 # meant for the shell inside
N --scratch-size 1M --uid 0 --gid 0 -- sh -c 'mount -o remount,size=100M /tmp
	unshare -Urm sh -c "mount -o remount,size=100M /tmp; mount -o remount,size=100M,nr_inodes=0 /work; mount -t tmpfs none /work"
	head -c 2M /dev/zero >/tmp/f || echo full; head -c 2M /dev/zero >/work/f || echo full'
is "$(xargs <<<"$OUT")" 'full full' "what root inside can do, alone or in namespaces of its own, does not widen it"
for value in 0 -1 x '' 1X 1.5 99999999999999999999; do
	N --scratch-size "$value" -- touch "$T/ran"
	is "$STATUS" 125 "--scratch-size '$value' is refused"
	N --scratch-inodes "$value" -- touch "$T/ran"
	is "$STATUS" 125 "--scratch-inodes '$value' is refused"
done
N --scratch-size 1M --scratch-size 2M -- true
is "$STATUS" 125 "twice is refused"
N --scratch-size 1M --scratch-dir "$T/host" -- sh -c 'echo ran'
is "$STATUS $OUT" '125 ' "on disk nothing holds a quota: refused"
like "$ERR" 'scratch' "the message names it"
N --require scratch-quota -- sh -c 'echo ran'
is "$STATUS $OUT" '125 ' "--require scratch-quota without one is refused"

done_testing
