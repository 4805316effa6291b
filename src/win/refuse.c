/*
 * What nsbox has options for and Windows has no means for: refused by name,
 * before anything is made. Nothing is ever left out in silence.
 */
#include "win/run.h"

#include "win/path.h"

static bool has_net_host(const struct spec *spec)
{
	return spec->network == SPEC_NETWORK_HOST;
}

static bool has_uid(const struct spec *spec)
{
	return spec->has_uid;
}

static bool has_gid(const struct spec *spec)
{
	return spec->has_gid;
}

static bool has_hostname(const struct spec *spec)
{
	return spec->hostname != NULL;
}

static bool has_cap_add(const struct spec *spec)
{
	return spec->cap_add.count > 0;
}

static bool has_rlimit(const struct spec *spec)
{
	return spec->rlimit_count > 0;
}

static bool has_scratch_size(const struct spec *spec)
{
	return spec->scratch_bytes > 0;
}

static bool has_scratch_inodes(const struct spec *spec)
{
	return spec->scratch_inodes > 0;
}

static bool has_pass_fd(const struct spec *spec)
{
	return spec->pass_fds_count > 0;
}

static bool has_new_session(const struct spec *spec)
{
	return spec->new_session;
}

static bool has_allow_userns(const struct spec *spec)
{
	return spec->allow_userns;
}

static bool has_grace(const struct spec *spec)
{
	return spec->grace_ns > 0;
}

static const struct {
	const char *option;
	bool (*given)(const struct spec *);
	const char *reason;
} rows[] = {
	{ "--net host", has_net_host, "an AppContainer without capabilities has no network" },
	{ "--uid", has_uid, "the user inside is the caller" },
	{ "--gid", has_gid, "the user inside is the caller" },
	{ "--hostname", has_hostname, "there is one name for the whole machine" },
	{ "--cap-add", has_cap_add, "it is about capabilities of Linux" },
	{ "--rlimit", has_rlimit, "there are no resource limits of single processes" },
	{ "--scratch-size", has_scratch_size, "a folder has no quota" },
	{ "--scratch-inodes", has_scratch_inodes, "a folder has no quota" },
	{ "--pass-fd", has_pass_fd, "there are no descriptors to inherit" },
	{ "--new-session", has_new_session, "there are no sessions of terminals" },
	{ "--allow-userns", has_allow_userns, "there are no user namespaces" },
	{ "--grace", has_grace, "there is no signal that asks a process to end" },
};

static int check_place(const struct spec_fs *fs, struct err *err)
{
	if (fs->kind == SPEC_FS_RUNTIME)
		return 0;	/* Windows and installed programs are readable to every AppContainer */
	if (fs->kind != SPEC_FS_BIND || !fs->same_place)
		return err_set(err, ERR_USAGE, "%s: Windows shows everything at its own place; only --ro and "
		    "--rw can be asked for", fs->option);
	if (!path_has_drive(fs->source))
		return err_set(err, ERR_USAGE, "%s: '%s' does not begin with a drive (such as C:\\tools)",
		    fs->option, fs->source);
	return 0;
}

int refuse_check(const struct spec *spec, struct err *err)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].given(spec))
			return err_set(err, ERR_USAGE, "%s: cannot be had on Windows: %s", rows[i].option,
			    rows[i].reason);
	for (size_t i = 0; i < spec->fs_count; i++)
		if (check_place(&spec->fs[i], err) < 0)
			return -1;
	if (spec->chdir && !path_has_drive(spec->chdir))
		return err_set(err, ERR_USAGE, "--chdir: '%s' does not begin with a drive (such as C:\\tools)",
		    spec->chdir);
	return 0;
}
