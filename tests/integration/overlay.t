# Overlays: which layer is seen, where changes go, and that the layers never change.
. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

cd "$T" || exit 1
mkdir -p a b up work
echo a >a/both; echo a >a/only-a; echo b >b/both; echo b >b/only-b
N() {
	nsbox --ro /usr "$@"
}
layers() {
	find a b -printf '%y %m %s %T@ %p\n' | sort
}
before=$(layers)

N --overlay-src a --tmp-overlay /o -- cat /o/both
if [ "$STATUS" = 125 ] && [[ $ERR == *ENODEV* || $ERR == *EPERM* || $ERR == *EINVAL* ]]; then
	skip_all "this kernel or file system has no overlays for users: $ERR"
fi
is "$OUT" a "--tmp-overlay shows its layer"

# --ro-overlay
N --overlay-src a --overlay-src b --ro-overlay /o -- sh -c 'cat /o/both /o/only-a /o/only-b; echo x >/o/both; touch /o/new; rm /o/only-a'
is "$(xargs <<<"$OUT")" "b a b" "the first layer is at the bottom"
is "$(grep -c 'Read-only file system' <<<"$ERR")" 3 "--ro-overlay cannot be written"
report_is 'layer("read-only").state == "applied" and layer("root").state == "applied"' "the report says so"
N --overlay-src b --overlay-src a --ro-overlay /o -- cat /o/both
is "$OUT" a "the other way round, the other one is seen"
N --overlay-src a --ro-overlay /o -- true
status_is 125 "--ro-overlay of one layer is refused"
like "$ERR" '^nsbox: .*--ro-overlay' "the message names the option"

# --tmp-overlay
N --overlay-src a --overlay-src b --tmp-overlay /o -- sh -c 'echo new >/o/new; echo changed >/o/both; rm /o/only-a; cat /o/*'
is "$STATUS $(xargs <<<"$OUT")" "0 changed new b" "--tmp-overlay can be written"
is "$(layers)" "$before" "and the layers are as they were"
N --overlay-src a --overlay-src b --tmp-overlay /o -- sh -c 'cat /o/*'
is "$(xargs <<<"$OUT")" "b a b" "the changes are gone in the next run"
N --overlay-src a --tmp-overlay /o --overlay-src b --tmp-overlay /p -- sh -c 'echo x >/o/both; cat /p/both; ls -A /work /tmp'
is "$(xargs <<<"$OUT")" "b /tmp: /work:" "two overlays do not meet, nor is the scratch in them"

# --overlay
N --overlay-src a --overlay-src b --overlay up work /o -- sh -c 'echo new >/o/new; echo changed >/o/both; rm /o/only-a; cat /o/*'
is "$STATUS $(xargs <<<"$OUT")" "0 changed new b" "--overlay can be written"
is "$(cat up/new up/both | xargs)" "new changed" "changes go to the upper folder of the host"
is "$(layers)" "$before" "and the layers are as they were"
N --overlay-src a --overlay-src b --overlay up work /o -- sh -c 'cat /o/*'
is "$(xargs <<<"$OUT")" "changed new b" "and are seen in the next run"

# Names with the characters that the kernel's own list of layers uses
mkdir 'x:y' 'x,y' 'x\y'
for name in 'x:y' 'x,y' 'x\y'; do
	echo "$name" >"$name/name"
	N --overlay-src a --overlay-src "$name" --ro-overlay /o -- cat /o/name /o/only-a
	is "$OUT" "$name"$'\n'a "a layer can be named $name"
done

# Order and what is missing
refused() {
	local name=$1 pattern=$2
	shift 2
	N "$@" -- touch "$T/ran"
	is "$STATUS" 125 "$name"
	like "$ERR" "^nsbox: .*$pattern" "the message names it"
}
refused "an overlay without layers is refused" --tmp-overlay --tmp-overlay /o
refused "layers without an overlay are refused" --overlay-src --overlay-src a
refused "anything between layers and overlay is refused" --overlay-src --overlay-src a --dir /d --tmp-overlay /o
refused "a layer that does not exist is refused" no-such --overlay-src no-such --tmp-overlay /o
refused "an upper folder that does not exist is refused" no-such --overlay-src a --overlay no-such work /o
refused "a work folder that does not exist is refused" no-such --overlay-src a --overlay up no-such /o
refused "a layer that is a file is refused" both --overlay-src a/both --tmp-overlay /o
refused "an overlay over the root is refused" --tmp-overlay --overlay-src a --tmp-overlay /
refutes "nothing ran" test -e ran
done_testing
