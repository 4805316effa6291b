/*
 * The table that is Windows itself.
 */
#include "win/wapi_real.h"

const struct wapi wapi = {
#define ROW(name) .name = real_##name
	ROW(enter), ROW(forget), ROW(describe), ROW(system_name), ROW(get_env), ROW(list_env),
	ROW(clock_ns), ROW(sleep_ns), ROW(random), ROW(processors), ROW(user_sid), ROW(self),
	ROW(is_alive), ROW(lock), ROW(unlock), ROW(cancelled),
	ROW(profile_create), ROW(profile_derive), ROW(profile_delete), ROW(profile_exists),
	ROW(profile_list),
	ROW(folder), ROW(path_look), ROW(folder_make), ROW(folder_create), ROW(folder_list),
	ROW(tree_remove), ROW(file_read), ROW(file_replace), ROW(file_remove), ROW(acl_read),
	ROW(acl_grant), ROW(acl_revoke),
	ROW(job_create), ROW(job_set_limits), ROW(job_get_limits), ROW(job_set_ui), ROW(job_get_ui),
	ROW(job_set_rate), ROW(job_get_rate), ROW(job_usage), ROW(job_terminate), ROW(job_contains),
	ROW(stream_get), ROW(stream_null), ROW(stream_write), ROW(stream_read), ROW(pipe_create),
	ROW(inheritable), ROW(attrs_create), ROW(attrs_add), ROW(attrs_free), ROW(process_create),
	ROW(thread_resume), ROW(process_wait), ROW(process_exit_code), ROW(process_kill),
	ROW(pump_start), ROW(pump_wait), ROW(pump_stop), ROW(close),
	ROW(token_open), ROW(token_read), ROW(token_access), ROW(mitigation_get),
	ROW(loopback_exempt), ROW(service_runs),
#undef ROW
};
