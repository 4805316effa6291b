#!/bin/bash
# Which folder may include what: the portable parts reach the system only through the
# interface, and no backend knows another.
# shellcheck source=tests/rules/lib.sh
. "$NSBOX_SRCDIR/tests/rules/lib.sh" || exit 1

# include_offences TREE
include_offences() {
	(cd "$1" && find src -type f \( -name '*.[ch]' -o -name '*.def' \) | sort |
	    xargs awk '
	BEGIN {
		# Folder of src/: folders whose headers it may include; whether system headers too.
		may["core"] = "core"
		may["cli"] = "cli core"
		may["linux"] = "linux core"; system_headers["linux"] = 1
		may["ns"] = "ns linux core"; system_headers["ns"] = 1
		may["landlock"] = "landlock linux core"; system_headers["landlock"] = 1
		may["win"] = "win core"; system_headers["win"] = 1
		may["main.c"] = "cli core"
		# The tables of backends, one a system: the only files that know them all.
		may["backends_linux.c"] = "ns landlock linux core"
		may["backends_win.c"] = "win core"
		n = split("assert complex ctype errno fenv float inttypes iso646 limits " \
		    "locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint " \
		    "stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype", names)
		for (i = 1; i <= n; i++)
			standard[names[i] ".h"] = 1
	}
	FNR == 1 {
		split(FILENAME, part, "/")
		folder = part[2]
		if (!(folder in may))
			print FILENAME ": the folder has no row in this rule"
		delete allowed
		n = split(may[folder], names, " ")
		for (i = 1; i <= n; i++)
			allowed[names[i]] = 1
	}
	/^[ \t]*#[ \t]*include/ {
		line = $0
		sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
		quote = substr(line, 1, 1)
		header = substr(line, 2)
		sub(/[">].*/, "", header)
		if (quote == "<")
			# What decides on Windows is compiled and tested without it.
			fine = (header in standard) || ((folder in system_headers) &&
			    (folder != "win" || part[3] ~ /^wapi_/))
		else if (header == "config.h")
			fine = folder == "main.c"
		else {
			split(header, top, "/")
			fine = index(header, "/") && (top[1] in allowed) && header !~ /\.\./
		}
		if (quote != "<" && quote != "\"")
			fine = 0
		if (!fine)
			print FILENAME ":" FNR ": must not include " header
	}')
}

none "every folder includes only what it may" include_offences "$NSBOX_SRCDIR"

bad_file src/core/a.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include "core/err.h"
#include "linux/sys.h"
END
bad_file src/cli/b.c <<'END'
#include "core/err.h"
#  include "ns/root.h"
END
bad_file src/linux/c.c <<'END'
#include <sys/mount.h>
#include "../ns/root.h"
#include "cli/opt.h"
END
bad_file src/win/job.c <<'END'
#include <stdio.h>
#include <windows.h>
END
bad_file src/win/wapi_job.c <<'END'
#include <windows.h>
END
bad_file src/main.c <<'END'
#include "config.h"
#include "ns/backend_ns.h"
END
caught "a system header in the core is caught" 'src/core/a.c:2: .*unistd.h' include_offences "$bad"
caught "a backend in the core is caught" 'src/core/a.c:4: ' include_offences "$bad"
caught "a backend in the command line is caught" 'src/cli/b.c:2: ' include_offences "$bad"
caught "a path with two dots is caught" 'src/linux/c.c:2: ' include_offences "$bad"
caught "the command line in a backend is caught" 'src/linux/c.c:3: ' include_offences "$bad"
caught "Windows outside the seam is caught" 'src/win/job.c:2: .*windows.h' include_offences "$bad"
caught "a backend in main is caught" 'src/main.c:2: ' include_offences "$bad"
wrong=$(include_offences "$bad" | grep -c -e 'a.c:[13]:' -e 'b.c:1:' -e 'c.c:1:' -e 'main.c:1:' -e 'win/job.c:1:' -e wapi_job)
is "$wrong" "what is allowed is not caught"
plan
