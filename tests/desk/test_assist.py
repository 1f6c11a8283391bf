"""`jotto assist`: turns of any rules, what fits, what to ask, where the slip is, and turns changed or taken back."""

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
from jotto_desk.cli.assist import notebook
from jotto_desk.errors import DeskError
from jotto_desk.games import advice
from jotto_desk.games.advice import GAME_RULES, GLADIATORS
from jotto_desk.games.assist import read_turn, turn_example


@pytest.fixture
def typed(monkeypatch, capsys, tmp_path):
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
        assert read_turn(text, rules) == turn
    for rules in GAME_RULES.values():
        turn = read_turn(turn_example(rules), rules)
        assert rules.allows(turn.guess) and read_turn(turn_example(rules).split(" ", 1)[1], rules, turn.guess) == turn
    for rules, text, part in [
        (JOTTO, "ocean", "write it as ocean 1 2"),
        (JOTTO, "", "write it as"),
        (JOTTO, "ocean 4 1", "cannot be"),
        (JOTTO, "ocean 5 5", "more than the 5 letters"),
        (JOTTO, "hello 1 1", "'l' more than once"),
        (JOTTO, "oce 1 1", "takes exactly 5"),
        (JOTTO, "ocean -1 2", "fewer than zero letters"),
        (JOTTO, "1 2", "has no guess"),
        (MASTERMIND, "rrxx 1 1", "'x'"),
        (BULLS, "0012 1 1", "'0' more than once"),
        (PAPER_JOTTO, "ocean 6", "6"),
        (WORDLE, "sugar", "is no round"),
        (GLADIATORS, "[0,1,2,3,10] [2,1]", "weapon 10"),
        (JOTTO, "x" * 999, "too long"),
        (GLADIATORS, "[0,1,2,3,4] [1,2]", "of them, those in place"),
        (GLADIATORS, "[0,1] [1,1]", "takes exactly 5"),
    ]:
        with pytest.raises(DeskError) as refused:
            read_turn(text, rules)
        assert part in str(refused.value) and "\n" not in str(refused.value)


@given(st.sampled_from(list(GAME_RULES.values())), st.text(max_size=30))
def test_any_text_is_a_turn_or_one_sentence(rules, text):
    try:
        turn = read_turn(text, rules)
    except DeskError as error:
        assert str(error)
    else:
        assert rules.allows(turn.guess) and rules.read_feedback(turn.feedback) == turn.feedback


@pytest.mark.parametrize(
    "name, secret",
    [
        ("jotto", "ocean"),
        ("paper-jotto", "ocean"),
        ("wordle", "sheet"),
        ("mastermind", "vvyg"),
        ("bulls", "0752"),
        ("gladiators", "27391"),
    ],
)
def test_following_the_advice_finds_the_secret(name, secret):
    rules = GAME_RULES[name]
    book, plain = notebook(rules), feedback.SLOW_SCORERS[rules.kind]
    for _ in range(12):
        best = book.advise().best
        assert best is not None and (best.fits or best.groups > 1)
        if best.word == secret:
            break
        book = book.noted(Turn(best.word, rules.score(best.word, secret)))
        assert secret in book.fitting()
        assert all(plain(turn.guess, word) == turn.feedback for turn in book.turns for word in book.fitting()[:50])
    assert best.word == secret


def test_why(typed):
    for rules, lines, part in [
        ("jotto", ["?"], "why GUESS"),
        ("jotto", ["help"], "change N ANSWER"),
        ("jotto", ["ocean 1 2", "why"], "The next best: "),
        ("jotto", ["ocean 1 2", "why stone"], "STONE cannot be it: turn 1, OCEAN, would have got 0 3, not 1 2."),
        ("jotto", ["ocean 1 2", "why women"], "WOMEN can be it"),
        ("jotto", ["why zz"], "'zz' has 2 letters"),
        ("jotto", ["why qwxyz"], "QWXYZ is not in the list, so it cannot be it here."),
        ("mastermind", ["rroo 1 1", "why red green blue yellow"], "RGBY cannot be it: turn 1, RROO"),
        ("mastermind", ["rroo 1 1", "rrrr 4 0", "why"], "Nothing fits all the answers"),
    ]:
        assert any(part in line for line in typed("--rules", rules, lines=lines)[1])


def test_the_slip_is_found_and_the_turn_changed(typed):
    # The secret is vvyg; the second answer should have been 1 2.
    lines = ["gybg 1 1", "goyv 0 1", "vygv 1 3", "change 2 1 2", "turns", "stop"]
    _, out, _ = typed("--rules", "mastermind", lines=lines)
    text = "\n".join(out)
    assert "Nothing fits all the answers" in text
    assert re.search(r"If turn 2, GOYV, had been . . instead of 0 1: .*VVYG", text)
    assert "2. GOYV 1 2" in out and "1 of 1,296 fit." in out and any("Only VVYG fits." in line for line in out)


def test_any_turn_can_be_taken_back_or_replaced(typed):
    lines = ["ocean 1 2", "tried 0 1", "undo 1", "turns", "change 1 quilt 1 0", "turns", "undo", "turns"]
    _, out, _ = typed(lines=lines)
    shown = [line for line in out if line[:3] in ("1. ", "2. ") or line.startswith("No turn")]
    assert shown == ["1. TRIED 0 1", "1. QUILT 1 0", "No turn is noted yet."]


def test_a_line_that_cannot_be_costs_nothing(typed):
    for line, part in [
        ("undo", "There is no turn"),
        ("undo 3", "There is no turn 3"),
        ("change", "changes no turn"),
        ("change 1", "changes no turn"),
        ("change 9 1 1", "There is no turn 9"),
        ("change x 1 1", "changes no turn"),
        ("hello there", "is not a guess"),
        ("undo 99999999999999999999", "There is no turn"),
        ("list x", "is not a guess"),
    ]:
        code, out, _ = typed("--rules", "bulls", lines=[line, "0123 1 1", "turns"])
        assert code == 0 and any(part in said for said in out) and out[-1] == "1. 0123 1 1"


def test_turns_as_options_lists_and_json(typed):
    _, out, _ = typed(lines=["ocean 1 2", "list 3", "stop"])
    assert re.fullmatch(r"([A-Z]{5} ){3}and \d+ more", out[-2])
    code, out, _ = typed("--rules", "wordle", "--turn", "light GBBYY", "--list", "5", "--json")
    result = json.loads(out[-1])
    assert code == 0 and result["turns"] == [["light", "ENNPP"]] and set(result["some"]) == {"latch", "loath"}
    assert result["left"] == 2 and result["best"]["guess"] in result["some"] and result["slips"] == []
    _, out, _ = typed("--rules", "bulls", "--json", lines=["0123 4 0", "4567 0 0", "5678 1 0"])
    shown = json.loads(out[-1])
    assert shown["left"] == 0 and shown["best"] is None and shown["slips"] and shown["play_on"].startswith("To play on")
    _, out, _ = typed("--rules", "mastermind", lines=["rroo 2 0", "vvyg 4 0", "undo 1", "stop"])
    assert "VVYG is it, in 1." in out
    assert typed()[0] == typed("--json")[0] == typed("--rules", "wordle")[0] == 0


def test_options_that_allow_no_game(typed):
    for options, part in [
        (["--rules", "chess"], "'chess'"),
        (["--rules", "mastermind", "--words", "en"], "played with codes"),
        (["--rules", "gladiators", "--length", "6", "--symbols", "25"], "127512000 codes"),
        (["--words", "nowhere"], "'nowhere'"),
        (["--turn", "nonsense"], "'nonsense'"),
        (["--rules", "bulls", "--length", "11"], "11 places"),
    ]:
        code, _, err = typed(*options)
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
    assert heavy.ranked()[0].word == words[7] and heavy.likeliest(1)[0][0] == words[7]
    one, two = (advice.Advisor(WORDS, WORDLE, seed=4).ranked(WORDS)[:5] for _ in range(2))
    assert one == two


@pytest.mark.parametrize("rules", [JOTTO, WORDLE, PAPER_JOTTO], ids=lambda rules: rules.name)
def test_one_wrong_answer_is_among_the_suspicions(rules):
    index, found, tried = Index([word for word in WORDS if rules.allows(word)], rules), 0, 0
    asked, other = index.words[::97][:6], {MARKS: "NNNNP", COMMON: 5}.get(rules.kind, Feedback(3, 1))
    for secret in index.words[5::61][:12]:
        right = [Turn(guess, rules.score(guess, secret)) for guess in asked if guess != secret]
        wrong = [Turn(right[0].guess, other), *right[1:]]
        if other == right[0].feedback or index.candidates(wrong):
            continue
        tried += 1
        suspicions = advice.find_suspicions(wrong, index)
        found += any(slip.turn == 0 and secret in fitting for slip, fitting in suspicions)
        for slip, fitting in suspicions:
            turns = [*wrong[: slip.turn], Turn(slip.guess, slip.meant), *wrong[slip.turn + 1 :]]
            assert list(fitting) == index.chosen(index.candidates(turns))
    assert tried and found >= tried * 0.5
