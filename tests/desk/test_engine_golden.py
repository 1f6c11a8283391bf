"""Published and measured figures, recomputed on whole lists."""

import itertools
from pathlib import Path

import pytest
from shared_data import WORD_LISTS, needs_shared_data

from jotto import explain, words
from jotto.compat import draw_item, draw_number
from jotto.feedback import PLACES
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, LETTERS, MASTERMIND, Rules
from jotto.strategies import Position, find_strategy

ROOT = Path(__file__).resolve().parents[2]


def isograms(path):
    """List the isograms of a list, as they are played with."""
    return words.parse_word_list(path.read_bytes(), JOTTO, path.name).wordlist


@pytest.fixture(scope="module")
def answers():
    """List the 1,566 isograms among the original Wordle answers."""
    return isograms(WORD_LISTS / "wordle-answers-2315.txt").indexed(JOTTO)


def turns_until_found(index, strategy, secret, seed):
    """List all turns of one game, the winning one left out."""
    turns, left = [], index.everything
    while (guess := strategy.choose(Position(index, left, None, len(turns), seed))) != secret:
        turns.append((guess, index.rules.score(guess, secret)))
        left &= index.fits(*turns[-1])
    return turns


def attempts(index, name, seed, step=1):
    """Count the guesses each `step`-th secret takes, the winning one included."""
    return [
        len(turns_until_found(index, find_strategy(name), secret, seed * 10**6 + number)) + 1
        for number, secret in enumerate(index.words[::step])
    ]


def codes(symbols, length):
    """List every Mastermind code."""
    return Index(
        ["".join(code) for code in itertools.product(symbols, repeat=length)],
        MASTERMIND._replace(alphabet=symbols, length=length),
    )


def test_numbers_of_answers_and_of_codes():
    for length, answers_possible in ((5, 20), (4, 14)):
        assert len(Rules("any", length, LETTERS, True, PLACES).possible()) == answers_possible
    index = Index(["".join(number) for number in itertools.permutations("0123456789", 4)], BULLS)
    sizes = sorted(part.bit_count() for part in index.split("0123", index.everything).values())
    assert (len(index), len(sizes), sizes[-1]) == (5040, 14, 1440)


# CS10's sample game and the two games of the Datalog article under exact rules.
@pytest.mark.parametrize(
    "symbols, turns, before",
    [
        ("ROYGBV", "GYBG 1 1, GOYV 1 2, GROY 0 2, YYYY 1 0, VYGV 1 3", [1296, 230, 23, 7, 2, 1]),
        ("012345", "0001 1 0, 0555 0 1, 5421 1 1, 3020 3 0, 3023 3 0", [1296, 317, 70, 10, 1, 1]),
        ("012345", "0011 1 0, 1431 1 1, 1312 0 2, 2521 1 1, 5241 3 0, 4241 4 0", [1296, 256, 42, 11, 1, 1, 1]),
    ],
    ids=["CS10", "article, first log", "article, second log"],
)
def test_codes_still_possible(symbols, turns, before):
    index, read = codes(symbols, 4), [turn.split() for turn in turns.split(", ")]
    turns = [(guess, (int(exact), int(misplaced))) for guess, exact, misplaced in read]
    assert [index.candidates(turns[:played]).bit_count() for played in range(len(turns) + 1)] == before


def test_cs10_guesses_that_do_not_fit():
    index = codes("ROYGBV", 4)
    turns = [("GYBG", (1, 1)), ("GOYV", (1, 2)), ("GROY", (0, 2)), ("YYYY", (1, 0)), ("VYGV", (1, 3)), ("VVYG", (4, 0))]
    fitting = [bool(index.candidates(turns[:number]) & index.bit(guess)) for number, (guess, _) in enumerate(turns)]
    assert fitting == [True, True, True, False, True, True]
    assert index.chosen(index.candidates(turns[:4])) == ["VYGV", "VVYG"]


# First guesses by shape and what they leave: Knuth's table of Mastermind, largest part and number of parts.
@pytest.mark.parametrize(
    "guess, largest, parts",
    [("0000", 625, 5), ("0001", 317, 11), ("0011", 256, 13), ("0012", 276, 14), ("0123", 312, 14)],
)
def test_first_guesses_of_mastermind(guess, largest, parts):
    index = codes("012345", 4)
    sizes = [part.bit_count() for part in index.split(guess, index.everything).values()]
    assert (max(sizes), len(sizes), sum(sizes)) == (largest, parts, 1296)


@needs_shared_data
def test_consistent_and_entropy_on_wordle_answers(answers):
    # References: 4.835 on average over 20 seeds, 8 to 10 at most; one seed strays by about 0.03.
    found = attempts(answers, "consistent", 1)
    assert len(found) == 1566 and abs(sum(found) / len(found) - 4.835) < 0.09 and 8 <= max(found) <= 10
    # References: 4.396 looking at all candidates; 48 of them must do nearly as well.
    found = attempts(answers, "entropy", 1, step=8)
    assert 4.2 < sum(found) / len(found) < 4.6 and max(found) <= 8


def test_consistent_on_codes_without_repeats_and_on_the_english_list():
    # References: 4.15 for any random consistent play of four weapons out of six.
    every = ["".join(code) for code in itertools.permutations("012345", 4)]
    found = attempts(Index(every, Rules("gladiators", 4, "012345", False, PLACES)), "consistent", 1)
    assert abs(sum(found) / len(found) - 4.15) < 0.12
    # References: 5.17 to 5.23 on the isograms up to SCOWL 50; every other word strays by about 0.03.
    found = attempts(isograms(ROOT / "wordlists" / "en.tsv").indexed(JOTTO), "consistent", 1, step=2)
    assert abs(sum(found) / len(found) - 5.2) < 0.1 and max(found) <= 12


@needs_shared_data
def test_the_slip_comes_early_on_wordle_answers(answers):
    ranks = []
    for seed in range(60):
        turns = turns_until_found(answers, find_strategy("consistent"), draw_item(answers.words, seed, "secret"), seed)
        if len(turns) < 3:
            continue
        wrong = draw_number(len(turns), seed, "turn")
        guess, true = turns[wrong]

        def is_close(other, true=true):
            return max(abs(other.exact - true.exact), abs(other.misplaced - true.misplaced)) == 1

        close = [other for other in JOTTO.possible() if is_close(other) and other != JOTTO.win]
        turns[wrong] = (guess, draw_item(close, seed, "noted"))
        if not answers.candidates(turns):
            ranks.append([slip.turn for slip in explain.rank_slips(turns, answers)].index(wrong))
    assert len(ranks) > 30
    assert sum(rank == 0 for rank in ranks) / len(ranks) > 0.55
    assert sum(rank < 3 for rank in ranks) / len(ranks) > 0.9
