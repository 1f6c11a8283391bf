"""Jotto in a browser's worker: the robot's requests, and those of the game's page."""

from collections.abc import Callable
from typing import Any

from naosim_page.page_requests import PageRequests
from naosim_page.posted import PostedServer

from .game_page import GamePage
from .robots import RobotHere

#: The folder of NAO's notebook; the worker keeps it in the browser.
NOTEBOOK = "/saved"


class GameRequests(PageRequests):
    """The answers to one page's requests about a robot that plays Jotto: `page` is answered by GamePage."""

    _page: GamePage | None = None

    def _do_page(self, request: dict[str, Any]) -> Any:
        if self._page is None:
            self._page = GamePage(RobotHere(self.robot), {"folder": NOTEBOOK, "words": ""})
        return self._page.answer_request(request.get("view", ""), request)


def make_server(post: Callable[[str], object]) -> PostedServer:
    """Return the server of a page with the game."""
    return PostedServer(post, GameRequests)
