"""What NAO says and the phrases it listens for: data per language, read from `lines_<code>.json`."""
from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
from collections import namedtuple

from jotto import chance
from jotto.versions import as_native

from .states import PAIRS, SAID_WORDS

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, Iterable, List, Optional, Sequence, Tuple

#: Something to say: the key of a line and the words to put in.
Line = namedtuple("Line", "key words")
#: A line in words: the text with pauses marked, and the name of a gesture or None.
SpokenLine = namedtuple("SpokenLine", "text gesture")

BARE = "{exact} {misplaced}"
LETTER_PAUSE = "\\pau=250\\"
WORD_PAUSE = "\\pau=400\\"
#: Words of a line that are small numbers and said as words.
COUNTED = ("exact", "misplaced", "old_exact", "old_misplaced", "number")


class Lines(object):
    """One language: its lines with variants, its vocabulary, its numbers and its alphabet words; never changes."""

    def __init__(self, plain, sound_alikes=frozenset()):
        # type: (Dict[str, Any], FrozenSet[str]) -> None
        self.language = plain["language"]  # type: str
        self.numbers = plain["numbers"]  # type: List[str]
        self.letters = plain["letters"]  # type: Dict[str, str]
        self.certainty = plain["certainty"]  # type: Dict[str, float]
        self.gestures = plain["gestures"]  # type: Dict[str, Dict[str, str]]
        self.that_word = plain["that_word"]  # type: str
        self.sound_alikes = sound_alikes
        self._letter_as = plain["letter_as"]
        self._and = plain["and"]
        self._lines = plain["lines"]
        self._phrases = dict(plain["words"])  # type: Dict[str, List[str]]
        self._phrases.update((letter, [name, letter.upper()]) for letter, name in self.letters.items())
        self._phrases.update((pair, self._paired(plain["pairs"], pair)) for pair in PAIRS)
        #: What sounds like another answer is understood where it is typed, and not listened for.
        self._typed = dict(plain["typed"])  # type: Dict[str, List[str]]
        #: The words of the list are no phrases of the language.
        self._phrases.update((meaning, []) for meaning in SAID_WORDS)
        #: Both numbers without a word between them.
        self._bare = frozenset(self._paired([BARE], pair)[0] for pair in PAIRS)
        self._meanings = {}  # type: Dict[str, List[str]]
        for meaning in sorted(self._phrases):
            for phrase in self._phrases[meaning] + self._typed.get(meaning, []):
                self._meanings.setdefault(phrase.lower(), []).append(meaning)

    def keys(self):
        # type: () -> List[str]
        """List the keys of all lines."""
        return sorted(self._lines)

    def phrases(self, meanings):
        # type: (Iterable[str]) -> List[str]
        """List the phrases the recogniser must know for these meanings.

        Two bare numbers sound like a no, so they are not listened for where no is an answer.
        """
        wanted = list(meanings)
        return [phrase for meaning in wanted for phrase in self._phrases[meaning]
                if "no" not in wanted or meaning not in PAIRS or phrase not in self._bare]

    def typed(self, meanings):
        # type: (Iterable[str]) -> List[str]
        """List the phrases that are understood for these meanings where they are typed, and not listened for."""
        return [phrase for meaning in meanings for phrase in self._typed.get(meaning, ())]

    def heard_as(self, phrase, vocabulary):
        # type: (str, Iterable[str]) -> Optional[str]
        """Return the phrase of a vocabulary that means the same as one that is not listened for; None for none."""
        meant = set(self._meanings.get(phrase.lower(), ()))
        return next((each for each in vocabulary if meant.intersection(self._meanings.get(each.lower(), ()))), None)

    def meaning(self, phrase, meanings):
        # type: (str, Iterable[str]) -> Optional[str]
        """Find what a phrase means among `meanings`, or None."""
        meant = self._meanings.get(phrase.lower(), ())
        return next((meaning for meaning in meanings if meaning in meant), None)

    def _paired(self, wordings, pair):
        # type: (Sequence[str], str) -> List[str]
        """List the ways to say both numbers of a score in one breath."""
        exact, misplaced = (self.numbers[int(number)] for number in pair.split())
        return [wording.format(exact=exact, misplaced=misplaced) for wording in wordings]

    def variants(self, key):
        # type: (str) -> Sequence[str]
        """List the wordings of a line."""
        said = self._lines[key]["say"]  # type: List[str]
        return said

    def speak(self, line, seed, beat):
        # type: (Line, int, int) -> SpokenLine
        """Put a line in words: the wording goes round with `beat`, starting where the seed says.

        A line that has a beat among its words goes round with that one as well.
        """
        wordings, beat = self.variants(line.key), beat + line.words.get("beat", 0)
        wording = wordings[(chance.draw(len(wordings), seed, line.key) + beat) % len(wordings)]
        return SpokenLine(wording.format(**self._filled(line.words)), self._lines[line.key].get("gesture"))

    def _filled(self, words):
        # type: (Dict[str, Any]) -> Dict[str, str]
        filled = {}
        for name, value in words.items():
            said = self._said(name, value)
            filled[name] = said
            filled[name[:1].upper() + name[1:]] = said[:1].upper() + said[1:]
        if "guess" in words:
            # Spelled where it sounds like another word; any other is spelled on request.
            filled["sounding"] = self.spelled(words["guess"]) if words["guess"] in self.sound_alikes else ""
        return filled

    def _said(self, name, value):
        # type: (str, Any) -> str
        if name == "turns":
            return self._listed([self._turn(turn) for turn in value])
        if name == "spelling":
            return self.spelled(value)
        if name == "slowly":
            return self.spelled(value, slowly=True)
        if name == "letters":
            return self._listed([letter.upper() for letter in value])
        if name == "clearly":
            return "%s" % self._letter_as.format(letter=value.upper(), name=self.letters.get(value, value))
        if name == "letter":
            # By its alphabet word: people cannot tell a spoken B from a D either.
            return "%s" % self.letters.get(value, value)
        return self.number(value) if name in COUNTED else "%s" % value

    def _turn(self, turn):
        # type: (Tuple[str, Tuple[int, int]]) -> str
        guess, (exact, misplaced) = turn
        return self.variants("turn")[0].format(guess=guess, exact=self.number(exact), misplaced=self.number(misplaced))

    def _listed(self, items):
        # type: (List[str]) -> str
        """Join spoken items: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return "%s %s %s" % (", ".join(items[:-1]), self._and, items[-1])

    def number(self, value):
        # type: (int) -> str
        """Say a small number as a word."""
        return self.numbers[value] if 0 <= value < len(self.numbers) else "%d" % value

    def spelled(self, word, slowly=False):
        # type: (str, bool) -> str
        """Spell a word letter by letter with pauses; slowly, with alphabet words too."""
        names = [letter.upper() for letter in word]
        if slowly:
            names = [self._letter_as.format(letter=letter.upper(), name=self.letters.get(letter, letter))
                     for letter in word]
        return " %s %s." % (WORD_PAUSE, (", %s " % LETTER_PAUSE).join(names))


def read(folder, code="en", sound_alikes=frozenset()):
    # type: (str, str, FrozenSet[str]) -> Lines
    """Read the lines of a language from `folder`; guesses among `sound_alikes` are spelled unasked."""
    with io.open(os.path.join(folder, as_native("lines_%s.json" % code)), encoding="utf-8") as source:
        return Lines(json.load(source), sound_alikes)
