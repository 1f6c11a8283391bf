"""Games on a page without a browser: questions, boards, taps, and the tables of Mastermind and Wordle."""

import json

import pytest
from talk_stage import LINES, mind_of, stored

from jotto.feedback import Feedback
from jotto.game import Riddle, Turn, start_game as new_game
from jotto.rules import JOTTO, MASTERMIND
from jotto_behaviour import conversation, memory, states
from jotto_behaviour.hearing import make_sure
from jotto_behaviour.states import STATES
from jotto_behaviour.talk import Doubt, Talk
from jotto_desk.conversation.answers import (
    CHOICE,
    NO_ANSWER,
    ONE_NUMBER,
    TWO_NUMBERS,
    WORD,
    choose_phrase,
    find_score_phrase,
    make_question,
)
from jotto_desk.conversation.game_record import GuessReasons, capitalise_words
from jotto_desk.errors import DeskError
from jotto_desk.games import mastermind, wordle
from jotto_desk.games.wordle import Vocabulary
from jotto_desk.play.page import boards as board_view
from jotto_desk.play.page.moments import parse_view
from jotto_desk.play.page.tables import CodeTable, WordleTable


def talk_in(state, **fields):
    """Return a talk in a state, read back as from the robot's memory."""
    game = new_game(JOTTO, "test", mind_of().wordlist.checksum, 1).ask("ocean").answer((1, 1)).ask("light")
    riddle = Riddle(new_game(JOTTO, "test", mind_of().wordlist.checksum, 1), "table", 0).guess("bleat")
    needs = {"your guess": {"riddle": riddle, "race": True}, "misplaced": {"exact": 1}, "paused": {"beneath": "word"}}
    return stored(Talk(game, **{"state": state, **needs.get(state, {}), **fields}))


def test_answers_to_tap():
    def meanings(choices):
        return [choice.meaning for choice in choices]

    for state, kind, first in [
        ("word", CHOICE, ["yes", "no", "why"]),
        ("paused", CHOICE, ["go on"]),
        ("ready", CHOICE, ["ready", "easy", "normal", "hard", "check"]),
        ("role", CHOICE, ["ready", "you guess", "I guess", "race", "easy", "normal", "hard"]),
        ("both", TWO_NUMBERS, ["my word", "none"]),
        ("exact", ONE_NUMBER, ["my word", "none"]),
        ("misplaced", ONE_NUMBER, ["none"]),
        ("your guess", WORD, ["hint", "know", "back one", "cancel"]),
        ("tell", CHOICE, ["yes", "no"]),
    ]:
        asked = make_question(talk_in(state))
        assert (asked.kind, meanings(asked.answers)) == (kind, first)
        # NAO listens for every answer to tap, and understands the meaning of its button.
        listened = states.list_meanings(state)
        for choice in asked.answers + asked.commands:
            assert choice.meaning in listened
            assert LINES.find_meaning(choice.phrase, listened) == choice.meaning
    # Every question can be answered by tapping.
    for name, place in STATES.items():
        asked = make_question(Talk(talk_in("word").game, state=name, riddle=talk_in("your guess").riddle))
        assert (asked.kind == NO_ANSWER) == (not place.listens), name
        assert not place.listens or (asked.answers and "stop" in meanings(asked.commands + asked.answers)), name
    asked = make_question(talk_in("both", doubt=Doubt("1 1", "one and one")))
    assert (asked.kind, meanings(asked.answers)) == (CHOICE, ["yes", "no"])


def test_nao_understands_the_phrases_of_all_scores():
    for exact in range(6):
        for misplaced in range(6 - exact):
            said = find_score_phrase(exact, misplaced, 5)
            meant = LINES.find_meaning(said, states.list_meanings("both"))
            assert meant == (f"{exact} {misplaced}" if exact < 5 else "5")


def test_the_view_of_a_race_shows_both_boards_without_the_secrets():
    view = parse_view(json.dumps(talk_in("your guess").plain()))
    assert view.role.startswith("A race") and view.level == "normal" and not view.is_over
    yours, naos = view.boards
    assert [row.guess for row in yours.rows] == ["bleat"] and [row.guess for row in naos.rows] == ["ocean", "light"]
    assert yours.rows[0].pegs == ("elsewhere",) * 5
    assert naos.rows[1].pegs == () and naos.rows[1].score == "waiting"
    states = dict(yours.letters)
    assert len(states) == 26 and set(states.values()) <= {"in", "neither", "open"}
    shown = json.dumps(view.boards)
    assert "table" not in shown.lower() and "fit" not in shown


def test_unreadable_notes_show_nothing():
    whole = talk_in("word").plain()
    damaged = [json.dumps({**whole, "version": 99}), json.dumps({**whole, "game": {}})]
    for text in ("", "<script>", "[]", "x" * (memory.MAX_TALK_LENGTH + 1), *damaged, None, 7):
        assert parse_view(text) is None


def test_reasons_are_the_words_of_nao(monkeypatch):
    mind = mind_of()
    monkeypatch.setattr("jotto_behaviour.mind.load_mind", lambda words, strategy, learned, language: mind)
    talk = talk_in("word")
    said = GuessReasons().explain_guess(talk)
    asked = conversation.step_talk(talk, mind, make_sure("why"))
    assert said in [capitalise_words(LINES.speak(asked.says[0], talk.game.seed, beat).text) for beat in range(9)]
    other = talk._replace(game=talk.game._replace(list_checksum="another"))
    assert GuessReasons().explain_guess(other) == "" == GuessReasons().explain_guess(talk_in("ready"))


def test_guesses_are_said_refused_or_spelled():
    letters = [*LINES.letters.values()]
    assert choose_phrase("OCEAN", "your guess", ["ocean", *letters], LINES) == ("ocean", (), "")
    assert choose_phrase("FJORD", "your guess", letters, LINES) == ("foxtrot", ("j", "o", "r", "d"), "")
    for state, vocabulary, text, remark in [
        ("your guess", ["ocean", *letters], "FJORD", "'FJORD' is not on NAO's list and does not count. Guess another"),
        ("your guess", ["ocean", *letters], "hello", "L twice"),
        ("your guess", ["ocean", *letters], "oce", "five letters"),
        ("word", ["yes", "no"], "hint", "does not listen"),
    ]:
        part = choose_phrase(text, state, vocabulary, LINES)
        assert not part.phrase and remark in part.remark


def test_boards_of_the_other_games():
    codes = board_view.make_code_board(
        [Turn("rroo", Feedback(2, 1)), Turn("royg", Feedback(4, 0))], MASTERMIND, "Guesses"
    )
    assert [tile.look for tile in codes.rows[0].tiles] == ["red", "red", "orange", "orange"]
    assert codes.rows[0].pegs == ("in-place", "in-place", "elsewhere", "neither")
    assert codes.rows[1].score == "the code!"
    plain = board_view.make_code_tiles("01", MASTERMIND._replace(alphabet="01"))
    assert plain == (board_view.Tile("0", "", "0"), board_view.Tile("1", "", "1"))
    words = board_view.make_marks_board([Turn("sugar", "ENNPP")], "Guesses")
    assert words.places == "S____"
    # The keyboard has different colours for letters elsewhere and in place, like the tiles.
    assert [dict(words.letters)[letter] for letter in "SAGZ"] == ["in-place", "elsewhere", "neither", "open"]


# The tables of Mastermind and Wordle.


def tapped(table, symbols):
    """Tap symbols and guess."""
    for symbol in symbols:
        table.press(symbol)
    table.judge()
    return table.said


def test_a_code_is_guessed_by_tapping():
    table = CodeTable(MASTERMIND, 1, "vvyg")
    assert table.said == "The code has 4 colours. What's your guess?"
    assert tapped(table, "vv") == table.said and table.fault == "Choose 4 colours first." and table.entry == "vv"
    assert [tile.look for tile in table.open_tiles()] == ["violet", "violet", "empty", "empty"]
    table.delete()
    assert table.fault == ""
    assert tapped(table, "xrrr?") == "Not yet: 1 in the right place." and table.turns[0].guess == "vrrr"
    assert table.explain_fit("vvyg") == "This code fits all answers so far."
    assert table.explain_fit("rrrr") == "It cannot be this code: guess 1 would have got 3 in the right place."
    assert table.explain_fit("<b>") and "only contain" in table.explain_fit("<b>1")
    count, named = table.describe_fitting()
    assert count == f"{len(table.list_fitting())} codes fit." and len(named) == 60 and "VVYG" not in named[:0]
    table.judge("violet violet yellow green")
    assert table.is_over and table.said.startswith("Yes, that is correct") and table.open_tiles() == ()
    table.begin_game(False)
    assert not table.turns and not table.is_over and table.seed == 2
    table = CodeTable(MASTERMIND, 1, "vvyg")
    table.reveal()
    assert table.said.startswith("The code was violet, violet, yellow, green.") and table.turns == ()


@pytest.mark.parametrize("way", ["consistent", "strongest"])
def test_the_computer_finds_a_code_and_takes_back_wrong_answers(way):
    def play():
        table = CodeTable(MASTERMIND, 7, way=way, is_flipped=True)
        assert table.is_first
        table.think()
        first = table.guess
        table.answer(5, 5)
        assert table.turns == () and "more than" in table.said
        while table.guess:
            table.answer(0, 0)
        assert "one of them is wrong" in table.said
        while table.turns:
            table.take_back()
        assert table.guess == first
        table.take_back()
        while not table.is_over:
            table.answer(*MASTERMIND.score(table.guess, "vvyg"))
        return table

    table = play()
    assert table.said.startswith("I have found your code in ") and table.turns[-1].guess == "vvyg"


def test_codes_of_a_large_board_are_not_counted():
    rules = mastermind.make_rules(12, "0123456789")
    table = CodeTable(rules, 1, "0" * 12)
    assert table.list_fitting() is None and table.describe_fitting() == ("There are too many to count.", ())
    tapped(table, "012345678901")
    table.begin_game(True)
    assert not table.is_flipped and len(table.turns) == 1 and "in mind" in table.said
    with pytest.raises(DeskError, match="in mind"):
        CodeTable(rules, 1, is_flipped=True)


def test_a_wordle_is_played_by_tapping():
    words = ("arose", "shark", "spark", "stark", "sugar", "until")
    known = Vocabulary("test", dict.fromkeys(words, 1.0), "count", frozenset({"stark"}))
    table = WordleTable(lambda seed: wordle.Wordle("shark", frozenset(words)), known, 1)
    tapped(table, "aro")
    assert "5" in table.fault and table.entry == "aro"
    assert tapped(table, "se1") == "5 guesses left." and table.entry == ""
    assert table.describe_fitting() == ("3 words fit.", ["SHARK", "SPARK", "SUGAR"])
    assert (
        "cannot be it" in table.explain_fit("until") and table.explain_fit("spark") == "SPARK fits all answers so far."
    )
    assert "exactly 5" in table.explain_fit("<b>")
    table.judge("zzzzz")
    assert "not in the list" in table.fault and len(table.game.turns) == 1
    table.judge("shark")
    assert table.is_over and table.said.startswith("Congratulations") and table.share_game().startswith("Wordle 2/6")
    table.judge("spark")
    assert len(table.game.turns) == 2
    table.begin_game()
    assert not table.is_over and table.share_game() == ""
    for _ in range(6):
        table.judge("until")
    assert table.said == "The word was SHARK." and table.open_tiles() == ()
