"""Jotto in a browser's worker: the robot's requests, and those of the game's page."""

from collections.abc import Callable
from typing import Any

from naosim.json_server import LiveRequests
from naosim_page.posted import PostedServer

from .game_page import GamePage
from .robots import RobotHere

#: The folder of NAO's notebook; the worker keeps it in the browser.
NOTEBOOK = "/saved"


class GameRequests:
    """The answer to a page's request about the game: `page` is answered by GamePage."""

    def __init__(self, live: LiveRequests) -> None:
        self._robot = live.robot
        self._page: GamePage | None = None

    def _do_page(self, request: dict[str, Any]) -> Any:
        if self._page is None:
            self._page = GamePage(RobotHere(self._robot), {"folder": NOTEBOOK, "words": ""})
        return self._page.answer_request(request.get("view", ""), request)


def make_server(post: Callable[[str], object]) -> PostedServer:
    """Return the server of a page with the game."""
    return PostedServer(post, GameRequests)
