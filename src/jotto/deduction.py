"""What a player can be certain of: letters that must be in the secret, letters that cannot be, and known places.

Found as a person with a pencil would, from the guesses, their answers and the hints alone: no word list is asked, so
that nothing is told that the answers do not say.
"""
from __future__ import absolute_import, division, print_function, unicode_literals

from collections import namedtuple

MYPY = False
if MYPY:
    from typing import Dict, List, Set, Tuple

    from jotto.riddle import Riddle

#: Letters in the secret and letters not in it, in the order of the alphabet; letters by their place, counted from 0.
KnownLetters = namedtuple("KnownLetters", "inside outside places")


def known(riddle):
    # type: (Riddle) -> KnownLetters
    """What the answers and hints of a riddle say for certain, as far as one group of letters at a time tells."""
    told = riddle.told()
    inside = {hint.symbol for hint in told}
    groups = [(set(turn.guess), sum(turn.feedback)) for turn in riddle.game.turns]
    groups.append((set(riddle.game.rules.alphabet), riddle.game.rules.length))
    outside = _settled(groups, inside)
    places = {hint.place: hint.symbol for hint in told if hint.place is not None}  # type: Dict[int, str]
    for turn in riddle.game.turns:
        # With none elsewhere, every letter that is inside stands where it was guessed.
        if not turn.feedback[1]:
            places.update((place, letter) for place, letter in enumerate(turn.guess) if letter in inside)
    return KnownLetters(sorted(inside), sorted(outside), sorted(places.items()))


def _settled(groups, inside):
    # type: (List[Tuple[Set[str], int]], Set[str]) -> Set[str]
    """Letters outside; adds to `inside`. Each group is letters and how many of them are in the secret."""
    outside = set()  # type: Set[str]
    before = -1
    while before != len(inside) + len(outside):
        before = len(inside) + len(outside)
        for letters, count in groups:
            open_letters = letters - inside - outside
            missing = count - len(letters & inside)
            if not missing:
                outside |= open_letters
            elif missing == len(open_letters):
                inside |= open_letters
    return outside
