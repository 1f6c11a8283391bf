"""Rehearsals in which NAO thinks of the word: the person who guesses, and the checks of NAO's answers."""

import json

import pytest

from jotto.index import Index
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk import cli
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


def test_a_guess_not_made_is_taken_back_and_one_lost_is_made_again():
    person = guesser(noted=[("light", (0, 1)), ("mouse", (1, 0))], wanted="table")
    assert said(person, "your guess", "zebra", "1 1") == LINES.phrases(["mistake"])[0]
    assert person.wanted == "table" and len(person.noted) == 2
    said(person, "your guess", "light", "0 1")
    assert person.noted == [("light", (0, 1))]
    said(person, "your guess", "", "")
    assert person.noted == []


@pytest.mark.parametrize(
    "text, letters, answer",
    [
        ("What's your guess?", 3, "b"),
        ("Bravo.", 0, "r"),
        ("Delta.", 0, "back one"),
        ("I've got bravo and romeo. What's letter three?", 0, "e"),
        ("Take your time.", 2, "e"),
    ],
)
def test_letters_are_said_by_what_nao_repeats(text, letters, answer):
    person = guesser(wanted="bread", spells=True, letters=letters)
    assert said(person, "your guess", "", "", text) == LINES.phrases([answer])[0]


def test_letters_are_begun_anew_where_nao_has_forgotten_them():
    """NAO took a word misheard for the guess, and asked again while the person was silent."""
    person = guesser(wanted="bread", spells=True, letters=2, trouble=Trouble(silence=1.0))
    assert person.answer(view("your guess", "", "", "Okay, bread doesn't count. What's your guess?")).phrase is None
    person.trouble = Trouble()
    assert said(person, "your guess", "", "", "Okay, once more. Say the word, or spell it.") == "bravo"


def test_a_person_out_of_letters_takes_one_back_and_hears_which_is_wanted():
    person = guesser(wanted="bread", spells=True, letters=4)
    assert said(person, "your guess", "", "", "Delta.") == LINES.phrases(["back one"])[0]
    assert said(person, "your guess", "", "", "So far: echo, alpha. What's letter three?") == "echo"


@pytest.mark.parametrize(
    "game, seed, trouble",
    [("299", 1, Trouble(0.1, 0.05, 0.05)), ("44", 5, Trouble(0.3, 0.2, 0.2)), ("127", 5, Trouble(0.3, 0.2, 0.2))],
    ids=["the person ran out of letters", "a guess in a race", "ready is a word, too"],
)
def test_games_that_once_failed(game, seed, trouble):
    """Takes a second: games at noise, and what went wrong there though NAO was right."""
    settings = RehearsalSettings(strategy="belief", seed=seed, trouble=trouble, role="maker")
    (record,) = play_games([game], settings, RobotChoice())
    assert (record.over, record.failures) == (True, [])


@pytest.mark.parametrize(
    "wanted, spells, asked, answer",
    [
        ("hotel", False, "Hotel: is that your guess?", "yes"),
        ("hotel", True, "Hotel: is that your guess?", "oscar"),
        ("heart", True, "Sorry? Is hotel your guess?", "echo"),
        ("ocean", False, "Delta: is that your guess?", "cancel"),
        ("", False, "Delta: is that your guess?", "cancel"),
    ],
)
def test_an_alphabet_word_is_the_guess_or_a_letter_as_it_was_meant(wanted, spells, asked, answer):
    assert said(guesser(wanted="hotel"), "your guess", "", "", "What's your guess?") == "hotel"
    person = guesser(wanted=wanted, spells=spells)
    assert said(person, "word or letter?", "", "", asked) == answer
    assert person.letters == (1 if spells else 0)


@pytest.mark.parametrize(
    "state, text, answer",
    [
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
    ],
)
def test_other_questions(state, text, answer):
    assert said(guesser(wanted="bread"), state, "", "", text) == LINES.phrases([answer])[0]


@pytest.mark.parametrize(
    "feedback, guess, score, text, count",
    [
        ([1, 1], "canoe", "1 1", "Canoe: one in place, one in the wrong place.", 3),
        ([0, 5], "canoe", "0 5", "Canoe: none in place, five in the wrong place. What's your guess?", 0),
        ([0, 5], "canoe", "0 4", "Canoe: none in place, five in the wrong place.", 1),
        ([0, 5], "mouse", "0 5", "Canoe: none in place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "Canoe: one in place, five in the wrong place.", 1),
        ([0, 5], "canoe", "0 5", "What's your guess?", 1),
    ],
)
def test_a_wrong_score_is_found_wherever_it_is(feedback, guess, score, text, count):
    found = _wrong(["canoe", feedback], "ocean", view("your guess", guess, score, text), LINES)
    assert len(found) == count


def outcome(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(["rehearse", "--json", "--jobs", "1", *arguments])
    shown = capsys.readouterr()
    return ended.value.code, json.loads(shown.out) if shown.out else shown.err


@pytest.mark.parametrize(
    "trouble",
    [
        [],
        ["--mishear", "0.2", "--silence", "0.05"],
        ["--mishear", "quiet"],
        ["--touch", "--without", "ALSpeechRecognition", "--without", "ALDialog"],
    ],
)
def test_games_are_played_to_their_end_and_nothing_is_wrong(trouble, capsys):
    code, found = outcome(capsys, "--role", "maker", "--sample", "6", "--seed", "3", *trouble)
    assert code == 0 and found["failures"] == []
    assert (found["role"], found["games"], found["found"]) == ("maker", 6, 6)
    assert found["scores"] >= sum(int(attempts) * count for attempts, count in found["histogram"].items())


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--role", "king", "--sample", "1"], "'king'"),
        (["--role", "maker", "--secret", "ocean"], "--sample N"),
        (["--role", "maker", "--all"], "--sample N"),
        (["--role", "maker"], "--sample N"),
    ],
)
def test_what_cannot_be_rehearsed(arguments, words, capsys):
    code, error = outcome(capsys, *arguments)
    assert code == 2 and words in error


def test_a_word_found_stays_found_whatever_game_is_misheard_for_another(monkeypatch):
    setting, record = RehearsalSettings(role="maker", touch_only=True), GameRecord("ocean")
    rehearsal = RiddleRehearsal(Robot(), None, setting, LINES)
    games = ((7, "solved", "Ocean, on your first guess!"), (8, "given up", "My word was ocean."))
    for seed, outcome_now, said_now in games:
        monkeypatch.setattr(
            rehearsal,
            "_get",
            lambda _key, seed=seed, now=outcome_now: json.dumps(
                {"riddle": {"game": {"outcome": now}}, "game": {"seed": seed}}
            ),
        )
        rehearsal._note_end(None, record, view("again", "ocean", "", said_now))
    assert record.found and record.over and record.failures == []
