# Control groups of version 2 that are really given to an ordinary user, which the machines that run these tests
# seldom have: on two kernels, the guest's tests are in guest/cgroup.sh.
. "$NSBOX_SRCDIR/tests/vm/lib.sh" || exit 1

vm_begin
for kernel in 6.1 6.12; do
	vm_start "$kernel" root tests/vm/guest/cgroup.sh
done
vm_finish

done_testing
