"""The table of facts about real robots: its form, its page, and the simulated robots compared with it."""

import contextlib
import itertools
import json

import facts_page
import pytest
from interpreters import ROOT

import qiwire
from naosim.__main__ import main
from naosim.errors import NaosimError
from naosim_robots import serve_robot
from naosim_robots.addresses import read_password
from naosim_robots.facts import command
from naosim_robots.facts.patterns import WrongPattern, parse_pattern
from naosim_robots.facts.runner import DIFFERS, DOES_NOT_APPLY, HOLDS, LEFT_OUT, MISSING, RobotLost, Runner
from naosim_robots.facts.table import Robot, WrongTable, read_facts, read_text
from naosim_robots.libqi import close_session, qi
from qiwire.futures import make_finished_future

FACTS = read_facts()
#: Simulated seconds in a real one, and real seconds for an event.
SPEED, PATIENCE_S = 10, 1.0
#: All languages that a row needs.
LANGUAGES = ("English", "French", "German", "Spanish", "Swedish", "Turkish", "Chinese", "Japanese")


class Named:
    """A service with one method."""

    def name(self):
        return "named"


@contextlib.contextmanager
def served(robot, library):
    kind, naoqi = facts_page.ROBOTS[robot]
    with serve_robot(speed=SPEED, robot_type=kind, naoqi=naoqi, languages=LANGUAGES) as server:
        session = library.Session()
        session.connect(server.url)
        try:
            yield server, session
        finally:
            close_session(session)


@pytest.mark.parametrize("library", [qiwire, qi], ids=lambda library: library.__name__)
@pytest.mark.parametrize("robot", facts_page.ROBOTS)
def test_the_simulated_robots_do_what_real_ones_do(robot, library):
    """Takes up to 20 seconds: sentences, movements, and a second for each event that does not come yet."""
    with served(robot, library) as (_, session):
        found, outcomes = command.compare_robot(session, FACTS, library, patience=PATIENCE_S)
    assert str(found).startswith(f"real {robot}")
    differing = {each.fact.id: each for each in outcomes if each.counts and each.state != HOLDS}
    known = {name for name, robots in facts_page.read_differing().items() if robot in robots}
    new = [f"{name}: {each.step}\n came {each.came}" for name, each in differing.items() if name not in known]
    assert not new, "\n".join(new)
    # Events of different signals have no order over libqi, so that rows about an order may hold there.
    if library is not qiwire:
        known -= {each.id for each in FACTS if any(step.verb == "comes" for step in each.steps)}
    assert known - set(differing) == set(), f"these rows hold now: take them out of {facts_page.DIFFERING}"
    assert not [each.fact.id for each in outcomes if each.state == LEFT_OUT]


def test_the_list_of_differences_names_rows_and_robots():
    rows = {fact.id for fact in FACTS if not fact.disputed}
    differing = facts_page.read_differing()
    assert set(differing) - rows == set()
    assert {robot for robots in differing.values() for robot in robots} <= set(facts_page.ROBOTS)


def test_a_robot_without_alsystem_is_the_makers_desktop_whatever_it_is_called():
    table = "".join(
        f"{ROW.replace('a-row', name).replace('any', on)}{step}\n"
        for name, on, step in (
            ("ears", "any", "ALAudioDevice.getOutputVolume() -> int"),
            ("version", "real any", "has ALMotion"),
            ("memory", "virtual NAO", "has ALMemory"),
        )
    )
    facts = list(read_text(table))
    with (
        serve_robot(naoqi="2.1", without=["ALSystem", "ALAudioDevice"]) as server,
        contextlib.closing(qiwire.Session(server.url)) as one,
    ):
        runner = Runner(one, robot=Robot("NAO", "2.1.4.13", "real"))
        assert str(runner.robot) == "virtual NAO 2.1.4.13"
        assert [each.state for each in runner.run(facts)] == [DOES_NOT_APPLY, DOES_NOT_APPLY, HOLDS]
        # nao-sim's service is there even where something else gives NAOqi an ALSystem.
        for name in ("ALSystem", "NaoSim"):
            one.registerService(name, Named())
        assert Runner(one, robot=Robot("NAO", "2.1.4.13")).robot.place == "virtual"


def test_the_page_is_up_to_date():
    differing = facts_page.read_differing()
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    assert text == facts_page.make_page(FACTS, differing), "python simulator/tests/facts_page.py > docs/facts.md"
    counts, holding = facts_page.count_facts(FACTS), facts_page.count_holding(FACTS, differing)
    assert counts["all"] >= 200 and counts["recorded"] >= 150
    assert counts["all"] == counts["recorded"] + counts["D"] >= holding["all"][1] >= holding["all"][0] > 0


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        ("1", [1], [1.0, True, 2, "1"]),
        ("0.1", [0.1, 0.10000000149], [0.2, 1]),
        ("0 to 100", [0, 50.5, 100], [101, -1, True, "5"]),
        ("number", [1, 2.5], [True, None, "1"]),
        ("/^nao/ or null", ["naoenu", None], ["enu", 3]),
        ('["", -3.0]', [["", -3.0], ("", -3.0)], [[], ["", 0.0], ["", -3.0, 1]]),
        ("[text...]", [[], ["a"], ["a", "b"]], [[1], ["a", 1], "a"]),
        ('[..., "b", ...]', [["b"], ["a", "b", "c"]], [[], ["a"]]),
        ("[$x, [$x, int]]", [["a", ["a", 1]]], [["a", ["b", 1]]]),
        ('{"a": int, ...}', [{"a": 1}, {"a": 1, "b": 2}], [{}, {"a": "1"}]),
        ('{"a": int}', [{"a": 1}], [{"a": 1, "b": 2}]),
    ],
)
def test_patterns(pattern, fitting, others):
    found = parse_pattern(pattern)
    assert [value for value in fitting if not found.fits(value, {})] == []
    assert [value for value in others if found.fits(value, {})] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1",
        "txt",
        "1 to",
        "1 2",
        '{"a" 1}',
        "[" * 30,
        "/abc",
        "/(/",
        '"abc',
        '"\\x"',
        "1 within text",
        "[..., 1, ..., 2, ...]",
    ],
)
def test_a_text_that_is_no_pattern_is_refused(text):
    with pytest.raises(WrongPattern):
        parse_pattern(text)


ROW = "=== a-row: It does\non: any\nkind: R\nsource: a log\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("key A -> 1", "text:1: a row begins with"),
        ("=== Bad Name: It does", "text:1: write '=== some-name"),
        ("=== a-row: It does\nkind: R\nsource: a log\nkey A -> 1", "lacks the line 'on"),
        (ROW.replace("R", "X") + "key A -> 1", 'kind "X"'),
        (ROW + "marks: dances\nkey A -> 1", "dances is not one of the marks"),
        (ROW.replace("any", "Romeo") + "key A -> 1", '"Romeo" is not a robot'),
        (ROW + "ALMemory.ping()", "cannot fail"),
        (ROW + "key A -> 1 2", 'text:5: "2" is unexpected'),
        (ROW + "jump high", 'text:5: "jump high" is not a step'),
        (ROW + "wait 100 s\nkey A -> 1", "is not a step"),
        (ROW + 'ALMemory.getData("A" -> 1', "parenthesis"),
        (ROW + "key A -> $y within 1", "$y has no value yet"),
        (ROW + "key A -> [1, [$y within 1]]", "$y has no value yet"),
        (ROW + "ALMemory.getData($y) -> 1", "$y has no value yet"),
    ],
)
def test_a_row_that_is_not_in_the_form_is_refused(text, said):
    with pytest.raises(WrongTable) as refused:
        list(read_text(text))
    assert said in str(refused.value)


#: Rows and their outcomes on a NAO6 with the key Test/One of 1: every row can fail.
STORIES = [
    ("key Test/One -> 1", HOLDS, ""),
    ("key Test/One -> 2", DIFFERS, "1"),
    ("key Test/One -> absent", DIFFERS, "1"),
    ("key Test/Nothing -> absent", HOLDS, ""),
    ("key Test/Nothing -> any", DIFFERS, "Data not found"),
    ('ALMemory.getData("Test/One") -> int', HOLDS, ""),
    ('ALMemory.getData("Test/Nothing") -> error "Data not found"', HOLDS, ""),
    ('ALMemory.getData("Test/One") -> error "Data not found"', DIFFERS, "1"),
    ('ALMemory.getData("Test/Nothing") -> error "no such thing"', DIFFERS, "Data not found"),
    ("ALNothing.ping() -> true", MISSING, "there is no ALNothing"),
    ("ALMemory.nothing() -> true", DIFFERS, "ALMemory has no method nothing"),
    ("ALMemory.nothing() -> error", DIFFERS, "ALMemory has no method nothing"),
    ("has ALMemory.getData", HOLDS, ""),
    ("has ALMemory.nothing", DIFFERS, "it lacks ALMemory.nothing"),
    ("lacks ALNothing", HOLDS, ""),
    ("lacks ALMemory", DIFFERS, "it has ALMemory"),
    ('$one = ALMemory.getData("Test/One")\nkey Test/One -> $one', HOLDS, ""),
    ("SimulatedHuman.stay_silent(1.0) takes 1 to 2 s", HOLDS, ""),
    ("SimulatedHuman.stay_silent(1.0) takes 3 to 4 s", DIFFERS, " s"),
    ('watch Test/A, Test/B\nALMemory.raiseEvent("Test/A", 1)\nALMemory.raiseEvent("Test/B", 2)\n'
     "comes Test/A 1\ncomes Test/B 2", HOLDS, ""),
    ('watch Test/A, Test/B\nALMemory.raiseEvent("Test/A", 1)\nALMemory.raiseEvent("Test/B", 2)\ncomes Test/B 2',
     DIFFERS, "Test/A 1"),
    ('watch Test/A, Test/B\nALMemory.raiseEvent("Test/A", 1)\nALMemory.raiseEvent("Test/B", 2)\n'
     "comes ...\ncomes Test/B 2", HOLDS, ""),
    ('watch Test/A\nALMemory.raiseEvent("Test/A", 1)\nALMemory.raiseEvent("Test/A", 2)\ncomes Test/A 1',
     DIFFERS, "then Test/A 2"),
    ('watch Test/A\nALMemory.raiseEvent("Test/A", 1)\nALMemory.raiseEvent("Test/A", 2)\ncomes Test/A 1\ncomes ...',
     HOLDS, ""),
    ("watch Test/A\ncomes Test/A 1", DIFFERS, "nothing of it within"),
    ("watch Test/A\ncomes nothing", HOLDS, ""),
    ('watch Test/A\nALMemory.raiseEvent("Test/A", 1)\ncomes nothing', DIFFERS, "then Test/A 1"),
    ('watch FrontTactilTouched\nperson press("FrontTactilTouched")\nafter SimulatedHuman.release("FrontTactilTouched")'
     "\ncomes FrontTactilTouched 1.0", HOLDS, ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def runner():
    with served("NAO 2.8", qiwire) as (_, session):
        session.service("ALMemory").insertData("Test/One", 1)
        yield Runner(session, patience=PATIENCE_S)


@pytest.mark.parametrize(("steps", "state", "came"), STORIES, ids=[steps for steps, _, _ in STORIES])
def test_steps(runner, steps, state, came):
    (fact,) = read_text(ROW + steps)
    outcome = runner.run_row(fact)
    assert outcome.state == state and came in outcome.came, outcome


def test_a_row_ends_with_what_restores_the_robot(runner):
    (fact,) = read_text(
        ROW + '$old = ALMemory.getData("Test/One")\nafter ALMemory.insertData("Test/One", $old)\n'
        'ALMemory.insertData("Test/One", 5)\nkey Test/One -> 6'
    )
    assert runner.run_row(fact).came == "5"
    assert runner.call("ALMemory", "getData", ["Test/One"]) == 1
    assert runner.call("ALMemory", "getSubscribers", ["FrontTactilTouched"]) == []


class WrongRobot(Runner):
    """A robot on which everything is wrong: strange values, no errors, no events, and a clock that runs too fast."""

    is_in_order, patience, is_simulated = True, 0.0, True

    def __init__(self, fact, has_all):
        (self.robot, *_), self.marks = fact.robots, fact.marks
        self._has_all, self._seconds = has_all, itertools.count(0, 1000)

    def has(self, _name):
        return self._has_all

    def start_call(self, _service, _method, _args):
        return make_finished_future(object())

    def connect(self, _name, _callback, _strand):
        return lambda: None

    def read_clock(self):
        return next(self._seconds)

    def wait(self, _seconds):
        pass


def test_every_row_can_fail():
    def fails(fact):
        fact = fact._replace(steps=tuple(step for step in fact.steps if step.verb != "needs"))
        robots = [WrongRobot(fact, has_all) for has_all in (True, False)]
        return DIFFERS in [robot.run_row(fact).state for robot in robots]

    assert [fact.id for fact in FACTS if not fails(fact)] == []


def test_rows_are_for_robots_and_marked_rows_run_only_on_request(runner):
    (fact,) = read_text(ROW + "marks: moves\nkey Test/One -> 1")
    assert runner.run_row(fact).state == HOLDS
    runner.marks = frozenset()
    assert runner.run_row(fact).state == LEFT_OUT
    runner.marks = frozenset({"moves"})
    six = Robot("NAO", "2.8.6.23", "real")
    for on in ("NAO", "NAO 2.1, NAO 2.8", "any 2.5+", "real any 2.8.6"):
        assert next(read_text(ROW.replace("any", on) + "key A -> 1")).applies_to(six), on
    for on in ("Pepper", "NAO 2.9+", "virtual NAO", "any 2.80", "NAO 2.1, Pepper 2.8"):
        assert not next(read_text(ROW.replace("any", on) + "key A -> 1")).applies_to(six), on


#: What a comparison could leave changed on a robot: calls whose answers are the same before and after.
KEPT = [
    ("ALTextToSpeech", "getLanguage", []),
    ("ALTextToSpeech", "getVoice", []),
    ("ALTextToSpeech", "getVolume", []),
    *(("ALTextToSpeech", "getParameter", [name]) for name in ("speed", "defaultVoiceSpeed", "pitchShift")),
    ("ALAudioDevice", "getOutputVolume", []),
    ("ALAudioDevice", "isAudioOutMuted", []),
    ("ALBasicAwareness", "getEngagementMode", []),
    ("ALBasicAwareness", "getTrackingMode", []),
    ("ALVideoDevice", "getSubscribers", []),
    ("ALSonar", "getSubscribersInfo", []),
    ("ALPeoplePerception", "getSubscribersInfo", []),
    ("ALMotion", "getAngles", ["Body", True]),
    ("ALMotion", "getStiffnesses", ["Body"]),
    ("ALMotion", "getRobotPosition", [True]),
    ("ALMotion", "robotIsWakeUp", []),
    ("ALAutonomousLife", "getState", []),
    ("ALMemory", "getDataList", ["NaosimFacts"]),
]


def test_a_foreign_robot_is_only_asked_and_stays_as_it_was():
    lacking = ["ALSpeechRecognition", "ALPhotoCapture"]
    with serve_robot(naoqi="2.1", speed=SPEED, languages=LANGUAGES, without=lacking) as server:
        # Without this service it looks like a robot that is not simulated.
        server.unregister("SimulatedHuman")
        session = qiwire.Session(server.url)
        before = [server.robot.call(*each).result() for each in KEPT]
        _, outcomes = command.compare_robot(session, FACTS, patience=PATIENCE_S)
        assert [server.robot.call(*each).result() for each in KEPT] == before
        assert server.robot.person("said").result() == []
        assert {each.came for each in outcomes if each.state == MISSING} == {"there is no ALSpeechRecognition"}
        assert {each.state for each in outcomes if each.fact.marks} == {LEFT_OUT, DOES_NOT_APPLY}
        asked = []
        foreign = Runner(session, marks=["person"], ask_owner=asked.append)
        (fact,) = read_text(ROW + 'marks: person\nperson touch("FrontTactilTouched")\nhas ALMemory')
        assert (foreign.run_row(fact).state, asked) == (HOLDS, ["touch for a moment the front of its head"])
        server.close()
        with pytest.raises(RobotLost, match="went away at the row list-data-void"):
            list(foreign.run([each for each in FACTS if each.id == "list-data-void"]))
        close_session(session)


def test_a_row_may_need_something_of_the_robot(runner):
    (fact,) = read_text(ROW + 'needs ALMemory.getData("Test/One") -> 2\nkey Test/One -> 1')
    assert runner.run_row(fact).state == DOES_NOT_APPLY
    (fact,) = read_text(ROW + 'needs ALMemory.getData("Test/One") -> 1\nkey Test/One -> 1')
    assert runner.run_row(fact).state == HOLDS


@pytest.mark.parametrize("call", ['ALMemory.getData("No/Such")', "ALNothing.ping()", "ALMemory.noSuchMethod()"])
def test_a_row_that_needs_what_the_robot_lacks_does_not_apply(runner, call):
    (fact,) = read_text(f"{ROW}needs {call} -> 1\nhas ALMemory")
    assert runner.run_row(fact).state == DOES_NOT_APPLY


def test_the_command(runner, tmp_path, capsys):
    (tmp_path / "rows.txt").write_text(
        f"{ROW}has ALMemory\n{ROW.replace('a-row', 'other')}disputed: another log\nlacks ALMemory\n"
        f"{ROW.replace('a-row', 'third')}lacks ALMemory\n"
    )
    url, table = runner._session.url(), ["--table", str(tmp_path)]
    assert command.main([url, *table, "--only", "a-row"]) == 0
    assert "1 of 1 rows hold" in capsys.readouterr().out
    assert command.main([url, *table, "--only", "other"]) == 0
    assert "disputed, differs: other" in capsys.readouterr().out
    assert command.main([url, *table, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [told["counts"][state] for state in ("holds", "differs", "missing", "disputed")] == [1, 1, 0, 1]
    assert (told["body"], told["facts"][2]["came"]) == ("NAO", "it has ALMemory")
    for wrong in ([url, *table, "--only", "nothing"], ["tcp://127.0.0.1:1", *table], ["no address!", *table]):
        assert main(["facts", *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    for alone in (["--user", "nao"], ["--password-file", "secret"], ["--naoqi", "2.8"]):
        with pytest.raises(SystemExit) as ended:
            command.main([url, *table, *alone])
        assert ended.value.code == 2 and "together" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"tr0ub4dor\nsecond line\n", None),
        (b"tr0ub4dor\n" + b" " * 4086, None),
        (b"tr0ub4dor\n" + b" " * 4087, "larger than 4 kB"),
        (b"\xff\xfe", "not UTF-8 text"),
        ("folder", "not a plain file"),
        ("missing", "cannot read"),
    ],
)
def test_the_password_is_the_first_line_of_a_small_file(tmp_path, content, said):
    path = tmp_path / "password"
    if content == "folder":
        path.mkdir()
    elif content != "missing":
        path.write_bytes(content)
    if said is None:
        assert read_password(path) == "tr0ub4dor"
    else:
        with pytest.raises(NaosimError, match=said):
            read_password(path)
