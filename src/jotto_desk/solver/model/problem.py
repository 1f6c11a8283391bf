"""A problem: the words that may be the secret, with their weights, those that may be asked, and the rules."""

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from jotto.feedback import COMMON, MARKS, PLACES, Feedback
from jotto.rules import Rules
from jotto.tree import list_codes

from ...errors import DeskError

Word = Any
MOST_CODES = 256
MOST_WORDS = 100_000

#: SCOWL band (how common a word is) to the weight of the word as a secret: 16 : 8 : 3 : 1 : 1/2, doubled.
BAND_WEIGHTS = {10: 32, 20: 16, 35: 6, 40: 2, 50: 1}


@dataclass(frozen=True, eq=False)
class Problem:
    """Secrets and guesses under rules; make one with `of_list` or `of_symbols`.

    `guesses[i]` is secret number i for i < len(weights); wider guess words stand behind. The weights never rise.
    """

    rules: Rules
    guesses: tuple[Word, ...]
    weights: npt.NDArray[np.int32]
    kind: str = "uniform"

    @property
    def secrets(self) -> tuple[Word, ...]:
        """Return the words that may be the secret, heaviest first."""
        return self.guesses[: len(self.weights)]

    @cached_property
    def is_uniform(self) -> bool:
        """Tell whether all secrets weigh the same."""
        return bool((self.weights == self.weights[0]).all())

    @cached_property
    def is_symmetric(self) -> bool:
        """Tell whether symbols and places may be exchanged: every code is a secret, and all weigh the same."""
        return self.rules.kind != MARKS and self.is_uniform and len(self.secrets) == _every(self.rules)

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """Return the feedback of every code; None for codes no answer has."""
        return _classes(self.rules)

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Return the codes an answer can have, rising; the winning one is the last."""
        return tuple(code for code, feedback in enumerate(self.classes) if feedback is not None or code == self.win)

    @property
    def win(self) -> int:
        """Return the code of the answer that ends the game."""
        return len(self.classes) - 1

    @cached_property
    def checksum(self) -> str:
        """Return the SHA-256 of rules, words and weights: the identity of the problem."""
        plain = [self.rules.plain(), len(self.weights), self.weights.tolist(), list(map(list, self.guesses))]
        return hashlib.sha256(json.dumps(plain).encode("utf-8")).hexdigest()


def of_list(
    words: Sequence[Word],
    rules: Rules,
    wider: Iterable[Word] = (),
    weights: Sequence[int] | None = None,
    kind: str = "uniform",
) -> Problem:
    """Make the problem of a word list: `wider` words may be asked too; `weights` (positive whole numbers) per word.

    Words of equal weight keep the order of the list. Raises `DeskError` for too few words, too many, or
    a duplicate.
    """
    _check_rules(rules)
    heavy = [1] * len(words) if weights is None else list(weights)
    if len(heavy) != len(words) or min(heavy, default=0) < 1 or max(heavy) > 1000:
        raise DeskError("The weights of the words are not whole numbers from 1 to 1000, one per word.")
    order = sorted(range(len(words)), key=lambda number: -heavy[number])
    known = set(words)
    if len(known) != len(words):
        raise DeskError("A word stands twice in the list of secrets; give each once.")
    guesses = (*(words[number] for number in order), *(word for word in dict.fromkeys(wider) if word not in known))
    if not 2 <= len(words) <= len(guesses) <= MOST_WORDS:
        raise DeskError(f"The solver takes 2 to {MOST_WORDS} words; these are {len(guesses)}.")
    return Problem(rules, guesses, np.array([heavy[number] for number in order], dtype=np.int32), kind)


def of_symbols(rules: Rules) -> Problem:
    """Make the problem of a symbol game: every code of the alphabet is a secret and a guess.

    Raises `DeskError` when there are too many codes.
    """
    count = _every(rules)
    if count > MOST_WORDS:
        raise DeskError(
            f"{rules.length} places of {len(rules.alphabet)} symbols make {count} codes; the solver takes {MOST_WORDS}."
        )
    return of_list(list_codes(rules), rules)


def band_weights(bands: Iterable[int | None]) -> list[int]:
    """Weigh words by how common they are (`BAND_WEIGHTS`); words of no known band weigh as the rarest."""
    return [BAND_WEIGHTS.get(band or 0, min(BAND_WEIGHTS.values())) for band in bands]


def decode(code: int, rules: Rules) -> Any:
    """Return the feedback a code stands for: see `jotto_desk.solver.model.feedback_codes` for how codes are made."""
    return _classes(rules)[code]


def _classes(rules: Rules) -> tuple[Any, ...]:
    length = rules.length
    if rules.kind == COMMON:
        # The last class is the word itself: an anagram has as many letters in common and ends nothing.
        return (*range(length + 1), None)
    if rules.kind == MARKS:
        return tuple("".join("NPE"[code // 3**place % 3] for place in range(length)) for code in range(3**length))
    pairs = [divmod(code, length + 1) for code in range(length * (length + 1) + 1)]
    return tuple(Feedback(exact, off) if exact + off <= length else None for exact, off in pairs)


def _check_rules(rules: Rules) -> None:
    length = rules.length
    codes = {PLACES: length * (length + 1) + 1, MARKS: 3 ** min(length, 9), COMMON: length + 2}[rules.kind]
    if codes > MOST_CODES:
        kind = "one mark per place" if rules.kind == MARKS else "exact and misplaced"
        raise DeskError(
            f"Words of {length} letters with {kind} have more than {MOST_CODES} answers; "
            f"the solver takes {5 if rules.kind == MARKS else 15} letters at most."
        )


def _every(rules: Rules) -> int:
    """Count the codes the rules allow."""
    length, symbols = rules.length, len(rules.alphabet)
    return symbols**length if rules.repeats else math.perm(symbols, length)
