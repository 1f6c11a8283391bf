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


def rehearse(capsys, *arguments):
    """Rehearse with one process, and return the sums."""
    code, out, _ = jotto(capsys, "rehearse", "--json", "--jobs", "1", "--seed", "2", *arguments)
    sums = json.loads(out)
    assert (code, sums["failures"]) == (0, [])
    return sums


ROLES = [("--sample", "6"), ("--role", "maker", "--sample", "6")]


@pytest.mark.parametrize("games", ROLES, ids=["breaker", "maker"])
def test_a_person_who_thinks_takes_that_long_and_changes_nothing_else(capsys, games):
    at_once, later = rehearse(capsys, *games), rehearse(capsys, *games, "--answer-seconds", "2.5")
    times = {"robot_seconds", "person_seconds", "game_seconds", "person_share", "answer_seconds", "seconds"}
    assert {key: at_once[key] for key in at_once if key not in times} == {
        key: later[key] for key in later if key not in times
    }
    assert at_once["robot_seconds"] == later["robot_seconds"] == at_once["game_seconds"]
    assert at_once["person_seconds"] == {"median": 0, "p90": 0} and at_once["person_share"] == 0
    whole = at_once["robot_seconds"]["median"] * 6
    assert later["person_share"] == pytest.approx(2.5 * later["answers"] / (whole + 2.5 * later["answers"]), abs=0.05)


def transcript(capsys, *arguments):
    """Rehearse one game and return its lines, and NAO's seconds and the person's."""
    code, out, _ = jotto(capsys, "rehearse", "--secret", "ocean", *arguments)
    *lines, times = out.splitlines()
    assert code == 0
    robot, person = re.fullmatch(r" {5}\(.* s, NAO (.*) s, the person (.*) s\)", times).groups()
    return lines, float(robot), float(person)


def test_every_answer_takes_its_seconds(capsys):
    at_once, later = transcript(capsys), transcript(capsys, "--answer-seconds", "3")
    answers = sum(line.startswith("YOU") for line in at_once[0])
    assert later == (at_once[0], at_once[1], 3 * answers)


def test_touches_take_a_tenth_of_a_second_each(capsys):
    lines, robot, person = transcript(capsys, "--touch")
    touches = sum(line.count(",") + 1 for line in lines if line.startswith("YOU"))
    assert robot > person == pytest.approx(touches / 10)


def test_silence_is_time_of_the_person(capsys):
    lines, _, person = transcript(capsys, "--silence", "0.3")
    silences = sum(line == "YOU  (silence)" for line in lines)
    waits = sorted(state.seconds for state in STATES.values() if state.listens)
    assert silences and silences * waits[0] <= person <= silences * waits[-1]


def test_an_answer_later_than_nao_waits_meets_reminders(capsys):
    lines, robot, person = transcript(capsys, "--answer-seconds", "20")
    at_once = transcript(capsys)
    answers = [line for line in lines if line.startswith("YOU")]
    assert [line for line in at_once[0] if line.startswith("YOU")][: len(answers)] == answers and len(answers) > 5
    assert len(lines) > len(at_once[0]) and robot > at_once[1] and person > 8 * len(answers)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("--answer-seconds", "20.5"), "20"),
        (("--answer-seconds", "-1"), "0"),
        (("--answer-seconds", "nan"), "20"),
        (("--answer-seconds", "2", "--robot", "tcp://127.0.0.1:9"), "clock"),
    ],
)
def test_seconds_that_cannot_be(capsys, arguments, words):
    code, out, err = jotto(capsys, "rehearse", "--sample", "1", *arguments)
    assert (code, out) == (2, "") and "--answer-seconds" in err and words in err
