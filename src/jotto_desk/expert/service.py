"""The expert service on the network: limits on requests, queues for small and large work, and the server itself."""

import asyncio
import contextlib
import logging
import re
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import RedirectResponse
from fastapi_offline import FastAPIOffline

from jotto import __version__
from jotto.rules import JottoError
from jotto_desk.addresses import is_loopback, names_loopback
from jotto_desk.errors import DeskError
from jotto_desk.expert import api
from jotto_desk.expert.games import Games
from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store
from naosim_live import connections

# --- Limits on requests: one from another web page, to another host name or of too many bytes gets no further.

_LOGGER = logging.getLogger(__name__)
#: Bytes of a request's body, and of all that are being read or worked out.
MAX_REQUEST_BYTES, MAX_PENDING_BYTES = 4_000_000, 64_000_000
_TOO_LARGE = 413, f"The request has more than {MAX_REQUEST_BYTES:,} bytes; send less."
_TOO_MUCH = 503, f"Requests of more than {MAX_PENDING_BYTES:,} bytes are under way; try again in a moment."

_Scope = MutableMapping[str, Any]
_Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[_Message]]
Send = Callable[[_Message], Awaitable[None]]
Application = Callable[[_Scope, Receive, Send], Awaitable[None]]


class Refused(Exception):
    """A request that is answered by a status and a reason, or, with status 0, not at all: the client has gone."""

    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason
        super().__init__(reason)


class _RequestLimits:
    """A filter in front of `app`: requests must name this computer, unless `is_public`; bodies are read whole."""

    def __init__(self, app: Application, is_public: bool = False) -> None:
        self.app, self.is_public = app, is_public
        self._held = 0

    async def __call__(self, scope: _Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            return
        api.begin_request(scope)
        body = bytearray()
        try:
            self._check(scope)
            await self._read(receive, body)
            await self._served(scope, receive, send, bytes(body))
        except Refused as refused:
            if refused.status:
                await _refuse(scope, send, refused)
        except asyncio.CancelledError:
            await _refuse(scope, send, Refused(503, "The service is ending."))
        except Exception:
            _LOGGER.exception("%s %s was not carried out.", scope["method"], ascii(scope["path"][:200]))
            await _refuse(scope, send, Refused(500, api.ACCIDENT))
        finally:
            self._held -= len(body)

    async def _served(self, scope: _Scope, receive: Receive, send: Send, body: bytes) -> None:
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again() -> _Message:
            return next(messages, None) or await receive()

        await self.app(scope, again, send)

    async def _read(self, receive: Receive, body: bytearray) -> None:
        """Read a body; its bytes count until the request is answered."""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refused(0, "The client has gone.")
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > MAX_REQUEST_BYTES:
                raise Refused(*_TOO_LARGE)
            if self._held > MAX_PENDING_BYTES:
                raise Refused(*_TOO_MUCH)
            if not message.get("more_body", False):
                return

    def _check(self, scope: _Scope) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # A web page elsewhere can send requests here from a visitor's browser, even by a name of its own.
        if not (self.is_public or names_loopback("//" + headers.get(b"host", ""))):
            raise Refused(403, "This service answers to the name of this computer alone.")
        if not self.is_public and b"origin" in headers and not names_loopback(headers[b"origin"]):
            raise Refused(403, "This service does not answer other web pages.")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > MAX_REQUEST_BYTES:
            raise Refused(*_TOO_LARGE)


async def _refuse(scope: _Scope, send: Send, refused: Refused) -> None:
    headers, raw = api.raw_refusal(refused.status, refused.reason, api.elapsed_ms(scope))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})


# --- Lanes for requests, so that small work never waits behind large work: each has workers and a queue with bounds.

_QUEUE_LOGGER = logging.getLogger(__name__)
#: Seconds a request waits for its turn.
QUEUE_TIMEOUT_S = 20.0


class WorkQueue(NamedTuple):
    """Requests of one kind: so many are worked on at a time, and so many wait."""

    name: str
    workers: int
    most_waiting: int


#: Together at most 40 workers: the web framework has so many threads. What reasons takes turns in one interpreter, so
#: that few of them leave room for light work.
_LIGHT_WORK = WorkQueue("light", 16, 600)
GAME_WORK = WorkQueue("games", 2, 600)
_LARGE_GAME_WORK = WorkQueue("large games", 2, 32)
_POST_WORK = WorkQueue("posts", 16, 64)


class _Queue:
    def __init__(self, lane: WorkQueue) -> None:
        self._lane, self._waiting, self._free = lane, 0, asyncio.Semaphore(lane.workers)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; raises `Refused` where too many wait, or where it takes too long."""
        if self._waiting >= self._lane.most_waiting:
            raise Refused(503, "Too many requests wait already; try again in a moment.")
        self._waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), QUEUE_TIMEOUT_S)
        except asyncio.TimeoutError:
            raise Refused(503, f"Others were served for {QUEUE_TIMEOUT_S:g} seconds; try again in a moment.") from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


class WorkQueues:
    """Serves each request in the lane that `lane_of` names; the answer is sent once the worker is free again.

    `at_end` breaks off what is being worked on.
    """

    def __init__(self, app: Application, lane_of: Callable[[_Scope], WorkQueue], at_end: Callable[[], None]) -> None:
        self.app, self.lane_of, self.at_end = app, lane_of, at_end
        self._queues: dict[WorkQueue, _Queue] = {}

    async def __call__(self, scope: _Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        lane = self.lane_of(scope)
        if lane not in self._queues:
            self._queues[lane] = _Queue(lane)
        messages: list[_Message] = []

        async def keep(message: _Message) -> None:
            messages.append(message)

        # A client that reads slowly keeps no worker.
        async with self._queues[lane].turn():
            try:
                await self.app(scope, receive, keep)
            except Exception:
                # It is answered by then.
                if not messages:
                    raise
                _QUEUE_LOGGER.exception("%s %s was not carried out.", scope["method"], ascii(scope["path"][:200]))
        for message in messages:
            await send(message)


# --- The service: both interfaces over one store, on the network.

#: Seconds to end what is under way; connections that wait to be accepted.
_END_TIMEOUT_S, _MAX_WAITING = 5, 256
_DOCS = "/docs"
#: A question to a game, and its id.
_GAME = re.compile(api.API_PREFIX + r"/games/([^/]+)")
_ABOUT = """An assistant for Mastermind and its family, whose reasoning is a knowledge base you can read
(`/api/v1/knowledge`). Begin a game, tell each guess and its answer, and ask what fits, what to guess, and why.

`/AbcDatalogREST` takes any Datalog knowledge base, as the original service did."""


def _make_app(base: KnowledgeBase, games: Games) -> FastAPI:
    """Make the application; who may call it is up to `RequestLimits`, and when it works on a request to `Lanes`."""
    app = FastAPIOffline(
        docs_url=_DOCS,
        redoc_url=None,
        title="The expert system of nao-jotto",
        version=__version__,
        description=_ABOUT,
        debug=False,
        default_response_class=api.AsciiJson,
        exception_handlers=api.HANDLERS,
        redirect_slashes=False,
        swagger_ui_parameters={"validatorUrl": None},
    )
    app.add_api_route("/", lambda: RedirectResponse(_DOCS), include_in_schema=False)
    app.include_router(api.datalog_router(base))
    app.include_router(api.games_router(games))

    def described() -> dict[str, Any]:
        if not app.openapi_schema:
            found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            found["components"]["schemas"].update(api.datalog_schemas())
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
    return app


@contextlib.contextmanager
def _open_service(state: str = "", evaluator: Evaluator | None = None) -> Iterator[WorkQueues]:
    """Open what is kept in the file `state` (in memory where empty) and make the application.

    Raises `DeskError` for a file that cannot be used.
    """
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(contextlib.closing(Store(state)))
        worker = stack.enter_context(contextlib.closing(evaluator or Evaluator()))
        try:
            games = stack.enter_context(contextlib.closing(Games(store)))
            app = _make_app(KnowledgeBase(worker, store), games)
        except (AttributeError, LookupError, TypeError, ValueError, JottoError, DeskError) as error:
            raise DeskError(
                f"What is kept in '{state}' cannot be read back ({error}); name another file with --state, "
                "or remove it."
            ) from error
        yield WorkQueues(app, lambda scope: _lane(games, scope), at_end=lambda: _end(games, worker))


def _end(games: Games, worker: Evaluator) -> None:
    games.close()
    worker.close()


def _lane(games: Games, scope: _Scope) -> WorkQueue:
    """Choose the lane of a request: what asks a game is work, more so on a large board, and so is a post."""
    found = _GAME.match(scope["path"])
    if found:
        return _LARGE_GAME_WORK if games.is_large(found[1]) else GAME_WORK
    if scope["method"] != "POST":
        return _LIGHT_WORK
    return _POST_WORK if scope["path"] == api.DATALOG_PATH else GAME_WORK


@contextlib.contextmanager
def serve_expert(
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    state: str = "",
    insecure: bool = False,
    evaluator: Evaluator | None = None,
) -> Iterator[str]:
    """Serve while the `with` lasts; returns the address. Port 0 is any free one.

    Raises `DeskError` for a host other than this computer without `insecure`, and for a port that is taken.
    """
    if not (insecure or is_loopback(host)):
        raise DeskError(
            f"'{host}' lets other computers in, and there is no login: anyone who can reach the port can "
            "change any game. Add --insecure where that is wanted."
        )
    with _open_service(state, evaluator) as app, _listening(host, port) as listener:
        config = uvicorn.Config(
            _RequestLimits(app, is_public=insecure),
            http=connections.make_bounded_protocol(api.raw_refusal),
            ws="none",
            log_config=None,
            access_log=False,
            log_level=logging.CRITICAL,
            lifespan="off",
            timeout_keep_alive=connections.IDLE_TIMEOUT_S,
            timeout_graceful_shutdown=_END_TIMEOUT_S,
            server_header=False,
            backlog=_MAX_WAITING,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), name="expert", daemon=True)
        thread.start()
        shown = f"[{host}]" if ":" in host else host
        try:
            yield f"http://{shown}:{listener.getsockname()[1]}"
        finally:
            # What is being worked out is answered first: that it was broken off.
            app.at_end()
            server.should_exit = True
            thread.join(_END_TIMEOUT_S + 5)


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    # Named TCP by its number: only then does asyncio send small answers at once.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(_MAX_WAITING)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise DeskError(
                f"Port {port} of '{host}' cannot be used ({reason}); choose another with --port, or 0 for any."
            ) from error
        yield listener
