"""Rules: which words and answers they accept, and what they say about the others."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
import json

import pytest

from jotto import feedback, rules
from jotto.compat import as_text
from jotto.feedback import COMMON, MARKS, PLACES
from jotto.rules import (
    BULLS,
    JOTTO,
    MASTERMIND,
    PAPER_JOTTO,
    WORDLE,
    ImpossibleFeedback,
    JottoError,
    RepeatedSymbol,
    Rules,
    SavedGameError,
    UnknownSymbol,
    WordError,
    WrongLength,
)

CS10 = Rules("cs10", 4, "ROYGBV", True, PLACES)
GLADIATORS = Rules("gladiators", 5, tuple(range(10)), False, PLACES)


def message(error):
    """Return the message as text, on both Pythons."""
    return "%s" % error.value


@pytest.mark.parametrize(
    "game, word",
    [
        (JOTTO, "ocean"),
        (WORDLE, "hello"),
        (MASTERMIND, "rrrr"),
        (CS10, "VVYG"),
        (BULLS, "0123"),
        (GLADIATORS, (9, 0, 1, 2, 3)),
        (Rules("es", 4, "an\u00f1o", True, PLACES), "a\u00f1ao"),
    ],
)
def test_words_that_pass(game, word):
    game.check(word)
    assert game.allows(word)


@pytest.mark.parametrize(
    "game, word, error, text",
    [
        # CS10: the length is looked at before the letters.
        (CS10, "ROY", WrongLength, "'ROY' has 3 letters; it takes exactly 4."),
        (CS10, "ROYGBV", WrongLength, "'ROYGBV' has 6 letters; it takes exactly 4."),
        (CS10, "BJC", WrongLength, "'BJC' has 3 letters; it takes exactly 4."),
        (CS10, "BJC!", UnknownSymbol, "'BJC!' holds 'J', which is not one of R O Y G B V."),
        (CS10, "rrrr", UnknownSymbol, "'rrrr' holds 'r', which is not one of R O Y G B V."),
        (JOTTO, "", WrongLength, "'' has 0 letters; it takes exactly 5."),
        (JOTTO, "oc an", UnknownSymbol, "'oc an' holds ' ', which is not one of a to z."),
        (JOTTO, "Ocean", UnknownSymbol, "'Ocean' holds 'O', which is not one of a to z."),
        (JOTTO, "\u00e9tude", UnknownSymbol, "'\u00e9tude' holds '\u00e9', which is not one of a to z."),
        (JOTTO, "hello", RepeatedSymbol, "'hello' uses 'l' more than once; think of a word with 5 different letters."),
        (JOTTO, "x" * 10**6, WrongLength, "'" + "x" * 47 + "...' has 1000000 letters; it takes exactly 5."),
        (
            GLADIATORS,
            (1, 2, 3, 4, 10),
            UnknownSymbol,
            "(1, 2, 3, 4, 10) holds 10, which is not one of 0 1 2 3 4 5 6 7 8 9.",
        ),
        (
            GLADIATORS,
            (1, 2, 3, 4, "5"),
            UnknownSymbol,
            "(1, 2, 3, 4, '5') holds '5', which is not one of 0 1 2 3 4 5 6 7 8 9.",
        ),
        (
            GLADIATORS,
            (1, 2, 3, 4, True),
            UnknownSymbol,
            "(1, 2, 3, 4, True) holds True, which is not one of 0 1 2 3 4 5 6 7 8 9.",
        ),
        (
            GLADIATORS,
            (1, 2, 3, 4, 5.0),
            UnknownSymbol,
            "(1, 2, 3, 4, 5.0) holds 5.0, which is not one of 0 1 2 3 4 5 6 7 8 9.",
        ),
        pytest.param(
            GLADIATORS,
            (1, 2, 3, 4, 10**5000),
            UnknownSymbol,
            "(1, 2, 3, 4, a huge number) holds a huge number, which is not one of 0 1 2 3 4 5 6 7 8 9.",
            id="huge",
        ),
        (
            GLADIATORS,
            (1, 2, 3, 4, 4),
            RepeatedSymbol,
            "(1, 2, 3, 4, 4) uses 4 more than once; think of a word with 5 different letters.",
        ),
        (GLADIATORS, [1, 2, 3, 4, 5], WordError, "[1, 2, 3, 4, 5] is not a word; give a tuple of symbols."),
        (JOTTO, ("o", "c", "e", "a", "n"), WordError, "('o', 'c', 'e', 'a', 'n') is not a word; give text."),
        # Text finds "" and "bc" inside an alphabet; they are not symbols of it all the same.
        (JOTTO, ("", "a", "bc", "def", "g"), WordError, "('', 'a', 'bc', 'def', 'g') is not a word; give text."),
        (JOTTO, b"ocean", WordError, "'ocean' is not a word; give text."),
        (JOTTO, b"\xff\xfe", WordError, "'\ufffd\ufffd' is not a word; give text."),
        (JOTTO, None, WordError, "None is not a word; give text."),
        (JOTTO, 5, WordError, "5 is not a word; give text."),
        (JOTTO, {"o": 1}, WordError, "{'o': 1} is not a word; give text."),
    ],
)
def test_words_that_do_not_pass(game, word, error, text):
    with pytest.raises(WordError) as caught:
        game.check(word)
    assert (caught.type, message(caught)) == (error, text)
    assert not game.allows(word)


@pytest.mark.parametrize(
    "game, raw, read",
    [
        (JOTTO, (1, 2), (1, 2)),
        (JOTTO, [0, 5], (0, 5)),
        (JOTTO, (5, 0), (5, 0)),
        (MASTERMIND, (2, 2), (2, 2)),
        (WORDLE, "EPNNN", "EPNNN"),
        (WORDLE, "EEEEE", "EEEEE"),
        (WORDLE, "EEEPP", "EEEPP"),
        (PAPER_JOTTO, 5, 5),
    ],
)
def test_answers_that_pass(game, raw, read):
    assert game.read_feedback(raw) == read
    assert type(game.read_feedback(raw)) is type(game.score("x" * game.length, "x" * game.length))


@pytest.mark.parametrize(
    "game, raw, text",
    [
        (JOTTO, (4, 1), "4 in place and 1 elsewhere cannot be: the last letter has nowhere else to go."),
        (JOTTO, (3, 3), "3 in place and 3 elsewhere are more than the 5 letters of the word."),
        pytest.param(
            JOTTO,
            (10**5000, 0),
            "a huge number in place and 0 elsewhere are more than the 5 letters of the word.",
            id="huge",
        ),
        (JOTTO, (-1, 2), "(-1, 2) counts fewer than zero letters; give whole numbers from 0 to 5."),
        (JOTTO, (1, 2, 3), "(1, 2, 3) is not a pair of whole numbers like (1, 2)."),
        (JOTTO, (1.0, 2), "(1.0, 2) is not a pair of whole numbers like (1, 2)."),
        (JOTTO, (True, False), "(True, False) is not a pair of whole numbers like (1, 2)."),
        (JOTTO, ("1", "2"), "('1', '2') is not a pair of whole numbers like (1, 2)."),
        (JOTTO, "12", "'12' is not a pair of whole numbers like (1, 2)."),
        (JOTTO, None, "None is not a pair of whole numbers like (1, 2)."),
        (WORDLE, "EEEEP", "'EEEEP' is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (WORDLE, "EPN", "'EPN' is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (WORDLE, "EPXNE", "'EPXNE' is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (WORDLE, "epnnn", "'epnnn' is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (WORDLE, ["E", "P"], "['E', 'P'] is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (WORDLE, b"EPNNN", "'EPNNN' is not an answer to a guess of 5 letters; give one of E, P or N per letter."),
        (PAPER_JOTTO, 6, "6 is not an answer to a guess of 5 letters; give the number of letters in common."),
        (PAPER_JOTTO, -1, "-1 is not an answer to a guess of 5 letters; give the number of letters in common."),
        (PAPER_JOTTO, True, "True is not an answer to a guess of 5 letters; give the number of letters in common."),
        (PAPER_JOTTO, (1, 2), "(1, 2) is not an answer to a guess of 5 letters; give the number of letters in common."),
    ],
)
def test_answers_that_do_not_pass(game, raw, text):
    with pytest.raises(ImpossibleFeedback) as caught:
        game.read_feedback(raw)
    assert message(caught) == text


@pytest.mark.parametrize("length, answers", [(1, 2), (4, 14), (5, 20)])
def test_number_of_possible_pairs(length, answers):
    assert len(Rules("any", length, rules.LETTERS, False, PLACES).possible()) == answers


def met(game):
    """List every answer that some guess and some secret of the game give, by the slow scorer."""
    words = [word for word in itertools.product(game.alphabet, repeat=game.length) if game.allows("".join(word))]
    return {feedback.SLOW_SCORERS[game.kind](guess, secret) for guess in words for secret in words}


@pytest.mark.parametrize("kind", [PLACES, MARKS, COMMON])
@pytest.mark.parametrize(
    "length, alphabet, repeats",
    [
        (1, "ab", True),
        (2, "abcd", True),
        (3, "abc", True),
        (4, "abc", True),
        (1, "ab", False),
        (2, "abcd", False),
        (3, "abcdef", False),
    ],
)
def test_possible_is_what_is_met(kind, length, alphabet, repeats):
    game = Rules("small", length, alphabet, repeats, kind)
    assert sorted(game.possible()) == sorted(met(game))
    assert all(game.read_feedback(answer) == answer for answer in game.possible())


@pytest.mark.parametrize("length, alphabet", [(2, "ab"), (2, "abc"), (3, "abcd")])
def test_possible_holds_more_where_isograms_cannot_avoid_each_other(length, alphabet):
    game = Rules("crowded", length, alphabet, False, PLACES)
    assert met(game) < set(game.possible())


@pytest.mark.parametrize("game, win", [(JOTTO, (5, 0)), (WORDLE, "EEEEE"), (PAPER_JOTTO, None)])
def test_win(game, win):
    assert game.win == win


@pytest.mark.parametrize("game", [JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, BULLS, CS10, GLADIATORS])
def test_round_trip_through_json(game):
    assert rules.read_rules(json.loads(json.dumps(game.plain()))) == game
    assert rules.read_rules(game.plain()) == game


DAMAGE = [
    ("name", [None, 1, ["jotto"], b"\xff"]),
    ("length", [None, 0, -1, 65, 5.0, "5", True, 10**5000, [5]]),
    (
        "alphabet",
        [
            None,
            "",
            [],
            26,
            "aabcdefg",
            ["a", ["b"]],
            ["a", None],
            [1.5],
            {"a": 1},
            "abcd",
            list(range(1001)),
            [True, False, 2, 3, 4],
        ],
    ),
    ("repeats", [None, 0, 1, "no", []]),
    ("kind", [None, "", "PLACES", "score", 1, [], {}]),
]


@pytest.mark.parametrize(
    "field, value",
    [
        pytest.param(field, value, id="%s-%d" % (field, number))
        for field, values in DAMAGE
        for number, value in enumerate(values)
    ],
)
def test_damaged_rules(field, value):
    with pytest.raises(SavedGameError) as caught:
        rules.read_rules(dict(JOTTO.plain(), **{str(field): value}))
    assert message(caught).startswith("The rules of a game cannot have the %s " % field)


@pytest.mark.parametrize(
    "plain, text",
    [
        (None, "None are not the rules of a game."),
        ([], "[] are not the rules of a game."),
        ("jotto", "'jotto' are not the rules of a game."),
        ({"name": "jotto"}, "{'name': 'jotto'} are not the rules of a game."),
    ],
)
def test_things_that_are_no_rules(plain, text):
    with pytest.raises(SavedGameError) as caught:
        rules.read_rules(plain)
    assert message(caught) == text


def test_messages_with_accents_can_be_shown_on_every_python():
    error = JottoError("'\u00e9tude'")
    assert "%s" % error == "'\u00e9tude'"
    assert as_text(str(error)) == "'\u00e9tude'"
    assert "%s" % JottoError() == ""
