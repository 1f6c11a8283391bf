"""Run a program as on Windows, as far as that can be had elsewhere: our modules see no POSIX-only names.

`python tests/windows_like.py -c "import jotto_desk"` hides them from jotto, jotto_behaviour, jotto_desk and the
packages of naosim alone: the libraries and Python itself are those of this system, and use them.
"""

import builtins
import sys
import types

OURS = ("jotto", "jotto_behaviour", "jotto_desk", "naosim", "naosim_page", "naosim_robots", "naosim_voice", "qiwire")
MISSING = "fcntl termios tty pty pwd grp resource readline syslog crypt curses _posixsubprocess posix"
#: What Windows has of `signal`, beside functions every system has.
SIGNALS = """
SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN signal getsignal default_int_handler raise_signal
set_wakeup_fd strsignal valid_signals Signals Handlers
"""
#: What Windows lacks of `os`, and `select` can do there with sockets alone.
LACKING = {
    "os": """
fork forkpty getpgrp getpgid setpgid tcgetpgrp tcsetpgrp setsid getsid getuid geteuid getgid getegid getgroups setuid
setgid chown fchown lchown fchmod sysconf posix_fallocate posix_fadvise posix_spawn uname mkfifo mknod killpg nice wait3
wait4 register_at_fork pread pwrite statvfs fstatvfs getloadavg openpty ttyname ctermid sync fdatasync sched_getaffinity
sched_yield getpriority O_NONBLOCK O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_SYNC WNOHANG pipe2 set_blocking
""",
    "select": "poll epoll kqueue",
}
usual = builtins.__import__


def select_of_sockets(read, write, failing, seconds=None):
    """Fail as Windows does for anything but sockets."""
    if any(not hasattr(one, "getsockname") for one in [*read, *write, *failing]):
        raise OSError(10038, "an operation was attempted on something that is not a socket")
    return usual("select").select(read, write, failing, seconds)


def narrowed(module):
    """Return a module without what Windows lacks of it."""
    names = set(vars(module)) - set(LACKING.get(module.__name__, "").split())
    if module.__name__ == "signal":
        names = {name for name in names if name in SIGNALS.split() or name.startswith("__")}
    found = types.ModuleType(module.__name__, module.__doc__)
    vars(found).update({name: vars(module)[name] for name in names})
    if module.__name__ == "select":
        found.select = select_of_sockets
    return found


KEPT = {}


def importing(name, globals=None, locals=None, fromlist=(), level=0):
    """Import as usual, but for our modules as on Windows."""
    ours = str((globals or {}).get("__name__", "")).partition(".")[0] in OURS
    if ours and not level and name in MISSING.split():
        raise ModuleNotFoundError(f"No module named '{name}'", name=name)
    module = usual(name, globals, locals, fromlist, level)
    if ours and not level and name in ("os", "signal", "select"):
        return KEPT.setdefault(name, narrowed(module))
    return module


if __name__ == "__main__":
    builtins.__import__ = importing
    # libqi has no wheel for Windows.
    sys.modules["qi"] = None
    assert sys.argv[1] == "-c"
    program, sys.argv = sys.argv[2], ["-c", *sys.argv[3:]]
    exec(compile(program, "<program>", "exec"), {"__name__": "jotto_desk.windows"})
