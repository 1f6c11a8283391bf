"""Conclusions from the answers of a game: certain letters, why a word is out, why it was asked, and the answer
that is most likely wrong.

All results are values; the conversation and the desk put them into words.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import operator
from collections import namedtuple
from math import fsum

from jotto.compat import count_ones
from jotto.feedback import MARKS, PLACES

MYPY = False
if MYPY:
    from typing import Any, Dict, List, Sequence, Set, Tuple

    from jotto.feedback import Symbols
    from jotto.game import Game, Hint, Riddle, Turn
    from jotto.index import Index
    from jotto.rules import Rules

#: A turn (number from 0) that contradicts a word: the answer it got and the answer the word would have given.
Clash = namedtuple("Clash", "turn guess got expected")
#: The probability that the answer of a turn is wrong (0 to 1), and the answer that was most likely meant.
Slip = namedtuple("Slip", "turn guess got meant probability")
#: The effect of a guess: the words that fit now and after its answer (on average and at worst), the number of
#: different answers, and whether the guess itself fits.
Outlook = namedtuple("Outlook", "left mean worst answers fits")

#: Probability that an answer is wrong; the order of suspicion hardly depends on it.
_SLIP_PROBABILITY = 0.05


def find_clashes(word, turns, rules):  # type: (Symbols, Sequence[Turn], Rules) -> List[Clash]
    """List the turns whose answer the word would not have given; empty when it fits.

    >>> from .rules import JOTTO
    >>> [(clash.turn, tuple(clash.expected)) for clash in find_clashes("canoe", [("ocean", (1, 2))], JOTTO)]
    [(0, (0, 5))]
    """
    found = []
    for number, (guess, got) in enumerate(turns):
        expected = rules.score(guess, word)
        if expected != got:
            found.append(Clash(number, guess, got, expected))
    return found


def measure_guess(guess, index, candidates):  # type: (Symbols, Index, int) -> Outlook
    """Return the effect of a guess on a set of equally likely words; zeros if the set is empty.

    >>> from .index import Index
    >>> from .rules import JOTTO
    >>> index = Index(["ocean", "canoe", "dance", "brick"], JOTTO)
    >>> measure_guess("ocean", index, index.everything)
    Outlook(left=4, mean=1.0, worst=1, answers=4, fits=True)
    """
    sizes = [count_ones(part) for part in index.split(guess, candidates).values()]
    left = sum(sizes)
    mean = fsum(size * size for size in sizes) / left if left else 0.0
    return Outlook(left, mean, max(sizes) if sizes else 0, len(sizes), bool(candidates & index.select_word(guess)))


def rank_slips(turns, index):  # type: (Sequence[Turn], Index) -> List[Slip]
    """Rank the turns by the probability that their answer is wrong, most suspicious first.

    Bayes over all words of the index: a word's weight is the product over the turns of how easily the answer it
    would have given is taken for the answer noted. Any number of slips is covered.
    """
    chances = [_list_confusable_answers(index, guess, got) for guess, got in turns]
    weights = [1.0] * len(index)
    for parts in chances:
        for _, chance, members in parts:
            for number in members:
                weights[number] *= chance
        # Only the ratios matter, so scale the weights: in a long game they would all reach zero.
        highest = max(weights) if weights else 1.0
        weights = [weight / highest for weight in weights]
    total = fsum(weights) or 1.0
    found = []
    for (guess, got), number in zip(turns, range(len(turns))):
        meant = {
            feedback: fsum(weights[word] for word in members) / total
            for feedback, _, members in chances[number]
            if feedback != got
        }
        likeliest = max(sorted(meant), key=lambda feedback: round(meant[feedback], 9)) if meant else got
        found.append(Slip(number, guess, got, likeliest, fsum(meant.values())))
    return sorted(found, key=lambda slip: (-round(slip.probability, 9), slip.turn))


def _list_confusable_answers(index, guess, got):  # type: (Index, Symbols, Any) -> List[Tuple[Any, float, List[int]]]
    parts = index.split(guess, index.everything)
    wrong = fsum(_rate_nearness(feedback, got, index.rules) for feedback in parts if feedback != got) or 1.0
    rows = []
    for feedback in sorted(parts):
        chance = 1 - _SLIP_PROBABILITY
        if feedback != got:
            chance = _SLIP_PROBABILITY * _rate_nearness(feedback, got, index.rules) / wrong
        rows.append((feedback, chance, _list_members(parts[feedback])))
    return rows


def _rate_nearness(true, noted, rules):  # type: (Any, Any, Rules) -> float
    """Return how easily one answer is mistaken for another: off by one, counts swapped, or worse."""
    if rules.kind != PLACES:
        off = sum(map(operator.ne, true, noted)) if rules.kind == MARKS else 1
        return 1.0 / off**2 if off else 1.0
    if (true[0], true[1]) == (noted[1], noted[0]):
        return 1.0
    steps = max(abs(true[0] - noted[0]), abs(true[1] - noted[1]))
    return 1.0 / steps**2 if steps else 1.0


def _list_members(members):  # type: (int) -> List[int]
    return [number for number, bit in enumerate(reversed(bin(members)[2:])) if bit == "1"]


# Letters that a player can be certain of. They are deduced as with a pencil, only from the guesses, their answers and
# the hints: a word list would give away more than the answers say.

#: Letters in the secret and letters not in it, in the order of the alphabet; letters by their place, counted from 0.
KnownLetters = namedtuple("KnownLetters", "inside outside places")


def deduce_riddle_letters(riddle):  # type: (Riddle) -> KnownLetters
    """Deduce what the answers and hints of a riddle say for certain, all answers taken together.

    >>> from . import game, rules
    >>> secret = game.Riddle(game.start_game(rules.JOTTO, "en", "", 1), "table", 0).guess("bleat").guess("tango")
    >>> found = deduce_riddle_letters(secret)
    >>> str("".join(found.inside)), [(place, str(letter)) for place, letter in found.places]
    ('abelt', [(0, 't'), (1, 'a')])
    >>> str("".join(deduce_riddle_letters(secret.take_back().take_back().guess("fjord")).outside))
    'dfjor'
    """
    return deduce_letters(riddle.game, riddle.list_hints())


def deduce_letters(game, told=()):  # type: (Game, Sequence[Hint]) -> KnownLetters
    """Deduce the same from the turns of a game, and from the hints given.

    Contradictory answers give no certain letters.
    """
    inside = {hint.symbol for hint in told}
    groups = [(set(turn.guess), sum(turn.feedback)) for turn in game.turns]
    groups.append((set(game.rules.alphabet), game.rules.length))
    outside = _settle(groups, inside)
    places = {hint.place: hint.symbol for hint in told if hint.place is not None}  # type: Dict[int, str]
    for turn in game.turns:
        # With none elsewhere, every letter in the word is where it was guessed.
        if not turn.feedback[1]:
            places.update((place, letter) for place, letter in enumerate(turn.guess) if letter in inside)
    ordered = game.rules.alphabet.index
    return KnownLetters(sorted(inside, key=ordered), sorted(outside, key=ordered), sorted(places.items()))


def _settle(groups, inside):  # type: (List[Tuple[Set[str], int]], Set[str]) -> Set[str]
    """Return the letters outside and add those inside to `inside`; no letters if the groups contradict each other.

    A group is a set of letters and its number of letters in the secret. Letters in the same groups are of one kind. The
    search finds the possible numbers of each kind in the secret; what all solutions share is certain.

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
    # Kinds in many groups first, as they leave the fewest choices.
    rows = sorted(kinds, key=lambda key: (-sum(key[0]), key))
    choices = [[len(kinds[row])] if row[1] else list(range(len(kinds[row]) + 1)) for row in rows]
    outside = set()  # type: Set[str]
    for row, taken in zip(rows, _find_counts([row[0] for row in rows], choices, tuple(count for _, count in groups))):
        if taken == {0}:
            outside.update(kinds[row])
        elif taken == {len(kinds[row])}:
            inside.update(kinds[row])
    return outside


def _find_counts(rows, choices, missing):  # type: (List[Tuple[int, ...]], List[List[int]], Tuple[int, ...]) -> List[Set[int]]
    """Return, for each kind, the numbers of letters that can be taken so that every group is complete."""
    reached = [{missing}]
    capacity = [(0,) * len(missing)]
    for row, counts in reversed(list(zip(rows, choices))):
        capacity.append(tuple(room + has * counts[-1] for room, has in zip(capacity[-1], row)))
    capacity.reverse()
    for number, row in enumerate(rows):
        after = {_subtract_row(before, row, count) for before in reached[-1] for count in choices[number]}
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
            if _subtract_row(before, rows[number], count) in good
        ]
        taken.append({count for _, count in ways})
        good = {before for before, _ in ways}
    return taken[::-1]


def _subtract_row(missing, row, count):  # type: (Tuple[int, ...], Tuple[int, ...], int) -> Tuple[int, ...]
    """Return the letters that groups lack after `count` letters of a kind that is in the groups of `row`."""
    return tuple(number - has * count for number, has in zip(missing, row))
