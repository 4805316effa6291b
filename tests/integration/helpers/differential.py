#!/usr/bin/python3
"""Runs generated command lines through two programs that speak bubblewrap's and compares.

differential.py BWRAP NSBOX FOLDER SEED COUNT [bad]

Both get the same words, in the same fresh files. Compared are the exit status, what a script
inside sees (mounts, ids, environment, descriptors, folder, modes), standard error, and what is
left on the host. With "bad" the words are damaged: only refusals are compared. Each difference
is printed as "#"-lines; the last line is "N alike, N explained, N different".
"""
import os
import random
import re
import shutil
import subprocess
import sys

BWRAP, NSBOX, FOLDER, SEED, COUNT = sys.argv[1:6]
BAD = sys.argv[6:] == ["bad"]
os.environ.clear()
BASE = {"PATH": "/usr/bin:/bin", "HOME": "/", "A": "a", "B": "b"}
LOOK = r"""
echo "id $(id -u) $(id -g)"; pwd; env | sort | grep -v '^_='
cut -d' ' -f4- /proc/self/mountinfo | sed 's/ master:[0-9]*//; s/ shared:[0-9]*//' | sort
grep -E '^(Cap|NoNewPrivs|Seccomp:|SigIgn|SigBlk|Umask)' /proc/self/status | tr '\t' ' '
for f in /proc/self/fd/*; do f=${f##*/}; [ "$f" -gt 9 ] || echo "fd $f"; done | grep -v 'fd 3'
for p in /t /t/n /d /d/n /f /data /l /w/new /w/sub /r; do stat -c '%n %a %F %s' "$p" 2>&1 | grep -v '^stat:'; done
for p in /t/x /w/x /r/x /d/x /x; do (echo x >"$p") 2>/dev/null && echo "wrote $p"; done
cat /f /data 2>/dev/null; readlink /l; ls -A /w /r /d /t 2>/dev/null; uname -n | grep '^inside'
exit 3
"""

# (what of the difference explains it; why). Debian's bubblewrap may be as old as 0.8.
EXPLAINED = [
    (r"/newroot/", "0.8 shows its own name of the new root"),
    (r"realpath\(destination\)|Unable to remount", "0.8 says where it failed inside itself"),
    (r"Can't (mkdir|create file( at)?) ", "0.8 names folders and files apart"),
    (r"takes (an|one|two|three) argument", "0.8 misnames some options"),
    (r"does not take an empty path", "0.8 lets empty paths pass"),
    (r"--userns[a-z0-9-]* (is )?not compatible", "0.8 lacks a word"),
    (r"Destination is not a ", "0.8 says it by errno"),
    (r"Can't make symlink at \S+: (existing destination|File exists)", "0.8 has no idempotent links"),
    (r"output - \S+ \S+ rw,relatime - (devpts|tmpfs)", "0.8 leaves mounts that others hide as they are"),
    (r"output [-+] \S+ 7[05][05] directory", "bubblewrap makes parents 0700"),
    (r"output [-+] CapBnd: ", "0.8 leaves root's bounding set as it is"),
    (r"Unknown option --(argv0|level-prefix|overlay|not-a)", "0.8 has no such option"),
    (r"Only the last --sync-fd", "0.8 keeps one of them"),
    (r"error - .*usage: .* \+ .*usage: ", "the help is in our own words"),
    (r"Unable to open lock file", "bubblewrap says what COMMAND's process says as well"),
    (r"\(it needs \S+, which is not there inside\)", "the missing interpreter is named"),
]
# The same where even the exit status may differ.
WORKS = [
    (r"error - .*Can't stat fd \d+: Bad file descriptor", "a descriptor may be bound twice"),
    (r"error - .*Can't write data to file \S+: Bad file descriptor", "or be read twice: it is empty then"),
    (r"error - .*Can't make symlink at \S+: File exists", "0.8 has no idempotent links"),
]


def fresh():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER + "/w/sub")
    os.makedirs(FOLDER + "/r/sub")
    for name in ("w/file", "r/file", "secret"):
        with open(f"{FOLDER}/{name}", "w", encoding="ascii") as file:
            file.write(name)
    os.symlink("sub", FOLDER + "/w/link")
    os.chmod(FOLDER, 0o755)


def operations(rng):
    w, r = FOLDER + "/w", FOLDER + "/r"
    return rng.choice([
        ["--bind", w, "/w"], ["--ro-bind", r, "/r"], ["--dev-bind", w, "/d"], ["--bind-try", "/none", "/n"],
        ["--ro-bind-try", r + "/file", "/f"], ["--tmpfs", "/t"], ["--perms", "0750", "--tmpfs", "/t"],
        ["--size", "65536", "--tmpfs", "/t/n"], ["--dir", "/d"], ["--perms", "0711", "--dir", "/d/n"],
        ["--symlink", "target", "/l"], ["--file", "7", "/f"], ["--ro-bind-data", "8", "/data"],
        ["--perms", "0644", "--bind-data", "8", "/data"], ["--chmod", "0700", "/d"], ["--remount-ro", "/t"],
        ["--remount-ro", "/w"], ["--bind", w, "/w", "--ro-bind", r, "/w/sub"], ["--dev", "/dev"],
        ["--bind", w, "/w", "--dir", "/w/link/made"], ["--ro-bind", r + "/../r/sub", "/d/../r"],
        ["--bind", w + "/file", "/f"], ["--proc", "/p"], ["--bind", "/none", "/n"], ["--bind", r + "/file", "/r"],
        ["--bind-fd", "9", "/d"], ["--ro-bind-fd", "9", "/d"], ["--bind", w, "/w", "--symlink", "x", "/w/new"],
        ["--chmod", "0700", "/none"], ["--remount-ro", "/none"], ["--tmpfs", "/f"], ["--dir", "/etc/passwd/x"],
    ])


def settings(rng):
    return rng.choice([
        ["--unshare-pid"], ["--unshare-net"], ["--unshare-ipc"], ["--unshare-uts", "--hostname", "inside"],
        ["--unshare-cgroup-try"], ["--unshare-user"], ["--unshare-all"], ["--unshare-all", "--share-net"],
        ["--unshare-user", "--uid", "5"], ["--unshare-user", "--gid", "6"], ["--chdir", "/usr"], ["--chdir", "/none"],
        ["--clearenv", "--setenv", "PATH", "/usr/bin"], ["--setenv", "A", "x y"], ["--unsetenv", "B"],
        ["--setenv", "C", "1", "--unsetenv", "C"], ["--new-session"], ["--die-with-parent"], ["--sync-fd", "6"],
        ["--unshare-user", "--cap-add", "CAP_NET_ADMIN"], ["--cap-drop", "ALL"], ["--unshare-pid", "--as-pid-1"],
        ["--unshare-user", "--disable-userns"], ["--chdir", "/", "--chdir", "/usr"], ["--lock-file", "/usr"],
        ["--unshare-user", "--cap-add", "ALL", "--cap-drop", "cap_sys_admin"],
    ])


def generate(rng):
    words = []
    for _ in range(rng.randint(0, 3)):
        words += settings(rng)
    if rng.random() < 0.3:
        words += ["--ro-bind", "/", "/"]
    else:
        words += ["--ro-bind", "/usr", "/usr", "--proc", "/proc"]
        for name in ("bin", "lib", "lib64"):
            if os.path.islink("/" + name):
                words += ["--symlink", "usr/" + name, "/" + name]
        for _ in range(rng.randint(0, 6)):
            words += operations(rng)
    for _ in range(rng.randint(0, 2)):
        words += settings(rng)
    return words + ["sh", "-c", LOOK]


def damage(rng, words):
    words = words[:-3]
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(words) + 1)
        words[at:at + rng.randint(0, 1)] = [rng.choice([
            "--nope", "", "-x", "--perms", "--size", "7", "--bind", "--uid", "-1", "--hostname", "/", "--tmpfs",
            "--cap-add", "CAP_NONE", "--as-pid-1", "--disable-userns", "--userns", "--seccomp", "99", "--chdir",
            "--setenv", "--args", "--lock-file", "--info-fd", "x", "08", "99999999999999999999"])]
    return words + ["true"]


def give_descriptors():
    for number, text in ((7, b"seven"), (8, b"eight")):
        reader, writer = os.pipe()
        os.write(writer, text)
        os.close(writer)
        os.dup2(reader, number)
        os.close(reader)
    for number, path in ((5, "/dev/null"), (6, "/dev/null"), (9, FOLDER + "/w")):
        fd = os.open(path, os.O_RDONLY)
        os.dup2(fd, number)
        if fd != number:
            os.close(fd)
    for number in (5, 6, 7, 8, 9):
        os.set_inheritable(number, True)


def run(program, words):
    fresh()
    try:
        done = subprocess.run([*program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=20,
                              env=BASE, cwd="/", close_fds=False, preexec_fn=give_descriptors, check=False)
    except subprocess.TimeoutExpired:
        return "timeout", "", "", []
    left = sorted(os.path.join(folder, name)[len(FOLDER):] for folder, folders, files in os.walk(FOLDER)
                  for name in folders + files)
    text = re.sub(r"bindfile\w{6}", "bindfile", done.stdout.decode(errors="replace"))
    text = re.sub(r"(inode64|size=\d{6,}k|nr_inodes=\d+),?", "", text)
    return done.returncode, text, done.stderr.decode(errors="replace"), left


def unexplained(first, second, lines):
    """What of the lines no entry of the lists above explains."""
    if first[0] != second[0]:
        return [] if any(re.search(pattern, "\n".join(lines)) for pattern, _ in WORKS) else lines
    return [line for line in lines if not any(re.search(pattern, line) for pattern, _ in EXPLAINED + WORKS)]


def difference(first, second):
    lines = []
    if first[0] != second[0]:
        lines.append(f"status - {first[0]} + {second[0]}")
    a, b = first[1].splitlines(), second[1].splitlines()
    lines += [f"output - {line}" for line in a if line not in b]
    lines += [f"output + {line}" for line in b if line not in a]
    if first[2] != second[2]:
        lines.append(f"error - {first[2].strip()} + {second[2].strip()}".replace("\n", " | "))
    # Mount points that the first leaves on the host the second takes away.
    lines += [f"only the second leaves {path}" for path in second[3] if path not in first[3]]
    return lines


def main():
    rng = random.Random(int(SEED))
    alike = explained = different = 0
    for number in range(int(COUNT)):
        words = generate(rng)
        if BAD:
            words = damage(rng, words)
        first, second = run([BWRAP], words), run([NSBOX, "--bwrap"], words)
        lines = difference(first, second)
        if not lines:
            alike += 1
            continue
        lines = unexplained(first, second, lines)
        if not lines:
            explained += 1
        else:
            different += 1
            print(f"# {number}: " + " ".join(repr(word) if word != LOOK else "LOOK" for word in words))
            for line in lines:
                print("#    " + line[:600])
    print(f"{alike} alike, {explained} explained, {different} different")
    shutil.rmtree(FOLDER, ignore_errors=True)


main()
