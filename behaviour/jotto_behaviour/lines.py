"""NAO's lines and the phrases it listens for: data per language, read from `lines_<code>.json`.

`Lines` chooses a wording and puts words and numbers into it; numbers choose the form of the counted word.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import copy
import io
import json
import os
import re
from collections import namedtuple

from jotto import compat
from jotto.words import WordList, capitalise_word, fold_word
from jotto_behaviour.settings import DEFAULT_LANGUAGE
from jotto_behaviour.states import EVERY_LETTER, LANGUAGES, PAIRS, SAID_WORDS

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, Iterable, List, Match, Optional, Sequence, Tuple

# How words and numbers are put into a wording. `{name}` stands for a word. After a colon come the forms for a number:
# `{exact:letter|letters}` for one and for several, `{exact:none|one|#}` also for zero, where # is the number itself.
# `{number:ordinal}` is the number's entry in the table "ordinal" among the forms of the language.

#: A word put in: its name, and the form wanted.
PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: The sign for the number itself among forms.
NUMBER_SIGN = "#"


class NumberForms(object):
    """The rules for numbers in sentences of a language: which are singular, and the tables of further number words."""

    def __init__(self, singular, tables):  # type: (Sequence[int], Dict[str, List[str]]) -> None
        self._singular = frozenset(singular)
        self.tables = tables

    def choose(self, form, number, said):  # type: (str, int, str) -> str
        """Return the form for a number; `said` is the number as a word or in digits.

        >>> str(NumberForms([1], {}).choose("letter|letters", 2, "two"))
        'letters'
        """
        if "|" not in form:
            table = self.tables[form]
            return table[number] if 0 <= number < len(table) else said
        return self._among(form.split("|"), number).replace(NUMBER_SIGN, said)

    def _among(self, forms, number):  # type: (List[str], int) -> str
        """Return the form for a number: of two, singular or plural; of three, the first is for zero."""
        if len(forms) > 2 and number == 0:
            return forms[0]
        return forms[-2] if number in self._singular or (len(forms) > 2 and number == 1) else forms[-1]


def fill_wording(wording, words, numbers, forms):  # type: (str, Dict[str, str], Dict[str, int], NumberForms) -> str
    """Put words into a wording; a name with a capital begins with one, in every form.

    >>> print(fill_wording("{Exact:none|one letter|# letters}", {"exact": "two"}, {"exact": 2}, NumberForms([1], {})))
    Two letters
    """

    def replace(found):  # type: (Match[str]) -> str
        name, form = found.groups()
        plain = name[:1].lower() + name[1:]
        said = words[plain]
        if form:
            said = forms.choose(form, numbers[plain], said)
        return said if name == plain else said[:1].upper() + said[1:]

    return compat.text_type(PLACEHOLDER.sub(replace, wording))


# The lines and phrases of a language.

#: Something to say: the key of a line and the words to put in.
Line = namedtuple("Line", "key words")
#: A line in words: the text with pauses marked, and the name of a gesture or None.
SpokenLine = namedtuple("SpokenLine", "text gesture")

_BARE_SCORE = "{exact} {misplaced}"
_LETTER_PAUSE = "\\pau=250\\"
_WORD_PAUSE = "\\pau=400\\"
#: Words of a line that are small numbers and said as words.
_NUMBER_WORDS = ("exact", "misplaced", "old_exact", "old_misplaced", "number")
#: Words of a line that are words of a list, and shown with their accents.
_LISTED_WORDS = ("guess", "word", "phrase")


#: Signs within phrases that people leave out, or for which they type a space or another sign.
_APOSTROPHES = re.compile("['\u2018\u2019\u201b\u2032\u02bc`\u00b4]")
_HYPHENS = re.compile("[-\u2010-\u2015]")
#: German letters as they are written on a keyboard without them.
_GERMAN_LETTERS = {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue"}


def list_typed_forms(phrase):  # type: (str) -> List[str]
    """List the forms in which people type a phrase: small, without accents, apostrophes and hyphens.

    >>> [str(form) for form in list_typed_forms("Qu'est-ce")]
    ['questce', 'quest ce', 'qu estce', 'qu est ce']
    """
    small = phrase.lower()
    forms = []  # type: List[str]
    for text in (small, "".join(_GERMAN_LETTERS.get(letter, letter) for letter in small)):
        for apart in (_APOSTROPHES.sub(sign, fold_word(text)) for sign in ("", " ")):
            forms += [" ".join(_HYPHENS.sub(sign, apart).split()) for sign in ("", " ")]
    return [form for place, form in enumerate(forms) if form not in forms[:place]]


class Lines(object):
    """One language: its lines with variants, its vocabulary, its numbers and its alphabet words; never changes."""

    def __init__(self, plain, sound_alikes=frozenset()):  # type: (Dict[str, Any], FrozenSet[str]) -> None
        self.language = plain["language"]  # type: str
        self.code = plain["code"]  # type: str
        self.alphabet = plain["alphabet"]  # type: str
        self.numbers = plain["numbers"]  # type: List[str]
        #: The names of the languages in this language, by code.
        self.languages = plain["languages"]  # type: Dict[str, str]
        #: Short forms that people type, by meaning; further numbers typed as words.
        self.short = plain["short"]  # type: Dict[str, str]
        self.more_numbers = plain["more_numbers"]  # type: List[str]
        #: Words that people put before and after an answer.
        self.fillers = plain["fillers"]  # type: Dict[str, List[str]]
        self.forms = NumberForms(plain["singular"], plain["forms"])
        self.letters = plain["letters"]  # type: Dict[str, str]
        self.certainty = plain["certainty"]  # type: Dict[str, float]
        self.gestures = plain["gestures"]  # type: Dict[str, Dict[str, str]]
        self.that_word = plain["that_word"]  # type: str
        self.sound_alikes = sound_alikes
        self._letter_as = plain["letter_as"]  # type: str
        self.and_word = plain["and"]  # type: str
        self._and_before = plain["and_before"]  # type: Dict[str, str]
        self._accents = {}  # type: Dict[str, str]
        self._lines = plain["lines"]
        #: Meanings without phrases here: letters and languages that this language lacks, and the words of the list.
        self._phrases = {meaning: [] for meaning in EVERY_LETTER + LANGUAGES + SAID_WORDS}  # type: Dict[str, List[str]]
        self._phrases.update(plain["words"])
        self._phrases.update((letter, [name, capitalise_word(letter)]) for letter, name in self.letters.items())
        self._phrases.update((pair, self._list_pairs(plain["pairs"], pair)) for pair in PAIRS)
        #: Phrases that sound like another answer: understood if typed, but not listened for.
        self._typed = dict(plain["typed"])  # type: Dict[str, List[str]]
        #: Further ways to write a score: too many to be listed for a robot's dialog.
        written = {pair: self._list_pairs(plain["typed_pairs"], pair) for pair in PAIRS}
        #: Both numbers without a word between them.
        self._bare = frozenset(self._list_pairs([_BARE_SCORE], pair)[0] for pair in PAIRS)
        self._meanings = {}  # type: Dict[str, List[str]]
        for meaning in sorted(self._phrases):
            for phrase in self._phrases[meaning] + self._typed.get(meaning, []) + written.get(meaning, []):
                self._meanings.setdefault(phrase.lower(), []).append(meaning)
        self._add_bare_phrases()

    def _add_bare_phrases(self):  # type: () -> None
        """Understand phrases as people type them, unless that is another phrase."""
        bare = {}  # type: Dict[str, List[str]]
        for phrase in sorted(self._meanings):
            for form in list_typed_forms(phrase):
                if form not in self._meanings:
                    bare.setdefault(form, []).extend(self._meanings[phrase])
        self._meanings.update(bare)

    def _list_meant(self, phrase):  # type: (str) -> Sequence[str]
        """List the meanings of a phrase in any of the forms in which people type it."""
        # A letter without its accent is another letter.
        forms = [phrase.lower()] + (list_typed_forms(phrase) if len(phrase) > 1 else [])
        known = [form for form in forms if form in self._meanings]
        return self._meanings[known[0]] if known else ()

    def writing(self, known):  # type: (WordList) -> Lines
        """Return the same lines as they write the words of a list: with their accents."""
        if known.accents == self._accents:
            return self
        other = copy.copy(self)
        other._accents = known.accents
        return other

    def write_word(self, word):  # type: (str) -> str
        """Return a word as people write it."""
        return self._accents.get(word, word)

    def list_keys(self):  # type: () -> List[str]
        """List the keys of all lines."""
        return sorted(self._lines)

    def list_phrases(self, meanings):  # type: (Iterable[str]) -> List[str]
        """List the phrases the recogniser must know for these meanings.

        Two bare numbers sound like a no, so they are left out if no is an answer.
        """
        wanted = list(meanings)
        unlike_no, found = PAIRS if "no" in wanted else (), []  # type: Sequence[str], List[str]
        for meaning in wanted:
            said = self._phrases[meaning]
            found += said if meaning not in unlike_no else [phrase for phrase in said if phrase not in self._bare]
        return found

    def list_typed_phrases(self, meanings):  # type: (Iterable[str]) -> List[str]
        """List the phrases of these meanings that are understood if typed, but not listened for."""
        return [phrase for meaning in meanings for phrase in self._typed.get(meaning, ())]

    def find_phrase_like(self, phrase, vocabulary):  # type: (str, Iterable[str]) -> Optional[str]
        """Return the phrase of a vocabulary with the meaning of another phrase; None if none exists."""
        meant = self._list_meant(phrase)
        # A phrase that is understood only if typed can be a word of the list: in Spanish "falso" is no, and a guess.
        same = {each.lower() for meaning in meant for each in self._phrases[meaning]}
        return next((each for each in vocabulary if each.lower() in same), None)

    def find_meaning(self, phrase, meanings):  # type: (str, Iterable[str]) -> Optional[str]
        """Find what a phrase means among `meanings`, or None."""
        meant = self._list_meant(phrase)
        return next((meaning for meaning in meanings if meaning in meant), None)

    def _list_pairs(self, ways, pair):  # type: (Sequence[str], str) -> List[str]
        """List the ways to say both numbers of a score in one breath."""
        exact, misplaced = (int(number) for number in pair.split())
        said = [self._fill_in(wording, {"exact": exact, "misplaced": misplaced}) for wording in ways]
        return [phrase for place, phrase in enumerate(said) if phrase not in said[:place]]

    def list_wordings(self, key):  # type: (str) -> Sequence[str]
        """List the wordings of a line."""
        said = self._lines[key]["say"]  # type: List[str]
        return said

    def speak(self, line, seed, beat):  # type: (Line, int, int) -> SpokenLine
        """Return a line in words. The wording goes round with `beat`; the seed says where it starts.

        A line that has a beat among its words goes round with that one as well.
        """
        variants, beat = self.list_wordings(line.key), beat + line.words.get("beat", 0)
        wording = variants[(compat.draw_number(len(variants), seed, line.key) + beat) % len(variants)]
        return SpokenLine(self._fill_in(wording, line.words), self._lines[line.key].get("gesture"))

    def _fill_in(self, wording, words):  # type: (str, Dict[str, Any]) -> str
        """Put words into a wording."""
        said = {name: self._say_value(name, value) for name, value in words.items()}
        if "guess" in words:
            # A guess that sounds like another word is spelled; any other is spelled on request.
            said["sounding"] = self.spell(words["guess"]) if words["guess"] in self.sound_alikes else ""
        numbers = {name: value for name, value in words.items() if compat.is_integer(value)}
        return fill_wording(wording, said, numbers, self.forms)

    def _say_value(self, name, value):  # type: (str, Any) -> str
        if name == "turns":
            return self._join_items([self._turn(turn) for turn in value])
        if name == "spelling":
            return self.spell(value)
        if name == "slowly":
            return self.spell(value, slowly=True)
        if name == "letters":
            return self._join_items([capitalise_word(letter) for letter in value])
        if name == "clearly":
            return "%s" % self._spell_letter(value)
        if name == "letter":
            # By its alphabet word: people cannot tell a spoken B from a D either.
            return "%s" % self.letters.get(value, value)
        if name == "language":
            return "%s" % self.languages.get(value, value)
        if name in _LISTED_WORDS:
            return "%s" % self.write_word(value)
        return self.say_number(value) if name in _NUMBER_WORDS else "%s" % value

    def _spell_letter(self, letter):  # type: (str) -> str
        """Name a letter with its alphabet word."""
        return self._letter_as.format(letter=capitalise_word(letter), name=self.letters.get(letter, letter))

    def _turn(self, turn):  # type: (Tuple[str, Tuple[int, int]]) -> str
        guess, (exact, misplaced) = turn
        return self._fill_in(self.list_wordings("turn")[0], {"guess": guess, "exact": exact, "misplaced": misplaced})

    def _join_items(self, items):  # type: (List[str]) -> str
        """Join spoken items: "a, b and c"."""
        if len(items) < 2:
            return "".join(items)
        return "%s %s %s" % (", ".join(items[:-1]), self._choose_and(items[-1]), items[-1])

    def _choose_and(self, item):  # type: (str) -> str
        """Return the word for "and" before an item: Spanish has another one before the sound i."""
        begins = [begin for begin in self._and_before if fold_word(item).startswith(begin)]
        return self._and_before[max(begins, key=len)] if begins else self.and_word

    def say_number(self, value):  # type: (int) -> str
        """Say a small number as a word."""
        return self.numbers[value] if 0 <= value < len(self.numbers) else "%d" % value

    def spell(self, word, slowly=False):  # type: (str, bool) -> str
        """Spell a word letter by letter with pauses; slowly, with alphabet words too."""
        names = [self._spell_letter(letter) if slowly else capitalise_word(letter) for letter in word]
        return " %s %s." % (_WORD_PAUSE, (", %s " % _LETTER_PAUSE).join(names))


def read_lines(folder, code=DEFAULT_LANGUAGE, sound_alikes=frozenset()):  # type: (str, str, FrozenSet[str]) -> Lines
    """Read the lines of a language from `folder`; guesses among `sound_alikes` are spelled unasked."""
    with io.open(os.path.join(folder, compat.as_native("lines_%s.json" % code)), encoding="utf-8") as source:
        return Lines(json.load(source), sound_alikes)
