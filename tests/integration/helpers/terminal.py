"""Terminals for terminal.t: terminal.py NSBOX FOLDER

Each test runs a caller, a process in a session of its own with a new terminal, which starts nsbox as a shell
would, and talks to it from the other end. Prints "ok NAME", "not NAME :: why" or "skip NAME :: why".
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

NSBOX, FOLDER = sys.argv[1:3]
LIMIT = 10

# Asks for TIOCSTI and TIOCLINUX by the bare system call, so that all 64 bits of the request are ours.
TYPE = r'''
import ctypes, errno, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
number = {"x86_64": 16, "aarch64": 29, "riscv64": 29}.get(platform.machine())
c = ctypes.create_string_buffer(b"#")
for request in (0x5412, 0x541C):
    for garbage in (0, 0xdeadbeef00000000, 0xffffffff00000000, 1 << 32):
        result = libc.syscall(ctypes.c_long(number), ctypes.c_long(0),
            ctypes.c_ulong(request | garbage), c)
        print("asked", hex(request), errno.errorcode.get(ctypes.get_errno(), "none") if result else "done")
result = libc.syscall(ctypes.c_long(number), ctypes.c_long(0), ctypes.c_ulong(0xdeadbeef00005413), ctypes.create_string_buffer(8))
print("size", result)
'''


def result(good, name, why=''):
    why = repr(why)[:800]
    print('ok ' + name if good else 'not %s :: %s' % (name, why), flush=True)


class Terminal:
    """A caller with a terminal; `script` is run by sh there."""

    def __init__(self, script, *words):
        self.text = ''
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvp('sh', ['sh', '-c', script, 'sh', *words])

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            got = os.read(self.fd, 65536)
        except OSError:
            return None
        self.text += got.decode(errors='replace')
        return bool(got)

    def until(self, pattern, limit=LIMIT):
        end = time.monotonic() + limit
        while not re.search(pattern, self.text):
            left = end - time.monotonic()
            if left <= 0 or self.read(left) is None:
                return bool(re.search(pattern, self.text))
        return True

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self):
        """The exit status; kills what does not end."""
        limit = time.monotonic() + LIMIT
        while self.read(0.05) is not None and time.monotonic() < limit:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0.05):
                    pass
                self.status = os.waitstatus_to_exitcode(status)
                break
        else:
            if time.monotonic() >= limit:
                os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        return self.status


def interactive_shell():
    t = Terminal('"$0" --ro /usr --env PS1="in> " -- sh -i; echo "back $?"'.replace('$0', NSBOX))
    result(t.until('in> '), 'an interactive shell prompts', t.text)
    result('job control' not in t.text, 'it has job control', t.text)
    t.type('sleep 30 &\n')
    t.until(r'in> .*in> ')
    t.type('jobs; echo listed\n')
    result(t.until(r'Running.*sleep 30'), 'it lists a job in the background', t.text)
    t.type('fg\n')
    time.sleep(0.3)
    t.type('\x1a')
    result(t.until(r'Stopped'), 'a job can be stopped by Ctrl-Z', t.text)
    t.type('kill -9 %1; exit 3\n')
    t.until('in> $', 0.5)
    t.type('exit 3\n')
    result(t.until(r'back 3'), 'its exit status comes out', t.text)
    t.end()


def interrupt():
    t = Terminal('trap : INT; "%s" --ro /usr -- sh -c \'trap "n=x\\$n; echo got\\$n" INT; echo ready; '
                 'i=0; while [ $i -lt 12 ]; do sleep 0.1; i=$((i+1)); done; echo end; exit 4\'; echo "back $?"' % NSBOX)
    t.until('ready')
    time.sleep(0.3)
    t.type('\x03')
    result(t.until(r'got'), 'Ctrl-C reaches the command', t.text)
    result(t.until(r'back 4'), 'and nsbox stays until the command ends', t.text)
    result('gotxx' not in t.text, 'once', t.text)
    t.end()


def interrupt_ends():
    t = Terminal('trap : INT; "%s" --ro /usr -- sh -c "echo ready; sleep 20"; echo "back $?"' % NSBOX)
    t.until('ready')
    # A shell that is interrupted while it starts a program does not always end, in a sandbox or not.
    time.sleep(0.3)
    t.type('\x03')
    result(t.until(r'back 130'), 'a command that Ctrl-C ends is 130', t.text)
    t.end()


def given_back():
    script = ('before=$(stty -g); "%s" --ro /usr -- python3 -c "%s"; echo "status $?"; '
              '[ "$(stty -g)" = "$before" ] && echo same modes; '
              'ps -o pgid=,tpgid= -p $$ | { read -r a b; [ "$a" = "$b" ] && echo same group; }; '
              'read -r line; echo "read $line"')
    inside = ('import os, tty, signal; os.setpgid(0, 0); signal.signal(signal.SIGTTOU, signal.SIG_IGN); '
              'os.tcsetpgrp(0, os.getpid()); tty.setraw(0); print(0, flush=True); os.kill(os.getpid(), 9)')
    t = Terminal(script % (NSBOX, inside))
    t.until('same group|status', LIMIT)
    t.until('same group', 3)
    result('status 137' in t.text, 'a command in raw mode was killed', t.text)
    result('same modes' in t.text, 'the modes are given back', t.text)
    result('same group' in t.text, 'the foreground is given back', t.text)
    t.type('hello\n')
    result(t.until('read hello'), 'the caller can read from it', t.text)
    t.end()


def stop_and_go_on():
    t = Terminal('PS1="out> " exec bash --norc --noprofile -i')
    t.until('out> ')
    t.type('"%s" --ro /usr -- sh -c "echo rea\'\'dy; sleep 1.5; echo fin\'\'ished"\n' % NSBOX)
    result(t.until(r'ready'), 'a command runs as a job of a shell', t.text)
    # The shell inside makes its next process by vfork. One that is stopped before it executes
    # anything holds up that shell for good, with and without nsbox.
    time.sleep(0.5)
    t.type('\x1a')
    result(t.until(r'Stopped', 5), 'Ctrl-Z gives the shell back', t.text)
    t.type('fg\n')
    result(t.until(r'finished'), 'and fg goes on', t.text)
    t.type('exit\n')
    t.type('exit\n')
    t.end()


def asked(options):
    report = os.path.join(FOLDER, 'terminal.json')
    t = Terminal('cd "$1"; "%s" --ro /usr --report "$2" %s -- python3 -c "$3"; echo "back $?"' % (NSBOX, options),
                 FOLDER, report, TYPE)
    t.until('back')
    t.end()
    with open(report) as file:
        layers = {layer['name']: layer for layer in json.load(file)['layers']}
    return t.text, layers


def typing():
    text, layers = asked('')
    answers = re.findall(r'asked 0x\w+ (\w+)', text)
    result(answers == ['EPERM'] * 8, 'typing and pasting are refused, whatever stands above the request', text)
    result('size 0' in text, 'other requests are not', text)
    result(layers['session']['state'] != 'applied', 'a shared session is not reported as one of its own',
           layers['session'])
    t = Terminal('python3 -c "$1"; echo back', TYPE)
    t.until('back')
    t.end()
    answers = re.findall(r'asked 0x5412 (\w+)', t.text)
    name = 'without nsbox typing is possible'
    if answers and answers[0] != 'done':
        print('skip %s :: this kernel refuses TIOCSTI to everybody (%s)' % (name, answers[0]))
    else:
        result(answers[:1] == ['done'], name, t.text)


def new_session():
    t = Terminal('"%s" --ro /usr --new-session --report "$1" -- sh -c "exec 3</dev/tty; echo open"; echo "back $?"'
                 % NSBOX, os.path.join(FOLDER, 'session.json'))
    t.until('back')
    t.end()
    result('back 0' not in t.text and '\nopen' not in t.text,
           'with --new-session there is no controlling terminal', t.text)
    with open(os.path.join(FOLDER, 'session.json')) as file:
        layers = {layer['name']: layer for layer in json.load(file)['layers']}
    result(layers['session']['state'] == 'applied', 'the report says so', layers['session'])
    t = Terminal('"%s" --ro /usr -- sh -c "exec 3</dev/tty; echo open"; echo "back $?"' % NSBOX)
    t.until('back')
    t.end()
    result('open' in t.text and 'back 0' in t.text, 'without it there is', t.text)


def names():
    t = Terminal('"%s" --ro /usr -- sh -c "tty; test -c /dev/console && echo console; ls /dev/pts"; echo "back $?"'
                 % NSBOX)
    t.until('back')
    t.end()
    result('console\r\n' in t.text, 'there is a /dev/console', t.text)
    result(t.text.startswith('/dev/console') or t.text.startswith('/dev/pts/'), 'the terminal has a name inside', t.text)
    result('\n0\r' not in t.text, "the host's other terminals are not in /dev/pts", t.text)


def closed_by_the_other_end():
    t = Terminal('exec "%s" --ro /usr -- sh -c "echo ready; exec sleep 33.25"' % NSBOX)
    t.until('ready')
    os.close(t.fd)
    end = time.monotonic() + LIMIT
    pid = 0
    while not pid and time.monotonic() < end:
        pid = os.waitpid(t.pid, os.WNOHANG)[0]
        time.sleep(0.05)
    result(pid != 0, 'the end of the terminal ends the sandbox')
    if not pid:
        os.kill(t.pid, signal.SIGKILL)
        os.waitpid(t.pid, 0)


for test in (interactive_shell, interrupt, interrupt_ends, given_back, stop_and_go_on, typing, new_session, names,
             closed_by_the_other_end):
    try:
        test()
    except Exception as fault:      # the other tests still say something
        result(False, test.__name__ + ' ran to its end', fault)
