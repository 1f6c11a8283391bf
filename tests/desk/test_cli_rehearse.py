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
from engine_trees import file_of, plan_of
from interpreters import python27
from processes import process

from jotto import compat
from jotto.rules import JOTTO
from jotto_behaviour import mind
from jotto_desk.rehearsal import batch
from jotto_desk.rehearsal.batch import DEADLY, MOST_DEADLY, NOT_PLAYED, RobotChoice, play_all
from jotto_desk.rehearsal.game import RehearsalSettings
from jotto_desk.rehearsal.person import SimulatedPerson
from jotto_desk.rehearsal.robots import find_behaviour_file, find_interpreter


@pytest.fixture(autouse=True)
def own_folders(cli):
    """Give the user folders of their own."""


@pytest.fixture
def small_batches(monkeypatch):
    """Give a process three games at a time, so that a few games are for several processes."""
    monkeypatch.setattr(batch, "BATCH", 3)


def play_games(cli, *arguments):
    """Rehearse games; return the summary, which has no failure."""
    sums = cli.json("rehearse", *arguments)
    assert sums["failures"] == []
    return sums


def edited_behaviour(folder, before, after):
    """Save the behaviour with a part of it replaced; return its path."""
    path = folder / "project" / "behavior_1" / "behavior.xar"
    path.parent.mkdir(parents=True)
    path.write_text(find_behaviour_file().read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    return path


def test_one_game_is_a_transcript(cli):
    code, out, _ = cli("rehearse", "--secret", "Ocean")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("NAO  ") and lines[1] == "YOU  ready"
    assert any("Is it" in line for line in lines) and any("OCEAN" in line for line in lines)
    assert lines[-3] == "YOU  no" and lines[-2].startswith("NAO  ")
    assert re.fullmatch(r" {5}\((\d+\.\d) s, NAO \1 s, the person 0\.0 s\)", lines[-1])


def test_many_games_as_json(cli):
    sums = play_games(cli, "--sample", "12", "--strategy", "consistent", "--seed", "4")
    assert {"max", "histogram"} <= set(sums)
    assert (sums["games"], sums["found"], sums["gave_up"]) == (12, 12, 0)
    assert (sums["list"], sums["strategy"], sums["seed"]) == ("en", "consistent", 4)
    assert sum(sums["histogram"].values()) == 12
    assert sums["mean"] == pytest.approx(sum(int(n) * count for n, count in sums["histogram"].items()) / 12, abs=1e-4)


def test_neither_jobs_nor_python_change_the_games(cli, tmp_path, small_batches):
    """Takes seconds: games with every kind of trouble, by one process, by two, and on Python 2.7."""
    results, file = [], tmp_path / "games.txt"
    trouble = ("--mishear", "0.2", "--silence", "0.1", "--mistake", "0.1", "--answer-seconds", "2.5")
    for way in (("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--python", python27())):
        sums = cli.json("rehearse", "--sample", "4", *trouble, *way, "--transcripts", file)
        results.append((file.read_bytes(), sums | {"seconds": 0}))
    assert results[0] == results[1] == results[2]


def test_trouble_leads_to_no_dead_end(cli):
    """Play so many games that every trouble meets every question; this takes seconds."""
    for trouble in (
        "--mishear 0.3",
        "--silence 0.3",
        "--mistake 0.3",
        "--mishear 0.2 --silence 0.2 --mistake 0.2",
        "--without ALSpeechRecognition --without ALAnimatedSpeech",
        "--without ALSpeechRecognition --without ALDialog --without ALLeds --touch",
    ):
        play_games(cli, "--sample", "5", *trouble.split())


def test_the_default_strategy_names_a_wrong_answer(cli):
    results = {}
    for strategy, option in (("belief", ()), ("tree", ("--strategy", "tree"))):
        sums = play_games(cli, "--sample", "20", "--mistake", "0.1", "--seed", "3", *option)
        assert (sums["found"], sums["strategy"]) == (20, strategy)
        results[strategy] = sums
    assert results["belief"]["slips_named"] > results["tree"]["slips_named"]
    assert results["belief"]["answers"] < results["tree"]["answers"]


def test_an_interpreter_that_does_not_run_is_looked_for_elsewhere(tmp_path, monkeypatch):
    broken = tmp_path / "python2.7"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("NAOSIM_PYTHON27", python27())
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert find_interpreter("python2.7") == python27()


# Ctrl-C and processes.


def test_ctrl_c_ends_every_process():
    """Takes its time for three moments: packages are imported, processes begin, games are played."""
    # Says on a pipe when the command begins: on a busy computer Python itself may take a second to start.
    begins_ = """
import os, sys
from jotto_desk.__main__ import main
os.write(int(sys.argv.pop(1)), b".")
main()
"""
    for arguments, wait in (((), 0.2), ((), 0.5), (("--json",), 1.3)):
        begun, begins = os.pipe()
        command = [sys.executable, "-c", begins_, str(begins), "rehearse", "--all", "--jobs", "2", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "pass_fds": [begins]}
        child = subprocess.Popen(command, text=True, start_new_session=True, **pipes)
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


def test_after_ctrl_c_the_played_games_are_reported(cli, monkeypatch, tmp_path):
    file = tmp_path / "lines.txt"
    for count in (0, 2):

        def interrupted(secrets, *more, count=count):
            yield from itertools.islice(play_all(secrets, *more), count)
            raise KeyboardInterrupt

        monkeypatch.setattr("jotto_desk.cli.rehearse.play_all", interrupted)
        code, out, err = cli("rehearse", "--sample", "5", "--json", "--transcripts", file)
        sums = json.loads(out)
        assert (code, err) == (130, "\nStopped.\n")
        assert (sums["games"], sums["asked"], sums["stopped"], sums["found"]) == (count, 5, True, count)
        assert file.read_text(encoding="utf-8").count("# ") == count
        code, out, err = cli("rehearse", "--sample", "5")
        assert (code, err, out[:22]) == (130, "\nStopped.\n", "the first 2 of 5 games"[: 22 * count])


def test_games_of_all_processes_come_in_order_also_after_ctrl_c(small_batches):
    """Takes seconds: games in two processes."""
    secrets, children = mind.load_mind("", "consistent", ()).wordlist.words[:60], multiprocessing.active_children()
    games = play_all(secrets, RehearsalSettings(strategy="consistent"), RobotChoice(), 2)
    records = [next(games), next(games)]
    with pytest.raises(KeyboardInterrupt):
        records.append(games.throw(KeyboardInterrupt()))
        records += games
    assert len(records) >= batch.BATCH and all(record.found and not record.failures for record in records)
    places = [secrets.index(record.secret) for record in records]
    assert places == sorted(set(places)) and places[:3] == [0, 1, 2]
    assert set(multiprocessing.active_children()) <= set(children)


def test_a_process_stops_when_its_parent_has_ended():
    """A killed parent has no time to tell its children."""
    ended, stop = multiprocessing.get_context("spawn").Process(), threading.Event()
    ended.start()
    batch._follow(ended, stop)
    assert stop.is_set() and not ended.is_alive()
    batch._follow(None, None)


# Games that fail.


def test_a_game_that_breaks_is_counted_and_the_others_are_played(cli, monkeypatch):
    """The simulated person breaks here."""
    before = SimulatedPerson._count_letters

    def counted(self, guess):
        if self.secret == chosen and self.turn > 4:
            raise IndexError("string index out of range")
        return before(self, guess)

    chosen = compat.draw_items(mind.load_mind("", "belief", ()).wordlist.words, 4, 1, "secrets")[1]
    monkeypatch.setattr(SimulatedPerson, "_count_letters", counted)
    code, out, err = cli("rehearse", "--sample", "4", "--json")
    sums = json.loads(out)
    assert (code, err, sums["games"], sums["found"], sums["stopped"]) == (1, "", 4, 3, False)
    assert [row["secret"] for row in sums["failures"]] == [chosen]
    assert re.fullmatch(
        r"IndexError: string index out of range \(test_cli_rehearse.py, line \d+\)", *sums["failures"][0]["failures"]
    )
    out = cli("rehearse", "--sample", "4")[1]
    assert "found 3 of 4, mean" in out and f"FAILED {chosen}: IndexError: string index" in out


def test_killed_processes_fail_their_games(cli, tmp_path):
    """Takes seconds: processes are started."""
    path = edited_behaviour(tmp_path, "self.controller.begin()", "__import__('os').kill(__import__('os').getpid(), 9)")
    code, out, err = cli("rehearse", "--sample", "60", "--jobs", "2", "--behaviour", path, "--json")
    sums = json.loads(out)
    assert (code, err, sums["games"], sums["found"]) == (1, "", 60, 0)
    failures = [[DEADLY]] * MOST_DEADLY + [[NOT_PLAYED]] * (60 - MOST_DEADLY)
    assert [row["failures"] for row in sums["failures"]] == failures


class Deadly(str):
    """A word that kills the process that reads it."""

    def __reduce__(self):
        return os._exit, (9,)


def test_only_the_game_that_kills_its_process_fails(small_batches):
    """Takes seconds: processes are started."""
    secrets = list(mind.load_mind("", "consistent", ()).wordlist.words[:7])
    secrets[2] = Deadly(secrets[2])
    records = list(play_all(secrets, RehearsalSettings(strategy="consistent"), RobotChoice(), 2))
    assert [record.secret for record in records] == secrets
    assert [(record.secret, record.failures) for record in records if not record.found] == [(secrets[2], [DEADLY])]


def test_a_behaviour_that_fails_is_exit_code_1(cli, tmp_path):
    path = edited_behaviour(tmp_path, "self.controller.begin()", "self.controller.begun()")
    code, out, _ = cli("rehearse", "--secret", "ocean", "--behaviour", path, "--json")
    assert code == 1 and "begun" in json.loads(out)["failures"][0]["failures"][0]


def test_a_staged_project_is_played_with_its_own_lib(cli, tmp_path):
    """The robot's modules must not replace the desk's, which are more; so the process has imported few."""
    assert cli("robot", "stage", "--to", tmp_path / "staged")[0] == 0
    behaviour = tmp_path / "staged" / "behavior_1" / "behavior.xar"
    assert not (tmp_path / "staged" / "lib" / "jotto" / "reference.py").exists()
    program = """
import sys
from jotto_desk.cli import main
for arguments in ["--role", "maker", "--sample", "2"], ["--secret", "ocean"]:
    try:
        main(["rehearse", *arguments, "--behaviour", sys.argv[1], "--json"])
    except SystemExit as end:
        print(end.code)
"""
    ended = process(sys.executable, "-c", program, behaviour)
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ended.stderr == "" and lines[1::2] == [0, 0]
    assert [(sums["found"], sums["failures"]) for sums in lines[::2]] == [(2, []), (1, [])]


# Wrong input.


def test_bad_input_is_one_sentence(cli, tmp_path):
    lists = {"empty.txt": b"", "one.txt": b"ocean\n", "binary.txt": b"\x00\x01\xff" * 50}
    for name, content in lists.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "short.xar").write_bytes(find_behaviour_file().read_bytes()[:4000])
    for arguments, quoted in [
        ("--sample 3 --words nowhere.txt", "'nowhere.txt'"),
        ("--sample 3 --words .", "folder"),
        ("--sample 3 --words empty.txt", "no word"),
        ("--sample 3 --words one.txt", "ocean"),
        ("--sample 3 --words binary.txt", "not plain text"),
        ("--secret ocean --behaviour short.xar", "short.xar"),
        ("--secret ocean --behaviour gone.xar", "gone.xar"),
        ("--secret ocean --strategy magic", "magic"),
        ("--secret ocean --python python0", "python0"),
        ("--secret ocean --python true", "'true'"),
        ("--secret ocean --without ALEars", "ALEars"),
        ("--secret hello", "'l'"),
        ("--secret sea", "sea"),
        ("", "--secret WORD, --all and --sample N"),
        ("--all --secret ocean", "one of --secret"),
        ("--all --mishear 2", "--mishear"),
        ("--sample 1 --level brutal", "easy"),
        ("--sample 1 --cluster tcp://127.0.0.1:1 --jobs 2", "--jobs is for this computer"),
        ("--sample 1 --transcripts .", "cannot be written (it is a folder)"),
        ("--sample 1 --transcripts /dev/null/x", "choose another place"),
    ]:
        assert quoted in cli.refusal("rehearse", *arguments.split()), arguments


def test_a_tree_for_other_words_is_refused_by_its_name(cli, tmp_path):
    """It was left out with a remark about 'en.tree', or walked although it has few of the words."""
    few = mind.load_mind("", "consistent", ()).wordlist.words[:20]
    mine = ("ocean", "canoe", "table", "knife")
    for name, content, reason in (
        ("mywords.txt", b"ocean\nstone\n", "This is not a tree file; make one with 'jotto solve'."),
        (
            "mine.tree",
            file_of(plan_of(mine, JOTTO, 1), mine, JOTTO, "mine"),
            "The tree is for other words ('mine', 4 of them).",
        ),
        ("few.tree", file_of(plan_of(few, JOTTO, 1), few, JOTTO, "few"), "The tree is for 20 of the 2920 words"),
    ):
        (tmp_path / name).write_bytes(content)
        for command in (["rehearse", "--sample", "1"], ["play"]):
            said = cli.refusal(*command, "--tree", name)
            assert f"The tree '{name}' cannot be played with list en: {reason}" in said


def test_every_level_is_rehearsed_in_both_roles(cli):
    for level in ("easy", "normal", "hard"):
        for sample, role in ((3, ()), (2, ("--role", "maker"))):
            sums = play_games(cli, "--sample", sample, "--level", level, "--jobs", 1, *role)
            assert (sums["level"], sums["found"]) == (level, sample)
