"""Mastermind and Wordle on a page, without a browser: what the table does with taps, and what it says."""

import asyncio

import pytest

from jotto.rules import MASTERMIND
from jotto_desk.errors import DeskError
from jotto_desk.games import mastermind, wordle
from jotto_desk.games.wordle import Vocabulary
from jotto_desk.page.code_table import CodeTable
from jotto_desk.page.wordle_table import WordleTable

WORDS = ("arose", "shark", "spark", "stark", "sugar", "until")
KNOWN = Vocabulary("test", dict.fromkeys(WORDS, 1.0), "count", frozenset({"stark"}))


def tapped(table, symbols):
    """Tap symbols and guess."""
    for symbol in symbols:
        table.press(symbol)
    table.judge()
    return table.said


def test_a_code_is_guessed_by_tapping():
    table = CodeTable(MASTERMIND, 1, "vvyg")
    assert tapped(table, "vv").startswith("Guess too short") and table.entry == "vv"
    assert [tile.look for tile in table.open_tiles()] == ["violet", "violet", "empty", "empty"]
    table.delete()
    assert tapped(table, "xrrr?") == "Not yet: 1 in place." and table.turns[0].guess == "vrrr"
    assert table.objections("vvyg") == "VVYG fits the one turn."
    assert "turn 1, VRRR, got 1 in place and 0 elsewhere; RRRR would have answered 3" in table.objections("rrrr")
    assert table.objections("<b>") and "only contain" in table.objections("<b>1")
    count, named = asyncio.run(table.left())
    assert count == f"{len(table.fitting())} codes fit." and len(named) == 60 and "VVYG" not in named[:0]
    table.judge("violet violet yellow green")
    assert table.is_over and table.said.startswith("Yes, that is correct") and table.open_tiles() == ()
    table.new(False)
    assert not table.turns and not table.is_over and table.seed == 2


def test_giving_up_says_the_code():
    table = CodeTable(MASTERMIND, 1, "vvyg")
    table.reveal()
    assert "VVYG" in table.said and table.turns == ()


@pytest.mark.parametrize("way", ["consistent", "strongest"])
def test_the_computer_finds_a_code_from_answers(way):
    async def play():
        table = CodeTable(MASTERMIND, 7, way=way, is_flipped=True)
        assert table.is_first
        await table.think()
        while not table.is_over:
            await table.answer(*MASTERMIND.score(table.guess, "vvyg"))
        return table

    table = asyncio.run(play())
    assert table.said.startswith("I have found your code in ") and table.turns[-1].guess == "vvyg"


def test_a_wrong_answer_is_reported_and_taken_back():
    async def play():
        table = CodeTable(MASTERMIND, 7, is_flipped=True)
        await table.think()
        first = table.guess
        await table.answer(5, 5)
        assert table.turns == () and "more than" in table.said
        await table.answer(0, 0)
        await table.answer(0, 0)
        while table.guess:
            await table.answer(0, 0)
        assert "holds a slip" in table.said
        while table.turns:
            table.take_back()
        assert table.guess == first
        table.take_back()

    asyncio.run(play())


def test_codes_of_a_large_board_are_not_counted():
    rules = mastermind.make_rules(12, "0123456789")
    table = CodeTable(rules, 1, "0" * 12)
    assert table.fitting() is None and asyncio.run(table.left()) == ("There are too many to count.", ())
    tapped(table, "012345678901")
    table.new(True)
    assert not table.is_flipped and len(table.turns) == 1 and "in mind" in table.said
    with pytest.raises(DeskError, match="in mind"):
        CodeTable(rules, 1, is_flipped=True)


def test_a_wordle_is_played_by_tapping():
    table = WordleTable(lambda seed: wordle.Wordle("shark", frozenset(WORDS)), KNOWN, 1)
    assert "5" in tapped(table, "aro") and table.entry == "aro"
    assert tapped(table, "se1") == "5 guesses left." and table.entry == ""
    assert asyncio.run(table.left()) == ("3 words fit.", ["SHARK", "SPARK", "SUGAR"])
    assert "cannot be it" in table.objections("until") and "can be it" in table.objections("spark")
    assert "exactly 5" in table.objections("<b>")
    table.judge("zzzzz")
    assert "not in the list" in table.said and len(table.game.turns) == 1
    table.judge("shark")
    assert table.is_over and table.said.startswith("Congratulations") and table.result().startswith("Wordle 2/6")
    table.judge("spark")
    assert len(table.game.turns) == 2
    table.new()
    assert not table.is_over and table.result() == ""


def test_a_lost_wordle_says_the_word():
    table = WordleTable(lambda seed: wordle.Wordle("shark"), KNOWN, 1)
    for _ in range(6):
        table.judge("until")
    assert table.said == "The word was SHARK." and table.open_tiles() == ()
