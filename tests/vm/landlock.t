# Real kernels with and without Landlock, and what distributions and administrators restrict on them: for each, which
# backend is chosen, what the report and --check say, and that the sandbox holds. The guest's tests are in
# guest/landlock.sh; what each kernel has to be is said here.
. "$NSBOX_SRCDIR/tests/vm/lib.sh" || exit 1

helpers=$NSBOX_BUILDDIR/tests/integration/helpers
vm_begin "$helpers/hostile=/nsbox/hostile"
# VERSION, the ABI that it has at least and at most, arguments of the kernel.
while read -r version least most arguments; do
	VM_BEFORE="export LEAST_ABI=$least MOST_ABI=$most"
	VM_OPTIONS=(-t 250 ${arguments:+-a "$arguments"})
	vm_start "$version" root tests/vm/guest/landlock.sh
	# Two at a time: each wants a processor of its own.
	[ $((++started % 2)) != 0 ] || vm_finish
done <<END
5.10 0 0
6.1 2 2
6.12 6 6
7 10 99
6.12 0 0 lsm=capability
END
vm_finish

done_testing
