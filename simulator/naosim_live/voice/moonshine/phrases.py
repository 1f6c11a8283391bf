"""The phrases of a vocabulary as Moonshine may write them, in one tree of tokens.

It writes "Two." or "2," for "two", and what sounds the same, such as "To.": every way leads to the phrase.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..errors import VoiceError
from ..pronunciation import plain_words
from .tokens import END, Tokens

#: What may stand behind a phrase before the text ends, and what between two of its words.
_CLOSING, _BETWEEN = (".", ",", "!", "?"), ","
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
}
#: Of longer phrases, and where there are more of them, only the words themselves are looked for: the ways multiply.
_MOST_WORDS_VARIED, _MOST_PHRASES_VARIED = 3, 400
#: Words that sound the same as another one, at most.
_MOST_ALIKE = 3


class PhraseTree:
    """Every way to write some phrases, as tokens from the first to the last, END included.

    `after` has for each place in the tree the next tokens with their places, and `whole` the numbers of the phrases
    that are whole at a place. Ways to begin are shared.
    """

    def __init__(self, tokens: Tokens, phrases: Sequence[str], alike: Callable[[str], Iterable[str]]) -> None:
        self._tokens = tokens
        self.after: list[dict[int, int]] = [{}]
        self.whole: dict[int, set[int]] = {}
        #: By the place where a phrase may end: the place behind the punctuation that closes it.
        self._closed: dict[int, int] = {}
        self._closing = [number for number in map(tokens.number, _CLOSING) if number is not None]
        self._between = tokens.number(_BETWEEN)
        spoken = [plain_words(phrase) for phrase in phrases]
        known = {word.lower() for words in spoken for word in words}
        self._alike = functools.cache(lambda word: [each for each in alike(word) if each not in known][:_MOST_ALIKE])
        beginnings = {tuple(map(str.lower, words[:times])) for words in spoken for times in (2, 3)}
        for number, words in enumerate(spoken):
            self._add(
                number,
                words,
                is_varied=len(words) == 1
                or (len(words) <= _MOST_WORDS_VARIED and len(phrases) <= _MOST_PHRASES_VARIED),
            )
            if len(words) == 1:
                # Take "Yes, yes." for "yes"; where "zero zero" is a phrase, take only three times "zero" for "zero".
                times = next((each for each in (2, 3) if (words[0].lower(),) * each not in beginnings), None)
                if times is not None:
                    self._repeat(number, words[0], times)

    def _add(self, number: int, words: Sequence[str], is_varied: bool) -> None:
        """Add the ways to write one phrase."""
        ends = {0}
        for place, word in enumerate(words):
            ways = [
                way
                for each in self._written(word, is_first=not place, is_varied=is_varied)
                if (way := self._tokens.split(each))
            ]
            begins = ends | {
                self._step(end, self._between) for end in ends if place == 1 and is_varied and self._between is not None
            }
            ends = {functools.reduce(self._step, way, begin) for begin in begins for way in ways}
        for end in ends if words else ():
            self._end(end, number)
            for mark in self._closing:
                if mark != self._between and end not in self._closed:
                    self._closed[end] = self._new()
                # After a comma another phrase may go on.
                here = (
                    self._step(end, mark)
                    if mark == self._between
                    else self.after[end].setdefault(mark, self._closed[end])
                )
                self._end(here, number)

    def _repeat(self, number: int, word: str, times: int) -> None:
        """Take a word that is written again and again for the word: the network does so where a sound is short."""
        for written in self._written(word, is_first=True, is_varied=True):
            way, ends = self._tokens.split(written), {0}
            again = [other for each in (written, written.lower()) if (other := self._tokens.split(each))]
            if not way:
                continue
            for turn in range(times):
                ends = {functools.reduce(self._step, each, end) for end in ends for each in (again if turn else [way])}
                if turn < times - 1 and self._between is not None:
                    ends |= {self._step(end, self._between) for end in ends}
            for end in ends:
                self.whole.setdefault(end, set()).add(number)

    def _written(self, word: str, is_first: bool, is_varied: bool) -> list[str]:
        """List the ways to write a word: in small letters, as given, with a capital, as a number, or another one."""
        plain = word.lower()
        same = [plain, *self._alike(plain)] if is_varied else [plain]
        cased = [each for one in same for each in ((one, one.capitalize()) if is_first else (one,))]
        numeral = [_NUMBERS[plain]] if is_varied and plain in _NUMBERS else []
        return list(dict.fromkeys([*cased, word, *numeral]))

    def _end(self, node: int, number: int) -> None:
        self.whole.setdefault(self._step(node, END), set()).add(number)

    def _step(self, node: int, token: int) -> int:
        after = self.after[node]
        if token not in after:
            after[token] = self._new()
        return after[token]

    def _new(self) -> int:
        self.after.append({})
        return len(self.after) - 1


@functools.lru_cache(maxsize=4)
def tree(tokens: Tokens, phrases: tuple[str, ...]) -> PhraseTree:
    """Return the tree of some phrases of English; those of the last questions are kept."""
    return PhraseTree(tokens, phrases, english())


class SoundingAlike:
    """Words of English that sound the same, by pocketsphinx's dictionary."""

    def __init__(self, dictionary: Path) -> None:
        try:
            lines = dictionary.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise VoiceError(f"The dictionary '{dictionary}' cannot be read.") from error
        self._sounds: dict[str, list[str]] = defaultdict(list)
        self._words: dict[str, list[str]] = defaultdict(list)
        for line in lines:
            name, _, phones = line.partition(" ")
            word = name.partition("(")[0]
            self._sounds[word].append(phones)
            self._words[phones].append(word)

    def __call__(self, word: str) -> list[str]:
        """List the other words that sound the same, shortest first.

        They are sorted, so that every computer chooses the same ones.
        """
        found = {other for phones in self._sounds.get(word, ()) for other in self._words[phones]} - {word}
        return sorted(found, key=lambda other: (len(other), other))


@functools.cache
def english() -> SoundingAlike:
    """Return the words of pocketsphinx's dictionary; raises VoiceError where it is not installed."""
    try:
        import pocketsphinx
    except ImportError as error:
        raise VoiceError("The dictionary of pocketsphinx is not installed: pip install 'nao-jotto[voice]'.") from error
    return SoundingAlike(Path(pocketsphinx.get_model_path(), "en-us", "cmudict-en-us.dict"))
