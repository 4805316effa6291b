/*
 * Tests of linux/runtime.c on made-up trees, one for each layout of a system: what
 * is named is enough to run a program there, and shows nothing that is private.
 */
#include "linux/runtime.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/str.h"
#include "linux/resolve.h"
#include "unit/unit.h"

/* A file, or a link where there is a text. The folders on the way are made. */
struct entry {
	const char *path;
	const char *link;
};

static void make_folders_for(const char *path)
{
	char *folder = xstrdup(path);

	for (char *at = strchr(folder, '/'); at != NULL; at = strchr(at + 1, '/')) {
		*at = '\0';
		ck_assert(mkdir(folder, 0755) == 0 || errno == EEXIST);
		*at = '/';
	}
	free(folder);
}

/* Makes a new tree and returns a descriptor of it. */
static int make_tree(const struct entry *entries, size_t count)
{
	char name[] = "runtime-XXXXXX";
	int root;

	ck_assert_ptr_nonnull(mkdtemp(name));
	ck_assert_int_eq(chdir(name), 0);
	for (size_t i = 0; i < count; i++) {
		make_folders_for(entries[i].path);
		if (entries[i].link != NULL) {
			ck_assert_int_eq(symlink(entries[i].link, entries[i].path), 0);
			continue;
		}
		root = open(entries[i].path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		ck_assert_int_ge(root, 0);
		close(root);
	}
	root = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(root, 0);
	return root;
}

static void expect_paths(int root, const char *expected)
{
	struct str_list paths = STR_LIST_INIT;
	struct str text = STR_INIT;

	runtime_paths(root, &paths);
	for (size_t i = 0; i < paths.count; i++)
		str_addf(&text, "%s%s", i ? " " : "", paths.items[i]);
	ck_assert_str_eq(str_text(&text), expected);
	str_free(&text);
	str_list_free(&paths);
}

static bool is_below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Whether `path` is a link that is recreated or lies in what is bound. */
static bool is_shown(int root, const char *path)
{
	struct str_list paths = STR_LIST_INIT;
	bool found = false;

	runtime_paths(root, &paths);
	for (size_t i = 0; i < paths.count && !found; i++) {
		struct resolved shown;

		if (resolve_path(root, paths.items[i], &shown) < 0)
			continue;
		found = is_below(path, shown.path);
		for (size_t link = 0; link < shown.links.count && !found; link += 2)
			found = strcmp(path, shown.links.items[link]) == 0;
		resolved_free(&shown);
	}
	str_list_free(&paths);
	return found;
}

/* Inside, `path` leads to where it leads on the host: each link on the way is there too. */
static void expect_works(int root, const char *path)
{
	struct resolved resolved;

	ck_assert_msg(resolve_path(root, path, &resolved) == 0, "%s: %s", path, strerror(errno));
	ck_assert_msg(is_shown(root, resolved.path), "%s: %s is not shown", path, resolved.path);
	for (size_t i = 0; i < resolved.links.count; i += 2)
		ck_assert_msg(is_shown(root, resolved.links.items[i]), "%s: the link %s is not shown",
		    path, resolved.links.items[i]);
	resolved_free(&resolved);
}

/* What no layout may show, in every tree. */
#define PRIVATE \
	{ "etc/passwd", NULL }, { "etc/shadow", NULL }, { "etc/ssl/private/key.pem", NULL }, \
	{ "etc/pki/tls/private/key.pem", NULL }, { "etc/ssh/ssh_host_key", NULL }, \
	{ "root/file", NULL }, { "home/user/file", NULL }, { "var/log/syslog", NULL }, \
	{ "var/lib/service/data", NULL }, { "run/service.socket", NULL }, { "tmp/file", NULL }, \
	{ "srv/file", NULL }, { "boot/vmlinuz", NULL }, { "opt/program", NULL }

static void expect_private(int root)
{
	static const struct entry entries[] = { PRIVATE };

	for (size_t i = 0; i < UNIT_COUNT(entries); i++) {
		char *path = xasprintf("/%s", entries[i].path);

		ck_assert_msg(!is_shown(root, path), "%s is shown", path);
		free(path);
	}
}

START_TEST(merged_usr_has_links_in_the_root)
{
	static const struct entry tree[] = {
		PRIVATE, { "bin", "usr/bin" }, { "sbin", "usr/sbin" }, { "lib", "usr/lib" },
		{ "lib64", "usr/lib64" }, { "usr/bin/mawk", NULL }, { "usr/sbin/ldconfig", NULL },
		{ "usr/lib64/ld-linux-x86-64.so.2", "../lib/x86_64-linux-gnu/ld.so" },
		{ "usr/lib/x86_64-linux-gnu/ld.so", NULL }, { "usr/bin/awk", "/etc/alternatives/awk" },
		{ "etc/alternatives/awk", "/usr/bin/mawk" }, { "etc/ld.so.cache", NULL },
		{ "etc/ssl/certs/authority.pem", "/usr/share/ca-certificates/authority.crt" },
		{ "usr/share/ca-certificates/authority.crt", NULL },
		{ "etc/localtime", "/usr/share/zoneinfo/Etc/UTC" }, { "usr/share/zoneinfo/Etc/UTC", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	expect_paths(root, "/usr /bin /sbin /lib /lib64 /etc/ld.so.cache /etc/alternatives "
	    "/etc/ssl/certs /etc/localtime");
	expect_works(root, "/bin/awk");
	expect_works(root, "/sbin/ldconfig");
	expect_works(root, "/lib64/ld-linux-x86-64.so.2");
	expect_works(root, "/etc/ssl/certs/authority.pem");
	expect_works(root, "/etc/localtime");
	expect_private(root);
	close(root);
}
END_TEST

START_TEST(split_usr_has_folders_in_the_root)
{
	static const struct entry tree[] = {
		PRIVATE, { "bin/busybox", NULL }, { "bin/sh", "/bin/busybox" }, { "sbin/apk", NULL },
		{ "lib/ld-musl-x86_64.so.1", NULL }, { "usr/bin/python3", "python3.12" },
		{ "usr/bin/python3.12", NULL }, { "usr/lib/libc.musl-x86_64.so.1", "../../lib/ld-musl-x86_64.so.1" },
		{ "etc/ld-musl-x86_64.path", NULL }, { "etc/ssl/cert.pem", "certs/ca-certificates.crt" },
		{ "etc/ssl/certs/ca-certificates.crt", NULL }, { "etc/timezone", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	expect_paths(root, "/usr /bin /sbin /lib /etc/ld-musl-x86_64.path /etc/ssl/certs "
	    "/etc/ssl/cert.pem /etc/timezone");
	expect_works(root, "/bin/sh");
	expect_works(root, "/usr/bin/python3");
	expect_works(root, "/usr/lib/libc.musl-x86_64.so.1");
	expect_works(root, "/etc/ssl/cert.pem");
	expect_private(root);
	close(root);
}
END_TEST

START_TEST(certificates_are_found_where_fedora_and_suse_keep_them)
{
	static const struct entry tree[] = {
		PRIVATE, { "usr/bin/curl", NULL }, { "etc/ssl/certs", "../pki/tls/certs" },
		{ "etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem" },
		{ "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", NULL },
		{ "etc/pki/tls/openssl.cnf", NULL },
		{ "etc/crypto-policies/back-ends/openssl.config", "/usr/share/crypto-policies/DEFAULT/openssl.txt" },
		{ "usr/share/crypto-policies/DEFAULT/openssl.txt", NULL },
		{ "etc/ssl/ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem" },
		{ "var/lib/ca-certificates/ca-bundle.pem", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	expect_works(root, "/etc/ssl/certs/ca-bundle.crt");
	expect_works(root, "/etc/pki/tls/openssl.cnf");
	expect_works(root, "/etc/crypto-policies/back-ends/openssl.config");
	expect_works(root, "/etc/ssl/ca-bundle.pem");
	expect_private(root);
	close(root);
}
END_TEST

START_TEST(nixos_has_a_store_and_a_profile_of_the_system)
{
	static const struct entry tree[] = {
		PRIVATE, { "bin/sh", "/nix/store/1-bash/bin/sh" }, { "usr/bin/env", "/nix/store/2-coreutils/bin/env" },
		{ "nix/store/1-bash/bin/sh", NULL }, { "nix/store/2-coreutils/bin/env", NULL },
		{ "nix/store/3-system/sw", "/nix/store/4-path" },
		{ "nix/store/4-path/bin/python3", "/nix/store/5-python/bin/python3" },
		{ "nix/store/5-python/bin/python3", NULL }, { "run/current-system", "/nix/store/3-system" },
		{ "nix/var/nix/profiles/per-user/user/file", NULL },
		{ "etc/static", "/nix/store/6-etc/etc" },
		{ "etc/ssl/certs/ca-certificates.crt", "/etc/static/ssl/certs/ca-certificates.crt" },
		{ "nix/store/6-etc/etc/ssl/certs/ca-certificates.crt", "/nix/store/7-cacert/ca-bundle.crt" },
		{ "nix/store/7-cacert/ca-bundle.crt", NULL },
		{ "etc/zoneinfo", "/nix/store/8-tzdata/zoneinfo" }, { "etc/localtime", "/etc/zoneinfo/UTC" },
		{ "nix/store/8-tzdata/zoneinfo/UTC", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	expect_works(root, "/bin/sh");
	expect_works(root, "/usr/bin/env");
	expect_works(root, "/run/current-system/sw/bin/python3");
	expect_works(root, "/etc/localtime");
	expect_works(root, "/etc/ssl/certs/ca-certificates.crt");
	ck_assert(!is_shown(root, "/nix/var/nix/profiles/per-user/user/file"));
	expect_private(root);
	close(root);
}
END_TEST

START_TEST(guix_has_a_store_and_a_profile_of_the_system)
{
	static const struct entry tree[] = {
		PRIVATE, { "bin/sh", "/gnu/store/1-bash/bin/sh" }, { "gnu/store/1-bash/bin/sh", NULL },
		{ "usr/bin/env", "/gnu/store/2-coreutils/bin/env" }, { "gnu/store/2-coreutils/bin/env", NULL },
		{ "run/current-system", "/var/guix/profiles/system" },
		{ "var/guix/profiles/system", "system-7-link" },
		{ "var/guix/profiles/system-7-link", "/gnu/store/3-system" },
		{ "gnu/store/3-system/profile", "/gnu/store/4-profile" },
		{ "gnu/store/4-profile/bin/guile", "/gnu/store/5-guile/bin/guile" },
		{ "gnu/store/5-guile/bin/guile", NULL }, { "var/guix/db/db.sqlite", NULL },
		{ "etc/ssl/certs", "/run/current-system/profile/etc/ssl/certs" },
		{ "gnu/store/4-profile/etc/ssl/certs/ca-certificates.crt", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	expect_paths(root, "/usr /bin /gnu/store /run/current-system /etc/ssl/certs");
	expect_works(root, "/bin/sh");
	expect_works(root, "/usr/bin/env");
	expect_works(root, "/run/current-system/profile/bin/guile");
	expect_works(root, "/etc/ssl/certs/ca-certificates.crt");
	ck_assert(!is_shown(root, "/var/guix/db/db.sqlite"));
	expect_private(root);
	close(root);
}
END_TEST

START_TEST(what_the_host_does_not_have_is_left_out)
{
	static const struct entry bare[] = { PRIVATE };
	static const struct entry only_usr[] = { { "usr/bin/true", NULL } };
	int root = make_tree(bare, UNIT_COUNT(bare));

	expect_paths(root, "");
	expect_private(root);
	close(root);
	root = make_tree(only_usr, UNIT_COUNT(only_usr));
	expect_paths(root, "/usr");
	close(root);
}
END_TEST

START_TEST(the_tests_above_would_notice)
{
	static const struct entry tree[] = {
		PRIVATE, { "usr/bin/program", "/opt/program" }, { "usr/bin/other", NULL },
	};
	int root = make_tree(tree, UNIT_COUNT(tree));

	ck_assert(is_shown(root, "/usr/bin/other"));
	ck_assert(!is_shown(root, "/opt/program"));
	ck_assert(!is_shown(root, "/usrlocal"));
	close(root);
}
END_TEST

START_TEST(paths_are_added_to_those_that_are_there)
{
	struct str_list paths = STR_LIST_INIT;

	str_list_add(&paths, "/first");
	runtime_paths(-1, &paths);
	ck_assert_uint_gt(paths.count, 1);
	ck_assert_str_eq(paths.items[0], "/first");
	for (size_t i = 1; i < paths.count; i++) {
		struct stat status;

		ck_assert_msg(lstat(paths.items[i], &status) == 0, "%s", paths.items[i]);
	}
	str_list_free(&paths);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		merged_usr_has_links_in_the_root,
		split_usr_has_folders_in_the_root,
		certificates_are_found_where_fedora_and_suse_keep_them,
		nixos_has_a_store_and_a_profile_of_the_system,
		guix_has_a_store_and_a_profile_of_the_system,
		what_the_host_does_not_have_is_left_out,
		the_tests_above_would_notice,
		paths_are_added_to_those_that_are_there,
	};

	return unit_run("linux/runtime", tests, UNIT_COUNT(tests));
}
