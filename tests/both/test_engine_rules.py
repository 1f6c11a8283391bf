"""Rules: which words and answers they accept, and what they say about the others."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
import json

import pytest

from jotto import feedback, rules
from jotto.compat import as_text, quoted
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


def test_words_that_pass():
    for game, word in (
        (JOTTO, "ocean"),
        (WORDLE, "hello"),
        (MASTERMIND, "rrrr"),
        (CS10, "VVYG"),
        (BULLS, "0123"),
        (GLADIATORS, (9, 0, 1, 2, 3)),
        (Rules("es", 4, "an\u00f1o", True, PLACES), "a\u00f1ao"),
    ):
        game.check(word)
        assert game.allows(word), (game, word)


HUGE = "a huge number"


def test_words_that_do_not_pass():
    five_different = "think of a word with 5 different letters."
    no_digit = "which is not one of 0 1 2 3 4 5 6 7 8 9."
    for game, word, error, text in (
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
        (JOTTO, "hello", RepeatedSymbol, "'hello' uses 'l' more than once; " + five_different),
        (JOTTO, "x" * 10**6, WrongLength, "'" + "x" * 47 + "...' has 1000000 letters; it takes exactly 5."),
        (GLADIATORS, (1, 2, 3, 4, 10), UnknownSymbol, "(1, 2, 3, 4, 10) holds 10, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, "5"), UnknownSymbol, "(1, 2, 3, 4, '5') holds '5', " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, True), UnknownSymbol, "(1, 2, 3, 4, True) holds True, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, 5.0), UnknownSymbol, "(1, 2, 3, 4, 5.0) holds 5.0, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, 10**5000), UnknownSymbol, "(1, 2, 3, 4, %s) holds %s, " % (HUGE, HUGE) + no_digit),
        (GLADIATORS, (1, 2, 3, 4, 4), RepeatedSymbol, "(1, 2, 3, 4, 4) uses 4 more than once; " + five_different),
        (GLADIATORS, [1, 2, 3, 4, 5], WordError, "[1, 2, 3, 4, 5] is not a word; give a tuple of symbols."),
        (JOTTO, ("o", "c", "e", "a", "n"), WordError, "('o', 'c', 'e', 'a', 'n') is not a word; give text."),
        # Text finds "" and "bc" inside an alphabet; they are not symbols of it all the same.
        (JOTTO, ("", "a", "bc", "def", "g"), WordError, "('', 'a', 'bc', 'def', 'g') is not a word; give text."),
        (JOTTO, b"ocean", WordError, "'ocean' is not a word; give text."),
        (JOTTO, b"\xff\xfe", WordError, "'\ufffd\ufffd' is not a word; give text."),
        (JOTTO, None, WordError, "None is not a word; give text."),
        (JOTTO, 5, WordError, "5 is not a word; give text."),
        (JOTTO, {"o": 1}, WordError, "{'o': 1} is not a word; give text."),
    ):
        with pytest.raises(WordError) as caught:
            game.check(word)
        assert (caught.type, message(caught)) == (error, text), (game, word, error, text)
        assert not game.allows(word), (game, word, error, text)


def test_answers_that_pass():
    for game, raw, read in (
        (JOTTO, (1, 2), (1, 2)),
        (JOTTO, [0, 5], (0, 5)),
        (JOTTO, (5, 0), (5, 0)),
        (MASTERMIND, (2, 2), (2, 2)),
        (WORDLE, "EPNNN", "EPNNN"),
        (WORDLE, "EEEEE", "EEEEE"),
        (WORDLE, "EEEPP", "EEEPP"),
        (PAPER_JOTTO, 5, 5),
    ):
        assert game.read_feedback(raw) == read, (game, raw, read)
        assert type(game.read_feedback(raw)) is type(game.score("x" * game.length, "x" * game.length))


def test_answers_that_do_not_pass():
    for game, raw, text in (
        (JOTTO, (4, 1), "4 in place and 1 elsewhere cannot be: the last letter has nowhere else to go."),
        (JOTTO, (3, 3), "3 in place and 3 elsewhere are more than the 5 letters of the word."),
        (JOTTO, (10**5000, 0), HUGE + " in place and 0 elsewhere are more than the 5 letters of the word."),
        (JOTTO, (-1, 2), "(-1, 2) counts fewer than zero letters; give whole numbers from 0 to 5."),
    ):
        with pytest.raises(ImpossibleFeedback) as caught:
            game.read_feedback(raw)
        assert message(caught) == text, raw
    five = " is not an answer to a guess of 5 letters; give "
    for game, refused, text in (
        (
            JOTTO,
            [(1, 2, 3), (1.0, 2), (True, False), ("1", "2"), "12", None],
            " is not a pair of whole numbers like (1, 2).",
        ),
        (WORDLE, ["EEEEP", "EPN", "EPXNE", "epnnn", ["E", "P"], b"EPNNN"], five + "one of E, P or N per letter."),
        (PAPER_JOTTO, [6, -1, True, (1, 2)], five + "the number of letters in common."),
    ):
        for raw in refused:
            with pytest.raises(ImpossibleFeedback) as caught:
                game.read_feedback(raw)
            assert message(caught) == quoted(raw) + text


def test_possible_is_what_is_met():
    def met(game):
        """List every answer that some guess and some secret of the game give, by the slow scorer."""
        words = [word for word in itertools.product(game.alphabet, repeat=game.length) if game.allows("".join(word))]
        return {feedback.SLOW_SCORERS[game.kind](guess, secret) for guess in words for secret in words}

    for length, alphabet, repeats in (
        (1, "ab", True),
        (2, "abcd", True),
        (3, "abc", True),
        (4, "abc", True),
        (1, "ab", False),
        (2, "abcd", False),
        (3, "abcdef", False),
    ):
        for kind in (PLACES, MARKS, COMMON):
            game = Rules("small", length, alphabet, repeats, kind)
            assert sorted(game.possible()) == sorted(met(game)), (kind, length, alphabet, repeats)
            assert all(game.read_feedback(answer) == answer for answer in game.possible())


def test_rules_come_back_from_json():
    for game in (JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, BULLS, CS10, GLADIATORS):
        assert rules.read_rules(json.loads(json.dumps(game.plain()))) == game, game
        assert rules.read_rules(game.plain()) == game, game
    assert [game.win for game in (JOTTO, WORDLE, PAPER_JOTTO)] == [(5, 0), "EEEEE", None]


def test_damaged_rules():
    for field, values in [
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
    ]:
        for value in values:
            with pytest.raises(SavedGameError) as caught:
                rules.read_rules(dict(JOTTO.plain(), **{str(field): value}))
            assert message(caught).startswith("The rules of a game cannot have the %s " % field), value


def test_things_that_are_no_rules():
    for plain, text in (
        (None, "None are not the rules of a game."),
        ([], "[] are not the rules of a game."),
        ("jotto", "'jotto' are not the rules of a game."),
        ({"name": "jotto"}, "{'name': 'jotto'} are not the rules of a game."),
    ):
        with pytest.raises(SavedGameError) as caught:
            rules.read_rules(plain)
        assert message(caught) == text, (plain, text)


def test_messages_with_accents_can_be_shown_on_every_python():
    error = JottoError("'\u00e9tude'")
    assert "%s" % error == "'\u00e9tude'"
    assert as_text(str(error)) == "'\u00e9tude'"
    assert "%s" % JottoError() == ""
