"""Rules: words and answers they accept, and what they say about others; the slow and the fast scorers of feedback."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
import json

import pytest
from hypothesis import given, strategies as st

from jotto import feedback, rules
from jotto.compat import as_text, quote_value
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
        (CS10, "ROY", WrongLength, "'ROY' has 3 letters; give exactly 4."),
        (CS10, "ROYGBV", WrongLength, "'ROYGBV' has 6 letters; give exactly 4."),
        (CS10, "BJC", WrongLength, "'BJC' has 3 letters; give exactly 4."),
        (CS10, "BJC!", UnknownSymbol, "'BJC!' contains 'J', which is not one of R O Y G B V."),
        (CS10, "rrrr", UnknownSymbol, "'rrrr' contains 'r', which is not one of R O Y G B V."),
        (JOTTO, "", WrongLength, "'' has 0 letters; give exactly 5."),
        (JOTTO, "oc an", UnknownSymbol, "'oc an' contains ' ', which is not one of a to z."),
        (JOTTO, "Ocean", UnknownSymbol, "'Ocean' contains 'O', which is not one of a to z."),
        (JOTTO, "\u00e9tude", UnknownSymbol, "'\u00e9tude' contains '\u00e9', which is not one of a to z."),
        (JOTTO, "hello", RepeatedSymbol, "'hello' uses 'l' more than once; " + five_different),
        (JOTTO, "x" * 10**6, WrongLength, "'" + "x" * 47 + "...' has 1000000 letters; give exactly 5."),
        (GLADIATORS, (1, 2, 3, 4, 10), UnknownSymbol, "(1, 2, 3, 4, 10) contains 10, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, "5"), UnknownSymbol, "(1, 2, 3, 4, '5') contains '5', " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, True), UnknownSymbol, "(1, 2, 3, 4, True) contains True, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, 5.0), UnknownSymbol, "(1, 2, 3, 4, 5.0) contains 5.0, " + no_digit),
        (GLADIATORS, (1, 2, 3, 4, 10**5000), UnknownSymbol, "(1, 2, 3, 4, %s) contains %s, " % (HUGE, HUGE) + no_digit),
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
        assert (caught.type, "%s" % caught.value) == (error, text), (game, word, error, text)
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
        assert game.parse_feedback(raw) == read, (game, raw, read)
        assert type(game.parse_feedback(raw)) is type(game.score("x" * game.length, "x" * game.length))


def test_answers_that_do_not_pass():
    cannot = "4 in the right place and 1 in the wrong place is impossible: the last letter has nowhere else to go."
    more = " in the wrong place are more than the 5 letters of the word."
    for game, raw, text in (
        (JOTTO, (4, 1), cannot),
        (JOTTO, (3, 3), "3 in the right place and 3" + more),
        (JOTTO, (10**5000, 0), HUGE + " in the right place and 0" + more),
        (JOTTO, (-1, 2), "(-1, 2) has a number below zero; give whole numbers from 0 to 5."),
    ):
        with pytest.raises(ImpossibleFeedback) as caught:
            game.parse_feedback(raw)
        assert "%s" % caught.value == text, raw
    numbers = " numbers like (1, 2)."
    five = " is not an answer to a guess of 5 letters; give "
    for game, refused, text in (
        (JOTTO, [(1, 2, 3), (1.0, 2), (True, False), ("1", "2"), "12", None], " is not a pair of whole" + numbers),
        (WORDLE, ["EEEEP", "EPN", "EPXNE", "epnnn", ["E", "P"], b"EPNNN"], five + "one of E, P or N per letter."),
        (PAPER_JOTTO, [6, -1, True, (1, 2)], five + "the number of letters in common."),
    ):
        for raw in refused:
            with pytest.raises(ImpossibleFeedback) as caught:
                game.parse_feedback(raw)
            assert "%s" % caught.value == quote_value(raw) + text


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
            assert sorted(game.list_feedback()) == sorted(met(game)), (kind, length, alphabet, repeats)
            assert all(game.parse_feedback(answer) == answer for answer in game.list_feedback())


def test_rules_come_back_from_json():
    for game in (JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, BULLS, CS10, GLADIATORS):
        assert rules.parse_rules(json.loads(json.dumps(game.plain()))) == game, game
        assert rules.parse_rules(game.plain()) == game, game
    assert [game.win for game in (JOTTO, WORDLE, PAPER_JOTTO)] == [(5, 0), "EEEEE", None]


def test_damaged_rules():
    for field, values in [
        ("name", [None, 1, ["jotto"], b"\xff"]),
        ("length", [None, 0, -1, 65, 5.0, "5", True, 10**5000, [5]]),
        ("alphabet", [None, "", [], 26, "aabcdefg", ["a", ["b"]], ["a", None], [1.5], {"a": 1}, "abcd"]),
        ("alphabet", [list(range(1001)), [True, False, 2, 3, 4]]),
        ("repeats", [None, 0, 1, "no", []]),
        ("kind", [None, "", "PLACES", "score", 1, [], {}]),
    ]:
        for value in values:
            with pytest.raises(SavedGameError) as caught:
                rules.parse_rules(dict(JOTTO.plain(), **{str(field): value}))
            assert ("%s" % caught.value).startswith("The rules of a game cannot have the %s " % field), value


def test_things_that_are_no_rules():
    for plain, text in (
        (None, "None are not the rules of a game."),
        ([], "[] are not the rules of a game."),
        ("jotto", "'jotto' are not the rules of a game."),
        ({"name": "jotto"}, "{'name': 'jotto'} are not the rules of a game."),
    ):
        with pytest.raises(SavedGameError) as caught:
            rules.parse_rules(plain)
        assert "%s" % caught.value == text, (plain, text)


def test_messages_with_accents_can_be_shown_on_every_python():
    error = JottoError("'\u00e9tude'")
    assert "%s" % error == "'\u00e9tude'"
    assert as_text(str(error)) == "'\u00e9tude'"
    assert "%s" % JottoError() == ""


def test_scores_of_every_kind():
    # row, guess, secret, (in place, elsewhere), marks
    for name, guess, secret, places, marks in [
        ("CS10 blocks: one correctly placed, two out of place", "VVOG", "GOVG", (1, 2), "PNPE"),
        ("CS10 blocks: the other way round", "GOVG", "VVOG", (1, 2), "NPPE"),
        ("CS10 sample game, guess 1", "GYBG", "VVYG", (1, 1), "NPNE"),
        ("CS10 sample game, guess 2", "GOYV", "VVYG", (1, 2), "PNEP"),
        ("CS10 sample game, guess 3", "GROY", "VVYG", (0, 2), "PNNP"),
        ("CS10 sample game, guess 4: one symbol four times", "YYYY", "VVYG", (1, 0), "NNEN"),
        ("CS10 sample game, guess 5", "VYGV", "VVYG", (1, 3), "EPPP"),
        ("CS10 sample game, guess 6: won", "VVYG", "VVYG", (4, 0), "EEEE"),
        ("secret of one symbol, right", "G", "G", (1, 0), "E"),
        ("secret of one symbol, wrong", "G", "R", (0, 0), "N"),
        ("secret of two symbols, swapped", "GR", "RG", (0, 2), "PP"),
        ("secret of five equal symbols", "VVVVV", "VVVVV", (5, 0), "EEEEE"),
        ("article's scorer counted l of level twice", "level", "hello", (1, 2), "PENNP"),
        ("article's scorer counted l of hello twice", "hello", "world", (1, 1), "NNNEP"),
        ("Wordle SPEED, ABIDE", "SPEED", "ABIDE", (0, 2), "NNPNP"),
        ("Wordle SPEED, ERASE", "SPEED", "ERASE", (0, 3), "PNPPN"),
        ("Wordle SPEED, STEAL", "SPEED", "STEAL", (2, 0), "ENENN"),
        ("Wordle SPEED, CREPE", "SPEED", "CREPE", (1, 2), "NPEPN"),
        ("Wordle ALLOY, LLAMA", "ALLOY", "LLAMA", (1, 2), "PEPNN"),
        ("Wordle EERIE, THREE", "EERIE", "THREE", (2, 1), "PNENE"),
        ("Wordle GEESE, THESE", "GEESE", "THESE", (3, 0), "NNEEE"),
        ("Jotto, nothing in common", "ocean", "jumpy", (0, 0), "NNNNN"),
        ("Jotto, anagram", "ocean", "canoe", (0, 5), "PPPPP"),
        ("gladiators: weapons are numbers", (0, 1, 2, 3), (0, 4, 5, 1), (1, 1), "EPNN"),
        ("no symbols at all", "", "", (0, 0), ""),
        ("letters beyond ASCII", "\u00f1and\u00fa", "\u00faand\u00f1", (3, 2), "PEEEP"),
    ]:
        for _, scorer in [("fast", feedback.SCORERS), ("slow", feedback.SLOW_SCORERS)]:
            assert scorer[feedback.PLACES](guess, secret) == places, name
            assert scorer[feedback.MARKS](guess, secret) == marks, name
            assert scorer[feedback.COMMON](guess, secret) == sum(places), name


def pairs(symbols):
    return st.integers(1, 8).flatmap(
        lambda length: st.tuples(*[st.lists(symbols, min_size=length, max_size=length)] * 2)
    )


@given(pairs(st.sampled_from("abcd")))
def test_fast_and_slow_agree_on_text_with_repeats(words):
    guess, secret = map("".join, words)
    for kind in feedback.SCORERS:
        assert feedback.SCORERS[kind](guess, secret) == feedback.SLOW_SCORERS[kind](guess, secret)


@given(pairs(st.sampled_from("abcd")))
def test_counts_do_not_depend_on_who_guesses(words):
    guess, secret = words
    assert feedback.score_places(guess, secret) == feedback.score_places(secret, guess)
    assert feedback.score_places(guess, secret).common == feedback.count_common(guess, secret)
    assert feedback.mark_places(guess, secret).count("E") == feedback.count_exact(guess, secret)


# The five blocks of the CS10 homework: the rows of their table, and what holds for any words.


LETTERS = "ROYGBV"


def test_a_row_of_the_table():
    rows = [
        ("correctly placed: VVOG, GOVG", feedback.count_correctly_placed, ("VVOG", "GOVG"), 1),
        ("not at same place: word VVOG, other GOVG", feedback.keep_different, ("VVOG", "GOVG"), list("VVO")),
        ("same: word GOVG, other VVOG", feedback.keep_different, ("GOVG", "VVOG"), list("GOV")),
        ("occurrences: V, [V V O]", feedback.count_occurrences, ("V", ["V", "V", "O"]), 2),
        ("out-of-place: VVOG, GOVG", feedback.count_out_of_place, ("VVOG", "GOVG"), 2),
    ]
    for block, given_to_it, answer in [row[1:] for row in rows]:
        assert block(*given_to_it) == answer, (block, given_to_it, answer)


def test_the_minima_of_out_of_place():
    for letter, least in [("R", 0), ("O", 1), ("Y", 0), ("G", 0), ("B", 0), ("V", 1)]:
        mine = feedback.keep_different("VVOG", "GOVG")
        hers = feedback.keep_different("GOVG", "VVOG")
        assert min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) == least


def test_a_code_is_drawn_by_the_seed_from_the_letters_given():
    for count in (1, 2, 4, 5, 30):
        for seed in range(20):
            code = feedback.generate_code(count, LETTERS, seed)
            assert len(code) == count and set(code) <= set(LETTERS)
            assert code == feedback.generate_code(count, LETTERS, seed)
    codes = [feedback.generate_code(4, LETTERS, seed) for seed in range(300)]
    assert all({code[place] for code in codes} == set(LETTERS) for place in range(4))
    assert {len(set(code)) for code in codes} >= {2, 3, 4}
    code = feedback.generate_code(3, ("red", "blue"), 1)
    assert isinstance(code, tuple) and set(code) <= {"red", "blue"}
    with pytest.raises(ValueError):
        feedback.generate_code(4, "", 1)


@given(st.integers(1, 8).flatmap(lambda size: st.tuples(*[st.text(LETTERS, min_size=size, max_size=size)] * 2)))
def test_the_blocks_put_together_are_the_plain_scorer(words):
    guess, secret = words
    mine, hers = feedback.keep_different(guess, secret), feedback.keep_different(secret, guess)
    minima = sum(
        min(feedback.count_occurrences(letter, mine), feedback.count_occurrences(letter, hers)) for letter in LETTERS
    )
    assert (feedback.count_correctly_placed(guess, secret), minima) == feedback.score_places_slowly(guess, secret)
    assert feedback.count_out_of_place(guess, secret) == minima
