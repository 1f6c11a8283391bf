"""What a player can be certain of: letters that must be in the secret, letters that cannot be, and known places.

Deduced as a person with a pencil would, from the guesses, their answers and the hints alone: no word list is asked, so
that nothing is given away that the answers do not say.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Dict, List, Sequence, Set, Tuple

    from .game import Game
    from .riddle import Hint, Riddle

#: Letters in the secret and letters not in it, in the order of the alphabet; letters by their place, counted from 0.
KnownLetters = namedtuple("KnownLetters", "inside outside places")


def known(riddle):  # type: (Riddle) -> KnownLetters
    """Deduce what the answers and hints of a riddle say for certain, all answers taken together.

    >>> from . import game, riddle, rules
    >>> secret = riddle.Riddle(game.new(rules.JOTTO, "en", "", 1), "table", 0).guess("bleat").guess("tango")
    >>> found = known(secret)
    >>> str("".join(found.inside)), [(place, str(letter)) for place, letter in found.places]
    ('abelt', [(0, 't'), (1, 'a')])
    >>> str("".join(known(secret.take_back().take_back().guess("fjord")).outside))
    'dfjor'
    """
    return deduce(riddle.game, riddle.told())


def deduce(game, told=()):  # type: (Game, Sequence[Hint]) -> KnownLetters
    """Deduce the same from the turns of a game, and the hints told.

    Answers that contradict each other say nothing for certain: whether a word fits them all is for the asker to see.
    """
    inside = {hint.symbol for hint in told}
    groups = [(set(turn.guess), sum(turn.feedback)) for turn in game.turns]
    groups.append((set(game.rules.alphabet), game.rules.length))
    outside = _settle(groups, inside)
    places = {hint.place: hint.symbol for hint in told if hint.place is not None}  # type: Dict[int, str]
    for turn in game.turns:
        # With none elsewhere, every letter that is inside stands where it was guessed.
        if not turn.feedback[1]:
            places.update((place, letter) for place, letter in enumerate(turn.guess) if letter in inside)
    ordered = game.rules.alphabet.index
    return KnownLetters(sorted(inside, key=ordered), sorted(outside, key=ordered), sorted(places.items()))


def _settle(groups, inside):  # type: (List[Tuple[Set[str], int]], Set[str]) -> Set[str]
    """Return the letters outside and add those inside to `inside`; nothing is found where the groups contradict.

    A group is a set of letters and how many of them are in the secret. Letters that stand in the same groups are alike:
    how many of each kind the secret may have is all that is to be found out, and what every way to choose them shares
    is certain.

    >>> inside = set("a")
    >>> sorted(str(letter) for letter in _settle([(set("ab"), 1), (set("bc"), 1)], inside)), len(inside)
    (['b'], 2)
    >>> inside = set()
    >>> found = _settle([(set("light"), 3), (set("ocean"), 2), (set("lightoceanbr"), 5)], inside)
    >>> sorted(str(letter) for letter in found)
    ['b', 'r']
    """
    kinds = {}  # type: Dict[Tuple[Tuple[int, ...], bool], List[str]]
    for letter in set().union(*[letters for letters, _ in groups]):
        key = tuple(int(letter in letters) for letters, _ in groups), letter in inside
        kinds.setdefault(key, []).append(letter)
    # Kinds in many groups first: they leave the fewest ways.
    rows = sorted(kinds, key=lambda key: (-sum(key[0]), key))
    choices = [[len(kinds[row])] if row[1] else list(range(len(kinds[row]) + 1)) for row in rows]
    outside = set()  # type: Set[str]
    for row, taken in zip(rows, _taken([row[0] for row in rows], choices, tuple(count for _, count in groups))):
        if taken == {0}:
            outside.update(kinds[row])
        elif taken == {len(kinds[row])}:
            inside.update(kinds[row])
    return outside


def _taken(rows, choices, missing):  # type: (List[Tuple[int, ...]], List[List[int]], Tuple[int, ...]) -> List[Set[int]]
    """Say how many letters of each kind can be taken, among `choices`, so that no group misses any in the end."""
    reached = [{missing}]
    capacity = [(0,) * len(missing)]
    for row, counts in reversed(list(zip(rows, choices))):
        capacity.append(tuple(room + has * counts[-1] for room, has in zip(capacity[-1], row)))
    capacity.reverse()
    for number, row in enumerate(rows):
        after = {_left(before, row, count) for before in reached[-1] for count in choices[number]}
        reached.append(
            {left for left in after if all(0 <= count <= room for count, room in zip(left, capacity[number + 1]))}
        )
    taken = []  # type: List[Set[int]]
    good = reached[-1]
    for number in reversed(range(len(rows))):
        ways = [
            (before, count)
            for before in reached[number]
            for count in choices[number]
            if _left(before, rows[number], count) in good
        ]
        taken.append({count for _, count in ways})
        good = {before for before, _ in ways}
    return taken[::-1]


def _left(missing, row, count):  # type: (Tuple[int, ...], Tuple[int, ...], int) -> Tuple[int, ...]
    """Return what groups miss after `count` letters of a kind that stands in the groups of `row`."""
    return tuple(number - has * count for number, has in zip(missing, row))
