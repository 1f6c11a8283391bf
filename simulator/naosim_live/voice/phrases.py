"""The phrases of a vocabulary, as a graph of the texts that Moonshine may write for them.

Moonshine writes "Two." or "2" for "two", or "To.", which sounds the same; it writes "S-t-o-r-y" or "S, T, O, R, Y." for
a word that is spelled. Each of these texts leads through the graph to its phrase, in any capitals and punctuation.

If a vocabulary has letters, its words may be spelled: with or without pauses, by letters, by alphabet words or by both.
All words share one tree of letters, so thousands of them cost little.
"""

from collections.abc import Iterator, Sequence

from .recogniser import plain_words
from .spoken_forms import SpokenForms
from .tokens import Tokens

#: What may stand anywhere between two words, and at the end.
_PUNCTUATION = frozenset(".,!?;:-\u2026\"'")
#: Words that are written a second and third time for one that was said once: the network does so if a sound is short.
_MAX_REPEATS = 3
#: Longer phrases are looked for only as they are written: the ways to write them multiply.
_MAX_VARIED_WORDS = 3
#: The fewest letters of a word that may be spelled.
_MIN_SPELLED = 3

#: A place in the graph: a node of the tree of texts, or a node of the tree of spelled words with one of the tree of
#: letters' names (-1: no spelled word).
Place = tuple[int, int]
Places = frozenset[Place]
_NO_WORD = -1
#: The number of all words that are common and no phrase.
OTHER = -1


class _TextTree:
    """Texts by their characters; `values` has what ends at a node."""

    def __init__(self) -> None:
        self.after: list[dict[str, int]] = [{}]
        self.values: list[set[int]] = [set()]

    def add(self, text: str, value: int) -> None:
        node = 0
        for character in text:
            node = self.after[node].setdefault(character, len(self.after))
            if node == len(self.after):
                self.after.append({})
                self.values.append(set())
        self.values[node].add(value)

    def find(self, text: str) -> set[int]:
        """Return what ends where a text ends."""
        node = 0
        for character in text:
            if character not in self.after[node]:
                return set()
            node = self.after[node][character]
        return self.values[node]


class PhraseGraph:
    """Every text that means a phrase of a vocabulary, and the common words that do not (`OTHER`)."""

    def __init__(self, tokens: Tokens, phrases: Sequence[str], forms: SpokenForms) -> None:
        self._tokens = tokens
        self._texts, self._letters, self._words = _TextTree(), _TextTree(), _TextTree()
        #: By node of the tree of letters' names: the letters that its names lead to, as bits.
        self._reached: list[int] = []
        self._followed: dict[Places, dict[int, Places]] = {}
        spoken = [" ".join(plain_words(phrase)).lower() for phrase in phrases]
        letters = [phrase for phrase in spoken if phrase in forms.letters]
        for number, phrase in enumerate(spoken):
            for text in _list_texts(phrase, forms, set(spoken)):
                self._texts.add(text, number)
            if letters and len(phrase) >= _MIN_SPELLED and all(letter in forms.letters for letter in phrase):
                self._words.add(phrase, number)
        for word in forms.others:
            if not self._texts.find(word):
                self._texts.add(word, OTHER)
        for number, letter in enumerate(forms.letters):
            for name in forms.list_names(letter):
                self._letters.add(name, number)
        self._alphabet = list(forms.letters)
        self._measure_letters()
        #: By node of the tree of spelled words: the letters that may come next, as bits.
        self._wanted = [sum(1 << self._alphabet.index(letter) for letter in after) for after in self._words.after]
        #: Whether a phrase may be spelled.
        self.may_spell = bool(self._words.after[0])
        self.start: Places = frozenset([(0, _NO_WORD)] + ([(0, 0)] if self.may_spell else []))

    def follow(self, places: Places) -> dict[int, Places]:
        """Return the tokens that may come next, each with the places it leads to."""
        known = self._followed.get(places)
        if known is None:
            known = self._followed[places] = dict(self._walk(places))
        return known

    def phrases_at(self, places: Places) -> set[int]:
        """Return the numbers of the phrases whose texts may end here."""
        found: set[int] = set()
        for node, name in places:
            if name == _NO_WORD:
                found |= self._texts.values[node]
            elif name == 0:
                found |= self._words.values[node]
        return found

    def _walk(self, places: Places) -> Iterator[tuple[int, Places]]:
        """Walk through the tree of all tokens as far as the graph allows."""
        waiting = [(self._tokens.root, places)]
        while waiting:
            node, here = waiting.pop()
            for character, (numbers, after) in node.items():
                there = frozenset(step for place in here for step in self._step(place, character))
                if there:
                    yield from ((number, there) for number in numbers)
                    waiting.append((after, there))

    def _step(self, place: Place, character: str) -> Iterator[Place]:
        """Yield the places behind one more character."""
        node, name = place
        if name == _NO_WORD:
            after = self._texts.after[node]
            if character in after:
                yield after[character], _NO_WORD
            elif character in _PUNCTUATION:
                if node == 0 or self._texts.values[node] or " " in after:
                    yield place
                if character == "-" and " " in after:
                    yield after[" "], _NO_WORD
            elif character == " " and node == 0:
                yield place
            return
        if name == 0 and (character == " " or character in _PUNCTUATION):
            yield place
            return
        name_after = self._letters.after[name].get(character, 0)
        if not name_after or not self._reached[name_after] & self._wanted[node]:
            return
        yield node, name_after
        for number in self._letters.values[name_after]:
            if self._wanted[node] >> number & 1:
                yield self._words.after[node][self._alphabet[number]], 0

    def _measure_letters(self) -> None:
        self._reached = [sum(1 << number for number in values) for values in self._letters.values]
        # Nodes are numbered from the root on, so children come after their parents.
        for node in reversed(range(len(self._reached))):
            for after in self._letters.after[node].values():
                self._reached[node] |= self._reached[after]


def _list_texts(phrase: str, forms: SpokenForms, known: set[str]) -> list[str]:
    """List the texts that the network may write for a phrase.

    Words that sound the same are left out if they are phrases themselves, and repetitions too: "zero zero".
    """
    words = phrase.split()
    if len(words) > _MAX_VARIED_WORDS:
        return [phrase] if forms.language == "en" else [phrase, " ".join(forms.list_alike(word)[-1] for word in words)]
    texts = [""]
    for word in words:
        same = [each for each in forms.list_alike(word) if each not in known]
        texts = [f"{text} {each}".strip() for text in texts for each in (word, *same)]
    if len(words) == 1:
        repeated = [" ".join([text] * times) for text in texts for times in range(2, _MAX_REPEATS + 1)]
        texts += [text for text in repeated if f"{phrase} {phrase}" not in known]
    return texts
