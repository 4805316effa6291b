/*
 * Taking away what a run made (leftover.h).
 *
 * What cannot be looked at afterwards counts as still there. Nothing is touched that the run's name does not
 * prove to be its own: access control entries are those of its SID, which is computed from the name,
 * the scratch carries the name, and so does the profile.
 */
#include "win/leftover.h"

#include <stdlib.h>
#include <string.h>

#include "win/acl.h"
#include "win/fail.h"
#include "win/path.h"
#include "win/sid.h"
#include "win/wapi.h"

enum { JOURNAL_MAX = 1 << 20 };

static void note(struct str *remains, const char *what, const char *which, uint32_t error)
{
	char *text = error ? fail_text(error) : NULL;

	str_addf(remains, "%s%s ", remains->length ? "; " : "", what);
	str_add_printable(remains, which, 300);
	if (text)
		str_addf(remains, ": %s", text);
	free(text);
}

static bool is_missing(uint32_t error)
{
	return error == WAPI_FILE_NOT_FOUND || error == WAPI_PATH_NOT_FOUND;
}

uint32_t leftover_lock(void **lock)
{
	return wapi.lock("nsbox", lock);
}

/* Takes the entries away that are the path's own; those that it inherits go with their origin. */
static void revoke(const char *path, const char *sid)
{
	struct wapi_acl acl = { false, NULL, 0 };

	/* Whatever fails here is seen when it is looked at afterwards. */
	if (wapi.acl_read(path, &acl) != 0)
		return;
	if (acl_count_own(&acl, sid) > 0)
		wapi.acl_revoke(path, sid);
	acl_free(&acl);
}

/* No entry of this SID is left. Where there is no such path there is none either. */
static bool is_revoked(const char *path, const char *sid, struct str *remains)
{
	struct wapi_acl acl = { false, NULL, 0 };
	uint32_t error = wapi.acl_read(path, &acl);
	bool is_clean = is_missing(error) || (!error && acl_count(&acl, sid) == 0);

	if (!is_clean)
		note(remains, "a grant on", path, error);
	acl_free(&acl);
	return is_clean;
}

static bool remove_grants(const struct journal *journal, const char *sid, struct str *remains)
{
	bool is_clean = true;
	void *lock = NULL;
	uint32_t error;

	if (journal->grants.count == 0)
		return true;
	/* Two that rewrite one list at the same time would bring back what the other took away. */
	error = leftover_lock(&lock);
	if (error) {
		note(remains, "grants of", journal->name, error);
		return false;
	}
	for (size_t i = journal->grants.count; i-- > 0;)
		revoke(journal->grants.items[i], sid);
	for (size_t i = 0; i < journal->grants.count; i++)
		is_clean = is_revoked(journal->grants.items[i], sid, remains) && is_clean;
	wapi.unlock(lock);
	return is_clean;
}

/* Its name is the run's, whatever the command made of it; a link is removed and not followed. */
static bool remove_scratch(const char *path, struct str *remains)
{
	struct wapi_path found = { NULL, false, false, false, false };
	uint32_t error = wapi.tree_remove(path);

	if (!error || is_missing(error))
		error = wapi.path_look(path, &found);
	free(found.final);
	if (is_missing(error))
		return true;
	note(remains, "the scratch", path, error);
	return false;
}

static bool remove_profile(const char *name, const char *sid, struct str *remains)
{
	bool exists = true;
	void *lock = NULL;
	uint32_t error = leftover_lock(&lock);

	/* Windows leaves it open what holds after a failure, and asks to try again. */
	for (int i = 0; i < 2 && !error && exists; i++) {
		uint32_t failure = wapi.profile_delete(name);

		error = wapi.profile_exists(name, sid, &exists);
		if (failure && !error && exists && i == 1)
			error = failure;
	}
	if (lock)
		wapi.unlock(lock);
	if (!error && !exists)
		return true;
	note(remains, "the profile", name, error);
	return false;
}

bool leftover_remove(const struct journal *journal, struct str *remains)
{
	char *sid = sid_of_container(journal->name);
	bool is_clean = remove_grants(journal, sid, remains);

	if (journal->scratch)
		is_clean = remove_scratch(journal->scratch, remains) && is_clean;
	if (journal->has_profile)
		is_clean = remove_profile(journal->name, sid, remains) && is_clean;
	free(sid);
	return is_clean;
}

/* One file of the folder of journals; true where a dead run was removed. */
static bool sweep_journal(const char *folder, const char *file_name, struct str *remains)
{
	struct journal journal;
	struct str text = STR_INIT;
	char *file = path_join(folder, file_name);
	bool is_ours, is_alive = true, is_gone = false;
	uint32_t error = wapi.file_read(file, JOURNAL_MAX, &text);

	is_ours = !error && strlen(str_text(&text)) == text.length &&
	    journal_parse(str_text(&text), file_name, &journal);
	str_free(&text);
	if (!is_ours) {
		free(file);
		return false;
	}
	journal.file = file;
	error = wapi.is_alive(journal.pid, journal.created, &is_alive);
	if (!error && !is_alive && leftover_remove(&journal, remains)) {
		error = journal_end(&journal);
		is_gone = !error;
	}
	if (error)
		note(remains, "the journal", file, error);
	journal_free(&journal);
	return is_gone;
}

static bool has_journal(const struct str_list *files, const char *name)
{
	for (size_t i = 0; i < files->count; i++)
		if (str_has_prefix(files->items[i], name))
			return true;
	return false;
}

/* A profile of ours without a journal: what it was granted is not known any more. */
static bool sweep_profile(const char *name, struct str *remains)
{
	char *sid = sid_of_container(name);
	bool is_gone = remove_profile(name, sid, remains);

	free(sid);
	return is_gone;
}

static void sweep_all(const char *folder, size_t limit, size_t *removed, struct str *remains)
{
	struct str_list files = STR_LIST_INIT, profiles = STR_LIST_INIT;
	/* Profiles first: one that is made meanwhile has a journal by then. */
	uint32_t profiles_error = wapi.profile_list(JOURNAL_PREFIX, &profiles);
	uint32_t error = wapi.folder_list(folder, &files);

	for (size_t i = 0; i < files.count && (limit == LEFTOVER_ALL || i < limit); i++)
		*removed += sweep_journal(folder, files.items[i], remains);
	if (error && !is_missing(error))
		note(remains, "journals in", folder, error);
	for (size_t i = 0; !profiles_error && limit == LEFTOVER_ALL && i < profiles.count; i++)
		if (journal_is_name(profiles.items[i]) && (!error || is_missing(error)) &&
		    !has_journal(&files, profiles.items[i]))
			*removed += sweep_profile(profiles.items[i], remains);
	str_list_free(&files);
	str_list_free(&profiles);
}

int leftover_sweep(size_t limit, size_t *removed, struct err *err)
{
	struct str remains = STR_INIT;
	char *folder;
	uint32_t error = journal_folder(&folder);
	int result = 0;

	*removed = 0;
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot find the folder of journals");
	sweep_all(folder, limit, removed, &remains);
	free(folder);
	if (remains.length > 0)
		result = err_set(err, ERR_SETUP, "dead runs left what could not be removed: %s", str_text(&remains));
	str_free(&remains);
	return result;
}
