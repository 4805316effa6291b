/*
 * The fake Windows: files, folders and their access control lists.
 */
#include "win/fake_win.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "win/acl.h"
#include "win/path.h"

enum { FILES_MAX = 256, ALL = 0x1f01ff };

#define USER "S-1-5-21-1-2-3-1001"
#define LOCAL "C:\\Users\\u\\AppData\\Local"

static struct fake_file {
	char *path;
	char *text;		/* NULL: a folder */
	struct wapi_acl acl;	/* its own entries */
} *files[FILES_MAX];

/* A backslash behind a folder changes nothing. */
static struct fake_file **slot(const char *path)
{
	size_t length = strlen(path);
	char *plain = xstrndup(path, length > 3 && path[length - 1] == '\\' ? length - 1 : length);
	struct fake_file **found = NULL;

	for (size_t i = 0; i < FILES_MAX && !found; i++)
		if (files[i] && path_same(files[i]->path, plain))
			found = &files[i];
	free(plain);
	return found;
}

static void add_ace(struct wapi_acl *acl, const char *sid, uint32_t mask, bool is_folder)
{
	acl->aces = xreallocarray(acl->aces, acl->count + 1, sizeof(*acl->aces));
	acl->aces[acl->count++] = (struct wapi_ace){
		.allows = true, .mask = mask, .sid = xstrdup(sid),
		.flags = is_folder ? WAPI_ACE_OBJECT_INHERIT | WAPI_ACE_CONTAINER_INHERIT : 0,
	};
}

static struct fake_file *new_file(const char *path, bool is_folder)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		if (files[i])
			continue;
		files[i] = xcalloc(1, sizeof(*files[i]));
		files[i]->path = xstrdup(path);
		files[i]->text = is_folder ? NULL : xstrdup("");
		return files[i];
	}
	abort();
}

static void drop(struct fake_file **file)
{
	free((*file)->path);
	free((*file)->text);
	acl_free(&(*file)->acl);
	free(*file);
	*file = NULL;
}

void fake_files_free(void)
{
	for (size_t i = 0; i < FILES_MAX; i++)
		if (files[i])
			drop(&files[i]);
}

void fake_win_add(const char *path, bool is_folder, bool is_open)
{
	struct fake_file *file = new_file(path, is_folder);

	add_ace(&file->acl, USER, ALL, is_folder);
	if (is_open)
		add_ace(&file->acl, ACL_ALL_PACKAGES, ACL_READ, is_folder);
}

const char *fake_win_text(const char *path)
{
	struct fake_file **file = slot(path);

	return file ? (*file)->text : NULL;
}

void fake_file_put(const char *path, const char *text)
{
	struct fake_file **found = slot(path);
	struct fake_file *file = found ? *found : new_file(path, false);

	free(file->text);
	file->text = xstrdup(text);
}

void fake_file_drop(const char *path)
{
	struct fake_file **file = slot(path);

	if (file)
		drop(file);
}

/* nsbox's own folders are kept from run to run. */
static bool is_furniture(const char *path)
{
	return path_same(path, LOCAL "\\nsbox") || path_same(path, LOCAL "\\nsbox\\run") ||
	    path_same(path, LOCAL "\\nsbox\\scratch");
}

void fake_files_state(struct str *text)
{
	for (size_t i = 0; i < FILES_MAX; i++) {
		if (!files[i] || is_furniture(files[i]->path))
			continue;
		str_addf(text, "%s%s %s", files[i]->path, files[i]->text ? "" : "\\",
		    files[i]->acl.is_protected ? "protected" : "inherits");
		for (size_t j = 0; j < files[i]->acl.count; j++)
			str_addf(text, " %s:%" PRIx32, files[i]->acl.aces[j].sid, files[i]->acl.aces[j].mask);
		str_addf(text, " %s\n", files[i]->text ? files[i]->text : "");
	}
}

/* What a container may do: the entries of the file, or of what it inherits from. */
uint32_t fake_file_access(const char *path, const char *container)
{
	uint32_t access = 0;
	char *at = xstrdup(path);

	for (bool is_top = false; !is_top;) {
		struct fake_file **file = slot(at);
		char *parent = path_parent(at);

		for (size_t i = 0; file && i < (*file)->acl.count; i++) {
			const struct wapi_ace *ace = &(*file)->acl.aces[i];

			if (strcmp(ace->sid, container) == 0 || strcmp(ace->sid, ACL_ALL_PACKAGES) == 0)
				access |= ace->mask;
		}
		is_top = strcmp(parent, at) == 0 || (file && (*file)->acl.is_protected);
		free(at);
		at = parent;
	}
	free(at);
	return access;
}

uint32_t fake_folder(enum wapi_folder which, char **path)
{
	static const char *const paths[] = {
		[WAPI_LOCAL_APP_DATA] = LOCAL, [WAPI_USER_PROFILE] = "C:\\Users\\u",
		[WAPI_TEMP] = LOCAL "\\Temp", [WAPI_WINDOWS] = "C:\\Windows",
		[WAPI_PROGRAM_FILES] = "C:\\Program Files",
	};

	FAKE_CALL("folder");
	*path = xstrdup(paths[which]);
	return 0;
}

/* A name with "link", "share" or "fat" in it is what it says. */
uint32_t fake_path_look(const char *path, struct wapi_path *found)
{
	struct fake_file **file = slot(path);

	FAKE_CALL("path_look");
	if (!file)
		return WAPI_FILE_NOT_FOUND;
	found->final = xstrdup((*file)->path);
	found->is_folder = (*file)->text == NULL;
	found->is_link = strstr(path, "link") != NULL;
	found->is_remote = strstr(path, "share") != NULL;
	found->has_acls = strstr(path, "fat") == NULL;
	return 0;
}

uint32_t fake_folder_make(const char *path)
{
	FAKE_CALL("folder_make");
	if (!slot(path))
		new_file(path, true);
	return 0;
}

static const char *sid_of_sddl(const char *text)
{
	return strcmp(text, "SY") == 0 ? "S-1-5-18" : strcmp(text, "BA") == 0 ? "S-1-5-32-544" : text;
}

/* The few forms that are written here: D:P(A;OICI;FA|0xMASK;;;SID)... */
static void parse_sddl(const char *sddl, struct wapi_acl *acl)
{
	acl->is_protected = str_has_prefix(sddl, "D:P");
	for (const char *at = strchr(sddl, '('); at; at = strchr(at + 1, '(')) {
		const char *rights = strchr(strchr(at, ';') + 1, ';') + 1;
		const char *sid = strstr(rights, ";;;") + 3;
		char *text = xstrndup(sid, strcspn(sid, ")"));

		add_ace(acl, sid_of_sddl(text), str_has_prefix(rights, "FA") ? (uint32_t)ALL : ACL_WRITE, true);
		free(text);
	}
}

static void lie_about_scratch(struct wapi_acl *acl)
{
	if (fake.lie == LIE_SCRATCH_UNPROTECTED)
		acl->is_protected = false;
	if (fake.lie == LIE_SCRATCH_FOR_OTHERS)
		add_ace(acl, "S-1-1-0", ACL_READ, true);
	if (fake.lie == LIE_SCRATCH_WITHOUT_ENTRY && acl->count > 0)
		free(acl->aces[--acl->count].sid);
}

uint32_t fake_folder_create(const char *path, const char *sddl)
{
	struct fake_file *file;

	FAKE_CALL("folder_create");
	if (slot(path))
		return WAPI_ALREADY_EXISTS;
	file = new_file(path, true);
	parse_sddl(sddl, &file->acl);
	lie_about_scratch(&file->acl);
	return 0;
}

uint32_t fake_folder_list(const char *path, struct str_list *names)
{
	FAKE_CALL("folder_list");
	if (!slot(path))
		return WAPI_PATH_NOT_FOUND;
	for (size_t i = 0; i < FILES_MAX; i++) {
		char *parent = files[i] ? path_parent(files[i]->path) : NULL;

		if (parent && path_same(parent, path) && !path_same(files[i]->path, path))
			str_list_add(names, path_name(files[i]->path));
		free(parent);
	}
	return 0;
}

uint32_t fake_tree_remove(const char *path)
{
	FAKE_CALL("tree_remove");
	for (size_t i = 0; i < FILES_MAX && fake.lie != LIE_TREE_STAYS; i++)
		if (files[i] && path_is_in(files[i]->path, path))
			drop(&files[i]);
	return 0;
}

uint32_t fake_file_read(const char *path, size_t limit, struct str *text)
{
	struct fake_file **file = slot(path);

	FAKE_CALL("file_read");
	if (!file || !(*file)->text)
		return WAPI_FILE_NOT_FOUND;
	str_add_bytes(text, (*file)->text, strlen((*file)->text) < limit ? strlen((*file)->text) : limit);
	return 0;
}

uint32_t fake_file_replace(const char *path, const char *text, size_t length)
{
	char *copy;

	FAKE_CALL("file_replace");
	copy = xstrndup(text, length);
	fake_file_put(path, copy);
	free(copy);
	return 0;
}

uint32_t fake_file_remove(const char *path)
{
	FAKE_CALL("file_remove");
	if (!slot(path))
		return WAPI_FILE_NOT_FOUND;
	fake_file_drop(path);
	return 0;
}

static void copy_aces(struct wapi_acl *to, const struct fake_file *file, uint8_t flags)
{
	for (size_t i = 0; i < file->acl.count; i++) {
		add_ace(to, file->acl.aces[i].sid, file->acl.aces[i].mask, file->text == NULL);
		to->aces[to->count - 1].flags |= flags;
	}
}

/* Its own entries, and those of the folders that it lies in, up to one that inherits nothing. */
uint32_t fake_acl_read(const char *path, struct wapi_acl *acl)
{
	struct fake_file **file = slot(path);
	bool inherits;
	char *at;

	FAKE_CALL("acl_read");
	if (!file)
		return WAPI_FILE_NOT_FOUND;
	*acl = (struct wapi_acl){ (*file)->acl.is_protected, NULL, 0 };
	copy_aces(acl, *file, 0);
	at = xstrdup(path);
	for (inherits = !acl->is_protected; inherits;) {
		char *parent = path_parent(at);

		file = slot(parent);
		inherits = strcmp(parent, at) != 0 && !(file && (*file)->acl.is_protected);
		if (strcmp(parent, at) != 0 && file)
			copy_aces(acl, *file, WAPI_ACE_INHERITED);
		free(at);
		at = parent;
	}
	free(at);
	return 0;
}

uint32_t fake_acl_grant(const char *path, const char *sid, uint32_t mask)
{
	struct fake_file **file = slot(path);

	FAKE_CALL("acl_grant");
	if (!file)
		return WAPI_FILE_NOT_FOUND;
	if (fake.lie != LIE_GRANT_DROPPED)
		add_ace(&(*file)->acl, sid, fake.lie == LIE_GRANT_TOO_WIDE ? (uint32_t)ALL : mask,
		    (*file)->text == NULL);
	return 0;
}

uint32_t fake_acl_revoke(const char *path, const char *sid)
{
	struct fake_file **file = slot(path);
	struct wapi_acl *acl;
	size_t kept = 0;

	FAKE_CALL("acl_revoke");
	if (!file)
		return WAPI_FILE_NOT_FOUND;
	acl = &(*file)->acl;
	for (size_t i = 0; i < acl->count; i++) {
		if (fake.lie == LIE_REVOKE_IGNORED || strcmp(acl->aces[i].sid, sid) != 0)
			acl->aces[kept++] = acl->aces[i];
		else
			free(acl->aces[i].sid);
	}
	acl->count = kept;
	return 0;
}
