/*
 * The host's shared runtime, by looking (runtime.h).
 *
 * Only what belongs to every user is named: no private keys, no accounts, no host
 * configuration beyond what the loader, the alternatives system, TLS libraries and the
 * clock read.
 */
#include "linux/runtime.h"

#include <stddef.h>

#include <fcntl.h>
#include <sys/stat.h>

static const char *const shared[] = {
	/* programs and libraries: merged /usr has links here, split /usr has folders */
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	/* NixOS and Guix: the store, and the profile that the system's PATH leads to */
	"/nix/store", "/gnu/store", "/run/current-system", "/etc/static",
	/* the loader */
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld-musl-x86_64.path",
	"/etc/ld-musl-aarch64.path", "/etc/ld-musl-riscv64.path",
	/* links from /usr/bin go through here */
	"/etc/alternatives",
	/*
	 * certificates of authorities, where Debian, Fedora, Arch, SUSE and Alpine keep
	 * them; not the private keys
	 */
	"/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/openssl.cnf",
	"/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf",
	"/etc/pki/ca-trust/extracted", "/etc/ca-certificates/extracted", "/etc/ca-certificates.conf",
	"/etc/crypto-policies/back-ends", "/var/lib/ca-certificates",
	/* the time zone */
	"/etc/localtime", "/etc/timezone",
};

void runtime_paths(int root, struct str_list *paths)
{
	struct stat status;

	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		const char *path = root < 0 ? shared[i] : shared[i] + 1;

		if (fstatat(root < 0 ? AT_FDCWD : root, path, &status, AT_SYMLINK_NOFOLLOW) == 0)
			str_list_add(paths, shared[i]);
	}
}
