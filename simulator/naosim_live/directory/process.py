"""`python -m naosim_live.directory.process`: a directory that joins a robot, started and watched by another process.

One JSON object on standard input says what to serve: {"door": ..., "invalid_signature": ..., "listen": ...}; "listen"
is "" for the directory's own address. The directory ends with that input. Standard output gets {"port": ..., "urls":
[...], "numbers": ...}, the numbers as `Directory.numbers` has them, then a line for every time that libqi has answered,
and one for every service that is gone. It ends when it has too much memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from typing import BinaryIO

from naosim.errors import NaosimError
from naosim_live.hosting import JoinedRobot
from naosim_live.libqi_protocol import Address, parse_listen_address

from ..libqi import close_session, qi
from .directory import ANY_PORT, Directory
from .probe import Probe

#: Real seconds between two looks at whether libqi answers, and how often that is asked on one connection.
_LOOKS_EVERY, _LOOKS_EACH = 1.0, 60
#: Bytes of memory, most of which libqi keeps for nothing: then it is time to start again.
_MOST_MEMORY = 1024 * 1024 * 1024
_BAD_INPUT, _TOO_LARGE = 2, 3


def main() -> int:
    """Serve until the input ends, and return the exit status."""
    told = os.fdopen(os.dup(1), "wb", buffering=0)
    # libqi writes its log to standard output.
    os.dup2(2, 1)
    # Ctrl-C and the end of a terminal are meant for the process that watches this one. A session of its own would keep
    # them away too, but the system gives the processes of another session their turn later.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    asked = json.loads(sys.stdin.buffer.readline() or b"{}")
    if not asked:
        return 0
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        with JoinedRobot(asked["door"]) as robot:
            directory = Directory(robot, ANY_PORT, invalid_signature=asked["invalid_signature"])
            port = int(directory.url.rpartition(":")[2])
            urls = [directory.url]
            if asked["listen"]:
                urls = _reached_at(parse_listen_address(asked["listen"], insecure=True))
                directory.advertise(urls)
            _tell(told, {"port": port, "urls": urls, "numbers": directory.numbers()})
            directory.on_gone(lambda number: _tell(told, {"gone": number}))
            _look(told, port)
            return _TOO_LARGE
    except NaosimError as error:
        _tell(told, {"error": str(error)})
    return _BAD_INPUT


def _reached_at(address: Address) -> list[str]:
    """Return the addresses at which clients reach a listener: one for every network where it listens at all of them."""
    if address.host not in {"0.0.0.0", "::"}:
        return [address.url]
    asked = qi.Session()
    try:
        # libqi knows this computer's addresses once it listens at them, for a moment and at any port.
        asked.listenStandalone(address._replace(port=0).url)
        hosts = [url.rpartition(":")[0] for url in asked.endpoints()]
    finally:
        close_session(asked)
    return [f"{host}:{address.port}" for host in hosts]


def _look(told: BinaryIO, port: int) -> None:
    """Tell again and again that libqi answers, as long as it does; return when it has too much memory."""
    while memory() < _MOST_MEMORY:
        with contextlib.suppress(OSError), Probe(port) as probe:
            for _ in range(_LOOKS_EACH):
                probe.ask()
                _tell(told, {"answers": True})
                time.sleep(_LOOKS_EVERY)
        time.sleep(_LOOKS_EVERY)


def memory() -> int:
    """Return the bytes of memory that this process has, elsewhere than on Linux at most; 0 on Windows."""
    # Linux hands the most that the starting process has had on to this one, so that number says nothing there.
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _tell(told: BinaryIO, what: dict[str, object]) -> None:
    told.write(json.dumps(what).encode("ascii") + b"\n")


def _end_with_input() -> None:
    """End at once with the input: threads of libqi may hold up an orderly end for ever."""
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    status = _BAD_INPUT
    try:
        status = main()
    except Exception:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)
