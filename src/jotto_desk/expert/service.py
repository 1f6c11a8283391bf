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
from fastapi.responses import RedirectResponse
from fastapi_offline import FastAPIOffline

from jotto import __version__
from jotto.rules import JottoError
from jotto_desk.addresses import names_loopback
from jotto_desk.errors import DeskError
from jotto_desk.expert import api
from jotto_desk.expert.games import Games
from jotto_desk.expert.knowledge_base import Evaluator, KnowledgeBase, Store
from naosim_page import connections

# Limits on requests: their size, the host name, and the web page they come from.

_LOGGER = logging.getLogger(__name__)
#: The largest body of a request.
MAX_REQUEST_BYTES = 4_000_000
#: The bodies of all requests that are not answered yet.
MAX_PENDING_BYTES = 64_000_000
_TOO_LARGE = 413, f"The request has more than {MAX_REQUEST_BYTES:,} bytes; send less."
_TOO_MUCH = 503, f"Requests of more than {MAX_PENDING_BYTES:,} bytes are under way; try again in a moment."

_Scope = MutableMapping[str, Any]
_Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[_Message]]
Send = Callable[[_Message], Awaitable[None]]
Application = Callable[[_Scope, Receive, Send], Awaitable[None]]


class Refused(Exception):
    """A request that gets a status and a reason; with status 0 it gets no answer, as the client has gone."""

    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason
        super().__init__(reason)


class _RequestLimits:
    """A filter in front of `app`: it reads whole bodies; unless `is_public`, requests must name this computer."""

    def __init__(self, app: Application, is_public: bool = False) -> None:
        self.app, self.is_public = app, is_public
        self._held = 0

    async def __call__(self, scope: _Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        api.begin_request(scope)
        body = bytearray()
        try:
            self._check(scope)
            await self._receive_body(receive, body)
            messages = iter([{"type": "http.request", "body": bytes(body), "more_body": False}])

            async def again() -> _Message:
                return next(messages, None) or await receive()

            await self.app(scope, again, send)
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

    async def _receive_body(self, receive: Receive, body: bytearray) -> None:
        """Read a body; its bytes count until the request is answered."""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refused(0, "The client has disconnected.")
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
        # Another web page can send requests here from a visitor's browser, even through its own host name.
        if not (self.is_public or names_loopback("//" + headers.get(b"host", ""))):
            raise Refused(403, "This service answers only to the name of this computer.")
        if not self.is_public and b"origin" in headers and not names_loopback(headers[b"origin"]):
            raise Refused(403, "This service does not answer other web pages.")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > MAX_REQUEST_BYTES:
            raise Refused(*_TOO_LARGE)


async def _refuse(scope: _Scope, send: Send, refused: Refused) -> None:
    headers, raw = api.make_raw_refusal(refused.status, refused.reason, api.get_elapsed_ms(scope))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": raw})


# Queues for requests: small work never waits for large work.

#: The longest time that a request waits in a queue.
QUEUE_TIMEOUT_S = 20.0


class WorkQueue(NamedTuple):
    """A kind of requests: the most that are worked on at the same time, and the most that can wait."""

    name: str
    workers: int
    most_waiting: int


#: The workers of all queues must be at most 40, the threads of the web framework. Python runs one thread at a time, so
#: few workers for games leave time for light work.
_LIGHT_WORK = WorkQueue("light", 16, 600)
GAME_WORK = WorkQueue("games", 2, 600)
_LARGE_GAME_WORK = WorkQueue("large games", 2, 32)
_POST_WORK = WorkQueue("posts", 16, 64)


class _Queue:
    def __init__(self, kind: WorkQueue) -> None:
        self._kind, self._waiting, self._free = kind, 0, asyncio.Semaphore(kind.workers)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a worker; raises `Refused` if too many wait, or if it takes too long."""
        if self._waiting >= self._kind.most_waiting:
            raise Refused(503, "Too many requests wait already; try again in a moment.")
        self._waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), QUEUE_TIMEOUT_S)
        except asyncio.TimeoutError:
            raise Refused(503, f"Other requests took {QUEUE_TIMEOUT_S:g} seconds; try again in a moment.") from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


class WorkQueues:
    """Serves each request in the queue that `choose` returns; `at_end` interrupts the work."""

    def __init__(self, app: Application, choose: Callable[[_Scope], WorkQueue], at_end: Callable[[], None]) -> None:
        self.app, self.choose, self.at_end = app, choose, at_end
        self._queues: dict[WorkQueue, _Queue] = {}

    async def __call__(self, scope: _Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        kind = self.choose(scope)
        queue = self._queues.setdefault(kind, _Queue(kind))
        messages: list[_Message] = []

        async def keep(message: _Message) -> None:
            messages.append(message)

        # The answer is sent when the worker is free again: a client that reads slowly blocks no worker.
        async with queue.turn():
            try:
                await self.app(scope, receive, keep)
            except Exception:
                # Starlette raises an error again after its handler has answered the request.
                if not messages:
                    raise
                _LOGGER.exception("%s %s was not carried out.", scope["method"], ascii(scope["path"][:200]))
        for message in messages:
            await send(message)


# The service: both interfaces with one store, on the network.

#: The longest time for open requests when the service ends.
_END_TIMEOUT_S = 5
#: Connections that the system accepts before the service does.
_MAX_WAITING = 256
_DOCS = "/docs"
#: The path of a request to a game; the group is the game's id.
_GAME = re.compile(api.API_PREFIX + r"/games/([^/]+)")
_ABOUT = """An assistant for Mastermind and its family, whose reasoning is a knowledge base you can read
(`/api/v1/knowledge`). Begin a game, tell each guess and its answer, and ask what fits, what to guess, and why.

`/AbcDatalogREST` takes any Datalog knowledge base, as the original service did."""


def _make_app(base: KnowledgeBase, games: Games) -> FastAPI:
    """Make the application, without the limits and queues around it."""
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
    app.include_router(api.make_datalog_router(base))
    app.include_router(api.make_games_router(games))
    return app


@contextlib.contextmanager
def _open_service(state: str = "", evaluator: Evaluator | None = None) -> Iterator[WorkQueues]:
    """Open the file `state` ("": only in memory) and make the application; raises `DeskError` for a wrong file."""
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(contextlib.closing(Store(state)))
        worker = stack.enter_context(contextlib.closing(evaluator or Evaluator()))
        try:
            games = stack.enter_context(contextlib.closing(Games(store)))
            app = _make_app(KnowledgeBase(worker, store), games)
        except (AttributeError, LookupError, TypeError, ValueError, JottoError, DeskError) as error:
            wrong = f"The saved games in '{state}' cannot be read back ({error})"
            raise DeskError(f"{wrong}; name another file with --state, or remove it.") from error
        yield WorkQueues(app, lambda scope: _choose_queue(games, scope), at_end=lambda: _end(games, worker))


def _end(games: Games, worker: Evaluator) -> None:
    games.close()
    worker.close()


def _choose_queue(games: Games, scope: _Scope) -> WorkQueue:
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
    """Serve inside the `with` block, and yield the address; port 0 chooses a free port.

    Raises `DeskError` if `host` lets other computers in and `insecure` is false, or if the port is taken.
    """
    shown = f"[{host}]" if ":" in host else host
    if not (insecure or names_loopback(f"//{shown}")):
        danger = "there is no login: anyone who can reach the port can change any game"
        raise DeskError(f"'{host}' lets other computers in, and {danger}. Add --insecure if you want that.")
    with _open_service(state, evaluator) as app, _listening(host, port) as listener:
        config = uvicorn.Config(
            _RequestLimits(app, is_public=insecure),
            http=connections.make_bounded_protocol(api.make_raw_refusal),
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
        try:
            yield f"http://{shown}:{listener.getsockname()[1]}"
        finally:
            # Requests that are worked on are interrupted first, so that they get an answer.
            app.at_end()
            server.should_exit = True
            thread.join(_END_TIMEOUT_S + 5)


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    # asyncio sends small answers immediately only if the protocol is given by its number.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(_MAX_WAITING)
        except OSError as error:
            wrong = f"Port {port} of '{host}' cannot be used ({(error.strerror or str(error)).lower()})"
            raise DeskError(f"{wrong}; choose another with --port, or 0 for any.") from error
        yield listener
