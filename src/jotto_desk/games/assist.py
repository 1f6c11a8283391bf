"""Turns of a game as people type them, and a notebook of them with the words that fit and the best guess."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from jotto.compat import is_integer
from jotto.feedback import COMMON, MARKS
from jotto.game import MAX_TURNS, Turn
from jotto.index import Index
from jotto.rules import JottoError, Rules
from jotto.strategies import Belief, EveryWordAsked, Position
from jotto.words import fold_word
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.games import advice, wordle
from jotto_desk.games.mastermind import COLOURS

# Turns as people type them: `ocean 1 2`, `ocean 12`, `sugar GBBYY`, `rroo (1, 2)`, `canoe 3`.
#
# For gladiators the pair in brackets is the server's answer, `[0, 3, 10, 1, 2] [3, 1]`: weapons right, of them in
# place.

_SERVER = re.compile(r"\s*\[([\d\s,]+)\]\s*[:=]?\s*\[([\d\s,]+)\]\s*")
_LONGEST = 400


def turn_example(rules: Rules) -> str:
    """Return an example of a turn."""
    symbols = rules.alphabet if rules.repeats else rules.alphabet[: rules.length]
    word = {"jotto": "ocean", "paper-jotto": "ocean", "wordle": "sugar"}.get(rules.name) if rules.length == 5 else None
    word = word or "".join((symbols * rules.length)[: rules.length])
    return f"{word} " + {MARKS: "GBBYY"[: rules.length], COMMON: "3"}.get(rules.kind, "1 2")


def parse_turn(typed: str, rules: Rules, guess: str = "") -> Turn:
    """Read a guess and its answer; with `guess`, `typed` can be only the answer. Raises `DeskError`."""
    if len(typed) > _LONGEST:
        raise DeskError(f"'{typed[:40]}...' is too long for a turn; write it as {turn_example(rules)}.")
    if rules.kind == MARKS:
        return wordle.parse_round(typed, guess, rules)
    with as_desk_errors(JottoError):
        server = _SERVER.fullmatch(typed)
        if server is not None and rules.kind != COMMON:
            return _convert_server_turn(server[1], server[2], rules)
        return _plain(typed, rules, guess)


def parse_guess(typed: str, rules: Rules) -> str:
    """Read a guess without an answer; raises `DeskError` for none."""
    word = _parse_word(re.split(r"[\s,]+", typed.strip()[:_LONGEST]), rules)
    with as_desk_errors(JottoError):
        rules.check(word)
    return word


def _plain(typed: str, rules: Rules, guess: str) -> Turn:
    parts = re.split(r"[\s,;:=()/]+", typed.strip(" ,;:=()/"))
    count = 1 if rules.kind == COMMON else 2
    numbers, rest = parts[-count:], parts[:-count]
    compact = parts[-1]
    if count == 2 and len(compact) == 2 and compact.isdecimal() and (len(parts) == 2 or (guess and len(parts) == 1)):
        numbers, rest = list(compact), parts[:-1]
    if len(numbers) < count or not all(re.fullmatch(r"-?\d{1,6}", number) for number in numbers):
        raise DeskError(f"'{typed}' is not a guess and its answer; write it as {turn_example(rules)}.")
    word = _parse_word(rest, rules) or guess
    if not word:
        raise DeskError(f"'{typed}' has no guess; write it as {turn_example(rules)}.")
    rules.check(word)
    told: Any = int(numbers[0]) if count == 1 else (int(numbers[0]), int(numbers[1]))
    return Turn(word, rules.parse_feedback(told))


def _parse_word(parts: list[str], rules: Rules) -> str:
    small = [part.lower() for part in parts]
    if small and all(part in COLOURS and COLOURS[part] in rules.alphabet for part in small):
        return "".join(COLOURS[part] for part in small)
    return str(fold_word("".join(parts), rules.alphabet))


def _convert_server_turn(guess: str, answer: str, rules: Rules) -> Turn:
    weapons = [int(number) for number in re.findall(r"\d{1,6}", guess)]
    told = [int(number) for number in re.findall(r"\d{1,6}", answer)]
    if any(weapon >= len(rules.alphabet) for weapon in weapons):
        known = f"they are numbered from 0 to {len(rules.alphabet) - 1}"
        raise DeskError(f"'[{guess}]' has the weapon {max(weapons)}; {known}.")
    if len(told) != 2 or not is_integer(told[0]) or told[1] > told[0]:
        known = "write how many weapons are right, and how many of these are in place, such as [3, 1]"
        raise DeskError(f"'[{answer}]' is not an answer; {known}.")
    word = "".join(rules.alphabet[weapon] for weapon in weapons)
    rules.check(word)
    return Turn(word, rules.parse_feedback((told[1], told[0] - told[1])))


# The turns of one game, which can be changed or taken back, and the words they leave.


@dataclass(frozen=True)
class TurnNotebook:
    """The words (with their probabilities, or empty), and the turns so far. A new turn makes a new notebook."""

    index: Index
    weights: dict[Any, float]
    turns: tuple[Turn, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        found: Rules = self.index.rules
        return found

    def add_turn(self, turn: Turn) -> "TurnNotebook":
        """Write a turn down; raises `DeskError` when there are too many."""
        if len(self.turns) >= MAX_TURNS:
            raise DeskError(f"{MAX_TURNS} turns are noted, which is the limit; take some back with 'undo'.")
        return replace(self, turns=(*self.turns, turn))

    def replace_turn(self, number: int, turn: Turn) -> "TurnNotebook":
        """Replace turn `number`, counted from 1, with another; raises `DeskError` if none exists."""
        self.turn(number)
        return replace(self, turns=(*self.turns[: number - 1], turn, *self.turns[number:]))

    def remove_turn(self, number: int) -> "TurnNotebook":
        """Remove turn `number`, counted from 1. Raises `DeskError` if none exists."""
        self.turn(number)
        return replace(self, turns=(*self.turns[: number - 1], *self.turns[number:]))

    def turn(self, number: int) -> Turn:
        """Return turn `number`, counted from 1; raises `DeskError` if none exists."""
        if not self.turns:
            raise DeskError(f"There is no turn {number}: the game has no turns yet.")
        if not 1 <= number <= len(self.turns):
            raise DeskError(f"There is no turn {number}; they are numbered from 1 to {len(self.turns)}.")
        return self.turns[number - 1]

    def list_fitting(self) -> list[Any]:
        """List what agrees with every answer, in the order of the list."""
        return list(self.index.list_words(self.index.find_candidates(self.turns)))

    def advise(self, seed: int = 1) -> "NotebookAdvice":
        """Return the words left, the next guess and its reason, or the answer that is probably wrong."""
        found = self.list_fitting()
        if not found:
            slips = advice.describe_suspicions(self.turns, self.index, show_turn)
            return NotebookAdvice(0, None, self._choose_anyway(seed), slips)
        ranked = advice.Advisor(found, self.rules, self.weights, seed).rank_guesses(self.index.words)
        best_fitting = next((option for option in ranked if option.fits), None)
        reason = advice.guess_reason(ranked[0], len(found), self.rules, show_turn, best_fitting)
        return NotebookAdvice(len(found), ranked[0], reason, [])

    def why(self, typed: str = "", seed: int = 1) -> Sequence[str]:
        """Return the reason for the best guess, or the value of a guess; raises `DeskError` if it is not a guess."""
        found = self.list_fitting()
        if not found:
            return self.advise(seed).slips
        advisor = advice.Advisor(found, self.rules, self.weights, seed)
        if not typed:
            return advice.compare_words(advisor.rank_guesses(self.index.words), len(found), self.rules, show_turn)
        return advice.explain_word(parse_guess(typed, self.rules), self.turns, advisor, show_turn)

    def _choose_anyway(self, seed: int) -> str:
        """Return the guess to ask although no word fits: the likeliest word, or the most informative one."""
        try:
            likely = Belief().choose(Position(self.index, 0, (), len(self.turns), seed, self.turns, 0))
        except EveryWordAsked:
            return ""
        return f"To play on all the same, ask {show_turn(likely)}."


@dataclass(frozen=True)
class NotebookAdvice:
    """The number that fit, the best guess (None if no word fits) and why, or the probable mistakes."""

    left: int
    best: advice.GuessOption | None
    reason: str
    slips: Sequence[str]


def show_turn(word: Any) -> str:
    """Write a word or code so that it is easy to see in a sentence."""
    return str(word).upper()
