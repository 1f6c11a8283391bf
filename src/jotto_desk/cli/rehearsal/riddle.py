"""Rehearsed games in which NAO thinks of the word, with everything NAO says about it checked."""

import json
from functools import cache
from typing import Any

from jotto import feedback as reference
from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour import hearing, states
from jotto_behaviour import mind as resources
from jotto_behaviour.lines import Lines
from jotto_desk.conversation.said_lines import is_said, is_word_said

from .game import GameRecord, Rehearsal
from .guesser import Guesser
from .person import PersonAnswer, PersonView, SimulatedPerson


class RiddleRehearsal(Rehearsal):
    """Games of riddles; a wrong score, a guess counted twice or not at all, and a wrong end are failures."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._turns: list[Any] = []
        self._expected = ""
        self._game = 0
        self._is_over = False
        self._is_race = False

    def _person(self, secret: str) -> SimulatedPerson:
        setting = self.setting
        self._turns, self._expected, self._game, self._is_over = [], "", 0, False
        tried = tried_words(setting.words, setting.code)
        return Guesser(
            secret,
            setting.seed,
            self.lines,
            setting.trouble,
            index=tried,
            spells_all=setting.touch_only or setting.voice is not None,
        )

    def _look(self, record: GameRecord, view: PersonView) -> None:
        talk = json.loads(self._get("Jotto/Game"))
        riddle, self._is_race = talk["riddle"], talk["race"]
        if riddle is None:
            return
        record.secret, record.hints = riddle["secret"], riddle["hints"]
        if riddle["game"]["seed"] != self._game:
            # The first game, or another one because NAO heard a yes at the end.
            self._turns, self._expected, self._game, self._is_over = [], "", riddle["game"]["seed"], False
        solved = riddle["game"]["outcome"] == "solved"
        turns = riddle["game"]["turns"] + ([[riddle["secret"], [JOTTO.length, 0]]] if solved else [])
        record.failures += self._complaints(turns, record, view)
        self._turns, self._expected = turns, ""

    def _complaints(self, turns: list[Any], record: GameRecord, view: PersonView) -> list[str]:
        """List what is wrong with NAO's notes, and with what NAO said about the last guess."""
        before, found = self._turns, []
        shorter, longer = sorted([before, turns], key=len)
        if longer[: len(shorter)] != shorter or len(longer) - len(shorter) > 1:
            found.append(f"from the guesses {before} NAO went to {turns}")
        guesses = [guess for guess, _ in turns]
        if len(set(guesses)) < len(guesses):
            found.append(f"a guess counts twice: {guesses}")
        if self._expected and self._expected not in guesses:
            found.append(f"{self._expected} was heard and does not count")
        if len(turns) > len(before):
            record.scores += 1
            found += _wrong(turns[-1], record.secret, view, self.lines, self._is_race)
        return found

    def _answer(self, person: SimulatedPerson, record: GameRecord, view: PersonView, transcript: Any) -> Any:
        pause = super()._answer(person, record, view, transcript)
        in_doubt = view.state == "asking back"
        # What NAO asks back may be about something else, and "ready" is a word, too.
        if "your guess" in (view.state, person.before if in_doubt else ""):
            self._expect(person.last, in_doubt)
        return pause

    def _expect(self, answer: PersonAnswer | None, in_doubt: bool) -> None:
        """Note the word that NAO has surely heard, and must count."""
        mind = resources.load_mind(self.setting.words, self.setting.strategy, (), self.setting.code)
        wanted = states.list_meanings("your guess", in_doubt)
        words = hearing.list_sayable_words(wanted, mind, self.lines)
        if answer is not None and answer.phrase is not None and words is not None:
            certainty = self._certainty()
            heard = hearing.understand_phrase(
                answer.phrase, answer.confidence, wanted, self.lines, words.words, certainty
            )
            is_word = heard.meaning == states.ANY_WORD and heard.certainty == hearing.SURE
            # Ears that were measured ask back what a robot's own believe.
            is_believed = certainty is None or answer.confidence >= hearing.get_needed_confidence(
                states.ANY_WORD, certainty
            )
            self._expected = heard.phrase if is_word and is_believed else ""

    def _sum_up(self, record: GameRecord, view: PersonView) -> None:
        riddle = json.loads(self._get("Jotto/Game"))["riddle"]
        if self._is_over or riddle is None:
            return
        self._is_over = True
        solved, attempts = riddle["game"]["outcome"] == "solved", len(self._turns)
        record.found, record.attempts = solved, attempts
        if (
            solved
            and attempts > 1
            and not is_said(self.lines, "well guessed", view.says, guess=record.secret, attempts=attempts)
        ):
            record.failures.append(f"{attempts} guesses count, and NAO said {view.says}")
        if not is_word_said(self.lines, record.secret, view.says):
            record.failures.append(f"the word was {record.secret}, and NAO said {view.says}")


def _wrong(turn: Any, secret: str, view: PersonView, lines: Lines, is_race: bool = False) -> list[str]:
    """List what is wrong with the score of a guess: in NAO's notes, in ALMemory and as it was said.

    In a race, onlookers see NAO's own guess by then.
    """
    guess, feedback = turn[0], tuple(turn[1])
    true = tuple(reference.score_places_slowly(guess, secret))
    found = [] if feedback == true else [f"{guess} scores {true} for {secret}, and NAO noted {feedback}"]
    if guess == secret:
        return found
    if not is_race and (view.guess, view.score) != (guess, "{} {}".format(*true)):
        found.append(f"{guess} scores {true}, and onlookers see {view.guess} with {view.score}")
    key = "your score" if sum(true) else "your score, none"
    if not is_said(lines, key, view.says, guess=guess, exact=true[0], misplaced=true[1]):
        found.append(f"{guess} scores {true}, and NAO said {view.says}")
    return found


@cache
def tried_words(words: str, language: str) -> Index:
    """Return the index of the words the person tries: all those NAO knows and says."""
    mind = resources.load_mind(words, "consistent", (), language)
    return Index(mind.index.chosen(mind.sayable), mind.rules)
