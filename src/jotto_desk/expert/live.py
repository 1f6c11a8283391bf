"""The games that are thought about: each with a source of the codes that fit it, one question to each at a time."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from jotto.game import MAX_TURNS, Turn
from jotto.index import Index

from .datalog.evaluation import Busy
from .reasoning.candidates import CandidateSource, GameSetup, candidate_source
from .reasoning.reasoner import Fitting

#: Games with a source in memory; seconds a question waits for another one to the same game.
MOST_LIVE, PATIENCE = 256, 20.0
#: Seconds of work from which on the next question to a game counts as large.
LARGE = 0.5


@dataclass
class LiveGame:
    """A game that is thought about: one question at a time."""

    source: CandidateSource
    lock: threading.Lock = field(default_factory=threading.Lock)
    found: dict[tuple[Turn, ...], Fitting] = field(default_factory=dict)
    indexed: tuple[tuple[Turn, ...], Index] | None = None
    seconds: float = 0.0

    def fitting(self, turns: tuple[Turn, ...]) -> Fitting:
        """Return what fits, cached for the present turns and all before."""
        if turns not in self.found:
            if len(self.found) > MAX_TURNS:
                self.found.clear()
            self.found[turns] = self.source.fitting(turns)
        return self.found[turns]

    def index(self, turns: tuple[Turn, ...]) -> Index:
        """Return what fits, indexed so that it can be split by answers."""
        if self.indexed is None or self.indexed[0] != turns:
            self.indexed = turns, Index(self.fitting(turns).codes, self.source.setup.rules)
        return self.indexed[1]


class LiveGames:
    """The live games by name, those not used for long in front; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._live: OrderedDict[str, LiveGame] = OrderedDict()
        self._is_closed = False

    @contextmanager
    def asked(self, name: str, setup: GameSetup) -> Iterator[LiveGame]:
        """Hold a game for one question; raises `Busy` where another one takes too long."""
        live = self._used(name, self._live.get(name) or LiveGame(candidate_source(setup)))
        if not live.lock.acquire(timeout=PATIENCE):
            raise Busy("Another request to this game is being worked out; try again in a moment.")
        begun = time.thread_time()
        try:
            yield live
        finally:
            live.seconds = time.thread_time() - begun
            live.lock.release()

    def _used(self, name: str, fresh: LiveGame) -> LiveGame:
        """Return the live game, the present one where there is one; others that were not used for long go."""
        with self._lock:
            if self._is_closed:
                raise Busy("The service is ending.")
            live = self._live.setdefault(name, fresh)
            self._live.move_to_end(name)
            spare = max(len(self._live) - MOST_LIVE, 0)
            resting = [key for key, one in self._live.items() if key != name and not one.lock.locked()]
            for other in resting[:spare]:
                del self._live[other]
            return live

    def is_slow(self, name: str) -> bool:
        """Tell whether the last question to a game took long."""
        live = self._live.get(name)
        return live is not None and live.seconds > LARGE

    def forget(self, name: str) -> None:
        """Let a game go."""
        with self._lock:
            self._live.pop(name, None)

    def close(self) -> None:
        """Break off what is being worked out, and let the sources go."""
        with self._lock:
            self._is_closed = True
            lives = list(self._live.values())
            self._live.clear()
        for live in lives:
            live.source.end()
        for live in lives:
            # A solver's library must not be left while it is at work.
            if live.lock.acquire(timeout=PATIENCE):
                live.lock.release()
