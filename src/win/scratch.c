/*
 * The scratch: a new folder that is born with its final access control list, so
 * that nothing has to be stamped afterwards and nobody else ever had access; or, with
 * --scratch-use, an empty folder of the caller's.
 */
#include "win/run.h"

#include <stdlib.h>

#include "win/acl.h"
#include "win/fail.h"
#include "win/path.h"

static int find_folder(const char *option, const char *path, char **final, struct err *err)
{
	struct wapi_path found;
	uint32_t error = wapi.path_look(path, &found);
	const char *fault = NULL;

	if (error)
		return fail_set(err, ERR_USAGE, error, "%s %s", option, path);
	if (!found.is_folder)
		fault = "is not a folder";
	else if (found.is_link)
		fault = "is a link; name the folder it leads to";
	else if (found.is_remote || !path_is_plain(found.final))
		fault = "is not on this machine, or has a name that not every program can use";
	else if (!found.has_acls)
		fault = "its volume keeps no access control lists";
	if (fault) {
		free(found.final);
		return err_set(err, ERR_USAGE, "%s %s: %s", option, path, fault);
	}
	*final = found.final;
	return 0;
}

static int check_empty(const char *path, struct err *err)
{
	struct str_list names = STR_LIST_INIT;
	uint32_t error = wapi.folder_list(path, &names);
	size_t count = names.count;

	str_list_free(&names);
	if (error)
		return fail_set(err, ERR_USAGE, error, "--scratch-use %s", path);
	if (count > 0)
		return err_set(err, ERR_USAGE, "--scratch-use %s: is not empty", path);
	return 0;
}

/* A caller's folder is one more writable place. */
static int use_folder(struct run *run, struct err *err)
{
	struct place *place = &run->places[run->places_count];

	if (find_folder("--scratch-use", run->spec->scratch_use, &run->scratch, err) < 0 ||
	    check_empty(run->scratch, err) < 0)
		return -1;
	*place = (struct place){ "--scratch-use", xstrdup(run->scratch), true, false };
	run->places_count++;
	return 0;
}

int scratch_find(struct run *run, struct err *err)
{
	char *base;
	uint32_t error;

	if (run->spec->scratch_use)
		return use_folder(run, err);
	if (run->spec->scratch_dir)
		return find_folder("--scratch-dir", run->spec->scratch_dir, &run->scratch_parent, err);
	error = wapi.folder(WAPI_LOCAL_APP_DATA, &base);
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot find a place for the scratch");
	run->scratch_parent = path_join(base, "nsbox\\scratch");
	free(base);
	return 0;
}

/* Whether the folder has exactly the list that it was made with, and is not reached by any other. */
static void confirm(const struct run *run, struct report *report, const char *user)
{
	struct wapi_acl acl = { false, NULL, 0 };
	uint32_t error = wapi.acl_read(run->scratch, &acl);
	const char *const known[] = { "S-1-5-18", "S-1-5-32-544", user, run->sid };
	size_t others;

	if (error) {
		fail_layer(report, CONTROL_SCRATCH, "its access control list cannot be read back", error);
		return;
	}
	others = acl_count_others(&acl, known, sizeof(known) / sizeof(known[0]));
	if (!acl.is_protected || others > 0)
		report_missing(report, CONTROL_SCRATCH, 0, NULL, "its access control list is not the one that it "
		    "was made with: %s, %zu entries of others", acl.is_protected ? "protected" : "not protected",
		    others);
	else if (run->sid && !acl_has_grant(&acl, run->sid, ACL_WRITE, true))
		report_missing(report, CONTROL_SCRATCH, 0, NULL,
		    "the entry of the AppContainer is not there when it is read back");
	else
		report_confirm(report, CONTROL_SCRATCH, "CreateDirectory with its own list", 0,
		    "%zu entries, none of others, nothing inherited", acl.count);
	acl_free(&acl);
}

static int make_folder(struct run *run, struct report *report, struct err *err)
{
	char *user = NULL, *sddl = NULL;
	uint32_t error = wapi.user_sid(&user);

	if (!error && !run->spec->scratch_dir)
		error = wapi.folder_make(run->scratch_parent);
	if (!error) {
		sddl = acl_of_scratch(user, run->sid);
		error = wapi.folder_create(run->scratch, sddl);
	}
	if (!error)
		confirm(run, report, user);
	free(user);
	free(sddl);
	if (error)
		return fail_set(err, ERR_SETUP, error, "cannot make the scratch %s", run->scratch);
	return 0;
}

int scratch_make(struct run *run, struct report *report, struct err *err)
{
	if (run->spec->scratch_use) {
		report->scratch = xstrdup(run->scratch);
		report_confirm(report, CONTROL_SCRATCH, "--scratch-use", 0, "%s is empty", run->scratch);
		return 0;
	}
	run->scratch = path_join(run->scratch_parent, run->journal.name);
	report->scratch = xstrdup(run->scratch);
	/* One that is kept loses the run's entry, and stays. */
	if (run->spec->keep_scratch)
		str_list_add(&run->journal.grants, run->scratch);
	else
		run->journal.scratch = xstrdup(run->scratch);
	if (journal_write(&run->journal, err) < 0)
		return -1;
	return make_folder(run, report, err);
}
