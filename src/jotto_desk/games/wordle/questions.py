"""What may be asked in a Wordle beside a guess or its marks: help, the words that fit, and why."""

from collections.abc import Sequence

from jotto.game import Turn
from jotto.rules import WORDLE, JottoError

from . import display, marks
from .game import folded
from .helper import Helper, notes

VERBS = ("help", "?", "list", "why")
LISTED, MOST_LISTED = 20, 10_000
QUESTIONS = "list [N]: the words that fit. why: {why}; why WORD: whether that can be it, and what it would tell."
PLAYING = f"""A guess: five letters; what does not count costs nothing.
{marks.LEGEND}
{QUESTIONS.format(why="what the marks told so far")}
help: this. stop: the end."""
HELPING = f"""A round: your guess and its marks, such as {marks.EXAMPLE}; the marks alone are for the best guess.
{marks.LEGEND}
{QUESTIONS.format(why="why the best guess is the best")}
undo: take the last round back. help: this. stop: the end."""


def answer(typed: str, helper: Helper, turns: Sequence[Turn], is_playing: bool = False) -> list[str]:
    """Answer `help`, `list` or `why`, in lines; none where something else was typed."""
    verb, _, rest = typed.lower().partition(" ")
    rest = rest.strip()
    if verb not in VERBS:
        return []
    if verb in ("help", "?"):
        return (PLAYING if is_playing else HELPING).splitlines()
    if verb == "list":
        if rest and not (rest.isascii() and rest.isdecimal()):
            return [f"'{rest[:60]}' is not how many words to list; write list 20."]
        found = [word for word in helper.fitting(turns) if word not in helper.vocabulary.unspoken]
        return [display.listed(found, min(int(rest[:6]), MOST_LISTED) if rest else LISTED)]
    if not rest:
        return [notes(turns)] if is_playing else helper.why(turns)
    word = folded(rest)
    try:
        WORDLE.check(word)
    except JottoError as error:
        return [str(error)]
    return helper.why(turns, word)
