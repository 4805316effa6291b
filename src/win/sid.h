/*
 * The SID of an AppContainer, computed from its name as Windows does: what
 * Windows says is checked against it.
 */
#ifndef NSBOX_WIN_SID_H
#define NSBOX_WIN_SID_H

#include <stddef.h>
#include <stdint.h>

#define SID_PACKAGE_PREFIX "S-1-15-2-"

/* "S-1-15-2-..." for a name of ASCII characters; owned by the caller. */
char *sid_of_container(const char *name);

enum { SHA256_SIZE = 32 };
void sid_sha256(const void *bytes, size_t length, uint8_t digest[SHA256_SIZE]);

#endif
