# apt-get with a state of its own, for scripts that define `die MESSAGE [STATUS]` and make the folder $scratch: neither /etc/apt
# nor what the host knows of packages changes. Signatures are checked against Debian's archive keys.
keys=/usr/share/keyrings/debian-archive-keyring.gpg

# The first Debian archive among the host's own sources.
mirror() {
	if [ -n "${NSBOX_VM_MIRROR:-}" ]; then
		echo "$NSBOX_VM_MIRROR"
	else
		# shellcheck disable=SC2016 # apt expands it
		apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n '\,/debian/*$,{p;q}'
	fi
}

# private TOOL ARGUMENT...: one of apt's programs on the private state.
private() {
	local tool=$1
	shift
	"$tool" -qq -o Dir::Etc="$scratch/etc" -o Dir::Etc::SourceList="$scratch/etc/sources.list" \
	    -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$scratch/state" \
	    -o Dir::State::Status="$scratch/status" -o Dir::Cache="$scratch/cache" \
	    -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o Acquire::Languages=none \
	    -o APT::Sandbox::User="$(id -un)" -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false "$@"
}

# use_suite SUITE: reads the package lists of a suite of Debian.
use_suite() {
	local uri
	[ -r "$keys" ] || die "Debian's archive keys are not installed ($keys)" 77
	uri=$(mirror)
	[ -n "$uri" ] || die "this host's apt knows no Debian archive; name one in NSBOX_VM_MIRROR" 77
	rm -rf "${scratch:?}"/*
	mkdir -p "$scratch/etc/preferences.d" "$scratch/state/lists/partial" \
	    "$scratch/cache/archives/partial" "$scratch/deb"
	: >"$scratch/status"
	echo "deb [signed-by=$keys] $uri $1 main" >"$scratch/etc/sources.list"
	private apt-get update >&2 || die "cannot read $1 from the mirror"
}
