/*
 * Job objects.
 */
#include "win/wapi_real.h"

#include <string.h>

uint32_t real_job_create(void **job)
{
	*job = CreateJobObjectW(NULL, NULL);
	return real_result(*job != NULL);
}

uint32_t real_job_set_limits(void *job, const struct wapi_limits *limits)
{
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION info;

	memset(&info, 0, sizeof(info));
	info.BasicLimitInformation.LimitFlags = limits->flags;
	info.BasicLimitInformation.ActiveProcessLimit = limits->processes;
	info.BasicLimitInformation.PerJobUserTimeLimit.QuadPart = (LONGLONG)limits->user_time;
	info.JobMemoryLimit = limits->memory;
	return real_result(SetInformationJobObject(job, JobObjectExtendedLimitInformation, &info, sizeof(info)));
}

uint32_t real_job_get_limits(void *job, struct wapi_limits *limits)
{
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION info;
	uint32_t error;

	memset(&info, 0, sizeof(info));
	error = real_result(QueryInformationJobObject(job, JobObjectExtendedLimitInformation, &info,
	    sizeof(info), NULL));
	if (error)
		return error;
	limits->flags = info.BasicLimitInformation.LimitFlags;
	limits->processes = info.BasicLimitInformation.ActiveProcessLimit;
	limits->user_time = (uint64_t)info.BasicLimitInformation.PerJobUserTimeLimit.QuadPart;
	limits->memory = info.JobMemoryLimit;
	return 0;
}

uint32_t real_job_set_ui(void *job, uint32_t mask)
{
	JOBOBJECT_BASIC_UI_RESTRICTIONS info = { .UIRestrictionsClass = mask };

	return real_result(SetInformationJobObject(job, JobObjectBasicUIRestrictions, &info, sizeof(info)));
}

uint32_t real_job_get_ui(void *job, uint32_t *mask)
{
	JOBOBJECT_BASIC_UI_RESTRICTIONS info = { .UIRestrictionsClass = 0 };
	uint32_t error = real_result(QueryInformationJobObject(job, JobObjectBasicUIRestrictions, &info,
	    sizeof(info), NULL));

	if (!error)
		*mask = info.UIRestrictionsClass;
	return error;
}

uint32_t real_job_set_rate(void *job, uint32_t rate)
{
	JOBOBJECT_CPU_RATE_CONTROL_INFORMATION info;

	memset(&info, 0, sizeof(info));
	info.ControlFlags = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
	info.CpuRate = rate;
	return real_result(SetInformationJobObject(job, JobObjectCpuRateControlInformation, &info, sizeof(info)));
}

uint32_t real_job_get_rate(void *job, uint32_t *rate)
{
	JOBOBJECT_CPU_RATE_CONTROL_INFORMATION info;
	uint32_t error;

	memset(&info, 0, sizeof(info));
	error = real_result(QueryInformationJobObject(job, JobObjectCpuRateControlInformation, &info,
	    sizeof(info), NULL));
	/* A rate that is not a hard cap is none. */
	if (!error)
		*rate = info.ControlFlags & JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP ? info.CpuRate : 0;
	return error;
}

uint32_t real_job_usage(void *job, struct wapi_usage *usage)
{
	JOBOBJECT_BASIC_ACCOUNTING_INFORMATION counts;
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
	uint32_t error;

	memset(&counts, 0, sizeof(counts));
	memset(&limits, 0, sizeof(limits));
	error = real_result(QueryInformationJobObject(job, JobObjectBasicAccountingInformation, &counts,
	    sizeof(counts), NULL));
	if (!error)
		error = real_result(QueryInformationJobObject(job, JobObjectExtendedLimitInformation, &limits,
		    sizeof(limits), NULL));
	if (error)
		return error;
	usage->active = counts.ActiveProcesses;
	usage->total = counts.TotalProcesses;
	usage->user_time = (uint64_t)counts.TotalUserTime.QuadPart;
	usage->kernel_time = (uint64_t)counts.TotalKernelTime.QuadPart;
	usage->peak_memory = limits.PeakJobMemoryUsed;
	return 0;
}

uint32_t real_job_terminate(void *job, uint32_t code)
{
	return real_result(TerminateJobObject(job, code));
}

uint32_t real_job_contains(void *job, void *process, bool *contains)
{
	BOOL is_in = FALSE;
	uint32_t error = real_result(IsProcessInJob(process, job, &is_in));

	if (!error)
		*contains = is_in;
	return error;
}
