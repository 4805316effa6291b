/*
 * What the files that call Windows share. Only they include this.
 */
#ifndef NSBOX_WIN_WAPI_REAL_H
#define NSBOX_WIN_WAPI_REAL_H

#include <windows.h>

#include "win/wapi.h"

/*
 * UTF-8 to UTF-16, owned by the caller. real_wide_path also takes away the limit on a path's
 * length, which functions that take security descriptors do not know.
 */
wchar_t *real_wide(const char *text);
wchar_t *real_wide_bytes(const char *bytes, size_t length);
wchar_t *real_wide_path(const char *path);
/* Back; what is no valid UTF-16 becomes U+FFFD. real_narrow_strict returns NULL then. */
char *real_narrow(const wchar_t *wide);
char *real_narrow_strict(const wchar_t *wide);

/* A function of a system DLL, NULL where it is not there: no import keeps nsbox from starting. */
FARPROC real_find(const wchar_t *dll, const char *name);

/* 0 where the call succeeded, else its error and never 0. */
uint32_t real_result(BOOL success);

/* A handle without the two ways in which Windows says that there is none. */
void *real_handle(HANDLE handle);

/* Text and value of a SID; NULL where it is none. Free with free and LocalFree. */
char *real_sid_text(PSID sid);
PSID real_sid(const char *text);

/* Waits, rounding up, never for ever where less was asked for. */
DWORD real_milliseconds(uint64_t ns);

/* Signalled once the user wants the end. */
HANDLE real_cancel_event(void);

/* wapi_system.c */
uint32_t real_enter(void);
void real_forget(void);
char *real_describe(uint32_t error);
char *real_system_name(void);
const char *real_get_env(const char *name);
void real_list_env(struct str_list *variables);
uint64_t real_clock_ns(void);
void real_sleep_ns(uint64_t ns);
uint32_t real_random(void *bytes, size_t length);
uint32_t real_processors(uint32_t *count);
uint32_t real_user_sid(char **sid);
uint32_t real_self(uint32_t *pid, uint64_t *created);
uint32_t real_is_alive(uint32_t pid, uint64_t created, bool *alive);
uint32_t real_lock(const char *name, void **lock);
void real_unlock(void *lock);
enum wapi_cancel real_cancelled(void);

/* wapi_profile.c */
uint32_t real_profile_create(const char *name, char **sid);
uint32_t real_profile_derive(const char *name, char **sid);
uint32_t real_profile_delete(const char *name);
uint32_t real_profile_exists(const char *name, const char *sid, bool *exists);
uint32_t real_profile_list(const char *prefix, struct str_list *names);

/* wapi_file.c */
uint32_t real_folder(enum wapi_folder which, char **path);
uint32_t real_path_look(const char *path, struct wapi_path *found);
uint32_t real_folder_make(const char *path);
uint32_t real_folder_list(const char *path, struct str_list *names);
uint32_t real_file_read(const char *path, size_t limit, struct str *text);
uint32_t real_file_replace(const char *path, const char *text, size_t length);
uint32_t real_file_remove(const char *path);
uint32_t real_write_all(HANDLE handle, const char *text, size_t length);
uint32_t real_read_all(HANDLE handle, size_t limit, struct str *text);

/* wapi_tree.c */
uint32_t real_tree_remove(const char *path);

/* wapi_acl.c */
uint32_t real_folder_create(const char *path, const char *sddl);
uint32_t real_acl_read(const char *path, struct wapi_acl *acl);
uint32_t real_acl_grant(const char *path, const char *sid, uint32_t mask);
uint32_t real_acl_revoke(const char *path, const char *sid);

/* wapi_job.c */
uint32_t real_job_create(void **job);
uint32_t real_job_set_limits(void *job, const struct wapi_limits *limits);
uint32_t real_job_get_limits(void *job, struct wapi_limits *limits);
uint32_t real_job_set_ui(void *job, uint32_t mask);
uint32_t real_job_get_ui(void *job, uint32_t *mask);
uint32_t real_job_set_rate(void *job, uint32_t rate);
uint32_t real_job_get_rate(void *job, uint32_t *rate);
uint32_t real_job_usage(void *job, struct wapi_usage *usage);
uint32_t real_job_terminate(void *job, uint32_t code);
uint32_t real_job_contains(void *job, void *process, bool *contains);

/* wapi_process.c */
uint32_t real_inheritable(void *handle, void **copy);
uint32_t real_attrs_create(size_t count, void **attributes);
uint32_t real_attrs_add(void *attributes, const struct wapi_attr *attr);
void real_attrs_free(void *attributes);
uint32_t real_process_create(const struct wapi_start *start, void **process, void **thread);
uint32_t real_thread_resume(void *thread, uint32_t *count_before);
uint32_t real_process_wait(void *process, uint64_t ns);
uint32_t real_process_exit_code(void *process, uint32_t *code);
uint32_t real_process_kill(void *process, uint32_t code);
void real_close(void *handle);

/* wapi_stream.c */
uint32_t real_stream_get(int number, enum wapi_stream *kind, void **handle);
uint32_t real_stream_null(void **handle);
uint32_t real_stream_write(void *handle, const char *text, size_t length);
uint32_t real_stream_read(void *handle, size_t limit, struct str *text);
uint32_t real_pipe_create(void **read_end, void **write_end);
uint32_t real_pump_start(struct wapi_pump *pump, void **thread);
uint32_t real_pump_wait(void *thread, uint64_t ns);
void real_pump_stop(void *thread);

/* wapi_token.c */
uint32_t real_token_open(void *process, void **token);
void real_token_read(void *token, struct wapi_token *facts);
uint32_t real_token_access(void *token, const char *path, uint32_t *granted);
uint32_t real_mitigation_get(void *process, enum wapi_mitigation which, uint32_t fill,
    uint32_t *value);
uint32_t real_loopback_exempt(const char *sid, bool *is_exempt);
uint32_t real_service_runs(const char *name, bool *runs);

#endif
