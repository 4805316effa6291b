/*
 * Turns what bubblewrap's command line asked for into the list of steps that the child
 * walks: operations on the file system strictly in the order in which they were written,
 * everything else where bubblewrap does it.
 */
#include "ns/bwrap_run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "ns/mounts.h"

static struct step *add(struct run *run, step_fn *function, const char *name)
{
	return steps_add(&run->steps, function, name);
}

static const char *keep(struct run *run, char *text)
{
	str_list_take(&run->texts, text);
	return text;
}

/* The modes of what a request makes, and of the folders above it. */
static uint64_t modes_of(const struct spec_fs *fs)
{
	unsigned mode = fs->mode, parent = 0755;
	bool counts = fs->has_mode || fs->kind == SPEC_FS_DATA;

	/* Whoever keeps others out of it keeps them out of what leads there. */
	if (counts && !(mode & 0070))
		parent &= ~0050u;
	if (counts && !(mode & 0007))
		parent &= ~0005u;
	return (uint64_t)mode << BWRAP_MODE_SHIFT | (uint64_t)parent << BWRAP_PARENT_SHIFT;
}

/* The path inside: from the root, without what ends it needlessly. */
static const char *inside(struct run *run, const char *dest)
{
	size_t length = strlen(dest);

	while (length > 1 && dest[length - 1] == '/')
		length--;
	return keep(run, xasprintf("%s%.*s", dest[0] == '/' ? "" : "/", (int)length, dest));
}

/*
 * What a descriptor stands for is bound by its path, since a descriptor of the caller's mount
 * namespace cannot be copied in another; then it has to be the same file.
 */
static void add_descriptor_source(struct run *run, const struct spec_fs *fs, struct step *step)
{
	char *name = xasprintf("/proc/self/fd/%d", fs->fd);
	char path[PATH_MAX];
	ssize_t length = readlink(name, path, sizeof(path) - 1);
	struct stat status;

	if (length < 0 || fstat(fs->fd, &status) < 0) {
		step->source = keep(run, name);
		return;
	}
	free(name);
	step->source = keep(run, xstrndup(path, (size_t)length));
	step->device = (uint64_t)status.st_dev;
	step->inode = (uint64_t)status.st_ino;
}

static bool is_whole_root(const struct run *run, size_t index)
{
	const char *path = run->sources[index].path;

	return run->spec->fs[index].kind == SPEC_FS_BIND && path != NULL && path[1] == '\0';
}

static void add_bind(struct run *run, const struct spec_fs *fs, struct step *step, size_t *early)
{
	step->flags |= (fs->read_only ? MOUNT_READ_ONLY : 0) | (fs->devices ? MOUNT_DEVICES : 0) |
	    (fs->optional ? MOUNT_OPTIONAL : 0);
	if (fs->fd >= 0) {
		add_descriptor_source(run, fs, step);
		return;
	}
	/*
	 * Without links: one that says ".." would lead to what is mounted on the root, where that is what the
	 * hidden tmpfs covers. What is only a link by name (/proc/self/ns/user) is opened as written.
	 */
	step->source = run->sources[step->item].path != NULL ? run->sources[step->item].path : fs->source;
	if (is_whole_root(run, step->item) && *early < run->early_count)
		step->inode = ++*early;
}

static const char *without_links(struct run *run, const char *path)
{
	char *real = realpath(path, NULL);

	return real == NULL ? path : keep(run, real);
}

static void add_layers(struct run *run, const struct spec_fs *fs, struct step *step)
{
	size_t count = fs->layers.count + (fs->overlay == SPEC_OVERLAY_RW ? 2 : 0);

	step->flags = (uint64_t)fs->overlay | (uint64_t)fs->layers.count << OVERLAY_LAYERS_SHIFT;
	step->inode = run->layer_count;
	run->layers = xreallocarray(run->layers, run->layer_count + count, sizeof(*run->layers));
	memset(run->layers + run->layer_count, 0, count * sizeof(*run->layers));
	for (size_t i = 0; i < fs->layers.count; i++)
		run->layers[run->layer_count++].source = without_links(run, fs->layers.items[i]);
	if (fs->overlay == SPEC_OVERLAY_RW) {
		run->layers[run->layer_count++].source = without_links(run, fs->source);
		run->layers[run->layer_count++].source = without_links(run, fs->work);
	}
}

static void add_request(struct run *run, size_t index, size_t *early)
{
	static step_fn *const functions[SPEC_FS_KIND_COUNT] = {
		[SPEC_FS_BIND] = bwrap_step_bind, [SPEC_FS_TMPFS] = bwrap_step_tmpfs,
		[SPEC_FS_DIR] = bwrap_step_directory, [SPEC_FS_SYMLINK] = bwrap_step_symlink,
		[SPEC_FS_FILE] = bwrap_step_file, [SPEC_FS_OVERLAY] = bwrap_step_overlay,
		[SPEC_FS_PROC] = bwrap_step_proc, [SPEC_FS_DEV] = bwrap_step_dev,
		[SPEC_FS_MQUEUE] = bwrap_step_mqueue, [SPEC_FS_DATA] = bwrap_step_data,
		[SPEC_FS_REMOUNT_RO] = bwrap_step_remount, [SPEC_FS_CHMOD] = bwrap_step_chmod,
	};
	const struct spec_fs *fs = &run->spec->fs[index];
	struct step *step = add(run, functions[fs->kind], "view");

	step->option = fs->option;
	step->item = index;
	step->dest = inside(run, fs->dest);
	step->flags = modes_of(fs);
	step->fd = fs->fd;
	if (fs->kind == SPEC_FS_BIND)
		add_bind(run, fs, step, early);
	else if (fs->kind == SPEC_FS_OVERLAY)
		add_layers(run, fs, step);
	else if (fs->kind == SPEC_FS_SYMLINK)
		step->source = fs->source;
	else if (fs->kind == SPEC_FS_DATA)
		step->flags |= fs->read_only ? MOUNT_READ_ONLY : 0;
	else if (fs->kind == SPEC_FS_PROC)
		step->device = (run->namespaces & CLONE_NEWPID) || run->bwrap->fds[SPEC_FD_PIDNS] >= 0;
	else if (fs->kind == SPEC_FS_DEV && (step->source = terminal_name()) != NULL)
		keep(run, (char *)(uintptr_t)step->source);
	else if (fs->kind == SPEC_FS_TMPFS && fs->size > 0)
		step->source = keep(run, xasprintf("mode=%#o,size=%" PRIu64, fs->mode, fs->size));
	else if (fs->kind == SPEC_FS_TMPFS)
		step->source = keep(run, xasprintf("mode=%#o", fs->mode));
}

/*
 * Whole roots of the host are copied before the hidden tmpfs lies in them. A source that could not
 * be found is looked for before anything is made for the requests in front of it.
 */
static void add_early(struct run *run)
{
	for (size_t i = 0; i < run->spec->fs_count; i++) {
		const struct spec_fs *fs = &run->spec->fs[i];
		int error = run->sources[i].error;
		struct step *step;

		if (is_whole_root(run, i) && run->early_count < BWRAP_EARLY_MAX) {
			step = add(run, bwrap_step_early, "early");
			step->source = "/";
			step->flags = run->early_count++;
		} else if (error != 0 && !(fs->optional && error == ENOENT)) {
			step = add(run, bwrap_step_find, "view");
			step->source = fs->source;
			step->item = i;
		}
	}
}

static void add_identity(struct run *run)
{
	bool is_mapped = (run->namespaces & CLONE_NEWUSER) && run->bwrap->fds[SPEC_FD_USERNS_BLOCK] < 0;
	struct step *step;

	/* Its first word, when it is asked, tells the supervisor the child's number (bwrap_join.c). */
	if (run->bwrap->fds[SPEC_FD_PIDNS] >= 0 && (run->namespaces & CLONE_NEWPID)) {
		add(run, bwrap_step_hold, "hold");
		add(run, child_step_view, "view-built");
	}
	if (run->is_held)
		add(run, bwrap_step_hold, "hold");
	if (run->bwrap->die_with_parent)
		add(run, bwrap_step_death, "death-signal");
	if (is_mapped) {
		snprintf(run->uid_map, sizeof(run->uid_map), "%u %u 1\n", run->uid, (unsigned)geteuid());
		snprintf(run->gid_map, sizeof(run->gid_map), "%u %u 1\n", run->gid, (unsigned)getegid());
		step = add(run, child_step_ids, "ids");
		step->source = run->uid_map;
		step->dest = run->gid_map;
		step->flags = (uint64_t)run->uid << 32 | run->gid;
	} else if ((run->namespaces & CLONE_NEWUSER) || run->bwrap->fds[SPEC_FD_USERNS] >= 0) {
		add(run, bwrap_step_user, "user")->flags = (uint64_t)run->uid << 32 | run->gid;
	}
	if (!(run->namespaces & CLONE_NEWUSER))
		add(run, bwrap_step_private, "private");
}

static void add_root(struct run *run)
{
	size_t early = 0;
	struct step *step;

	if (run->bwrap->old_open || run->bwrap->old_attributes)
		add(run, bwrap_step_old_ways, "early")->flags =
		    (run->bwrap->old_open ? FALLBACK_OPENAT2 : 0) |
		    (run->bwrap->old_attributes ? FALLBACK_SETATTR : 0);
	if (run->namespaces & CLONE_NEWNET)
		add(run, net_step_loopback, "loopback");
	bwrap_find_sources(run);
	run->own.cover = bwrap_choose_cover(run);
	add_early(run);
	step = add(run, root_step_create, "root");
	step->dest = run->own.cover;
	for (size_t i = 0; i < run->spec->fs_count; i++)
		add_request(run, i, &early);
	if (run->spec->hostname != NULL)
		add(run, net_step_hostname, "hostname")->source = run->spec->hostname;
	add(run, root_step_pivot, "pivot-root")->flags = run->own.cover[1] == '\0' ? 2 : 1;
}

static void add_users(struct run *run)
{
	const struct spec_bwrap *bwrap = run->bwrap;
	struct step *step;

	if (bwrap->disable_userns) {
		snprintf(run->lower_uid_map, sizeof(run->lower_uid_map), "%u %u 1\n", run->uid, run->uid);
		snprintf(run->lower_gid_map, sizeof(run->lower_gid_map), "%u %u 1\n", run->gid, run->gid);
		step = add(run, bwrap_step_limit_users, "limit-users");
		step->source = run->lower_uid_map;
		step->dest = run->lower_gid_map;
	}
	if (bwrap->fds[SPEC_FD_USERNS2] >= 0)
		add(run, bwrap_step_join, "join-user")->fd = bwrap->fds[SPEC_FD_USERNS2];
	if (bwrap->assert_userns_disabled || bwrap->disable_userns)
		add(run, bwrap_step_assert_users, "assert-users");
}

static void add_process(struct run *run)
{
	const struct spec_bwrap *bwrap = run->bwrap;

	add(run, bwrap_step_close, "close")->fd = bwrap->fds[SPEC_FD_INFO];
	if (bwrap->fds[SPEC_FD_STATUS] >= 0)
		add(run, bwrap_step_close, "close")->fd = bwrap->fds[SPEC_FD_STATUS];
	add(run, child_step_no_new_privs, "no-new-privs");
	if (run->is_bounded)
		add(run, bwrap_step_bound, "capabilities")->flags = run->caps;
	if (!run->keeps_caps)
		add(run, child_step_capabilities, "capabilities")->flags = run->caps;
	if (bwrap->fds[SPEC_FD_BLOCK] >= 0)
		add(run, bwrap_step_block, "block")->fd = bwrap->fds[SPEC_FD_BLOCK];
	if (bwrap->fds[SPEC_FD_SECCOMP] >= 0)
		add(run, bwrap_step_program, "program")->fd = bwrap->fds[SPEC_FD_SECCOMP];
	add(run, bwrap_step_folder, "folder")->dest = run->spec->chdir;
	if (run->spec->new_session)
		add(run, child_step_session, "session");
	for (size_t i = 0; i < bwrap->lock_files.count; i++)
		add(run, bwrap_step_lock, "lock")->source = bwrap->lock_files.items[i];
	if (bwrap->die_with_parent)
		add(run, bwrap_step_death, "death-signal");
	add(run, bwrap_step_start, "start");
}

static void take_filters(struct run *run)
{
	const struct spec_bwrap *bwrap = run->bwrap;

	run->own.filters = xcalloc(bwrap->program_count + 1, sizeof(*run->own.filters));
	for (size_t i = 0; i < bwrap->program_count; i++)
		run->own.filters[run->own.filter_count++] = (struct bwrap_filter){
			bwrap->programs[i].bytes, bwrap->programs[i].length,
		};
	if (bwrap->fds[SPEC_FD_SECCOMP] >= 0)
		run->own.filter_room = xcalloc(1, BWRAP_PROGRAM_MAX + 1);
}

/* What belongs to us is not COMMAND's. */
static void hide_descriptors(struct run *run)
{
	const struct spec_bwrap *bwrap = run->bwrap;

	for (size_t i = 0; i < SPEC_FD_COUNT; i++) {
		if (bwrap->fds[i] > 2)
			fcntl(bwrap->fds[i], F_SETFD, FD_CLOEXEC);
	}
	for (size_t i = 0; i < run->spec->fs_count; i++) {
		if (run->spec->fs[i].fd > 2)
			fcntl(run->spec->fs[i].fd, F_SETFD, FD_CLOEXEC);
	}
	run->own.keep_fds = xcalloc(bwrap->sync_count + bwrap->lock_files.count + 1, sizeof(int));
	for (size_t i = 0; i < bwrap->sync_count; i++) {
		if (!bwrap->as_pid_1)
			fcntl(bwrap->sync_fds[i], F_SETFD, FD_CLOEXEC);
		run->own.keep_fds[i] = bwrap->sync_fds[i];
	}
}

int bwrap_plan_build(struct run *run, struct err *err)
{
	const struct spec_bwrap *bwrap = run->bwrap;
	struct plan *plan = &run->plan;
	mode_t mask = umask(0);

	umask(mask);
	for (size_t i = 0; i < run->spec->fs_count; i++) {
		if (run->spec->fs[i].layers.count > OVERLAY_LAYERS_MAX)
			return err_set(err, ERR_USAGE, "%s: more than %d layers", run->spec->fs[i].option,
			    OVERLAY_LAYERS_MAX);
	}
	run->is_held = bwrap->fds[SPEC_FD_INFO] >= 0 || bwrap->fds[SPEC_FD_STATUS] >= 0;
	run->own.has_init = !bwrap->as_pid_1 && ((run->namespaces & CLONE_NEWPID) ||
	    bwrap->lock_files.count > 0 || bwrap->sync_count > 0);
	run->own.dies_with_parent = bwrap->die_with_parent;
	take_filters(run);
	hide_descriptors(run);
	add_identity(run);
	add_root(run);
	add_users(run);
	add_process(run);
	for (size_t i = 0; i < run->steps.count; i++) {
		struct step *step = &run->steps.items[i];

		if (step->run == bwrap_step_overlay) {
			step->extra = run->layers + step->inode;
			step->inode = 0;
		}
	}
	plan->steps = run->steps.items;
	plan->step_count = run->steps.count;
	plan->envp = run->environment.variables;
	plan->env_block = run->environment.block;
	plan->env_block_size = run->environment.block_size;
	plan->keep_fds = run->own.keep_fds;
	plan->keep_count = bwrap->sync_count;
	run->own.keep_count = &run->plan.keep_count;
	plan->file_mask = mask;
	plan->finish = bwrap_finish;
	plan->bwrap = &run->own;
	plan->socket = -1;
	return 0;
}
