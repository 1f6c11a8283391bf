"""Several games at once: each a value with an id, kept on disk, and a source of the codes that fit it."""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from jotto import compat, strategies
from jotto.feedback import PLACES
from jotto.game import MAX_TURNS, Turn
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto.strategies import Position

from ..errors import DeskError
from ..games import slips
from ..games.advice import Advisor, reason
from .datalog.evaluation import Busy
from .live import LiveGame, LiveGames
from .reasoning import explanations
from .reasoning.candidates import GameSetup, setup
from .reasoning.explanations import allowed, plain
from .reasoning.reasoner import Fitting
from .store import Store

#: Games kept.
MOST_GAMES = 1000
#: Guesses that do not fit and are looked at for a suggestion; codes shown of what fits.
MOST_OTHERS, MOST_SHOWN = 2_000, 1_000
STRONGEST = "strongest"
STRATEGIES = (STRONGEST, "consistent", "entropy")
_KIND = "game"
_T = TypeVar("_T")


class NoSuchGame(DeskError):
    """A game there is not, or a turn it does not have."""


class TooManyGames(DeskError):
    """No further game is kept."""


@dataclass(frozen=True)
class GameTurns:
    """What was asked for, and the turns so far; never changed, only followed by another."""

    setup: GameSetup
    asked: dict[str, Any]
    seed: int
    turns: tuple[Turn, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return the game as JSON holds it."""
        return {
            "asked": self.asked,
            "seed": self.seed,
            "turns": [[turn.guess, plain(turn.feedback)] for turn in self.turns],
        }


def from_plain(kept: dict[str, Any]) -> GameTurns:
    """Read a game that was kept."""
    made = setup(**kept["asked"])
    turns = tuple(Turn(guess, made.rules.read_feedback(answer)) for guess, answer in kept["turns"])
    return GameTurns(made, kept["asked"], kept["seed"], turns)


def read_turn(rules: Rules, guess: str, answer: Any) -> Turn:
    """Read a guess and its answer: [1, 2], "bww", 3 or "EPNNN". Raises `DeskError`."""
    if rules.kind == PLACES and isinstance(answer, str):
        pegs = answer.strip().lower()
        if len(pegs) > rules.length or pegs.strip("bwo"):
            raise DeskError(
                f"'{answer[:30]}' is not an answer; write [blacks, whites], or a b for each black, a w for "
                "each white, an o for none."
            )
        answer = [pegs.count("b"), pegs.count("w")]
    elif isinstance(answer, str):
        answer = answer.strip().upper()
    word = allowed(guess, rules)
    try:
        return Turn(word, rules.read_feedback(answer))
    except JottoError as error:
        raise DeskError(str(error)) from error


class Games:
    """All games; any thread may ask."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, threading.Lock()
        self._games = {name: from_plain(kept) for name, kept in store.all(_KIND).items()}
        self._live = LiveGames()

    def is_large(self, name: str) -> bool:
        """Tell whether questions to a game take long: its board is large, or the last one took long."""
        game = self._games.get(name)
        return game is not None and (not game.setup.is_small or self._live.is_slow(name))

    def close(self) -> None:
        """Break off what is being worked out, and let the solvers go."""
        self._live.close()

    def create(self, asked: dict[str, Any], seed: int = 0) -> str:
        """Begin a game; returns its id. Raises `DeskError` for what cannot be played, `TooManyGames`."""
        game = GameTurns(setup(**asked), asked, seed or 1 + secrets.randbelow(2**31 - 1))
        name = secrets.token_hex(8)
        with self._lock:
            if len(self._games) >= MOST_GAMES:
                raise TooManyGames(f"{MOST_GAMES:,} games are kept, and no more; delete one first.")
            self._store.keep(_KIND, name, game.plain())
            self._games[name] = game
        return name

    def listed(self) -> list[dict[str, Any]]:
        """List the games, the oldest first."""
        with self._lock:
            games = list(self._games.items())
        return [{"id": name, "rules": game.setup.name, "turns": len(game.turns)} for name, game in games]

    def delete(self, name: str) -> None:
        """Forget a game; raises `NoSuchGame`."""
        with self._lock:
            self._game(name)
            self._store.forget(_KIND, name)
            del self._games[name]
            self._live.forget(name)

    def state(self, name: str) -> dict[str, Any]:
        """Say how a game stands, and, where nothing fits, which turns clash and what was most likely meant."""
        with self._open(name) as (game, live):
            return _state(name, game, live)

    def take(self, name: str, guess: str, answer: Any) -> dict[str, Any]:
        """Add a turn; returns the state. Raises `DeskError`."""

        def added(game: GameTurns) -> GameTurns:
            if len(game.turns) >= MAX_TURNS:
                raise DeskError(f"The game has {MAX_TURNS} turns, and no more fit; take some back.")
            return replace(game, turns=(*game.turns, read_turn(game.setup.rules, guess, answer)))

        return self._changed(name, added)

    def change(self, name: str, number: int, guess: str, answer: Any) -> dict[str, Any]:
        """Put another turn in place of turn `number`, counted from 1; returns the state. Raises `DeskError`."""

        def changed(game: GameTurns) -> GameTurns:
            turns = _without(game, number)
            turn = read_turn(game.setup.rules, guess, answer)
            return replace(game, turns=(*turns[: number - 1], turn, *turns[number - 1 :]))

        return self._changed(name, changed)

    def undo(self, name: str, number: int | None = None) -> dict[str, Any]:
        """Take the last turn back, or turn `number`, counted from 1; returns the state. Raises `NoSuchGame`."""
        return self._changed(
            name, lambda game: replace(game, turns=_without(game, len(game.turns) if number is None else number))
        )

    def codes(self, name: str, most: int) -> dict[str, Any]:
        """List what fits."""
        with self._open(name) as (game, live):
            found = live.fitting(game.turns)
        return {"left": len(found.codes), "is_all": found.is_all, "codes": list(found.codes[:most])}

    def suggest(self, name: str, strategy: str = STRONGEST) -> dict[str, Any]:
        """Name a good guess, and why; raises `DeskError` where nothing fits."""
        with self._open(name) as (game, live):
            fitting = live.fitting(game.turns)
            if not fitting.codes:
                raise DeskError("Nothing fits all turns, so there is nothing to suggest; ask which turns clash.")
            guess, because = _suggested(game, live, strategy)
            found = explanations.why(live.source, game.turns, guess, fitting, live.index(game.turns))
        return {**found, "strategy": strategy, "reason": because}

    def why(self, name: str, guess: str) -> dict[str, Any]:
        """Say how good a guess is."""
        with self._open(name) as (game, live):
            word = allowed(guess, game.setup.rules)
            found = live.fitting(game.turns)
            return explanations.why(live.source, game.turns, word, found, live.index(game.turns))

    def why_not(self, name: str, code: str) -> dict[str, Any]:
        """Say which turns speak against a code."""
        with self._open(name) as (game, live):
            return explanations.why_not(live.source, game.turns, allowed(code, game.setup.rules))

    def clash(self, name: str) -> dict[str, Any]:
        """Name the smallest set of turns that clash."""
        with self._open(name) as (game, live):
            return explanations.clashing(live.source, game.turns)

    def suppose(self, name: str, guess: str, answer: Any, most: int) -> dict[str, Any]:
        """Say what would fit after one more turn; the game stays as it is."""
        with self._open(name) as (game, live):
            turn = read_turn(game.setup.rules, guess, answer)
            found = live.source.fitting([*game.turns, turn])
        return {
            "guess": turn.guess,
            "answer": plain(turn.feedback),
            "left": len(found.codes),
            "is_all": found.is_all,
            "codes": list(found.codes[:most]),
        }

    def _changed(self, name: str, change: Callable[[GameTurns], GameTurns]) -> dict[str, Any]:
        with self._open(name) as (game, live):
            after = change(game)
            # Thought about before it is kept: what cannot be worked out changes nothing.
            state = _state(name, after, live)
            with self._lock:
                if self._game(name) is not game:
                    raise Busy("The game was changed meanwhile; look at it, and try again.")
                self._store.keep(_KIND, name, after.plain())
                self._games[name] = after
        return state

    def _game(self, name: str) -> GameTurns:
        if name not in self._games:
            raise NoSuchGame(f"There is no game '{name[:40]}'; begin one, or list those there are.")
        return self._games[name]

    @contextmanager
    def _open(self, name: str) -> Iterator[tuple[GameTurns, LiveGame]]:
        """Lock a game for one request, and yield it with its candidate source."""
        with self._lock:
            game = self._game(name)
        with self._live.asked(name, game.setup) as live:
            with self._lock:
                game = self._game(name)
            yield game, live


def _without(game: GameTurns, number: int) -> tuple[Turn, ...]:
    if not 1 <= number <= len(game.turns):
        count = len(game.turns)
        known = f"they are numbered from 1 to {count}" if count else "none was taken yet"
        raise NoSuchGame(f"There is no turn {number}; {known}.")
    return game.turns[: number - 1] + game.turns[number:]


def _state(name: str, game: GameTurns, live: LiveGame) -> dict[str, Any]:
    rules = game.setup.rules
    # Of a large board without a turn nothing need be worked out.
    found = live.fitting(game.turns) if game.turns or game.setup.is_small else Fitting((), False)
    funnel = [_left(game, live, count) for count in range(len(game.turns) + 1)]
    solved = game.turns[-1].guess if game.turns and game.turns[-1].feedback == rules.win else None
    state = {
        "id": name,
        "rules": game.setup.name,
        "holes": rules.length,
        "colours": len(rules.alphabet),
        "symbols": rules.alphabet,
        "repeats": rules.repeats,
        "answers": rules.kind,
        "seed": game.seed,
        "turns": [
            {"turn": place, "guess": turn.guess, "answer": plain(turn.feedback)}
            for place, turn in enumerate(game.turns, start=1)
        ],
        "left": funnel[-1],
        "is_all": found.is_all or not game.turns,
        "funnel": funnel,
        "solved": solved if len(found.codes) == 1 else None,
        "clash": None,
        "slips": [],
    }
    if not found.codes and found.is_all:
        state["clash"] = explanations.clashing(live.source, game.turns)
        every: Sequence[str] = live.source.askable()
        if every:
            state["slips"] = slips.sentences(game.turns, Index(every, rules), str.upper)[1:]
    return state


def _left(game: GameTurns, live: LiveGame, count: int) -> int:
    """How many fit the first turns; of a board with very many codes all are counted before the first turn alone."""
    if not count and game.setup.size:
        return game.setup.size
    return len(live.fitting(game.turns[:count]).codes)


def _suggested(game: GameTurns, live: LiveGame, strategy: str) -> tuple[str, str]:
    index, rules = live.index(game.turns), game.setup.rules
    if strategy != STRONGEST:
        position = Position(index, index.everything, (), len(game.turns), game.seed, game.turns, 0)
        return str(strategies.find_strategy(strategy).choose(position)), f"chosen by the strategy '{strategy}'."
    every = live.source.askable()
    others = every if len(every) <= MOST_OTHERS else compat.draw_items(every, MOST_OTHERS, game.seed, "others")
    ranked = Advisor(index.words, rules, seed=game.seed).ranked(others)
    best_fitting = next((option for option in ranked if option.fits), None)
    return str(ranked[0].word), reason(ranked[0], len(index), rules, str.upper, best_fitting)
