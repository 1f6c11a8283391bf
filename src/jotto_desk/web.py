"""Requests to web servers within limits of time and size, and word lists from an address.

`Session` follows no redirect, `read_body` reads at most a given number of bytes, `run_within` limits the time of a
whole request. `fetch_list` uses all three and falls back on the copy of its last download."""

import contextlib
import hashlib
import json
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from jotto_desk import addresses, files
from jotto_desk.errors import DeskError

# A time limit on a whole piece of work.

Found = TypeVar("Found")


def run_within(seconds: float, work: Callable[[threading.Event], Found], name: str) -> Found:
    """Return what `work` returns, or raise what it raises; raises `queue.Empty` after `seconds` seconds.

    A server that sends a byte now and then never trips a socket's time-out, so the whole is timed from outside. The
    event is set once the result is no longer wanted; the thread, of this name, ends by itself.
    """
    answers: queue.Queue[tuple[bool, Found | Exception]] = queue.Queue()
    given_up = threading.Event()

    def run() -> None:
        try:
            answers.put((True, work(given_up)))
        except Exception as error:
            answers.put((False, error))

    threading.Thread(target=run, daemon=True, name=name).start()
    try:
        done, answer = answers.get(timeout=seconds)
    finally:
        given_up.set()
    if not done and isinstance(answer, Exception):
        raise answer
    return answer  # type: ignore[return-value]


# Requests with limits.

REDIRECT_STATUSES = (301, 302, 303, 307, 308)
_CHUNK_BYTES = 1 << 14
#: Gets the number of bytes that have come, and the whole number if the server gives it.
_OnBytesRead = Callable[[int, int | None], None]


class TooLarge(Exception):
    """A body has more bytes than the limit."""


class Session(requests.Session):
    """A session that follows no redirects: requests would read any body and send a token to any server."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None: no redirect is followed."""


def read_body(
    answer: requests.Response,
    most: int,
    seen: _OnBytesRead = lambda count, total: None,
    given_up: threading.Event | None = None,
) -> bytes:
    """Read the body of an answer that is being streamed.

    Raises `TooLarge` for more than `most` bytes, `requests.RequestException` if the body is packed although we asked
    for a plain one, or if the connection fails.
    """
    packed = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if packed not in ("identity", ""):
        # A packed body can unpack to any size.
        raise requests.exceptions.ContentDecodingError(f"The body is packed as '{packed[:20]}'.")
    declared = answer.headers.get("Content-Length", "")
    total = int(declared) if declared.isdigit() and len(declared) < 16 else None
    if (total or 0) > most:
        raise TooLarge
    content = bytearray()
    for piece in answer.iter_content(_CHUNK_BYTES):
        content += piece
        seen(len(content), total)
        if len(content) > most:
            raise TooLarge
        if given_up is not None and given_up.is_set():
            break
    return bytes(content)


# Word lists.

_MAX_REDIRECTS = 5
_MAX_HEAD_BYTES = 1 << 16
#: File mode of a copy: only its owner reads it, because the list can need a password.
_PRIVATE_MODE = 0o600


@dataclass(frozen=True)
class _KeptCopy:
    """A downloaded list with the marks that its server recognises it by."""

    address: str
    content: bytes
    etag: str = ""
    modified: str = ""

    def asking(self) -> dict[str, str]:
        marks = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: mark for name, mark in marks.items() if mark}


class _Unreachable(Exception):
    """The server cannot be reached now; a saved copy can be used."""


def fetch_list(
    address: str, most: int, seconds: float, remark: Callable[[str], None], folder: Path | None = None
) -> bytes:
    """Download a list, or use the copy of the last download and remark on it.

    Only the server gets a login in the address: the copy and every message have the address without it.
    Raises `DeskError` for a wrong address, a refusal, too much content or too much time without a copy.
    """
    _check(address)
    asked, cache = addresses.split(address), folder or files.find_cache_folder()
    if asked.login:
        # Earlier versions saved copies under the whole address, with its password.
        _name_copy(address, cache).unlink(missing_ok=True)
    path = _name_copy(asked.plain, cache)
    kept = _load_copy(path, asked.plain, most)
    try:
        with _show_bar(asked.plain) as seen:
            fetch = partial(_fetch, asked, kept, most, seconds, seen)
            fresh = run_within(seconds, fetch, "fetch a word list")
    except (_Unreachable, queue.Empty) as reason:
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
        shown = addresses.hide_login(address)[:200]
        raise DeskError(f"'{shown}' is not an address of a word list; it begins with http:// or https://.")


def _too_slow(address: str, seconds: float) -> _Unreachable:
    return _Unreachable(f"'{address}' did not answer within {seconds:g} seconds.")


def _fetch(
    asked: addresses.Address,
    kept: _KeptCopy | None,
    most: int,
    seconds: float,
    seen: _OnBytesRead,
    given_up: threading.Event,
) -> _KeptCopy:
    address, at = asked.plain, asked
    asking = {"Accept-Encoding": "identity", "User-Agent": "nao-jotto", **(kept.asking() if kept else {})}
    with Session() as session:
        try:
            for _ in range(_MAX_REDIRECTS + 1):
                with session.get(at.plain, auth=at.login, headers=asking, stream=True, timeout=seconds) as answer:
                    location = answer.headers.get("Location", "")
                    if answer.status_code in REDIRECT_STATUSES and location:
                        at = at.follow_redirect(location)
                        continue
                    if kept and answer.status_code == requests.codes.not_modified:
                        return kept
                    _check_answer(address, answer)
                    content, marks = read_body(answer, most, seen, given_up), answer.headers
                    return _KeptCopy(address, content, marks.get("ETag", ""), marks.get("Last-Modified", ""))
        except TooLarge as error:
            large = f"The list at '{address}' is larger than {files.format_size(most)}"
            raise DeskError(f"{large}; give a smaller one.") from error
        except requests.Timeout as error:
            raise _too_slow(address, seconds) from error
        except (requests.exceptions.InvalidSchema, requests.exceptions.InvalidURL, ValueError) as error:
            raise DeskError(f"'{address}' is not a web address, or leads to none; give the list's own.") from error
        except requests.RequestException as error:
            raise _Unreachable(f"'{address}' cannot be reached.") from error
    raise DeskError(f"'{address}' redirects in a circle; give the address of the list itself.")


def _check_answer(address: str, answer: requests.Response) -> None:
    status = answer.status_code
    if status >= 500 or status == requests.codes.too_many_requests:
        raise _Unreachable(f"The server of '{address}' has trouble (it answers {status}).")
    if status in (requests.codes.unauthorized, requests.codes.forbidden):
        wrong = f"The server of '{address}' wants another name or password (it answers {status})"
        raise DeskError(f"{wrong}; write them as in https://name:password@host/list.")
    if status != requests.codes.ok:
        raise DeskError(f"There is no word list at '{address}' (the server answers {status}); check the address.")
    if "html" in answer.headers.get("Content-Type", "").lower():
        raise DeskError(f"'{address}' is a web page, not a word list; give the address of a plain text file.")


@contextlib.contextmanager
def _show_bar(address: str) -> Iterator[_OnBytesRead]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"Fetching {address[:60]}", total=None)
        yield lambda count, total: progress.update(task, completed=count, total=total)


def _name_copy(address: str, folder: Path) -> Path:
    return folder / "wordlists" / hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:32]


def _load_copy(path: Path, address: str, most: int) -> _KeptCopy | None:
    """Read a copy, which is one line of JSON and the content; return None if it is missing or damaged."""
    if not path.is_file():
        return None
    try:
        head, _, content = files.read_bounded(path, most + _MAX_HEAD_BYTES).partition(b"\n")
        marks = json.loads(head)
        copy = _KeptCopy(str(marks["address"]), content, str(marks["etag"]), str(marks["modified"]))
        whole = marks["sha256"] == hashlib.sha256(content).hexdigest()
    except (DeskError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return copy if whole and copy.address == address else None


def _keep(path: Path, copy: _KeptCopy, remark: Callable[[str], None]) -> None:
    marks = {"address": copy.address, "etag": copy.etag[:1000], "modified": copy.modified[:1000]}
    marks["sha256"] = hashlib.sha256(copy.content).hexdigest()
    try:
        files.write_whole(path, json.dumps(marks).encode("ascii") + b"\n" + copy.content, _PRIVATE_MODE)
    except DeskError as error:
        remark(f"No copy of '{copy.address}' is kept: {error}")
