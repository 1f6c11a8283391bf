"""One executable of a package as a process, whose output comes line by line; it never outlives this process."""

from __future__ import absolute_import, division, print_function

import os
import shlex
import subprocess
import sys

from naosim.compat import PY2, native, start_new_thread

MYPY = False
if MYPY:
    from typing import Any, Callable, List

KEEPER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "keeper.py")
#: Bytes of one line of output; a longer one comes in pieces.
LONGEST_LINE = 2000
#: Names of the robot's Python in a manifest; each stands for the interpreter that runs the robot's behaviours.
PYTHONS = ("python", "python2", "python2.7")
URL = "--qi-url"


class BadCommand(Exception):
    """A command that cannot be run; the message is a sentence."""


class Executable(object):
    """A running executable; `heard(text)` and, once, `ended(status)` are called on a thread of its own."""

    def __init__(self, command, folder, heard, ended):
        # type: (List[str], str, Callable[[str], object], Callable[[int], object]) -> None
        self._heard, self._ended = heard, ended
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-E", KEEPER] + command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=True,
                env=dict(os.environ, PYTHONUNBUFFERED="1"),
            )  # type: Any
        except (OSError, ValueError) as error:
            raise BadCommand("No process can be started: %s." % (getattr(error, "strerror", None) or error))
        start_new_thread(self._listen, ())

    def end(self):  # type: () -> None
        """Have the executable end, politely first; it is over when `ended` is called."""
        try:
            self._process.stdin.close()
        except (IOError, OSError):
            pass  # It is over already.

    def _listen(self):  # type: () -> None
        for line in iter(lambda: self._process.stdout.readline(LONGEST_LINE), b""):
            text = line if PY2 else line.decode("utf-8", "replace")
            self._heard(native(text).rstrip())
        self._process.stdout.close()
        self._ended(self._process.wait())


def command(text, folder, url):  # type: (str, str, str) -> List[str]
    """Return the command that a manifest gives, for this computer and with our address; raises BadCommand.

    The robot's Python is our own interpreter; any other executable has to lie in the package.
    """
    try:
        words = [native(word) for word in shlex.split(text)]
    except ValueError as error:
        raise BadCommand("Its command %r cannot be read: %s." % (text, error))
    if not words:
        raise BadCommand("Its manifest gives no command (execStart).")
    if os.path.basename(words[0]) in PYTHONS:
        words[0] = sys.executable
        if len(words) > 1 and not words[1].startswith("-"):
            _check_within(words[1], folder)
    else:
        words[0] = _check_within(words[0], folder)
    return _without_url(words) + [URL, url]


def _check_within(name, folder):  # type: (str, str) -> str
    """Return the full path of a file of the package; raises BadCommand when there is none."""
    path = os.path.join(folder, name)
    if not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
        raise BadCommand("Its command needs %s, which is not in the package." % name)
    if not os.path.isfile(path):
        raise BadCommand("The package has no file %s." % name)
    return path


def _without_url(words):  # type: (List[str]) -> List[str]
    """Leave out an address that the manifest gives, which is that of another robot."""
    left = []  # type: List[str]
    for before, word in zip([""] + words, words):
        if word != URL and not word.startswith(URL + "=") and before != URL:
            left.append(word)
    return left
