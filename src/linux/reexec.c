/*
 * Runs from a sealed copy where that is needed (reexec.h).
 *
 * A script inside whose interpreter is "/proc/self/exe" is executed by the process that starts
 * it, which is nsbox: then a process inside, with a loader that the script's author chose, has the host's
 * nsbox as its own file, and may change its mode or content if it has the right to
 * (CVE-2019-5736). A file that belongs to somebody else needs no protection from us; one of our own
 * (root's, or one built at home) is copied into memory and sealed, and that copy runs.
 */
#include "linux/reexec.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U	/* Linux 6.3 */
#endif

enum { ALL_SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

/* How much of the file is ever loaded: what lies behind it (symbols) need not be copied. */
static size_t loaded_size(void)
{
	const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	size_t size = 0;

	for (unsigned long i = 0; header != NULL && i < getauxval(AT_PHNUM); i++) {
		size_t end = (size_t)header[i].p_offset + (size_t)header[i].p_filesz;

		if (header[i].p_type == PT_LOAD && end > size)
			size = end;
	}
	return size > 0 ? size : 1 << 30;
}

static int make_copy(int file)
{
	size_t left = loaded_size();
	int copy = memfd_create("nsbox", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
	ssize_t got = 0;

	if (copy < 0 && errno == EINVAL)
		copy = memfd_create("nsbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (copy < 0)
		return -1;
	while (left > 0 && (got = sendfile(copy, file, NULL, left)) > 0)
		left -= (size_t)got;
	if (got >= 0 && fcntl(copy, F_ADD_SEALS, ALL_SEALS) == 0)
		return copy;
	int error = errno;
	close(copy);
	errno = error;
	return -1;
}

int reexec_from_copy(char **argv, struct err *err)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const char *name = strrchr(argv[0], '/');
	struct stat status;
	int copy;

	/* Without /proc nothing runs at all; that is said later, and better. */
	if (file < 0)
		return 0;
	if (fstat(file, &status) < 0 || status.st_uid != geteuid() ||
	    fcntl(file, F_GET_SEALS) == ALL_SEALS) {
		close(file);
		prctl(PR_SET_NAME, name == NULL ? argv[0] : name + 1, 0, 0, 0);
		return 0;
	}
	copy = make_copy(file);
	close(file);
	if (copy >= 0)
		syscall(SYS_execveat, copy, "", argv, environ, AT_EMPTY_PATH);
	err_sys(err, ERR_REFUSED, errno, "cannot run from a copy in memory, which is needed since the "
	    "program's file is the caller's own");
	return err_hint(err, "install it so that it belongs to another user, or allow executable memfds "
	    "(sysctl vm.memfd_noexec)");
}
