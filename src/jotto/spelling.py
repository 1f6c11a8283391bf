r"""How words are spelled: folded to the letters a game is played with, shown with their accents and in capitals.

A language is played with the letters its word list names at the top, `# Letters: abcd...`; a to z where it names none.
A letter with an accent counts as the bare one unless it is a letter of its own: French plays e where \u00e9 is written,
Spanish plays \u00f1.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import re
import unicodedata

from .errors import WordListError
from .rules import LETTERS, MOST_LETTERS
from .versions import quoted

MYPY = False
if MYPY:
    from typing import Iterable

    from .rules import Rules

#: No word is longer, its accents as marks of their own included: to put n marks in order takes n * n steps.
LONGEST_WORD = 4 * MOST_LETTERS

#: Written as one, played as two, as in Motus: "c\u0153ur" is COEUR.
_LIGATURES = {"\u0153": "oe", "\u00e6": "ae", "\u00df": "ss"}
#: The remarks that a list begins with.
_TOP = re.compile("(?:[ \t]*#[^\n\r]*[\n\r]+|[ \t]*[\n\r]+)*")
_NAMED = re.compile("^[ \t]*#[ \t]*letters:[ \t]*(.*?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_MOST_TOP = 4096


def fold(word, alphabet=""):  # type: (str, Iterable[str]) -> str
    r"""Return a word the case of the alphabet (else small letters), without accents unless the alphabet has them.

    What is too long for a word is returned as it is.

    >>> str(fold("\u00c9tude"))
    'etude'
    """
    if len(word) > LONGEST_WORD:
        return word
    if alphabet in ("", LETTERS):
        return word.lower() if _is_ascii(word) else _bare(word)
    return "".join(_fold_letter(letter, alphabet) for letter in unicodedata.normalize("NFC", word))


def small(word):  # type: (str) -> str
    """Write a word in small letters with its accents, as it is shown to people and spoken."""
    if len(word) > LONGEST_WORD:
        return word
    # Letter by letter: Python 3 writes the last sigma of a word in another way, 2.7 does not.
    return "".join(letter.lower() for letter in unicodedata.normalize("NFC", word))


def capitals(word):  # type: (str) -> str
    r"""Write a word in capitals, letter for letter: Python makes two of the German sharp s.

    >>> capitals("stra\u00dfe") == "STRA\u1e9eE"
    True
    """
    return word.replace("\u00df", "\u1e9e").upper()


def letters_named(text):  # type: (str) -> str
    """Return the letters that the remarks at the top of a list name, a to z where they name none.

    Raises `WordListError` for what is no alphabet.
    """
    top = _TOP.match(text[:_MOST_TOP].lstrip("\ufeff"))
    named = _NAMED.search(top.group()) if top else None
    if named is None:
        return LETTERS
    letters = small(named.group(1))
    if not 2 <= len(letters) <= MOST_LETTERS or not letters.isalpha() or len(set(letters)) != len(letters):
        raise WordListError(
            "The letters %s of the list are no alphabet; write each once, as in '# Letters: %s'."
            % (quoted(named.group(1)), LETTERS)
        )
    return letters


def with_letters(rules, letters):  # type: (Rules, str) -> Rules
    """Return the rules as they are played with these letters; those of codes and numbers stay as they are."""
    return rules._replace(alphabet=letters) if rules.alphabet == LETTERS else rules


def _is_ascii(word):  # type: (str) -> bool
    try:
        word.encode("ascii")
    except UnicodeError:
        return False
    return True


def _fold_letter(letter, alphabet):  # type: (str, Iterable[str]) -> str
    for same in (letter, letter.lower(), letter.upper()):
        if same in alphabet:
            return same
    return _bare(letter)


def _bare(word):  # type: (str) -> str
    # Letter by letter, as in `small`.
    parts = (part.lower() for part in unicodedata.normalize("NFD", word) if not unicodedata.combining(part))
    return "".join(_LIGATURES.get(part, part) for part in parts)
