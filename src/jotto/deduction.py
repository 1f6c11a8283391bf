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


def known(riddle):
    # type: (Riddle) -> KnownLetters
    """Deduce what the answers and hints of a riddle say for certain, one group of letters at a time.

    >>> from . import game, riddle, rules
    >>> secret = riddle.Riddle(game.new(rules.JOTTO, "en", "", 1), "table", 0).guess("bleat").guess("tango")
    >>> found = known(secret)
    >>> str("".join(found.inside)), [(place, str(letter)) for place, letter in found.places]
    ('abelt', [(0, 't'), (1, 'a')])
    >>> str("".join(known(secret.take_back().take_back().guess("fjord")).outside))
    'dfjor'
    """
    return deduce(riddle.game, riddle.told())


def deduce(game, told=()):
    # type: (Game, Sequence[Hint]) -> KnownLetters
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
    return KnownLetters(sorted(inside), sorted(outside), sorted(places.items()))


def _settle(groups, inside):
    # type: (List[Tuple[Set[str], int]], Set[str]) -> Set[str]
    """Return the letters outside and add those inside to `inside`.

    A group is a set of letters and how many of them are in the secret: once that many are known to be inside, the
    others are outside; once only that many are left, they are all inside.

    >>> inside = set("a")
    >>> sorted(str(letter) for letter in _settle([(set("ab"), 1), (set("bc"), 1)], inside)), len(inside)
    (['b'], 2)
    """
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
