#include "unit/scratches.h"

#include <signal.h>
#include <stdio.h>

#include <sys/wait.h>
#include <unistd.h>

#include "unit/files.h"
#include "unit/unit.h"

void scratches_begin(void)
{
	files_enter_new_folder();
	files_make_dir("p");
}

struct disk_scratch scratches_make(const char *id)
{
	struct disk_scratch scratch = DISK_SCRATCH_INIT;
	struct err err = ERR_INIT;

	ck_assert_msg(disk_scratch_make(&scratch, "p", id, &err) == 0, "%s", err.message);
	return scratch;
}

void scratches_make_dead(const char *id)
{
	pid_t pid = unit_fork();
	int status;

	if (pid == 0) {
		scratches_make(id);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

void scratches_make_and_remove(unsigned worker, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		struct disk_scratch scratch;
		struct err err = ERR_INIT;
		char id[32];

		snprintf(id, sizeof(id), "%u-%u", worker, i);
		scratch = scratches_make(id);
		snprintf(id, sizeof(id), "p/nsbox-%u-%u/work/file", worker, i);
		files_put(id, "x");
		ck_assert_msg(disk_scratch_remove(&scratch, &err) == 0, "%s", err.message);
	}
}
