"""The log of what NAO heard, from the behaviour that writes it to the thresholds that are learned from it."""

import json

import pytest

from jotto import compat
from jotto import game as games
from jotto_behaviour import memory, mind
from jotto_behaviour.files import MAX_HEARD_LINES, Notebook
from jotto_behaviour.settings import Settings
from jotto_behaviour.talk import Talk
from jotto_desk.cli import main
from jotto_desk.conversation import confidence
from jotto_desk.conversation.confidence import LoggedAnswer
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.robots import open_simulated_robot

LINES = mind.load_lines()


def run(capsys, *arguments):
    """Run the command line; return its exit code, output and complaints."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    told = capsys.readouterr()
    return end.value.code or 0, told.out, told.err


def played(folder, **settings):
    """Play a game in which NAO begins with PARTS and the word is TIDES; return the lines of its log."""
    with open_simulated_robot() as (robot, behaviour):
        robot.set(memory.SETTINGS_KEY, json.dumps({"seed": 1, "role": "breaker", "folder": str(folder), **settings}))
        robot.start(behaviour)
        robot.advance()
        for phrase, confidence in (
            ("ready", 0.8),
            ("no", 0.7),
            (LINES.phrases(["help"])[0], 0.7),
            ("two and one", 0.4),
            ("no", 0.8),
            ("one and one", 0.8),
            ("yes", 0.81),
            ("no", 0.8),
        ):
            robot.hear(phrase, confidence)
            robot.advance()
    path = folder / "heard.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def test_nao_logs_phrases_only_on_request(tmp_path):
    (tmp_path / "without").mkdir()
    assert played(tmp_path / "without") == []
    lines = list(map(json.loads, played(tmp_path, **{"keep-log": True})))
    assert lines[-1] == {"game": 1, "word": "tides"}
    assert {key for line in lines for key in line} == {
        "game",
        "word",
        "question",
        "guess",
        "phrase",
        "confidence",
        "doubt",
    }
    log = confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    # A cry for help is no answer.
    assert log.left_out == 1 and log.answers == (
        LoggedAnswer("word", "no", 0.7, "no", True),
        LoggedAnswer("both", "two and one", 0.4, "1 1", False),
        LoggedAnswer("both", "no", 0.8, "no", True),
        LoggedAnswer("exact", "one and one", 0.8, "1 1", True),
        LoggedAnswer("word", "yes", 0.81, "yes", True),
    )


def test_the_log_has_a_limit_and_skips_damaged_lines(tmp_path):
    notebook, path = Notebook(str(tmp_path)), tmp_path / "heard.jsonl"
    path.write_bytes(b"\xff{\n" * (MAX_HEARD_LINES + 5))
    notebook.log({"game": 1, "question": "word", "guess": "parts", "phrase": "yes", "confidence": 0.5})
    notebook.log({"game": 1, "word": "parts"})
    assert len(path.read_bytes().splitlines()) == MAX_HEARD_LINES and not notebook.troubles
    assert len(confidence.read_heard_log(path, mind.load_lines).answers) == 1


def test_a_game_in_another_language_is_judged_in_it(tmp_path):
    settings = Settings(language="es", keeps_log=True)
    game = games.start_game(mind.load_mind("", "entropy", (), "es").rules, "es", "", 3)
    talk = Talk(game._replace(guess="se\xf1al"), state="word", settings=settings)
    notebook = Notebook(str(tmp_path), "es", mind.load_lines("es").alphabet)
    for phrase in ("s\xed", "no", "yes"):
        notebook.log(memory.make_heard_entry(talk, phrase, 0.7))
    won = talk.game._replace(outcome=games.SOLVED)
    notebook.log(memory.make_ended_entry(talk, "finished", won))
    log = confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    assert log.left_out == 1 and [(each.phrase, each.is_right) for each in log.answers] == [
        ("s\xed", True),
        ("no", False),
    ]
    (tmp_path / "heard.jsonl").write_text('{"game": 1, "word": "parts", "language": "xx"}\n')
    with pytest.raises(DeskError, match="is no log"):
        confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)


def log(path, count, mistaken):
    """Write a log of answers that are as often right as they are sure, but for a share that is mistaken anyway."""
    with path.open("w") as file:
        for number in range(count):
            sure = compat.draw_number(1000, 7, number) / 1000
            right = compat.draw_number(1000, 8, number) / 1000 < (
                0.0 if sure < 0.3 else 0.8 if sure < 0.6 else 1 - mistaken
            )
            entry = {
                "game": number,
                "question": "word",
                "guess": "parts",
                "phrase": "no" if right else "yes",
                "confidence": sure,
            }
            file.write(f"{json.dumps(entry)}\n{json.dumps({'game': number, 'word': 'tides'})}\n")
    return path


def test_thresholds_are_learned_and_printed(tmp_path, capsys):
    path = log(tmp_path / "heard.jsonl", 800, 0.0)
    code, out, _ = run(capsys, "voice", "learn", str(path), "--json")
    found = json.loads(out)
    low, high = found["certainty"]
    assert code == 0 and 0.28 < low < 0.6 and 0.55 < high <= 0.62 and found["wrong"] / found["believed"] < 0.02
    code, out, _ = run(capsys, "voice", "learn", str(path))
    assert code == 0 and f"--certainty {low:g},{high:g}" in out and "800 answers" in out


@pytest.mark.parametrize(
    "count, mistaken, sentence",
    [(20, 0.0, "20 answers whose truth is known; 60 are needed"), (200, 0.5, "let NAO ask back each time")],
)
def test_too_few_answers_are_reported(tmp_path, capsys, count, mistaken, sentence):
    code, _, complaint = run(capsys, "voice", "learn", str(log(tmp_path / "heard.jsonl", count, mistaken)))
    assert code == 2 and sentence in complaint and complaint.count("\n") == 1


def test_a_wrong_log_is_reported(tmp_path):
    for content in (b"", b"hello\n", b'{"game": 1}\n' * 3, b"[" * 5000):
        (tmp_path / "heard.jsonl").write_bytes(content)
        with pytest.raises(DeskError, match="is no log"):
            confidence.read_heard_log(tmp_path / "heard.jsonl", mind.load_lines)
    with pytest.raises(DeskError, match="no such file"):
        confidence.read_heard_log(tmp_path / "none", mind.load_lines)
    with pytest.raises(DeskError, match="0 answers"):
        confidence.learn([])


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--certainty", "0.9,0.1", "--voice"], "'0.9,0.1'"),
        (["--certainty", "1", "--voice"], "'1'"),
        (["--certainty", "nan,1", "--voice"], "'nan,1'"),
        (["--keep-log"], "add --voice"),
    ],
)
def test_wrong_options(capsys, options, sentence):
    code, _, complaint = run(capsys, "play", *options)
    assert code == 2 and sentence in complaint and complaint.count("\n") == 1
