"""A class on a page: what a visitor costs in memory and processor, how long it waits to come in, and for an answer.

The visitors are sockets that do what a browser does, without drawing; they run on the same processors.
"""

import http.cookiejar
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket
from options import Options

VISITORS, SECONDS, ACTS = 30, 20.0, 5
#: Real seconds to wait for anything.
PATIENCE = 120.0
CLIENT = re.compile(r"client_id[^\w]+([0-9a-f-]{36})")
PAUSE = re.compile(
    r'"(\d+)":\{"tag":"q-btn","props":\{[^{}]*"label":"Pause"[^{}]*\},'
    r'"events":\[\{"listener_id":"([^"]+)"'
)
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def measure(options: Options) -> dict[str, Any]:
    """Let the class come in all at once, watch it while NAO talks and listens, and have everybody act in turn."""
    how_many = 2 if options.small else VISITORS
    seconds = 1.0 if options.small else SECONDS
    with _served(how_many) as (process, address):
        empty = _memory(process.pid)
        visitors = [_Visitor(address) for _ in range(how_many)]
        _all(visitors, _Visitor.come)
        robots = _children(process.pid)
        used = {pid: _processor(pid) for pid in (process.pid, *robots)}
        time.sleep(seconds)
        shares = {pid: (_processor(pid) - before) / seconds for pid, before in used.items()}
        for _ in range(1 if options.small else ACTS):
            for visitor in visitors:
                visitor.act()
        found = {
            "visitors": how_many,
            "robots": len(robots),
            "come": _cuts([each.waited for each in visitors]),
            "answer": _cuts([one for each in visitors for one in each.answers]),
            "robot memory": statistics.mean(map(_memory, robots)),
            "server memory": (_memory(process.pid) - empty) / how_many,
            "robot processor": statistics.mean(shares[pid] for pid in robots),
            "server processor": shares[process.pid] / how_many,
        }
        for visitor in visitors:
            visitor.go()
    return found


def report(found: dict[str, Any]) -> list[str]:
    """Return the figures as lines."""
    come, answer = found["come"], found["answer"]
    return [
        f"{found['visitors']} visitors at once, each with a NAO and a game of its own:",
        f"  to one's own page: median {come['median']:.1f} s, last {come['worst']:.1f} s",
        f"  from an act to its answer on the page: median {1000 * answer['median']:.0f} ms, "
        f"worst {1000 * answer['worst']:.0f} ms",
        f"  memory a visitor: {found['robot memory'] / 1e6:.0f} MB for the robot, "
        f"{found['server memory'] / 1e6:.1f} MB in the server",
        f"  processor a visitor: {found['robot processor']:.1%} of a core for the robot, "
        f"{found['server processor']:.1%} in the server",
    ]


class _Visitor:
    """One browser of the class."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self._lock = threading.Condition()
        self._said: list[tuple[float, str]] = []
        self.waited, self.answers = 0.0, list[float]()
        self._is_paused = False

    def come(self) -> None:
        """Open the page, wait until one's own is made, and read on from then on."""
        begun = time.monotonic()
        self._open()
        while "history.go(0)" not in self._read():
            pass
        self._socket.close()
        html = self._open()
        while not self._read().startswith("42"):
            pass
        self.waited = time.monotonic() - begun
        found = PAUSE.search(html)
        assert found is not None
        self._button = {"id": int(found[1]), "listener_id": found[2]}
        threading.Thread(target=self._listen, daemon=True).start()

    def act(self) -> None:
        """Pause the robot or let it go on, and wait until the page shows that."""
        event = {**self._button, "client_id": self._client, "args": []}
        self._is_paused = not self._is_paused
        with self._lock:
            self._said.clear()
            begun = time.monotonic()
            self._socket.send("42" + json.dumps(["event", event]))
            assert self._lock.wait_for(self._has_answered, PATIENCE)
            self.answers.append(next(at for at, said in self._said if self._answers(said)) - begun)

    def go(self) -> None:
        """Close the page."""
        self._socket.close()

    def _has_answered(self) -> bool:
        return any(self._answers(said) for _, said in self._said)

    def _answers(self, said: str) -> bool:
        """Tell whether a message changes the button that was pressed, once the robot has done it."""
        return said.startswith('42["update"') and f'"label":"{"Continue" if self._is_paused else "Pause"}"' in said

    def _open(self) -> str:
        """Load the page and connect its socket."""
        html: str = self._opener.open(self._address + "?flat", timeout=PATIENCE).read().decode()
        found = CLIENT.search(html)
        assert found is not None, html[:500]
        self._client = found[1]
        query = (
            f"EIO=4&transport=websocket&client_id={self._client}&next_message_id=0&implicit_handshake=true"
            "&document_id=d&tab_id=t&old_tab_id="
        )
        self._socket = websocket.create_connection(
            f"{self._address.replace('http', 'ws')}_nicegui_ws/socket.io/?{query}",
            timeout=PATIENCE,
            origin=self._address.rstrip("/"),
            cookie="; ".join(f"{each.name}={each.value}" for each in self._jar),
        )
        return html

    def _read(self) -> str:
        said = str(self._socket.recv())
        if said.startswith("0"):
            self._socket.send("40")
        elif said == "2":
            self._socket.send("3")
        return said

    def _listen(self) -> None:
        try:
            while said := self._read():
                with self._lock:
                    self._said.append((time.monotonic(), said))
                    self._lock.notify_all()
        except (OSError, websocket.WebSocketException):
            return


def _all(visitors: list[_Visitor], do: Any) -> None:
    """Have all visitors do something at once."""
    failed: list[BaseException] = []

    def run(visitor: _Visitor) -> None:
        try:
            do(visitor)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


@contextmanager
def _served(how_many: int) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Serve a class in a process of its own, as people do."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "jotto_desk",
        "play",
        "--page",
        "--port",
        "0",
        "--visitors",
        str(max(2, how_many)),
    ]
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": home}
        )
        assert process.stdout is not None
        try:
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield process, found[0]
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


def _children(pid: int) -> list[int]:
    return [
        int(each)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for each in (task / "children").read_text(encoding="ascii").split()
    ]


def _memory(pid: int) -> float:
    """Return the bytes that a process has for itself, with its share of what it has with others."""
    found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
    return 1024.0 * int(found[1]) if found else 0.0


def _processor(pid: int) -> float:
    """Return the seconds of a processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _cuts(seconds: list[float]) -> dict[str, float]:
    return {"median": statistics.median(seconds), "worst": max(seconds)}
