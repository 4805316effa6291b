/*
 * Making, filling and freeing a spec. Judging it is spec_check's business.
 */
#include "core/spec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more item behind `count` (and `spare` more). It doubles whenever the
 * count is a power of two, so that no capacity has to be kept and 20,000 items stay cheap.
 */
static void *grow(void *array, size_t count, size_t spare, size_t size)
{
	if ((count & (count - 1)) != 0)
		return array;
	return xreallocarray(array, count * 2 + 1 + spare, size);
}

void spec_init(struct spec *spec)
{
	memset(spec, 0, sizeof(*spec));
}

static void free_fs(struct spec_fs *fs)
{
	free(fs->source);
	free(fs->dest);
	free(fs->work);
	str_list_free(&fs->layers);
}

void spec_free(struct spec *spec)
{
	size_t i;

	for (i = 0; i < spec->fs_count; i++)
		free_fs(&spec->fs[i]);
	free(spec->fs);
	for (i = 0; i < spec->env_count; i++) {
		free(spec->env[i].name);
		free(spec->env[i].value);
	}
	free(spec->env);
	free(spec->hostname);
	free(spec->chdir);
	str_list_free(&spec->cap_add);
	free(spec->backend);
	free(spec->pass_fds);
	for (i = 0; i < spec->rlimit_count; i++)
		free(spec->rlimits[i].name);
	free(spec->rlimits);
	free(spec->scratch_dir);
	free(spec->scratch_use);
	free(spec->meta);
	free(spec->id);
	free(spec->report);
	for (i = 0; i < spec->command_count; i++)
		free(spec->command[i]);
	free(spec->command);
	spec_bwrap_free(spec->bwrap);
	spec_init(spec);
}

struct spec_fs *spec_add_fs(struct spec *spec, enum spec_fs_kind kind, const char *option)
{
	struct spec_fs *fs;

	assert(!spec->frozen);
	spec->fs = grow(spec->fs, spec->fs_count, 0, sizeof(*spec->fs));
	fs = &spec->fs[spec->fs_count++];
	memset(fs, 0, sizeof(*fs));
	fs->kind = kind;
	fs->option = option;
	fs->fd = -1;
	return fs;
}

void spec_add_env(struct spec *spec, enum spec_env_kind kind, const char *name, size_t length,
    const char *value)
{
	struct spec_env *env;

	assert(!spec->frozen);
	spec->env = grow(spec->env, spec->env_count, 0, sizeof(*spec->env));
	env = &spec->env[spec->env_count++];
	env->kind = kind;
	env->name = xstrndup(name, length);
	env->value = value ? xstrdup(value) : NULL;
}

void spec_add_pass_fd(struct spec *spec, int fd)
{
	assert(!spec->frozen);
	spec->pass_fds = grow(spec->pass_fds, spec->pass_fds_count, 0, sizeof(*spec->pass_fds));
	spec->pass_fds[spec->pass_fds_count++] = fd;
}

void spec_add_rlimit(struct spec *spec, const char *name, size_t length, uint64_t soft,
    uint64_t hard)
{
	struct spec_rlimit *rlimit;

	spec->rlimits = grow(spec->rlimits, spec->rlimit_count, 0, sizeof(*rlimit));
	rlimit = &spec->rlimits[spec->rlimit_count++];
	rlimit->name = xstrndup(name, length);
	rlimit->soft = soft;
	rlimit->hard = hard;
}

void spec_add_word(struct spec *spec, const char *word)
{
	assert(!spec->frozen);
	spec->command = grow(spec->command, spec->command_count, 1, sizeof(*spec->command));
	spec->command[spec->command_count++] = xstrdup(word);
	spec->command[spec->command_count] = NULL;
}
