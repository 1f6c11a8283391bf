"""The game of one robot, read again when something has happened: one reading for all browsers that look at it."""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from jotto_behaviour import memory
from jotto_desk.play.page.game_page import PATIENCE_S
from jotto_desk.play.page.moments import GameView, read_view
from naosim_live.page.recorded.recorded_robot import RecordedRobot
from naosim_live.page.shown_robot import ShownRobot

#: Real seconds between two readings: while things happen, and when the robot is quiet.
_READS_EVERY, _LOOKS_EVERY = 0.1, 1.0


class WatchedGame:
    """What the robot keeps under `Jotto/Game`; `changed` grows with every other text."""

    def __init__(self, shown: ShownRobot) -> None:
        self._shown = shown
        self._text: object = None
        self._read_at, self._seen = 0.0, -1
        self._is_reading = False
        self._browsers, self._told = 0, 0.0
        self.view: GameView | None = None
        #: Whether the behaviour runs, and NAO can be answered at all.
        self.runs = False
        self.changed = 0

    def come(self) -> None:
        """Count one browser more that shows the game."""
        self._browsers += 1

    async def leave(self) -> None:
        """Count one browser less."""
        self._browsers -= 1
        await self.read()

    async def look(self) -> None:
        """Read the game if it may have changed."""
        since = time.monotonic() - self._read_at
        if self._is_reading or since < _READS_EVERY or (since < _LOOKS_EVERY and self._shown.changed == self._seen):
            return
        await self.read()

    async def read(self) -> None:
        """Read the game; a robot that is gone leaves what was known."""
        self._is_reading, self._read_at, self._seen = True, time.monotonic(), self._shown.changed
        try:
            await self._tell_patience()
            # A list, since a key that was never written is no error there.
            found = await self._shown.call("ALMemory", "getListData", [memory.GAME_KEY])
            runs = bool((await self._shown.ask("behaviour"))["runs"])
        except RuntimeError:
            return
        finally:
            self._is_reading = False
        text = found[0] if isinstance(found, list) and found else None
        if (text, runs) != (self._text, self.runs):
            self.runs = runs
            self._text, self.view = text, read_view(text, self._shown.texts)
            self.changed += 1

    async def _tell_patience(self) -> None:
        """Have NAO wait for those who read and type; who speaks with it is asked again as soon as on a robot."""
        shown = self._shown
        wanted = PATIENCE_S if self._browsers and not shown.microphones else 0.0
        if wanted != self._told and not isinstance(shown, RecordedRobot):
            self._told = wanted
            await shown.call("ALMemory", "insertData", memory.PATIENCE_KEY, wanted)


class WatchedGames:
    """The games of all robots, one each."""

    def __init__(self) -> None:
        self._games: WeakKeyDictionary[ShownRobot, WatchedGame] = WeakKeyDictionary()

    def of(self, shown: ShownRobot) -> WatchedGame:
        """Return the game of a robot."""
        if shown not in self._games:
            self._games[shown] = WatchedGame(shown)
        return self._games[shown]
