/*
 * What passes between the supervisor and the child.
 *
 * The supervisor composes a list of steps before it clones; the child walks it. A step is
 * a function and its arguments, all made beforehand, so that child code needs system
 * calls only: it allocates nothing, formats nothing, reads no environment, takes no lock.
 * When a step fails the child sends the number of the step, the errno value and a detail;
 * the supervisor, which has the plan too, makes the sentence.
 *
 * Nothing that arrives here from the child is trusted further than its shape: what holds
 * is confirmed by the supervisor's own reading of /proc.
 */
#ifndef NSBOX_LINUX_STEP_H
#define NSBOX_LINUX_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/resource.h>
#include <sys/types.h>

struct bwrap_plan;
struct child;
struct step;

/* Child code. 0, or a negative errno value; may set child->detail before it fails. */
typedef int step_fn(struct child *child, const struct step *step);

/* Steps that belong to no request of the spec have this item. */
#define STEP_NO_ITEM SIZE_MAX

struct step {
	step_fn *run;
	const char *name;	/* end.stage in the report, "pivot-root"; static storage */
	const char *option;	/* the option as written, NULL where none asked for it */
	const char *source;	/* path on the host, or text of a link, or data */
	const char *dest;	/* path inside, or a second text */
	uint64_t flags;
	uint64_t device, inode;	/* what source has to be; 0, 0: not checked */
	int fd;			/* -1: none */
	size_t item;		/* index of the spec's request, or STEP_NO_ITEM */
	const struct step *extra; /* further layers of an overlay, `flags` of them; NULL: none */
};

/* Why a step failed, where errno alone would mislead. */
enum step_detail {
	DETAIL_NONE,
	DETAIL_SOURCE,		/* errno is about the source, not the destination */
	DETAIL_SOURCE_CHANGED,	/* the source is not the file that was looked at before the clone */
	DETAIL_ON_HOST,		/* a mount point would have to be made in a folder of the host */
	DETAIL_SYMLINK,		/* the destination is a symbolic link */
	DETAIL_TYPE,		/* a file in the place of a folder or the other way round */
	DETAIL_LAUNCHER_GONE,	/* the supervisor died */
	DETAIL_CLAIM,		/* the kernel says that it does this, and it was tried and does not */
	DETAIL_PARENTS,		/* errno is about the folders above the destination */
	DETAIL_MAKE,		/* errno is about making the destination */
	DETAIL_DATA,		/* errno is about what a descriptor holds */
	DETAIL_EXISTS,		/* something else is there; of a link, its text is in head */
	DETAIL_COUNT
};

/*
 * Ways that had to be taken since this kernel has no better one; bits of
 * record.fallbacks.
 */
enum step_fallback {
	FALLBACK_CLONE = 1 << 0,	/* no clone3 */
	FALLBACK_MOUNT = 1 << 1,	/* no fsopen, open_tree or move_mount: mount(2) */
	FALLBACK_SETATTR = 1 << 2,	/* no mount_setattr: one remount for each mount */
	FALLBACK_OPENAT2 = 1 << 3,	/* no openat2: components one by one */
	FALLBACK_CLOSE_RANGE = 1 << 4,	/* no close_range: one close for each descriptor */
	FALLBACK_CHROOT = 1 << 5,	/* the root is the initial ramfs: move and chroot */
	FALLBACK_PROC = 1 << 6		/* the host's /proc is masked: one with nothing but processes */
};

enum record_kind {
	RECORD_FAILED = 1,	/* step, error, detail: set-up failed; COMMAND never ran */
	RECORD_VIEW,		/* the view is built, nothing of it changes any more; fallbacks */
	RECORD_READY,		/* held at the barrier; candidate, fallbacks, death_signal */
	RECORD_EXECUTED,	/* COMMAND runs */
	RECORD_EXEC_FAILED,	/* error, candidate, and the first bytes of the file in head */
	RECORD_PROBED,		/* what was tried before and after enforcing, in head */
	RECORD_GATE,		/* with a descriptor: who is asked for every fork */
	RECORD_ENDING,		/* COMMAND has ended: no more forks, please */
	RECORD_STOPPED,		/* status: COMMAND was stopped, and all others with it */
	RECORD_MADE,		/* step, head: a path inside; device, inode, mount_namespace: made on the host */
	RECORD_ENDED		/* status, killed, usage */
};

enum { RECORD_HEAD_MAX = 1024 };

/*
 * One message on the socket between child and supervisor (SOCK_SEQPACKET: whole or not at
 * all).
 */
struct record {
	uint32_t kind;
	uint32_t step;
	int32_t error;
	uint32_t detail;
	uint32_t candidate;	/* which of plan->candidates COMMAND is */
	uint32_t fallbacks;
	int32_t death_signal;	/* what PR_GET_PDEATHSIG answered */
	int32_t status;		/* wait status of COMMAND */
	int32_t landlock_before, landlock_after; /* what a trial came to; both 0: there was none */
	int32_t nesting_error;	/* why a user namespace could not be made, 0: it was not tried */
	uint32_t nproc_counts;	/* RLIMIT_NPROC holds --pids by itself */
	uint32_t killed;	/* processes that had to be killed after COMMAND ended */
	int32_t pid, killer;	/* READY: who sends it, and who kills when init or the supervisor die; 0: nobody */
	uint32_t is_last;	/* no process is left besides init */
	uint32_t head_length;
	uint64_t user_us, system_us, peak_bytes, voluntary, involuntary;
	uint64_t device, inode, mount_namespace;
	unsigned char head[RECORD_HEAD_MAX];
};

/* The supervisor's answers: to RECORD_READY, and to RECORD_ENDING. */
enum { STEP_RELEASE = 'r', STEP_CLOSED = 'c' };

/* How init reaches every process of the sandbox, and no other one, with a signal. */
enum reach {
	REACH_NONE,		/* it does not */
	REACH_NAMESPACE,	/* kill(-1), as pid 1 of a pid namespace */
	REACH_SCOPE,		/* kill(-1), inside a Landlock domain that scopes signals (Linux 6.12) */
	REACH_CHILDREN		/* one by one, as the subreaper to which every orphan comes */
};

/* One file that COMMAND may be, in the order in which they are tried inside. */
struct candidate {
	const char *path;	/* as seen inside */
	bool if_dangling;	/* only where the candidate before it is a link that leads nowhere inside */
};

/* All that the child needs, composed before the clone. */
struct plan {
	const struct step *steps;
	size_t step_count;
	const struct step *inner; /* walked by the process that becomes COMMAND; failures count on from step_count */
	size_t inner_count;
	enum reach reach;
	pid_t outsider;		/* whose signals init hands on: the supervisor, 0 where it has no number inside */
	bool asks_for_end;	/* init waits for STEP_CLOSED before it ends what is left */
	const struct candidate *candidates;
	size_t candidate_count;
	char *const *argv;
	char *const *envp;
	char *env_block;	/* the storage of envp's strings, wiped by init once COMMAND runs */
	size_t env_block_size;
	const int *keep_fds;	/* ascending, all above 2; COMMAND gets them */
	size_t keep_count;
	uint64_t signal_mask;	/* COMMAND's; bit n-1 is signal n, the kernel's form */
	bool forbids_nesting;	/* the child tries whether a user namespace can be made */
	bool stops_with_command; /* the supervisor is told when COMMAND stops */
	unsigned file_mask;	/* COMMAND's umask */
	/* Child code: what follows the last step; does not return. NULL: init_main. */
	void (*finish)(struct child *child);
	const struct bwrap_plan *bwrap; /* what only bubblewrap's process model needs; NULL: not it */
	int socket;		/* the child's end */
};

/* The child's own state while it walks. */
struct child {
	const struct plan *plan;
	uint64_t namespaces;	/* the CLONE_NEW* that it was started with */
	int proc;		/* the host's /proc (O_PATH), until descriptors are closed */
	int base;		/* the hidden tmpfs that holds the root and the scratch */
	int root;		/* the new root's mount */
	uint64_t base_device;
	int socket;
	enum step_detail detail;
	uint32_t fallbacks;
	uint32_t candidate;
	bool nproc_counts;	/* see rlimits.h */
	bool has_nproc;		/* COMMAND sets nproc for itself */
	struct rlimit nproc;
	pid_t killer;		/* see record.killer */
	int landlock_before, landlock_after; /* see record */
	int held[2];		/* descriptors beside the socket that init keeps; -1: none */
	uint32_t made;		/* numbers the folders made on the hidden tmpfs */
	size_t step;		/* the one that is walked */
	/* How places are made: also in folders of the host, and then told to the supervisor. */
	bool makes_on_host, tells_made;
	unsigned folder_mode, file_mode;
	uint32_t path_length;	/* of COMMAND's real path, which path holds from then on */
	char *path;		/* scratch memory of one path, PATH_MAX bytes */
};

#endif
