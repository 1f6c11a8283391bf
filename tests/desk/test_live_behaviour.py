"""A behaviour in a live server: loaded, started and stopped on request, at a time that is stopped and stepped."""

import pytest
from interpreters import ROOT, python27

from naosim_live.hosting import HostedRobot

GREETING = str(ROOT / "docs" / "greeting")
PATIENCE = 30.0


@pytest.fixture(scope="module", params=["", "2.7"], ids=["3", "2.7"])
def python(request):
    return python27() if request.param else ""


@pytest.fixture(scope="module")
def robot(python):
    with HostedRobot(python) as made:
        yield made


@pytest.fixture
def ask(robot):
    """Ask the robot something, at time that stands still."""

    def asked(verb, **fields):
        return robot.ask(verb, **fields).result(PATIENCE)

    asked("pace", speed=0)
    return asked


def stepped(ask, holds):
    """Step until something holds, and return how often."""
    for steps in range(100):
        if holds():
            return steps
        ask("step")
    raise AssertionError(holds)


def test_nothing_is_started_before_it_is_loaded(python):
    with HostedRobot(python) as robot:
        assert robot.ask("behaviour").result(PATIENCE) == {"id": "", "runs": False}
        for verb in ("start", "stop"):
            with pytest.raises(RuntimeError, match="no behaviour is loaded: ask for load first"):
                robot.ask(verb).result(PATIENCE)


@pytest.mark.parametrize(
    "fields, sentence",
    [
        ({"file": "nowhere.xar"}, "nowhere.xar"),
        ({"file": 3}, '"file" is 3'),
        ({}, '"file" is'),
        ({"file": GREETING, "behaviour": "other"}, "other"),
        ({"file": GREETING, "parameters": []}, '"parameters" is'),
        ({"file": GREETING, "parameters": {"Wish": "1"}}, "Wish"),
    ],
)
def test_what_cannot_be_loaded_is_refused(ask, fields, sentence):
    with pytest.raises(RuntimeError, match=sentence):
        ask("load", **fields)


def test_a_behaviour_runs_step_by_step_and_again(robot, ask):
    assert ask("load", file=GREETING) == {"id": "greeting/behavior_1", "runs": True}
    before = len(robot.person("said").result(PATIENCE))
    for _ in range(2):
        ask("start")
        stepped(ask, lambda: ask("ears")["vocabulary"] == ["hello"])
        robot.person("hear", "hello").result(PATIENCE)
        stepped(ask, lambda: not ask("behaviour")["runs"])
    assert robot.person("said").result(PATIENCE)[before:] == ["Is anybody there?", "Hello to you!"] * 2


def test_a_start_while_it_runs_begins_anew_and_a_stop_leaves_nothing_open(robot, ask):
    ask("load", file=GREETING)
    before = len(robot.person("said").result(PATIENCE))
    for _ in range(2):
        ask("start")
        stepped(ask, lambda: ask("ears")["vocabulary"] == ["hello"])
    assert robot.person("said").result(PATIENCE)[before:] == ["Is anybody there?"] * 2
    assert ask("stop") == {"id": "greeting/behavior_1", "runs": False}
    assert ask("ears")["engine"] is None
    assert ask("state")["open"] == []


def test_time_is_paced_within_bounds(ask):
    stood = ask("pace")
    assert ask("pace") == stood and stood["speed"] == 0.0
    assert ask("pace", speed=1000)["speed"] == 1000.0
    for speed in (-1, 1001, float("nan"), "fast"):
        with pytest.raises(RuntimeError, match="speed"):
            ask("pace", speed=speed)
    assert ask("pace", speed=0)["seconds"] > stood["seconds"]
