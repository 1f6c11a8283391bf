"""The page on this computer: its files, and a web socket to the robot; until Ctrl-C or SIGTERM.

The page asks for `home.json`, which describes its content, and connects to `robot`.
"""

import asyncio
import contextlib
import faulthandler
import hashlib
import logging
import os
import signal
import socket
import tempfile
import threading
import time
import traceback
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import uvicorn

from naosim.errors import NaosimError
from naosim.services.voice import LOCALE_OF_LANGUAGE
from naosim_page import PAGE_HOST, connections
from naosim_page.access import (
    HERE,
    MAX_MESSAGE_BYTES,
    Access,
    App,
    Guard,
    Receive,
    Scope,
    Send,
    TokenLock,
    raw_refusal,
    refuse,
)
from naosim_page.bundle import write_bundle
from naosim_page.ears import Ears
from naosim_page.recording import PageRecording, Source, keep_recording
from naosim_page.relay import Relay, Views
from naosim_page.site import (
    GameFiles,
    SiteError,
    WorkerContent,
    find_libraries,
    find_page_libraries,
    has_python,
    list_page_files,
    list_python_files,
    write_examples,
)
from naosim_robots.hosting import RobotClient
from naosim_voice import sound, speaking
from naosim_voice.recogniser import VoiceError

#: Seconds for requests that are under way when the server ends.
_SHUTDOWN_TIMEOUT_S = 1
#: Seconds for cancelled tasks to end, and between two cancels.
TASKS_TIMEOUT_S, _CANCEL_INTERVAL_S = 5.0, 0.2
#: Seconds from Ctrl-C to the end of a server that hangs: it prints where, and its process ends immediately.
_LAST_END_S = 45.0
#: Requests that may wait to be accepted.
_BACKLOG = 256
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".mjs": "text/javascript",
    ".packed": "application/octet-stream",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".xar": "application/xml",
    ".zip": "application/zip",
}
#: Characters of a line of the log.
_MAX_LOG_LENGTH = 300

log = logging.getLogger(__name__)


class _PortTaken(NaosimError):
    """Another program listens at the page's port."""


# The files.


class _File(NamedTuple):
    content: bytes
    type: bytes
    tag: bytes


def _make_file(name: str, content: bytes) -> _File:
    kind = _TYPES[Path(name).suffix]
    is_text = kind.startswith("text/")
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return _File(content, f"{kind}{'; charset=utf-8' if is_text else ''}".encode(), tag.encode())


def collect_files(home: dict[str, Any], libraries: Path, game: GameFiles | None = None) -> dict[str, _File]:
    """Return the files of `list_page_files`, except the licences and the files that only a static site needs."""
    found = list_page_files(home, libraries, game)
    names = [name for name in found if Path(name).suffix and name != "service_worker.js"]
    files = {f"/{name}": _make_file(name, found[name]) for name in names}
    files["/"] = files["/index.html"]
    return files


class WorkerFiles:
    """The files with which browsers run dropped behaviours in their own workers; made when one is asked for."""

    #: How their paths begin.
    PLACES = ("/pyodide/", "/examples/", "/nao.zip")

    def __init__(self, libraries: Path, content: WorkerContent) -> None:
        self._libraries, self._content = libraries, content
        self._files: dict[str, _File] = {}
        self._lock = threading.Lock()

    def find(self, path: str) -> _File | None:
        """Return the file of a path in `PLACES`, None if none exists. Raises SiteError.

        The first time it blocks for a second, or until Python for browsers is fetched.
        """
        with self._lock:
            self._files = self._files or self._collect()
        return self._files.get(path)

    def _collect(self) -> dict[str, _File]:
        with tempfile.TemporaryDirectory(prefix="nao-page-") as folder:
            bundle, examples = Path(folder) / "nao.zip", Path(folder) / "examples"
            write_bundle(bundle, self._content.folders)
            write_examples(examples, self._content.examples)
            libraries = self._libraries if has_python(self._libraries) else find_libraries()
            library = libraries / "pyodide" / "python_stdlib.zip"
            files = list_python_files(libraries, bundle, library, level=1)
            found = {f"/{name}": _make_file(name, read()) for name, read in files.items()}
            for path in examples.iterdir():
                found[f"/examples/{path.name}"] = _make_file(path.name, path.read_bytes())
        return found


class SpokenFiles:
    """NAO's latest texts as sound, for browsers without a good voice; made when one is asked for, one at a time."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._files: dict[float, _File] = {}
        self._lock = asyncio.Lock()

    async def find(self, query: bytes) -> _File | None:
        """Return the sound of the text that NAO began to say `at` a time; None if none exists."""
        try:
            at = float(query.removeprefix(b"at="))
        except ValueError:
            return None
        async with self._lock:
            text, language = self._relay.said.get(at, ("", ""))
            if text and at not in self._files:
                self._files = {moment: file for moment, file in self._files.items() if moment in self._relay.said}
                with contextlib.suppress(VoiceError):
                    self._files[at] = await asyncio.to_thread(_speak, text, language)
            return self._files.get(at) if text else None


def _speak(text: str, language: str) -> _File:
    return _make_file(_SAID, sound.as_wave(speaking.speak(text, LOCALE_OF_LANGUAGE.get(language, "en")[:2])))


# The application.


class PageApp:
    """The ASGI application behind the guard: the files, and sockets.

    `/robot` leads to the robot, `/recording.jsonl` has the lines of `record`, `/sound` takes microphones, and
    `/said.wav` is NAO's voice.
    """

    def __init__(
        self,
        files: Mapping[str, _File],
        workers: WorkerFiles,
        relay: Relay,
        ears: Ears | None,
        record: Callable[[], list[str]] | None = None,
    ) -> None:
        self._files, self._workers, self._relay, self._ears, self._record = files, workers, relay, ears, record
        self._recording = asyncio.Lock()
        self._spoken = SpokenFiles(relay)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket, or the beginning and end of the server."""
        if scope["type"] == "http":
            await self._send_file(scope, send)
        elif scope["type"] == "websocket" and scope["path"] == "/robot":
            await self._relay.serve(receive, send)
        elif scope["type"] == "websocket" and scope["path"] == "/sound" and self._ears is not None:
            await self._ears.serve(self._relay, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await self._relay.open()
        await send({"type": "lifespan.startup.complete"})
        # After a second Ctrl-C uvicorn cancels this task.
        with contextlib.suppress(asyncio.CancelledError):
            await receive()
        await self._relay.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _send_file(self, scope: Scope, send: Send) -> None:
        file = self._files.get(scope["path"])
        if file is None and scope["path"] == f"/{_RECORDING}" and self._record is not None:
            async with self._recording:
                file = await asyncio.to_thread(_record_file, self._record)
        if scope["path"] == f"/{_SAID}":
            file = await self._spoken.find(scope["query_string"])
        if file is None and scope["path"].startswith(WorkerFiles.PLACES):
            try:
                file = await asyncio.to_thread(self._workers.find, scope["path"])
            except SiteError as error:
                await refuse(send, 503, str(error))
                return
        if file is None:
            await refuse(send, 404, "This address has no page; the page is at /.")
            return
        # Browsers ask whether a file has changed, so they show a new version immediately.
        headers = [(b"content-type", file.type), (b"etag", file.tag), (b"cache-control", b"no-cache")]
        is_known = (b"if-none-match", file.tag) in scope["headers"]
        body = b"" if is_known or scope["method"] == "HEAD" else file.content
        if not is_known:
            headers.append((b"content-length", str(len(file.content)).encode("ascii")))
        await send({"type": "http.response.start", "status": 304 if is_known else 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _record_file(record: Callable[[], list[str]]) -> _File:
    return _make_file(_RECORDING, "".join(f"{line}\n" for line in record()).encode("ascii"))


# The server.

#: The file of the run so far, and the sound file of a text that NAO has said.
_RECORDING, _SAID = "recording.jsonl", "said.wav"


class PageContent(NamedTuple):
    """The content of a page next to its robot.

    `start` is the first view, `language` the page's unless the address names one. `views` answer the requests
    `page` of a game, and `game` has its files; visitors' own behaviours and `worker` run in workers of their browsers.
    """

    title: str = "NAO"
    start: str = "inside"
    language: str = ""
    views: Views | None = None
    game: GameFiles | None = None
    worker: WorkerContent = WorkerContent()


_PLAIN_PAGE = PageContent()


def serve_page(
    robot: RobotClient | None,
    content: PageContent = _PLAIN_PAGE,
    access: Access = HERE,
    *,
    starts: bool = False,
    what: str = "NAO",
    tell: Callable[[str], object] = print,
    ears: Ears | None = None,
    record: str = "",
    source: Source | None = None,
    recording: list[str] | None = None,
) -> None:
    """Serve a page of one robot, or of a game without one, until Ctrl-C or SIGTERM. Raises NaosimError.

    With `starts`, the behaviour starts when the first browser sees the robot. `tell` is called with a sentence about
    the address of `what`. `ears` recognise speech. The robot is recorded, in the end into the file `record` if there is
    one: a person's acts, with the `source` of its behaviour, or without one the events. Without a robot, a
    `recording` is shown.
    """
    libraries = find_page_libraries()
    home: dict[str, Any] = {"kind": "server", "title": content.title, "start": content.start}
    home |= {"robot": robot is not None, "recorded": recording is not None, "repeats": source is not None}
    ears = None if ears is None or ears.missing else ears
    home |= {"sound": ears is not None, "behaviour": content.worker.behaviour}
    home["voice"] = robot is not None and speaking.is_installed()
    files = collect_files({**home, "language": content.language}, libraries, content.game)
    kept = None if robot is None else PageRecording(robot, source)
    relay = Relay(robot, content.views, starts=starts, listeners=() if kept is None else (kept.note,))
    lines = kept.lines if kept is not None else None if recording is None else recording.copy
    with keep_recording(kept, record), _listen(access.host, access.port) as listener:
        access = replace(access, port=listener.getsockname()[1])
        application: App = PageApp(files, WorkerFiles(libraries, content.worker), relay, ears, lines)
        if access.token:
            application = TokenLock(application, access.token, f"nao-token-{access.port}", bool(access.certificate))
        server = PageServer(
            uvicorn.Config(
                Guard(application, access, ears is not None),
                http=connections.make_bounded_protocol(raw_refusal, access.tls()),
                ws=connections.PageSocket,
                loop="asyncio",
                # Only errors: uvicorn warns of every request that is not HTTP, so a stranger could fill the log.
                log_level="error",
                access_log=False,
                ws_max_size=MAX_MESSAGE_BYTES,
                ws_per_message_deflate=False,
                timeout_keep_alive=connections.IDLE_TIMEOUT_S,
                timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S,
                backlog=_BACKLOG,
                server_header=False,
                lifespan="on",
            )
        )
        for name in ("uvicorn.error", "asyncio", "naosim_page"):
            logging.getLogger(name).addFilter(_OneLine())
        address = access.address()
        with _end_by_signals():
            tell(f"{what} is at {address}")
            for warning in access.list_warnings():
                tell(warning)
            _open_browser(address)
            server.run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        at = f"port {port}" if host == PAGE_HOST else f"port {port} of {host}"
        why = (error.strerror or str(error)).lower()
        raise _PortTaken(f"The page cannot listen at {at}: {why}; choose another one with --port.") from None
    return listener


def _open_browser(address: str) -> None:
    """Open a browser if there is a screen for one."""
    if (
        os.name == "nt"
        or os.uname().sysname == "Darwin"
        or os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
    ):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)


class _OneLine(logging.Filter):
    """Makes every record one line of plain characters; each place that fails is logged once.

    >>> record = logging.LogRecord("page", logging.ERROR, "", 0, "a\\x1b[2J\\nb", (), None)
    >>> _OneLine().filter(record), record.getMessage()
    (True, 'a\\\\x1b[2J b')
    """

    def __init__(self) -> None:
        super().__init__()
        self._logged: set[tuple[str, int | None]] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; return whether to print it."""
        said, error = record.getMessage(), record.exc_info[1] if record.exc_info else None
        if error is not None:
            last = traceback.extract_tb(error.__traceback__)[-1:]
            place = (last[0].filename, last[0].lineno) if last else ("", 0)
            if place in self._logged:
                return False
            self._logged.add(place)
            said = f"A request failed ({type(error).__name__}: {said}) in {place[0]}:{place[1]}."
            record.exc_info, record.exc_text = None, None
        record.msg, record.args = ascii(" ".join(said.split())[:_MAX_LOG_LENGTH])[1:-1], ()
        return True


# The end.


class PageServer(uvicorn.Server):
    """uvicorn's server, which ends its tasks when it ends."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the server is interrupted, and end all tasks then."""
        try:
            await super().serve(sockets)
        finally:
            await end_tasks()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        # A program without standard error shows no message.
        with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):
            faulthandler.dump_traceback_later(_LAST_END_S, exit=True)
        super().handle_exit(sig, frame)


async def end_tasks() -> None:
    """Cancel all other tasks of the loop, again and again: a task can mistake its cancel for something else.

    `asyncio.run` cancels once, and waits forever.
    """
    end = time.monotonic() + TASKS_TIMEOUT_S
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        if time.monotonic() > end:
            log.error("tasks do not end: %s", ", ".join(sorted(task.get_name() for task in others)))
            return
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=_CANCEL_INTERVAL_S)


@contextlib.contextmanager
def _end_by_signals() -> Iterator[None]:
    """End by Ctrl-C and SIGTERM: uvicorn sends the signal again once it has ended."""

    def end(*_signal: object) -> None:
        raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(SystemExit):
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        for number, handler in before.items():
            signal.signal(number, handler)
        log.debug("the page's server has ended")
