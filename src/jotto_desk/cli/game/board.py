"""The board on the screen: guesses, scores in signs, words and colours, and the letters sorted by what is certain."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from jotto.words import capitalise_word
from jotto_desk.history import GuessBoard, Letters, count_letters, describe_left, describe_score
from naosim_live.page.texts import ENGLISH, Texts

#: Blue and orange, which the colour-blind tell apart, readable on dark and on light; the signs differ without them.
IN_PLACE, ELSEWHERE, NEITHER = "bold #3b94d9", "#d07c00", "dim"
SIGNS = ("\u25a0", "\u25a1", "\u00b7")
PLAIN_SIGNS = ("X", "o", ".")


#: What a line begins with, and what may be wrapped beside it.
Line = tuple[Text, Text]
NOTHING = Text()


def drawn(boards: Sequence[GuessBoard], encoding: str = "utf-8", texts: Texts = ENGLISH) -> Iterator[Line]:
    """Draw boards line by line: what each line begins with, and what may be wrapped beside that.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import board_of_game
    >>> played = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2)).ask("table")
    >>> for head, body in drawn([board_of_game(played)]): print(head.plain + body.plain)
    NAO's guesses
     1 FJORD  ■□□··  1 in place, 2 elsewhere
     2 TABLE         to be answered
    open  A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
    """
    for place, board in enumerate(boards):
        if place:
            yield NOTHING, NOTHING
        yield Text(texts(board.title), style="bold"), NOTHING
        if not board.rows:
            yield Text("   "), Text(texts("none yet"), style="dim")
        yield from _guesses(board, 0, encoding, texts)
        if board.letters is not None:
            yield from _letters(board.letters, texts)
        yield from _ending(board, texts)


def drawn_changes(
    before: GuessBoard, after: GuessBoard, encoding: str = "utf-8", texts: Texts = ENGLISH
) -> Iterator[Line]:
    """Draw only what a board has more than an earlier one: guesses, letters that are certain now, the word.

    >>> from jotto import game, rules
    >>> from jotto_desk.history import board_of_game
    >>> first = game.start_game(rules.JOTTO, "en", "", 1).ask("fjord").answer((1, 2))
    >>> second = first.ask("chimp").answer((0, 0))
    >>> for head, body in drawn_changes(*map(board_of_game, (first, second))): print(head.plain + body.plain)
     2 CHIMP  ·····  none
    out   C H I M P
    """
    yield from _guesses(after, len(before.rows), encoding, texts)
    if after.letters is not None and before.letters is not None:
        yield from _letters(after.letters.since(before.letters), texts)
    yield from _ending(after, texts)


def _guesses(board: GuessBoard, first: int, encoding: str, texts: Texts) -> Iterator[Line]:
    """Draw the guesses after the `first` ones, with their scores."""
    signs = SIGNS if _has(encoding, SIGNS) else PLAIN_SIGNS
    for number, (guess, feedback) in enumerate(board.rows[first:], start=first + 1):
        head = Text.assemble((f"{number:2} ", "dim"), (f"{capitalise_word(guess)}  ", "bold"))
        said = Text(describe_score(feedback, len(guess), texts), style="dim" if feedback is None else "")
        yield Text.assemble(head, _signs(feedback, len(guess), signs), "  "), said


def _ending(board: GuessBoard, texts: Texts) -> Iterator[Line]:
    """Say what the word was, or how many words still fit."""
    if board.word and not board.is_solved:
        yield NOTHING, Text(texts("The word was {word}.", word=capitalise_word(board.word)))
    if board.left is not None and not board.is_solved:
        yield NOTHING, Text(describe_left(board.left, texts), style="dim")


def _signs(feedback: Sequence[int] | None, length: int, signs: Sequence[str]) -> Text:
    shown = Text()
    if feedback is None:
        return Text(" " * length)
    for sign, count, style in zip(signs, count_letters(feedback, length), (IN_PLACE, ELSEWHERE, NEITHER), strict=True):
        shown.append(sign * count, style=style)
    return shown


def _letters(letters: Letters, texts: Texts) -> Iterator[Line]:
    rows = (
        (texts("in"), letters.inside, IN_PLACE),
        (texts("out"), letters.outside, NEITHER),
        (texts("open"), letters.open, ""),
        (texts("place"), letters.places, IN_PLACE),
    )
    width = max(len(name) for name, _, _ in rows)
    for name, found, style in rows:
        if found:
            yield Text(f"{name:{width}} ", style="dim"), Text(" ".join(capitalise_word(found)), style=style)


def _has(encoding: str, signs: Sequence[str]) -> bool:
    """Tell whether an output in this encoding can show the signs."""
    try:
        "".join(signs).encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True
