"""The page's server: on this computer alone, until it is interrupted."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator, Sequence

import uvicorn
from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from naosim.errors import NaosimError

from .bounds import LONGEST_MESSAGE, Guard
from .panel import Panel, ShownT
from .sheet import build_sheet

HOST, PORT = "127.0.0.1", 9580
#: Real seconds for requests under way when the server ends, and for a browser to come back to its page.
ENDS_WITHIN, COMES_BACK_WITHIN = 1, 30.0
#: Requests that may wait to be let in.
MOST_WAITING = 64


class PortTaken(NaosimError):
    """Another program listens at the page's port."""


def serve_page(shown: ShownT, panels: Sequence[Callable[[ShownT], Panel]], *, port: int = PORT, title: str = "NAO",
               what: str = "NAO", tell: Callable[[str], object] = print, opens: bool = True,
               greet: Callable[[ShownT], object] | None = None) -> None:
    """Serve a page of these panels until Ctrl-C or SIGTERM; port 0 is any free one. Raises PortTaken.

    `tell` is called with a sentence about the address of `what` is shown, which is opened in a browser where there is
    one; `greet` when the first browser has come, on the loop.
    """
    listener = _listener(port)
    port = listener.getsockname()[1]
    address = f"http://{HOST}:{port}/"
    server = uvicorn.Server(uvicorn.Config(
        Guard(_application(shown, panels, title, greet), port), log_level="warning", access_log=False,
        ws_max_size=LONGEST_MESSAGE, timeout_graceful_shutdown=ENDS_WITHIN, server_header=False, lifespan="on"))
    tell(f"{what} is at {address}")
    if opens:
        _open(address)
    with listener, _ending():
        server.run(sockets=[listener])


def _listener(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(MOST_WAITING)
    except OSError as error:
        listener.close()
        raise PortTaken(f"The page cannot listen at port {port}: {(error.strerror or str(error)).lower()}; "
                        "choose another one with --port.") from None
    return listener


def _application(shown: ShownT, panels: Sequence[Callable[[ShownT], Panel]], title: str,
                 greet: Callable[[ShownT], object] | None) -> FastAPI:
    """Make the application whose one page shows the robot."""
    greetings = [greet] if greet is not None else []

    def root() -> None:
        build_sheet(shown, panels, title)

    def connected() -> object:
        return greetings.pop()(shown) if greetings else None

    application = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    nicegui_app.on_startup(shown.open)
    nicegui_app.on_connect(connected)
    ui.run_with(application, root=root, title=title, dark=None, language="en-US", tailwind=False,
                show_welcome_message=False, reconnect_timeout=COMES_BACK_WITHIN, binding_refresh_interval=None)
    return application


def _open(address: str) -> None:
    """Open a browser where there is a screen for one."""
    if os.name == "nt" or os.uname().sysname == "Darwin" or os.environ.get("DISPLAY") or os.environ.get(
            "WAYLAND_DISPLAY"):
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)


@contextlib.contextmanager
def _ending() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM as the way to end: uvicorn sends the signal on once it has ended."""
    def end(*_signal: object) -> None:
        raise SystemExit(0)
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with contextlib.suppress(SystemExit):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        logging.getLogger(__name__).debug("the page's server has ended")
