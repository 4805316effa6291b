# Real kernels with and without Landlock, and what distributions and administrators restrict on them: for each, which
# backend is chosen, what the report and --check say, and that the sandbox holds. The guest's tests are in
# guest/landlock.sh; what each kernel has to be is said here.
. "$NSBOX_SRCDIR/tests/vm/lib.sh" || exit 1

helpers=$NSBOX_BUILDDIR/tests/integration/helpers
vm_or_skip bash "$NSBOX_SRCDIR/tests/vm/get-apparmor"
vm_begin "$helpers/hostile=/nsbox/hostile" "$NSBOX_VM_CACHE/apparmor.policy=/nsbox/apparmor.policy"
# VERSION, the ABI that it has at least and at most, whether its AppArmor knows user namespaces, arguments of the kernel.
while read -r version least most apparmor arguments; do
	VM_BEFORE="export LEAST_ABI=$least MOST_ABI=$most APPARMOR=$apparmor"
	VM_OPTIONS=(-t 250 ${arguments:+-a "$arguments"})
	vm_start "$version" root tests/vm/guest/landlock.sh
	# Two at a time: each wants a processor of its own.
	[ $((++started % 2)) != 0 ] || vm_finish
done <<END
5.10 0 0 no
6.1 2 2 no
6.12 6 6 yes
7 10 99 yes
6.12 0 0 no lsm=capability
END
vm_finish

done_testing
