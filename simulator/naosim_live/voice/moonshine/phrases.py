"""The phrases of a vocabulary as Moonshine may write them, in one tree of tokens.

It writes "Two." or "2," for "two", and what sounds the same, such as "To.": every way leads to the phrase.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..errors import VoiceError
from .tokens import END, Tokens

#: What may stand behind a phrase before the text ends, and what between two of its words.
CLOSING, BETWEEN = (".", ",", "!", "?"), ","
NUMBERS = {word: str(number) for number, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])}
#: Of longer phrases only the words themselves are looked for: the ways multiply.
MOST_WORDS_VARIED = 3
#: Words that sound the same as another one, at most.
MOST_ALIKE = 3


class PhraseTree:
    """Every way to write some phrases, as tokens from the first to the last, END included.

    `after` has for each place in the tree the next tokens with their places, and `whole` the numbers of the phrases
    that are whole at a place. Ways to begin are shared, and so is how a phrase closes.
    """

    def __init__(self, tokens: Tokens, phrases: Sequence[str], alike: Callable[[str], Iterable[str]]) -> None:
        self._tokens = tokens
        self.after: list[dict[int, int]] = [{}]
        self.whole: dict[int, set[int]] = {}
        self._closing = [number for number in map(tokens.number, CLOSING) if number is not None]
        self._between = tokens.number(BETWEEN)
        known = {word for phrase in phrases for word in words(phrase)}
        self._alike = functools.cache(lambda word: [each for each in alike(word) if each not in known][:MOST_ALIKE])
        said = {" ".join(words(phrase)) for phrase in phrases}
        for number, phrase in enumerate(phrases):
            spoken = words(phrase)
            self._add(number, spoken, phrase)
            if len(spoken) == 1:
                # "Yes, yes." is a yes, but "zero zero" may be another answer than "zero"; three times is nobody's.
                self._repeat(number, spoken[0], times=3 if " ".join(spoken * 2) in said else 2)

    def _add(self, number: int, spoken: list[str], phrase: str) -> None:
        """Add the ways to write one phrase."""
        is_varied = len(spoken) <= MOST_WORDS_VARIED
        written = phrase.split()
        ends = {0}
        for place, word in enumerate(spoken):
            ways = [way for each in self._written(word, written, place, is_varied) if (way := self._tokens.split(each))]
            begins = ends | {self._step(end, self._between) for end in ends
                             if place == 1 and is_varied and self._between is not None}
            ends = {functools.reduce(self._step, way, begin) for begin in begins for way in ways}
        closed = self._new()
        for end in ends:
            self._end(end, number)
            for mark in self._closing:
                # After a comma another phrase may go on.
                here = self._step(end, mark) if mark == self._between else self.after[end].setdefault(mark, closed)
                self._end(here, number)

    def _repeat(self, number: int, word: str, times: int) -> None:
        """Take a word that is written again and again for the word: the network does so where a sound is short."""
        for written in self._written(word, [word], 0, is_varied=True):
            way, ends = self._tokens.split(written), {0}
            again = [other for each in (written, written.lower()) if (other := self._tokens.split(each))]
            for _ in range(times - 1):
                ends = {functools.reduce(self._step, each, end) for end in ends
                        for each in ([way] if end == 0 else again)}
                ends |= {self._step(end, self._between) for end in ends if self._between is not None}
            for end in ends:
                for other in again:
                    self._end(end, number, other[0])

    def _end(self, node: int, number: int, token: int = END) -> None:
        self.whole.setdefault(self._step(node, token), set()).add(number)

    def _step(self, node: int, token: int) -> int:
        after = self.after[node]
        if token not in after:
            after[token] = self._new()
        return after[token]

    def _new(self) -> int:
        self.after.append({})
        return len(self.after) - 1

    def _written(self, word: str, phrase: Sequence[str], place: int, is_varied: bool) -> list[str]:
        own = phrase[place].strip(".,;:!?\"()") if place < len(phrase) else word
        same = [word, *self._alike(word)] if is_varied else [word]
        cased = [each for one in same for each in ((one, one.capitalize()) if place == 0 else (one,))]
        numeral = [NUMBERS[word]] if is_varied and word in NUMBERS else []
        return list(dict.fromkeys([*cased, own, *numeral]))


@functools.lru_cache(maxsize=8)
def tree(tokens: Tokens, phrases: tuple[str, ...]) -> PhraseTree:
    """Return the tree of some phrases of English; those of the last questions are kept."""
    return PhraseTree(tokens, phrases, english())


def words(phrase: str) -> list[str]:
    """Return the words of a phrase as they are said, in small letters.

    >>> words("That's right, HAL!")
    ["that's", 'right', 'hal']
    """
    found = [word.strip(".,;:!?\"()") for word in phrase.lower().replace("\u2019", "'").split()]
    return [word for word in found if word]


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
