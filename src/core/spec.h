/*
 * What was asked: plain data, in the order in which it was asked. A command
 * line fills a spec, spec_check completes and freezes it, backends only read
 * it. Nothing of the host is in it that was not written by the user, and
 * nothing in it points into argv: every string is the spec's own, so that the
 * command line can be wiped before the sandbox starts.
 */
#ifndef NSBOX_CORE_SPEC_H
#define NSBOX_CORE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/control.h"
#include "core/err.h"
#include "core/spec_bwrap.h"
#include "core/str.h"

/* One file system request. The comment says which members it uses. */
enum spec_fs_kind {
	SPEC_FS_BIND,		/* source dest same_place read_only devices optional */
	SPEC_FS_TMPFS,		/* dest */
	SPEC_FS_DIR,		/* dest */
	SPEC_FS_SYMLINK,	/* source (the text of the link) dest */
	SPEC_FS_FILE,		/* source (path or "fd:N") dest */
	SPEC_FS_OVERLAY,	/* layers dest, and source (upper) work for a writable one on the host */
	SPEC_FS_MASK,		/* dest */
	SPEC_FS_RUNTIME,	/* nothing: the host's shared runtime, found by looking */
	/* Of bubblewrap's command line only; so are the members fd, mode, has_mode and size. */
	SPEC_FS_PROC,		/* dest */
	SPEC_FS_DEV,		/* dest */
	SPEC_FS_MQUEUE,		/* dest */
	SPEC_FS_DATA,		/* fd dest mode read_only */
	SPEC_FS_REMOUNT_RO,	/* dest */
	SPEC_FS_CHMOD,		/* dest mode */
	SPEC_FS_KIND_COUNT
};

enum spec_overlay {
	SPEC_OVERLAY_NONE,
	SPEC_OVERLAY_RW,	/* --overlay: changes go to source */
	SPEC_OVERLAY_TMP,	/* --tmp-overlay: changes are gone afterwards */
	SPEC_OVERLAY_RO		/* --ro-overlay */
};

struct spec_fs {
	enum spec_fs_kind kind;
	enum spec_overlay overlay;
	const char *option;	/* the option as written ("--ro-bind"); static storage */
	char *source;		/* owned, NULL where unused */
	char *dest;		/* owned, normalized, absolute */
	char *work;		/* owned, NULL where unused */
	struct str_list layers;	/* lower layers, bottom first */
	bool same_place;	/* --ro, --rw: dest is source, and links on the way are recreated */
	bool read_only;
	bool devices;		/* device nodes below it work */
	bool optional;		/* skipped where source does not exist (the -try forms) */
	int fd;			/* -1: none */
	bool has_mode;		/* mode was asked for */
	unsigned mode;
	uint64_t size;		/* 0: none was asked for */
};

/* One change of the environment, in order. */
enum spec_env_kind {
	SPEC_ENV_SET,		/* name value */
	SPEC_ENV_PASS,		/* name: the caller's value, nothing where the caller has none */
	SPEC_ENV_UNSET,		/* name; of bubblewrap's command line only, as is the next */
	SPEC_ENV_CLEAR		/* nothing: everything so far */
};

struct spec_env {
	enum spec_env_kind kind;
	char *name;
	char *value;
};

/* Limits over all processes of the sandbox together; 0 where none was asked for. */
struct spec_limits {
	uint64_t wall_ns;
	uint64_t cpu_ns;
	uint64_t mem_bytes;
	uint64_t pids;		/* processes at a time, nsbox's own pid 1 not counted */
	uint64_t cpus_milli;	/* thousandths of one processor */
	uint64_t output_bytes;	/* standard output and standard error together */
	uint64_t output_each_bytes;
};

/* A resource limit of each process, setrlimit(2). */
struct spec_rlimit {
	char *name;		/* "nofile" */
	uint64_t soft, hard;	/* UINT64_MAX: unlimited */
};

enum spec_network {
	SPEC_NETWORK_NONE,
	SPEC_NETWORK_HOST
};

/* What was said about one control by --require or --allow-missing. */
struct spec_policy {
	enum want want;		/* after spec_check: what the backend has to do */
	bool required;		/* named by --require */
	bool may_miss;		/* named by --allow-missing */
};

struct spec {
	bool frozen;
	const enum want *defaults; /* of the system, core/defaults.h; NULL: defaults_linux */

	struct spec_fs *fs;
	size_t fs_count;

	bool keep_env;
	struct spec_env *env;
	size_t env_count;

	enum spec_network network;

	bool has_uid, has_gid;
	uint32_t uid, gid;
	char *hostname;		/* NULL: "nsbox" */
	char *chdir;		/* NULL: the scratch */
	struct str_list cap_add;

	struct spec_limits limits;
	struct spec_rlimit *rlimits;
	size_t rlimit_count;

	uint64_t scratch_bytes, scratch_inodes; /* quota of all writable places, 0: none */
	char *scratch_dir;	/* the scratch is a new folder below this one; NULL: in memory */
	char *scratch_use;	/* the scratch is this empty folder of the caller's; NULL: a new one */
	bool keep_scratch;

	char *backend;		/* NULL: auto */
	struct spec_policy policy[CONTROL_COUNT];
	bool allow_userns;	/* COMMAND may make user namespaces */
	bool new_session;	/* also where a terminal is shared */
	uint64_t grace_ns;	/* from the signal that asks for the end to SIGKILL; 0: 5 seconds */
	int *pass_fds;
	size_t pass_fds_count;

	char *id;		/* NULL: made up by the run */
	char *report;		/* path or "fd:N"; NULL: none */
	char *meta;		/* path of the key:value file; NULL: none */
	bool quiet;

	struct spec_bwrap *bwrap; /* owned; NULL: it was asked for by nsbox's own command line */

	char **command;		/* NULL-terminated; NULL where none was given */
	size_t command_count;
};

/* Makes an empty spec. */
void spec_init(struct spec *spec);
/* Frees everything; the spec may be initialised again. */
void spec_free(struct spec *spec);

/*
 * Adds a zeroed item and returns it; the pointer is valid until the next call.
 * `option` has static storage duration. Must not be called after spec_check.
 */
struct spec_fs *spec_add_fs(struct spec *spec, enum spec_fs_kind kind, const char *option);
/* Copies name (of `length` bytes) and value (NULL for SPEC_ENV_PASS). */
void spec_add_env(struct spec *spec, enum spec_env_kind kind, const char *name, size_t length,
    const char *value);
void spec_add_pass_fd(struct spec *spec, int fd);
void spec_add_rlimit(struct spec *spec, const char *name, size_t length, uint64_t soft, uint64_t hard);
void spec_add_word(struct spec *spec, const char *word);

/*
 * Fills in what was not said, refuses what contradicts itself (ERR_USAGE,
 * naming both options) and freezes the spec. Pure: asks nothing of the host.
 */
int spec_check(struct spec *spec, struct err *err);

/*
 * The canonical text of a frozen spec: the same words an --args file takes, one
 * option a line, fixed order, every value that was asked for and no default.
 * Equal specs give equal text, and reading the text gives an equal spec.
 */
void spec_dump(const struct spec *spec, struct str *text);

#endif
