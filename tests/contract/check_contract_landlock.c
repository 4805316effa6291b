/*
 * The contract, kept by the Landlock backend on this host.
 */
#include "contract/real_subject.h"
#include "landlock/backend_landlock.h"

int main(int argc, char **argv)
{
	return real_subject_main(argc, argv, &backend_landlock);
}
