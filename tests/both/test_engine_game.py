"""Games as values: moves in order, any turn taken back or corrected, saved and read back whole."""

from __future__ import absolute_import, division, print_function, unicode_literals

import itertools
import json

import pytest
from engine_words import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st

from jotto import game as games
from jotto.feedback import PLACES, Feedback
from jotto.game import GIVEN_UP, MAX_TURNS, SOLVED, UNSOLVED, Turn
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

MODEST = settings(max_examples=50, deadline=None, database=None, derandomize=True)
REPEATS = JOTTO._replace(repeats=True)
GLADIATORS = Rules("gladiators", 4, tuple(range(6)), False, PLACES)
TURNS = (("ocean", (0, 2)), ("tiger", (1, 1)), ("never", (1, 0)))


def play(turns=()):
    game = games.start_game(REPEATS, "en", "c0ffee", 7)
    for guess, feedback in turns:
        game = game.ask(guess).answer(feedback)
    return game


def message(error):
    return "%s" % error.value


def test_a_whole_game():
    game = games.start_game(JOTTO, "en", "c0ffee", 7)
    assert (game.attempts, game.guess, game.outcome, game.turns) == (0, None, None, ())
    game = game.ask("ocean")
    assert (game.attempts, game.guess) == (1, "ocean")
    game = game.answer((1, 2))
    assert (game.attempts, game.guess, game.turns) == (1, None, (Turn("ocean", Feedback(1, 2)),))
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


@pytest.mark.parametrize("feedback", [[1, 2], (1, 2), Feedback(1, 2)])
def test_answers_of_any_form_are_kept_as_feedback(feedback):
    turn = play([("ocean", feedback)]).turns[0]
    assert isinstance(turn.feedback, Feedback) and turn.feedback.common == 3


START, OPEN, PLAYED = play(), play().ask("ocean"), play(TURNS)
WON, LOST, LOST_OPEN = OPEN.solve(), PLAYED.end(UNSOLVED), OPEN.end(GIVEN_UP)


@pytest.mark.parametrize(
    "move, text",
    [
        (lambda: OPEN.ask("tiger"), "'tiger' cannot be asked: 'ocean' is still open."),
        (lambda: WON.ask("tiger"), "'tiger' cannot be asked: the game is over."),
        (lambda: LOST.ask("tiger"), "'tiger' cannot be asked: the game is over."),
        (lambda: LOST_OPEN.ask("\u00e9tude"), "'\u00e9tude' cannot be asked: the game is over."),
        (lambda: START.answer((1, 2)), "The answer (1, 2) has no guess it belongs to."),
        (lambda: START.answer("\u00e9"), "The answer '\u00e9' has no guess it belongs to."),
        (lambda: WON.answer((1, 2)), "The answer (1, 2) has no guess it belongs to; the game is over."),
        (lambda: LOST_OPEN.answer((5, 0)), "The answer (5, 0) has no guess it belongs to; the game is over."),
        (START.solve, "No guess is open that could be the word."),
        (LOST.solve, "No guess is open that could be the word."),
        (START.undo, "There is no turn to take back."),
        (OPEN.undo, "There is no turn to take back."),
        (lambda: START.amend(0, (1, 2)), "There is no turn number 0; the game has 0, counted from 0."),
        (lambda: PLAYED.amend(3, (1, 2)), "There is no turn number 3; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(-1, (1, 2)), "There is no turn number -1; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(True, (1, 2)), "There is no turn number True; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(0.0, (1, 2)), "There is no turn number 0.0; the game has 3, counted from 0."),
        (lambda: PLAYED.amend(None, (1, 2)), "There is no turn number None; the game has 3, counted from 0."),
        (lambda: PLAYED.amend("1", (1, 2)), "There is no turn number '1'; the game has 3, counted from 0."),
        (
            lambda: PLAYED.amend(10**5000, (1, 2)),
            "There is no turn number a huge number; the game has 3, counted from 0.",
        ),
        (lambda: OPEN.end(SOLVED), "A game cannot end as 'solved'; it ends as 'given up' or 'unsolved'."),
        (lambda: OPEN.end(None), "A game cannot end as None; it ends as 'given up' or 'unsolved'."),
        (lambda: OPEN.end([]), "A game cannot end as []; it ends as 'given up' or 'unsolved'."),
    ],
)
def test_moves_at_the_wrong_moment(move, text):
    with pytest.raises(GameOrderError) as caught:
        move()
    assert message(caught) == text


@pytest.mark.parametrize(
    "move, error",
    [
        (lambda game: game.ask("sea"), WrongLength),
        (lambda game: game.ask("oce-n"), UnknownSymbol),
        (lambda game: game.ask("hello"), RepeatedSymbol),
        (lambda game: game.ask("ocean").answer((4, 1)), ImpossibleFeedback),
        (lambda game: game.ask("ocean").answer(None), ImpossibleFeedback),
        (lambda game: game.ask("ocean").answer((1, 1)).amend(0, (6, 0)), ImpossibleFeedback),
    ],
)
def test_moves_the_rules_refuse(move, error):
    with pytest.raises(error):
        move(games.start_game(JOTTO, "en", "", 1))


def test_a_game_has_an_end():
    game = play([("ocean", (0, 0))] * MAX_TURNS)
    assert games.read_game(game.plain()) == game
    with pytest.raises(GameOrderError) as caught:
        game.ask("tiger")
    assert message(caught) == "'tiger' cannot be asked: the game has 100 turns, and no more fit; start a new one."


def test_undo_turn_by_turn():
    game = play(TURNS)
    for number in (2, 1, 0):
        game = game.undo()
        assert game == play(TURNS[:number]).ask(TURNS[number][0])
    assert game.withdraw() == play()


@pytest.mark.parametrize(
    "ended",
    [
        lambda game: game,
        lambda game: game.ask("ocean"),
        lambda game: game.ask("ocean").solve(),
        lambda game: game.end(GIVEN_UP),
        lambda game: game.ask("ocean").end(UNSOLVED),
    ],
)
def test_undo_opens_the_last_turn_again_from_anywhere(ended):
    assert ended(play(TURNS)).undo() == play(TURNS[:2]).ask("never")


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("ended", [lambda game: game, lambda game: game.ask("ocean"), lambda game: game.end(UNSOLVED)])
def test_amend_any_turn(number, ended):
    corrected = list(TURNS)
    corrected[number] = (TURNS[number][0], (2, 2))
    assert ended(play(TURNS)).amend(number, [2, 2]) == play(corrected)


@pytest.mark.parametrize("over", [OPEN.solve(), OPEN.end(GIVEN_UP), OPEN.end(UNSOLVED)])
def test_a_game_that_is_over_can_be_reopened(over):
    assert over.reopen() == OPEN


@pytest.mark.parametrize("number", [0, 1, 2])
def test_amending_to_the_winning_answer_ends_the_game_there(number):
    assert play(TURNS).amend(number, (5, 0)) == play(TURNS[:number]).ask(TURNS[number][0]).solve()


def test_no_answer_wins_paper_jotto():
    game = games.start_game(PAPER_JOTTO, "en", "", 1).ask("ocean").answer(5)
    assert (game.outcome, game.turns) == (None, (("ocean", 5),))
    assert game.ask("canoe").solve().outcome == SOLVED


@st.composite
def random_games(draw):
    """Make a game of any of four kinds, at any moment, with answers that need not fit together."""
    rules = draw(st.sampled_from([JOTTO, PAPER_JOTTO, WORDLE, MASTERMIND, GLADIATORS]))
    words = {
        MASTERMIND: ["".join(code) for code in itertools.product("roy", repeat=4)],
        GLADIATORS: list(itertools.permutations(range(6), 4)),
    }.get(rules, WORDS)
    answers = [answer for answer in rules.possible() if answer != rules.win]
    game = games.start_game(
        rules, draw(st.text(max_size=9)), draw(st.text(max_size=9)), draw(st.integers(1 - 2**64, 2**64 - 1))
    )
    for guess in draw(st.lists(st.sampled_from(words), max_size=8)):
        game = game.ask(guess).answer(draw(st.sampled_from(answers)))
    if draw(st.booleans()):
        game = game.ask(draw(st.sampled_from(words)))
    return draw(st.sampled_from([game, game.end(GIVEN_UP), game.solve() if game.guess else game]))


@MODEST
@given(random_games())
def test_round_trip_through_json(game):
    assert games.read_game(json.loads(json.dumps(game.plain()))) == game
    assert games.read_game(game.plain()) == game


def test_plain_form():
    assert play(TURNS[:1]).ask("tiger").plain() == {
        "version": 1,
        "list": "en",
        "checksum": "c0ffee",
        "seed": 7,
        "guess": "tiger",
        "outcome": None,
        "rules": {
            "name": "jotto",
            "length": 5,
            "alphabet": "abcdefghijklmnopqrstuvwxyz",
            "repeats": True,
            "kind": "places",
        },
        "turns": [["ocean", [0, 2]]],
    }


DEEP = []
for _ in range(5000):
    DEEP = [DEEP]
ANYTHING = [
    None,
    True,
    False,
    1.5,
    float("nan"),
    "x",
    "\u00e9",
    "",
    [],
    {},
    [None],
    -1,
    10**5000,
    DEEP,
    b"\xff",
    object(),
]
# Values that are valid here all the same: field, value.
RIGHT = [
    ("list", "x"),
    ("list", "\u00e9"),
    ("list", ""),
    ("checksum", "x"),
    ("checksum", "\u00e9"),
    ("checksum", ""),
    ("guess", None),
    ("outcome", None),
    ("seed", -1),
    ("turns", []),
    ("version", 10**5000),
]
DAMAGE = [
    (field, value)
    for field in ("rules", "list", "checksum", "seed", "guess", "outcome", "turns", "version")
    for value in ANYTHING
    if isinstance(value, bytes) or (field, value) not in RIGHT
]
DAMAGE += [
    ("version", "1"),
    ("version", 0),
    ("version", 1.0),
    ("version", [1]),
    ("seed", 2**64),
    ("seed", 7.0),
    ("seed", "7"),
    ("outcome", "SOLVED"),
    ("outcome", "won"),
    ("guess", "sea"),
    ("guess", "Ocean"),
    ("guess", ["o", "c", "e", "a", "n"]),
    ("guess", ["oc", "ea", "n", "s", ""]),
    ("turns", {"ocean": [1, 2]}),
    ("turns", "ab"),
    ("turns", ["ab"]),
    ("turns", [["ocean"]]),
    ("turns", [None]),
    ("turns", [["ocean", [1, 2], 3]]),
    ("turns", [["ocean", None]]),
    ("turns", [["ocean", [-1, 2]]]),
    ("turns", [["ocean", [4, 1]]]),
    ("turns", [["ocean", [1.0, 2]]]),
    ("turns", [["ocean", [True, 2]]]),
    ("turns", [["ocean", "12"]]),
    ("turns", [["oc3an", [1, 2]]]),
    ("turns", [["\u00e9tude", [1, 2]]]),
    ("turns", [["ocean", [5, 0]]]),
    ("turns", [[None, [1, 2]]]),
    ("turns", [[5, [1, 2]]]),
    ("turns", [["ocean", [1, 2]]] * (MAX_TURNS + 1)),
    ("turns", [DEEP, DEEP]),
    ("turns", [["ocean", [DEEP, 10**5000]]]),
    ("turns", [[["o", "c", "e", "a", "n"], [1, 2]]]),
    ("rules", dict(JOTTO.plain(), length=5.0)),
    ("rules", dict(JOTTO.plain(), length=6)),
    ("rules", dict(JOTTO.plain(), repeats=0)),
    ("rules", dict(JOTTO.plain(), kind="marks")),
    ("rules", dict(JOTTO.plain(), alphabet="abc")),
    ("rules", JOTTO.plain()["name"]),
]


@pytest.mark.parametrize(
    "field, value", [pytest.param(*row, id="%s-%d" % (row[0], number)) for number, row in enumerate(DAMAGE)]
)
def test_damaged_games(field, value):
    plain = play(TURNS).ask("ocean").plain()
    plain[field] = value
    with pytest.raises(SavedGameError) as caught:
        games.read_game(plain)
    assert caught.type is SavedGameError
    assert message(caught).startswith(("This saved game is damaged: ", "This is not a saved game: "))
    assert len(message(caught)) < 250


@pytest.mark.parametrize("field", sorted(play().plain()))
def test_missing_fields(field):
    plain = play(TURNS).plain()
    del plain[field]
    with pytest.raises(SavedGameError) as caught:
        games.read_game(plain)
    assert caught.type is SavedGameError
    if field != "version":
        assert message(caught) == "This saved game is damaged: its %s cannot be missing." % field


@pytest.mark.parametrize("field", JOTTO._fields)
def test_missing_rules(field):
    plain = play(TURNS).plain()
    del plain["rules"][field]
    with pytest.raises(SavedGameError):
        games.read_game(plain)


@pytest.mark.parametrize(
    "plain, text",
    [
        (None, "This is not a saved game: None."),
        ("\u00e9", "This is not a saved game: '\u00e9'."),
        ([1, 2], "This is not a saved game: [1, 2]."),
        ({}, "This is not a saved game: {}."),
        ({"version": "1"}, "This is not a saved game: {'version': '1'}."),
        ({"version": 1}, "This saved game is damaged: its rules cannot be missing."),
        (
            dict(play().plain(), guess="se\u00e1"),
            "This saved game is damaged: 'se\u00e1' has 3 letters; it takes exactly 5.",
        ),
        (
            dict(play().plain(), turns=[["ocean", [0, 6]]]),
            "This saved game is damaged: 0 in place and 6 elsewhere are more than the 5 letters of the word.",
        ),
        (
            dict(play().plain(), turns=[["ocean", [5, 0]]]),
            "This saved game is damaged: 'ocean' was the word, and yet there are more turns.",
        ),
        (dict(play().plain(), outcome=SOLVED), "This saved game is damaged: it is solved without a guess."),
        (
            dict(play().plain(), rules=dict(JOTTO.plain(), kind="k\u00efnd")),
            "This saved game is damaged: The rules of a game cannot have the kind 'k\u00efnd'.",
        ),
    ],
)
def test_what_is_said_about_damage(plain, text):
    with pytest.raises(SavedGameError) as caught:
        games.read_game(plain)
    assert message(caught) == text


@pytest.mark.parametrize("version, shown", [(2, "2"), (99, "99"), (10**5000, "a huge number")], ids=["2", "99", "huge"])
def test_future_versions(version, shown):
    with pytest.raises(FutureVersion) as caught:
        games.read_game({"version": version, "anything": DEEP})
    assert message(caught) == "This game was saved by version %s of the notes; this is version 1." % shown


@MODEST
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    st.sampled_from(sorted(play().plain())),
)
def test_any_json_in_any_field_reads_or_is_refused(value, field):
    plain = dict(play(TURNS).plain(), **{str(field): value})
    try:
        game = games.read_game(plain)
    except SavedGameError as error:
        assert "%s" % error
    else:
        assert games.read_game(json.loads(json.dumps(game.plain()))) == game
