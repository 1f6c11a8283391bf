"""Rounds as people write them: a guess and a mark per letter, in any of the usual forms.

`S_E,U_N,G_N,A_P,R_P` names each letter with its mark: E exact, P present elsewhere, N none. `SUGAR GBBYY` has
green, yellow and black (or E, P, N again, or 2, 1, 0), `SUGAR` with coloured squares is what Wordle shares. A round is
read strictly: what cannot be is refused with a sentence, never guessed at.
"""

import re
import unicodedata

from jotto.game import Turn
from jotto.rules import WORDLE, JottoError, Rules

from ...errors import DeskError

_MARKS = {
    **dict.fromkeys("EG2🟩🟢🟧🟠", "E"),
    **dict.fromkeys("PY1🟨🟡🟦🔵", "P"),
    **dict.fromkeys("NBX0-.⬛⬜⚫⚪", "N"),
}
#: The squares of a row, in the order E, P, N.
SQUARES = {"E": "🟩", "P": "🟨", "N": "⬛"}
#: What the marks mean, as it is told before a game.
LEGEND = "🟩 G: the letter is right; 🟨 Y: it is in the word, elsewhere; ⬛ B: it is not in the word, or not again."
EXAMPLE = "S_E,U_N,G_N,A_P,R_P or SUGAR GBBYY"
_NAMED = re.compile(r"(?i)\s*([a-z])\s*[_:=]\s*(\w)\s*")
_LONGEST = 200


def squares(row: str) -> str:
    """Write a row of marks as coloured squares.

    >>> squares("ENPNN")
    '🟩⬛🟨⬛⬛'
    """
    return "".join(SQUARES[mark] for mark in row)


def is_row(typed: str, rules: Rules = WORDLE) -> bool:
    """Tell whether marks alone were typed, without a guess."""
    signs = [sign for sign in typed if unicodedata.category(sign) not in ("Mn", "Cf") and not sign.isspace()]
    return len(signs) == rules.length and all(sign.upper() in _MARKS for sign in signs)


def read_round(typed: str, guess: str = "", rules: Rules = WORDLE) -> Turn:
    """Read a guess and its marks; `guess` is the word asked where only its marks are typed.

    Raises `DeskError` for what is no round, for letters or marks that are none, and for marks no word could give.

    >>> tuple(map(str, read_round("SUGAR 🟩⬛⬛🟨🟨")))
    ('sugar', 'ENNPP')
    """
    # Squares may be followed by a sign that says how they are drawn.
    text = "".join(sign for sign in typed.strip() if unicodedata.category(sign) not in ("Mn", "Cf"))
    if len(text) > _LONGEST:
        raise DeskError(f"'{text[:40]}...' is too long for a round; write it as {EXAMPLE}.")
    word, row = _parts(text, guess, rules)
    return checked(word, row, rules)


def checked(word: str, row: str, rules: Rules = WORDLE) -> Turn:
    """Hold a guess and its row of E, P, N against the rules; raises `DeskError` for marks no word could give."""
    try:
        rules.check(word)
        row = rules.read_feedback(row)
    except JottoError as error:
        raise DeskError(str(error)) from error
    for place, (letter, mark) in enumerate(zip(word, row, strict=True)):
        if mark == "P" and ("N" in (row[spot] for spot in range(place) if word[spot] == letter)):
            raise DeskError(
                f"'{squares(row)}' cannot be for {word.upper()}: of two {letter.upper()} the first one is "
                "marked, so none elsewhere is left for the second; look at the round again."
            )
    return Turn(word, row)


def _parts(text: str, guess: str, rules: Rules) -> tuple[str, str]:
    if "_" in text or re.search(r"[a-zA-Z]\s*[:=]\s*\w\s*(,|$)", text):
        return _named(text, rules)
    words = re.split(r"[\s,;:=]+", text.strip(" ,;:="))
    if guess and all(len(mark) == 1 for mark in words):
        words = ["".join(words)]
    row = "".join(words[1:]) if len(words) > 1 else words[0]
    if len(words) == 1 and not guess:
        raise DeskError(f"'{text}' is no round; write the guess and its marks, such as {EXAMPLE}.")
    word = words[0].lower() if len(words) > 1 else guess
    return word, _row(row, word, rules)


def _row(marks: str, word: str, rules: Rules) -> str:
    found = [_MARKS.get(mark.upper(), "") for mark in marks]
    if "" in found:
        wrong = marks[found.index("")]
        raise DeskError(f"'{wrong}' in '{marks}' is no mark; use G, Y, B (or E, P, N, or coloured squares).")
    if len(found) != rules.length:
        raise DeskError(
            f"'{marks}' has {len(found)} marks for the {rules.length} letters of {word.upper()}; "
            f"give one per letter, such as {EXAMPLE}."
        )
    return "".join(found)


def _named(text: str, rules: Rules) -> tuple[str, str]:
    word, row = "", ""
    for part in text.strip(" ,;").replace(";", ",").split(","):
        match = _NAMED.fullmatch(part)
        if match is None:
            raise DeskError(f"'{part.strip()}' in '{text}' is not a letter and its mark; write it as {EXAMPLE}.")
        word, row = word + match[1].lower(), row + match[2]
    if len(word) != rules.length:
        raise DeskError(f"'{text}' has {len(word)} letters; it takes {rules.length}, such as {EXAMPLE}.")
    return word, _row(row, word, rules)
