"""The service: both interfaces over one store, on the network."""

import contextlib
import logging
import re
import socket
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import RedirectResponse
from fastapi_offline import FastAPIOffline

from jotto import __version__
from jotto.rules import JottoError
from naosim_live import connections

from ...addresses import is_loopback
from ...errors import DeskError
from ..datalog.evaluation import Evaluator
from ..datalog.knowledge_base import KnowledgeBase
from ..games import Games
from ..store import Store
from . import datalog_api, games_api, lanes, responses
from .lanes import Lane, Lanes
from .request_limits import RequestLimits, Scope

#: Seconds to end what is under way; connections that wait to be accepted.
ENDING, MOST_WAITING = 5, 256
DOCS = "/docs"
#: A question to a game, and its id.
_GAME = re.compile(games_api.PREFIX + r"/games/([^/]+)")
ABOUT = """An assistant for Mastermind and its family, whose reasoning is a knowledge base you can read
(`/api/v1/knowledge`). Begin a game, tell each guess and its answer, and ask what fits, what to guess, and why.

`/AbcDatalogREST` takes any Datalog knowledge base, as the original service did."""


def make(base: KnowledgeBase, games: Games) -> FastAPI:
    """Make the application; who may call it is up to `RequestLimits`, and when it works on a request to `Lanes`."""
    app = FastAPIOffline(
        docs_url=DOCS,
        redoc_url=None,
        title="The expert system of nao-jotto",
        version=__version__,
        description=ABOUT,
        debug=False,
        default_response_class=responses.AsciiJson,
        exception_handlers=responses.HANDLERS,
        redirect_slashes=False,
        swagger_ui_parameters={"validatorUrl": None},
    )
    app.add_api_route("/", lambda: RedirectResponse(DOCS), include_in_schema=False)
    app.include_router(datalog_api.router(base))
    app.include_router(games_api.router(games))

    def described() -> dict[str, Any]:
        if not app.openapi_schema:
            found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            found["components"]["schemas"].update(datalog_api.schemas())
            app.openapi_schema = found
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
    return app


@contextlib.contextmanager
def opened(state: str = "", evaluator: Evaluator | None = None) -> Iterator[Lanes]:
    """Open what is kept in the file `state` (in memory where empty) and make the application.

    Raises `DeskError` for a file that cannot be used.
    """
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(contextlib.closing(Store(state)))
        worker = stack.enter_context(contextlib.closing(evaluator or Evaluator()))
        try:
            games = stack.enter_context(contextlib.closing(Games(store)))
            app = make(KnowledgeBase(worker, store), games)
        except (AttributeError, LookupError, TypeError, ValueError, JottoError, DeskError) as error:
            raise DeskError(
                f"What is kept in '{state}' cannot be read back ({error}); name another file with --state, "
                "or remove it."
            ) from error
        yield Lanes(app, lambda scope: _lane(games, scope), at_end=lambda: _end(games, worker))


def _end(games: Games, worker: Evaluator) -> None:
    games.close()
    worker.close()


def _lane(games: Games, scope: Scope) -> Lane:
    """Choose the lane of a request: what asks a game is work, more so on a large board, and so is a post."""
    found = _GAME.match(scope["path"])
    if found:
        return lanes.LARGE_GAMES if games.is_large(found[1]) else lanes.GAMES
    if scope["method"] != "POST":
        return lanes.LIGHT
    return lanes.POSTS if scope["path"] == datalog_api.PATH else lanes.GAMES


@contextlib.contextmanager
def served(
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
    with opened(state, evaluator) as app, _listening(host, port) as listener:
        config = uvicorn.Config(
            RequestLimits(app, is_public=insecure),
            http=connections.make_bounded_protocol(responses.raw_refusal),
            ws="none",
            log_config=None,
            access_log=False,
            log_level=logging.CRITICAL,
            lifespan="off",
            timeout_keep_alive=connections.IDLE_TIMEOUT_S,
            timeout_graceful_shutdown=ENDING,
            server_header=False,
            backlog=MOST_WAITING,
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
            thread.join(ENDING + 5)


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    # Named TCP by its number: only then does asyncio send small answers at once.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(MOST_WAITING)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise DeskError(
                f"Port {port} of '{host}' cannot be used ({reason}); choose another with --port, or 0 for any."
            ) from error
        yield listener
