"""The helper's dialogue: takes rounds line by line, says what is left, and finds a word by the marks it is given."""

from collections.abc import Sequence

from jotto.game import Turn
from jotto.rules import WORDLE

from ...errors import DeskError
from .. import whys
from ..terminal import Terminal
from . import classic, display, marks, questions
from .helper import Helper, notes, shared
from .vocabulary import Vocabulary

MOST_ROUNDS = 100


class HelperDialogue:
    """The helper's side of the table."""

    def __init__(self, known: Vocabulary, helper: Helper, is_classic: bool, start: int, count: int) -> None:
        self.known = known
        self.helper = helper
        self.is_classic = is_classic
        self.start = start
        self.count = count
        self.table = Terminal()

    def listen(self, quietly: bool) -> tuple[Turn, ...]:
        """Take rounds line by line; returns them at the end of input."""
        turns: tuple[Turn, ...] = ()
        if self.table.alive:
            self.table.say(
                f"Type your guess and its marks, such as {marks.EXAMPLE}; Enter alone ends. help: what else.", "dim"
            )
        if not quietly:
            self.table.say(marks.LEGEND, "dim")
            self.tell(turns)
        while len(turns) < MOST_ROUNDS:
            typed = self.table.hear() if not quietly else self.table.quietly()
            if typed is None or (not typed and self.table.alive) or typed.lower() in ("stop", "quit"):
                break
            asked = "" if quietly else typed
            if not typed or _told(self.table, questions.answer(asked, self.helper, turns)):
                continue
            try:
                turns = self._after(typed, turns)
            except DeskError as error:
                if quietly:
                    raise
                self.table.say(str(error), "yellow")
                continue
            if not quietly:
                self.tell(turns)
            if _is_found(turns):
                break
        return turns

    def _after(self, typed: str, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """Take a round in, or the last one back; marks alone are those of the best guess."""
        if typed.lower() == "undo":
            return turns[:-1]
        guess = self.helper.guess(turns) if marks.is_row(typed) and not self.is_classic else ""
        return (*turns, marks.read_round(typed, guess))

    def tell(self, turns: tuple[Turn, ...]) -> None:
        """Print what is left."""
        if self.is_classic:
            self._tell_classic(turns)
            return
        if turns:
            self.table.show(display.tiles(turns[-1]))
            self.table.say(notes(turns))
        else:
            found, starts = classic.start_words(self.known.spoken, self.start)
            said = f"Start words of the commonest letters, from letter {found}: " if starts else "No start words"
            self.table.say(f"{said}{', '.join(word.upper() for word in starts)}.")
        if _is_found(turns):
            self.table.say(congratulations(turns), "bold")
            return
        report = self.helper.report(turns)
        for sentence in report.remarks:
            self.table.say(sentence)
        if report.best is None:
            return
        self.table.say(f"{report.left:,} of {len(self.known.words):,} words of '{self.known.name}' fit.")
        self.table.show(display.left(report, self.known.unit, self.count))
        self.table.say(f"Best guess: {report.best.word.upper()}. {report.reason}", "bold")

    def _tell_classic(self, turns: tuple[Turn, ...]) -> None:
        exact, partial, absent = classic.state(turns).plain()
        self.table.say(f"{exact}\n{partial}\n{absent}")
        if not turns:
            _, starts = classic.start_words(self.known.spoken, self.start)
            self.table.say("Start words: " + ", ".join(word.upper() for word in starts))
            return
        for word, frequency in classic.suggestions(self.known.spoken, self.known.counts, turns)[: self.count]:
            self.table.say(f"{word.upper()} {frequency:g}")

    def plain(self, turns: tuple[Turn, ...]) -> dict[str, object]:
        """Return what is known as a dict that JSON can hold."""
        place, starts = classic.start_words(self.known.spoken, self.start)
        top = {
            "words": self.known.name,
            "unit": self.known.unit,
            "rounds": [list(turn) for turn in turns],
            "start": place,
            "start_words": starts,
        }
        if not self.is_classic:
            return {**top, **self.helper.report(turns).plain(self.count)}
        exact, partial, absent = classic.state(turns).plain()
        found = classic.suggestions(self.known.spoken, self.known.counts, turns)
        return {
            **top,
            "exact": exact,
            "partial": partial,
            "absent": absent,
            "left": len(found),
            "suggestions": found[: self.count],
        }


def solve_one(helper: Helper, secret: str, table: Terminal) -> tuple[Turn, ...]:
    """Guess until the word is found; without a secret the marks are asked for. Gives the rounds."""
    turns: tuple[Turn, ...] = ()
    if secret:
        WORDLE.check(secret)
    while len(turns) < MOST_ROUNDS and (not turns or turns[-1].feedback != WORDLE.win):
        report = helper.report(turns)
        for sentence in report.remarks:
            table.say(sentence)
        if report.best is None and secret:
            if secret not in helper.index:
                table.say(f"{secret.upper()} is not in the list '{helper.vocabulary.name}'.")
            break
        guess = report.best.word if report.best else ""
        if guess:
            table.say(f"{len(turns) + 1}. {guess.upper()}. {report.reason}")
        if secret:
            turns = (*turns, Turn(guess, WORDLE.score(guess, secret)))
        else:
            after = _marked(table, helper, guess, turns)
            if after is None:
                table.say("(You left.)", "dim")
                return turns
            turns = after
        if turns and guess:
            table.show(display.tiles(turns[-1]))
    if _is_found(turns):
        table.say(f"{congratulations(turns)}\n{shared(turns)}")
    return turns


def congratulations(turns: Sequence[Turn]) -> str:
    """Congratulate on the word found."""
    count = len(turns)
    return f"Congratulations! {turns[-1].guess.upper()} is it, found in {count} guess{'es' if count > 1 else ''}."


def _is_found(turns: Sequence[Turn]) -> bool:
    """Tell whether the last round found the word, and no other round speaks against it."""
    won = bool(turns) and turns[-1].feedback == WORDLE.win
    return won and not whys.against(turns[-1].guess, turns, WORDLE, str.upper)


def _told(table: Terminal, lines: Sequence[str]) -> bool:
    """Print an answer; tell whether there was one."""
    for line in lines:
        table.say(line)
    return bool(lines)


def _marked(table: Terminal, helper: Helper, guess: str, turns: tuple[Turn, ...]) -> tuple[Turn, ...] | None:
    """Take the marks of a guess, a round with another guess, `undo`, or `change 2 GBBYY`; None at the end."""
    while True:
        typed = table.hear()
        if typed is None or typed.lower() in ("stop", "quit"):
            return None
        if _told(table, questions.answer(typed, helper, turns)):
            continue
        try:
            if typed.lower() == "undo":
                return turns[:-1]
            words = typed.split(maxsplit=2)
            if len(words) == 3 and words[0].lower() == "change" and words[1].isdecimal():
                place = int(words[1][:4]) - 1
                if not 0 <= place < len(turns):
                    raise DeskError(f"'{typed[:60]}' names no round from 1 to {len(turns)}.")
                return (*turns[:place], marks.read_round(words[2], turns[place].guess), *turns[place + 1 :])
            if typed:
                return (*turns, marks.read_round(typed, guess))
        except DeskError as error:
            table.say(str(error), "yellow")
