/*
 * Making, filling and freeing what only bubblewrap's command line asks for.
 */
#include "core/spec_bwrap.h"

#include <stdlib.h>

struct spec_bwrap *spec_bwrap_new(void)
{
	struct spec_bwrap *bwrap = xcalloc(1, sizeof(*bwrap));

	for (size_t i = 0; i < SPEC_FD_COUNT; i++)
		bwrap->fds[i] = -1;
	return bwrap;
}

void spec_bwrap_free(struct spec_bwrap *bwrap)
{
	if (!bwrap)
		return;
	for (size_t i = 0; i < bwrap->program_count; i++)
		free(bwrap->programs[i].bytes);
	free(bwrap->capabilities);
	free(bwrap->programs);
	free(bwrap->sync_fds);
	str_list_free(&bwrap->lock_files);
	free(bwrap->argv0);
	free(bwrap);
}

void spec_bwrap_add_sync(struct spec_bwrap *bwrap, int fd)
{
	bwrap->sync_fds = xreallocarray(bwrap->sync_fds, bwrap->sync_count + 1, sizeof(int));
	bwrap->sync_fds[bwrap->sync_count++] = fd;
}

void spec_bwrap_add_capability(struct spec_bwrap *bwrap, bool is_added, int number)
{
	size_t count = bwrap->capability_count + 1;

	bwrap->capabilities = xreallocarray(bwrap->capabilities, count, sizeof(*bwrap->capabilities));
	bwrap->capabilities[bwrap->capability_count++] = (struct spec_capability){ is_added, number };
}

void spec_bwrap_add_program(struct spec_bwrap *bwrap, char *bytes, size_t length)
{
	size_t count = bwrap->program_count + 1;

	bwrap->programs = xreallocarray(bwrap->programs, count, sizeof(*bwrap->programs));
	bwrap->programs[bwrap->program_count++] = (struct spec_program){ bytes, length };
}
