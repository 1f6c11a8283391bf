"""Word lists from a web address: bounded in size and time, with a copy kept for the days without a network."""

import contextlib
import hashlib
import json
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from .. import addresses, files, places, web
from ..deadline import within
from ..errors import DeskError

MOST_REDIRECTS = 5
_MOST_HEAD = 1 << 16
#: Only its owner reads a copy: the list may be one that takes a password.
_PRIVATE = 0o600


@dataclass(frozen=True)
class Copy:
    """A list as it was fetched, with the marks by which its server knows it again."""

    address: str
    content: bytes
    etag: str = ""
    modified: str = ""

    def asking(self) -> dict[str, str]:
        """Return the request headers that ask for the list only if it has changed."""
        marks = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: mark for name, mark in marks.items() if mark}


class Unreachable(Exception):
    """The server cannot be had just now: a kept copy may serve."""


def get(address: str, most: int, seconds: float, remark: Callable[[str], None], folder: Path | None = None) -> bytes:
    """Fetch an address, or fall back on the copy kept from last time and remark on it.

    A login in the address goes to the server alone: the copy and every sentence have the address without it.
    Raises `DeskError` for a wrong address, a refusal, too much content or too much time without a copy.
    """
    _check(address)
    asked, cache = addresses.split(address), folder or places.cache_folder()
    if asked.login:
        # Earlier versions named copies after the whole address and wrote it into them, password and all.
        _place(address, cache).unlink(missing_ok=True)
    path = _place(asked.plain, cache)
    kept = _kept(path, asked.plain, most)
    try:
        with _bar(asked.plain) as seen:
            fresh = within(
                seconds,
                lambda given_up: _fetch(asked, kept, most, seconds, given_up=given_up, seen=seen),
                "fetch a word list",
            )
    except (Unreachable, queue.Empty) as reason:
        error = _too_slow(asked.plain, seconds) if isinstance(reason, queue.Empty) else reason
        if kept is None:
            raise DeskError(f"{error} Check the address and the network.") from error
        remark(f"{error} The copy kept from last time is used.")
        return kept.content
    if fresh != kept:
        _keep(path, fresh, remark)
    return fresh.content


def _check(address: str) -> None:
    try:
        parts = urlsplit(address[: addresses.LONGEST])
        right = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and parts.port != 0
        right = right and len(address) <= addresses.LONGEST
    except ValueError:
        right = False
    if not right:
        raise DeskError(
            f"'{addresses.shown(address)[:200]}' is no address of a word list; it begins with http:// or https://."
        )


def _too_slow(address: str, seconds: float) -> Unreachable:
    return Unreachable(f"'{address}' did not answer within {seconds:g} seconds.")


def _fetch(
    asked: addresses.Address, kept: Copy | None, most: int, seconds: float, *, given_up: threading.Event, seen: web.Seen
) -> Copy:
    address = asked.plain
    with web.Session() as session:
        try:
            at = asked
            for _ in range(MOST_REDIRECTS + 1):
                with _sent(session, at, kept, seconds) as answer:
                    location = answer.headers.get("Location", "")
                    if answer.status_code in web.REDIRECTS and location:
                        at = at.sent_on(location)
                        continue
                    if kept and answer.status_code == requests.codes.not_modified:
                        return kept
                    _check_answer(address, answer)
                    content = web.body(answer, most, seen, given_up)
                    marks = answer.headers
                    return Copy(address, content, marks.get("ETag", ""), marks.get("Last-Modified", ""))
        except web.TooLarge as error:
            raise DeskError(
                f"The list at '{address}' is larger than {files.size(most)}; give a smaller one."
            ) from error
        except requests.Timeout as error:
            raise _too_slow(address, seconds) from error
        except (requests.exceptions.InvalidSchema, requests.exceptions.InvalidURL, ValueError) as error:
            raise DeskError(f"'{address}' is, or leads to, no web address; give the list's own.") from error
        except requests.RequestException as error:
            raise Unreachable(f"'{address}' cannot be reached.") from error
    raise DeskError(f"'{address}' leads in a circle; give the address of the list itself.")


def _sent(session: requests.Session, at: addresses.Address, kept: Copy | None, seconds: float) -> requests.Response:
    asking = {"Accept-Encoding": "identity", "User-Agent": "nao-jotto", **(kept.asking() if kept else {})}
    return session.get(at.plain, auth=at.login, headers=asking, stream=True, timeout=seconds)


def _check_answer(address: str, answer: requests.Response) -> None:
    status = answer.status_code
    if status >= 500 or status == requests.codes.too_many_requests:
        raise Unreachable(f"The server of '{address}' has trouble (it answers {status}).")
    if status in (requests.codes.unauthorized, requests.codes.forbidden):
        raise DeskError(
            f"The server of '{address}' wants another name or password (it answers {status}); write them "
            "as in https://name:password@host/list."
        )
    if status != requests.codes.ok:
        raise DeskError(f"There is no word list at '{address}' (the server answers {status}); check the address.")
    if "html" in answer.headers.get("Content-Type", "").lower():
        raise DeskError(f"'{address}' is a web page, not a word list; give the address of a plain text file.")


@contextlib.contextmanager
def _bar(address: str) -> Iterator[web.Seen]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"Fetching {address[:60]}", total=None)
        yield lambda count, total: progress.update(task, completed=count, total=total)


def _place(address: str, folder: Path) -> Path:
    return folder / "wordlists" / hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]


def _kept(path: Path, address: str, most: int) -> Copy | None:
    """Read a kept copy: one line of JSON, then the content; a damaged one counts as none."""
    if not path.is_file():
        return None
    try:
        head, _, content = files.read_bounded(path, most + _MOST_HEAD).partition(b"\n")
        marks = json.loads(head)
        copy = Copy(str(marks["address"]), content, str(marks["etag"]), str(marks["modified"]))
        whole = marks["sha256"] == hashlib.sha256(content).hexdigest()
    except (DeskError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return copy if whole and copy.address == address else None


def _keep(path: Path, copy: Copy, remark: Callable[[str], None]) -> None:
    marks = {
        "address": copy.address,
        "etag": copy.etag[:1000],
        "modified": copy.modified[:1000],
        "sha256": hashlib.sha256(copy.content).hexdigest(),
    }
    try:
        files.write_whole(path, json.dumps(marks).encode("ascii") + b"\n" + copy.content, _PRIVATE)
    except DeskError as error:
        remark(f"No copy of '{copy.address}' is kept: {error}")
