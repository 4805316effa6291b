/*
 * Paths of the host that COMMAND is given. Each is looked at before anything is
 * made, and what must not be given to anybody is refused: a whole drive, the
 * user's folder, Windows itself. A grant is one entry for the run's own SID, written down
 * in the journal before it is made.
 */
#include "win/run.h"

#include <stdlib.h>
#include <string.h>

#include "win/acl.h"
#include "win/fail.h"
#include "win/leftover.h"
#include "win/path.h"

/* Giving away one of these, or what holds one, would give away far more than was meant. */
static const struct {
	enum wapi_folder folder;
	const char *name;
	bool with_content;	/* what is in it is refused for writing too */
} guarded[] = {
	{ WAPI_USER_PROFILE, "the user's folder", false },
	{ WAPI_LOCAL_APP_DATA, "the user's application data", false },
	{ WAPI_TEMP, "the user's temporary folder", false },
	{ WAPI_WINDOWS, "Windows", true },
	{ WAPI_PROGRAM_FILES, "the installed programs", true },
};

static int check_guarded(const struct place *place, struct err *err)
{
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		char *folder;
		uint32_t error = wapi.folder(guarded[i].folder, &folder);
		bool is_refused;

		if (error)
			return fail_set(err, ERR_SETUP, error, "%s %s: cannot find %s to compare with",
			    place->option, place->path, guarded[i].name);
		is_refused = path_is_in(folder, place->path) || (guarded[i].with_content &&
		    !place->read_only && path_is_in(place->path, folder));
		/* Reading Windows or the programs is what every AppContainer may anyway. */
		if (guarded[i].with_content && place->read_only && path_same(folder, place->path))
			is_refused = false;
		free(folder);
		if (is_refused)
			return err_set(err, ERR_USAGE, "%s %s: is or holds %s, which is not given to a sandbox",
			    place->option, place->path, guarded[i].name);
	}
	return 0;
}

static int look_at(struct place *place, const char *source, struct err *err)
{
	struct wapi_path found;
	uint32_t error = wapi.path_look(source, &found);

	if (error)
		return fail_set(err, ERR_USAGE, error, "%s %s", place->option, source);
	place->path = found.final;
	place->is_folder = found.is_folder;
	if (found.is_link)
		return err_set(err, ERR_USAGE, "%s %s: is a link; name what it leads to (%s)", place->option,
		    source, place->path);
	if (found.is_remote || !path_is_plain(place->path))
		return err_set(err, ERR_USAGE, "%s %s: is not on this machine, or has a name that not every program can use",
		    place->option, source);
	if (!found.has_acls)
		return err_set(err, ERR_USAGE, "%s %s: its volume keeps no access control lists", place->option,
		    source);
	if (path_is_root(place->path))
		return err_set(err, ERR_USAGE, "%s %s: is a whole drive, which is not given to a sandbox",
		    place->option, source);
	return check_guarded(place, err);
}

/* An entry that denies is not dependable for a container, so nothing can be taken out of a grant. */
static int check_overlaps(const struct run *run, struct err *err)
{
	for (size_t i = 0; i < run->places_count; i++)
		for (size_t j = 0; j < run->places_count; j++) {
			const struct place *inner = &run->places[i], *outer = &run->places[j];

			if (inner->read_only && !outer->read_only && path_is_in(inner->path, outer->path))
				return err_set(err, ERR_USAGE, "%s %s contradicts %s %s: what lies in a writable "
				    "place cannot be made read-only", inner->option, inner->path, outer->option,
				    outer->path);
		}
	return 0;
}

/* A place that was asked for before in the same way needs no second grant. */
static bool is_repeated(const struct run *run, const struct place *place)
{
	for (const struct place *other = run->places; other != place; other++)
		if (path_same(other->path, place->path) && other->read_only == place->read_only)
			return true;
	return false;
}

int places_look(struct run *run, struct err *err)
{
	run->places = xcalloc(run->spec->fs_count + 1, sizeof(*run->places));
	for (size_t i = 0; i < run->spec->fs_count; i++) {
		const struct spec_fs *fs = &run->spec->fs[i];
		struct place *place = &run->places[run->places_count];

		if (fs->kind != SPEC_FS_BIND)
			continue;
		place->option = fs->option;
		place->read_only = fs->read_only;
		run->places_count++;
		if (look_at(place, fs->source, err) < 0)
			return -1;
		if (is_repeated(run, place)) {
			free(place->path);
			*place = (struct place){ NULL, NULL, false, false };
			run->places_count--;
		}
	}
	return check_overlaps(run, err);
}

static uint32_t mask_of(const struct place *place)
{
	return place->read_only ? ACL_READ : ACL_WRITE;
}

static int grant(struct run *run, const struct place *place, struct err *err)
{
	struct wapi_acl acl = { false, NULL, 0 };
	uint32_t mask = mask_of(place);
	bool is_granted;
	void *lock = NULL;
	uint32_t error;

	str_list_add(&run->journal.grants, place->path);
	if (journal_write(&run->journal, err) < 0)
		return -1;
	error = leftover_lock(&lock);
	if (!error)
		error = wapi.acl_grant(place->path, run->sid, mask);
	if (lock)
		wapi.unlock(lock);
	if (!error)
		error = wapi.acl_read(place->path, &acl);
	if (error)
		return fail_set(err, ERR_SETUP, error, "%s %s: cannot be given to the sandbox", place->option,
		    place->path);
	is_granted = acl_has_grant(&acl, run->sid, mask, place->is_folder);
	acl_free(&acl);
	if (!is_granted)
		return err_set(err, ERR_SETUP, "%s %s: Windows took the grant, and it is not there when it is "
		    "read back", place->option, place->path);
	return 0;
}

/* Whether every container may do it anyway; a less privileged one is not meant by that. */
static int is_open(const struct run *run, const struct place *place, bool *is_open_already,
    struct err *err)
{
	struct wapi_acl acl = { false, NULL, 0 };
	uint32_t error = wapi.acl_read(place->path, &acl);

	if (error)
		return fail_set(err, ERR_SETUP, error, "%s %s: its access control list cannot be read",
		    place->option, place->path);
	*is_open_already = run->spec->policy[CONTROL_LPAC].want == WANT_NO &&
	    acl_allows_packages(&acl, mask_of(place));
	acl_free(&acl);
	return 0;
}

int places_grant(struct run *run, struct err *err)
{
	/* Without a container the command may do all that the user may; nothing is changed then. */
	if (!run->sid)
		return 0;
	for (size_t i = 0; i < run->places_count; i++) {
		bool is_open_already = false;

		if (is_open(run, &run->places[i], &is_open_already, err) < 0)
			return -1;
		if (!is_open_already && grant(run, &run->places[i], err) < 0)
			return -1;
	}
	return 0;
}

void places_free(struct run *run)
{
	for (size_t i = 0; i < run->places_count; i++)
		free(run->places[i].path);
	free(run->places);
	run->places = NULL;
	run->places_count = 0;
}
