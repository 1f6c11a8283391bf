"""The game's page for many browsers at one robot."""

from collections.abc import Mapping
from typing import Any

from .game_page import GamePage


class SharedPage:
    """The requests of many browsers: all see the same games, and NAO waits while any of them looks."""

    def __init__(self, page: GamePage) -> None:
        self._page = page
        #: Each browser that looks, and whether it looks inside.
        self._waiting: dict[int, bool] = {}

    def answer(self, browser: int, fields: Mapping[str, Any]) -> Any:
        """Return the JSON value that answers a browser's request; raises RuntimeError with a sentence."""
        view = fields.get("view", "")
        if view == "patience" and isinstance(fields.get("waiting"), bool):
            self._waiting.pop(browser, None)
            if fields["waiting"]:
                self._waiting[browser] = fields.get("inside") is True
            waits = {"waiting": bool(self._waiting), "inside": any(self._waiting.values())}
            return self._page.answer_request("patience", waits)
        return self._page.answer_request(view, fields)

    def is_slow(self, fields: Mapping[str, Any]) -> bool:
        """Return whether a request may wait for the robot: a tap waits until NAO listens."""
        return fields.get("view") == "tap"

    def leave(self, browser: int) -> None:
        """Note that a browser has gone; NAO waits no longer after the last one."""
        if browser in self._waiting:
            self.answer(browser, {"view": "patience", "waiting": False})
