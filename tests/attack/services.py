"""The expert service and the gladiators' server under attack, and connections to them that misbehave."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

#: Seconds a client waits for anything.
PATIENCE = 60.0


class Answer(NamedTuple):
    """What came back: the status, 0 where nothing did, and the JSON, None where it is none."""

    status: int
    body: object
    text: str

    @property
    def is_told(self) -> bool:
        """Tell whether this is a JSON answer, and an error one with its reason."""
        good = self.status < 400 and (self.body is not None or not self.text)
        return self.status > 0 and (good or (isinstance(self.body, dict) and isinstance(self.body.get("error"), str)))


@contextlib.contextmanager
def expert(folder: Path) -> Iterator[str]:
    """Serve in a process of its own, as users do; provide the address."""
    with _command("expert", "serve", "--port", "0", "--state", str(folder / "expert.sqlite")) as url:
        yield url


@contextlib.contextmanager
def gladiators(folder: Path) -> Iterator[str]:
    """Serve the fake challenge in a process of its own; provide the address."""
    with _command("gladiators", "serve", "--port", "0", "--quiet") as url:
        yield url


@contextlib.contextmanager
def _command(*arguments: str) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-m", "jotto_desk", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split(" is at ")[1].split()[0].rstrip(";")
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class Wire:
    """A well-behaved client's connection, kept as long as the server keeps it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, sent: object = None) -> Answer:
        """Send a request and read the answer."""
        try:
            self._connection.request(method, path, None if sent is None else json.dumps(sent),
                                     {"Content-Type": "application/json"})
            return answer_of(self._connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return Answer(0, None, repr(error))

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def ask(url: str, method: str, path: str, sent: object = None) -> Answer:
    """Ask on a connection that is not kept."""
    with contextlib.closing(Wire(url)) as wire:
        return wire.ask(method, path, sent)


def answer_of(came: http.client.HTTPResponse) -> Answer:
    """Read an answer to its end."""
    raw = came.read()
    try:
        body = json.loads(raw)
    except ValueError:
        body = None
    return Answer(came.status, body, raw[:80].decode("ascii", "replace"))


def left_open(url: str, beginnings: list[bytes]) -> list[socket.socket]:
    """Open connections that send no more than these; those that are refused are left out."""
    parts, found = urlsplit(url), []
    for beginning in beginnings:
        with contextlib.suppress(OSError):
            wire = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)
            found.append(wire)
            wire.sendall(beginning)
    return found
