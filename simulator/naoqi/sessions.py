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
#: Seconds to wait for a robot to answer at all.
PATIENCE = 10.0
#: Milliseconds libqi may wait at a stretch: Ctrl-C is only noticed between two such waits.
STRETCH = 200

_lock = threading.Lock()
_shared = {}  # type: dict[str, qi.Session]
_open = []  # type: list[qi.Session]


def address(ip, port):
    # type: (str, int) -> str
    """The libqi address of a robot; an ip may be a whole address already."""
    text = str(ip or "127.0.0.1")
    return text if "://" in text else "tcp://%s:%d" % (text, int(port or PORT))


def shared(url):
    # type: (str) -> qi.Session
    """The session all proxies to one address use; raises RuntimeError when nobody answers."""
    with _lock:
        session = _shared.get(url)
        if session is None or not session.isConnected():
            session = _shared[url] = opened(url)
        return session


def opened(url):
    # type: (str) -> qi.Session
    """A session of one's own; raises RuntimeError when nobody answers."""
    session = qi.Session()
    future = session.connect(url, _async=True)
    if not is_over(future, PATIENCE) or future.hasError():
        raise RuntimeError("Can't connect to %s" % url)
    _open.append(session)
    return session


def close(session):
    # type: (qi.Session) -> None
    """Ends a session; one that is over stays over."""
    if session in _open:
        _open.remove(session)
        session.close()


def is_over(future, seconds=None):
    # type: (qi.Future, float | None) -> bool
    """Waits for an answer, at most so many seconds; tells whether it has come. Ctrl-C gets through."""
    end = None if seconds is None else time.time() + seconds
    while not future.isFinished():
        stretch = STRETCH if end is None else min(STRETCH, int(1000 * (end - time.time())))
        if stretch <= 0:
            return False
        future.wait(stretch)
    return True


def answer(future):
    # type: (qi.Future) -> Any
    """Waits for an answer and gives it; raises RuntimeError with what the robot says."""
    is_over(future)
    return future.value()


def failure(where, said):
    # type: (str, object) -> RuntimeError
    """The error NAOqi would raise, two indented lines: the place, and what is wrong there."""
    text = str(said)
    # A NAOqi service says who it is itself; libqi's own errors do not.
    error = RuntimeError(text if text.startswith("\t") else "\t%s\n\t%s" % (where, text.strip()))
    # Python 3 would show libqi's error above this one.
    error.__suppress_context__ = True
    return error


@atexit.register
def close_all():
    # type: () -> None
    """Ends every session while Python still stands: libqi's threads may call into it."""
    for session in list(_open):
        close(session)
