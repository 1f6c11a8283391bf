"""The filter of the original Wordle helper, as it was: kept for comparison, since it can lose the answer.

Its state: exact letters with their places; per letter marked present the places where it is not; letters taken to be
absent. It goes wrong with repeated letters: a letter marked N is banned altogether even where another copy of it is E
or P, and E forgets what P said about another copy. `jotto wordle` filters by the marks themselves.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from jotto.game import Turn


@dataclass(frozen=True)
class OriginalState:
    """What the original keeps: exact letters and places, present letters and places they are not at, absent letters."""

    exact: tuple[tuple[str, int], ...] = ()
    partial: tuple[tuple[str, tuple[int, ...]], ...] = ()
    absent: tuple[str, ...] = ()

    def after(self, turn: Turn) -> "OriginalState":
        """Take a round in, letter by letter in the original's order."""
        exact = list(self.exact)
        partial = {letter: list(spots) for letter, spots in self.partial}
        absent = list(self.absent)
        for place, (letter, mark) in enumerate(zip(turn.guess.upper(), turn.feedback, strict=True)):
            if mark == "E" and (letter, place) not in exact:
                exact.append((letter, place))
                if letter in partial:
                    del partial[letter]
                else:
                    for spots in partial.values():
                        spots.extend([place] if place not in spots else [])
            elif mark == "P" and letter in partial:
                partial[letter].extend([place] if place not in partial[letter] else [])
            elif mark == "P":
                taken = [spot for _, spot in exact]
                partial[letter] = [place, *(spot for spot in taken if spot != place)]
            elif mark == "N" and letter not in absent:
                absent.append(letter)
        present = tuple((letter, tuple(spots)) for letter, spots in partial.items())
        return OriginalState(tuple(exact), present, tuple(absent))

    def allows(self, word: str) -> bool:
        """Tell whether the original keeps a word."""
        word = word.upper()
        return (
            not any(letter in word for letter in self.absent)
            and all(word[place] == letter for letter, place in self.exact)
            and all(letter in word and all(word[spot] != letter for spot in spots) for letter, spots in self.partial)
        )

    def plain(self) -> tuple[list[tuple[str, int]], dict[str, list[int]], list[str]]:
        """Return the state as the original prints it."""
        return list(self.exact), {letter: list(spots) for letter, spots in self.partial}, list(self.absent)


def state(turns: Iterable[Turn]) -> OriginalState:
    """Return the state after some rounds.

    >>> state([Turn("sugar", "ENNPP")]).plain()
    ([('S', 0)], {'A': [3, 0], 'R': [4, 0]}, ['U', 'G'])
    """
    found = OriginalState()
    for turn in turns:
        found = found.after(turn)
    return found


def suggestions(words: Iterable[str], counts: Mapping[str, float], turns: Iterable[Turn]) -> list[tuple[str, float]]:
    """List the words the original keeps with their counts, the most frequent first."""
    found = state(turns)
    kept = [(word, counts.get(word, 0.0)) for word in words if found.allows(word)]
    return sorted(kept, key=lambda pair: -pair[1])


def letter_counts(words: Iterable[str]) -> list[tuple[str, int]]:
    """Count the letters of all different words, the commonest first."""
    return Counter(letter for word in words for letter in word.upper()).most_common()


def start_words(words: Sequence[str], start: int = 0) -> tuple[int, list[str]]:
    """Find words made of five neighbours in the order of commonest letters, from the `start`-th on.

    Gives the start they were found at and the words; where no five neighbours make a word, `start` and none.
    """
    letters = [letter for letter, _ in letter_counts(words)]
    spelled: dict[str, list[str]] = {}
    for word in words:
        spelled.setdefault("".join(sorted(word.upper())), []).append(word)
    for place in range(start, len(letters) - 4):
        found = spelled.get("".join(sorted(letters[place : place + 5])))
        if found:
            return place, found
    return start, []
