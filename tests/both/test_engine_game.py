"""Games as values: moves, turns taken back or corrected, saved, read; riddles; what is certain about a word."""

from __future__ import absolute_import, division, print_function, unicode_literals

import functools
import itertools
import json
import string

import pytest
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import compat, explain, feedback, game as games, strategies
from jotto.explain import Clash, find_clashes, rank_slips
from jotto.feedback import PLACES, Feedback
from jotto.game import GIVEN_UP, MAX_TURNS, SOLVED, UNSOLVED, Turn
from jotto.index import Index
from jotto.rules import (
    JOTTO,
    MASTERMIND,
    PAPER_JOTTO,
    WORDLE,
    FutureVersion,
    GameOrderError,
    ImpossibleFeedback,
    RepeatedSymbol,
    Rules,
    SavedGameError,
    UnknownSymbol,
    WrongLength,
)

REPEATS = JOTTO._replace(repeats=True)
TURNS = (("ocean", (0, 2)), ("tiger", (1, 1)), ("never", (1, 0)))


def play(turns=()):
    game = games.start_game(REPEATS, "en", "c0ffee", 7)
    for guess, answer in turns:
        game = game.ask(guess).answer(answer)
    return game


def test_a_whole_game():
    game = games.start_game(JOTTO, "en", "c0ffee", 7)
    assert (game.attempts, game.guess, game.outcome, game.turns) == (0, None, None, ())
    game = game.ask("ocean")
    assert (game.attempts, game.guess) == (1, "ocean")
    game = game.answer([1, 2])
    assert (game.attempts, game.guess, game.turns) == (1, None, (Turn("ocean", Feedback(1, 2)),))
    assert game.turns[0].feedback.common == 3
    game = game.ask("canoe").answer((5, 0))
    assert (game.attempts, game.guess, game.outcome) == (2, "canoe", SOLVED)
    assert game.turns == (("ocean", (1, 2)),), "the winning guess is the open one"


def test_moves_leave_the_game_as_it_was():
    game = play(TURNS).ask("ocean")
    before = json.dumps(game.plain(), sort_keys=True)
    moves = [game.answer((0, 0)), game.solve(), game.end(GIVEN_UP), game.withdraw(), game.undo(), game.amend(1, (0, 0))]
    assert json.dumps(game.plain(), sort_keys=True) == before
    assert all(moved != game for moved in moves)
    assert hash(game) == hash(play(TURNS).ask("ocean"))
    with pytest.raises(AttributeError):
        game.guess = "canoe"


START, OPEN, PLAYED = play(), play().ask("ocean"), play(TURNS)
WON, LOST, LOST_OPEN = OPEN.solve(), PLAYED.end(UNSOLVED), OPEN.end(GIVEN_UP)


def test_moves_at_the_wrong_moment():
    huge = 10**5000
    for move, text in (
        (lambda: OPEN.ask("tiger"), "'tiger' cannot be asked: 'ocean' is still open."),
        (lambda: WON.ask("tiger"), "'tiger' cannot be asked: the game is over."),
        (lambda: LOST.ask("tiger"), "'tiger' cannot be asked: the game is over."),
        (lambda: LOST_OPEN.ask("\u00e9tude"), "'\u00e9tude' cannot be asked: the game is over."),
        (lambda: START.answer((1, 2)), "There is no guess for the answer (1, 2)."),
        (lambda: START.answer("\u00e9"), "There is no guess for the answer '\u00e9'."),
        (lambda: WON.answer((1, 2)), "There is no guess for the answer (1, 2); the game is over."),
        (lambda: LOST_OPEN.answer((5, 0)), "There is no guess for the answer (5, 0); the game is over."),
        (START.solve, "No open guess can be the word."),
        (LOST.solve, "No open guess can be the word."),
        (START.undo, "There is no turn to take back."),
        (OPEN.undo, "There is no turn to take back."),
        (lambda: START.amend(0, (1, 2)), "There is no turn number 0; the game has 0, counted from 0."),
        (lambda: PLAYED.amend(3, (1, 2)), "There is no turn number 3; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(-1, (1, 2)), "There is no turn number -1; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(True, (1, 2)), "There is no turn number True; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(0.0, (1, 2)), "There is no turn number 0.0; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(None, (1, 2)), "There is no turn number None; the game has 3, counted from 0."),
        (lambda: PLAYED.amend("1", (1, 2)), "There is no turn number '1'; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(huge, (1, 2)), "There is no turn number a huge number; the game has 3, counted from 0."),
        (lambda: OPEN.end(SOLVED), "A game cannot end as 'solved'; it ends as 'given up' or 'unsolved'."),
        (lambda: OPEN.end(None), "A game cannot end as None; it ends as 'given up' or 'unsolved'."),
        (lambda: OPEN.end([]), "A game cannot end as []; it ends as 'given up' or 'unsolved'."),
    ):
        with pytest.raises(GameOrderError) as caught:
            move()
        assert "%s" % caught.value == text, (move, text)


def test_moves_the_rules_refuse():
    for move, error in (
        (lambda game: game.ask("sea"), WrongLength),
        (lambda game: game.ask("oce-n"), UnknownSymbol),
        (lambda game: game.ask("hello"), RepeatedSymbol),
        (lambda game: game.ask("ocean").answer((4, 1)), ImpossibleFeedback),
        (lambda game: game.ask("ocean").answer(None), ImpossibleFeedback),
        (lambda game: game.ask("ocean").answer((1, 1)).amend(0, (6, 0)), ImpossibleFeedback),
    ):
        with pytest.raises(error):
            move(games.start_game(JOTTO, "en", "", 1))


def test_a_game_has_an_end():
    game = play([("ocean", (0, 0))] * MAX_TURNS)
    assert games.parse_game(game.plain()) == game
    with pytest.raises(GameOrderError) as caught:
        game.ask("tiger")
    assert "%s" % caught.value == (
        "'tiger' cannot be asked: the game has 100 turns, which is the limit; start a new one."
    )


def test_undo_turn_by_turn():
    game = play(TURNS)
    for number in (2, 1, 0):
        game = game.undo()
        assert game == play(TURNS[:number]).ask(TURNS[number][0])
    assert game.withdraw() == play()


def test_undo_opens_the_last_turn_again_from_anywhere():
    for ended in (
        lambda game: game,
        lambda game: game.ask("ocean"),
        lambda game: game.ask("ocean").solve(),
        lambda game: game.end(GIVEN_UP),
        lambda game: game.ask("ocean").end(UNSOLVED),
    ):
        assert ended(play(TURNS)).undo() == play(TURNS[:2]).ask("never"), ended


def test_amend_any_turn():
    for ended in (lambda game: game, lambda game: game.ask("ocean"), lambda game: game.end(UNSOLVED)):
        for number in (0, 1, 2):
            corrected = list(TURNS)
            corrected[number] = (TURNS[number][0], (2, 2))
            assert ended(play(TURNS)).amend(number, [2, 2]) == play(corrected), (number, ended)


def test_a_game_that_is_over_can_be_reopened():
    for over in (OPEN.solve(), OPEN.end(GIVEN_UP), OPEN.end(UNSOLVED)):
        assert over.reopen() == OPEN, over


def test_amending_to_the_winning_answer_ends_the_game_there():
    for number in (0, 1, 2):
        assert play(TURNS).amend(number, (5, 0)) == play(TURNS[:number]).ask(TURNS[number][0]).solve(), number


def test_no_answer_wins_paper_jotto():
    game = games.start_game(PAPER_JOTTO, "en", "", 1).ask("ocean").answer(5)
    assert (game.outcome, game.turns) == (None, (("ocean", 5),))
    assert game.ask("canoe").solve().outcome == SOLVED


GLADIATORS = Rules("gladiators", 4, tuple(range(6)), False, PLACES)
#: Games, and what is guessed in them.
GAMES = [(rules, WORDS) for rules in (JOTTO, PAPER_JOTTO, WORDLE)] + [
    (MASTERMIND, ["".join(code) for code in itertools.product("roy", repeat=4)]),
    (GLADIATORS, list(itertools.permutations(range(6), 4))),
]


@given(st.data())
def test_round_trip_through_json(data):
    """Any of five kinds of games, at any moment, with answers that need not fit together."""
    draw = data.draw
    rules, words = draw(st.sampled_from(GAMES))
    answers = [answer for answer in rules.list_feedback() if answer != rules.win]
    seed = draw(st.integers(1 - 2**64, 2**64 - 1))
    game = games.start_game(rules, draw(st.text(max_size=9)), draw(st.text(max_size=9)), seed)
    for guess in draw(st.lists(st.sampled_from(words), max_size=8)):
        game = game.ask(guess).answer(draw(st.sampled_from(answers)))
    if draw(st.booleans()):
        game = game.ask(draw(st.sampled_from(words)))
    game = draw(st.sampled_from([game, game.end(GIVEN_UP), game.solve() if game.guess else game]))
    assert games.parse_game(json.loads(json.dumps(game.plain()))) == game
    assert games.parse_game(game.plain()) == game


def test_plain_form():
    rules = {"name": "jotto", "length": 5, "alphabet": string.ascii_lowercase, "repeats": True, "kind": "places"}
    wanted = {"version": 1, "list": "en", "checksum": "c0ffee", "seed": 7, "guess": "tiger", "outcome": None}
    wanted.update(rules=rules, turns=[["ocean", [0, 2]]])
    assert play(TURNS[:1]).ask("tiger").plain() == wanted


DEEP = functools.reduce(lambda inner, _: [inner], range(5000), [])


def test_damaged_games():
    # Other values that are refused, as JSON.
    damage = {
        "version": '["1", 0, 1.0, [1]]',
        "seed": '[%d, 7.0, "7"]' % 2**64,
        "outcome": '["SOLVED", "won"]',
        "guess": '["sea", "Ocean", ["o", "c", "e", "a", "n"], ["oc", "ea", "n", "s", ""]]',
        "turns": """[{"ocean": [1, 2]}, "ab", ["ab"], [["ocean"]], [null], [["ocean", [1, 2], 3]], [["ocean", null]],
        [["ocean", [-1, 2]]], [["ocean", [4, 1]]], [["ocean", [1.0, 2]]], [["ocean", [true, 2]]], [["ocean", "12"]],
        [["oc3an", [1, 2]]], [["\\u00e9tude", [1, 2]]], [["ocean", [5, 0]]], [[null, [1, 2]]], [[5, [1, 2]]],
        [[["o", "c", "e", "a", "n"], [1, 2]]]]""",
    }
    values = [None, True, False, 1.5, float("nan"), "x", "\u00e9", "", [], {}, [None]]
    values += [-1, 10**5000, DEEP, b"\xff", object()]
    # Fields in which some of these values are valid.
    right = {"list": ("x", "\u00e9", ""), "guess": (None,), "outcome": (None,), "seed": (-1,), "turns": ([],)}
    right.update({"checksum": right["list"], "version": (10**5000,)})

    def list_damage():
        """Yield fields of a saved game and values that are refused there."""
        for field in ("rules", "list", "checksum", "seed", "guess", "outcome", "turns", "version"):
            for value in values:
                # Python 2.7 takes bytes for text; none of these bytes is valid anywhere.
                if isinstance(value, bytes) or not any(value == valid for valid in right.get(field, ())):
                    yield field, value
            for value in json.loads(damage.get(field, "[]")):
                yield field, value
        for turns in ([["ocean", [1, 2]]] * (MAX_TURNS + 1), [DEEP, DEEP], [["ocean", [DEEP, 10**5000]]]):
            yield "turns", turns
        for changes in ({"length": 5.0}, {"length": 6}, {"repeats": 0}, {"kind": "marks"}, {"alphabet": "abc"}):
            yield "rules", dict(JOTTO.plain(), **changes)
        yield "rules", "jotto"

    for field, value in list_damage():
        plain = dict(play(TURNS).ask("ocean").plain(), **{str(field): value})
        with pytest.raises(SavedGameError) as caught:
            games.parse_game(plain)
        assert caught.type is SavedGameError
        assert ("%s" % caught.value).startswith(("This saved game is damaged: ", "This is not a saved game: ")), field
        assert len("%s" % caught.value) < 250, field


def test_missing_fields():
    for field in sorted(play().plain()):
        plain = play(TURNS).plain()
        del plain[field]
        with pytest.raises(SavedGameError) as caught:
            games.parse_game(plain)
        assert caught.type is SavedGameError, field
        if field != "version":
            assert "%s" % caught.value == "This saved game is damaged: its %s cannot be missing." % field, field


def test_what_is_said_about_damage():
    damaged, new = "This saved game is damaged: ", play().plain()
    more = "0 in the right place and 6 in the wrong place are more than the 5 letters of the word."
    for plain, text in (
        (None, "This is not a saved game: None."),
        ("\u00e9", "This is not a saved game: '\u00e9'."),
        ([1, 2], "This is not a saved game: [1, 2]."),
        ({}, "This is not a saved game: {}."),
        ({"version": "1"}, "This is not a saved game: {'version': '1'}."),
        ({"version": 1}, damaged + "its rules cannot be missing."),
        (dict(new, guess="se\u00e1"), damaged + "'se\u00e1' has 3 letters; give exactly 5."),
        (dict(new, turns=[["ocean", [0, 6]]]), damaged + more),
        (dict(new, turns=[["ocean", [5, 0]]]), damaged + "'ocean' was the word, but more turns follow."),
        (dict(new, outcome=SOLVED), damaged + "it is solved without a guess."),
        (
            dict(new, rules=dict(JOTTO.plain(), kind="k\u00efnd")),
            damaged + "The rules of a game cannot have the kind 'k\u00efnd'.",
        ),
    ):
        with pytest.raises(SavedGameError) as caught:
            games.parse_game(plain)
        assert "%s" % caught.value == text, (plain, text)


def test_future_versions():
    for version, shown in ((2, "2"), (99, "99"), (10**5000, "a huge number")):
        with pytest.raises(FutureVersion) as caught:
            games.parse_game({"version": version, "anything": DEEP})
        assert "%s" % caught.value == "This game was saved by version %s of the notes; this is version 1." % shown


# The game with roles exchanged: answers come from the secret, hints are counted, and saved games are checked.


RIDDLE_WORDS = ("ocean", "canoe", "bread", "light", "money", "quick")


def begun(secret="ocean", rules=JOTTO):
    return games.Riddle(games.start_game(rules, "en", "", 1), secret, 0)


@given(st.lists(st.sampled_from(RIDDLE_WORDS[1:]), max_size=8))
def test_every_guess_is_counted_once_and_scored_right(guesses):
    one = begun()
    for number, guess in enumerate(guesses, 1):
        one = one.guess(guess)
        assert tuple(one.feedback) == tuple(feedback.score_places_slowly(guess, "ocean"))
        assert len(one.game.turns) == number and not one.is_solved
    one = one.guess("ocean")
    assert one.is_solved and one.game.attempts == len(guesses) + 1


def test_a_solved_riddle_takes_no_more_guesses_and_can_be_taken_back():
    solved = begun().guess("bread").guess("ocean")
    with pytest.raises(GameOrderError):
        solved.guess("light")
    again = solved.take_back()
    assert not again.is_solved and len(again.game.turns) == 1
    assert not again.take_back().game.turns
    with pytest.raises(GameOrderError):
        begun().take_back()


def test_hints_tell_every_letter_and_then_every_place():
    one, hints = begun(), []
    while one.hint() is not None:
        hints.append(one.hint())
        one = one.add_hint()
    assert sorted(hint.symbol for hint in hints[:5]) == sorted("ocean")
    assert all(hint.place is None for hint in hints[:5])
    assert [("ocean"[hint.place], hint.symbol) for hint in hints[5:]] == [(hint.symbol,) * 2 for hint in hints[5:]]
    assert len(hints) == 10 and one.hints == 10


def test_the_seed_chooses_the_secret():
    drawn = {games.start_riddle(games.start_game(JOTTO, "en", "", seed), RIDDLE_WORDS).secret for seed in range(60)}
    assert drawn == set(RIDDLE_WORDS)
    game = games.start_game(JOTTO, "en", "", 7)
    assert games.start_riddle(game, RIDDLE_WORDS) == games.start_riddle(game, RIDDLE_WORDS)


def test_what_is_saved_is_read_back():
    for one in (
        begun(),
        begun().guess("bread").add_hint(),
        begun().guess("ocean"),
        begun("VVYG".lower(), MASTERMIND._replace(alphabet="roygbv")).guess("gybg"),
    ):
        assert games.parse_riddle(json.loads(json.dumps(one.plain()))) == one, one


def test_what_was_saved_and_does_not_fit_is_refused():
    secrets = [{"secret": secret} for secret in ("hello", 5, "light")]
    for change in secrets + [{"hints": hints} for hints in (-1, None, True)] + [{"game": {}}, {"game": None}]:
        plain = dict(begun().guess("bread").plain(), **change)
        with pytest.raises(SavedGameError):
            games.parse_riddle(plain)
        with pytest.raises(SavedGameError):
            games.parse_riddle([plain])


INDEX = Index(WORDS, JOTTO)


def test_clashes():
    numbers = MASTERMIND._replace(alphabet=tuple(range(6)))
    three = [("ocean", (0, 5)), ("tiger", (1, 0)), ("alone", (2, 2))]
    for rules, word, turns, expected in (
        (JOTTO, "canoe", [], []),
        (JOTTO, "canoe", [("ocean", (0, 5))], []),
        (JOTTO, "canoe", [("ocean", (1, 2))], [(0, "ocean", (1, 2), (0, 5))]),
        (JOTTO, "canoe", [("ocean", (0, 5)), ("tiger", (1, 0))], [(1, "tiger", (1, 0), (0, 1))]),
        (JOTTO, "canoe", [("alone", (2, 2)), ("ocean", (0, 5))], [(0, "alone", (2, 2), (1, 3))]),
        (JOTTO, "canoe", three, [(1, "tiger", (1, 0), (0, 1)), (2, "alone", (2, 2), (1, 3))]),
        (PAPER_JOTTO, "canoe", [("alone", 4), ("tiger", 2)], [(1, "tiger", 2, 1)]),
        (WORDLE, "abide", [("speed", "NNPNP"), ("eerie", "PNNPN")], [(1, "eerie", "PNNPN", "NNNPE")]),
        (MASTERMIND, "vvyg", [("yyyy", (2, 0))], [(0, "yyyy", (2, 0), (1, 0))]),
        (numbers, (0, 1, 2, 3), [((3, 3, 3, 3), (0, 1))], [(0, (3, 3, 3, 3), (0, 1), (1, 0))]),
    ):
        assert find_clashes(word, turns, rules) == expected, (rules, word, turns, expected)


def test_clashes_of_a_game():
    game = games.start_game(JOTTO, "en", "", 1).ask("ocean").answer((1, 2))
    assert find_clashes("canoe", game.turns, JOTTO) == [Clash(0, "ocean", Feedback(1, 2), Feedback(0, 5))]


@pytest.mark.only_python_3
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOTTO.list_feedback())), max_size=3))
def test_candidates_are_the_words_without_a_clash(turns):
    assert INDEX.list_words(INDEX.find_candidates(turns)) == [
        word for word in WORDS if not find_clashes(word, turns, JOTTO)
    ]


def test_a_clear_slip():
    # The word is zebra; "1 and 1" was noted for house instead of "0 and 1".
    turns = [("share", (1, 2)), ("least", (1, 1)), ("house", (1, 1)), ("bread", (0, 4))]
    first = rank_slips(turns, INDEX)[0]
    assert (first.turn, first.guess, first.got, first.meant) == (2, "house", (1, 1), (0, 1))
    assert 0.7 < first.probability < 1


@pytest.mark.only_python_3
def test_the_wrong_turn_comes_early():
    def game_with_a_slip(index, seed, strategy):
        """Play until nothing fits; one of the first three answers is off by at most one in either count."""
        secret = compat.draw_item(index.words, seed, "secret")
        slip = compat.draw_number(3, seed, "turn")
        turns, meant = [], None
        while index.find_candidates(turns):
            guess = strategy.choose(strategies.Position(index, index.find_candidates(turns), None, len(turns), seed))
            answer = JOTTO.score(guess, secret)
            if len(turns) == slip:
                meant, others = answer, set(JOTTO.list_feedback()) - {answer, JOTTO.win}
                close = [each for each in others if max(abs(one - two) for one, two in zip(each, answer)) <= 1]
                answer = compat.draw_item(sorted(close), seed, "noted")
            elif guess == secret:
                return None
            turns.append(Turn(guess, answer))
        return turns, slip, meant

    for name in ("consistent", "entropy"):
        played = [game_with_a_slip(INDEX, seed, strategies.find_strategy(name)) for seed in range(80)]
        places, right = [], 0
        for turns, slip, meant in filter(None, played):
            found = rank_slips(turns, INDEX)
            places.append([turn.turn for turn in found].index(slip))
            right += found[0].turn == slip and found[0].meant == meant
        assert len(places) > 70, name
        shares = [sum(place < early for place in places) / len(places) for early in (1, 2, 3)]
        assert all(share >= bound for share, bound in zip(shares, (0.65, 0.85, 0.95))), (name, shares)
        assert right / len(places) >= 0.45, name


def test_slips_of_every_kind_of_answer():
    for rules in (JOTTO, PAPER_JOTTO, WORDLE):
        index = Index(WORDS[:100], rules)
        turns = [(word, rules.score(word, "beach")) for word in ("about", "actor", "basic", "block", "chain")]
        turns.append(("cheap", rules.score("cheap", "birth")))
        found = rank_slips(turns, index)
        assert sorted(slip.turn for slip in found) == [0, 1, 2, 3, 4, 5], rules
        likely = [round(slip.probability, 9) for slip in found]
        assert likely == sorted(likely, reverse=True), rules
        assert all(0 <= slip.probability <= 1 and slip.meant != slip.got for slip in found), rules
        assert (found[0].turn, found[0].meant) == (5, rules.score("cheap", "beach")), rules


def test_hardly_any_words_or_turns():
    for words, turns, expected in (
        ((), [], []),
        (("ocean",), [], []),
        ((), [("ocean", (1, 2))], [(0, "ocean", (1, 2), (1, 2), 0)]),
        (("ocean",), [("canoe", (1, 2))], [(0, "canoe", (1, 2), (0, 5), 1)]),
        (("ocean",), [("canoe", (0, 5))], [(0, "canoe", (0, 5), (0, 5), 0)]),
    ):
        assert rank_slips(turns, Index(words, JOTTO)) == expected, (words, turns, expected)


def test_equal_suspicion_keeps_the_order_of_the_turns_and_a_long_contradictory_game_has_a_suspect():
    assert [slip.turn for slip in rank_slips([("ocean", (1, 2))] * 3, INDEX)] == [0, 1, 2]
    turns = [(word, (0, 0)) for word in WORDS[::5]] + [(word, (3, 2)) for word in WORDS[::30]]
    found = rank_slips(turns, INDEX)
    assert len(found) == len(turns) > 100
    assert found[0].probability > 0.5


# Certain facts: deduced from guesses, answers and hints, and always true.


FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")


def test_what_is_certain():
    for guesses, hints, inside, outside, places in (
        ([], 0, "", "", []),
        (["light"], 0, "", "", []),
        (["cable"], 0, "", "", []),
        (["fjord"], 0, "", "dfjor", []),
        (["fjord", "bloat"], 0, "ablt", "dfjor", []),
        (["baton", "lemur"], 0, "", "cdfghijkpqsvwxyz", []),
        (["baton", "lemur", "untie"], 0, "", "cdfghijkpqsvwxyz", []),
        (["bleat"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        ([], 10, "abelt", "cdfghijkmnopqrsuvwxyz", list(enumerate("table"))),
        (["bleat", "taken"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", []),
        (["bleat", "tango"], 0, "abelt", "cdfghijkmnopqrsuvwxyz", [(0, "t"), (1, "a")]),
    ):
        one = games.Riddle(games.start_game(JOTTO, "en", "", 1), "table", hints)
        for guess in guesses:
            one = one.guess(guess)
        found = explain.deduce_riddle_letters(one)
        assert ("".join(found.inside), "".join(found.outside), found.places) == (inside, outside, places)


@pytest.mark.only_python_3
@given(st.sampled_from(FEW), st.lists(st.sampled_from(FEW), max_size=8), st.integers(0, 10))
def test_what_is_certain_is_true(secret, guesses, hints):
    one = games.Riddle(games.start_game(JOTTO, "en", "", 1), secret, hints)
    for guess in set(guesses) - {secret}:
        one = one.guess(guess)
    found = explain.deduce_riddle_letters(one)
    assert set(found.inside) <= set(secret) and not set(found.outside) & set(secret)
    assert all(secret[place] == letter for place, letter in found.places)


def test_answers_that_contradict_each_other_say_nothing():
    for turns in (
        [("fjord", (0, 0)), ("fjard", (0, 2))],
        [("ocean", (0, 5)), ("canoe", (0, 4))],
        [("light", (0, 3)), ("ocean", (1, 2)), ("bumps", (0, 1))],
    ):
        game = games.start_game(JOTTO, "en", "", 1)
        for guess, answer in turns:
            game = game.ask(guess).answer(answer)
        assert explain.deduce_letters(game) == ([], [], []), turns


def test_all_that_is_certain_of_the_letters_is_found():
    """Every way to choose five of so few letters is tried."""
    game = games.start_game(JOTTO, "en", "", 1)
    for guess in ("ocean", "bread", "light", "beads"):
        game = game.ask(guess).answer((0, 2))
    sets = [
        set(letters)
        for letters in itertools.combinations(JOTTO.alphabet, 5)
        if all(len(set(letters) & set(turn.guess)) == sum(turn.feedback) for turn in game.turns)
    ]
    found = explain.deduce_letters(game)
    assert set(found.inside) == set.intersection(*sets)
    assert set(found.outside) == set(JOTTO.alphabet) - set.union(*sets)


# What a guess leaves: `explain.measure_guess` compared with counting by hand.


OUTLOOK_WORDS = ["ocean", "canoe", "dance", "brick", "light", "night", "might", "fight", "tired", "tried"]


@given(st.sampled_from(OUTLOOK_WORDS + ["crowd"]), st.sets(st.sampled_from(OUTLOOK_WORDS)))
def test_an_outlook_is_what_counting_by_hand_gives(guess, fitting):
    outlook_index = Index(OUTLOOK_WORDS, JOTTO)
    answers = [feedback.score_places_slowly(guess, word) for word in sorted(fitting)]
    remaining = [answers.count(answer) for answer in answers]
    seen = explain.measure_guess(guess, outlook_index, sum(outlook_index.select_word(word) for word in fitting))
    assert (seen.left, seen.answers, seen.fits) == (len(fitting), len(set(answers)), guess in fitting)
    assert seen.worst == max(remaining or [0])
    assert abs(seen.mean - sum(remaining) / max(1, len(remaining))) < 1e-9
