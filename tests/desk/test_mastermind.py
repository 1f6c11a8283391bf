"""The commands jotto mastermind (dialogue, messages, history, roles exchanged) and jotto assist (any rules)."""

import io
import json
import re

import pytest
from command_line import jotto, live_in
from engine_words import WORDS
from hypothesis import given, strategies as st

from jotto import feedback
from jotto.feedback import COMMON, MARKS, Feedback
from jotto.game import Turn
from jotto.index import Index
from jotto.rules import BULLS, JOTTO, MASTERMIND, PAPER_JOTTO, WORDLE
from jotto.tree import list_codes
from jotto_desk.cli.assist import notebook
from jotto_desk.cli.mastermind import arrange_pegs
from jotto_desk.errors import DeskError
from jotto_desk.games import advice, mastermind
from jotto_desk.games.advice import GAME_RULES, GLADIATORS
from jotto_desk.games.assist import parse_turn, turn_example

#: The sample game: number, guess, correct, out-of-place, codes still possible before it, whether the guess is one.
SAMPLE = [
    (1, "GYBG", 1, 1, 1296, True),
    (2, "GOYV", 1, 2, 230, True),
    (3, "GROY", 0, 2, 23, True),
    (4, "YYYY", 1, 0, 7, False),
    (5, "VYGV", 1, 3, 2, True),
    (6, "VVYG", 4, 0, 1, True),
]
LEGEND = "Colours: R red, O orange, Y yellow, G green, B blue, V violet. Type help to see everything that you can type."
WON = "Yes, that is correct! You figured out the secret word in 6 guess(es)."


@pytest.fixture
def typed(monkeypatch, capsys):
    """Play a game from typed lines; return exit code, lines of output, errors."""

    def play(*lines, options=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = jotto(capsys, "mastermind", *options)
        return code, out.splitlines(), err

    return play


def said(lines):
    return [line for line in lines if not line.startswith("> ")]


def test_the_sample_game_line_by_line(typed):
    opening = "There are 4 letters in the secret code. What's your guess?"
    welcome = "Welcome to Mastermind! How many letters do you want the secret code to have?"
    code, lines, _ = typed(4, *(row[1] for row in SAMPLE), options=["--secret", "VVYG"])
    answers = [f'No, but {row[2]} is/are "correctly positioned" and {row[3]} is/are "out-of-place".' for row in SAMPLE]
    assert code == 0 and said(lines)[:9] == [welcome, LEGEND, opening, *answers[:-1], WON]
    index = Index(list_codes(MASTERMIND), MASTERMIND)
    for number, guess, correct, out, before, fits in SAMPLE:
        left = index.find_candidates([(past[1].lower(), past[2:4]) for past in SAMPLE[: number - 1]])
        assert tuple(MASTERMIND.score(guess.lower(), "vvyg")) == (correct, out)
        assert left.bit_count() == before and bool(left & index.select_word(guess.lower())) == fits


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
    assert "Letters: H, E, L, P, O. Type help to see everything that you can type." in lines and won in lines
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
        (["--secret", " "], "is not a code"),
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
    for part in ("'x' is not two numbers", "'-1' is not two numbers", "more than the 4 letters", "is impossible"):
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
        assert arrange_pegs(feedback.Feedback(exact, misplaced), 4).plain == grid


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


@pytest.fixture
def typed_turns(monkeypatch, capsys, tmp_path):
    """Run the command on typed lines; return exit code, lines of output, errors."""
    live_in(tmp_path, monkeypatch)

    def run(*options, lines=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = jotto(capsys, "assist", *options)
        return code, out.splitlines(), err

    return run


def test_turns_as_people_type_them_and_impossible_ones():
    for rules, text, turn in [
        (JOTTO, "ocean 1 2", ("ocean", (1, 2))),
        (JOTTO, "Ocean 12", ("ocean", (1, 2))),
        (JOTTO, "OCEAN: 1,2", ("ocean", (1, 2))),
        (JOTTO, "ocean (1, 2)", ("ocean", (1, 2))),
        (JOTTO, "o c e a n 1 2", ("ocean", (1, 2))),
        (MASTERMIND, "RROO 1 1", ("rroo", (1, 1))),
        (MASTERMIND, "red red orange blue 0 2", ("rrob", (0, 2))),
        (BULLS, "0123 12", ("0123", (1, 2))),
        (PAPER_JOTTO, "ocean 3", ("ocean", 3)),
        (WORDLE, "sugar GBBYY", ("sugar", "ENNPP")),
        (WORDLE, "S_E,U_N,G_N,A_P,R_P", ("sugar", "ENNPP")),
        (GLADIATORS, "[0, 1, 2, 3, 4] [2, 1]", ("01234", (1, 1))),
        (GLADIATORS, "01234 1 1", ("01234", (1, 1))),
    ]:
        assert parse_turn(text, rules) == turn
    for rules in GAME_RULES.values():
        turn = parse_turn(turn_example(rules), rules)
        assert rules.allows(turn.guess) and parse_turn(turn_example(rules).split(" ", 1)[1], rules, turn.guess) == turn
    for rules, text, part in [
        (JOTTO, "ocean", "write it as ocean 1 2"),
        (JOTTO, "", "write it as"),
        (JOTTO, "ocean 4 1", "is impossible"),
        (JOTTO, "ocean 5 5", "more than the 5 letters"),
        (JOTTO, "hello 1 1", "'l' more than once"),
        (JOTTO, "oce 1 1", "give exactly 5"),
        (JOTTO, "ocean -1 2", "a number below zero"),
        (JOTTO, "1 2", "has no guess"),
        (MASTERMIND, "rrxx 1 1", "'x'"),
        (BULLS, "0012 1 1", "'0' more than once"),
        (PAPER_JOTTO, "ocean 6", "6"),
        (WORDLE, "sugar", "is not a round"),
        (GLADIATORS, "[0,1,2,3,10] [2,1]", "weapon 10"),
        (JOTTO, "x" * 999, "too long"),
        (GLADIATORS, "[0,1,2,3,4] [1,2]", "how many of these are in place"),
        (GLADIATORS, "[0,1] [1,1]", "give exactly 5"),
    ]:
        with pytest.raises(DeskError) as refused:
            parse_turn(text, rules)
        assert part in str(refused.value) and "\n" not in str(refused.value)


@given(st.sampled_from(list(GAME_RULES.values())), st.text(max_size=30))
def test_any_text_is_a_turn_or_one_sentence(rules, text):
    try:
        turn = parse_turn(text, rules)
    except DeskError as error:
        assert str(error)
    else:
        assert rules.allows(turn.guess) and rules.parse_feedback(turn.feedback) == turn.feedback


@pytest.mark.parametrize(
    "game", ["jotto ocean", "paper-jotto ocean", "wordle sheet", "mastermind vvyg", "bulls 0752", "gladiators 27391"]
)
def test_following_the_advice_finds_the_secret(game):
    name, secret = game.split()
    rules = GAME_RULES[name]
    book, plain = notebook(rules), feedback.SLOW_SCORERS[rules.kind]
    for _ in range(12):
        best = book.advise().best
        assert best is not None and (best.fits or best.groups > 1)
        if best.word == secret:
            break
        book = book.add_turn(Turn(best.word, rules.score(best.word, secret)))
        assert secret in book.list_fitting()
        assert all(plain(turn.guess, word) == turn.feedback for turn in book.turns for word in book.list_fitting()[:50])
    assert best.word == secret


def test_why(typed_turns):
    for rules, lines in [
        (
            "jotto",
            {
                "?": "why GUESS",
                "why zz": "'zz' has 2 letters",
                "why qwxyz": "QWXYZ is not in the list, so it cannot be it here.",
                "ocean 1 2": "",
                "why": "The next best: ",
                "why stone": "STONE cannot be it: turn 1, OCEAN, would have got 0 3, not 1 2.",
                "why women": "WOMEN can be it",
            },
        ),
        ("jotto", {"help": "change N ANSWER"}),
        (
            "mastermind",
            {
                "rroo 1 1": "",
                "why red green blue yellow": "RGBY cannot be it: turn 1, RROO",
                "rrrr 4 0": "",
                "why": "Nothing fits all the answers",
            },
        ),
    ]:
        out = typed_turns("--rules", rules, lines=list(lines))[1]
        assert [part for part in lines.values() if not any(part in line for line in out)] == []


def test_the_slip_is_found_and_the_turn_changed(typed_turns):
    # The secret is vvyg; the second answer should have been 1 2.
    lines = ["gybg 1 1", "goyv 0 1", "vygv 1 3", "change 2 1 2", "turns", "stop"]
    _, out, _ = typed_turns("--rules", "mastermind", lines=lines)
    text = "\n".join(out)
    assert "Nothing fits all the answers" in text
    assert re.search(r"If turn 2, GOYV, had been . . instead of 0 1: .*VVYG", text)
    assert "2. GOYV 1 2" in out and "1 of 1,296 fit." in out and any("Only VVYG fits." in line for line in out)


def test_any_turn_can_be_taken_back_or_replaced(typed_turns):
    lines = ["ocean 1 2", "tried 0 1", "undo 1", "turns", "change 1 quilt 1 0", "turns", "undo", "turns"]
    _, out, _ = typed_turns(lines=lines)
    shown = [line for line in out if line[:3] in ("1. ", "2. ") or line.startswith("No turn")]
    assert shown == ["1. TRIED 0 1", "1. QUILT 1 0", "No turn is noted yet."]


def test_a_line_that_cannot_be_costs_nothing(typed_turns):
    lines = [
        ("undo", "There is no turn"),
        ("undo 3", "There is no turn 3"),
        ("change", "does not change a turn"),
        ("change 1", "does not change a turn"),
        ("change 9 1 1", "There is no turn 9"),
        ("change x 1 1", "does not change a turn"),
        ("hello there", "is not a guess"),
        ("undo 99999999999999999999", "There is no turn"),
        ("list x", "is not a guess"),
    ]
    code, out, _ = typed_turns("--rules", "bulls", lines=[*(line for line, _ in lines), "0123 1 1", "turns"])
    refused = [said for said in out if any(part in said for _, part in lines)]
    assert code == 0 and out[-1] == "1. 0123 1 1" and len(refused) == len(lines)
    assert all(part in said for said, (_, part) in zip(refused, lines)), refused


def test_turns_as_options_lists_and_json(typed_turns):
    _, out, _ = typed_turns(lines=["ocean 1 2", "list 3", "stop"])
    assert re.fullmatch(r"([A-Z]{5} ){3}and \d+ more", out[-2])
    code, out, _ = typed_turns("--rules", "wordle", "--turn", "light GBBYY", "--list", "5", "--json")
    result = json.loads(out[-1])
    assert code == 0 and result["turns"] == [["light", "ENNPP"]] and set(result["some"]) == {"latch", "loath"}
    assert result["left"] == 2 and result["best"]["guess"] in result["some"] and result["slips"] == []
    _, out, _ = typed_turns("--rules", "bulls", "--json", lines=["0123 4 0", "4567 0 0", "5678 1 0"])
    shown = json.loads(out[-1])
    assert shown["left"] == 0 and shown["best"] is None and shown["slips"] and shown["play_on"].startswith("To play on")
    _, out, _ = typed_turns("--rules", "mastermind", lines=["rroo 2 0", "vvyg 4 0", "undo 1", "stop"])
    assert "VVYG is it, in 1." in out
    assert typed_turns()[0] == typed_turns("--json")[0] == typed_turns("--rules", "wordle")[0] == 0


def test_options_that_allow_no_turns(typed_turns):
    for options, part in [
        (["--rules", "chess"], "'chess'"),
        (["--rules", "mastermind", "--words", "en"], "played with codes"),
        (["--rules", "gladiators", "--length", "6", "--symbols", "25"], "127512000 codes"),
        (["--words", "nowhere"], "'nowhere'"),
        (["--turn", "nonsense"], "'nonsense'"),
        (["--rules", "bulls", "--length", "11"], "11 places"),
    ]:
        code, _, err = typed_turns(*options)
        assert code == 2 and part in err and len(err.splitlines()) == 1


def test_a_look_is_what_counting_by_hand_gives():
    words = ["ocean", "canoe", "dance", "brick", "pride"]
    look = advice.Advisor(words, JOTTO).look("ocean")
    answers = [feedback.score_places_slowly("ocean", word) for word in words]
    assert look.groups == len(set(answers)) and look.largest == max(map(answers.count, answers)) and look.fits
    assert look.chance == pytest.approx(0.2)


def test_likelier_words_count_for_more_and_advice_is_the_same_every_time():
    words = WORDS[:60]
    heavy = advice.Advisor(words, WORDLE, {words[7]: 1000.0})
    assert heavy.rank_guesses()[0].word == words[7] and heavy.list_likeliest(1)[0][0] == words[7]
    one, two = (advice.Advisor(WORDS, WORDLE, seed=4).rank_guesses(WORDS)[:5] for _ in range(2))
    assert one == two


@pytest.mark.parametrize("rules", [JOTTO, WORDLE, PAPER_JOTTO], ids=lambda rules: rules.name)
def test_one_wrong_answer_is_among_the_suspicions(rules):
    index, found, tried = Index([word for word in WORDS if rules.allows(word)], rules), 0, 0
    asked, other = index.words[::97][:6], {MARKS: "NNNNP", COMMON: 5}.get(rules.kind, Feedback(3, 1))
    for secret in index.words[5::61][:12]:
        right = [Turn(guess, rules.score(guess, secret)) for guess in asked if guess != secret]
        wrong = [Turn(right[0].guess, other), *right[1:]]
        if other == right[0].feedback or index.find_candidates(wrong):
            continue
        tried += 1
        suspicions = advice.find_suspicions(wrong, index)
        found += any(slip.turn == 0 and secret in fitting for slip, fitting in suspicions)
        for slip, fitting in suspicions:
            turns = [*wrong[: slip.turn], Turn(slip.guess, slip.meant), *wrong[slip.turn + 1 :]]
            assert list(fitting) == index.list_words(index.find_candidates(turns))
    assert tried and found >= tried * 0.5
