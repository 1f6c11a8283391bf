"""How well a spoken game was understood: each answer of the person from its first saying to what NAO took it for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from jotto_behaviour import hearing, states
from jotto_behaviour.lines import Lines
from jotto_desk.conversation.confusions import REFUSED, STEPS, Saying, step

ASKING_BACK, PAUSED = "asking back", "paused"
#: Answers that say nothing of their own: those that have the same effect in a state are the same answer.
PLAIN = frozenset(["yes", "no", "ready", "go on"])
#: The questions by which NAO asks back a command that would end the game.
ASKING_TO_END = ("giving up", "stopping")


@dataclass
class Understanding:
    """What became of the answers of one game, counted; and how often each phrase was heard as which.

    An answer is *at once* when NAO took it rightly and for certain the first time, *later* when NAO took it rightly
    after asking back or again, *wrong* when NAO took it for another one, *lost* when the game went on without it.
    """

    at_once: int = 0
    later: int = 0
    wrong: int = 0
    lost: int = 0
    #: The same of a recogniser without doubts, that takes what is nearest at once.
    plain_right: int = 0
    plain_wrong: int = 0
    #: Sayings that were recordings of people.
    recorded: int = 0
    #: How often what was said was heard as what.
    heard: Counter[Saying] = field(default_factory=Counter)

    @property
    def answers(self) -> int:
        """Return how many answers were given, however often they were said."""
        return self.at_once + self.later + self.wrong + self.lost


class AnswerFollower:
    """Follows the answers of one game, saying by saying."""

    def __init__(self, lines: Lines, certainty: tuple[float, float] | None = None) -> None:
        self._lines = lines
        self._certainty = certainty
        self.counts = Understanding()
        self._open: tuple[str, str, str] | None = None
        self._tries = 0
        self._doubt = ""
        #: What was heard: NAO takes it, unless it asks back, as it is unsure or surprised.
        self._heard = ""
        #: What was heard instead of an answer to "did you say": NAO takes it, unless it asks that again.
        self._instead = ""

    def note(
        self,
        state: str,
        guess: str,
        said: str,
        heard: tuple[str | None, float],
        nearest: str,
        doubt: str = "",
        *,
        is_missed: bool = False,
    ) -> bool:
        """Note what was said where, and what was heard; return whether it was taken wrongly or not understood.

        What is heard is "" for a refusal, and None for what was not noticed; `doubt` is what NAO asks back, if it does;
        `is_missed` tells that NAO did not take what was heard before, and asked again.
        """
        if is_missed and state != ASKING_BACK:
            self._heard = ""
        self._settle(state, doubt)
        wanted = self._wanted(state)
        meant = self._lines.meaning(said, wanted) or said
        taken = hearing.understand_phrase(heard[0] or "", heard[1], wanted, self._lines, (), self._certainty)
        known = self._lines.meaning(heard[0], wanted) if heard[0] else None
        self._measure(
            Saying(state, meant, None if heard[0] is None else known or REFUSED, step(heard[1])),
            self._lines.meaning(nearest, wanted) if nearest else None,
        )
        if state == ASKING_BACK:
            self._resolve(taken, meant)
        elif state in ASKING_TO_END and self._doubt:
            self._resolve(taken._replace(meaning="no") if taken.meaning == "go on" else taken, meant)
        else:
            self._ask(state, guess, meant)
            self._heard, self._doubt = taken.meaning or "", ""
        return bool(taken.meaning != meant)

    def end(self) -> Understanding:
        """End the game and return the counts."""
        self._settle("", "")
        self._leave()
        return self.counts

    def _settle(self, state: str, doubt: str) -> None:
        """Close the answer that NAO has taken, as the next question shows."""
        heard, self._heard = self._heard, ""
        instead, self._instead = self._instead, ""
        if heard and (state == ASKING_BACK or self._is_asked_anyway(heard, state)):
            self._doubt = heard
        elif heard:
            self._take(heard)
        if instead and state == ASKING_BACK:
            self._doubt = doubt or self._doubt
        elif instead and self._is_asked_anyway(instead, state):
            self._doubt = instead
        elif instead and state != PAUSED:
            self._take(instead)

    def _is_asked_anyway(self, heard: str, state: str) -> bool:
        """Tell whether NAO asks about a command to end the game that was not given."""
        return (
            state in ASKING_TO_END
            and heard in states.ASKED_ANYWAY
            and self._open is not None
            and heard != self._open[2]
        )

    def _wanted(self, state: str) -> list[str]:
        if state != ASKING_BACK:
            return states.list_meanings(state)
        return states.list_meanings(self._open[0] if self._open else "word", doubt=True)

    def _ask(self, state: str, guess: str, meant: str) -> None:
        """Begin an answer, or go on with the one that NAO asks for again."""
        if self._open == (state, guess, meant):
            return
        if self._open is not None and (self._open[0], state) == ("both", "exact") and self._open[1] == guess:
            # After misses NAO asks for one number at a time.
            self._open = (state, guess, meant)
            return
        self._leave()
        self._open, self._tries = (state, guess, meant), 0

    def _resolve(self, taken: hearing.Hearing, meant: str) -> None:
        """Follow the answer to "did you say": what was in doubt is taken, dropped or corrected."""
        if self._open is None or taken.meaning is None:
            return
        # Ears whose confidences were measured need no certain yes.
        if taken.meaning == "yes" and (self._certainty or "yes" not in (self._open[2], self._doubt)):
            self._take(self._doubt)
        elif taken.meaning == "no":
            self._doubt = ""
        elif taken.meaning != "yes":
            self._instead = taken.meaning
        elif taken.certainty == hearing.SURE:
            self._take(self._doubt)

    def _take(self, meaning: str) -> None:
        """Close the answer with what NAO took it for."""
        assert self._open is not None
        is_right = meaning == self._open[2] or _has_same_effect(meaning, *self._open)
        self.counts.at_once += is_right and not self._tries
        self.counts.later += is_right and bool(self._tries)
        self.counts.wrong += not is_right
        self._open, self._doubt = None, ""

    def _leave(self) -> None:
        self.counts.lost += self._open is not None
        self._open = None

    def _measure(self, saying: Saying, nearest: str | None) -> None:
        self._tries += 1
        self.counts.plain_right += nearest == saying.said
        self.counts.plain_wrong += nearest is not None and nearest != saying.said
        self.counts.heard[saying] += 1


def _has_same_effect(meaning: str, state: str, _guess: str, said: str) -> bool:
    """Tell whether NAO does the same for both, as for "no" and "go on" where it asks whether to give up."""
    moves = states.STATES[state].moves
    return {meaning, said} <= PLAIN and meaning in moves and moves[meaning] == moves.get(said)


def total(games: Iterable[Understanding]) -> dict[str, Any]:
    """Sum up what was understood in many games, as shares of the answers."""
    found = Understanding()
    for game in games:
        for name in ("at_once", "later", "wrong", "lost", "plain_right", "plain_wrong", "recorded"):
            setattr(found, name, getattr(found, name) + getattr(game, name))
        found.heard.update(game.heard)
    sayings = sum(found.heard.values())
    return {
        "answers": found.answers,
        "sayings": sayings,
        "at_once": _share(found.at_once, found.answers),
        "after_asking_back": _share(found.at_once + found.later, found.answers),
        "wrongly_accepted": _share(found.wrong, found.answers),
        "lost": _share(found.lost, found.answers),
        "recorded": _share(found.recorded, sayings),
        "plain_grammar": {"right": _share(found.plain_right, sayings), "wrong": _share(found.plain_wrong, sayings)},
        "calibration": _calibration(found.heard),
    }


def _calibration(heard: Counter[Saying]) -> list[dict[str, Any]]:
    """List, by tenths of confidence, how many phrases were heard and which share of them was right."""
    rows = []
    for tenth in range(10):
        here = {saying: count for saying, count in heard.items() if saying.heard and saying.step * 10 // STEPS == tenth}
        count = sum(here.values())
        right = sum(number for saying, number in here.items() if saying.said == saying.heard)
        if count:
            rows.append({"from": tenth / 10, "heard": count, "right": _share(right, count)})
    return rows


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
