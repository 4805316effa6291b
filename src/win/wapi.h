/*
 * The seam to Windows: every call that this backend makes of the system, as one
 * table of functions. What is behind it either is Windows (wapi_*.c, the only
 * files that include <windows.h>) or, in tests, a machine in memory that fails
 * and lies on demand, so that all decisions are made in files that are compiled
 * and tested everywhere.
 *
 * Texts and paths are UTF-8. SIDs are texts ("S-1-15-2-..."). A handle is a
 * pointer, NULL where there is none. A function that can fail returns 0, or the
 * Win32 error or HRESULT that Windows gave; it stores nothing then.
 */
#ifndef NSBOX_WIN_WAPI_H
#define NSBOX_WIN_WAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* The errors that decide something here. */
enum {
	WAPI_OK = 0,
	WAPI_FILE_NOT_FOUND = 2,
	WAPI_PATH_NOT_FOUND = 3,
	WAPI_ACCESS_DENIED = 5,
	WAPI_NOT_SUPPORTED = 50,
	WAPI_FILE_EXISTS = 80,
	WAPI_INVALID_PARAMETER = 87,
	WAPI_PROC_NOT_FOUND = 127,
	WAPI_ALREADY_EXISTS = 183,
	WAPI_BAD_EXE_FORMAT = 193,
	WAPI_TIMEOUT = 258
};
#define WAPI_HRESULT(error) (UINT32_C(0x80070000) | (uint32_t)(error))

enum wapi_folder {
	WAPI_LOCAL_APP_DATA,
	WAPI_USER_PROFILE,
	WAPI_TEMP,
	WAPI_WINDOWS,
	WAPI_PROGRAM_FILES,
	WAPI_FOLDER_COUNT
};

/* What a path leads to. */
struct wapi_path {
	char *final;		/* owned; without links, as the file system spells it */
	bool is_folder;
	bool is_link;		/* the last component is a reparse point */
	bool is_remote;
	bool has_acls;		/* its volume keeps access control lists */
};

struct wapi_ace {
	bool allows;		/* false: it denies */
	uint8_t flags;		/* WAPI_ACE_* */
	uint32_t mask;
	char *sid;		/* owned */
};

enum {
	WAPI_ACE_OBJECT_INHERIT = 0x1,
	WAPI_ACE_CONTAINER_INHERIT = 0x2,
	WAPI_ACE_INHERIT_ONLY = 0x8,
	WAPI_ACE_INHERITED = 0x10
};

struct wapi_acl {
	bool is_protected;	/* inherits nothing */
	struct wapi_ace *aces;	/* owned */
	size_t count;
};

/* Of a job: what is set, or what is read back. */
struct wapi_limits {
	uint32_t flags;		/* WAPI_LIMIT_* */
	uint32_t processes;
	uint64_t memory;	/* bytes committed by all together */
	uint64_t user_time;	/* in 100 ns, of all together */
};

enum {
	WAPI_LIMIT_JOB_TIME = 0x4,
	WAPI_LIMIT_PROCESSES = 0x8,
	WAPI_LIMIT_JOB_MEMORY = 0x200,
	WAPI_LIMIT_DIE_ON_EXCEPTION = 0x400,
	WAPI_LIMIT_KILL_ON_CLOSE = 0x2000
};

struct wapi_usage {
	uint32_t active, total;	/* processes */
	uint64_t user_time, kernel_time; /* in 100 ns */
	uint64_t peak_memory;
};

enum wapi_attr_kind {
	WAPI_ATTR_CONTAINER,	/* sid: AppContainer without any capability */
	WAPI_ATTR_JOB,		/* handles: one */
	WAPI_ATTR_HANDLES,	/* handles: all that are inherited */
	WAPI_ATTR_MITIGATIONS,	/* value */
	WAPI_ATTR_NO_PACKAGES,	/* opts out of ALL APPLICATION PACKAGES (LPAC) */
	WAPI_ATTR_COUNT
};

/* The members stay valid until the list is freed. */
struct wapi_attr {
	enum wapi_attr_kind kind;
	const char *sid;
	void **handles;
	size_t count;
	uint64_t value;
};

struct wapi_start {
	const char *program;
	const char *command_line;
	const char *environment; /* "NAME=VALUE\0...\0" */
	size_t environment_size;
	const char *folder;
	void *attributes;
	void *streams[3];	/* inheritable */
};

/* One answer about a token. */
struct wapi_fact {
	uint32_t error;		/* 0: value is what was read */
	uint32_t value;
};

struct wapi_token {
	struct wapi_fact is_container;
	struct wapi_fact integrity;	/* RID: 0x1000 is low */
	struct wapi_fact capabilities;	/* how many */
	struct wapi_fact is_lpac;
	uint32_t sid_error;
	char *sid;		/* owned; of the container, NULL: none */
};

enum wapi_mitigation {
	WAPI_MITIGATION_EXTENSION_POINTS,
	WAPI_MITIGATION_FONTS,
	WAPI_MITIGATION_IMAGES,
	WAPI_MITIGATION_COUNT
};

/* What a standard stream of the caller is. */
enum wapi_stream {
	WAPI_STREAM_NONE,
	WAPI_STREAM_CONSOLE,
	WAPI_STREAM_OTHER	/* file, pipe, NUL */
};

/* Carries one stream: a thread reads, asks how much may be handed on, and writes that. */
struct wapi_pump {
	void *from, *to;
	void *context;
	/* How many of `bytes` may be handed on; called by one pump at a time. */
	size_t (*allow)(void *context, size_t stream, size_t bytes);
	size_t stream;
};

/* What the user did at the console, or what the console did. */
enum wapi_cancel {
	WAPI_CANCEL_NONE,
	WAPI_CANCEL_INTERRUPT,	/* Ctrl-C */
	WAPI_CANCEL_BREAK,	/* Ctrl-Break */
	WAPI_CANCEL_CLOSE	/* the window, the session or the system goes away */
};

struct wapi {
	/* Called first, once: streams carry bytes, no window is opened for an error, Ctrl-C is heard. */
	uint32_t (*enter)(void);
	/* Overwrites the command line that other processes of the user could read. */
	void (*forget)(void);
	/* The sentence for an error, without a full stop; owned by the caller. */
	char *(*describe)(uint32_t error);
	char *(*system_name)(void);	/* "windows 10.0.19045 x86_64"; owned by the caller */
	const char *(*get_env)(const char *name);
	void (*list_env)(struct str_list *variables);
	uint64_t (*clock_ns)(void);
	void (*sleep_ns)(uint64_t ns);
	uint32_t (*random)(void *bytes, size_t length);
	uint32_t (*processors)(uint32_t *count);
	uint32_t (*user_sid)(char **sid);

	/* A process by number and time of creation: a number alone is used again. */
	uint32_t (*self)(uint32_t *pid, uint64_t *created);
	uint32_t (*is_alive)(uint32_t pid, uint64_t created, bool *alive);
	/* A lock among all nsbox processes of this session; given back by close. */
	uint32_t (*lock)(const char *name, void **lock);
	void (*unlock)(void *lock);

	/* Profiles of AppContainers. */
	uint32_t (*profile_create)(const char *name, char **sid);
	uint32_t (*profile_derive)(const char *name, char **sid);
	uint32_t (*profile_delete)(const char *name);
	/* Whether the registry or a folder still knows it. */
	uint32_t (*profile_exists)(const char *name, const char *sid, bool *exists);
	/* All names that begin with `prefix`. */
	uint32_t (*profile_list)(const char *prefix, struct str_list *names);

	/* Files. */
	uint32_t (*folder)(enum wapi_folder which, char **path);
	/* Not found is only what is not there; a link that leads nowhere is another error. */
	uint32_t (*path_look)(const char *path, struct wapi_path *found);
	uint32_t (*folder_make)(const char *path);	/* and its parents */
	/* A new folder with this security descriptor; one that is there is an error. */
	uint32_t (*folder_create)(const char *path, const char *sddl);
	uint32_t (*folder_list)(const char *path, struct str_list *names);
	/* A tree with all that is in it; links are removed, never followed, and so is the path itself where it is one. */
	uint32_t (*tree_remove)(const char *path);
	uint32_t (*file_read)(const char *path, size_t limit, struct str *text);
	/* Whole or not at all, and on the disk when it returns. */
	uint32_t (*file_replace)(const char *path, const char *text, size_t length);
	uint32_t (*file_remove)(const char *path);
	uint32_t (*acl_read)(const char *path, struct wapi_acl *acl);
	/* Allows `mask` to the SID, inherited by all that is below; everything else stays. */
	uint32_t (*acl_grant)(const char *path, const char *sid, uint32_t mask);
	uint32_t (*acl_revoke)(const char *path, const char *sid);

	/* Jobs. */
	uint32_t (*job_create)(void **job);
	uint32_t (*job_set_limits)(void *job, const struct wapi_limits *limits);
	uint32_t (*job_get_limits)(void *job, struct wapi_limits *limits);
	uint32_t (*job_set_ui)(void *job, uint32_t mask);
	uint32_t (*job_get_ui)(void *job, uint32_t *mask);
	/* In hundredths of a percent of the whole machine. */
	uint32_t (*job_set_rate)(void *job, uint32_t rate);
	uint32_t (*job_get_rate)(void *job, uint32_t *rate);
	uint32_t (*job_usage)(void *job, struct wapi_usage *usage);
	uint32_t (*job_terminate)(void *job, uint32_t code);
	uint32_t (*job_contains)(void *job, void *process, bool *contains);

	/* Streams and processes. */
	uint32_t (*stream_get)(int number, enum wapi_stream *kind, void **handle);
	uint32_t (*stream_null)(void **handle);
	uint32_t (*stream_write)(void *handle, const char *text, size_t length);
	uint32_t (*stream_read)(void *handle, size_t limit, struct str *text);
	uint32_t (*pipe_create)(void **read_end, void **write_end);
	uint32_t (*inheritable)(void *handle, void **copy);
	uint32_t (*attrs_create)(size_t count, void **attributes);
	uint32_t (*attrs_add)(void *attributes, const struct wapi_attr *attr);
	void (*attrs_free)(void *attributes);
	/* Suspended. */
	uint32_t (*process_create)(const struct wapi_start *start, void **process, void **thread);
	uint32_t (*thread_resume)(void *thread, uint32_t *count_before);
	/* Waits until it ends, or the user wants the end: WAPI_TIMEOUT where neither happened. */
	uint32_t (*process_wait)(void *process, uint64_t ns);
	uint32_t (*process_exit_code)(void *process, uint32_t *code);
	uint32_t (*process_kill)(void *process, uint32_t code);
	uint32_t (*pump_start)(struct wapi_pump *pump, void **thread);
	/* WAPI_TIMEOUT where it has still something to carry. */
	uint32_t (*pump_wait)(void *thread, uint64_t ns);
	/* Ends it, whatever it waits for, and frees it. */
	void (*pump_stop)(void *thread);
	void (*close)(void *handle);
	enum wapi_cancel (*cancelled)(void);

	/* What holds of a process. */
	uint32_t (*token_open)(void *process, void **token);
	void (*token_read)(void *token, struct wapi_token *facts);
	/* All that the token may do with the path. */
	uint32_t (*token_access)(void *token, const char *path, uint32_t *granted);
	/* `fill` is what the buffer holds before; a call that leaves it there answered nothing. */
	uint32_t (*mitigation_get)(void *process, enum wapi_mitigation which, uint32_t fill,
	    uint32_t *value);
	uint32_t (*loopback_exempt)(const char *sid, bool *is_exempt);
	uint32_t (*service_runs)(const char *name, bool *runs);
};

extern const struct wapi wapi;

#endif
