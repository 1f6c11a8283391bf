"""Rehearsals in which NAO thinks of the word: the person who guesses, and the checks of NAO's answers."""

import json

import pytest

from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk.rehearsal.batch import RobotChoice, play_games
from jotto_desk.rehearsal.game import GameRecord, RehearsalSettings, RiddleRehearsal, _wrong
from jotto_desk.rehearsal.person import Guesser, PersonView, Trouble
from naosim.robot import Robot

LINES = mind.load_lines()
FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse", "hotel")


def guesser(**fields):
    return Guesser("1", 1, LINES, index=Index(FEW, JOTTO), **fields)


def view(state="your guess", guess="", score="", *says):
    return PersonView(state, guess, score, list(says), (*FEW, *LINES.phrases(LINES.letters)))


def said(person, *seen):
    return person.answer(view(*seen)).meant


def test_every_guess_fits_what_nao_has_said():
    person = guesser()
    person.wanted = "ocean"
    first = said(person, "your guess", "ocean", "0 2")
    assert person.noted == [("ocean", (0, 2))]
    assert person.wanted and JOTTO.score("ocean", person.wanted) == (0, 2)
    assert first in (person.wanted, LINES.letters[person.wanted[0]])


def test_a_wrong_guess_is_taken_back_and_a_lost_one_is_made_again():
    person = guesser(noted=[("light", (0, 1)), ("mouse", (1, 0))], wanted="table")
    assert said(person, "your guess", "zebra", "1 1") == LINES.phrases(["mistake"])[0]
    assert person.wanted == "table" and len(person.noted) == 2
    said(person, "your guess", "light", "0 1")
    assert person.noted == [("light", (0, 1))]
    said(person, "your guess", "", "")
    assert person.noted == []


def test_letters_follow_what_nao_repeats():
    for text, letters, answer in (
        ("What's your guess?", 3, "b"),
        ("Bravo.", 0, "r"),
        ("Delta.", 0, "back one"),
        ("I've got bravo and romeo. What's letter three?", 0, "e"),
        ("Take your time.", 2, "e"),
    ):
        person = guesser(wanted="bread", spells=True, letters=letters)
        assert said(person, "your guess", "", "", text) == LINES.phrases([answer])[0], text


def test_letters_start_again_when_nao_has_forgotten_them_and_go_back_when_none_is_left():
    # NAO took a word misheard for the guess, and asked again while the person was silent.
    person = guesser(wanted="bread", spells=True, letters=2, trouble=Trouble(silence=1.0))
    assert person.answer(view("your guess", "", "", "Okay, bread doesn't count. What's your guess?")).phrase is None
    person.trouble = Trouble()
    assert said(person, "your guess", "", "", "Okay, once more. Say the word, or spell it.") == "bravo"
    person = guesser(wanted="bread", spells=True, letters=4)
    assert said(person, "your guess", "", "", "Delta.") == LINES.phrases(["back one"])[0]
    assert said(person, "your guess", "", "", "So far: echo, alpha. What's letter three?") == "echo"


def test_games_that_once_failed():
    """Takes a second: games at noise, and what went wrong there though NAO was right."""
    for what, game, seed, trouble in (
        ("the person ran out of letters", "299", 1, Trouble(0.1, 0.05, 0.05)),
        ("two phrases at the same time", "44", 5, Trouble(0.3, 0.2, 0.2)),
        ("ready is a word, too", "127", 5, Trouble(0.3, 0.2, 0.2)),
    ):
        settings = RehearsalSettings(strategy="belief", seed=seed, trouble=trouble, role="maker")
        (record,) = play_games([game], settings, RobotChoice())
        assert (record.over, record.failures) == (True, []), what


def test_an_alphabet_word_is_the_guess_or_a_letter_as_it_was_meant():
    assert said(guesser(wanted="hotel"), "your guess", "", "", "What's your guess?") == "hotel"
    for wanted, spells, asked, answer in (
        ("hotel", False, "Hotel: is that your guess?", "yes"),
        ("hotel", True, "Hotel: is that your guess?", "oscar"),
        ("heart", True, "Sorry? Is hotel your guess?", "echo"),
        ("ocean", False, "Delta: is that your guess?", "cancel"),
        ("", False, "Delta: is that your guess?", "cancel"),
    ):
        person = guesser(wanted=wanted, spells=spells)
        assert said(person, "word or letter?", "", "", asked) == answer, (wanted, asked)
        assert person.letters == (1 if spells else 0), (wanted, asked)


def test_answers_to_other_questions():
    for state, text, answer in (
        ("your word?", "Is your guess bread?", "yes"),
        ("your word?", "If your guess is BREAD, say yes. If it isn't, say no.", "yes"),
        ("your word?", "Is your guess broad?", "no"),
        ("again", "", "no"),
        ("giving up", "", "no"),
        ("stopping", "", "no"),
        ("paused", "", "go on"),
        ("role", "", "I guess"),
        ("word", "", "give up"),
        ("tell", "", "no"),
    ):
        assert said(guesser(wanted="bread"), state, "", "", text) == LINES.phrases([answer])[0], (state, text)


def test_a_wrong_score_is_found_in_the_game_on_the_display_and_in_speech():
    for feedback, guess, score, text, count in (
        ([1, 1], "canoe", "1 1", "Canoe: one in place, one in the wrong place.", 3),
        ([0, 5], "canoe", "0 5", "Canoe: none in place, five in the wrong place. What's your guess?", 0),
        ([0, 5], "canoe", "0 4", "Canoe: none in place, five in the wrong place.", 1),
        ([0, 5], "mouse", "0 5", "Canoe: none in place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "Canoe: one in place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "What's your guess?", 1),
    ):
        found = _wrong(["canoe", feedback], "ocean", view("your guess", guess, score, text), LINES)
        assert len(found) == count, (feedback, guess, score, text)


@pytest.mark.parametrize(
    "trouble",
    ["", "--mishear 0.2 --silence 0.05", "--mishear quiet", "--touch --without ALSpeechRecognition --without ALDialog"],
)
def test_games_are_played_to_their_end_and_nothing_is_wrong(trouble, cli):
    games = ("--jobs", "1", "--role", "maker", "--sample", "4", "--seed", "3")
    found = cli.json("rehearse", *games, *trouble.split())
    assert (found["role"], found["games"], found["found"], found["failures"]) == ("maker", 4, 4, [])
    assert found["scores"] >= sum(int(attempts) * count for attempts, count in found["histogram"].items())


def test_wrong_options(cli):
    for role, more, words in (
        ("king", "--sample 1", "'king'"),
        ("maker", "--secret ocean", "--sample N"),
        ("maker", "--all", "--sample N"),
        ("maker", "", "--sample N"),
    ):
        assert words in cli.refusal("rehearse", "--role", role, *more.split()), more


def test_a_found_word_stays_found_when_a_new_game_starts_by_mistake(monkeypatch):
    setting, record = RehearsalSettings(role="maker", touch_only=True), GameRecord("ocean")
    rehearsal = RiddleRehearsal(Robot(), None, setting, LINES)
    games = ((7, "solved", "Ocean, on your first guess!"), (8, "given up", "My word was ocean."))
    for seed, outcome, said_now in games:
        kept = json.dumps({"riddle": {"game": {"outcome": outcome}}, "game": {"seed": seed}})
        monkeypatch.setattr(rehearsal, "_get", lambda _key, kept=kept: kept)
        rehearsal._note_end(None, record, view("again", "ocean", "", said_now))
    assert record.found and record.over and record.failures == []
