/*
 * A Windows in memory, behind the seam of src/win: files with access control
 * lists, profiles, jobs and processes. Any call can be made to fail, to be the last one
 * before nsbox is killed, or to lie.
 */
#ifndef NSBOX_TESTS_WIN_FAKE_WIN_H
#define NSBOX_TESTS_WIN_FAKE_WIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "win/wapi.h"

/* One thing that Windows says and that does not hold, or that holds and is not said. */
enum fake_lie {
	LIE_NONE,
	LIE_NOT_A_CONTAINER, LIE_OTHER_SID, LIE_NO_SID, LIE_HIGH_INTEGRITY, LIE_CAPABILITY,
	LIE_CAPABILITIES_UNREADABLE, LIE_NOT_LPAC, LIE_NOT_IN_JOB, LIE_TWO_IN_JOB, LIE_NO_FLAGS,
	LIE_PIDS, LIE_MEM, LIE_CPU, LIE_RATE, LIE_UI, LIE_MITIGATION_UNTOUCHED, LIE_MITIGATION_OFF,
	LIE_GRANT_DROPPED, LIE_GRANT_TOO_WIDE, LIE_SCRATCH_UNPROTECTED, LIE_SCRATCH_FOR_OTHERS,
	LIE_SCRATCH_WITHOUT_ENTRY, LIE_HOME_OPEN, LIE_JOURNAL_OPEN, LIE_SCRATCH_CLOSED,
	LIE_READ_ONLY_WRITABLE, LIE_READ_ONLY_CLOSED, LIE_EXEMPT, LIE_NO_FIREWALL, LIE_DERIVED_SID,
	LIE_CREATED_SID, LIE_RESUMED_TWICE, LIE_PROFILE_STAYS, LIE_REVOKE_IGNORED, LIE_TREE_STAYS,
	LIE_NEVER_EMPTY
};

enum { FAKE_NEVER = 0 };

struct fake_win {
	/* What the test asks for. */
	unsigned fail_at[2];		/* numbers of calls, from 1; FAKE_NEVER: none */
	const char *fail_name;		/* every call of this name fails; NULL: none */
	uint32_t fail_code;
	unsigned die_at;		/* nsbox is killed instead of this call */
	enum fake_lie lie;
	unsigned taken_names;		/* so many profiles exist already under the name that is asked for */
	bool has_no_containers;		/* as on a system without them */
	bool is_in_strict_job;		/* no process in a job that restricts the desktop */
	uint64_t runs_ns;		/* how long the command runs */
	uint64_t uses_user_ns, uses_kernel_ns;
	size_t writes[2];		/* bytes on standard output and standard error */
	uint32_t survivors;		/* processes that it leaves behind */
	enum wapi_cancel cancel;	/* what the user does... */
	uint64_t cancel_ns;		/* ... and when */
	/* What happened. */
	unsigned calls;
	struct str log;			/* names of all calls, each with a blank behind it */
	unsigned created, resumed, running;	/* processes */
	int handles;			/* open */
	bool is_dead;
	struct str written;		/* by stream_write */
	char *command_line;
	size_t environment_size;
};

extern struct fake_win fake;

/* A new machine with Windows, a user, and some folders. Frees the one before. */
void fake_win_boot(void);
/* nsbox is started anew on the same machine; asks for nothing. */
void fake_win_restart(void);
void fake_win_shutdown(void);

/* All that is on the machine and would stay there, as one text. */
void fake_win_state(struct str *text);

/* Adds a file or folder that every container may read where `is_open` says so. */
void fake_win_add(const char *path, bool is_folder, bool is_open);
/* The text of a file, NULL where there is none. Valid until the next call. */
const char *fake_win_text(const char *path);

/* For the files of the fake only. */
uint32_t fake_call(const char *name);
void *fake_new_handle(void);
uint32_t fake_file_access(const char *path, const char *container);
void fake_file_put(const char *path, const char *text);
void fake_file_drop(const char *path);
void fake_files_free(void);
void fake_files_state(struct str *text);
void fake_processes_end(void);
void fake_processes_orphan(void);
void fake_processes_free(void);

#define FAKE_CALL(name) \
	do { \
		uint32_t failed_ = fake_call(name); \
		if (failed_) \
			return failed_; \
	} while (0)

/* The rows of the table that each file fills, declared with the types that they have in it. */
#define FAKE_SYSTEM(X) \
	X(enter) X(forget) X(describe) X(system_name) X(get_env) X(list_env) X(clock_ns) X(sleep_ns) \
	X(random) X(processors) X(user_sid) X(self) X(is_alive) X(lock) X(unlock) X(cancelled) \
	X(profile_create) X(profile_derive) X(profile_delete) X(profile_exists) X(profile_list) \
	X(stream_get) X(stream_null) X(stream_write) X(stream_read) X(pipe_create) X(inheritable) \
	X(close) X(loopback_exempt) X(service_runs)
#define FAKE_FILES(X) \
	X(folder) X(path_look) X(folder_make) X(folder_create) X(folder_list) X(tree_remove) \
	X(file_read) X(file_replace) X(file_remove) X(acl_read) X(acl_grant) X(acl_revoke)
#define FAKE_PROCESSES(X) \
	X(job_create) X(job_set_limits) X(job_get_limits) X(job_set_ui) X(job_get_ui) \
	X(job_set_rate) X(job_get_rate) X(job_usage) X(job_terminate) X(job_contains) \
	X(attrs_create) X(attrs_add) X(attrs_free) X(process_create) X(thread_resume) \
	X(process_wait) X(process_exit_code) X(process_kill) X(pump_start) X(pump_wait) \
	X(pump_stop) X(token_open) X(token_read) X(token_access) X(mitigation_get)
#define FAKE_DECLARE(name) extern __typeof__(*((struct wapi *)0)->name) fake_##name;
FAKE_SYSTEM(FAKE_DECLARE)
FAKE_FILES(FAKE_DECLARE)
FAKE_PROCESSES(FAKE_DECLARE)

#endif
