"""Sessions with robots: proxies to one address share a session, and all are closed when the program ends."""

from __future__ import absolute_import, division, print_function

import atexit
import os
import threading
import time

# Set before libqi is loaded, so that it does not write its log to standard output.
os.environ.setdefault("QI_LOG_LEVEL", "error")
try:
    import qi
except ImportError:
    raise ImportError("naoqi needs libqi: pip install 'nao-jotto[robot]', or for Python 2.7 pip install qi==1.5.0")

MYPY = False
if MYPY:
    from typing import Any

PORT = 9559
_CONNECT_TIMEOUT_S = 10.0  # seconds to wait for a connection
_WAIT_MS = 200  # milliseconds of one wait inside libqi: Python notices Ctrl-C only between two waits

_lock = threading.Lock()
_shared = {}  # type: dict[str, qi.Session]
_open = []  # type: list[qi.Session]


def address(ip, port):  # type: (str, int) -> str
    """Return the libqi address of a robot; an `ip` with "://" is a complete address."""
    text = str(ip or "127.0.0.1")
    return text if "://" in text else "tcp://%s:%d" % (text, int(port or PORT))


def shared(url):  # type: (str) -> qi.Session
    """Return the session of all proxies to one address; raises RuntimeError if no robot answers."""
    with _lock:
        session = _shared.get(url)
        if session is None or not session.isConnected():
            session = _shared[url] = opened(url)
        return session


def opened(url):  # type: (str) -> qi.Session
    """Open a new session; raises RuntimeError if no robot answers."""
    session = qi.Session()
    future = session.connect(url, _async=True)
    if not is_over(future, _CONNECT_TIMEOUT_S) or future.hasError():
        raise RuntimeError("Can't connect to %s" % url)
    _open.append(session)
    return session


def close(session):  # type: (qi.Session) -> None
    """Close a session, unless it is closed."""
    if session in _open:
        _open.remove(session)
        session.close()


def is_over(future, seconds=None):  # type: (qi.Future, float | None) -> bool
    """Wait up to `seconds` seconds for an answer, so that Ctrl-C works; return whether it has come."""
    end = None if seconds is None else time.time() + seconds
    while not future.isFinished():
        wait = _WAIT_MS if end is None else min(_WAIT_MS, int(1000 * (end - time.time())))
        if wait <= 0:
            return False
        future.wait(wait)
    return True


def answer(future):  # type: (qi.Future) -> Any
    """Wait for an answer and return it; raises RuntimeError with the robot's message."""
    is_over(future)
    return future.value()


def failure(where, said):  # type: (str, object) -> RuntimeError
    """Return NAOqi's error: two indented lines with the method and the message."""
    text = str(said)
    # Errors of NAOqi's services have these lines, libqi's own errors do not.
    error = RuntimeError(text if text.startswith("\t") else "\t%s\n\t%s" % (where, text.strip()))
    # Python 3 would print libqi's error above this one.
    error.__suppress_context__ = True
    return error


@atexit.register
def close_all():  # type: () -> None
    """Close every session before Python shuts down, because libqi's threads can call into it."""
    for session in list(_open):
        close(session)
