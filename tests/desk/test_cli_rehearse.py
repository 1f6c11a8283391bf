"""`jotto rehearse`: what it prints, what it refuses, and that both Pythons play the same games."""

import itertools
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from command_line import jotto
from engine_trees import file_of, plan_of
from interpreters import python27

from jotto import compat
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk.rehearsal import batch
from jotto_desk.rehearsal.batch import BATCH, DEADLY, MOST_DEADLY, NOT_PLAYED, RobotChoice, play_all
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.rehearsal.person import SimulatedPerson
from jotto_desk.rehearsal.robots import behaviour_file, interpreter

MINE = ("ocean", "canoe", "table", "knife")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_one_game_is_a_transcript(capsys):
    code, out, _ = jotto(capsys, "rehearse", "--secret", "Ocean")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("NAO  ") and lines[1] == "YOU  ready"
    assert any("Is it" in line for line in lines) and any("OCEAN" in line for line in lines)
    assert lines[-3] == "YOU  no" and lines[-2].startswith("NAO  ")
    assert re.fullmatch(r" {5}\((\d+\.\d) s, NAO \1 s, the person 0\.0 s\)", lines[-1])


KEYS = ("games", "found", "mean", "max", "histogram", "gave_up", "failures", "list", "strategy", "seed")


def test_many_games_as_json(capsys):
    code, out, _ = jotto(capsys, "rehearse", "--sample", "12", "--strategy", "consistent", "--seed", "4", "--json")
    sums = json.loads(out)
    assert code == 0
    assert set(KEYS) <= set(sums)
    assert (sums["games"], sums["found"], sums["gave_up"], sums["failures"]) == (12, 12, 0, [])
    assert (sums["list"], sums["strategy"], sums["seed"]) == ("en", "consistent", 4)
    assert sum(sums["histogram"].values()) == 12
    assert sums["mean"] == pytest.approx(sum(int(n) * count for n, count in sums["histogram"].items()) / 12, abs=1e-4)


def test_jobs_do_not_change_the_games(capsys, tmp_path):
    """Takes seconds: games with every kind of trouble, by one process and by two."""
    results = []
    for jobs in ("1", "2"):
        file = tmp_path / f"{jobs}.txt"
        jotto(
            capsys,
            "rehearse",
            "--sample",
            "16",
            "--mishear",
            "0.2",
            "--silence",
            "0.1",
            "--mistake",
            "0.1",
            "--jobs",
            jobs,
            "--transcripts",
            str(file),
            "--json",
        )
        results.append(file.read_text(encoding="utf-8"))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "trouble",
    [
        ("--mishear", "0.3"),
        ("--silence", "0.3"),
        ("--mistake", "0.3"),
        ("--mishear", "0.2", "--silence", "0.2", "--mistake", "0.2"),
        ("--without", "ALSpeechRecognition"),
        ("--without", "ALAnimatedSpeech"),
        ("--without", "ALLeds"),
        ("--without", "ALSpeechRecognition", "--without", "ALDialog", "--touch"),
    ],
)
def test_trouble_leads_to_no_dead_end(capsys, trouble):
    """Takes seconds each: enough games for every trouble to meet every question."""
    code, out, _ = jotto(capsys, "rehearse", "--sample", "12", "--json", *trouble)
    assert json.loads(out)["failures"] == [] and code == 0


def test_both_pythons_say_the_same(capsys, tmp_path):
    """Takes seconds: whole games on Python 2.7, compared word for word and second for second."""
    results = []
    for name, python in (("3", ()), ("27", ("--python", python27()))):
        file = tmp_path / f"{name}.txt"
        code, out, _ = jotto(
            capsys,
            "rehearse",
            "--sample",
            "8",
            "--mishear",
            "0.1",
            "--mistake",
            "0.1",
            "--json",
            "--answer-seconds",
            "2.5",
            *python,
            "--transcripts",
            str(file),
        )
        results.append((code, file.read_bytes(), json.loads(out) | {"seconds": 0}))
    assert results[0] == results[1]


def test_by_default_a_wrong_answer_is_played_through_and_named(capsys):
    results = {}
    for strategy in ("belief", "tree"):
        code, out, _ = jotto(
            capsys,
            "rehearse",
            "--sample",
            "30",
            "--mistake",
            "0.1",
            "--seed",
            "3",
            "--json",
            *(("--strategy", strategy) if strategy != "belief" else ()),
        )
        results[strategy] = json.loads(out)
        assert (code, results[strategy]["found"], results[strategy]["strategy"]) == (0, 30, strategy)
    assert results["belief"]["slips_named"] > results["tree"]["slips_named"]
    assert results["belief"]["answers"] < results["tree"]["answers"]


def test_a_name_that_does_not_run_is_looked_for_elsewhere(tmp_path, monkeypatch):
    door = tmp_path / "python2.7"
    door.write_text("#!/bin/sh\nexit 127\n")
    door.chmod(0o755)
    monkeypatch.setenv("JOTTO_PYTHON27", python27())
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert interpreter("python2.7") == python27()


def test_transcripts_that_cannot_be_written_are_refused_before_a_game(capsys, tmp_path):
    code, out, err = jotto(capsys, "rehearse", "--sample", "1", "--json", "--transcripts", str(tmp_path))
    assert (code, out) == (2, "")
    assert err == f"'{tmp_path}' cannot be written (it is a folder); choose another place.\n"


#: The command line, which says on a pipe when it begins: on a busy computer Python itself may take a second to start.
BEGINS = """
import os, sys
from jotto_desk.__main__ import main
os.write(int(sys.argv.pop(1)), b".")
main()
"""


@pytest.mark.parametrize("arguments, moments", [((), (0.2, 0.5)), (("--json",), (1.3,))], ids=["table", "json"])
def test_ctrl_c_ends_every_process(arguments, moments):
    """Takes its time for three moments: packages are imported, processes begin, games are played."""
    for wait in moments:
        begun, begins = os.pipe()
        command = [sys.executable, "-c", BEGINS, str(begins), "rehearse", "--all", "--jobs", "2", *arguments]
        child = subprocess.Popen(
            command,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[begins],
        )
        os.close(begins)
        assert os.read(begun, 1) == b"."
        os.close(begun)
        time.sleep(wait)
        os.killpg(child.pid, signal.SIGINT)
        # A child that lives on keeps the pipe open, so this waits for all of them.
        out, err = child.communicate(timeout=60)
        assert (child.returncode, err) == (130, "\nStopped.\n")
        if arguments and out:
            sums = json.loads(out)
            assert sums["stopped"] and sums["games"] == sums["found"] < sums["asked"]
        else:
            assert not out or " of 2920 games" in out


def interrupted_after(count):
    """Make a rehearsal that is stopped after so many games."""

    def play(secrets, *_):
        yield from itertools.islice(play_all(secrets, *_), count)
        raise KeyboardInterrupt

    return play


@pytest.mark.parametrize("count", [0, 2])
def test_after_ctrl_c_the_games_played_are_told(capsys, monkeypatch, tmp_path, count):
    monkeypatch.setattr("jotto_desk.cli.rehearse.play_all", interrupted_after(count))
    file = tmp_path / "lines.txt"
    code, out, err = jotto(capsys, "rehearse", "--sample", "5", "--json", "--transcripts", str(file))
    sums = json.loads(out)
    assert (code, err) == (130, "\nStopped.\n")
    assert (sums["games"], sums["asked"], sums["stopped"], sums["found"]) == (count, 5, True, count)
    assert file.read_text(encoding="utf-8").count("# ") == count
    code, out, err = jotto(capsys, "rehearse", "--sample", "5")
    assert (code, err, out[:22]) == (130, "\nStopped.\n", "the first 2 of 5 games"[: 22 * count])


def test_games_of_all_processes_come_in_order_and_also_after_ctrl_c():
    """Takes seconds: games in two processes."""
    secrets, children = mind.load_mind("", "consistent", ()).wordlist.words[:120], multiprocessing.active_children()
    games = play_all(secrets, RehearsalSettings(strategy="consistent"), RobotChoice(), 2)
    records = [next(games), next(games)]
    with pytest.raises(KeyboardInterrupt):
        records.append(games.throw(KeyboardInterrupt()))
        records += games
    assert len(records) >= BATCH and all(record.found and not record.failures for record in records)
    places = [secrets.index(record.secret) for record in records]
    assert places == sorted(set(places)) and places[:BATCH] == list(range(BATCH))
    assert set(multiprocessing.active_children()) <= set(children)


def test_no_game_begins_in_a_process_whose_parent_has_gone():
    """However it ended: a kill leaves it no time to tell."""
    ended, stop = multiprocessing.get_context("spawn").Process(), threading.Event()
    ended.start()
    batch._follow(ended, stop)
    assert stop.is_set() and not ended.is_alive()
    batch._follow(None, None)


def test_a_game_that_breaks_is_counted_and_the_others_are_played(capsys, monkeypatch):
    """What breaks is the simulated person here."""
    before = SimulatedPerson._counted

    def counted(self, guess):
        if self.secret == chosen and self.turn > 4:
            raise IndexError("string index out of range")
        return before(self, guess)

    chosen = compat.draw_items(mind.load_mind("", "belief", ()).wordlist.words, 4, 1, "secrets")[1]
    monkeypatch.setattr(SimulatedPerson, "_counted", counted)
    code, out, err = jotto(capsys, "rehearse", "--sample", "4", "--json")
    sums = json.loads(out)
    assert (code, err, sums["games"], sums["found"], sums["stopped"]) == (1, "", 4, 3, False)
    assert [row["secret"] for row in sums["failures"]] == [chosen]
    assert re.fullmatch(
        r"IndexError: string index out of range \(test_cli_rehearse.py, line \d+\)", *sums["failures"][0]["failures"]
    )
    out = jotto(capsys, "rehearse", "--sample", "4")[1]
    assert "found 3 of 4, mean" in out and f"FAILED {chosen}: IndexError: string index" in out


def test_a_process_that_is_killed_fails_its_games_alone(capsys, tmp_path):
    """Takes seconds: processes are started."""
    deadly = tmp_path / "project" / "behavior_1" / "behavior.xar"
    deadly.parent.mkdir(parents=True)
    text = behaviour_file().read_text(encoding="utf-8")
    deadly.write_text(
        text.replace("self.controller.begin()", "__import__('os').kill(__import__('os').getpid(), 9)"), encoding="utf-8"
    )
    code, out, err = jotto(capsys, "rehearse", "--sample", "60", "--jobs", "2", "--behaviour", str(deadly), "--json")
    sums = json.loads(out)
    assert (code, err, sums["games"], sums["found"]) == (1, "", 60, 0)
    assert [row["failures"] for row in sums["failures"]] == [[DEADLY]] * MOST_DEADLY + [[NOT_PLAYED]] * (
        60 - MOST_DEADLY
    )


class Deadly(str):
    """A word that a process dies of."""

    def __reduce__(self):
        return os._exit, (9,)


def test_the_game_that_a_process_dies_of_fails_alone():
    """Takes seconds: processes are started."""
    secrets = list(mind.load_mind("", "consistent", ()).wordlist.words[: BATCH + 4])
    secrets[2] = Deadly(secrets[2])
    records = list(play_all(secrets, RehearsalSettings(strategy="consistent"), RobotChoice(), 2))
    assert [record.secret for record in records] == secrets
    assert [(record.secret, record.failures) for record in records if not record.found] == [(secrets[2], [DEADLY])]


@pytest.mark.parametrize("arguments", [("--role", "maker", "--sample", "2"), ("--secret", "ocean")])
def test_a_staged_project_is_played_with_its_own_lib(capsys, tmp_path, arguments):
    """The robot's modules replace none of the desk's, of which lib has not all; in a process that has imported few."""
    assert jotto(capsys, "robot", "stage", "--to", tmp_path / "staged")[0] == 0
    behaviour = tmp_path / "staged" / "behavior_1" / "behavior.xar"
    assert not (tmp_path / "staged" / "lib" / "jotto" / "reference.py").exists()
    command = [sys.executable, "-m", "jotto_desk", "rehearse", *arguments, "--behaviour", str(behaviour), "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    sums = json.loads(ended.stdout)
    assert (sums["found"], sums["failures"]) == (sums["games"], [])


def test_a_game_that_fails_is_exit_code_1(capsys, tmp_path):
    broken = tmp_path / "project" / "behavior_1" / "behavior.xar"
    broken.parent.mkdir(parents=True)
    text = behaviour_file().read_text(encoding="utf-8")
    broken.write_text(text.replace("self.controller.begin()", "self.controller.begun()"), encoding="utf-8")
    code, out, _ = jotto(capsys, "rehearse", "--secret", "ocean", "--behaviour", str(broken), "--json")
    assert code == 1
    assert "begun" in json.loads(out)["failures"][0]["failures"][0]


def truncated(folder):
    (folder / "short.xar").write_bytes(behaviour_file().read_bytes()[:4000])
    return "rehearse", "--secret", "ocean", "--behaviour", str(folder / "short.xar")


def word_list(content):
    def arguments(folder):
        (folder / "list.txt").write_bytes(content)
        return "rehearse", "--sample", "3", "--words", str(folder / "list.txt")

    return arguments


BAD = [
    ("no such list", lambda folder: ("rehearse", "--sample", "3", "--words", "nowhere.txt"), "'nowhere.txt'"),
    ("a folder", lambda folder: ("rehearse", "--sample", "3", "--words", str(folder)), "folder"),
    ("empty list", word_list(b""), "no word"),
    ("one word", word_list(b"ocean\n"), "ocean"),
    ("binary", word_list(b"\x00\x01\xff" * 50), "not plain text"),
    ("truncated behaviour", truncated, "short.xar"),
    ("no behaviour", lambda folder: ("rehearse", "--secret", "ocean", "--behaviour", "gone.xar"), "gone.xar"),
    ("no strategy", lambda folder: ("rehearse", "--secret", "ocean", "--strategy", "magic"), "magic"),
    ("no interpreter", lambda folder: ("rehearse", "--secret", "ocean", "--python", "python0"), "python0"),
    ("no interpreter but a program", lambda folder: ("rehearse", "--secret", "ocean", "--python", "true"), "'true'"),
    ("no service", lambda folder: ("rehearse", "--secret", "ocean", "--without", "ALEars"), "ALEars"),
    ("letters twice", lambda folder: ("rehearse", "--secret", "hello"), "hello"),
    ("too short", lambda folder: ("rehearse", "--secret", "sea"), "sea"),
    ("nothing to play", lambda folder: ("rehearse",), "--secret"),
    ("two things to play", lambda folder: ("rehearse", "--all", "--secret", "ocean"), "one of them"),
    ("a rate above one", lambda folder: ("rehearse", "--all", "--mishear", "2"), "--mishear"),
    ("play: no list", lambda folder: ("play", "--words", "nowhere.txt"), "'nowhere.txt'"),
    ("no such command", lambda folder: ("dance",), "dance"),
]


@pytest.mark.parametrize("arguments, quoted", [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, tmp_path, arguments, quoted):
    code, out, err = jotto(capsys, *arguments(tmp_path))
    assert (code, out) == (2, "")
    assert quoted in err and "Traceback" not in err


@pytest.mark.parametrize(
    "name, content, reason",
    [
        ("mywords.txt", b"ocean\nstone\n", "This is not a tree file; make one with 'jotto solve'."),
        (
            "mine.tree",
            file_of(plan_of(MINE, JOTTO, 1), MINE, JOTTO, "mine"),
            "The tree is for other words ('mine', 4 of them).",
        ),
    ],
)
def test_a_tree_that_was_asked_for_is_played_or_refused_by_its_name(name, content, reason, tmp_path, capsys):
    """It was left out with a word about 'en.tree', which nobody had named."""
    path = tmp_path / name
    path.write_bytes(content)
    for command in (["rehearse", "--sample", "1"], ["play"]):
        code, out, err = jotto(capsys, *command, "--tree", path)
        assert (code, out) == (2, "")
        assert err.strip().endswith(f"The tree '{path}' cannot be played with list en: {reason}")


def test_a_tree_for_the_beginning_of_the_list_is_refused(tmp_path, capsys):
    """It was walked, and every word behind the first ones was found half a guess later."""
    words = mind.load_mind("", "consistent", ()).wordlist.words[:20]
    (tmp_path / "few.tree").write_bytes(file_of(plan_of(words, JOTTO, 1), words, JOTTO, "few"))
    code, _, err = jotto(capsys, "rehearse", "--sample", "1", "--tree", tmp_path / "few.tree")
    assert code == 2 and "The tree is for 20 of the 2920 words of this list" in err


# Levels


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_games_of_a_level_are_rehearsed_in_both_roles(level, capsys):
    code, out, _ = jotto(capsys, "rehearse", "--sample", 6, "--level", level, "--jobs", 1, "--json")
    found = json.loads(out)
    assert code == 0 and (found["level"], found["found"], found["failures"]) == (level, 6, [])
    code, out, _ = jotto(capsys, "rehearse", "--role", "maker", "--sample", 4, "--level", level, "--jobs", 1, "--json")
    found = json.loads(out)
    assert code == 0 and (found["level"], found["found"], found["failures"]) == (level, 4, [])


def test_another_level_is_refused(capsys):
    code, _, err = jotto(capsys, "rehearse", "--sample", 1, "--level", "brutal")
    assert code == 2 and "brutal" in err and "easy" in err
