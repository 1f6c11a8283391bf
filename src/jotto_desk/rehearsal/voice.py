"""Rehearsals by voice: the settings, and the rates at which NAO understood the answers.

This module does not import the simulator, so that `jotto play` starts quickly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jotto_behaviour import hearing, states
from jotto_behaviour.lines import Lines
from jotto_behaviour.settings import DEFAULT_LANGUAGE, LANGUAGE_NAMES
from jotto_desk.conversation.confidence import REFUSED, STEPS, Saying, step
from jotto_desk.errors import DeskError, as_desk_errors
from jotto_desk.terminal import Bar, Column, FittedTable
from naosim_voice.names import BEST, LANGUAGES, PLAIN

if TYPE_CHECKING:
    from jotto_desk.rehearsal.person import VoiceSettings

#: The noise without `--noise`.
QUIET_NOISE = "quiet"
#: Thresholds of the confidence: below the first NAO asks again, below the second it asks to confirm.
VOICE_CERTAINTY = (0.1, 0.7)


class VoiceWishes(NamedTuple):
    """The options of `jotto rehearse` for spoken answers."""

    voice: bool
    noise: str
    recogniser: str
    save: str
    write_confusions: Path | None = None
    recordings: Path | None = None


def check_spoken(language: str, recogniser: str) -> None:
    """Raise DeskError if a recogniser does not understand a language."""
    # Imported late, so that the other commands start fast.
    from naosim_voice.model import list_languages

    if language in ("", *list_languages(recogniser)):
        return
    if language in LANGUAGES:
        raise DeskError(
            f"NAO understands spoken {LANGUAGES[language]} only with two recognisers: use --recogniser {BEST}, with "
            f"{PLAIN} installed."
        )
    raise DeskError(
        f"NAO understands only spoken {' and '.join(LANGUAGES.values())}: play in {LANGUAGE_NAMES[language]} without "
        f"--voice, or bring a model for --recogniser {BEST}, if there is one (jotto voice model --help)."
    )


def choose_voice(
    wishes: VoiceWishes, touch: bool, is_misheard: bool, is_far: bool, language: str = ""
) -> VoiceSettings | None:
    """Return the settings for spoken answers, None without `--voice`; raises DeskError for contradicting options."""
    if not wishes.voice:
        usual = VoiceWishes(False, QUIET_NOISE, PLAIN, "")
        for name, value in wishes._asdict().items():
            if value != getattr(usual, name):
                raise DeskError(f"--{name.replace('_', '-')} is for spoken answers: add --voice.")
        return None
    for option, is_given in (("--touch", touch), ("--mishear", is_misheard), ("--robot", is_far)):
        if is_given:
            raise DeskError(f"--voice lets a real recogniser hear real sound, which {option} does not: leave one out.")
    check_spoken(language, wishes.recogniser)
    # The simulator and the recogniser are imported late, so that the other commands start fast.
    from jotto_desk.rehearsal.person import VoiceSettings
    from naosim_voice import noise, speaking
    from naosim_voice.recogniser import VoiceError, open_recogniser
    from naosim_voice.recordings import Speakers

    with as_desk_errors(VoiceError):
        speaking.find_espeak()
        open_recogniser(wishes.recogniser)
        if wishes.recordings is not None:
            Speakers(wishes.recordings)
        around, folder = noise.parse(wishes.noise), str(wishes.recordings or "")
        code = language or DEFAULT_LANGUAGE
        return VoiceSettings(around, wishes.recogniser, wishes.save, code, folder)


# How well NAO understood a spoken game.

#: The state in which NAO asks to confirm an answer.
_ASKING_BACK = "asking back"
_PAUSED = "paused"
#: Answers that are the same answer if they have the same effect in a state.
_PLAIN_MEANINGS = frozenset(["yes", "no", "ready", "go on"])
#: The states in which NAO asks to confirm a command that ends the game.
_ASKING_TO_END = ("giving up", "stopping")


@dataclass
class Understanding:
    """Counts of the answers of one game by their results, and of the phrases heard for each saying of an answer."""

    #: Answers that NAO understood the first time, without asking to confirm.
    at_once: int = 0
    #: Answers that NAO understood after asking to confirm or asking again.
    later: int = 0
    #: Answers that NAO took for another answer.
    wrong: int = 0
    #: Answers that NAO never got.
    lost: int = 0
    #: Answers that the person gave by touch, as NAO said after three misses; they are lost answers, too.
    touched: int = 0
    #: Sayings that a recogniser without thresholds understands, or takes for something else.
    plain_right: int = 0
    plain_wrong: int = 0
    #: Sayings that were recordings of people.
    recorded: int = 0
    #: How often each answer was heard as which.
    heard: Counter[Saying] = field(default_factory=Counter)

    @property
    def answers(self) -> int:
        """Return the number of answers, each of which might have been said several times."""
        return self.at_once + self.later + self.wrong + self.lost


class AnswerFollower:
    """Finds out what NAO made of each answer of a game, from the sayings in their order."""

    def __init__(
        self, lines: Lines, certainty: tuple[float, float] | None = None, words: Container[str] = frozenset()
    ) -> None:
        """Follow games in a language, with NAO's thresholds; `words` are those that can be guessed."""
        self._lines = lines
        self._certainty = certainty
        self._words = words
        self.counts = Understanding()
        self._open: tuple[str, str, str] | None = None
        self._tries = 0
        self._doubt = ""
        #: The meaning that was heard: NAO takes it, unless it asks to confirm it.
        self._heard = ""
        #: The meaning that was heard instead of yes or no: NAO takes it, unless it asks to confirm it.
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
        """Note a saying and the phrase heard; return whether it was misunderstood or not understood.

        The phrase heard is "" if the recogniser refused it, and None if it noticed nothing. `doubt` is the meaning that
        NAO asks to confirm. With `is_missed`, NAO did not take the phrase before, and asked again.
        """
        if is_missed and state != _ASKING_BACK:
            self._heard = self._instead = ""
        self._settle(state, doubt)
        wanted = self._list_wanted(state)
        meant = self._lines.find_meaning(said, wanted) or said
        words = self._words if states.ANY_WORD in wanted else ()
        taken = hearing.understand_phrase(heard[0] or "", heard[1], wanted, self._lines, words, self._certainty)
        if taken.meaning in states.SAID_WORDS:
            # "hotel" can be a letter or a word: NAO heard what was said.
            taken = taken._replace(meaning=meant if heard[0] == said else taken.phrase)
        known = self._lines.find_meaning(heard[0], wanted) if heard[0] else None
        if known is None and taken.meaning == meant:
            known = meant
        saying = Saying(state, meant, None if heard[0] is None else known or REFUSED, step(heard[1]))
        self._count_answer(saying, (self._lines.find_meaning(nearest, wanted) or nearest) if nearest else None)
        if state == _ASKING_BACK:
            self._resolve(taken, meant)
        elif state in _ASKING_TO_END and self._doubt:
            self._resolve(taken._replace(meaning="no") if taken.meaning == "go on" else taken, meant)
        else:
            self._ask(state, guess, meant)
            self._heard, self._doubt = taken.meaning or "", ""
        return bool(taken.meaning != meant)

    def note_touch(self) -> None:
        """Note that the person answers by touch: NAO has not taken what it heard before."""
        self.counts.touched += 1
        self._heard = self._instead = ""

    def end(self) -> Understanding:
        """End the game and return the counts."""
        self._settle("", "")
        self._leave()
        return self.counts

    def _settle(self, state: str, doubt: str) -> None:
        """Close the answer that NAO has taken, which the next question shows."""
        heard, self._heard = self._heard, ""
        instead, self._instead = self._instead, ""
        if heard and (state == _ASKING_BACK or self._is_asked_anyway(heard, state)):
            self._doubt = heard
        elif heard:
            self._take(heard)
        if instead and state == _ASKING_BACK:
            self._doubt = doubt or self._doubt
        elif instead and self._is_asked_anyway(instead, state):
            self._doubt = instead
        elif instead and state != _PAUSED:
            self._take(instead)

    def _is_asked_anyway(self, heard: str, state: str) -> bool:
        """Return whether NAO asks to confirm a command to end the game that the person did not give."""
        is_asked = state in _ASKING_TO_END and heard in states.ASKED_ANYWAY
        return is_asked and self._open is not None and heard != self._open[2]

    def _list_wanted(self, state: str) -> list[str]:
        if state != _ASKING_BACK:
            return states.list_meanings(state)
        return states.list_meanings(self._open[0] if self._open else "word", doubt=True)

    def _ask(self, state: str, guess: str, meant: str) -> None:
        """Begin an answer, or continue the one that NAO asks for again."""
        if self._open == (state, guess, meant):
            return
        if self._open is not None and (self._open[0], state) == ("both", "exact") and self._open[1] == guess:
            # After misses NAO asks for one number at a time.
            self._open = (state, guess, meant)
            return
        self._leave()
        self._open, self._tries = (state, guess, meant), 0

    def _resolve(self, taken: hearing.Hearing, meant: str) -> None:
        """Note the answer to a request to confirm: NAO takes, drops or replaces the meaning in doubt."""
        if self._open is None or taken.meaning is None:
            return
        # With thresholds of its own recogniser, NAO does not need a certain yes.
        if taken.meaning == "yes" and (self._certainty or "yes" not in (self._open[2], self._doubt)):
            self._take(self._doubt)
        elif taken.meaning == "no":
            self._doubt = ""
        elif taken.meaning != "yes":
            self._instead = taken.meaning
        elif taken.certainty == hearing.SURE:
            self._take(self._doubt)

    def _take(self, meaning: str) -> None:
        """Close the answer with the meaning that NAO took."""
        assert self._open is not None
        is_right = meaning == self._open[2] or _has_same_effect(meaning, *self._open)
        self.counts.at_once += is_right and not self._tries
        self.counts.later += is_right and bool(self._tries)
        self.counts.wrong += not is_right
        self._open, self._doubt = None, ""

    def _leave(self) -> None:
        self.counts.lost += self._open is not None
        self._open = None

    def _count_answer(self, saying: Saying, nearest: str | None) -> None:
        self._tries += 1
        self.counts.plain_right += nearest == saying.said
        self.counts.plain_wrong += nearest is not None and nearest != saying.said
        self.counts.heard[saying] += 1


def _has_same_effect(meaning: str, state: str, _guess: str, said: str) -> bool:
    """Return whether NAO does the same for both, as for "no" and "go on" when it asks whether to give up."""
    if {meaning, said} == {states.NONE, "0"}:
        return state in ("exact", "misplaced")
    moves = states.STATES[state].moves
    return {meaning, said} <= _PLAIN_MEANINGS and meaning in moves and moves[meaning] == moves.get(said)


def sum_up(games: Iterable[Understanding]) -> dict[str, Any]:
    """Sum up many games, as shares of the answers."""
    found = Understanding()
    for game in games:
        for name in ("at_once", "later", "wrong", "lost", "touched", "plain_right", "plain_wrong", "recorded"):
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
        "touched": found.touched,
        "recorded": _share(found.recorded, sayings),
        "plain_grammar": {"right": _share(found.plain_right, sayings), "wrong": _share(found.plain_wrong, sayings)},
        "calibration": _count_by_confidence(found.heard),
    }


def _count_by_confidence(heard: Counter[Saying]) -> list[dict[str, Any]]:
    """Return, for each tenth of the confidence, the number of phrases and the share of right ones."""
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


# The tables of `jotto rehearse --voice`.

_HONESTLY = "The voices are synthetic: they are not people, and say little of accents, children and real rooms."
_MIXED = "{share:.1%} of the sayings are recordings of people; the other voices are synthetic, and no people."


def tabulate_understood(voice: dict[str, Any]) -> FittedTable:
    """Return a table of the shares of understood answers."""
    title = f"{voice['answers']} spoken answers, noise {voice['noise']}, {voice['recogniser']}"
    sheet = FittedTable(title, Column("answers", is_text=True), Column("share"), Column("", is_text=True))
    for name, share in (
        ("understood at once", voice["at_once"]),
        ("understood, also after confirming", voice["after_asking_back"]),
        ("wrongly accepted", voice["wrongly_accepted"]),
        ("lost on the way", voice["lost"]),
        ("a plain grammar, each saying: right", voice["plain_grammar"]["right"]),
        ("a plain grammar, each saying: wrong", voice["plain_grammar"]["wrong"]),
    ):
        sheet.add(name, _format_percent(share), Bar(share or 0.0))
    if voice["touched"]:
        sheet.add("given by touch, after three misses", str(voice["touched"]), "")
    return sheet


def describe_voices(voice: dict[str, Any]) -> str:
    """Return a sentence about the voices."""
    return _MIXED.format(share=voice["recorded"]) if voice["recorded"] else _HONESTLY


def tabulate_calibration(voice: dict[str, Any]) -> FittedTable:
    """Return a table of the share of right phrases by confidence."""
    columns = (Column("confidence", is_text=True), Column("heard"), Column("right"), Column("", is_text=True))
    sheet = FittedTable("what a confidence is worth", *columns)
    for row in voice["calibration"]:
        begins, right = row["from"], row["right"]
        sheet.add(f"{begins:.1f} to {begins + 0.1:.1f}", str(row["heard"]), _format_percent(right), Bar(right))
    return sheet


def _format_percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
