"""Sessions with robots: opened with a time limit, one per address for all proxies, closed when the program ends."""

from __future__ import absolute_import, division, print_function

import atexit
import os
import threading
import time

# libqi writes its log to standard output unless it is told otherwise before it is loaded.
os.environ.setdefault("QI_LOG_LEVEL", "error")
try:
    import qi
except ImportError:
    raise ImportError("naoqi needs libqi: pip install 'nao-jotto[robot]', or for Python 2.7 pip install qi==1.5.0")

MYPY = False
if MYPY:
    from typing import Any

PORT = 9559
#: Seconds within which a robot has to accept a connection.
_CONNECTS_WITHIN = 10.0
#: Milliseconds of one wait inside libqi: Ctrl-C is only noticed between two such waits.
_ONE_WAIT = 200

_lock = threading.Lock()
_shared = {}  # type: dict[str, qi.Session]
_open = []  # type: list[qi.Session]


def address(ip, port):  # type: (str, int) -> str
    """Return the libqi address of a robot; an ip may be a whole address already."""
    text = str(ip or "127.0.0.1")
    return text if "://" in text else "tcp://%s:%d" % (text, int(port or PORT))


def shared(url):  # type: (str) -> qi.Session
    """Return the session that all proxies to one address use; raises RuntimeError when no robot answers."""
    with _lock:
        session = _shared.get(url)
        if session is None or not session.isConnected():
            session = _shared[url] = opened(url)
        return session


def opened(url):  # type: (str) -> qi.Session
    """Open a new session; raises RuntimeError when no robot answers."""
    session = qi.Session()
    future = session.connect(url, _async=True)
    if not is_over(future, _CONNECTS_WITHIN) or future.hasError():
        raise RuntimeError("Can't connect to %s" % url)
    _open.append(session)
    return session


def close(session):  # type: (qi.Session) -> None
    """End a session, unless it has ended already."""
    if session in _open:
        _open.remove(session)
        session.close()


def is_over(future, seconds=None):  # type: (qi.Future, float | None) -> bool
    """Wait for an answer, at most so many seconds, and return whether it has come; Ctrl-C gets through."""
    end = None if seconds is None else time.time() + seconds
    while not future.isFinished():
        wait = _ONE_WAIT if end is None else min(_ONE_WAIT, int(1000 * (end - time.time())))
        if wait <= 0:
            return False
        future.wait(wait)
    return True


def answer(future):  # type: (qi.Future) -> Any
    """Wait for an answer and return it; raises RuntimeError with what the robot says."""
    is_over(future)
    return future.value()


def failure(where, said):  # type: (str, object) -> RuntimeError
    """Return the error NAOqi would raise, two indented lines: the place, and what is wrong there."""
    text = str(said)
    # A NAOqi service says who it is itself; libqi's own errors do not.
    error = RuntimeError(text if text.startswith("\t") else "\t%s\n\t%s" % (where, text.strip()))
    # Python 3 would show libqi's error above this one.
    error.__suppress_context__ = True
    return error


@atexit.register
def close_all():  # type: () -> None
    """End every session before Python shuts down: libqi's threads may call into it."""
    for session in list(_open):
        close(session)
