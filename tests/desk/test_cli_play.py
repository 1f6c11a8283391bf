"""`jotto play`: lines from a pipe, the end of input, Ctrl-C, and a game that goes on next time."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from jotto_behaviour import mind
from jotto_behaviour.settings import LANGUAGE_CODES
from jotto_behaviour.states import STATES, list_meanings
from jotto_desk.conversation.answers import (
    MUMBLED_CONFIDENCE,
    TYPED_CONFIDENCE,
    Typed,
    misfit,
    read_typed_line,
    split_line,
    understood,
)
from jotto_desk.play.table import UNDERSTOOD

PLAY = [sys.executable, "-m", "jotto_desk", "play", "--seed", "4"]


def play(tmp_path, typed, *arguments):
    """Play with lines from a pipe; return exit code and the lines shown."""
    ended = subprocess.run(
        [*PLAY, *arguments],
        input=typed,
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
        env=environment(tmp_path),
    )
    assert ended.stderr == ""
    return ended.returncode, ended.stdout.splitlines()


def environment(tmp_path):
    return {**os.environ, "XDG_DATA_HOME": str(tmp_path), "COLUMNS": "300", "PYTHONIOENCODING": "utf-8"}


def test_a_typed_word_goes_into_the_sealed_note(tmp_path):
    code, lines = play(tmp_path, "you guess\ncheck my counting\nocean\nno\n0 0\n", "--seed", "3")
    said = " ".join(line for line in lines if "NAO" in line)
    assert code == 0 and "sealed" in said and said.count("Sorry") == 0
    assert "Count TAPES again" in said


def test_a_piped_game(tmp_path):
    code, lines = play(tmp_path, "ready\nno\n0 1\nstop\nyes\n")
    assert code == 0
    assert any("zero" in line.lower() and "one" in line for line in lines)
    assert lines[-1].endswith("so we can keep playing next time.")


def test_the_end_of_input_ends_the_game_and_keeps_it(tmp_path):
    code, lines = play(tmp_path, "ready\nno\n0\n1\n")
    assert (code, lines[-1]) == (0, "(You left; NAO has saved the game.)")
    code, lines = play(tmp_path, "yes\nno\n")
    assert "Want to keep playing?" in lines[0]
    assert "with zero and one" in lines[2]


def test_a_game_that_is_not_kept_is_not_said_to_be(tmp_path):
    (tmp_path / "nao-jotto").write_text("a file where the folder should be", encoding="utf-8")
    code, lines = play(tmp_path, "ready\nno\n0\n1\n")
    assert code == 0 and lines[-1] == "(You left.)"
    path = tmp_path / "nao-jotto" / "unfinished.json"
    assert any(line.startswith(f"(Notes are not saved: '{path}' cannot be written (") for line in lines)
    code, lines = play(tmp_path, "ready\nno\n0 1\nstop\nyes\n")
    assert lines[-1].endswith("Bye! I haven't saved our game.")
    assert not any("Errno" in line for line in lines)


def test_forget_keeps_nothing(tmp_path):
    play(tmp_path, "ready\nno\n0 1\n", "--forget")
    _, lines = play(tmp_path, "ready\nno\n0 1\nstop\nyes\n", "--forget")
    assert lines[-1].endswith("Bye! I haven't saved our game.")
    assert not list(tmp_path.iterdir())


def test_what_nao_understands_is_shown_on_a_question_mark(tmp_path):
    _, lines = play(tmp_path, "?\n")
    groups = lines[lines.index(UNDERSTOOD) + 1 : lines.index("", lines.index(UNDERSTOOD))]
    assert [line.split()[0] for line in groups] == [
        "answers",
        "levels",
        "help",
        "undo",
        "stop",
        "languages",
        "keyboard",
    ]
    assert max(map(len, groups)) < 140


def test_odd_lines_are_a_mumble(tmp_path):
    code, lines = play(tmp_path, "\u00e9t\u00e9 \U0001f600\n" + "x" * 5000 + "\n\x07\n")
    assert code == 0 and len(lines) > 5


def test_without_an_input_the_game_is_left(tmp_path):
    ended = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *PLAY],
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
        env=environment(tmp_path),
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-1] == "(You left.)", "no game has begun"


def test_a_terminal_without_utf_8_and_odd_bytes(tmp_path):
    ended = subprocess.run(
        PLAY,
        input=b"\xff\xfe\nready\n",
        capture_output=True,
        timeout=60,
        check=False,
        env={**environment(tmp_path), "PYTHONIOENCODING": "ascii:strict"},
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"? NAO  " in ended.stdout and b"Is it" in ended.stdout


def test_a_game_in_german_where_the_terminal_says_nothing_of_its_signs(tmp_path):
    """All that stands around NAO's words is German, too, and the sharp s takes the place of one letter."""
    typed = "board\ngr\u00fc\u00dfe\nhallo\nabc\nboard\n?\n"
    plain = {**environment(tmp_path), "LC_ALL": "C", "PYTHONIOENCODING": ""}
    ended = subprocess.run(
        [*PLAY, "--language", "de", "--role", "maker"],
        input=typed.encode(),
        capture_output=True,
        timeout=60,
        check=False,
        env=plain,
    )
    shown = ended.stdout.decode()
    assert (ended.returncode, ended.stderr) == (0, b"")
    for said in (
        "(Die Tafel ist leer",
        "\n 1 GR\u00dc\u1e9eE  ",
        "\u201ehallo\u201c hat L doppelt.)",
        "hat 3.)",
        "\u25cf du ",
        "versteht NAO",
        "jedes von 17",
        "\u00c4 \u00d6",
        "m\u00f6gliche W\u00f6rter",
        "(Du bist gegangen; NAO hat das Spiel gespeichert.)",
    ):
        assert said in shown, said
    assert not {"you", "guess", "letters", "open", "NAO's"} & set(shown.split())


@pytest.mark.parametrize("arguments", [["--version"], ["words", "show", "--json"], ["play"], ["--help"]])
def test_a_full_disk_is_one_sentence(tmp_path, arguments):
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "jotto_desk", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            env=environment(tmp_path),
        )
    assert (ended.returncode, ended.stderr) == (2, b"The output cannot be used (no space left on device).\n")


def test_ctrl_c_ends_cleanly_and_keeps_the_game(tmp_path):
    child = subprocess.Popen(
        PLAY,
        stdin=subprocess.PIPE,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    child.stdin.write("ready\nno\n0\n1\n")
    child.stdin.flush()
    # A child that prints less than expected must not keep the test waiting.
    killer = threading.Timer(30, child.kill)
    killer.start()
    shown = [child.stdout.readline() for _ in range(10)]
    killer.cancel()
    assert "Is it" in shown[-1]
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert (tmp_path / "nao-jotto" / "unfinished.json").exists()


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda sign: sign.name)
def test_a_killed_game_is_gone_on_with(tmp_path, sign):
    """A terminal that is closed, a shutdown and a power cut lose no answer."""
    with subprocess.Popen(
        PLAY,
        stdin=subprocess.PIPE,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as child:
        killer = threading.Timer(30, child.kill)
        killer.start()
        child.stdin.write("ready\nno\n0\n1\n")
        child.stdin.flush()
        shown = [child.stdout.readline() for _ in range(10)]
        child.send_signal(sign)
        child.wait(30)
        killer.cancel()
    assert "Is it" in shown[-1] and child.returncode == -sign
    code, lines = play(tmp_path, "yes\nno\n")
    assert code == 0 and "Want to keep playing?" in lines[0]
    assert "with zero and one" in lines[2]


def test_a_full_disk_is_told_once_and_what_is_saved_as_it_is(tmp_path):
    play(tmp_path, "ready\nno\n0\n1\n")
    kept = tmp_path / "nao-jotto" / "unfinished.json"
    before = kept.read_text()
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); import jotto_desk.__main__ as desk"
    ended = subprocess.run(
        [PLAY[0], "-c", f"{limited}; desk.main()", *PLAY[3:]],
        text=True,
        capture_output=True,
        input="yes\nno\n0 1\nno\n0 1\nstop\nyes\n",
        timeout=60,
        check=False,
        env=environment(tmp_path),
    )
    lines = ended.stdout.splitlines()
    assert sum("Notes are not saved: '" in line for line in lines) == 1
    assert "Bye! I've saved our game, but not the very end of it." in lines[-1]
    assert kept.read_text() == before


VOCABULARY = ["no", "yes", "two", "that's right", "go back", "oscar"]
TYPES = [
    ("yes", "word", Typed("yes", TYPED_CONFIDENCE)),
    ("YES", "word", Typed("yes", TYPED_CONFIDENCE)),
    ("y", "word", Typed("yes", TYPED_CONFIDENCE)),
    ("2", "exact", Typed("two", TYPED_CONFIDENCE)),
    ("That's Right", "word", Typed("that's right", TYPED_CONFIDENCE)),
    ("o", "spell", Typed("oscar", TYPED_CONFIDENCE)),
    ("", "word", Typed()),
    ("   ", "word", Typed()),
    ("touch front", "word", Typed(sensor="FrontTactilTouched")),
    ("touch back", "word", Typed(sensor="RearTactilTouched")),
    ("o", "your guess", Typed("oscar", TYPED_CONFIDENCE)),
    ("i think two", "exact", Typed("two", TYPED_CONFIDENCE)),
    ("it's 2 letters", "exact", Typed("two", TYPED_CONFIDENCE)),
    ("only two please", "exact", Typed("two", TYPED_CONFIDENCE)),
    ("yes please", "word", Typed("yes", TYPED_CONFIDENCE)),
    ("that's right", "word", Typed("that's right", TYPED_CONFIDENCE)),
    ("i think", "word", Typed("no", MUMBLED_CONFIDENCE)),
    ("touch nose", "word", Typed("no", MUMBLED_CONFIDENCE)),
    ("\u00b2", "exact", Typed("no", MUMBLED_CONFIDENCE)),
    ("99999999999999999999", "exact", Typed("no", MUMBLED_CONFIDENCE)),
    ("bla bla", "word", Typed("no", MUMBLED_CONFIDENCE)),
]


@pytest.mark.parametrize("text, state, expected", TYPES)
def test_what_is_typed(text, state, expected):
    typed = text.lower() if text != "That's Right" else text
    assert read_typed_line(typed, state, mind.load_lines(), VOCABULARY) == expected


@pytest.mark.parametrize(
    "text, state, phrase",
    [
        ("1 and 2", "both", "one and two"),
        ("1 in place and 2 elsewhere", "word", "one and two"),
        ("i think one and two", "both", "one and two"),
        ("none at all", "both", "none at all"),
        ("6", "exact", "six"),
        ("7", "misplaced", "six"),
        ("12", "exact", "six"),
        ("ten", "exact", "six"),
        ("nine", "exact", "six"),
        ("twelve", "misplaced", "six"),
        ("5", "exact", "five"),
        ("it's one", "exact", "it's one"),
        ("i think two", "misplaced", "I think two"),
        ("i think it's two", "exact", "two"),
        ("none", "exact", "nothing at all"),
        ("nil", "misplaced", "nothing at all"),
        ("no letters", "exact", "no letters"),
        ("nope", "word", "no"),
        ("yep", "word", "yes"),
        ("yeah", "again", "yes"),
        ("quit", "exact", "stop the game"),
        ("exit", "your guess", "stop the game"),
        ("race", "again", "race"),
        ("rules", "role", "what are the rules"),
        ("rules", "ready", "what are the rules"),
        ("h", "your guess", "H"),
        ("hotel", "your guess", "hotel"),
        ("o", "word or letter?", "O"),
    ],
)
def test_what_people_type_is_understood(text, state, phrase):
    lines = mind.load_lines()
    assert read_typed_line(text, state, lines, lines.phrases(list_meanings(state))) == Typed(phrase, TYPED_CONFIDENCE)


@pytest.mark.parametrize(
    "code, line",
    [
        ("en", "One in the right place and two in the wrong place."),
        ("en", "1 in the right place, 2 in the wrong place"),
        ("en", "one letter in the right place and two letters in the wrong place"),
        ("en", "1 in place and 2 elsewhere"),
        ("en", "1 right, 2 wrong"),
        ("de", "einer am richtigen Platz und zwei am falschen"),
        ("de", "1 am richtigen Platz, 2 am falschen Platz"),
        ("de", "eins richtig, zwei woanders"),
        ("fr", "une bien plac\u00e9e et deux mal plac\u00e9es"),
        ("fr", "1 bien placee, 2 mal placees"),
        ("es", "una en su sitio y dos en otro"),
        ("es", "una en su sitio, dos en otro sitio"),
        ("es", "1 en su sitio y 2 fuera de sitio"),
    ],
)
@pytest.mark.parametrize("state", ["word", "both", "exact", "doubtful"])
def test_a_score_is_typed_in_the_words_of_nao_s_question(code, line, state):
    lines = mind.load_lines(code)
    vocabulary = lines.phrases(list_meanings(state))
    (part,) = split_line(line, state, lines, vocabulary)
    typed = read_typed_line(part, state, lines, vocabulary)
    assert (lines.meaning(typed.phrase, list_meanings(state)), typed.confidence) == ("1 2", TYPED_CONFIDENCE)


def test_rules_is_a_guess_where_nao_listens_for_words():
    lines = mind.load_lines()
    assert (
        read_typed_line("rules", "your guess", lines, [*lines.phrases(list_meanings("your guess")), "rules"]).phrase
        == "rules"
    )


@pytest.mark.parametrize(
    "line, state, expected",
    [
        ("\u00b2 1", "both", ["\u00b2 1"]),
        ("1 2", "exact", ["1", "2"]),
        ("canoe", "spell", ["c", "a", "n", "o", "e"]),
        ("help", "spell", ["help"]),
        ("alpha", "spell", ["alpha"]),
        ("go back", "word", ["go back"]),
        ("", "word", [""]),
        ("canoe", "word", ["canoe"]),
        ("Yes!", "word", ["yes"]),
        ("1, 2.", "exact", ["1", "2"]),
        ("zero two", "exact", ["zero", "two"]),
        ("That\u2019s right.", "word", ["that's right"]),
        ("...", "word", [""]),
        ("x-ray", "spell", ["x-ray"]),
        ("light", "your guess", ["light"]),
        ("hello", "your guess", list("hello")),
        ("hint", "your guess", ["hint"]),
        ("o c", "your guess", ["o", "c"]),
        ("oscar charlie", "your guess", ["oscar", "charlie"]),
        ("hotel", "your guess", ["hotel"]),
        ("light", "word", ["light"]),
    ],
)
def test_several_answers_on_one_line(line, state, expected):
    assert list(split_line(line, state, mind.load_lines(), ("Light", "hint"))) == expected


@pytest.mark.parametrize(
    "line, state, wrong",
    [
        ("abc", "your guess", "A guess has five letters; 'abc' has 3."),
        ("help", "your guess", ""),
        ("c", "your guess", ""),
        ("letters", "your guess", "A guess has five letters; 'letters' has 7."),
        ("abcde", "your guess", ""),
        ("x" * 900, "your guess", f"A guess has five letters; '{'x' * 30}' has 900."),
        ("what now", "your guess", ""),
        ("abc", "word", ""),
        ("", "your guess", ""),
        ("abc", "word or letter?", "A guess has five letters; 'abc' has 3."),
        ("hello", "your guess", "A guess has five different letters; 'hello' has L twice."),
        ("Hello!", "word or letter?", "A guess has five different letters; 'hello' has L twice."),
        ("hello", "word", "A word has five different letters; 'hello' has L twice."),
        ("class", "ready", "A word has five different letters; 'class' has S twice."),
        ("hello", "spell", ""),
        ("hello", "both", "A word has five different letters; 'hello' has L twice."),
        ("light", "word", ""),
        ("needs", "stopping", "A word has five different letters; 'needs' has E twice."),
    ],
)
def test_a_guess_of_another_length_or_with_a_letter_twice(line, state, wrong):
    assert misfit(line, state, ["help"]) == wrong


def test_what_nao_understands_is_named_and_words_are_counted():
    lines = mind.load_lines()
    guessing = [*lines.phrases(list_meanings("your guess")), "ocean", "light"]
    groups = dict(understood("your guess", lines, guessing))
    assert list(groups) == ["words", "letters", "help", "undo", "stop"]
    assert groups["words"] == "any of 2 words NAO knows"
    [first], [last] = lines.phrases("a")[:1], lines.phrases("z")[:1]
    assert groups["letters"].startswith(f"{first}, ") and groups["letters"].endswith(f"... {last}")
    yes, no = (lines.phrases([meaning])[0] for meaning in ("yes", "no"))
    assert (
        understood("word", lines, [no, yes])
        == understood("asking back", lines, [no, yes])
        == [("answers", f"{yes}, {no}")]
    )
    assert understood("asking back", lines, [f"w{number}" for number in range(300)]) == [
        ("words", "any of 300 words NAO knows")
    ]
    assert understood("word", lines, []) == []


@pytest.mark.parametrize("language", LANGUAGE_CODES)
@pytest.mark.parametrize("state", [state for state in STATES if STATES[state].touch])
def test_what_nao_understands_is_one_phrase_for_each_meaning(state, language):
    """The scores without "and" were counted as words of the list."""
    lines = mind.load_lines(language)
    heard = lines.phrases(list_meanings(state))
    groups = dict(understood(state, lines, heard))
    assert "words" not in groups and {"help", "stop"} <= set(groups)
    named = ", ".join(text for heading, text in groups.items() if heading != "letters").split(", ")
    assert len(set(named)) == len(named) < 25 and set(named) <= set(heard)


def test_the_other_role(tmp_path):
    typed = "my turn to guess\nabc\nhello\nhint\ngive up\nyes\nno\n"
    code, lines = play(tmp_path, typed)
    assert code == 0
    assert any("A guess has five letters; 'abc' has 3." in line for line in lines)
    assert sum("hello" in line.lower() for line in lines) == 2, "what was typed, and one line about it"
    assert any("A guess has five different letters; 'hello' has L twice." in line for line in lines)
    assert any("as in" in line for line in lines) and "bye" in lines[-1].lower()
    assert not any("Traceback" in line or "wrong" in line for line in lines)


UNKNOWN = "('qwert' is not on NAO's list and does not count. Guess another word.)"


@pytest.mark.parametrize(
    "typed",
    [["qwert"], ["hotel", "qwert"], ["q", "w", "qwert"]],
    ids=["for a guess", "where NAO asks word or letter", "after letters"],
)
def test_a_typed_word_that_is_not_on_the_list_has_one_answer_and_the_next_word_counts(tmp_path, typed):
    _, lines = play(tmp_path, "\n".join([*typed, "canoe", ""]), "--role", "maker")
    assert lines.count(UNKNOWN) == 1
    assert "CANOE" in lines[lines.index(UNKNOWN) + 2]
    assert not any("Quebec" in line or "Is your guess" in line for line in lines[lines.index(UNKNOWN) :])


def test_a_word_typed_where_nao_asks_about_a_spelled_one_is_the_guess(tmp_path):
    _, lines = play(tmp_path, "q w e r t\nqwert\ncanoe\n", "--role", "maker")
    asked = next(place for place, line in enumerate(lines) if "Is your guess QWERT?" in line)
    assert UNKNOWN in lines[asked:] and any("CANOE" in line for line in lines[asked:])


@pytest.mark.parametrize(
    "language, hearing", [("en", "hear|ears"), ("de", "hör|Ohr"), ("fr", "enten|oreille"), ("es", "oí|oig|oído")]
)
def test_what_is_typed_and_not_understood_has_no_answer_about_hearing(tmp_path, language, hearing):
    _, lines = play(tmp_path, "xx xx\n" * 6, "--role", "breaker", "--language", language)
    said = [line for line in lines if "NAO" in line]
    assert len(said) > 6 and not re.search(hearing, " ".join(said))


@pytest.mark.parametrize(
    "role, first",
    [("maker", "five"), ("i-guess", "five"), ("breaker", "ready"), ("nao-guesses", "ready"), ("race", "a race!")],
)
def test_the_role_may_be_chosen_on_the_command_line(role, first, tmp_path):
    _, lines = play(tmp_path, "", "--role", role)
    assert first in lines[0].lower() and "Who guesses?" not in lines[0]


def test_a_role_that_is_none(tmp_path):
    ended = subprocess.run(
        [*PLAY, "--role", "king"],
        input="",
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
        env=environment(tmp_path),
    )
    assert ended.returncode == 2 and "'king'" in ended.stderr and "Traceback" not in ended.stderr
