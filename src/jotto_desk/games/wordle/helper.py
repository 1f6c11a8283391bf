"""What is left after some rounds, ranked by how frequent words are and by what they would tell; and what to ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from jotto.game import Turn
from jotto.index import Index
from jotto.rules import WORDLE

from .. import slips, whys
from ..advice import Advisor, Option, lookalikes, reason
from . import hard
from .marks import SQUARES
from .vocabulary import Vocabulary

#: So many fitting words make a common first guess a matter of taste; below it look-alikes are worth a word.
MOST_ALIKE = 60
UNSPOKEN = "Only words I do not say fit ({count}); --with-blocked shows them."


@dataclass(frozen=True)
class Report:
    """How many fit; those that may be shown with their counts, and ranked by what they tell; what to ask and why."""

    left: int
    fitting: list[tuple[str, float]]
    telling: list[Option]
    best: Option | None
    reason: str
    remarks: list[str]

    def plain(self, count: int) -> dict[str, Any]:
        """Return the report as a dict that JSON can hold, `count` words of each ranking."""
        rows = [
            {
                "word": one.word,
                "chance": round(one.chance, 6),
                "bits": round(one.bits, 4),
                "groups": one.groups,
                "largest": one.largest,
            }
            for one in self.telling
            if one.fits
        ]
        best = (
            None
            if self.best is None
            else {
                "word": self.best.word,
                "fits": self.best.fits,
                "bits": round(self.best.bits, 4),
                "reason": self.reason,
            }
        )
        return {
            "left": self.left,
            "frequent": [list(pair) for pair in self.fitting[:count]],
            "telling": rows[:count],
            "best": best,
            "remarks": self.remarks,
        }


class Helper:
    """A vocabulary held to rounds: nothing is ever dropped that would have given the marks there are.

    `even` takes all words to be equally likely, else frequent ones are likelier (by the square root of the count).
    """

    def __init__(self, vocabulary: Vocabulary, is_hard: bool = False, even: bool = False, seed: int = 1) -> None:
        self.vocabulary = vocabulary
        self.is_hard = is_hard
        self.even = even
        self.seed = seed
        self.index = Index(vocabulary.words, WORDLE)
        self._weights = {} if even else {word: sqrt(count) for word, count in vocabulary.counts.items()}
        self._known: dict[tuple[Turn, ...], str] = {}

    def fitting(self, turns: Sequence[Turn]) -> list[str]:
        """List the words that agree with every round, the most frequent first."""
        return [str(word) for word in self.index.chosen(self.index.candidates(turns))]

    def guess(self, turns: Sequence[Turn]) -> str:
        """Name the best guess; empty where nothing fits. What was asked before is remembered."""
        key = tuple(turns)
        if key not in self._known:
            found = self.fitting(turns)
            ranked = self._advisor(found).ranked(self.vocabulary.spoken, self._may_ask(turns)) if found else []
            self._known[key] = str(ranked[0].word) if ranked else ""
        return self._known[key]

    def report(self, turns: Sequence[Turn]) -> Report:
        """Say what is left and what to ask."""
        found = self.fitting(turns)
        unspoken = self.vocabulary.unspoken
        counted = [(word, self.vocabulary.counts[word]) for word in found if word not in unspoken]
        silent = len(found) - len(counted)
        if not found:
            return Report(0, [], [], None, "", slips.sentences(turns, self.index, self._shown))
        advisor = self._advisor(found)
        ranked = advisor.ranked(self.vocabulary.spoken, self._may_ask(turns))
        if not counted:
            return Report(len(found), [], [], None, "", [UNSPOKEN.format(count=silent)])
        telling = [option for option in ranked if option.fits]
        why = reason(ranked[0], len(found), WORDLE, str.upper, telling[0] if telling else None)
        alike = self._alike(advisor, [word for word, _ in counted], turns)
        return Report(len(found), counted, telling, ranked[0], why, alike)

    def why(self, turns: Sequence[Turn], word: str = "") -> list[str]:
        """Say why the best guess is the best, or whether a word can be it and what it would tell."""
        found = self.fitting(turns)
        if not found:
            return slips.sentences(turns, self.index, self._shown)
        advisor = self._advisor(found)
        if word:
            return whys.about(word, turns, advisor, str.upper)
        ranked = advisor.ranked(self.vocabulary.spoken, self._may_ask(turns))
        return whys.compared(ranked, len(found), WORDLE, self._shown) if ranked else [UNSPOKEN.format(count=len(found))]

    def _advisor(self, found: Sequence[str]) -> Advisor:
        return Advisor(found, WORDLE, self._weights, self.seed)

    def _may_ask(self, turns: Sequence[Turn]) -> Callable[[str], bool]:
        def may(word: str) -> bool:
            return word not in self.vocabulary.unspoken and not (self.is_hard and hard.breach(word, turns))

        return may

    def _shown(self, word: str) -> str:
        return "*****" if word in self.vocabulary.unspoken else word.upper()

    def _alike(self, advisor: Advisor, found: Sequence[str], turns: Sequence[Turn]) -> list[str]:
        """Warn of words that differ in one place only, and name a word that tells them apart."""
        pattern, alike = lookalikes(found) if len(found) <= MOST_ALIKE else ("", [])
        if not alike:
            return []
        shown = ", ".join(word.upper() for word in alike[:8]) + (" ..." if len(alike) > 8 else "")
        said = f"{len(alike)} words are {pattern.upper()}: {shown}."
        splitter = advisor.splitting(alike, self.vocabulary.spoken, self._may_ask(turns))
        if splitter is None:
            return [said]
        if splitter.groups == len(alike):
            return [
                f"{said} {splitter.word.upper()} tells all of them apart at once; asked one by one they could take "
                f"{len(alike)} guesses."
            ]
        return [f"{said} {splitter.word.upper()} tells most of them apart: {splitter.groups} groups."]


def notes(turns: Sequence[Turn]) -> str:
    """Say in short what the rounds told: places, letters that are in, letters that are out."""
    if not turns:
        return "Nothing is known yet."
    known = known_letters(turns)
    inside = " ".join(letter * count for letter, count in known.inside.items() if count)
    outside = " ".join(letter for letter, count in known.inside.items() if not count)
    return f"Places {known.places}   in: {inside or '-'}   out: {outside or '-'}"


class MarkedLetters(NamedTuple):
    """What marks tell: letters by place, `.` for none; of each letter guessed how often it is in the word at least."""

    places: str
    inside: dict[str, int]


def known_letters(turns: Sequence[Turn]) -> MarkedLetters:
    """Return what rounds tell of the letters.

    >>> known_letters([Turn("sugar", "ENNPP")])
    MarkedLetters(places='S....', inside={'S': 1, 'U': 0, 'G': 0, 'A': 1, 'R': 1})
    """
    places, held = ["."] * WORDLE.length, dict[str, int]()
    for turn in turns:
        row = list(zip(turn.guess.upper(), turn.feedback, strict=True))
        for place, (letter, mark) in enumerate(row):
            places[place] = letter if mark == "E" else places[place]
        for letter in dict.fromkeys(letter for letter, _ in row):
            count = sum(1 for other, mark in row if other == letter and mark != "N")
            held[letter] = max(held.get(letter, 0), count)
    return MarkedLetters("".join(places), held)


def shared(turns: Sequence[Turn]) -> str:
    """Write the rounds as squares, one line each, as people share them."""
    return "\n".join("".join(SQUARES[mark] for mark in turn.feedback) for turn in turns)
