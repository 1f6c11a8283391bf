"""Simulated time in rehearsals: whose seconds they are, and that a person who thinks changes nothing else."""

import json
import re

import pytest
from command_line import jotto

from jotto_behaviour.states import STATES


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("games", [("--sample", "6"), ("--role", "maker", "--sample", "6")], ids=["breaker", "maker"])
def test_a_person_who_thinks_takes_that_long_and_changes_nothing_else(capsys, games):
    def rehearse(capsys, *arguments):
        code, out, _ = jotto(capsys, "rehearse", "--json", "--jobs", "1", "--seed", "2", *arguments)
        sums = json.loads(out)
        assert (code, sums["failures"]) == (0, [])
        return sums

    at_once, later = rehearse(capsys, *games), rehearse(capsys, *games, "--answer-seconds", "2.5")
    times = {"robot_seconds", "person_seconds", "game_seconds", "person_share", "answer_seconds", "seconds"}
    assert {key: at_once[key] for key in at_once if key not in times} == {
        key: later[key] for key in later if key not in times
    }
    assert at_once["robot_seconds"] == later["robot_seconds"] == at_once["game_seconds"]
    assert at_once["person_seconds"] == {"median": 0, "p90": 0} and at_once["person_share"] == 0
    whole = at_once["robot_seconds"]["median"] * 6
    assert later["person_share"] == pytest.approx(2.5 * later["answers"] / (whole + 2.5 * later["answers"]), abs=0.05)


def test_times_of_nao_and_of_the_person(capsys):
    def transcript(capsys, *arguments):
        code, out, _ = jotto(capsys, "rehearse", "--secret", "ocean", *arguments)
        *lines, times = out.splitlines()
        assert code == 0
        robot, person = re.fullmatch(r" {5}\(.* s, NAO (.*) s, the person (.*) s\)", times).groups()
        return lines, float(robot), float(person)

    at_once, later = transcript(capsys), transcript(capsys, "--answer-seconds", "3")
    answers = [line for line in at_once[0] if line.startswith("YOU")]
    assert later == (at_once[0], at_once[1], 3 * len(answers))
    # Answers that come after NAO's reminders.
    lines, robot, late = transcript(capsys, "--answer-seconds", "20")
    late_answers = [line for line in lines if line.startswith("YOU")]
    assert answers[: len(late_answers)] == late_answers and len(late_answers) > 5
    assert len(lines) > len(at_once[0]) and robot > at_once[1] and late > 8 * len(late_answers)
    # A touch takes a tenth of a second; silence is time of the person.
    lines, robot, touched = transcript(capsys, "--touch")
    touches = sum(line.count(",") + 1 for line in lines if line.startswith("YOU"))
    assert robot > touched == pytest.approx(touches / 10)
    lines, _, silent = transcript(capsys, "--silence", "0.3")
    silences = sum(line == "YOU  (silence)" for line in lines)
    waits = sorted(state.seconds for state in STATES.values() if state.listens)
    assert silences and silences * waits[0] <= silent <= silences * waits[-1]


def test_wrong_answer_seconds(capsys):
    for arguments, words in (
        (("20.5",), "20"),
        (("-1",), "0"),
        (("nan",), "20"),
        (("2", "--robot", "tcp://127.0.0.1:9"), "clock"),
    ):
        code, out, err = jotto(capsys, "rehearse", "--sample", "1", "--answer-seconds", *arguments)
        assert (code, out) == (2, "") and "--answer-seconds" in err and words in err, arguments
