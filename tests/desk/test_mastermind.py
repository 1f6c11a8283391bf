"""`jotto mastermind`: the homework's dialogue, messages, sample game and history; and roles exchanged."""

import io
import json

import pytest
from command_line import jotto
from hypothesis import given, strategies as st

from jotto import feedback
from jotto.index import Index
from jotto.rules import MASTERMIND
from jotto.tree import list_codes
from jotto_desk.cli.mastermind import peg_grid
from jotto_desk.errors import DeskError
from jotto_desk.games import mastermind

#: The sample game: number, guess, correct, out-of-place, codes still possible before it, whether the guess is one.
SAMPLE = [
    (1, "GYBG", 1, 1, 1296, True),
    (2, "GOYV", 1, 2, 230, True),
    (3, "GROY", 0, 2, 23, True),
    (4, "YYYY", 1, 0, 7, False),
    (5, "VYGV", 1, 3, 2, True),
    (6, "VVYG", 4, 0, 1, True),
]
WELCOME = "Welcome to Mastermind! How many letters do you want the secret code to have?"
LEGEND = "Colours: R red, O orange, Y yellow, G green, B blue, V violet. Type help for what else you can type."
OPENING = "There are 4 letters in the secret code. What's your guess?"
WON = "Yes, that is correct! You figured out the secret code in 6 guess(es)."


@pytest.fixture
def typed(monkeypatch, capsys):
    """Play a game from typed lines; return exit code, lines of output, errors."""

    def play(*lines, options=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = jotto(capsys, "mastermind", *options)
        return code, out.splitlines(), err

    return play


def said(lines):
    """Return what the game says, without what was typed."""
    return [line for line in lines if not line.startswith("> ")]


def test_the_sample_game_line_by_line(typed):
    code, lines, _ = typed(4, *(row[1] for row in SAMPLE), options=["--secret", "VVYG"])
    answers = [f'No, but {row[2]} is/are "correctly positioned" and {row[3]} is/are "out-of-place".' for row in SAMPLE]
    assert code == 0 and said(lines)[:9] == [WELCOME, LEGEND, OPENING, *answers[:-1], WON]
    index = Index(list_codes(MASTERMIND), MASTERMIND)
    for number, guess, correct, out, before, fits in SAMPLE:
        left = index.candidates([(past[1].lower(), past[2:4]) for past in SAMPLE[: number - 1]])
        assert tuple(MASTERMIND.score(guess.lower(), "vvyg")) == (correct, out)
        assert left.bit_count() == before and bool(left & index.bit(guess.lower())) == fits


def test_a_wrong_guess_gets_a_message_and_does_not_count(typed):
    end = "; it has to be exactly 4 letters. Please guess again."
    for guess, message in [
        ("ROY", "Guess too short" + end),
        ("ROYGBV", "Guess too long" + end),
        ("J!", "Guess too short" + end),
        ("J!J!J!", "Guess too long" + end),
        ("BJC!", "Guess can only contain the letters ROYGBV. Please guess again."),
    ]:
        _, lines, _ = typed(4, guess, "vvyg", options=["--secret", "VVYG"])
        assert said(lines)[3:5] == [message, WON.replace("6", "1")]


@pytest.mark.parametrize("secret", ["G", "ROY", "RRRR", "ROYGBVROYGBVROYGBVRO"])
def test_secrets_of_any_length(typed, secret):
    code, lines, _ = typed(len(secret), secret.lower(), options=["--secret", secret])
    assert code == 0 and WON.replace("6", "1") in lines


def test_the_history_has_three_columns_and_a_row_per_guess_that_counts(typed):
    _, lines, _ = typed(4, "GYBG", "ROY", "history", "VVYG", options=["--secret", "VVYG"])
    rows = [line.replace("│", " ").split()[:3] for line in lines if line.startswith("│")]
    # Once when asked for, once at the end.
    assert [row for row in rows if row[1].isdigit()] == [["GYBG", "1", "1"], ["GYBG", "1", "1"], ["VVYG", "4", "0"]]
    assert any("Guess" in line and "Correct" in line and "Out-of-place" in line for line in lines)


def test_the_mode_is_asked_for_and_a_seed_draws_the_same_code(typed):
    first = typed("what?", "original", 5, "stop", options=["--seed", 3])[1]
    assert first[0] == mastermind.ROLE_QUESTION and "Please say 'original' or 'flip'." in first
    code = first[-1].split()[-1].rstrip(".)")
    assert len(code) == 5 and set(code) <= set("ROYGBV")
    again = typed(5, code, options=["--seed", 3])[1]
    assert WON.replace("6", "1") in again


def test_an_impossible_length_is_asked_again(typed):
    for given_length, part in [
        ("many", "'many' is not a number of letters"),
        ("0", "cannot have 0 letters"),
        ("-4", "cannot have -4 letters"),
        ("21", "cannot have 21 letters"),
        ("4.5", "not a number"),
        ("9" * 400, "not a number"),
        ("²", "not a number"),
    ]:
        _, lines, _ = typed("original", given_length, 1)
        assert any(part in line and "from 1 to 20" in line for line in lines)
        assert "There is 1 letter in the secret code. What's your guess?" in lines


def test_enter_alone_takes_the_original_game_with_four_letters(typed):
    _, lines, _ = typed("", "", "help", "stop", options=["--seed", 3])
    assert "Enter: original" in lines[0] and [lines[4], lines[5]] == ["4 letters, then.", LEGEND]
    assert any(line.startswith("A guess: ROYG") for line in lines) and lines[-1].startswith("(You left; the code was ")


def test_help_and_history_at_any_question(typed):
    for typed_lines, part in [
        (["flip", 4, "", "help", "stop"], "My guess is answered by two numbers"),
        (["flip", 4, "", "0 0", "history", "stop"], "│       0 │"),
        (["original", 4, "history", "stop"], "No guess has been"),
        (["original", 4, "?", "stop"], "Correctly positioned: right, and in the right place."),
    ]:
        assert any(part in line for line in typed(*typed_lines)[1])


def test_a_given_code_needs_no_length_and_may_have_other_letters(typed):
    won = WON.replace("6", "1")
    _, lines, _ = typed("help", options=["--secret", "help", "--letters", "helpo"])
    assert "Letters: H, E, L, P, O. Type help for what else you can type." in lines and won in lines
    assert won in typed("VVYG", options=["--secret", "vvyg"])[1]
    assert won in typed("original", "4", "VVYG", options=["--secret", "vvyg"])[1]
    assert any("has 4 letters, not 5" in line for line in typed("5", options=["--secret", "vvyg"])[1])
    _, lines, _ = typed(3, "907", "105", options=["--letters", "0123456789", "--secret", "105"])
    assert 'No, but 1 is/are "correctly positioned" and 0 is/are "out-of-place".' in lines


def test_options_that_allow_no_game(typed):
    for options, part in [
        (["--secret", "VVYX"], "only contain the letters ROYGBV"),
        (["--secret", "VVYG", "--length", "5"], "too short"),
        (["--secret", "V" * 30], "cannot have 30 letters"),
        (["--secret", " "], "is no code"),
        (["--letters", "AAB"], "'AAB'"),
        (["--letters", "R"], "1 letters"),
        (["--letters", "R!"], "'R!'"),
        (["--mode", "sideways"], "'sideways'"),
        (["--strategy", "luck"], "'luck'"),
        (["--mode", "flip", "--length", "9"], "10,077,696 codes"),
    ]:
        code, lines, err = typed(options=options)
        assert code == 2 and part in err and len(err.splitlines()) == 1, (lines, err)


def test_the_end_of_input_is_an_end(typed):
    for lines in ([], ["original"], ["original", 4], ["flip", 4], ["flip", 4, ""]):
        code, out, _ = typed(*lines)
        assert code == 0 and out[-1].startswith("(You left")


def test_json_says_how_it_went(typed):
    _, lines, _ = typed(4, "red red orange blue", "VVYG", options=["--secret", "VVYG", "--json", "--seed", 1])
    game = {"mode": "original", "letters": "ROYGBV", "secret": "VVYG", "seed": 1, "solved": True}
    assert json.loads(lines[-1]) == {**game, "turns": [["RROB", 0, 0], ["VVYG", 4, 0]]}


@pytest.mark.parametrize("secret, seed", [("vvyg", 1), ("rrrr", 2), ("rroo", 3), ("bvgy", 4), ("oyob", 5), ("vvyg", 6)])
def test_flipped_every_guess_agrees_with_every_answer(typed, secret, seed):
    _, lines, _ = typed(options=["--mode", "flip", "--secret", secret, "--seed", seed, "--json"])
    turns = json.loads(lines[-1])["turns"]
    for number, (guess, correct, out) in enumerate(turns):
        assert (correct, out) == feedback.score_places_slowly(guess, secret.upper())
        assert all(feedback.score_places_slowly(other, guess) == (one, two) for other, one, two in turns[:number])
    assert turns[-1][0] == secret.upper() and f"I figured out your secret code in {len(turns)} guess(es)." in lines


def cracked(breaker, rules, secret):
    """Let a breaker find a secret; return the turns."""
    turns = ()
    while not turns or turns[-1].guess != secret:
        turns = (*turns, mastermind.answer_guess(rules, breaker.guess(turns), secret))
    return turns


def test_the_strongest_way_finds_every_code_in_5625_guesses():
    breaker = mastermind.CodeBreaker(MASTERMIND, mastermind.STRONGEST_WAY)
    lengths = [len(cracked(breaker, MASTERMIND, secret)) for secret in breaker.index.words]
    assert (sum(lengths), max(lengths)) == (5625, 6)


@pytest.mark.parametrize("length, letters", [(1, "ab"), (2, "abc"), (5, "0123"), (3, "0123456789")])
@pytest.mark.parametrize("way", mastermind.BREAKER_WAYS)
def test_other_games_are_cracked_too(length, letters, way):
    rules = mastermind.make_rules(length, letters)
    breaker = mastermind.CodeBreaker(rules, way)
    for secret in breaker.index.words[:: max(1, len(breaker.index) // 12)]:
        assert len(cracked(breaker, rules, secret)) <= 12


def test_flipped_wrong_answers_cost_nothing(typed):
    _, out, _ = typed("flip", "4", "", "0 0", "x", "-1", "9 9", "3 1", options=["--strategy", "strongest"])
    for part in ("'x' is not two numbers", "'-1' is not two numbers", "more than the 4 letters", "cannot be"):
        assert any(part in line for line in out), part


def test_a_contradiction_names_the_turn_and_can_be_changed(typed):
    options = ["--mode", "flip", "--length", 1, "--letters", "abc"]
    _, out, _ = typed("", "0 0", "0 0", "0 0", "0 1", "nonsense", "9 1 0", "3 1 0", options=options)
    assert any(line.startswith("Nothing fits all the answers") for line in out)
    assert sum(line.startswith("If turn ") for line in out) >= 1
    assert "'nonsense' names no turn from 1 to 3." in out and "'9 1 0' names no turn from 1 to 3." in out
    assert "I figured out your secret code in 3 guess(es)." in out


def test_pegs_are_two_wide_and_blacks_come_first():
    for exact, misplaced, grid in [(1, 2, "● ○\n○ ·"), (0, 0, "· ·\n· ·"), (4, 0, "● ●\n● ●"), (0, 1, "○ ·\n· ·")]:
        assert peg_grid(feedback.Feedback(exact, misplaced), 4).plain == grid


@given(st.text(max_size=30))
def test_any_text_is_a_guess_or_a_message(text):
    board = mastermind.Board(mastermind.make_rules(4), "vvyg")
    after, line = board.judge(text)
    assert (after is board) == line.endswith("Please guess again.") and line


@given(st.text(max_size=12), st.integers(-5, 40))
def test_any_letters_make_rules_or_one_sentence(letters, length):
    try:
        rules = mastermind.make_rules(length, letters)
    except DeskError as error:
        assert str(error)
    else:
        assert rules.length == length and rules.allows(rules.alphabet[0] * length)
