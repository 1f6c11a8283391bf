"""Libqi's Python module as `qi`: the maker's library if it is installed, `qiwire` elsewhere."""

import atexit
import contextlib
import gc
import os
import time
from typing import Any

# libqi reads these variables when it is loaded. It logs to standard output, even some connections that break. Each
# client that is connecting holds a thread of its event loop: with few threads, and a new one every half second,
# many simultaneous clients wait long. Without a minimum, libqi ends threads that were idle for five seconds.
os.environ.setdefault("QI_LOG_LEVEL", "fatal")
os.environ.setdefault("QI_EVENTLOOP_THREAD_COUNT", "16")
os.environ.setdefault("QI_EVENTLOOP_MIN_THREADS", "16")
qi: Any
try:
    import qi
except ImportError:
    import qiwire as qi

_RELEASE_TIMEOUT_S = 0.2  # real seconds for libqi's threads to let go of Python's objects before Python ends


def _release_objects() -> None:
    # A thread of libqi that lets go of one of Python's objects while Python shuts down aborts the process.
    gc.collect()
    time.sleep(_RELEASE_TIMEOUT_S)


if qi.__name__ == "qi":
    atexit.register(_release_objects)


def close_session(session: Any) -> None:
    """Close a session, even when libqi fails to because the connection ends in the same moment.

    The second try ends a connection that the first left open; closing a closed session does no harm.
    """
    for _ in range(2):
        with contextlib.suppress(RuntimeError):
            session.close()
            return
