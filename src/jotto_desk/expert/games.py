"""The games of the expert service: values with an id, stored on disk.

A game in use has its source of candidates in memory and answers one question at a time.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from jotto import compat, strategies
from jotto.feedback import PLACES
from jotto.game import MAX_TURNS, Turn
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.expert import reasoning
from jotto_desk.expert.knowledge_base import Busy, Store
from jotto_desk.expert.reasoning import CandidateSource, FittingCodes, GameSetup, make_setup, parse_code, plain_guess
from jotto_desk.games import advice

# Games in memory.

#: The most games with a source in memory.
MAX_LIVE = 256
#: The longest time that a question waits for another question to the same game.
_TURN_TIMEOUT_S = 20.0
#: If the last question to a game took longer, the next one is large work.
_LARGE_WORK_S = 0.5


@dataclass
class _LiveGame:
    """A game in memory, for one question at a time."""

    source: CandidateSource
    lock: threading.Lock = field(default_factory=threading.Lock)
    found: dict[tuple[Turn, ...], FittingCodes] = field(default_factory=dict)
    indexed: tuple[tuple[Turn, ...], Index] | None = None
    seconds: float = 0.0

    def find_fitting(self, turns: tuple[Turn, ...]) -> FittingCodes:
        """Return what fits these turns; the results for earlier turns stay in memory."""
        if turns not in self.found:
            if len(self.found) > MAX_TURNS:
                self.found.clear()
            self.found[turns] = self.source.find_fitting(turns)
        return self.found[turns]

    def build_index(self, turns: tuple[Turn, ...]) -> Index:
        if self.indexed is None or self.indexed[0] != turns:
            self.indexed = turns, Index(self.find_fitting(turns).codes, self.source.setup.rules)
        return self.indexed[1]


class _LiveGames:
    """The games in memory by id, the least recently used first; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._live: OrderedDict[str, _LiveGame] = OrderedDict()
        self._is_closed = False

    @contextmanager
    def hold_game(self, name: str, setup: GameSetup) -> Iterator[_LiveGame]:
        """Hold a game for one question; raises `Busy` if another question takes too long."""
        live = self._mark_used(name, self._live.get(name) or _LiveGame(reasoning.make_candidate_source(setup)))
        if not live.lock.acquire(timeout=_TURN_TIMEOUT_S):
            raise Busy("Another request to this game is being computed; try again in a moment.")
        begun = time.thread_time()
        try:
            yield live
        finally:
            live.seconds = time.thread_time() - begun
            live.lock.release()

    def _mark_used(self, name: str, fresh: _LiveGame) -> _LiveGame:
        """Return the game in memory, by default `fresh`; drop the least recently used ones that are too many."""
        with self._lock:
            if self._is_closed:
                raise Busy("The service is ending.")
            live = self._live.setdefault(name, fresh)
            self._live.move_to_end(name)
            spare = max(len(self._live) - MAX_LIVE, 0)
            resting = [key for key, one in self._live.items() if key != name and not one.lock.locked()]
            for other in resting[:spare]:
                del self._live[other]
            return live

    def is_slow(self, name: str) -> bool:
        live = self._live.get(name)
        return live is not None and live.seconds > _LARGE_WORK_S

    def forget(self, name: str) -> None:
        with self._lock:
            self._live.pop(name, None)

    def close(self) -> None:
        """Interrupt all questions, and wait for their ends."""
        with self._lock:
            self._is_closed = True
            lives = list(self._live.values())
            self._live.clear()
        for live in lives:
            live.source.end()
        for live in lives:
            # The program must not end while clingo is working.
            if live.lock.acquire(timeout=_TURN_TIMEOUT_S):
                live.lock.release()


# All games.

#: The most games that are stored.
MAX_GAMES = 1000
#: The most guesses that do not fit and are compared for a suggestion.
_MAX_OTHERS = 2_000
#: The most codes in one answer.
MAX_SHOWN = 1_000
STRONGEST = "strongest"
STRATEGY_NAMES = (STRONGEST, "consistent", "entropy")
_KIND = "game"
_T = TypeVar("_T")


class NoSuchGame(DeskError):
    """There is no such game, or the game has no such turn."""


class TooManyGames(DeskError):
    """As many games are stored as can be."""


@dataclass(frozen=True)
class _GameTurns:
    """The rules asked for, and the turns so far."""

    setup: GameSetup
    asked: dict[str, Any]
    seed: int
    turns: tuple[Turn, ...] = ()

    def plain(self) -> dict[str, Any]:
        turns = [[turn.guess, plain_guess(turn.feedback)] for turn in self.turns]
        return {"asked": self.asked, "seed": self.seed, "turns": turns}


def _parse_game(kept: dict[str, Any]) -> _GameTurns:
    made = make_setup(**kept["asked"])
    turns = tuple(Turn(guess, made.rules.parse_feedback(answer)) for guess, answer in kept["turns"])
    return _GameTurns(made, kept["asked"], kept["seed"], turns)


def parse_turn(rules: Rules, guess: str, answer: Any) -> Turn:
    """Read a guess and its answer, such as [1, 2], "bww", 3 or "EPNNN"; raises `DeskError`."""
    if rules.kind == PLACES and isinstance(answer, str):
        pegs = answer.strip().lower()
        if len(pegs) > rules.length or pegs.strip("bwo"):
            known = "[blacks, whites], or a b for each black, a w for each white, an o for none"
            raise DeskError(f"'{answer[:30]}' is not an answer; write {known}.")
        answer = [pegs.count("b"), pegs.count("w")]
    elif isinstance(answer, str):
        answer = answer.strip().upper()
    word = parse_code(guess, rules)
    with as_desk_errors(JottoError):
        return Turn(word, rules.parse_feedback(answer))


class Games:
    """All games, for any thread."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, threading.Lock()
        self._games = {name: _parse_game(kept) for name, kept in store.load_all(_KIND).items()}
        self._live = _LiveGames()

    def is_large(self, name: str) -> bool:
        """Return whether the next question to a game can take long: the board is large, or the last one did."""
        game = self._games.get(name)
        return game is not None and (not game.setup.is_small or self._live.is_slow(name))

    def close(self) -> None:
        """Interrupt all questions, and wait for their ends."""
        self._live.close()

    def create(self, asked: dict[str, Any], seed: int = 0) -> str:
        """Begin a game and return its id; raises `DeskError` for rules that do not exist, or `TooManyGames`."""
        game = _GameTurns(make_setup(**asked), asked, seed or 1 + secrets.randbelow(2**31 - 1))
        name = secrets.token_hex(8)
        with self._lock:
            if len(self._games) >= MAX_GAMES:
                raise TooManyGames(f"{MAX_GAMES:,} games are saved, which is the limit; delete one first.")
            self._store.keep(_KIND, name, game.plain())
            self._games[name] = game
        return name

    def list_games(self) -> list[dict[str, Any]]:
        """List the games, the oldest first."""
        with self._lock:
            games = list(self._games.items())
        return [{"id": name, "rules": game.setup.name, "turns": len(game.turns)} for name, game in games]

    def delete(self, name: str) -> None:
        """Delete a game; raises `NoSuchGame`."""
        with self._lock:
            self._find_game(name)
            self._store.forget(_KIND, name)
            del self._games[name]
            self._live.forget(name)

    def get_state(self, name: str) -> dict[str, Any]:
        """Return the state of a game; if no code fits, also the turns that clash and the likely slips."""
        with self._open(name) as (game, live):
            return _make_state(name, game, live)

    def take(self, name: str, guess: str, answer: Any) -> dict[str, Any]:
        """Add a turn and return the state; raises `DeskError`."""

        def add_turn(game: _GameTurns) -> _GameTurns:
            if len(game.turns) >= MAX_TURNS:
                raise DeskError(f"The game has {MAX_TURNS} turns, which is the limit; take some back.")
            return replace(game, turns=(*game.turns, parse_turn(game.setup.rules, guess, answer)))

        return self._change_game(name, add_turn)

    def change(self, name: str, number: int, guess: str, answer: Any) -> dict[str, Any]:
        """Replace turn `number`, counted from 1, and return the state; raises `DeskError`."""

        def replace_turn(game: _GameTurns) -> _GameTurns:
            turns = _remove_turn(game, number)
            turn = parse_turn(game.setup.rules, guess, answer)
            return replace(game, turns=(*turns[: number - 1], turn, *turns[number - 1 :]))

        return self._change_game(name, replace_turn)

    def undo(self, name: str, number: int | None = None) -> dict[str, Any]:
        """Take back the last turn, or turn `number`, counted from 1; return the state. Raises `NoSuchGame`."""

        def remove_turn(game: _GameTurns) -> _GameTurns:
            return replace(game, turns=_remove_turn(game, len(game.turns) if number is None else number))

        return self._change_game(name, remove_turn)

    def list_codes(self, name: str, most: int) -> dict[str, Any]:
        """Return the first `most` codes that fit."""
        with self._open(name) as (game, live):
            return _list_first_codes(live.find_fitting(game.turns), most)

    def suggest(self, name: str, strategy: str = STRONGEST) -> dict[str, Any]:
        """Return a good guess and the reason for it. Raises `DeskError` if no code fits."""
        with self._open(name) as (game, live):
            fitting = live.find_fitting(game.turns)
            if not fitting.codes:
                raise DeskError("No code fits all turns, so there is no guess to suggest; ask which turns clash.")
            guess, because = _suggest_guess(game, live, strategy)
            found = reasoning.explain_guess(live.source, game.turns, guess, fitting, live.build_index(game.turns))
        return {**found, "strategy": strategy, "reason": because}

    def why(self, name: str, guess: str) -> dict[str, Any]:
        """Rate a guess."""
        with self._open(name) as (game, live):
            word = parse_code(guess, game.setup.rules)
            found = live.find_fitting(game.turns)
            return reasoning.explain_guess(live.source, game.turns, word, found, live.build_index(game.turns))

    def why_not(self, name: str, code: str) -> dict[str, Any]:
        """Return the turns that speak against a code."""
        with self._open(name) as (game, live):
            return reasoning.explain_excluded(live.source, game.turns, parse_code(code, game.setup.rules))

    def find_clash(self, name: str) -> dict[str, Any]:
        """Return the smallest set of turns that cannot all be true."""
        with self._open(name) as (game, live):
            return reasoning.explain_clash(live.source, game.turns)

    def suppose(self, name: str, guess: str, answer: Any, most: int) -> dict[str, Any]:
        """Return what would fit after one more turn; the game does not change."""
        with self._open(name) as (game, live):
            turn = parse_turn(game.setup.rules, guess, answer)
            found = _list_first_codes(live.source.find_fitting([*game.turns, turn]), most)
        return {"guess": turn.guess, "answer": plain_guess(turn.feedback), **found}

    def _change_game(self, name: str, change: Callable[[_GameTurns], _GameTurns]) -> dict[str, Any]:
        with self._open(name) as (game, live):
            after = change(game)
            # The state comes first: if it cannot be computed, the game does not change.
            state = _make_state(name, after, live)
            with self._lock:
                if self._find_game(name) is not game:
                    raise Busy("The game was changed meanwhile; look at it, and try again.")
                self._store.keep(_KIND, name, after.plain())
                self._games[name] = after
        return state

    def _find_game(self, name: str) -> _GameTurns:
        if name not in self._games:
            raise NoSuchGame(f"There is no game '{name[:40]}'; begin one, or list the games.")
        return self._games[name]

    @contextmanager
    def _open(self, name: str) -> Iterator[tuple[_GameTurns, _LiveGame]]:
        """Lock a game for one request, and yield it with its candidate source."""
        with self._lock:
            game = self._find_game(name)
        with self._live.hold_game(name, game.setup) as live:
            with self._lock:
                game = self._find_game(name)
            yield game, live


def _list_first_codes(found: FittingCodes, most: int) -> dict[str, Any]:
    return {"left": len(found.codes), "is_all": found.is_all, "codes": list(found.codes[:most])}


def _remove_turn(game: _GameTurns, number: int) -> tuple[Turn, ...]:
    if not 1 <= number <= len(game.turns):
        count = len(game.turns)
        known = f"they are numbered from 1 to {count}" if count else "none was taken yet"
        raise NoSuchGame(f"There is no turn {number}; {known}.")
    return game.turns[: number - 1] + game.turns[number:]


def _make_state(name: str, game: _GameTurns, live: _LiveGame) -> dict[str, Any]:
    rules = game.setup.rules
    # A large board without a turn has too many codes to list.
    found = live.find_fitting(game.turns) if game.turns or game.setup.is_small else FittingCodes((), False)
    before = [game.turns[:count] for count in range(len(game.turns) + 1)]
    funnel = [
        len(live.find_fitting(turns).codes) if turns or not game.setup.size else game.setup.size for turns in before
    ]
    solved = game.turns[-1].guess if game.turns and game.turns[-1].feedback == rules.win else None
    setup = {"id": name, "rules": game.setup.name, "holes": rules.length, "colours": len(rules.alphabet)}
    setup |= {"symbols": rules.alphabet, "repeats": rules.repeats, "answers": rules.kind, "seed": game.seed}
    turns = reasoning.plain_turns(game.turns, range(len(game.turns)))
    fits = {"left": funnel[-1], "is_all": found.is_all or not game.turns, "funnel": funnel}
    solved = solved if len(found.codes) == 1 else None
    state: dict[str, Any] = {**setup, "turns": turns, **fits, "solved": solved, "clash": None, "slips": []}
    if not found.codes and found.is_all:
        state["clash"] = reasoning.explain_clash(live.source, game.turns)
        every: Sequence[str] = live.source.list_askable()
        if every:
            state["slips"] = advice.describe_suspicions(game.turns, Index(every, rules), str.upper)[1:]
    return state


def _suggest_guess(game: _GameTurns, live: _LiveGame, strategy: str) -> tuple[str, str]:
    index, rules = live.build_index(game.turns), game.setup.rules
    if strategy != STRONGEST:
        position = strategies.Position(index, index.everything, (), len(game.turns), game.seed, game.turns, 0)
        return str(strategies.find_strategy(strategy).choose(position)), f"chosen by the strategy '{strategy}'."
    every = live.source.list_askable()
    others = every if len(every) <= _MAX_OTHERS else compat.draw_items(every, _MAX_OTHERS, game.seed, "others")
    ranked = advice.Advisor(index.words, rules, seed=game.seed).rank_guesses(others)
    best_fitting = next((option for option in ranked if option.fits), None)
    return str(ranked[0].word), advice.guess_reason(ranked[0], len(index), rules, str.upper, best_fitting)
