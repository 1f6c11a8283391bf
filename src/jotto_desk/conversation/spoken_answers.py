"""Answers that are tapped, said to NAO one after the other, each when NAO listens for it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from jotto_behaviour import mind
from jotto_behaviour.lines import Lines
from jotto_desk.history import Translated, fill_english

from .typed_answers import SPELLING, TYPED, misfit, parts, understand

#: Real seconds for NAO to take an answer in; until then another tap on the same question is a slip of the finger.
TAKEN_WITHIN = 3.0
#: Answers that may wait: the letters of a word.
MOST_WAITING = 10

Moment = tuple[str, int]


class Ears(NamedTuple):
    """What NAO hears with at the moment: the engine, None while it does not listen, and what it listens for."""

    engine: str | None
    vocabulary: Sequence[str]


def read_ears(told: dict[str, Any]) -> Ears:
    """Read what a robot tells of its ears."""
    return Ears(told.get("engine"), [str(phrase) for phrase in told.get("vocabulary") or ()])


class SpokenAnswers:
    """What a person has tapped and NAO has not heard yet.

    A moment is the state of the conversation and how many answers NAO has taken in. An answer belongs to the question
    it was tapped at: where NAO goes on to another one, it is dropped. `look` tells the moment as it is right now,
    `lines` and `texts` the languages of NAO and of what is shown.
    """

    def __init__(
        self,
        hear: Callable[[str, float], Awaitable[object]],
        ears: Callable[[], Awaitable[Ears]],
        look: Callable[[], Awaitable[Moment | None]],
        lines: Callable[[], Lines] = mind.load_lines,
        texts: Translated = fill_english,
    ) -> None:
        self._hear, self._ears, self._look, self._lines = hear, ears, look, lines
        self._texts = texts
        self._waiting: list[str] = []
        self._line = ""
        self._at: Moment | None = None
        self._said: tuple[Moment, float] | None = None
        self._is_busy = False
        self.remark = ""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return what is still to be said."""
        return (self._line,) if self._line else tuple(self._waiting)

    def say(self, line: str, moment: Moment) -> bool:
        """Take an answer for the question of this moment; tell whether it is taken, and not a tap too many."""
        if self.waiting or (
            self._said is not None and self._said[0] == moment and time.monotonic() < self._said[1] + TAKEN_WITHIN
        ):
            return False
        self._line, self._at, self.remark = line, moment, ""
        return True

    def drop(self) -> None:
        """Forget what was not said yet."""
        self._line, self._waiting, self._at = "", [], None

    async def go_on(self, moment: Moment | None) -> None:
        """Say the next answer if NAO listens for it; called again and again."""
        if not self.waiting or self._is_busy:
            return
        if moment is None or not self._belongs(moment):
            self.drop()
            return
        if self._said is not None and self._said[0] == moment:
            return
        self._is_busy = True
        try:
            ears = await self._ears()
            # What is shown may be older than what NAO listens for.
            if ears.engine is not None and self.waiting and await self._look() == moment:
                await self._say(moment, ears)
        finally:
            self._is_busy = False

    def _belongs(self, moment: Moment) -> bool:
        """Tell whether what waits answers the question of this moment; letters answer several."""
        return moment == self._at or (not self._line and moment[0] in SPELLING)

    async def _say(self, moment: Moment, ears: Ears) -> None:
        state, lines = moment[0], self._lines()
        line, self._line = self._line or self._waiting.pop(0), ""
        self.remark = misfit(line, state, ears.vocabulary, lines, self._texts)
        if self.remark:
            self.drop()
            return
        part, *rest = parts(line, state, lines, ears.vocabulary)
        self._waiting = [*rest, *self._waiting][:MOST_WAITING]
        typed = understand(part, state, lines, ears.vocabulary)
        if typed.phrase is None or typed.confidence < TYPED:
            self.remark = self._texts("NAO does not listen for '{answer}' now.", answer=part[:30])
            self.drop()
            return
        self._said = (moment, time.monotonic())
        await self._hear(typed.phrase, typed.confidence)
