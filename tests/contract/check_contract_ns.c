/*
 * The contract, kept by the namespace backend on this host.
 */
#include "contract/real_subject.h"
#include "ns/backend_ns.h"

int main(int argc, char **argv)
{
	return real_subject_main(argc, argv, &backend_ns);
}
