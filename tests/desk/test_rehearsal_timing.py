"""Simulated time in rehearsals: whose seconds they are, and that a person who thinks changes nothing else."""

import re

import pytest

from jotto_behaviour.states import STATES


@pytest.mark.parametrize("games", [("--sample", "4"), ("--role", "maker", "--sample", "4")])
def test_a_person_who_thinks_takes_that_long_and_changes_nothing_else(cli, games):
    command = ("rehearse", "--jobs", "1", "--seed", "2", *games)
    at_once, later = cli.json(*command), cli.json(*command, "--answer-seconds", "2.5")
    times = {"robot_seconds", "person_seconds", "game_seconds", "person_share", "answer_seconds", "seconds"}
    assert at_once["failures"] == [] and set(at_once) == set(later)
    assert {key for key in at_once if at_once[key] != later[key]} <= times
    assert at_once["robot_seconds"] == later["robot_seconds"] == at_once["game_seconds"]
    assert at_once["person_seconds"] == {"median": 0, "p90": 0} and at_once["person_share"] == 0
    whole = at_once["robot_seconds"]["median"] * 4
    assert later["person_share"] == pytest.approx(2.5 * later["answers"] / (whole + 2.5 * later["answers"]), abs=0.05)


def test_times_of_nao_and_of_the_person(cli):
    def transcript(*arguments):
        """Rehearse one game; return its lines, and NAO's seconds and the person's."""
        code, out, _ = cli("rehearse", "--secret", "ocean", *arguments)
        *lines, times = out.splitlines()
        assert code == 0
        robot, person = re.fullmatch(r" {5}\(.* s, NAO (.*) s, the person (.*) s\)", times).groups()
        return lines, float(robot), float(person)

    at_once, later = transcript(), transcript("--answer-seconds", "3")
    answers = [line for line in at_once[0] if line.startswith("YOU")]
    assert later == (at_once[0], at_once[1], 3 * len(answers))
    # Answers that come after NAO's reminders.
    lines, robot, late = transcript("--answer-seconds", "20")
    late_answers = [line for line in lines if line.startswith("YOU")]
    assert answers[: len(late_answers)] == late_answers and len(late_answers) > 5
    assert len(lines) > len(at_once[0]) and robot > at_once[1] and late > 8 * len(late_answers)
    # A touch takes a tenth of a second; silence is time of the person.
    lines, robot, touched = transcript("--touch")
    touches = sum(line.count(",") + 1 for line in lines if line.startswith("YOU"))
    assert robot > touched == pytest.approx(touches / 10)
    lines, _, silent = transcript("--silence", "0.3")
    silences = sum(line == "YOU  (silence)" for line in lines)
    waits = sorted(state.seconds for state in STATES.values() if state.listens)
    assert silences and silences * waits[0] <= silent <= silences * waits[-1]


def test_wrong_answer_seconds(cli):
    for value, words in (("20.5", "20"), ("-1", "0"), ("2 --robot tcp://127.0.0.1:9", "clock")):
        said = cli.refusal("rehearse", "--sample", "1", "--answer-seconds", *value.split())
        assert "--answer-seconds" in said and words in said
