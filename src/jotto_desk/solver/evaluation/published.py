"""Published averages of a game, and those a prototype of this solver found.

An average counts the winning guess, over all secrets, each equally likely. A list is recognised by its words, in any
order; where only its size is on record, by that (`by_size`).
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from ..model.problem import Problem

PROTOTYPE = "prototype of this solver"
#: The strategy names of optimal play, and of the best play known.
OPTIMUM, BEST = "optimum", "best known"

SGB = 3834
ANSWERS = "aa98dfe8e8e587663f5b343daf61b31a6da77170fa262f731a0592ec3ff212c1"
WORDLE_ANSWERS = "5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0"
WORDLE_GUESSES = "99be2e38dadf3e26952af7cb4d963f65b632d5de91aa99e5ce308e4dc9617b65"
SCOWL_50 = "ac4f042d870059e3c29e4d3a602b9b585fc1abf090bdfc9256139012b10909e6"


class PublishedFigure(NamedTuple):
    """A strategy's average, rounded as it was published; the total over all secrets where that is known."""

    strategy: str
    mean: float
    maximum: int | None
    source: str
    total: int | None = None


class PublishedGame(NamedTuple):
    """The published figures of one game; `by_size` where its list was recognised only by size."""

    game: str
    figures: tuple[PublishedFigure, ...]
    by_size: bool = False

    def of(self, strategy: str) -> PublishedFigure | None:
        """Return the figure of a strategy, None where there is none."""
        return next((figure for figure in self.figures if figure.strategy == strategy), None)

    @property
    def best(self) -> PublishedFigure | None:
        """Return the figure of the best play on record."""
        return self.of(OPTIMUM) or self.of(BEST)


def _total(strategy: str, total: int, secrets: int, maximum: int | None, source: str = PROTOTYPE) -> PublishedFigure:
    return PublishedFigure(strategy, total / secrets, maximum, source, total)


def _table(*rows: tuple[str, float, int | None]) -> tuple[PublishedFigure, ...]:
    return tuple(PublishedFigure(strategy, mean, maximum, PROTOTYPE) for strategy, mean, maximum in rows)


#: Length, symbols, repeats: figures. Feedback by places.
CODES: dict[tuple[int, int, bool], tuple[PublishedFigure, ...]] = {
    (4, 6, True): (
        _total("frequent-first", 7471, 1296, 9, "Shapiro 1983"),
        _total("minimax-all", 5801, 1296, 5, "Kooi 2005"),
        _total("expected-size-all", 5696, 1296, 6, "Kooi 2005"),
        _total("entropy-all", 5722, 1296, 6, "Kooi 2005"),
        _total("most-parts-all", 5668, 1296, 6, "Kooi 2005"),
        _total(OPTIMUM, 5625, 1296, 6, "Koyama & Lai 1993"),
    ),
    (4, 7, True): (_total(OPTIMUM, 11228, 2401, None, "Ville 2013"),),
    (4, 6, False): (_total(OPTIMUM, 1446, 360, None),),
    (4, 10, False): (
        PublishedFigure("entropy-all", 5.243, None, PROTOTYPE),
        _total(OPTIMUM, 26274, 5040, 7, "Tanaka 1996"),
    ),
    (5, 10, False): (
        *_table(("consistent", 5.955, None), ("entropy-all", 5.725, None), ("expected-size-all", 5.740, None)),
        _total(BEST, 172091, 30240, 8),
    ),
}

#: Kind of feedback, list of secrets, list of further guesses: name of the list, figures.
LISTS: dict[tuple[str, str | int, str], tuple[str, tuple[PublishedFigure, ...]]] = {
    ("places", SGB, ""): (
        "isograms of Knuth's SGB",
        (
            *_table(
                ("consistent", 5.366, 12),
                ("entropy-cand", 4.886, 10),
                ("entropy-all", 4.797, 7),
                ("expected-size-cand", 4.926, 11),
                ("expected-size-all", 4.822, 7),
                ("minimax-cand", 4.969, 10),
                ("minimax-all", 4.915, 7),
                ("most-parts-cand", 4.949, 11),
                ("most-parts-all", 4.881, 9),
            ),
            _total(BEST, 18200, 3834, 7),
        ),
    ),
    ("places", ANSWERS, ""): (
        "isograms of the Wordle answers of 2021",
        (
            *_table(
                ("consistent", 4.835, 10),
                ("entropy-cand", 4.396, 8),
                ("entropy-all", 4.374, 6),
                ("expected-size-cand", 4.376, 7),
                ("expected-size-all", 4.369, 6),
                ("minimax-cand", 4.460, 9),
                ("minimax-all", 4.473, 6),
                ("most-parts-cand", 4.480, 8),
                ("most-parts-all", 4.459, 7),
            ),
            _total(OPTIMUM, 6776, 1566, 6),
        ),
    ),
    ("places", SCOWL_50, ""): (
        "isograms of SCOWL up to size 50, in the order of the alphabet",
        (
            *_table(
                ("consistent", 5.226, 12),
                ("entropy-cand", 4.743, 10),
                ("entropy-all", 4.683, 7),
                ("expected-size-cand", 4.758, 10),
                ("expected-size-all", 4.707, 7),
                ("minimax-cand", 4.847, 10),
                ("minimax-all", 4.798, 7),
                ("most-parts-cand", 4.869, 10),
                ("most-parts-all", 4.821, 8),
            ),
            _total(BEST, 13784, 2976, 7),
        ),
    ),
    ("marks", WORDLE_ANSWERS, WORDLE_GUESSES): (
        "Wordle's own lists of 2021",
        (_total(OPTIMUM, 7920, 2315, None, "Selby 2022"),),
    ),
}


def known(problem: Problem) -> PublishedGame | None:
    """Find the published figures of a problem; None where there are none, or where secrets weigh differently."""
    if not problem.is_uniform:
        return None
    rules, secrets = problem.rules, problem.secrets
    if problem.is_symmetric:
        figures = CODES.get((rules.length, len(rules.alphabet), rules.repeats)) if rules.kind == "places" else None
        return PublishedGame(f"{len(secrets):,} codes", figures) if figures else None
    wider = checksum(problem.guesses[len(secrets) :])
    for mark in (checksum(secrets), len(secrets)):
        if (rules.kind, mark, wider) in LISTS:
            return PublishedGame(*LISTS[rules.kind, mark, wider], by_size=isinstance(mark, int))
    return None


def checksum(words: Iterable[str]) -> str:
    """Return the SHA-256 of the words in alphabetical order, one per line; an empty string without words."""
    ordered = sorted(words)
    return hashlib.sha256("\n".join(ordered).encode("utf-8")).hexdigest() if ordered else ""
