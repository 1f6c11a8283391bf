"""The page's server: for everybody at once or for each visitor apart, until it is interrupted."""

from __future__ import annotations

import contextlib
import os
import socket
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import core, ui

from naosim.cli import PAGE_HOST, PAGE_PORT
from naosim.errors import NaosimError

from .. import connections
from .bounds import LONGEST_MESSAGE, MOST_SOCKETS, Guard
from .doors.asgi import App, raw_refusal
from .doors.entrance import HERE, Entrance
from .doors.socket_events import guard_events
from .doors.token_lock import TokenLock
from .ending import PageServer, ending
from .panel import Panel, ShownT
from .sheet import build_sheet
from .speech.microphones import Microphones, SoundDoor
from .texts import ENGLISH, Texts
from .visitors.known_browser import KEPT, KnownBrowsers
from .visitors.visits import EachItsOwn, OneForAll, Visit, Visits
from .visitors.waiting import Arrivals, build_arrival, follow

#: Real seconds for requests under way when the server ends, and for a browser to come back to its page.
_ENDS_WITHIN, COMES_BACK_WITHIN = 1, 30.0
#: Requests that may wait to be let in, and sockets for each visitor of many: reloads open one before another ends.
_MOST_WAITING, _SOCKETS_EACH = 256, 4
_OPEN_TO_ALL = "Anyone who can reach this address can use the page, and others on the way can read along."


class _PortTaken(NaosimError):
    """Another program listens at the page's port."""


def serve_page(
    shown: ShownT | EachItsOwn[ShownT],
    panels: Sequence[Callable[[ShownT], Panel]],
    *,
    port: int = PAGE_PORT,
    title: str = "NAO",
    what: str = "NAO",
    tell: Callable[[str], object] = print,
    opens: bool = True,
    greet: Callable[[ShownT], Awaitable[object]] | None = None,
    entrance: Entrance = HERE,
    texts: Texts = ENGLISH,
    microphones: Microphones | None = None,
) -> None:
    """Serve a page of these panels until Ctrl-C or SIGTERM; port 0 is any free one. Raises PortTaken.

    All browsers see the same, or each its own. `tell` is called with a sentence about the address of `what` is shown,
    which is opened in a browser where there is one; `greet` when the first browser has come to what is shown.
    Sound from browsers goes to `microphones`, without any no page may use a microphone.
    """
    visits: Visits[ShownT] = shown if isinstance(shown, EachItsOwn) else OneForAll(shown)
    listener = _listener(entrance.host, port)
    port = listener.getsockname()[1]
    # No warnings: uvicorn has one for every request that is no HTTP, and anybody could fill the log with them.
    server = PageServer(
        uvicorn.Config(
            _guarded(_application(visits, panels, title, greet, texts), visits, port, entrance, microphones),
            http=connections.make_bounded_protocol(raw_refusal, entrance.tls()),
            loop="asyncio",
            log_level="error",
            access_log=False,
            ws_max_size=LONGEST_MESSAGE,
            timeout_keep_alive=connections.IDLE_TIMEOUT_S,
            timeout_graceful_shutdown=_ENDS_WITHIN,
            backlog=_MOST_WAITING,
            server_header=False,
            lifespan="on",
        )
    )
    address = entrance.address(port)
    with listener, ending():
        tell(f"{what} is at {address}")
        if entrance.is_public and not entrance.token:
            tell(_OPEN_TO_ALL)
        if opens:
            _open(address)
        server.run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_MOST_WAITING)
    except OSError as error:
        listener.close()
        at = f"port {port}" if host == PAGE_HOST else f"port {port} of {host}"
        why = (error.strerror or str(error)).lower()
        raise _PortTaken(f"The page cannot listen at {at}: {why}; choose another one with --port.") from None
    return listener


def _guarded(
    application: App, visits: Visits[ShownT], port: int, entrance: Entrance, microphones: Microphones | None
) -> App:
    """Put what guards the page before it: who asks at all, whether it brings the token, and who it is."""
    is_tls = bool(entrance.certificate)
    if microphones is not None:
        nicegui_app.on_shutdown(microphones.close)
        application = SoundDoor(application, microphones)
    if isinstance(visits, EachItsOwn):
        application = KnownBrowsers(application, f"nao-visitor-{port}", is_tls)
    if entrance.token:
        application = TokenLock(application, entrance.token, f"nao-token-{port}", is_tls)
    return Guard(application, port, entrance, max(MOST_SOCKETS, _SOCKETS_EACH * visits.most), microphones is not None)


def _application(
    visits: Visits[ShownT],
    panels: Sequence[Callable[[ShownT], Panel]],
    title: str,
    greet: Callable[[ShownT], Awaitable[object]] | None,
    texts: Texts,
) -> FastAPI:
    """Make the application whose one page shows what a visitor is to see."""
    arrivals = Arrivals()

    def root() -> None:
        client = ui.context.client

        def build(visit: Visit[ShownT]) -> None:
            assert visit.shown is not None
            build_sheet(visit.shown, panels)
            follow(visit, client, greet)

        build_arrival(visits, arrivals, build, browser=client.request.scope.get(KEPT, ""), title=title, texts=texts)

    application = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    guard_events(core.sio)
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    nicegui_app.on_startup(visits.open)
    nicegui_app.on_shutdown(visits.close)
    ui.run_with(
        application,
        root=root,
        title=title,
        dark=None,
        language=cast(Any, texts.language),
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=COMES_BACK_WITHIN,
        binding_refresh_interval=None,
    )
    return application


def _open(address: str) -> None:
    """Open a browser where there is a screen for one."""
    if (
        os.name == "nt"
        or os.uname().sysname == "Darwin"
        or os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
    ):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
