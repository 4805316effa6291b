/*
 * Turns a spec into the list of steps that the child walks. The order matters: ids before
 * anything that makes a file, the standard places before what the user asked for, the
 * root read-only when nothing more is made in it, capabilities last of what needs them.
 */
#include "ns/run.h"

#include <stdio.h>

#include <linux/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/child.h"
#include "linux/rlimits.h"
#include "ns/cover.h"
#include "ns/mounts.h"

static struct step *add_step(struct run *run, step_fn *function, const char *name)
{
	return steps_add(&run->steps, function, name);
}

/*
 * What mountinfo has to show at a place, and what is to be made of it where flags are set
 * mount by mount.
 */
static void add_row(struct run *run, const char *dest, uint64_t flags, size_t item)
{
	struct step *row = steps_add(&run->rows, NULL, NULL);

	row->dest = dest;
	row->flags = flags;
	row->item = item;
}

static void set_source(struct step *step, const struct view_source *source)
{
	step->source = source->path;
	step->device = (uint64_t)source->device;
	step->inode = (uint64_t)source->inode;
}

static void add_scratch(struct run *run, const char *name, const char *dest, unsigned mode)
{
	struct step *step = add_step(run, root_step_scratch, "scratch");

	step->source = name;
	step->dest = dest;
	step->flags = (uint64_t)mode << 16;
	add_row(run, dest, 0, STEP_NO_ITEM);
}

/* A writable place that is a folder of the host: of the disk scratch, or the caller's own. */
static void add_host_scratch(struct run *run, const struct view_source *source, const char *dest)
{
	struct step *step = add_step(run, mount_step_bind, "scratch");

	set_source(step, source);
	step->dest = dest;
	add_row(run, dest, 0, STEP_NO_ITEM);
}

static void add_scratches(struct run *run)
{
	static const struct {
		const char *name, *dest;
		unsigned mode;
	} places[SCRATCH_PLACES] = {
		{ "work", "/work", 0700 }, { "tmp", "/tmp", 01777 }, { "shm", "/dev/shm", 01777 },
	};

	for (size_t i = 0; i < SCRATCH_PLACES; i++) {
		if (i == 2 && run->view.has_dev)
			continue;
		if (run->host_scratch[i].path != NULL)
			add_host_scratch(run, &run->host_scratch[i], places[i].dest);
		else
			add_scratch(run, places[i].name, places[i].dest, places[i].mode);
	}
}

/*
 * Whether the files of procfs that are the host's kernel are ours: as the host's root, also where a user
 * namespace shows that by another number.
 */
static bool owns_kernel_files(void)
{
	struct stat status;

	return lstat("/proc/sys", &status) < 0 || status.st_uid == geteuid();
}

static void add_standard_places(struct run *run)
{
	add_step(run, proc_step_create, "proc")->flags = owns_kernel_files() ? MOUNT_READ_ONLY : 0;
	add_row(run, "/proc", MOUNT_NO_EXEC | MOUNT_COVERS, STEP_NO_ITEM);
	if (!run->view.has_dev) {
		add_step(run, dev_step_create, "dev")->source = run->console;
		add_row(run, "/dev", MOUNT_READ_ONLY | MOUNT_DEVICES | MOUNT_NO_EXEC |
		    MOUNT_FOLDER_OF_MOUNTS, STEP_NO_ITEM);
		add_row(run, "/dev/pts", MOUNT_DEVICES | MOUNT_NO_EXEC, STEP_NO_ITEM);
	}
	add_scratches(run);
}

/*
 * The layers of an overlay go to a list of their own; their place in it is made a pointer
 * at the end.
 */
static void add_layers(struct run *run, const struct view_item *item, struct step *step)
{
	step->flags = (uint64_t)item->overlay | (uint64_t)item->layer_count << OVERLAY_LAYERS_SHIFT;
	step->inode = run->layers.count;
	for (size_t i = 0; i < item->layer_count; i++)
		set_source(steps_add(&run->layers, NULL, NULL), &item->layers[i]);
	if (item->overlay == SPEC_OVERLAY_RW) {
		set_source(steps_add(&run->layers, NULL, NULL), &item->source);
		set_source(steps_add(&run->layers, NULL, NULL), &item->work);
	}
	add_row(run, item->dest, item->overlay == SPEC_OVERLAY_RO ? MOUNT_READ_ONLY : 0, item->item);
}

static void add_bind(struct run *run, const struct view_item *item, struct step *step)
{
	uint64_t flags = 0;

	flags |= item->read_only ? MOUNT_READ_ONLY : 0;
	flags |= item->devices ? MOUNT_DEVICES : 0;
	add_row(run, item->dest, flags, item->item);
	set_source(step, &item->source);
	step->flags = flags | (item->source.is_folder ? 0 : MOUNT_FILE);
}

static void add_item(struct run *run, const struct view_item *item)
{
	static step_fn *const functions[] = {
		[SPEC_FS_BIND] = mount_step_bind,
		[SPEC_FS_TMPFS] = mount_step_tmpfs,
		[SPEC_FS_DIR] = file_step_directory,
		[SPEC_FS_SYMLINK] = file_step_symlink,
		[SPEC_FS_FILE] = file_step_copy,
		[SPEC_FS_OVERLAY] = mount_step_overlay,
		[SPEC_FS_MASK] = mount_step_mask,
	};
	struct step *step = add_step(run, functions[item->kind], "view");

	step->option = item->option;
	step->dest = item->dest;
	step->item = item->item;
	step->fd = item->fd;
	if (item->kind == SPEC_FS_BIND) {
		add_bind(run, item, step);
	} else if (item->kind == SPEC_FS_OVERLAY) {
		add_layers(run, item, step);
	} else if (item->kind == SPEC_FS_SYMLINK) {
		step->source = item->text;
		step->flags = item->optional ? MOUNT_OPTIONAL : 0;
	} else if (item->kind == SPEC_FS_TMPFS) {
		add_row(run, item->dest, 0, item->item);
	} else if (item->kind == SPEC_FS_MASK) {
		add_row(run, item->dest, MOUNT_READ_ONLY | MOUNT_NO_EXEC | MOUNT_OPTIONAL, item->item);
	}
}

/* Whether COMMAND keeps what undoes mounts: then they are locked in a namespace below. */
static bool is_locked(const struct run *run)
{
	return run->keep_caps >> CAP_SYS_ADMIN & 1;
}

static void add_network(struct run *run)
{
	add_step(run, net_step_hostname, "hostname")->source =
	    run->course.spec->hostname == NULL ? "nsbox" : run->course.spec->hostname;
	if (run->course.spec->network == SPEC_NETWORK_NONE)
		add_step(run, net_step_loopback, "loopback");
}

static void add_root(struct run *run)
{
	const char *cover = cover_choose(&run->view);
	struct step *step;

	step = add_step(run, root_step_create, "root");
	step->source = "mode=0755";
	step->dest = cover;
	add_row(run, "/", MOUNT_READ_ONLY, STEP_NO_ITEM);
	for (size_t i = 0; i < run->view.root_count; i++)
		add_item(run, &run->view.items[i]);
	add_standard_places(run);
	for (size_t i = run->view.root_count; i < run->view.count; i++)
		add_item(run, &run->view.items[i]);
	if (run->course.spec->scratch_bytes > 0 || run->course.spec->scratch_inodes > 0) {
		step = add_step(run, root_step_quota, "scratch-quota");
		step->device = run->course.spec->scratch_bytes;
		step->inode = run->course.spec->scratch_inodes;
	}
	add_step(run, root_step_read_only, "root-read-only");
	add_step(run, root_step_pivot, "pivot-root")->flags = cover[1] == '\0' ? 2 : 1;
	step = add_step(run, tree_step_restrict, "restrict");
	step->extra = run->rows.items;
	step->flags = run->rows.count;
	if (is_locked(run)) {
		/* Host name and network belong to the namespace above, and cannot be changed from below. */
		add_network(run);
		snprintf(run->lock_uid_map, sizeof(run->lock_uid_map), "%u %u 1\n", run->uid, run->uid);
		snprintf(run->lock_gid_map, sizeof(run->lock_gid_map), "%u %u 1\n", run->gid, run->gid);
		step = add_step(run, root_step_lock, "lock");
		step->source = run->lock_uid_map;
		step->dest = run->lock_gid_map;
	}
}

/* Last of all: a limit is COMMAND's, and not one on building its sandbox. */
static void add_rlimits(struct run *run)
{
	if (run->course.spec->limits.pids > 0 && !run->course.limits.cgroup.has_pids)
		add_step(run, rlimits_step_nproc, "rlimit")->flags = run->course.spec->limits.pids;
	course_add_rlimits(&run->course, &run->steps);
}

static unsigned guard_flags(const struct run *run)
{
	unsigned flags = run->course.spec->network == SPEC_NETWORK_NONE ? GUARD_NETWORK : 0;

	/* A group that COMMAND cannot leave, since it needs the terminal, is the caller's. */
	if (!run->course.has_session && !run->course.supervisor.terminal.takes_over)
		flags |= GUARD_GROUP;
	return flags;
}

/* After all mounts and capabilities: inside a domain nothing is mounted any more. */
static void add_landlock(struct run *run)
{
	struct step *step;

	if (run->ruleset < 0)
		return;
	step = add_step(run, stack_step_landlock, "landlock");
	step->fd = run->ruleset;
	step->extra = run->rows.items;
	step->flags = run->rows.count;
	step->inode = run->ruleset_rights;
	step->device = run->ruleset_flags;
}

static void add_process_state(struct run *run)
{
	const struct spec *spec = run->course.spec;
	struct step *step;

	step = add_step(run, file_step_enter, "directory");
	step->option = spec->chdir == NULL ? NULL : "--chdir";
	step->dest = spec->chdir == NULL ? "/work" : spec->chdir;
	add_step(run, child_step_view, "view-built");
	if (!is_locked(run))
		add_network(run);
	run->course.has_session = spec->new_session || !run->course.supervisor.terminal.is_shared;
	if (run->course.has_session)
		add_step(run, child_step_session, "session");
	else if (run->course.supervisor.terminal.takes_over)
		add_step(run, child_step_group, "process-group");
	add_step(run, child_step_keyring, "keyring");
	if (!spec->allow_userns)
		add_step(run, child_step_no_nesting, "nested-namespaces");
	add_step(run, child_step_capabilities, "capabilities")->flags = run->keep_caps;
	add_step(run, child_step_no_new_privs, "no-new-privs");
	course_add_streams(&run->course, &run->steps);
	add_step(run, child_step_death, "death-signal");
	add_step(run, child_step_command, "command");
	add_landlock(run);
	step = add_step(run, child_step_filter, "filter");
	step->source = (const char *)run->filter;
	step->flags = guard_build(run->filter, guard_flags(run));
	add_step(run, child_step_descriptors, "descriptors");
	add_rlimits(run);
	add_step(run, child_step_barrier, "barrier");
	add_step(run, child_step_start, "start");
}

static void add_identity(struct run *run)
{
	struct step *step;

	/* Whatever happens while the sandbox is built, the child does not outlive the supervisor. */
	add_step(run, child_step_death, "death-signal");
	step = add_step(run, child_step_ids, "ids");
	snprintf(run->uid_map, sizeof(run->uid_map), "%u %u 1\n", run->uid, (unsigned)geteuid());
	snprintf(run->gid_map, sizeof(run->gid_map), "%u %u 1\n", run->gid, (unsigned)getegid());
	step->source = run->uid_map;
	step->dest = run->gid_map;
	step->flags = (uint64_t)run->uid << 32 | run->gid;
}

/* Pointers into lists that have stopped growing. */
static void settle(struct run *run)
{
	for (size_t i = 0; i < run->steps.count; i++) {
		struct step *step = &run->steps.items[i];

		if (step->run == mount_step_overlay) {
			step->extra = run->layers.items + step->inode;
			step->inode = 0;
		}
	}
	run->course.plan.steps = run->steps.items;
	run->course.plan.step_count = run->steps.count;
}

int plan_ns_build(struct run *run, struct err *err)
{
	struct plan *plan = &run->course.plan;

	for (size_t i = 0; i < run->view.count; i++) {
		if (run->view.items[i].layer_count > OVERLAY_LAYERS_MAX)
			return err_set(err, ERR_USAGE, "%s: more than %d layers", run->view.items[i].option,
			    OVERLAY_LAYERS_MAX);
	}
	add_identity(run);
	add_root(run);
	add_process_state(run);
	settle(run);
	course_plan(&run->course, &run->command, &run->environment);
	plan->reach = REACH_NAMESPACE;
	plan->forbids_nesting = !run->course.spec->allow_userns;
	plan->stops_with_command = !run->course.has_session && run->course.supervisor.terminal.takes_over;
	return 0;
}
