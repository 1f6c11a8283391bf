"""The expert service and a page under attack, and connections to them that misbehave."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from interpreters import ROOT

TIMEOUT_S = 60.0  # for a client's connection and answer
USUAL_FILES = 1024  # that a user's process may have open


class Answer(NamedTuple):
    """An answer: the status, 0 if none came, and the JSON, None for other content."""

    status: int
    body: object
    text: str

    @property
    def is_told(self) -> bool:
        """Return whether this is a JSON answer, and an error one with its reason."""
        good = self.status < 400 and (self.body is not None or not self.text)
        return self.status > 0 and (good or (isinstance(self.body, dict) and isinstance(self.body.get("error"), str)))


@contextlib.contextmanager
def expert(folder: Path) -> Iterator[str]:
    """Serve in a process of its own, as users do; provide the address."""
    with _command("jotto_desk", "expert", "serve", "--port", "0", "--state", str(folder / "expert.sqlite")) as url:
        yield url


@contextlib.contextmanager
def page(folder: Path) -> Iterator[str]:
    """Serve a robot's page in a process of its own; provide the address."""
    with _command("naosim", str(ROOT / "docs" / "greeting"), "--page", "--port", "0") as url:
        yield url


@contextlib.contextmanager
def _command(*arguments: str) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-um", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    # Computers on which tests run often allow more.
    limit_files(USUAL_FILES, process.pid)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split(" is at ")[1].split()[0].rstrip(";")
    finally:
        process.terminate()
        try:
            process.wait(TIMEOUT_S)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class Wire:
    """The connection of a good client, which the server may keep open."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=TIMEOUT_S)

    def ask(self, method: str, path: str, sent: object = None) -> Answer:
        try:
            self._connection.request(
                method, path, None if sent is None else json.dumps(sent), {"Content-Type": "application/json"}
            )
            return answer_of(self._connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return Answer(0, None, repr(error))

    def close(self) -> None:
        self._connection.close()


def limit_files(most: int, pid: int = 0) -> None:
    """Let a process, this one without a number, have so many files and sockets open."""
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def ask(url: str, method: str, path: str, sent: object = None) -> Answer:
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
    """Open connections that send only these beginnings; return those that are accepted."""
    parts, found = urlsplit(url), []
    for beginning in beginnings:
        with contextlib.suppress(OSError):
            wire = socket.create_connection((parts.hostname, parts.port), timeout=TIMEOUT_S)
            found.append(wire)
            wire.sendall(beginning)
    return found
