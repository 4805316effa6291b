/*
 * The contract on this host, with real commands (real_subject.h).
 */
#include "contract/real_subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "contract/contract.h"
#include "core/host.h"

/* A file that may be executed and that no kernel knows how to; made by main. */
static char junk[4096];

/* --ro PATH: what every backend can express. */
static void show(struct spec *spec, const char *path)
{
	struct spec_fs *fs = spec_add_fs(spec, SPEC_FS_BIND, "--ro");

	fs->source = xstrdup(path);
	fs->dest = xstrdup(path);
	fs->read_only = true;
	fs->same_place = true;
}

static void exits(struct spec *spec, int status)
{
	char *script = xasprintf("exit %d", status);

	show(spec, "/usr");
	spec_add_word(spec, "sh");
	spec_add_word(spec, "-c");
	spec_add_word(spec, script);
	free(script);
}

static void kills_itself(struct spec *spec)
{
	show(spec, "/usr");
	spec_add_word(spec, "sh");
	spec_add_word(spec, "-c");
	spec_add_word(spec, "kill -9 $$");
}

static void is_missing(struct spec *spec)
{
	show(spec, "/usr");
	spec_add_word(spec, "/no/such/command");
}

static void is_no_program(struct spec *spec)
{
	show(spec, junk);
	spec_add_word(spec, junk);
}

static int make_junk(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	snprintf(junk, sizeof(junk), "%s/nsbox-contract.XXXXXX", folder ? folder : "/tmp");
	fd = mkstemp(junk);
	if (fd < 0)
		return -1;
	if (write(fd, "\1\2\3\4 junk\n", 10) != 10 || fchmod(fd, 0755) != 0) {
		close(fd);
		return -1;
	}
	return close(fd);
}

int real_subject_main(int argc, char **argv, const struct backend *backend)
{
	const struct contract_subject subject = {
		.backend = backend,
		.exits = exits,
		.kills_itself = kills_itself,
		.is_missing = is_missing,
		.is_no_program = is_no_program,
	};
	struct err err = ERR_INIT;
	int status;

	if (make_junk() != 0) {
		perror(junk);
		return EXIT_FAILURE;
	}
	/* The environment counts as cleared only where nothing of the caller's is left. */
	if (host.forget(argc, argv, "contract", &err) < 0)
		return EXIT_FAILURE;
	status = contract_main(&subject);
	unlink(junk);
	return status;
}
