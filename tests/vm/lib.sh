# Helpers for the tests that need another kernel. A test file starts with
#
#	. "$NSBOX_SRCDIR/tests/vm/lib.sh" || exit 1
#	vm_begin PROGRAM ...		beside those of vm_programs
#
# and ends with done_testing. What runs inside is a file for bash that prints TAP; it may use all of
# tests/integration/lib.sh, and so may be one of the integration tests.
#
#	vm_begin [PROGRAM ...]		makes the root folder; skips the file where something is missing
#	vm_start VERSION USER FILE	boots the kernel of that line (tests/vm/get-kernels) in the background and runs FILE,
#					a path in the source tree, as root or as user
#	vm_finish			waits for all that were started; their tests become tests of this file
#	vm_run VERSION USER FILE	both
# Variables for vm_start:
#	VM_BEFORE	text for sh that root runs before FILE, e.g. to set something by sysctl
#	VM_OPTIONS	an array of options for tests/vm/boot
# Environment:
#	NSBOX_VM_CACHE	where kernels are kept; build/vm where it is not set

. "$NSBOX_SRCDIR/tests/integration/lib.sh" || exit 1

VM_BEFORE=''
VM_OPTIONS=(-t 150)
vm_count=0
: "${NSBOX_VM_CACHE:=$NSBOX_BUILDDIR/vm}"
export NSBOX_VM_CACHE

vm_programs=(bash basename cat chmod chown cp cut date dd dirname echo env expr find grep head id jq kill ln ls mkdir mkfifo
	mktemp mount mv od printf ps readlink realpath rm rmdir sed seq setpriv setsid sh sleep sort stat stty sync tail tee
	timeout touch tr true false umount uname uniq unshare wc xargs yes awk pgrep pkill)

# vm_or_skip COMMAND ...: what it says about status 77 is the reason to skip the file.
vm_or_skip() {
	local text status=0
	text=$("$@" 2>&1) || status=$?
	[ "$status" != 77 ] || skip_all "${text##*: }"
	if [ "$status" != 0 ]; then
		not_ok "$1" "$text"
		done_testing
		exit 1
	fi
}

vm_begin() {
	[ "$(uname -m)" = x86_64 ] || skip_all "the kernels of the virtual machines are for x86-64"
	[ -n "$(type -P qemu-system-x86_64)" ] || skip_all "qemu-system-x86_64 is not installed"
	# All of nsbox in one file, since the guest has no libraries but those of its programs.
	if ! make -s -C "$NSBOX_BUILDDIR" tests/vm/nsbox-static >"$T/make" 2>&1; then
		skip_all "nsbox cannot be linked statically here"
	fi
	vm_or_skip bash "$NSBOX_SRCDIR/tests/vm/make-root" "$T/root.cpio" "${vm_programs[@]}" "$@" \
	    "$NSBOX_BUILDDIR/tests/vm/nsbox-static=/nsbox/nsbox" \
	    "$NSBOX_SRCDIR/tests=/nsbox/tests"
}

# vm_command USER FILE: what the guest runs. Who is not root gets what tests/run gives.
vm_command() {
	local prefix=''
	[ "$1" = root ] ||
		prefix='setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all env HOME=/home/user'
	cat <<END
chown -R 1000:1000 /home/user
export NSBOX=/nsbox/nsbox NSBOX_SRCDIR=/nsbox NSBOX_BUILDDIR=/nsbox TMPDIR=/var/tmp NSBOX_MUST_WORK=${NSBOX_MUST_WORK:-0}
$VM_BEFORE
cd /var/tmp
exec $prefix bash /nsbox/$2
END
}

vm_start() {
	local machine=$T/machine.$((++vm_count))
	vm_or_skip bash "$NSBOX_SRCDIR/tests/vm/get-kernels" "$1"
	mkdir "$machine"
	echo "$3" >"$machine/file"
	echo "Linux $1, $2" >"$machine/label"
	(
		TMPDIR=$machine bash "$NSBOX_SRCDIR/tests/vm/boot" "${VM_OPTIONS[@]}" \
		    "$NSBOX_VM_CACHE/vmlinuz-$1" "$T/root.cpio" "$(vm_command "$2" "$3")" \
		    >"$machine/out" 2>"$machine/err"
		echo $? >"$machine/status"
	) &
}

# vm_report FOLDER: what one machine has said.
vm_report() {
	local line planned='' seen=0 status label file
	label=$(<"$1/label") file=$(<"$1/file") status=$(cat "$1/status" 2>/dev/null)
	while IFS= read -r line; do
		if [[ $line =~ ^((not )?ok)\ [0-9]+\ -\ (.*)$ ]]; then
			echo "${BASH_REMATCH[1]} $((++tests)) - $label: ${BASH_REMATCH[3]}"
			seen=$((seen + 1))
		elif [[ $line =~ ^1\.\.([0-9]+)(.*)$ ]]; then
			planned=${BASH_REMATCH[1]}
			[ "$planned" != 0 ] || skip "$label: $file" "${BASH_REMATCH[2]#*SKIP }"
		elif [ -n "$line" ]; then
			printf '%s\n' "$line"
		fi
	done <"$1/out"
	if [ "$status" = 0 ] && [ "$planned" = "$seen" ]; then
		pass "$label: $file ran to its end"
	else
		not_ok "$label: $file ran to its end" \
		    "status ${status:-unknown}, planned ${planned:-nothing}, ran $seen" "$(cat "$1/err")"
	fi
}

vm_finish() {
	local machine
	wait
	for machine in "$T"/machine.*; do
		[ ! -d "$machine" ] || vm_report "$machine"
		rm -rf "$machine"
	done
}

vm_run() {
	vm_start "$@"
	vm_finish
}
