"""Robots of one web worker, one after another: the protocol of `naosim.json_server` over posted messages.

A message from the page is a request like a line of that server. {"do": "close"} ends the robot; then another "open" is
possible.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

from naosim.compat import allocate_lock, wait_for_promise
from naosim.errors import WireError
from naosim.json_server import JsonServer, LiveRequests, refuse_line
from naosim.remote import encode_line_unsorted, parse_request
from naosim_page.page_requests import PageRequests

#: A function that posts a text to the page; it returns None, or a promise if it must wait until the page reads.
Post = Callable[[str], object]


class PostedServer:
    """Takes the messages of a page and serves its robots on the thread that calls `run`."""

    def __init__(self, post: Post, *parts: Callable[[LiveRequests], object]) -> None:
        """Post messages by `post`; `parts` answer more requests than PageRequests (see LiveRequests)."""
        self._post = post
        self._parts = (PageRequests, *parts)
        #: The running server of a robot in real time, and the server of one in virtual time.
        self._live: JsonServer | None = None
        self._virtual: JsonServer | None = None
        self._waiting: deque[dict[str, Any]] = deque()
        self._arrived = allocate_lock()
        self._arrived.acquire()
        self._closing: list[dict[str, Any]] = []

    def take(self, message: str) -> None:
        """Take a message; the page's events call this while the robot's threads wait."""
        try:
            request = parse_request(message)
        except WireError as error:
            refuse_line(self._push, error)
            return
        self._route(request)

    def _route(self, request: dict[str, Any]) -> None:
        if self._live is None:
            self._waiting.append(request)
            if self._arrived.locked():
                self._arrived.release()
        elif request.get("do") == "close":
            self._closing.append(request)
            self._live.end()
        elif request.get("do") == "open":
            self._answer(request, error="close the robot first")
        else:
            self._live.take(request)

    def run(self) -> None:
        """Answer requests without end."""
        while True:
            while not self._waiting:
                self._arrived.acquire()
            self._serve(self._waiting.popleft())

    def _serve(self, request: dict[str, Any]) -> None:
        verb = request.get("do")
        if verb == "close":
            if self._virtual is not None:
                self._virtual.close()
            self._virtual = None
            self._answer(request, None)
        elif self._virtual is not None:
            self._virtual.take(request)
        else:
            server = JsonServer(self._push, self._parts)
            if server.open(request):
                self._serve_robot(server)

    def _serve_robot(self, server: JsonServer) -> None:
        if server.is_virtual:
            self._virtual = server
            return
        self._live = server
        try:
            early = list(self._waiting)
            self._waiting.clear()
            for each in early:
                self._route(each)
            server.run()
        finally:
            self._live = None
            for closing in self._closing:
                self._answer(closing, None)
            self._closing.clear()

    def _answer(self, request: dict[str, Any], value: Any = None, error: str | None = None) -> None:
        answer = {"value": value} if error is None else {"error": error}
        self._push({"id": request.get("id"), **answer})

    def _push(self, message: dict[str, Any]) -> None:
        sent = self._post(encode_line_unsorted(message).decode("ascii"))
        if sent is not None and wait_for_promise is not None:
            wait_for_promise(sent)


def make_server(post: Post) -> PostedServer:
    """Return the server of a page without a game."""
    return PostedServer(post)
